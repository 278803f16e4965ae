//! Rounding to an integer that stays a float, on the packed form: the bits below the ones are cut, and if the magnitude must become
//! greater, a one is added at the place of the ones; a carry makes the exponent greater, as it should.

use super::{Format, Parts, cases};
use crate::blast::gates::{Bit, Gates};
use crate::blast::word::{self, Word};
use coax_term::Unary;

pub(super) fn round_to_integer(gates: &mut Gates, op: Unary, a: &[Bit]) -> Word {
    let x = Parts::of(gates, a);
    let format = x.format;
    let (magnitude, exponent) = (&a[..format.width() - 1], &a[format.fraction..format.width() - 1]);
    let below =
        |gates: &mut Gates, limit: u64| gates.less(exponent, &word::constant(exponent.len(), limit), false);

    // Which bits of the fraction count less than one: bit `i` does if the exponent is less than this.
    let is_cut: Vec<Bit> =
        (0..format.fraction).map(|i| below(gates, format.bias() + (format.fraction - i) as u64)).collect();
    let is_below_one = below(gates, format.bias());
    // Where the ones are: the leading bit, which is not stored, has the next place after the fraction.
    let mut is_ones: Vec<Bit> = (0..format.fraction)
        .map(|i| if i == 0 { Bit::FALSE } else { gates.and(is_cut[i - 1], !is_cut[i]) })
        .collect();
    is_ones.push(gates.and(is_cut[format.fraction - 1], !is_below_one));

    let cut: Word = (0..magnitude.len())
        .map(|i| if i < format.fraction { gates.and(magnitude[i], !is_cut[i]) } else { magnitude[i] })
        .collect();
    let fractional = gates.zip(&is_cut, magnitude, Gates::and);
    let has_fraction = gates.any(fractional.iter().copied());
    let up = match op {
        Unary::FCeil => gates.and(has_fraction, !x.sign),
        Unary::FFloor => gates.and(has_fraction, x.sign),
        Unary::FNearest => nearest_is_up(gates, magnitude, &is_ones, &fractional),
        _ => Bit::FALSE,
    };
    let one_place = gates.only_if(up, &is_ones);
    let rounded = gates.add(&cut, &word::resized(&one_place, magnitude.len()));
    let small = gates.any(magnitude.iter().copied());
    let small_up = match op {
        Unary::FCeil => gates.and(small, !x.sign),
        Unary::FFloor => gates.and(small, x.sign),
        // More than a half: the exponent is that of a half, and there is a fraction.
        Unary::FNearest => {
            let is_half = !below(gates, format.bias() - 1);
            let more = !gates.is_zero(&magnitude[..format.fraction]);
            gates.and(is_half, more)
        }
        _ => Bit::FALSE,
    };
    let one = gates.only_if(small_up, &word::constant(magnitude.len(), format.bias() << format.fraction));
    let mut result = gates.choose(is_below_one, &one, &rounded);
    result.push(x.sign);
    cases(gates, result, &[(x.is_nan, Format::nan(format))])
}

/// For a magnitude of at least one: whether the nearest integer is above, ties to even.
fn nearest_is_up(gates: &mut Gates, magnitude: &[Bit], is_ones: &[Bit], fractional: &[Bit]) -> Bit {
    let (mut half, mut is_odd, mut less) = (Bit::FALSE, Bit::FALSE, Bit::FALSE);
    for (i, &is_ones_here) in is_ones.iter().enumerate().skip(1) {
        let here = gates.and(is_ones_here, magnitude[i - 1]);
        half = gates.or(half, here);
        // The leading bit is always one: the place after the fraction is the lowest bit of the exponent in the packed form.
        let bit = if i + 1 == is_ones.len() { Bit::TRUE } else { magnitude[i] };
        let here = gates.and(is_ones_here, bit);
        is_odd = gates.or(is_odd, here);
    }
    // Bits below the half: cut ones whose next higher one is cut, too.
    for i in 0..fractional.len() {
        let is_half = if i + 1 < is_ones.len() { is_ones[i + 1] } else { Bit::FALSE };
        let here = gates.and(fractional[i], !is_half);
        less = gates.or(less, here);
    }
    let breaks_tie = gates.or(is_odd, less);
    gates.and(half, breaks_tie)
}
