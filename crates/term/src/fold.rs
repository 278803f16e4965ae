//! The meaning of each operator, on plain numbers: the one place where it is written.
//!
//! A value of `width` bits is a `u64` whose upper bits are zero; that holds for every result if it holds for the operands.

mod float;

use crate::{Binary, Unary};

/// A number whose lowest `width` bits are one.
#[inline]
pub fn mask(width: u8) -> u64 {
    debug_assert!((1..=64).contains(&width));
    u64::MAX >> (64 - width)
}

/// The value as a signed number.
#[inline]
pub fn signed(width: u8, bits: u64) -> i64 {
    let unused = 64 - width;
    (bits << unused) as i64 >> unused
}

/// `op a`, where `a` has `width` bits.
#[inline]
pub fn unary(op: Unary, width: u8, a: u64) -> u64 {
    use Unary::*;
    match op {
        Not => !a & mask(width),
        Clz => u64::from(a.leading_zeros()) - (64 - u64::from(width)),
        Ctz => u64::from(a.trailing_zeros()).min(u64::from(width)),
        Popcnt => u64::from(a.count_ones()),
        _ => float::unary(op, width, a),
    }
}

/// `a op b`, where both have `width` bits.
#[inline]
pub fn binary(op: Binary, width: u8, a: u64, b: u64) -> u64 {
    use Binary::*;
    let mask = mask(width);
    let bits = u64::from(width);
    match op {
        Add => a.wrapping_add(b) & mask,
        Sub => a.wrapping_sub(b) & mask,
        Mul => a.wrapping_mul(b) & mask,
        UDiv => a.checked_div(b).unwrap_or(mask),
        URem => a.checked_rem(b).unwrap_or(a),
        SDiv if b == 0 => {
            if signed(width, a) < 0 {
                1
            } else {
                mask
            }
        }
        SDiv => signed(width, a).wrapping_div(signed(width, b)) as u64 & mask,
        SRem if b == 0 => a,
        SRem => signed(width, a).wrapping_rem(signed(width, b)) as u64 & mask,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl if b >= bits => 0,
        Shl => (a << b) & mask,
        LShr if b >= bits => 0,
        LShr => a >> b,
        AShr => (signed(width, a) >> b.min(bits - 1)) as u64 & mask,
        Rotl => rotate_left(width, a, b % bits),
        Rotr => rotate_left(width, a, bits - b % bits),
        Eq => u64::from(a == b),
        Ult => u64::from(a < b),
        Ule => u64::from(a <= b),
        Slt => u64::from(signed(width, a) < signed(width, b)),
        Sle => u64::from(signed(width, a) <= signed(width, b)),
        FAdd | FSub | FMul | FDiv | FMin | FMax | FEq | FLt | FLe => float::binary(op, width, a, b),
    }
}

/// `width` bits of `a` from bit `low` on.
#[inline]
pub fn extract(a: u64, low: u8, width: u8) -> u64 {
    (a >> low) & mask(width)
}

/// Widened with copies of the sign bit.
#[inline]
pub fn sign_extend(from: u8, a: u64, to: u8) -> u64 {
    signed(from, a) as u64 & mask(to)
}

/// Both, `high` above the `low_width` bits of `low`.
#[inline]
pub fn concat(high: u64, low: u64, low_width: u8) -> u64 {
    high << low_width | low
}

#[inline]
fn rotate_left(width: u8, a: u64, count: u64) -> u64 {
    let bits = u64::from(width);
    if count == 0 || count == bits { a } else { (a << count | a >> (bits - count)) & mask(width) }
}
