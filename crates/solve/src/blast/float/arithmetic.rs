//! Sum, product, quotient and square root.

use super::round::{Exact, round};
use super::{Parts, cases};
use crate::blast::divide::Divisions;
use crate::blast::gates::{Bit, Gates};
use crate::blast::word::{self, Word};

/// Bits below the last kept one: two to round by and one for all that is lost below.
const GUARD: usize = 3;

pub(super) fn add(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    // The one of greater magnitude first.
    let magnitude = a.len() - 1;
    let swap = gates.less(&a[..magnitude], &b[..magnitude], false);
    let (large, small) = (gates.choose(swap, b, a), gates.choose(swap, a, b));
    let (x, y) = (Parts::of(gates, &large), Parts::of(gates, &small));
    let format = x.format;
    let width = format.precision() + GUARD + 1;
    let aligned = |significand: &[Bit]| {
        let mut word = word::constant(GUARD, 0);
        word.extend_from_slice(significand);
        word::resized(&word, width)
    };
    let distance = gates.subtract(&x.exponent, &y.exponent);
    let moved = gates.shift_right_sticky(&aligned(&y.significand), &distance);
    let differ = gates.xor(x.sign, y.sign);
    let flipped: Word = moved.iter().map(|&bit| gates.xor(bit, differ)).collect();
    let (sum, _) = gates.add_with_carry(&aligned(&x.significand), &flipped, differ);

    let mut exponent = word::resized(&x.exponent, format.exponent + 2);
    exponent = gates.increment_if(Bit::TRUE, &exponent);
    let is_zero = gates.is_zero(&sum);
    let exact = Exact { sign: x.sign, exponent, significand: sum, is_normalized: false };
    let rounded = round(gates, format, &exact);
    // Numbers that cancel out give 0, or -0 if both are negative zeros.
    let both_negative = gates.and(x.sign, y.sign);
    let opposite_infinities = gates.and(y.is_infinite, differ);
    let any_nan = gates.or(x.is_nan, y.is_nan);
    let is_nan = gates.or(any_nan, opposite_infinities);
    let all = [
        (is_zero, format.zero(both_negative)),
        (x.is_infinite, format.infinity(x.sign)),
        (is_nan, format.nan()),
    ];
    cases(gates, rounded, &all)
}

pub(super) fn multiply(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    let (x, y) = (Parts::of(gates, a), Parts::of(gates, b));
    let format = x.format;
    let sign = gates.xor(x.sign, y.sign);
    let product = gates.multiply(&x.significand, &y.significand, 2 * format.precision());
    // The highest bit of the product counts twice the product of the highest bits.
    let width = format.exponent + 2;
    let sum = gates.add(&word::resized(&x.exponent, width), &word::resized(&y.exponent, width));
    let exponent = gates.subtract(&sum, &word::constant(width, format.bias() - 1));
    let exact = Exact { sign, exponent, significand: product, is_normalized: false };
    let rounded = round(gates, format, &exact);

    let is_zero = gates.or(x.is_zero, y.is_zero);
    let is_infinite = gates.or(x.is_infinite, y.is_infinite);
    let undefined = gates.and(is_zero, is_infinite);
    let any_nan = gates.or(x.is_nan, y.is_nan);
    let is_nan = gates.or(any_nan, undefined);
    let all = [(is_zero, format.zero(sign)), (is_infinite, format.infinity(sign)), (is_nan, format.nan())];
    cases(gates, rounded, &all)
}

pub(super) fn divide(gates: &mut Gates, divisions: &mut Divisions, a: &[Bit], b: &[Bit]) -> Word {
    let (x, y) = (Parts::of(gates, a), Parts::of(gates, b));
    let format = x.format;
    let sign = gates.xor(x.sign, y.sign);
    let (exponent_x, dividend) = x.normalized(gates);
    let (exponent_y, divisor) = y.normalized(gates);
    // Both have their leading bits, so the quotient has one of its two highest bits.
    let extra = format.precision() + 2;
    let mut wide = word::constant(extra, 0);
    wide.extend_from_slice(&dividend);
    let (quotient, rest) = gates.divide(divisions, &wide, &word::resized(&divisor, wide.len()));
    let is_inexact = gates.any(rest.iter().copied());
    let mut significand = quotient[..=extra].to_vec();
    significand.insert(0, is_inexact);
    let width = exponent_x.len() + 1;
    let [exponent_x, exponent_y] = [exponent_x, exponent_y].map(|word| word::sign_extended(&word, width));
    let difference = gates.subtract(&exponent_x, &exponent_y);
    let exponent = gates.add(&difference, &word::constant(width, format.bias()));
    let exact = Exact { sign, exponent, significand, is_normalized: false };
    let rounded = round(gates, format, &exact);

    let both_zero = gates.and(x.is_zero, y.is_zero);
    let both_infinite = gates.and(x.is_infinite, y.is_infinite);
    let undefined = gates.or(both_zero, both_infinite);
    let any_nan = gates.or(x.is_nan, y.is_nan);
    let is_nan = gates.or(any_nan, undefined);
    let is_zero = gates.or(x.is_zero, y.is_infinite);
    let is_infinite = gates.or(x.is_infinite, y.is_zero);
    let all = [(is_zero, format.zero(sign)), (is_infinite, format.infinity(sign)), (is_nan, format.nan())];
    cases(gates, rounded, &all)
}

pub(super) fn square_root(gates: &mut Gates, a: &[Bit]) -> Word {
    let x = Parts::of(gates, a);
    let format = x.format;
    let (exponent, significand) = x.normalized(gates);
    // The distance from the bias must be even to be halved: else the significand is doubled. The bias is odd.
    let is_odd = !exponent[0];
    let precision = format.precision();
    // So many bits below that the root has the kept ones, one to round by, and another.
    let mut wide = word::constant(precision + 3, 0);
    wide.extend_from_slice(&significand);
    wide.push(Bit::FALSE);
    let mut double = vec![Bit::FALSE];
    double.extend_from_slice(&wide[..wide.len() - 1]);
    let radicand = gates.choose(is_odd, &double, &wide);
    // An even number of bits, of which the upper two hold the value from 1 to 4.
    let (root, rest) = gates.square_root(&radicand);
    let is_inexact = gates.any(rest.iter().copied());
    let mut significand = root;
    significand.insert(0, is_inexact);
    // (exponent - bias) / 2, rounded down, + bias = (exponent + bias) / 2, rounded down.
    let width = exponent.len();
    let sum = gates.add(&exponent, &word::constant(width, format.bias()));
    let exponent = word::sign_extended(&sum[1..], width);
    let exact = Exact { sign: Bit::FALSE, exponent, significand, is_normalized: true };
    let rounded = round(gates, format, &exact);

    let is_negative = gates.and(x.sign, !x.is_zero);
    let is_nan = gates.or(x.is_nan, is_negative);
    let all = [
        (x.is_zero, format.zero(x.sign)),
        (x.is_infinite, format.infinity(Bit::FALSE)),
        (is_nan, format.nan()),
    ];
    cases(gates, rounded, &all)
}
