//! Random steps of one field. Steps have many scales, since nobody knows the right one: a normal distribution of several widths,
//! a part of the number, the next floats, single bits, constants of the conditions, numbers with few digits.

use super::field::{Field, Kind};
use crate::random::Random;
use coax_term::{fold, mask};

/// Another value for a field.
pub(super) fn step(field: &Field, bits: u64, constants: &[u64], random: &mut Random) -> u64 {
    match field.kind {
        Kind::Float => step_float(field, bits, constants, random),
        Kind::Signed | Kind::Unsigned => step_integer(field, bits, constants, random),
    }
}

fn step_float(field: &Field, bits: u64, constants: &[u64], random: &mut Random) -> u64 {
    let x = field.number(bits);
    let x = if x.is_finite() { x } else { 0.0 };
    let moved = match random.below(10) {
        0..3 => x + random.normal() * decade(random, -3.0, 3.0),
        3 => x + random.normal() * x.abs().max(f64::MIN_POSITIVE) * decade(random, -12.0, 0.0),
        4 => return nearby_float(field.width, bits, 12, random),
        5 => return field.bits(rounded(x, random.below(5) as i32)),
        6 => return constant_float(field, constants, random),
        7 => return bits ^ 1 << random.below(field.width.into()),
        8 => match random.below(5) {
            0 => -x,
            1 => 2.0 * x,
            2 => x / 2.0,
            3 => 1.0 / x,
            _ => random.normal(),
        },
        _ => random.normal().signum() * decade(random, -9.0, 9.0),
    };
    field.bits(moved)
}

fn step_integer(field: &Field, bits: u64, constants: &[u64], random: &mut Random) -> u64 {
    let width = usize::from(field.width);
    let sign = if random.one_in(2) { u64::MAX } else { 1 };
    let moved = match random.below(10) {
        0 | 1 => bits.wrapping_add((1u64 << random.below(width)).wrapping_mul(sign)),
        2 | 3 => bits.wrapping_add((1 + random.below(16) as u64).wrapping_mul(sign)),
        4 => {
            let scale = decade(random, 0.0, f64::from(field.width) * std::f64::consts::LOG10_2 - 1.0);
            bits.wrapping_add((random.normal() * scale) as i64 as u64)
        }
        5 => match random.pick(constants) {
            Some(constant) => constant.wrapping_add(random.below(3) as u64).wrapping_sub(1),
            None => random.next(),
        },
        6 => bits ^ 1 << random.below(width),
        7 => random.next() >> random.below(64),
        8 => match random.below(4) {
            0 => bits.wrapping_neg(),
            1 => !bits,
            2 => bits << 1,
            _ => bits >> 1,
        },
        _ => {
            let shift = random.below(width.div_ceil(8)) * 8;
            bits & !(0xff << shift) | (random.next() & 0xff) << shift
        }
    };
    moved & mask(field.width)
}

/// A float that few others are between: up to 2^`most` steps away.
pub(super) fn nearby_float(width: u8, bits: u64, most: usize, random: &mut Random) -> u64 {
    let steps = 1 + (random.next() >> (64 - most.max(1))) as i64;
    let steps = steps >> random.below(most + 1);
    let steps = if random.one_in(2) { -steps.max(1) } else { steps.max(1) };
    from_ordinal(width, ordinal(width, bits).wrapping_add(steps))
}

/// The position of a float among all floats by size.
pub(super) fn ordinal(width: u8, bits: u64) -> i64 {
    let magnitude = (bits & mask(width) >> 1) as i64;
    if fold::signed(width, bits) < 0 { -magnitude } else { magnitude }
}

/// The float at a position.
pub(super) fn from_ordinal(width: u8, ordinal: i64) -> u64 {
    let magnitude = ordinal.unsigned_abs() & mask(width) >> 1;
    if ordinal < 0 { magnitude | 1 << (width - 1) } else { magnitude }
}

/// Rounded to so many decimals.
pub(super) fn rounded(x: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    let rounded = (x * scale).round() / scale;
    if rounded.is_finite() { rounded } else { x }
}

/// A power of ten, the exponent anywhere between two.
fn decade(random: &mut Random, low: f64, high: f64) -> f64 {
    10f64.powf(low + (high - low) * random.unit())
}

/// A constant of the conditions, as a float or as an integer.
fn constant_float(field: &Field, constants: &[u64], random: &mut Random) -> u64 {
    let Some(constant) = random.pick(constants) else { return field.bits(random.normal()) };
    let as_float = field.number(constant & mask(field.width));
    let is_float = as_float.is_finite() && as_float.abs() > 1e-300;
    let number =
        if is_float { as_float } else { fold::signed(field.width, constant & mask(field.width)) as f64 };
    let number = match random.below(6) {
        0 => -number,
        1 => number + random.normal(),
        2 => number.abs().sqrt(),
        3 => number * (1.0 + 0.01 * random.normal()),
        _ => number,
    };
    field.bits(number)
}
