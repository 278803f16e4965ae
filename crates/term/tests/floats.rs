//! Floats against Rust's own, written down again per operator, on corner cases and random bits; and conversions
//! against definitions with wide integers.

mod support;

use coax_term::{Algebra, Binary, Bits, Concrete, Terms, Unary, fold};
use support::Random;

const NAN32: u64 = 0x7fc0_0000;
const NAN64: u64 = 0x7ff8_0000_0000_0000;

fn out32(value: f32) -> u64 {
    if value.is_nan() { NAN32 } else { value.to_bits().into() }
}

fn out64(value: f64) -> u64 {
    if value.is_nan() { NAN64 } else { value.to_bits() }
}

fn samples(width: u8, random: &mut Random) -> Vec<u64> {
    let floats = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.5,
        3.5,
        0.1,
        1e-40,
        5e-324,
        1e10,
        3e38,
        1e308,
        8388607.5,
        4503599627370495.5,
        2147483647.0,
        2147483648.0,
        4294967295.0,
        4294967296.0,
        9223372036854775807.0,
        18446744073709551615.0,
        16777217.0,
        0.49999997,
        f64::INFINITY,
    ];
    let bits = |float: f64| if width == 32 { (float as f32).to_bits().into() } else { float.to_bits() };
    let mut all: Vec<u64> = floats.iter().flat_map(|&float| [bits(float), bits(-float)]).collect();
    // Quiet and signalling NaNs, of both signs, with payloads; the smallest and greatest subnormal.
    let (exponent, top, sign) =
        if width == 32 { (0xff << 23, 1 << 22, 1 << 31) } else { (0x7ff << 52, 1 << 51, 1 << 63) };
    all.extend([
        exponent | top,
        exponent | 1,
        exponent | top | 5,
        sign | exponent | top,
        sign | exponent | 1,
        1,
        2 * top - 1,
    ]);
    all.extend((0..40).map(|_| random.next() & (u64::MAX >> (64 - width))));
    all.extend((0..20).map(|_| bits(random.next() as i64 as f64 / 1024.0)));
    all
}

fn minimum(width: u8, a: u64, b: u64, smaller: bool) -> u64 {
    let float = |x: u64| if width == 32 { f32::from_bits(x as u32) as f64 } else { f64::from_bits(x) };
    let (x, y) = (float(a), float(b));
    if x.is_nan() || y.is_nan() {
        return if width == 32 { NAN32 } else { NAN64 };
    }
    // Total order on what is left tells zeros apart.
    if (x.total_cmp(&y).is_lt()) == smaller { a } else { b }
}

fn expected_binary(op: Binary, width: u8, a: u64, b: u64) -> u64 {
    let (s, t) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    match (op, width) {
        (Binary::FAdd, 32) => out32(s + t),
        (Binary::FSub, 32) => out32(s - t),
        (Binary::FMul, 32) => out32(s * t),
        (Binary::FDiv, 32) => out32(s / t),
        (Binary::FAdd, _) => out64(x + y),
        (Binary::FSub, _) => out64(x - y),
        (Binary::FMul, _) => out64(x * y),
        (Binary::FDiv, _) => out64(x / y),
        (Binary::FMin, _) => minimum(width, a, b, true),
        (Binary::FMax, _) => minimum(width, a, b, false),
        (Binary::FEq, 32) => (s == t).into(),
        (Binary::FLt, 32) => (s < t).into(),
        (Binary::FLe, 32) => (s <= t).into(),
        (Binary::FEq, _) => (x == y).into(),
        (Binary::FLt, _) => (x < y).into(),
        (Binary::FLe, _) => (x <= y).into(),
        _ => unreachable!(),
    }
}

/// The integer part of a float of at most 64 bits, out of range as far as 128 bits allow; none for NaN.
fn integer_part(width: u8, bits: u64) -> Option<i128> {
    let (fraction_bits, bias) = if width == 32 { (23, 127) } else { (52, 1023) };
    let sign = if bits >> (width - 1) == 1 { -1 } else { 1 };
    let exponent = (bits >> fraction_bits) as i32 & (2 * bias + 1);
    let fraction = i128::from(bits & ((1 << fraction_bits) - 1));
    if exponent == 2 * bias + 1 {
        return (fraction == 0).then_some(sign * (1 << 100));
    }
    let significand = if exponent == 0 { 0 } else { fraction | 1 << fraction_bits };
    let shift = exponent - bias - fraction_bits;
    Some(
        sign * if shift > 60 {
            1 << 100
        } else if shift >= 0 {
            significand << shift
        } else {
            significand >> (-shift).min(100)
        },
    )
}

/// The nearest float of an integer, ties to even, as bits: by comparison with its neighbours.
fn nearest(value: i128, to: u8) -> u64 {
    let (fraction_bits, bias) = if to == 32 { (23u32, 127u64) } else { (52, 1023) };
    let sign = u64::from(value < 0) << (to - 1);
    let magnitude = value.unsigned_abs();
    if magnitude == 0 {
        return 0;
    }
    let exponent = 127 - magnitude.leading_zeros();
    let cut = exponent.saturating_sub(fraction_bits);
    let mut significand = magnitude >> cut;
    let rest = magnitude - (significand << cut);
    let half = if cut == 0 { 1 } else { 1u128 << (cut - 1) };
    if rest > half || (rest == half && cut > 0 && significand & 1 == 1) {
        significand += 1;
    }
    let significand = (significand << fraction_bits.saturating_sub(exponent)) as u64;
    // A carry out of the significand goes into the exponent, as it should.
    sign | (((u64::from(exponent) + bias) << fraction_bits) + (significand - (1 << fraction_bits)))
}

fn expected_unary(op: Unary, width: u8, a: u64) -> u64 {
    use Unary::*;
    let (s, x) = (f32::from_bits(a as u32), f64::from_bits(a));
    let clamp = |low: i128, high: i128| integer_part(width, a).unwrap_or(0).clamp(low, high);
    let signed = if width == 32 { i128::from(a as u32 as i32) } else { i128::from(a as i64) };
    match (op, width) {
        (FSqrt, 32) => out32(s.sqrt()),
        (FCeil, 32) => out32(s.ceil()),
        (FFloor, 32) => out32(s.floor()),
        (FTrunc, 32) => out32(s.trunc()),
        (FNearest, 32) => out32(s.round_ties_even()),
        (FSqrt, _) => out64(x.sqrt()),
        (FCeil, _) => out64(x.ceil()),
        (FFloor, _) => out64(x.floor()),
        (FTrunc, _) => out64(x.trunc()),
        (FNearest, _) => out64(x.round_ties_even()),
        (FPromote, _) => out64(s.into()),
        (FDemote, _) => out32(x as f32),
        (SignedToF32, _) => nearest(signed, 32),
        (SignedToF64, _) => nearest(signed, 64),
        (UnsignedToF32, _) => nearest(a.into(), 32),
        (UnsignedToF64, _) => nearest(a.into(), 64),
        (FToSigned32, _) => clamp(i32::MIN.into(), i32::MAX.into()) as u32 as u64,
        (FToSigned64, _) => clamp(i64::MIN.into(), i64::MAX.into()) as u64,
        (FToUnsigned32, _) => clamp(0, u32::MAX.into()) as u64,
        (FToUnsigned64, _) => clamp(0, u64::MAX.into()) as u64,
        _ => unreachable!(),
    }
}

#[test]
fn every_float_operator() {
    let mut random = Random(6);
    for width in [32, 64] {
        let samples = samples(width, &mut random);
        for op in Binary::all().filter(|&op| op >= Binary::FAdd) {
            for &a in &samples {
                for &b in &samples {
                    let expected = expected_binary(op, width, a, b);
                    assert_eq!(
                        fold::binary(op, width, a, b),
                        expected,
                        "{op:?} of {width} bits: {a:#x} {b:#x}"
                    );
                }
            }
        }
        for op in Unary::all().filter(|&op| op >= Unary::FSqrt && op.accepts(width)) {
            for &a in &samples {
                let expected = expected_unary(op, width, a);
                assert_eq!(fold::unary(op, width, a), expected, "{op:?} of {width} bits: {a:#x}");
                let concrete = Concrete.unary(op, Bits { width, bits: a });
                assert_eq!(concrete, Bits { width: op.result_width(width), bits: expected });
                let terms = &mut Terms::new();
                let constant = terms.constant(width, a);
                let folded = terms.unary(op, constant);
                assert_eq!(terms.as_constant(folded), Some(expected));
            }
        }
    }
}

#[test]
fn known_values() {
    let bits = |x: f64| x.to_bits();
    assert_eq!(fold::binary(Binary::FMin, 64, bits(0.0), bits(-0.0)), bits(-0.0));
    assert_eq!(fold::binary(Binary::FMax, 64, bits(-0.0), bits(0.0)), bits(0.0));
    assert_eq!(fold::binary(Binary::FDiv, 64, bits(0.0), bits(0.0)), NAN64);
    assert_eq!(fold::unary(Unary::FNearest, 64, bits(2.5)), bits(2.0));
    assert_eq!(fold::unary(Unary::FToSigned32, 64, bits(-1e10)), 0x8000_0000);
    assert_eq!(fold::unary(Unary::FToUnsigned32, 64, bits(-1.0)), 0);
    assert_eq!(fold::unary(Unary::FToUnsigned64, 32, 0x7f80_0001), 0);
    assert_eq!(fold::unary(Unary::FPromote, 32, 0xff80_0001), NAN64);
}
