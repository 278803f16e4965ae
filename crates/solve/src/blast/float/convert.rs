//! Between the formats, and from and to integers.

use super::round::{Exact, round};
use super::{DOUBLE, Format, Parts, SINGLE, cases};
use crate::blast::gates::{Bit, Gates};
use crate::blast::word::{self, Word};

/// From 32 to 64 bits, which is exact.
pub(super) fn promote(gates: &mut Gates, a: &[Bit]) -> Word {
    let x = Parts::of(gates, a);
    // Every number that is not zero is normal in the wider format.
    let (exponent, significand) = x.normalized(gates);
    let exponent = word::sign_extended(&exponent, DOUBLE.exponent);
    let exponent = gates.add(&exponent, &word::constant(DOUBLE.exponent, DOUBLE.bias() - SINGLE.bias()));
    let mut packed = word::constant(DOUBLE.fraction - SINGLE.fraction, 0);
    packed.extend_from_slice(&significand[..SINGLE.fraction]);
    packed.extend(exponent);
    packed.push(x.sign);
    let all = [
        (x.is_zero, DOUBLE.zero(x.sign)),
        (x.is_infinite, DOUBLE.infinity(x.sign)),
        (x.is_nan, DOUBLE.nan()),
    ];
    cases(gates, packed, &all)
}

/// From 64 to 32 bits.
pub(super) fn demote(gates: &mut Gates, a: &[Bit]) -> Word {
    let x = Parts::of(gates, a);
    let width = DOUBLE.exponent + 1;
    let exponent = word::resized(&x.exponent, width);
    let exponent = gates.subtract(&exponent, &word::constant(width, DOUBLE.bias() - SINGLE.bias()));
    // A subnormal number of the wider format is so small that it becomes zero, whatever its leading bit.
    let exact = Exact { sign: x.sign, exponent, significand: x.significand, is_normalized: true };
    let rounded = round(gates, SINGLE, &exact);
    let all = [
        (x.is_zero, SINGLE.zero(x.sign)),
        (x.is_infinite, SINGLE.infinity(x.sign)),
        (x.is_nan, SINGLE.nan()),
    ];
    cases(gates, rounded, &all)
}

pub(super) fn from_integer(gates: &mut Gates, a: &[Bit], is_signed: bool, format: Format) -> Word {
    let sign = if is_signed { a[a.len() - 1] } else { Bit::FALSE };
    let magnitude = gates.negate_if(sign, a);
    let is_zero = gates.is_zero(a);
    let exponent = word::constant(format.exponent + 2, format.bias() + a.len() as u64 - 1);
    let exact = Exact { sign, exponent, significand: magnitude, is_normalized: false };
    let rounded = round(gates, format, &exact);
    cases(gates, rounded, &[(is_zero, format.zero(Bit::FALSE))])
}

/// Cut towards zero; out of range: the nearest there is; NaN: 0.
pub(super) fn to_integer(gates: &mut Gates, a: &[Bit], is_signed: bool, width: usize) -> Word {
    let x = Parts::of(gates, a);
    let format = x.format;
    // How far the highest bit is above that of the ones; at most the width is of interest.
    let wide = word::resized(&x.exponent, format.exponent + 1);
    let bias = word::constant(format.exponent + 1, format.bias());
    let above = gates.subtract(&wide, &bias);
    let is_fraction = above[format.exponent];
    let limit = word::constant(above.len(), width as u64 - u64::from(is_signed));
    let is_large = gates.less(&limit, &above, true);
    let is_large = gates.and(is_large, !is_fraction);

    let mut register = x.significand;
    register.resize(format.fraction + width, Bit::FALSE);
    let places = usize::BITS as usize - width.leading_zeros() as usize;
    let shifted = gates.shift_left(&register, &above[..places.min(above.len())]);
    let magnitude = shifted[format.fraction..].to_vec();
    let number = if is_signed { gates.negate_if(x.sign, &magnitude) } else { magnitude };

    let zero = word::constant(width, 0);
    let too_large = if is_signed {
        let mut greatest = vec![!x.sign; width];
        greatest[width - 1] = x.sign;
        greatest
    } else {
        vec![Bit::TRUE; width]
    };
    let is_zero = gates.or(is_fraction, x.is_nan);
    let is_below = if is_signed { Bit::FALSE } else { x.sign };
    cases(gates, number, &[(is_large, too_large), (is_below, zero.clone()), (is_zero, zero)])
}
