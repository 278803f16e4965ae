//! What a program gets for what it asks for, and how that is made to fit.
//!
//! An input was perhaps written by a person, or made for another version of the program: what it has need not be of the kind that
//! is asked for. It is then converted by its value. What cannot be is cut to the bits that there are, and the run says so ([`Fit`]).

use crate::{Data, Number, NumberKind, Value};

/// What a program gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A number.
    Number(Number),
    /// Bytes.
    Bytes(Data),
    /// As a person wrote it: a number or text, as it is asked for.
    Written(String),
}

/// An answer as it was asked for, and whether it is still the same.
pub(crate) struct Fit<T> {
    pub(crate) value: T,
    pub(crate) fits: bool,
}

impl Answer {
    /// It as a number of a kind.
    pub(crate) fn number(&self, kind: NumberKind) -> Fit<Number> {
        let exact = match self {
            Answer::Number(number) => converted(*number, kind),
            Answer::Bytes(data) => (kind.bytes() == Some(data.0.len() as u64))
                .then(|| kind.number(little_endian(&data.0)))
                .filter(|number| number.bits() == little_endian(&data.0)),
            Answer::Written(text) => kind.parse(text),
        };
        match exact {
            Some(value) => Fit { value, fits: true },
            None => Fit { value: kind.number(self.first_bits()), fits: false },
        }
    }

    /// It as so many bytes; what is missing are zeros.
    pub(crate) fn bytes(&self, count: usize) -> Fit<Vec<u8>> {
        let mut value = match self {
            Answer::Bytes(data) => data.0.clone(),
            Answer::Number(number) => number.memory_bytes(),
            Answer::Written(text) => match written_number(text, count) {
                Some(bytes) => bytes,
                None => text.clone().into_bytes(),
            },
        };
        // The upper bytes of a number may be left out if they say nothing.
        let rest = value.get(count..).unwrap_or_default();
        let fits = rest.is_empty() || matches!(self, Answer::Number(_)) && rest.iter().all(|byte| *byte == 0);
        value.resize(count, 0);
        Fit { value, fits }
    }

    /// The lowest bits of it.
    fn first_bits(&self) -> u64 {
        match self {
            Answer::Number(number) => number.bits(),
            Answer::Bytes(data) => little_endian(&data.0),
            Answer::Written(_) => 0,
        }
    }
}

/// A number of the same value and this kind.
fn converted(number: Number, kind: NumberKind) -> Option<Number> {
    if number.kind() == kind {
        return Some(number);
    }
    let float = match number {
        Number::Value(Value::F32(bits)) => Some(f64::from(f32::from_bits(bits))),
        Number::Value(Value::F64(bits)) => Some(f64::from_bits(bits)),
        _ => None,
    };
    match (float, kind) {
        (Some(value), NumberKind::F32) => Some(kind.number((value as f32).to_bits().into())),
        (Some(value), NumberKind::F64) => Some(kind.number(value.to_bits())),
        (Some(value), _) => fitting(value as i128, kind).filter(|_| value.fract() == 0.0),
        (None, NumberKind::F32) => Some(kind.number((number.integer()? as f32).to_bits().into())),
        (None, NumberKind::F64) => Some(kind.number((number.integer()? as f64).to_bits())),
        (None, _) => fitting(number.integer()?, kind),
    }
}

/// An integer of this kind, which may be written with a sign or without.
fn fitting(value: i128, kind: NumberKind) -> Option<Number> {
    let width = u32::from(kind.width()?);
    let least = if width == 1 { 0 } else { -(1 << (width - 1)) };
    (least..1 << width).contains(&value).then(|| kind.number(value as u64))
}

/// A number as so many bytes of memory, if they are as many as numbers have.
fn written_number(text: &str, count: usize) -> Option<Vec<u8>> {
    let integer = NumberKind::integer(count as u64, true).and_then(|kind| kind.parse(text));
    let float = || match count {
        4 => NumberKind::F32.parse(text),
        8 => NumberKind::F64.parse(text),
        _ => None,
    };
    let number = integer.or_else(|| float().filter(|_| text.contains(|c: char| c.is_ascii_digit())));
    match (number, count) {
        (Some(number), _) => Some(number.memory_bytes()),
        (None, 16) => wide(text).map(|value| value.to_le_bytes().to_vec()),
        (None, _) => None,
    }
}

/// An integer of 128 bits, with a sign or without.
fn wide(text: &str) -> Option<u128> {
    match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => text.parse::<u128>().ok().or_else(|| text.parse::<i128>().ok().map(|value| value as u128)),
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(answer: &Answer, kind: NumberKind) -> Option<Number> {
        let fit = answer.number(kind);
        fit.fits.then_some(fit.value)
    }

    #[test]
    fn numbers_keep_their_value() {
        let written = |text: &str| Answer::Written(text.into());
        let three = Answer::Number(NumberKind::I32.number(3));
        assert_eq!(number(&written("1.5"), NumberKind::F32), NumberKind::F32.parse("1.5"));
        assert_eq!(number(&three, NumberKind::F64), NumberKind::F64.parse("3"));
        assert_eq!(number(&three, NumberKind::U8), Some(Number::U8(3)));
        let half = Answer::Number(NumberKind::F64.parse("0.5").expect("a number"));
        assert_eq!(number(&half, NumberKind::F32), NumberKind::F32.parse("0.5"));
        assert_eq!(number(&half, NumberKind::I32), None);
        let negative = Answer::Number(NumberKind::I64.parse("-1").expect("a number"));
        assert_eq!(number(&negative, NumberKind::U16), Some(Number::U16(65535)));
        for (text, kind) in [("300", NumberKind::U8), ("2", NumberKind::Bool), ("x", NumberKind::I32)] {
            assert_eq!(number(&written(text), kind), None, "{text}");
        }
    }

    #[test]
    fn objects_take_numbers_or_text() {
        let bytes = |text: &str, count| Answer::Written(text.into()).bytes(count);
        assert_eq!(bytes("5", 4).value, [5, 0, 0, 0]);
        assert_eq!(bytes("1.5", 4).value, 1.5f32.to_le_bytes());
        assert_eq!(bytes("-1", 16).value, [0xff; 16]);
        assert_eq!(bytes("12345", 7).value, *b"12345\0\0");
        let cut = bytes("too long", 3);
        assert_eq!((cut.value, cut.fits), (b"too".to_vec(), false));
    }
}
