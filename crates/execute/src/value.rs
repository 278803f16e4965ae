//! A wasm value outside the program: a parameter or a result, exact to the bit.
//!
//! In JSON a value is `{"i32": 5}`, `{"f64": 0.1}`; floats that JSON has no number for are strings
//! (`"inf"`, `"-inf"`, `"nan:0x7ff8000000000000"` with all bits), vectors are 32 hex digits. In forms that only machines read, they are
//! their bits.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use wasmparser::ValType;
use wasmtime::Val;

/// A wasm value. Equality is equality of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Hash)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// A 32-bit integer; read as signed or unsigned.
    I32(#[serde(deserialize_with = "read_i32")] i32),
    /// A 64-bit integer; read as signed or unsigned.
    I64(#[serde(deserialize_with = "read_i64")] i64),
    /// A 32-bit float, by its bits.
    F32(#[serde(with = "f32_json")] u32),
    /// A 64-bit float, by its bits.
    F64(#[serde(with = "f64_json")] u64),
    /// A vector, lane 0 in the lowest bits.
    V128(#[serde(with = "v128_json")] u128),
    /// A reference.
    Ref(Reference),
}

/// What can be said of a reference outside the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// It refers to nothing.
    Null,
    /// It refers to something; only results can.
    NonNull,
}

impl Value {
    /// Reads a value of a type as people write it: `-5`, `0xff`, `1e3`, `inf`, `nan`, `nan:0x7fc00001`, `null`.
    pub fn parse(text: &str, ty: ValType) -> Option<Value> {
        Some(match ty {
            ValType::I32 => Value::I32(narrow(parse_integer(text)?)?),
            ValType::I64 => Value::I64(wide(parse_integer(text)?)?),
            ValType::F32 => Value::F32(parse_f32(text)?),
            ValType::F64 => Value::F64(parse_f64(text)?),
            ValType::V128 => Value::V128(parse_hex(text)?),
            ValType::Ref(_) => (text == "null").then_some(Value::Ref(Reference::Null))?,
        })
    }

    /// Why [`Value::parse`] refuses a text, and what to write instead.
    pub fn why_not(text: &str, ty: ValType) -> String {
        let fits = |range: &str| format!("`{text}` does not fit an {ty}{range}");
        let integer = parse_integer(text).is_some();
        let number = has_digits(text) && text.parse::<f64>().is_ok();
        let example = match ty {
            ValType::I32 if integer => return fits(&format!(" ({} to {})", i32::MIN, u32::MAX)),
            ValType::I64 if integer => return fits(&format!(" ({} to {})", i64::MIN, u64::MAX)),
            ValType::F32 | ValType::F64 if number => return fits("; write inf for infinity"),
            ValType::I32 | ValType::I64 => "an integer like -5 or 0xff",
            ValType::F32 => "a number like 1.5, or inf, nan, nan:0x7fc00001",
            ValType::F64 => "a number like 1.5, or inf, nan, nan:0x7ff8000000000001",
            ValType::V128 => "up to 32 hex digits, the first lane last",
            ValType::Ref(_) => "null; no other reference can be made outside the program",
        };
        format!("`{text}` is no {ty}; write {example}")
    }

    /// Whether the value can be passed where this type is expected.
    pub fn fits(&self, ty: ValType) -> bool {
        match self {
            Value::I32(_) => ty == ValType::I32,
            Value::I64(_) => ty == ValType::I64,
            Value::F32(_) => ty == ValType::F32,
            Value::F64(_) => ty == ValType::F64,
            Value::V128(_) => ty == ValType::V128,
            Value::Ref(reference) => {
                *reference == Reference::Null && matches!(ty, ValType::Ref(ty) if ty.is_nullable())
            }
        }
    }

    /// Its bits; those of a vector or reference are none.
    pub(crate) fn bits(self) -> u64 {
        match self {
            Value::I32(value) => u64::from(value as u32),
            Value::I64(value) => value as u64,
            Value::F32(bits) => bits.into(),
            Value::F64(bits) => bits,
            Value::V128(_) | Value::Ref(_) => 0,
        }
    }

    /// The value as wasmtime passes it to a parameter of this type.
    pub(crate) fn to_wasmtime(self, ty: &wasmtime::ValType) -> Val {
        match self {
            Value::I32(value) => Val::I32(value),
            Value::I64(value) => Val::I64(value),
            Value::F32(bits) => Val::F32(bits),
            Value::F64(bits) => Val::F64(bits),
            Value::V128(bits) => Val::V128(bits.into()),
            Value::Ref(_) => match ty {
                wasmtime::ValType::Ref(ty) => Val::null_ref(ty.heap_type()),
                _ => Val::I32(0),
            },
        }
    }

    /// What wasmtime returned.
    pub(crate) fn from_wasmtime(value: &Val) -> Value {
        let reference = |null| Value::Ref(if null { Reference::Null } else { Reference::NonNull });
        match value {
            Val::I32(value) => Value::I32(*value),
            Val::I64(value) => Value::I64(*value),
            Val::F32(bits) => Value::F32(*bits),
            Val::F64(bits) => Value::F64(*bits),
            Val::V128(vector) => Value::V128(vector.as_u128()),
            Val::FuncRef(reference_) => reference(reference_.is_none()),
            Val::ExternRef(reference_) => reference(reference_.is_none()),
            Val::AnyRef(reference_) => reference(reference_.is_none()),
            Val::ExnRef(reference_) => reference(reference_.is_none()),
            Val::ContRef(reference_) => reference(reference_.is_none()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::I32(value) => write!(f, "i32 {value}"),
            Value::I64(value) => write!(f, "i64 {value}"),
            Value::F32(bits) => write!(f, "f32 {}", f32_text(*bits)),
            Value::F64(bits) => write!(f, "f64 {}", f64_text(*bits)),
            Value::V128(bits) => write!(f, "v128 0x{bits:032x}"),
            Value::Ref(Reference::Null) => f.write_str("null"),
            Value::Ref(Reference::NonNull) => f.write_str("a reference"),
        }
    }
}

fn narrow(value: i128) -> Option<i32> {
    let signed = i32::try_from(value).ok();
    signed.or_else(|| u32::try_from(value).ok().map(|value| value as i32))
}

fn wide(value: i128) -> Option<i64> {
    let signed = i64::try_from(value).ok();
    signed.or_else(|| u64::try_from(value).ok().map(|value| value as i64))
}

fn parse_integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    // A second sign would get through the parsers above.
    (magnitude >= 0 && digits.starts_with(|c: char| c.is_ascii_digit())).then_some(())?;
    Some(if negative { -magnitude } else { magnitude })
}

/// An integer of so many bytes, with a sign or without, as it is in memory.
pub(crate) fn integer_bytes(text: &str, count: usize) -> Option<Vec<u8>> {
    let unsigned = || Some(u128::from_str_radix(text.strip_prefix("0x")?, 16).ok()? as i128);
    let value = match count {
        1 | 2 | 4 | 8 => {
            let bits = 8 * count;
            parse_integer(text).filter(|value| (-(1 << (bits - 1))..1 << bits).contains(value))?
        }
        16 => parse_integer(text).or_else(unsigned)?,
        _ => return None,
    };
    Some(value.to_le_bytes()[..count].to_vec())
}

/// A float of so many bytes that is written with digits, as it is in memory.
pub(crate) fn float_bytes(text: &str, count: usize) -> Option<Vec<u8>> {
    has_digits(text).then_some(())?;
    match count {
        4 => Some(parse_f32(text)?.to_le_bytes().to_vec()),
        8 => Some(parse_f64(text)?.to_le_bytes().to_vec()),
        _ => None,
    }
}

fn parse_hex(text: &str) -> Option<u128> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u128::from_str_radix(digits, 16).ok()
}

fn f32_text(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_nan() { format!("nan:0x{bits:08x}") } else { format!("{value:?}") }
}

fn f64_text(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_nan() { format!("nan:0x{bits:016x}") } else { format!("{value:?}") }
}

/// Whether a float is written as a number: if that is read as infinity, it was out of range.
fn has_digits(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

fn parse_f32(text: &str) -> Option<u32> {
    match text.strip_prefix("nan:") {
        Some(bits) => u32::try_from(parse_hex(bits)?).ok().filter(|&bits| f32::from_bits(bits).is_nan()),
        None => {
            text.parse().ok().filter(|&value: &f32| value.is_finite() || !has_digits(text)).map(f32::to_bits)
        }
    }
}

fn parse_f64(text: &str) -> Option<u64> {
    match text.strip_prefix("nan:") {
        Some(bits) => u64::try_from(parse_hex(bits)?).ok().filter(|&bits| f64::from_bits(bits).is_nan()),
        None => {
            text.parse().ok().filter(|&value: &f64| value.is_finite() || !has_digits(text)).map(f64::to_bits)
        }
    }
}

/// An integer in JSON.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected an integer of at most 64 bits")]
enum IntegerJson {
    Signed(i64),
    Unsigned(u64),
}

impl From<IntegerJson> for i128 {
    fn from(integer: IntegerJson) -> i128 {
        match integer {
            IntegerJson::Signed(value) => value.into(),
            IntegerJson::Unsigned(value) => value.into(),
        }
    }
}

fn read_i32<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
    if !deserializer.is_human_readable() {
        return i32::deserialize(deserializer);
    }
    let value = IntegerJson::deserialize(deserializer)?.into();
    narrow(value).ok_or_else(|| serde::de::Error::custom(format!("{value} does not fit an i32")))
}

fn read_i64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    if !deserializer.is_human_readable() {
        return i64::deserialize(deserializer);
    }
    let value = IntegerJson::deserialize(deserializer)?.into();
    wide(value).ok_or_else(|| serde::de::Error::custom(format!("{value} does not fit an i64")))
}

/// A float in JSON: a number, or a string for what JSON has no number for.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, \"inf\", \"-inf\" or \"nan:0x…\" with the bits")]
enum FloatJson {
    Number(f64),
    Text(String),
}

fn bad_float<E: serde::de::Error>(text: &str) -> E {
    E::custom(format!(
        "\"{text}\" is no float: write a number, \"inf\", \"-inf\" or \"nan:0x…\" with the bits"
    ))
}

mod f32_json {
    use super::*;

    pub(super) fn serialize<S: Serializer>(bits: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return bits.serialize(serializer);
        }
        let value = f32::from_bits(*bits);
        match value.is_finite() {
            true => serializer.serialize_f32(value),
            false => serializer.serialize_str(&f32_text(*bits)),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        if !deserializer.is_human_readable() {
            return u32::deserialize(deserializer);
        }
        match FloatJson::deserialize(deserializer)? {
            FloatJson::Number(value) if (value as f32).is_infinite() => {
                Err(serde::de::Error::custom(format!("{value:e} does not fit an f32")))
            }
            FloatJson::Number(value) => Ok((value as f32).to_bits()),
            FloatJson::Text(text) => parse_f32(&text).ok_or_else(|| bad_float(&text)),
        }
    }
}

mod f64_json {
    use super::*;

    pub(super) fn serialize<S: Serializer>(bits: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return bits.serialize(serializer);
        }
        let value = f64::from_bits(*bits);
        match value.is_finite() {
            true => serializer.serialize_f64(value),
            false => serializer.serialize_str(&f64_text(*bits)),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        if !deserializer.is_human_readable() {
            return u64::deserialize(deserializer);
        }
        match FloatJson::deserialize(deserializer)? {
            FloatJson::Number(value) => Ok(value.to_bits()),
            FloatJson::Text(text) => parse_f64(&text).ok_or_else(|| bad_float(&text)),
        }
    }
}

mod v128_json {
    use super::*;

    pub(super) fn serialize<S: Serializer>(bits: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("0x{bits:032x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_hex(&text).ok_or_else(|| serde::de::Error::custom(format!("\"{text}\" is not 32 hex digits")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(value: Value) {
        let json = serde_json::to_string(&value).expect("a value is JSON");
        assert_eq!(serde_json::from_str::<Value>(&json).expect("JSON is a value"), value, "{json}");
    }

    #[test]
    fn json_is_exact_to_the_bit() {
        for bits in [0, 1 << 63, 0x7ff0_0000_0000_0000, 0xfff0_0000_0000_0000, 0x7ff8_0000_0000_0000] {
            round_trip(Value::F64(bits));
        }
        round_trip(Value::F64(0xfff4_dead_beef_0001));
        round_trip(Value::V128(0x0123_4567_89ab_cdef_0011_2233_4455_6677));
        round_trip(Value::I64(i64::MIN));
        // A walk over bit patterns with an odd stride meets every exponent.
        let (mut narrow, mut wide) = (0u32, 0u64);
        for _ in 0..200_000 {
            narrow = narrow.wrapping_add(0x0001_0dcd);
            wide = wide.wrapping_add(0x0000_9e37_79b9_7f4a_7c15 >> 3);
            round_trip(Value::F32(narrow));
            round_trip(Value::F64(wide));
        }
    }

    #[test]
    fn people_write_integers_in_many_ways() {
        for (text, value) in
            [("5", 5), ("-5", -5), ("0xffffffff", -1), ("4294967295", -1), ("-0x80000000", i32::MIN)]
        {
            assert_eq!(Value::parse(text, ValType::I32), Some(Value::I32(value)), "{text}");
        }
        for text in ["", "x", "4294967296", "-2147483649", "--5", "-+5", "+-5", "1.5", "0x"] {
            assert_eq!(Value::parse(text, ValType::I32), None, "{text}");
        }
    }

    #[test]
    fn people_write_floats_in_many_ways() {
        assert_eq!(Value::parse("nan:0x7fc00001", ValType::F32), Some(Value::F32(0x7fc0_0001)));
        assert_eq!(Value::parse("nan:0x1", ValType::F32), None);
        assert_eq!(Value::parse("-inf", ValType::F64), Some(Value::F64(f64::NEG_INFINITY.to_bits())));
        assert_eq!(Value::parse("1e3", ValType::F64), Some(Value::F64(1000f64.to_bits())));
        assert_eq!(
            serde_json::from_str::<Value>(r#"{"f64": 2}"#).expect("an integer"),
            Value::F64(2f64.to_bits())
        );
    }

    #[test]
    fn refused_texts_are_explained() {
        for (text, ty, explanation) in [
            ("4294967296", ValType::I32, "`4294967296` does not fit an i32 (-2147483648 to 4294967295)"),
            ("1.5", ValType::I64, "`1.5` is no i64; write an integer like -5 or 0xff"),
            ("1e39", ValType::F32, "`1e39` does not fit an f32; write inf for infinity"),
        ] {
            assert_eq!(Value::parse(text, ty), None, "{text}");
            assert_eq!(Value::why_not(text, ty), explanation);
        }
    }

    #[test]
    fn bad_values_are_explained() {
        for (json, part) in [
            (r#"{"i32": 4294967296}"#, "does not fit an i32"),
            (r#"{"f32": 1e300}"#, "1e300 does not fit an f32"),
            (r#"{"f32": -1e39}"#, "-1e39 does not fit an f32"),
            (r#"{"f32": "1e39"}"#, "is no float"),
            (r#"{"f64": "many"}"#, "is no float"),
            (r#"{"i31": 5}"#, "expected one of"),
        ] {
            let error = serde_json::from_str::<Value>(json).expect_err(json).to_string();
            assert!(error.contains(part), "{json}: {error}");
        }
    }
}
