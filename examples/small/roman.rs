//! Roman numerals of small numbers, and back.
//!
//!     coax cover examples/small/roman.rs --entry round_trip

const LARGEST: u32 = 20;

fn to_roman(mut number: u32) -> Vec<u8> {
    let mut text = Vec::new();
    for (value, letters) in [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")] {
        while number >= value {
            text.extend_from_slice(letters.as_bytes());
            number -= value;
        }
    }
    text
}

fn value(letter: u8) -> Option<u32> {
    match letter {
        b'I' => Some(1),
        b'V' => Some(5),
        b'X' => Some(10),
        _ => None,
    }
}

fn from_roman(text: &[u8]) -> Option<u32> {
    let mut sum = 0;
    for (place, letter) in text.iter().enumerate() {
        let own = value(*letter)?;
        let next = text.get(place + 1).and_then(|it| value(*it)).unwrap_or(0);
        if own < next {
            sum -= own as i32;
        } else {
            sum += own as i32;
        }
    }
    u32::try_from(sum).ok()
}

/// Whether a number is the same after it was written and read; none if it is too large.
fn round_trip(number: u32) -> Option<bool> {
    if number == 0 || number > LARGEST {
        return None;
    }
    let text = to_roman(number);
    if text.is_empty() {
        return Some(false);
    }
    match from_roman(&text) {
        Some(back) => Some(back == number),
        None => Some(false),
    }
}

fn main() {
    println!("{:?}", round_trip(14));
}
