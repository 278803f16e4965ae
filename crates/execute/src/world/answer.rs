//! An answer to what a program asks for by its test harness, and how it becomes the number or bytes that are asked for.
//!
//! Invariant: a number stays the number that was written. What cannot be what is asked for is none, never other bits.

use crate::value::{float_bytes, integer_bytes};
use crate::{Argument, Content, Data, Number, NumberKind, Room, Value};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json, json};
use std::fmt;

/// Something that a program asked for, and what it got; or is going to get. In JSON it is as an [`Argument`]:
/// `{"name": "x", "i32": 5}`, `{"name": "buffer", "bytes": "text"}`; or `{"written": "5"}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// What the program calls it.
    pub name: String,
    /// The answer.
    pub value: Answer,
}

/// What a program gets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// A number.
    Number(Number),
    /// Bytes.
    Bytes(Data),
    /// As a person wrote it: what it means depends on what is asked for.
    Written(String),
}

/// What a text as a person wrote it is called in JSON.
const WRITTEN: &str = "written";

impl Serialize for Request {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = Some(self.name.clone()).filter(|name| !name.is_empty());
        let content = match &self.value {
            Answer::Number(number) => Content::Number(*number),
            Answer::Bytes(data) => Content::Bytes(Room::default(), data.clone()),
            Answer::Written(text) => return json!({WRITTEN: text}).serialize(serializer),
        };
        Argument { name, ..Argument::new(content) }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Request, D::Error> {
        let entries = Map::deserialize(deserializer)?;
        if let (Some(Json::String(text)), 1) = (entries.get(WRITTEN), entries.len()) {
            return Ok(Request { name: String::new(), value: Answer::Written(text.clone()) });
        }
        let argument: Argument = serde_json::from_value(Json::Object(entries)).map_err(D::Error::custom)?;
        let value = match argument.content {
            Content::Number(number) if number.kind().width().is_some() => Answer::Number(number),
            Content::Bytes(_, data) => Answer::Bytes(data),
            _ => return Err(D::Error::custom("a value that the program asks for is a number or \"bytes\"")),
        };
        Ok(Request { name: argument.name.unwrap_or_default(), value })
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Number(number) => write!(f, "`{}`", number.passed()),
            Answer::Bytes(data) => write!(f, "a value of {} bytes", data.0.len()),
            Answer::Written(text) => write!(f, "`{text}`"),
        }
    }
}

impl Answer {
    /// The number of this kind that it is: the same integer, or a float as near as the kind has it; or the bytes of one.
    pub(crate) fn to_number(&self, kind: NumberKind) -> Option<Number> {
        match self {
            Answer::Written(text) => kind.parse(text),
            Answer::Bytes(data) if kind.bytes() == Some(data.0.len() as u64) => {
                let bits = data.0.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
                Some(kind.number(bits)).filter(|number| kind != NumberKind::Bool || number.bits() == bits)
            }
            Answer::Bytes(_) => None,
            Answer::Number(number) => match (number.passed(), kind) {
                _ if number.kind() == kind => Some(*number),
                (Value::F32(bits), NumberKind::F64) => {
                    Some(kind.number(f64::from(f32::from_bits(bits)).to_bits()))
                }
                (Value::F64(bits), NumberKind::F32) => {
                    Some(kind.number((f64::from_bits(bits) as f32).to_bits().into()))
                }
                (Value::I32(_) | Value::I64(_), NumberKind::F32 | NumberKind::F64) => None,
                _ => number.integer().and_then(|integer| kind.parse(&integer.to_string())),
            },
        }
    }

    /// So many bytes: its first, and zeros if it has fewer. A number is one of exactly so many bytes, if it was written as such and there
    /// is one; any other text must fit.
    pub(crate) fn to_bytes(&self, count: usize) -> Option<Vec<u8>> {
        let mut bytes = match self {
            Answer::Bytes(data) => data.0.clone(),
            Answer::Number(number) => {
                let size = number.kind().bytes()?;
                (size == count as u64).then(|| number.bits().to_le_bytes()[..count.min(8)].to_vec())?
            }
            Answer::Written(text) => integer_bytes(text, count)
                .or_else(|| float_bytes(text, count))
                .or_else(|| (text.len() <= count).then(|| text.as_bytes().to_vec()))?,
        };
        bytes.resize(count, 0);
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Answer {
        Answer::Written(text.into())
    }

    #[test]
    fn a_number_stays_the_number_that_was_written() {
        let number = |text, kind: NumberKind| written(text).to_number(kind).map(Number::bits);
        assert_eq!(number("1.5", NumberKind::F32), Some(1.5f32.to_bits().into()));
        assert_eq!(number("3", NumberKind::F64), Some(3f64.to_bits()));
        assert_eq!(number("-3", NumberKind::F64), Some((-3f64).to_bits()));
        assert_eq!(number("true", NumberKind::Bool), Some(1));
        assert_eq!(number("-1", NumberKind::I8), Some(255));
        let misfits = [
            ("2", NumberKind::Bool),
            ("300", NumberKind::U8),
            ("42949672951", NumberKind::I32),
            ("1.5", NumberKind::I32),
            ("hello", NumberKind::I32),
        ];
        for (text, kind) in misfits {
            assert_eq!(number(text, kind), None, "{text}");
        }
    }

    #[test]
    fn a_stored_number_is_not_read_as_one_of_another_class() {
        let stored = |kind: NumberKind, bits| Answer::Number(kind.number(bits));
        let five = stored(NumberKind::I64, 5);
        assert_eq!(five.to_number(NumberKind::U8), Some(Number::U8(5)));
        assert_eq!(five.to_number(NumberKind::F64), None);
        assert_eq!(stored(NumberKind::I32, 300).to_number(NumberKind::U8), None);
        assert_eq!(stored(NumberKind::I8, 0xff).to_number(NumberKind::I64).map(Number::bits), Some(u64::MAX));
        assert_eq!(stored(NumberKind::U64, u64::MAX).to_number(NumberKind::I32), None);
        let half = stored(NumberKind::F32, 0.5f32.to_bits().into());
        assert_eq!(half.to_number(NumberKind::F64), Some(NumberKind::F64.number(0.5f64.to_bits())));
        assert_eq!(half.to_number(NumberKind::I32), None);
        assert_eq!(Answer::Bytes("abcde".into()).to_number(NumberKind::I32), None);
        let object = Answer::Bytes(Data(vec![1, 2, 0, 0]));
        assert_eq!(object.to_number(NumberKind::U32), Some(Number::U32(0x201)));
    }

    #[test]
    fn bytes_are_text_or_a_number_of_that_size() {
        let bytes = |text, count| written(text).to_bytes(count);
        assert_eq!(bytes("-5", 4), Some((-5i32).to_le_bytes().to_vec()));
        assert_eq!(bytes("1.5", 4), Some(1.5f32.to_le_bytes().to_vec()));
        assert_eq!(bytes("1.5", 8), Some(1.5f64.to_le_bytes().to_vec()));
        assert_eq!(bytes("0xffffffffffffffffffffffffffffffff", 16), Some(u128::MAX.to_le_bytes().to_vec()));
        assert_eq!(bytes("12345", 7), Some(b"12345\0\0".to_vec()));
        assert_eq!(bytes("inf", 4), Some(b"inf\0".to_vec()));
        assert_eq!(bytes("12345678", 7), None);
        assert_eq!(Answer::Number(NumberKind::I32.number(0x0403_0201)).to_bytes(4), Some(vec![1, 2, 3, 4]));
        assert_eq!(Answer::Number(NumberKind::I32.number(1)).to_bytes(7), None);
        assert_eq!(Answer::Bytes(Data(vec![7])).to_bytes(3), Some(vec![7, 0, 0]));
    }

    #[test]
    fn what_a_person_wrote_is_kept_in_json() {
        let request = Request { name: String::new(), value: written("5") };
        let json = serde_json::to_string(&request).expect("it is data");
        assert_eq!(json, r#"{"written":"5"}"#);
        assert_eq!(serde_json::from_str::<Request>(&json).expect("it was written"), request);
    }
}
