//! Floats: IEEE 754 with round-to-nearest-even, on the bits of 32- and 64-bit numbers.
//!
//! Rust's own arithmetic is IEEE's; what Rust leaves open, the bits of a NaN and the order of zeros in a minimum, is
//! settled here: every NaN that is computed is the canonical one, and -0 is less than 0.

use crate::{Binary, Unary};

const NAN32: u64 = 0x7fc0_0000;
const NAN64: u64 = 0x7ff8_0000_0000_0000;

#[inline]
fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline]
fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[inline]
fn bits32(value: f32) -> u64 {
    if value.is_nan() { NAN32 } else { u64::from(value.to_bits()) }
}

#[inline]
fn bits64(value: f64) -> u64 {
    if value.is_nan() { NAN64 } else { value.to_bits() }
}

/// A float of either width as a 64-bit one, which is exact.
#[inline]
fn widen(width: u8, a: u64) -> f64 {
    if width == 32 { f64::from(f32_of(a)) } else { f64_of(a) }
}

#[inline]
pub(super) fn unary(op: Unary, width: u8, a: u64) -> u64 {
    use Unary::*;
    debug_assert!(width == 32 || width == 64, "{op:?} of {width} bits");
    match op {
        FSqrt | FCeil | FFloor | FTrunc | FNearest if width == 32 => bits32(rounded32(op, f32_of(a))),
        FSqrt | FCeil | FFloor | FTrunc | FNearest => bits64(rounded64(op, f64_of(a))),
        FPromote => bits64(f64::from(f32_of(a))),
        FDemote => bits32(f64_of(a) as f32),
        SignedToF32 => bits32(super::signed(width, a) as f32),
        SignedToF64 => bits64(super::signed(width, a) as f64),
        UnsignedToF32 => bits32(a as f32),
        UnsignedToF64 => bits64(a as f64),
        FToSigned32 => u64::from(widen(width, a) as i32 as u32),
        FToSigned64 => widen(width, a) as i64 as u64,
        FToUnsigned32 => u64::from(widen(width, a) as u32),
        FToUnsigned64 => widen(width, a) as u64,
        Not | Clz | Ctz | Popcnt => unreachable!("{op:?} is no float operator"),
    }
}

#[inline]
fn rounded32(op: Unary, a: f32) -> f32 {
    match op {
        Unary::FSqrt => a.sqrt(),
        Unary::FCeil => a.ceil(),
        Unary::FFloor => a.floor(),
        Unary::FTrunc => a.trunc(),
        _ => a.round_ties_even(),
    }
}

#[inline]
fn rounded64(op: Unary, a: f64) -> f64 {
    match op {
        Unary::FSqrt => a.sqrt(),
        Unary::FCeil => a.ceil(),
        Unary::FFloor => a.floor(),
        Unary::FTrunc => a.trunc(),
        _ => a.round_ties_even(),
    }
}

#[inline]
pub(super) fn binary(op: Binary, width: u8, a: u64, b: u64) -> u64 {
    use Binary::*;
    debug_assert!(width == 32 || width == 64, "{op:?} of {width} bits");
    let (x, y) = (widen(width, a), widen(width, b));
    match op {
        FEq => u64::from(x == y),
        FLt => u64::from(x < y),
        FLe => u64::from(x <= y),
        FMin | FMax if x.is_nan() || y.is_nan() => {
            if width == 32 {
                NAN32
            } else {
                NAN64
            }
        }
        // Equal numbers have equal bits, save the zeros, whose bits differ in the sign.
        FMin if x == y => a | b,
        FMax if x == y => a & b,
        FMin => {
            if x < y {
                a
            } else {
                b
            }
        }
        FMax => {
            if x > y {
                a
            } else {
                b
            }
        }
        _ if width == 32 => bits32(arithmetic32(op, f32_of(a), f32_of(b))),
        _ => bits64(arithmetic64(op, x, y)),
    }
}

#[inline]
fn arithmetic32(op: Binary, a: f32, b: f32) -> f32 {
    match op {
        Binary::FAdd => a + b,
        Binary::FSub => a - b,
        Binary::FMul => a * b,
        Binary::FDiv => a / b,
        _ => unreachable!("{op:?} is no float operator"),
    }
}

#[inline]
fn arithmetic64(op: Binary, a: f64, b: f64) -> f64 {
    match op {
        Binary::FAdd => a + b,
        Binary::FSub => a - b,
        Binary::FMul => a * b,
        Binary::FDiv => a / b,
        _ => unreachable!("{op:?} is no float operator"),
    }
}
