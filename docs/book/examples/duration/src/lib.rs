//! Durations as people write them: `1h30m`, `45s`.

/// The seconds of a text such as `1h30m`; `None` if it is not one.
pub fn parse(text: &str) -> Option<u32> {
    let mut total = 0;
    let mut count: Option<u8> = None;
    for byte in text.bytes() {
        let unit = match byte {
            b'0'..=b'9' => {
                count = Some(count.unwrap_or(0) * 10 + (byte - b'0'));
                continue;
            }
            b'h' => 3600,
            b'm' => 60,
            b's' => 1,
            _ => return None,
        };
        total += u32::from(count.take()?) * unit;
    }
    if count.is_some() {
        return None;
    }
    Some(total)
}

/// The text of so many seconds: `3661` is `1h1m1s`.
pub fn format(seconds: u32) -> String {
    let mut text = String::new();
    for (size, unit) in [(3600, 'h'), (60, 'm'), (1, 's')] {
        let count = seconds / size % 60;
        if count > 0 {
            text += &count.to_string();
            text.push(unit);
        }
    }
    text
}

#[cfg(coax)]
#[coax::test]
fn what_is_formatted_can_be_parsed() {
    let seconds: u32 = coax::any_named("seconds");
    coax::assume(seconds < 7 * 24 * 3600);
    assert_eq!(parse(&format(seconds)), Some(seconds));
}
