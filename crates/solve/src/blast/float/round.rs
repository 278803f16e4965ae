//! The nearest float of an exact number: the one place that rounds.

use super::Format;
use crate::blast::gates::{Bit, Gates};
use crate::blast::word::{self, Word};

/// A number that is not zero: `significand * 2^(exponent - bias - (bits of the significand - 1))`, so the exponent is that of the highest
/// bit as a float stores it.
pub(super) struct Exact {
    pub(super) sign: Bit,
    /// Signed.
    pub(super) exponent: Word,
    /// The lowest bit may stand for all below that were lost, if it is at least two below the last that is kept.
    pub(super) significand: Word,
    /// Whether the highest bit may be zero.
    pub(super) is_normalized: bool,
}

/// The nearest float, ties to even.
///
/// First the exponent is made at least 1 and the significand's highest bit one, if both is possible. Then exponent and significand
/// side by side are the float: rounding up is adding one to both at once, and a carry makes the exponent greater.
pub(super) fn round(gates: &mut Gates, format: Format, exact: &Exact) -> Word {
    let width = exact.exponent.len() + 1;
    let wide = word::sign_extended(&exact.exponent, width);
    let one = word::constant(width, 1);
    // By how much the exponent is too small.
    let missing = gates.subtract(&one, &wide);
    let is_small = gates.is_positive(&missing);
    let mut exponent = wide.clone();
    let mut significand = exact.significand.clone();
    // The kept bits, one to round by, one for all others: no fewer.
    while significand.len() < format.precision() + 2 {
        significand.insert(0, Bit::FALSE);
    }
    if !exact.is_normalized {
        // Left, by the leading zeros, but not below exponent 1.
        let zeros = word::resized(&gates.leading_zeros(&significand), width);
        let room = gates.subtract(&exponent, &one);
        let is_limited = gates.signed_less(&room, &zeros, false);
        let places = gates.choose(is_limited, &room, &zeros);
        // A negative number of places is none here.
        let negative = places[width - 1];
        let places = gates.only_if(!negative, &places);
        significand = gates.shift_left(&significand, &places);
        exponent = gates.subtract(&exponent, &places);
    }
    let places = gates.only_if(is_small, &missing);
    let significand = gates.shift_right_sticky(&significand, &places);
    let exponent = gates.choose(is_small, &one, &exponent);
    pack(gates, format, exact.sign, &exponent, &significand)
}

/// Exponent at least 1; the highest bit of the significand is one or the exponent is 1.
fn pack(gates: &mut Gates, format: Format, sign: Bit, exponent: &[Bit], significand: &[Bit]) -> Word {
    let dropped = significand.len() - format.precision();
    let (lost, kept) = significand.split_at(dropped);
    let (&half, below) = lost.split_last().unwrap_or((&Bit::FALSE, &[]));
    let is_more = gates.any(below.iter().copied());
    let is_odd = kept[0];
    let breaks_tie = gates.or(is_more, is_odd);
    let up = gates.and(half, breaks_tie);

    // The leading bit adds one to the exponent.
    let one = word::constant(exponent.len(), 1);
    let less = gates.subtract(exponent, &one);
    let mut high = kept.to_vec();
    high.resize(format.fraction + exponent.len(), Bit::FALSE);
    let mut low = word::constant(format.fraction, 0);
    low.extend_from_slice(&less);
    let (sum, _) = gates.add_with_carry(&high, &low, up);
    let largest = word::constant(exponent.len() + 1, (1 << format.exponent) - 1);
    let mut stored = sum[format.fraction..].to_vec();
    stored.push(Bit::FALSE);
    let is_too_large = gates.less(&largest, &stored, true);
    let mut packed = sum[..format.fraction + format.exponent].to_vec();
    packed.push(sign);
    gates.choose(is_too_large, &format.infinity(sign), &packed)
}

impl Gates {
    /// Whether a signed number is greater than zero.
    fn is_positive(&mut self, a: &[Bit]) -> Bit {
        let is_zero = self.is_zero(a);
        self.and(!a[a.len() - 1], !is_zero)
    }
}
