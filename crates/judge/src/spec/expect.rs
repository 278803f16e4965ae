//! The values of a script: arguments, and what results are expected.

use crate::machine::Value;
use wast::core::{HeapType, NanPattern, V128Const, V128Pattern, WastArgCore, WastRetCore};
use wast::token::{F32, F64};
use wast::{WastArg, WastRet};

/// An argument as a value; `None` if it is of a kind that coax does not support.
pub(super) fn argument(arg: &WastArg<'_>) -> Option<Value> {
    let WastArg::Core(arg) = arg else { return None };
    Some(match arg {
        WastArgCore::I32(value) => Value::I32(*value as u32),
        WastArgCore::I64(value) => Value::I64(*value as u64),
        WastArgCore::F32(value) => Value::F32(value.bits),
        WastArgCore::F64(value) => Value::F64(value.bits),
        WastArgCore::V128(value) => Value::V128(bits(value)),
        WastArgCore::RefNull(_) => Value::Null,
        WastArgCore::RefExtern(number) => Value::Extern(*number),
        WastArgCore::RefHost(_) => return None,
    })
}

fn bits(value: &V128Const) -> u128 {
    u128::from_le_bytes(value.to_le_bytes())
}

/// Whether a result is one of those that the script allows.
pub(super) fn matches(expected: &WastRet<'_>, actual: Value) -> bool {
    match expected {
        WastRet::Core(expected) => matches_core(expected, actual),
        _ => false,
    }
}

fn matches_core(expected: &WastRetCore<'_>, actual: Value) -> bool {
    match (expected, actual) {
        (WastRetCore::I32(expected), Value::I32(actual)) => *expected as u32 == actual,
        (WastRetCore::I64(expected), Value::I64(actual)) => *expected as u64 == actual,
        (WastRetCore::F32(expected), Value::F32(actual)) => matches_f32(expected, actual),
        (WastRetCore::F64(expected), Value::F64(actual)) => matches_f64(expected, actual),
        (WastRetCore::V128(expected), Value::V128(actual)) => matches_v128(expected, actual),
        (WastRetCore::RefNull(expected), Value::Null) => expected.as_ref().is_none_or(is_ours),
        (WastRetCore::RefExtern(expected), Value::Extern(actual)) => {
            expected.is_none_or(|expected| expected == actual)
        }
        (WastRetCore::RefFunc(_), Value::Func) => true,
        (WastRetCore::Either(allowed), actual) => allowed.iter().any(|one| matches_core(one, actual)),
        _ => false,
    }
}

/// Whether null references of this type exist without garbage collection.
fn is_ours(ty: &HeapType<'_>) -> bool {
    matches!(ty, HeapType::Abstract { .. })
}

fn matches_f32(expected: &NanPattern<F32>, actual: u32) -> bool {
    const CANONICAL: u32 = 0x7fc0_0000;
    match expected {
        NanPattern::CanonicalNan => actual & 0x7fff_ffff == CANONICAL,
        NanPattern::ArithmeticNan => actual & CANONICAL == CANONICAL,
        NanPattern::Value(expected) => expected.bits == actual,
    }
}

fn matches_f64(expected: &NanPattern<F64>, actual: u64) -> bool {
    const CANONICAL: u64 = 0x7ff8_0000_0000_0000;
    match expected {
        NanPattern::CanonicalNan => actual & 0x7fff_ffff_ffff_ffff == CANONICAL,
        NanPattern::ArithmeticNan => actual & CANONICAL == CANONICAL,
        NanPattern::Value(expected) => expected.bits == actual,
    }
}

fn matches_v128(expected: &V128Pattern, actual: u128) -> bool {
    let lane = |index: usize, bits: usize| (actual >> (index * bits)) as u64 & (u64::MAX >> (64 - bits));
    match expected {
        V128Pattern::I8x16(lanes) => (0..16).all(|i| u64::from(lanes[i] as u8) == lane(i, 8)),
        V128Pattern::I16x8(lanes) => (0..8).all(|i| u64::from(lanes[i] as u16) == lane(i, 16)),
        V128Pattern::I32x4(lanes) => (0..4).all(|i| u64::from(lanes[i] as u32) == lane(i, 32)),
        V128Pattern::I64x2(lanes) => (0..2).all(|i| lanes[i] as u64 == lane(i, 64)),
        V128Pattern::F32x4(lanes) => (0..4).all(|i| matches_f32(&lanes[i], lane(i, 32) as u32)),
        V128Pattern::F64x2(lanes) => (0..2).all(|i| matches_f64(&lanes[i], lane(i, 64))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_patterns() {
        let (canonical, arithmetic) = (NanPattern::CanonicalNan, NanPattern::ArithmeticNan);
        assert!(matches_f32(&canonical, 0x7fc0_0000) && matches_f32(&canonical, 0xffc0_0000));
        assert!(!matches_f32(&canonical, 0x7fc0_0001) && matches_f32(&arithmetic, 0x7fc0_0001));
        // A signalling NaN and an infinity are neither.
        assert!(!matches_f32(&arithmetic, 0x7fa0_0000) && !matches_f32(&arithmetic, 0x7f80_0000));
        assert!(!matches_f64(&NanPattern::CanonicalNan, 0x7ff8_0000_0000_0001));
        assert!(matches_f64(&NanPattern::ArithmeticNan, 0xfff8_0000_0000_0001));
    }

    #[test]
    fn lanes_count_from_the_low_bits() {
        let value = 0x0004_0003_0002_0001_u128 | (0xffff_u128 << 112);
        assert!(matches_v128(&V128Pattern::I16x8([1, 2, 3, 4, 0, 0, 0, -1]), value));
        assert!(!matches_v128(&V128Pattern::I16x8([4, 3, 2, 1, 0, 0, 0, -1]), value));
    }
}
