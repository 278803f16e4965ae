//! How text that comes from a program, and what it was given, is shown to people: on a line, and harmless.

use coax_execute::{Answer, Request};
use std::borrow::Cow;

/// Text that does not play with the terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| !c.is_control() || c == '\t';
    if text.chars().all(harmless) {
        return text.into();
    }
    text.chars().map(|c| if harmless(c) { c.to_string() } else { c.escape_default().to_string() }).collect()
}

/// Text that fits a line, more or less: a read through a pointer may name all of a table.
pub fn shortened(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 300;
    match text.char_indices().nth(LONGEST) {
        None => text.into(),
        Some((end, _)) => {
            let more = text[end..].chars().count();
            format!("{} … and {more} characters more: see `--json`", &text[..end]).into()
        }
    }
}

/// What a program asked for and got, as in a test; and as a number if it is bytes that are no text, for they often are a variable.
pub fn request(request: &Request) -> String {
    let json = serde_json::to_string(request).unwrap_or_default();
    let json = shortened(&printable(&json)).into_owned();
    match &request.value {
        Answer::Bytes(data) => match number(&data.0) {
            Some(number) => format!("{json}  as a number: {number}"),
            None => json,
        },
        _ => json,
    }
}

/// The number that these bytes are, unless they are text.
fn number(bytes: &[u8]) -> Option<i64> {
    let is_text = bytes.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ');
    let unused = match bytes.len() {
        count @ (1 | 2 | 4 | 8) if !is_text => 64 - 8 * count,
        _ => return None,
    };
    let bits = bytes.iter().rev().fold(0, |bits: u64, &byte| bits << 8 | u64::from(byte));
    Some((bits << unused) as i64 >> unused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_shown_as_a_number_too() {
        assert_eq!(number(&[0xfb, 0xff, 0xff, 0xff]), Some(-5));
        assert_eq!(number(&[7]), Some(7));
        assert_eq!(number(b"abcd"), None);
        assert_eq!(number(&[1, 2, 3]), None);
    }
}
