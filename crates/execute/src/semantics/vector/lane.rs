//! Operators on single lanes, where they are more than one operator of the algebra.

use super::super::scalar::{absolute, negate};
use coax_term::{Algebra, Binary, Unary};

/// What is done to a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane1 {
    /// An operator of the algebra.
    Unary(Unary),
    /// The integer without its sign; the smallest stays as it is.
    Absolute,
    /// The integer subtracted from zero.
    Negate,
    /// The float without its sign.
    FloatAbsolute,
    /// The float with the other sign.
    FloatNegate,
}

/// What is done to a pair of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane2 {
    /// An operator of the algebra.
    Binary(Binary),
    /// All ones if the lanes compare so, else zero.
    Compare(Binary),
    /// All ones if the lanes, exchanged, compare so, else zero.
    CompareExchanged(Binary),
    /// All ones if the lanes do not compare so, else zero.
    CompareNot(Binary),
    /// The first if the lanes compare so, else the second.
    First(Binary),
    /// The second if the lanes compare so, else the first.
    Second(Binary),
    /// The second if the lanes, exchanged, compare so, else the first.
    SecondExchanged(Binary),
    /// The first without the bits of the second.
    AndNot,
    /// An operator whose result, if it does not fit, is the nearest that does.
    #[allow(missing_docs, reason = "the names of the fields say it")]
    Saturating { op: Binary, signed: bool },
    /// The mean, rounded up.
    Average,
    /// The product of numbers with 15 bits behind the point, rounded and saturated.
    MultiplyQ15,
}

impl Lane1 {
    pub(super) fn apply<A: Algebra>(self, alg: &mut A, a: A::Value) -> A::Value {
        match self {
            Lane1::Unary(op) => alg.unary(op, a),
            Lane1::Absolute => {
                let negated = subtract_from_zero(alg, a);
                let width = alg.width(a);
                let zero = alg.constant(width, 0);
                let negative = alg.binary(Binary::Slt, a, zero);
                alg.ite(negative, negated, a)
            }
            Lane1::Negate => subtract_from_zero(alg, a),
            Lane1::FloatAbsolute => absolute(alg, a),
            Lane1::FloatNegate => negate(alg, a),
        }
    }
}

impl Lane2 {
    pub(super) fn apply<A: Algebra>(self, alg: &mut A, a: A::Value, b: A::Value) -> A::Value {
        let width = alg.width(a);
        match self {
            Lane2::Binary(op) => alg.binary(op, a, b),
            Lane2::Compare(op) => {
                let holds = alg.binary(op, a, b);
                alg.sign_extend(holds, width)
            }
            Lane2::CompareExchanged(op) => Lane2::Compare(op).apply(alg, b, a),
            Lane2::CompareNot(op) => {
                let holds = alg.binary(op, a, b);
                let not = alg.not(holds);
                alg.sign_extend(not, width)
            }
            Lane2::First(op) => {
                let holds = alg.binary(op, a, b);
                alg.ite(holds, a, b)
            }
            Lane2::Second(op) => {
                let holds = alg.binary(op, a, b);
                alg.ite(holds, b, a)
            }
            Lane2::SecondExchanged(op) => {
                let holds = alg.binary(op, b, a);
                alg.ite(holds, b, a)
            }
            Lane2::AndNot => {
                let not = alg.not(b);
                alg.and(a, not)
            }
            Lane2::Saturating { op, signed } => {
                let wide = [a, b].map(|lane| widen(alg, lane, signed));
                let result = alg.binary(op, wide[0], wide[1]);
                saturate(alg, result, width, signed)
            }
            Lane2::Average => {
                let [a, b] = [a, b].map(|lane| widen(alg, lane, false));
                let one = alg.constant(width * 2, 1);
                let sum = alg.binary(Binary::Add, a, b);
                let sum = alg.binary(Binary::Add, sum, one);
                alg.extract(sum, 1, width)
            }
            Lane2::MultiplyQ15 => {
                let [a, b] = [a, b].map(|lane| widen(alg, lane, true));
                let product = alg.binary(Binary::Mul, a, b);
                let half = alg.constant(32, 1 << 14);
                let rounded = alg.binary(Binary::Add, product, half);
                let count = alg.constant(32, 15);
                let result = alg.binary(Binary::AShr, rounded, count);
                saturate(alg, result, width, true)
            }
        }
    }
}

/// A lane in double width.
pub(super) fn widen<A: Algebra>(alg: &mut A, lane: A::Value, signed: bool) -> A::Value {
    let width = alg.width(lane) * 2;
    if signed { alg.sign_extend(lane, width) } else { alg.zero_extend(lane, width) }
}

/// A signed number as the nearest that `width` bits can hold.
pub(super) fn saturate<A: Algebra>(alg: &mut A, number: A::Value, width: u8, signed: bool) -> A::Value {
    let wide = alg.width(number);
    let (smallest, largest) =
        if signed { (-1_i64 << (width - 1), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) };
    let [smallest, largest] = [smallest, largest].map(|bound: i64| {
        let bits = bound as u64 & (u64::MAX >> (64 - wide));
        alg.constant(wide, bits)
    });
    let too_small = alg.binary(Binary::Slt, number, smallest);
    let too_large = alg.binary(Binary::Slt, largest, number);
    let number = alg.ite(too_small, smallest, number);
    let number = alg.ite(too_large, largest, number);
    alg.extract(number, 0, width)
}

fn subtract_from_zero<A: Algebra>(alg: &mut A, a: A::Value) -> A::Value {
    let width = alg.width(a);
    let zero = alg.constant(width, 0);
    alg.binary(Binary::Sub, zero, a)
}
