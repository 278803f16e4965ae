//! Comparisons, minimum and maximum, on the packed form: without their signs, floats are ordered as their bits are.

use super::{Format, Parts, cases};
use crate::blast::gates::{Bit, Gates};
use crate::blast::word::Word;

fn neither_is_nan(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let (a, b) = (Parts::of(gates, a), Parts::of(gates, b));
    gates.and(!a.is_nan, !b.is_nan)
}

fn both_zero(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let (a, b) = (Parts::of(gates, a), Parts::of(gates, b));
    gates.and(a.is_zero, b.is_zero)
}

pub(super) fn equal(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let same = gates.same(a, b);
    let zeros = both_zero(gates, a, b);
    let equal = gates.or(same, zeros);
    let numbers = neither_is_nan(gates, a, b);
    gates.and(numbers, equal)
}

pub(super) fn less(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let (sign_a, magnitude_a) = (a[a.len() - 1], &a[..a.len() - 1]);
    let (sign_b, magnitude_b) = (b[b.len() - 1], &b[..b.len() - 1]);
    let below = gates.less(magnitude_a, magnitude_b, false);
    let above = gates.less(magnitude_b, magnitude_a, false);
    let same_sign = gates.ite(sign_a, above, below);
    let differ = gates.xor(sign_a, sign_b);
    let zeros = both_zero(gates, a, b);
    let by_sign = gates.and(sign_a, !zeros);
    let less = gates.ite(differ, by_sign, same_sign);
    let numbers = neither_is_nan(gates, a, b);
    gates.and(numbers, less)
}

pub(super) fn least(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    let equal = equal(gates, a, b);
    let less = less(gates, a, b);
    // Equal numbers have equal bits, save the zeros, whose bits differ in the sign.
    let either = gates.zip(a, b, Gates::or);
    let nan = !neither_is_nan(gates, a, b);
    let all = [(less, a.to_vec()), (equal, either), (nan, Format::of_width(a.len()).nan())];
    cases(gates, b.to_vec(), &all)
}

pub(super) fn greatest(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    let equal = equal(gates, a, b);
    let less = less(gates, a, b);
    let both = gates.zip(a, b, Gates::and);
    let nan = !neither_is_nan(gates, a, b);
    let all = [(less, b.to_vec()), (equal, both), (nan, Format::of_width(a.len()).nan())];
    cases(gates, a.to_vec(), &all)
}
