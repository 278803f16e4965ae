//! Numbers of inputs and results, as other languages write them.

use coax_execute::{Number, Value};

/// The number's value in decimal: unsigned kinds without a sign, floats so that reading them gives the same bits (but for the payload of NaN).
pub(super) fn decimal(number: Number) -> String {
    match number {
        Number::Bool(value) => u8::from(value).to_string(),
        Number::I8(value) => value.to_string(),
        Number::U8(value) => value.to_string(),
        Number::I16(value) => value.to_string(),
        Number::U16(value) => value.to_string(),
        Number::U32(value) => value.to_string(),
        Number::U64(value) => value.to_string(),
        Number::Value(Value::I32(value)) => value.to_string(),
        Number::Value(Value::I64(value)) => value.to_string(),
        Number::Value(Value::F32(bits)) => float(f32::from_bits(bits), f32::from_bits(bits).is_nan()),
        Number::Value(Value::F64(bits)) => float(f64::from_bits(bits), f64::from_bits(bits).is_nan()),
        Number::Value(other) => other.to_string(),
    }
}

fn float(value: impl std::fmt::Debug, is_nan: bool) -> String {
    // Debug has the shortest digits that are exact, and an exponent where there would be many zeros.
    if is_nan { "nan".into() } else { format!("{value:?}") }
}

/// The bytes of a number in memory, as wasm has them.
pub(super) fn bytes(number: Number) -> Vec<u8> {
    let count = number.kind().bytes().unwrap_or(0) as usize;
    match number {
        Number::Value(Value::V128(bits)) => bits.to_le_bytes().to_vec(),
        _ => number.bits().to_le_bytes()[..count.min(8)].to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        assert_eq!(decimal(Number::U8(200)), "200");
        assert_eq!(decimal(Number::I8(-56)), "-56");
        assert_eq!(decimal(Number::Bool(true)), "1");
        assert_eq!(decimal(Number::U64(u64::MAX)), "18446744073709551615");
        assert_eq!(decimal(Number::Value(Value::F64(0.1f64.to_bits()))), "0.1");
        assert_eq!(decimal(Number::Value(Value::F32(f32::NEG_INFINITY.to_bits()))), "-inf");
        assert_eq!(decimal(Number::Value(Value::F64(f64::NAN.to_bits() | 7))), "nan");
        assert_eq!(bytes(Number::I16(-2)), [0xfe, 0xff]);
    }
}
