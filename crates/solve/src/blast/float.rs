//! Floats as circuits: IEEE 754, round to nearest even, subnormals, every NaN that is computed the canonical one; the meaning is
//! that of `coax_term::fold`.
//!
//! An operand is unpacked into its parts (here), an operator computes an exact significand with an exponent (`arithmetic.rs`,
//! `convert.rs`), and one circuit makes the nearest float of it (`round.rs`). What only moves or compares bits works on the packed form
//! (`compare.rs`, `integral.rs`).

mod arithmetic;
mod compare;
mod convert;
mod integral;
mod round;

use super::divide::Divisions;
use super::gates::{Bit, Gates};
use super::word::{self, Word};
use coax_term::{Binary, Unary};

/// A format of floats.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Format {
    /// Bits of the exponent.
    exponent: usize,
    /// Bits of the significand that are stored: the leading one is not.
    fraction: usize,
}

const SINGLE: Format = Format { exponent: 8, fraction: 23 };
const DOUBLE: Format = Format { exponent: 11, fraction: 52 };

impl Format {
    fn of_width(width: usize) -> Format {
        if width == 32 { SINGLE } else { DOUBLE }
    }

    /// The exponent of 1.0, as it is stored.
    fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Bits of the significand.
    fn precision(self) -> usize {
        self.fraction + 1
    }

    fn width(self) -> usize {
        1 + self.exponent + self.fraction
    }

    fn nan(self) -> Word {
        let quiet = (1 << (self.exponent + 1)) - 1;
        word::constant(self.width(), quiet << (self.fraction - 1))
    }

    fn infinity(self, sign: Bit) -> Word {
        let mut word = word::constant(self.width(), ((1 << self.exponent) - 1) << self.fraction);
        word[self.width() - 1] = sign;
        word
    }

    fn zero(self, sign: Bit) -> Word {
        let mut word = word::constant(self.width(), 0);
        word[self.width() - 1] = sign;
        word
    }
}

/// The parts of a float.
struct Parts {
    format: Format,
    sign: Bit,
    is_nan: Bit,
    is_infinite: Bit,
    is_zero: Bit,
    /// As it is stored, save that it is 1 instead of 0: then it is the exponent that counts.
    exponent: Word,
    /// With the leading bit, which is zero in subnormal numbers.
    significand: Word,
}

impl Parts {
    fn of(gates: &mut Gates, packed: &[Bit]) -> Parts {
        let format = Format::of_width(packed.len());
        let (fraction, rest) = packed.split_at(format.fraction);
        let (exponent, sign) = rest.split_at(format.exponent);
        let is_subnormal = gates.is_zero(exponent);
        let is_special = gates.is_zero(&word::not(exponent));
        let has_no_fraction = gates.is_zero(fraction);
        let mut counting = exponent.to_vec();
        counting[0] = gates.or(counting[0], is_subnormal);
        let mut significand = fraction.to_vec();
        significand.push(!is_subnormal);
        Parts {
            format,
            sign: sign[0],
            is_nan: gates.and(is_special, !has_no_fraction),
            is_infinite: gates.and(is_special, has_no_fraction),
            is_zero: gates.and(is_subnormal, has_no_fraction),
            exponent: counting,
            significand,
        }
    }

    /// With the leading bit one, also if it is subnormal: the exponent, signed and two bits wider, is less then. Not for zero.
    fn normalized(&self, gates: &mut Gates) -> (Word, Word) {
        let zeros = gates.leading_zeros(&self.significand);
        let significand = gates.shift_left(&self.significand, &zeros);
        let width = self.format.exponent + 2;
        let exponent = word::resized(&self.exponent, width);
        let exponent = gates.subtract(&exponent, &word::resized(&zeros, width));
        (exponent, significand)
    }
}

/// The last of the cases whose condition holds, or else the default: later cases go before earlier ones.
fn cases(gates: &mut Gates, default: Word, cases: &[(Bit, Word)]) -> Word {
    cases.iter().fold(default, |result, (condition, word)| gates.choose(*condition, word, &result))
}

pub(super) fn unary(gates: &mut Gates, op: Unary, a: &[Bit]) -> Word {
    match op {
        Unary::FSqrt => arithmetic::square_root(gates, a),
        Unary::FCeil | Unary::FFloor | Unary::FTrunc | Unary::FNearest => {
            integral::round_to_integer(gates, op, a)
        }
        Unary::FPromote => convert::promote(gates, a),
        Unary::FDemote => convert::demote(gates, a),
        Unary::SignedToF32 => convert::from_integer(gates, a, true, SINGLE),
        Unary::SignedToF64 => convert::from_integer(gates, a, true, DOUBLE),
        Unary::UnsignedToF32 => convert::from_integer(gates, a, false, SINGLE),
        Unary::UnsignedToF64 => convert::from_integer(gates, a, false, DOUBLE),
        Unary::FToSigned32 => convert::to_integer(gates, a, true, 32),
        Unary::FToSigned64 => convert::to_integer(gates, a, true, 64),
        Unary::FToUnsigned32 => convert::to_integer(gates, a, false, 32),
        Unary::FToUnsigned64 => convert::to_integer(gates, a, false, 64),
        Unary::Not | Unary::Clz | Unary::Ctz | Unary::Popcnt => unreachable!("{op:?} is no float operator"),
    }
}

pub(super) fn binary(gates: &mut Gates, divisions: &mut Divisions, op: Binary, a: &[Bit], b: &[Bit]) -> Word {
    match op {
        Binary::FAdd => arithmetic::add(gates, a, b),
        Binary::FSub => {
            let mut negated = b.to_vec();
            let sign = b.len() - 1;
            negated[sign] = !negated[sign];
            arithmetic::add(gates, a, &negated)
        }
        Binary::FMul => arithmetic::multiply(gates, a, b),
        Binary::FDiv => arithmetic::divide(gates, divisions, a, b),
        Binary::FMin => compare::least(gates, a, b),
        Binary::FMax => compare::greatest(gates, a, b),
        Binary::FEq => vec![compare::equal(gates, a, b)],
        Binary::FLt => vec![compare::less(gates, a, b)],
        Binary::FLe => {
            let (less, equal) = (compare::less(gates, a, b), compare::equal(gates, a, b));
            vec![gates.or(less, equal)]
        }
        _ => unreachable!("{op:?} is no float operator"),
    }
}
