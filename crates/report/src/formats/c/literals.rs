//! Numbers, strings and names in C.

use coax_execute::{Number, Value};
use std::fmt::Write;

/// A number.
pub(super) fn number(number: Number) -> String {
    match number {
        Number::Value(plain) => value(plain),
        Number::U32(value) => format!("{value}U"),
        Number::U64(value) => format!("{value}ULL"),
        Number::Bool(value) => format!("(_Bool){}", u8::from(value)),
        Number::I8(value) => format!("(int8_t){value}"),
        Number::U8(value) => format!("(uint8_t){value}"),
        Number::I16(value) => format!("(int16_t){value}"),
        Number::U16(value) => format!("(uint16_t){value}"),
    }
}

/// A value of wasm's.
pub(super) fn value(value: Value) -> String {
    match value {
        // The digits of the smallest number are those of one that is too large, with a minus before it.
        Value::I32(i32::MIN) => "(-2147483647 - 1)".into(),
        Value::I32(value) => value.to_string(),
        Value::I64(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
        Value::I64(value) => format!("{value}LL"),
        Value::F32(bits) => float(f64::from(f32::from_bits(bits)), &format!("{:?}f", f32::from_bits(bits))),
        Value::F64(bits) => float(f64::from_bits(bits), &format!("{:?}", f64::from_bits(bits))),
        Value::V128(_) | Value::Ref(_) => "0".into(),
    }
}

fn float(value: f64, finite: &str) -> String {
    match (value.is_nan(), value.is_infinite()) {
        (true, _) => "NAN".into(),
        (_, true) if value < 0.0 => "-INFINITY".into(),
        (_, true) => "INFINITY".into(),
        _ => finite.into(),
    }
}

/// A string of these bytes.
pub(super) fn string(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        let _ = match byte {
            b'"' | b'\\' => write!(text, "\\{}", char::from(byte)),
            b'\n' => write!(text, "\\n"),
            b'\t' => write!(text, "\\t"),
            // Three digits end the number, whatever follows. A question mark may begin a trigraph.
            b' '..=b'~' if byte != b'?' => write!(text, "{}", char::from(byte)),
            _ => write!(text, "\\{byte:03o}"),
        };
    }
    text.push('"');
    text
}

/// A name that C takes, as a part of a longer one.
pub(super) fn identifier(name: &str) -> String {
    name.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_mean_what_they_are() {
        assert_eq!(value(Value::I32(i32::MIN)), "(-2147483647 - 1)");
        assert_eq!(value(Value::F32(0.1f32.to_bits())), "0.1f");
        assert_eq!(value(Value::F64(f64::NEG_INFINITY.to_bits())), "-INFINITY");
        assert_eq!(string(b"a\"\\\n\x001??"), "\"a\\\"\\\\\\n\\0001\\077\\077\"");
        assert_eq!(number(Number::U8(200)), "(uint8_t)200");
    }
}
