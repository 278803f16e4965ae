//! Integers and floats.
//!
//! An operator is first sorted into one of a few kinds of [`Scalar`] computation, which can be kept if it is to run
//! many times, then carried out. Comparisons give an i32 that is 0 or 1; floats are their bits.

use super::{Meaning, Traps, is_zero};
use crate::TrapKind;
use coax_term::{Algebra, Binary, Unary};
use wasmparser::Operator;

/// The meaning of a scalar operator; `None` if it is of another kind.
#[inline]
pub fn numeric<A: Algebra>(
    alg: &mut A,
    op: &Operator<'_>,
    operands: &[A::Value],
) -> Option<Meaning<A::Value>> {
    Some(Scalar::of(op)?.apply(alg, operands))
}

/// A kind of scalar computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A constant.
    Constant {
        /// 32 or 64.
        width: u8,
        /// Its bits.
        bits: u64,
    },
    /// An operator of the algebra.
    Unary(Unary),
    /// An operator of the algebra.
    Binary(Binary),
    /// A shift: the count is taken modulo the width.
    Shift(Binary),
    /// Whether the operand is zero.
    IsZero,
    /// Whether the operands compare so.
    Compare(Binary),
    /// Whether the operands, exchanged, compare so.
    CompareExchanged(Binary),
    /// Whether the operands do not compare so.
    CompareNot(Binary),
    /// A division or remainder.
    Divide {
        /// Which.
        op: Binary,
        /// Whether the smallest integer divided by -1 traps.
        overflows: bool,
    },
    /// A float to an integer, if it fits.
    Truncate(Truncation),
    /// The lower half.
    Wrap,
    /// The lower `from` bits, extended to `to`.
    Extend {
        /// How many bits are kept.
        from: u8,
        /// The width of the result.
        to: u8,
        /// Whether the sign is copied.
        signed: bool,
    },
    /// The same bits as another type.
    Reinterpret,
    /// A float without its sign.
    Absolute,
    /// A float with the other sign.
    Negate,
    /// A float with the sign of another.
    CopySign,
}

/// The conversion of a float to an integer that traps if it does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncation {
    op: Unary,
    /// `FLe` or `FLt`: how a number that is too small compares with `below`.
    compare: Binary,
    /// The bits of the largest number that is too small (`FLe`) or the smallest that is not (`FLt`).
    below: u64,
    /// The bits of the smallest number that is too large.
    above: u64,
}

impl Truncation {
    const fn f32(op: Unary, compare: Binary, below: f32, above: f32) -> Scalar {
        let (below, above) = (below.to_bits() as u64, above.to_bits() as u64);
        Scalar::Truncate(Truncation { op, compare, below, above })
    }

    const fn f64(op: Unary, compare: Binary, below: f64, above: f64) -> Scalar {
        Scalar::Truncate(Truncation { op, compare, below: below.to_bits(), above: above.to_bits() })
    }
}

impl Scalar {
    /// Whether it only compares its operands.
    pub fn compares(self) -> bool {
        use Scalar as S;
        matches!(self, S::IsZero | S::Compare(_) | S::CompareExchanged(_) | S::CompareNot(_))
    }

    /// The computation that an operator does; `None` if it is no scalar computation.
    pub fn of(op: &Operator<'_>) -> Option<Scalar> {
        use Operator as O;
        use Scalar as S;
        let divide = |op, overflows| S::Divide { op, overflows };
        let extend = |from, to, signed| S::Extend { from, to, signed };
        Some(match op {
            O::I32Const { value } => S::Constant { width: 32, bits: u64::from(*value as u32) },
            O::I64Const { value } => S::Constant { width: 64, bits: *value as u64 },
            O::F32Const { value } => S::Constant { width: 32, bits: u64::from(value.bits()) },
            O::F64Const { value } => S::Constant { width: 64, bits: value.bits() },

            O::I32Eqz | O::I64Eqz => S::IsZero,
            O::I32Eq | O::I64Eq => S::Compare(Binary::Eq),
            O::I32Ne | O::I64Ne => S::CompareNot(Binary::Eq),
            O::I32LtS | O::I64LtS => S::Compare(Binary::Slt),
            O::I32LtU | O::I64LtU => S::Compare(Binary::Ult),
            O::I32LeS | O::I64LeS => S::Compare(Binary::Sle),
            O::I32LeU | O::I64LeU => S::Compare(Binary::Ule),
            O::I32GtS | O::I64GtS => S::CompareExchanged(Binary::Slt),
            O::I32GtU | O::I64GtU => S::CompareExchanged(Binary::Ult),
            O::I32GeS | O::I64GeS => S::CompareExchanged(Binary::Sle),
            O::I32GeU | O::I64GeU => S::CompareExchanged(Binary::Ule),
            O::F32Eq | O::F64Eq => S::Compare(Binary::FEq),
            O::F32Ne | O::F64Ne => S::CompareNot(Binary::FEq),
            O::F32Lt | O::F64Lt => S::Compare(Binary::FLt),
            O::F32Le | O::F64Le => S::Compare(Binary::FLe),
            O::F32Gt | O::F64Gt => S::CompareExchanged(Binary::FLt),
            O::F32Ge | O::F64Ge => S::CompareExchanged(Binary::FLe),

            O::I32Clz | O::I64Clz => S::Unary(Unary::Clz),
            O::I32Ctz | O::I64Ctz => S::Unary(Unary::Ctz),
            O::I32Popcnt | O::I64Popcnt => S::Unary(Unary::Popcnt),
            O::I32Add | O::I64Add => S::Binary(Binary::Add),
            O::I32Sub | O::I64Sub => S::Binary(Binary::Sub),
            O::I32Mul | O::I64Mul => S::Binary(Binary::Mul),
            O::I32DivS | O::I64DivS => divide(Binary::SDiv, true),
            O::I32DivU | O::I64DivU => divide(Binary::UDiv, false),
            O::I32RemS | O::I64RemS => divide(Binary::SRem, false),
            O::I32RemU | O::I64RemU => divide(Binary::URem, false),
            O::I32And | O::I64And => S::Binary(Binary::And),
            O::I32Or | O::I64Or => S::Binary(Binary::Or),
            O::I32Xor | O::I64Xor => S::Binary(Binary::Xor),
            O::I32Shl | O::I64Shl => S::Shift(Binary::Shl),
            O::I32ShrS | O::I64ShrS => S::Shift(Binary::AShr),
            O::I32ShrU | O::I64ShrU => S::Shift(Binary::LShr),
            // These take the count modulo the width by themselves.
            O::I32Rotl | O::I64Rotl => S::Binary(Binary::Rotl),
            O::I32Rotr | O::I64Rotr => S::Binary(Binary::Rotr),

            O::F32Abs | O::F64Abs => S::Absolute,
            O::F32Neg | O::F64Neg => S::Negate,
            O::F32Copysign | O::F64Copysign => S::CopySign,
            O::F32Ceil | O::F64Ceil => S::Unary(Unary::FCeil),
            O::F32Floor | O::F64Floor => S::Unary(Unary::FFloor),
            O::F32Trunc | O::F64Trunc => S::Unary(Unary::FTrunc),
            O::F32Nearest | O::F64Nearest => S::Unary(Unary::FNearest),
            O::F32Sqrt | O::F64Sqrt => S::Unary(Unary::FSqrt),
            O::F32Add | O::F64Add => S::Binary(Binary::FAdd),
            O::F32Sub | O::F64Sub => S::Binary(Binary::FSub),
            O::F32Mul | O::F64Mul => S::Binary(Binary::FMul),
            O::F32Div | O::F64Div => S::Binary(Binary::FDiv),
            O::F32Min | O::F64Min => S::Binary(Binary::FMin),
            O::F32Max | O::F64Max => S::Binary(Binary::FMax),

            O::I32WrapI64 => S::Wrap,
            O::I64ExtendI32S => extend(32, 64, true),
            O::I64ExtendI32U => extend(32, 64, false),
            O::I32Extend8S => extend(8, 32, true),
            O::I32Extend16S => extend(16, 32, true),
            O::I64Extend8S => extend(8, 64, true),
            O::I64Extend16S => extend(16, 64, true),
            O::I64Extend32S => extend(32, 64, true),
            O::I32ReinterpretF32 | O::I64ReinterpretF64 | O::F32ReinterpretI32 | O::F64ReinterpretI64 => {
                S::Reinterpret
            }
            O::F32DemoteF64 => S::Unary(Unary::FDemote),
            O::F64PromoteF32 => S::Unary(Unary::FPromote),
            O::F32ConvertI32S | O::F32ConvertI64S => S::Unary(Unary::SignedToF32),
            O::F32ConvertI32U | O::F32ConvertI64U => S::Unary(Unary::UnsignedToF32),
            O::F64ConvertI32S | O::F64ConvertI64S => S::Unary(Unary::SignedToF64),
            O::F64ConvertI32U | O::F64ConvertI64U => S::Unary(Unary::UnsignedToF64),
            O::I32TruncSatF32S | O::I32TruncSatF64S => S::Unary(Unary::FToSigned32),
            O::I32TruncSatF32U | O::I32TruncSatF64U => S::Unary(Unary::FToUnsigned32),
            O::I64TruncSatF32S | O::I64TruncSatF64S => S::Unary(Unary::FToSigned64),
            O::I64TruncSatF32U | O::I64TruncSatF64U => S::Unary(Unary::FToUnsigned64),
            // Where the number just below the smallest integer is no float, the smallest integer is one.
            O::I32TruncF32S => Truncation::f32(Unary::FToSigned32, Binary::FLt, -TWO_31_F32, TWO_31_F32),
            O::I32TruncF32U => Truncation::f32(Unary::FToUnsigned32, Binary::FLe, -1.0, 2.0 * TWO_31_F32),
            O::I64TruncF32S => Truncation::f32(Unary::FToSigned64, Binary::FLt, -TWO_63_F32, TWO_63_F32),
            O::I64TruncF32U => Truncation::f32(Unary::FToUnsigned64, Binary::FLe, -1.0, 2.0 * TWO_63_F32),
            O::I32TruncF64S => {
                Truncation::f64(Unary::FToSigned32, Binary::FLe, -TWO_31_F64 - 1.0, TWO_31_F64)
            }
            O::I32TruncF64U => Truncation::f64(Unary::FToUnsigned32, Binary::FLe, -1.0, 2.0 * TWO_31_F64),
            O::I64TruncF64S => Truncation::f64(Unary::FToSigned64, Binary::FLt, -TWO_63_F64, TWO_63_F64),
            O::I64TruncF64U => Truncation::f64(Unary::FToUnsigned64, Binary::FLe, -1.0, 2.0 * TWO_63_F64),
            _ => return None,
        })
    }

    /// Carries out the computation; there must be at least as many operands as the operator has.
    #[inline]
    pub fn apply<A: Algebra>(self, alg: &mut A, operands: &[A::Value]) -> Meaning<A::Value> {
        let traps = self.traps(alg, operands);
        Meaning { traps, result: self.result(alg, operands) }
    }

    /// Whether it traps on some operands.
    #[inline]
    pub fn can_trap(self) -> bool {
        matches!(self, Scalar::Divide { .. } | Scalar::Truncate(_))
    }

    /// When it traps.
    #[inline]
    pub fn traps<A: Algebra>(self, alg: &mut A, operands: &[A::Value]) -> Traps<A::Value> {
        match self {
            Scalar::Divide { overflows, .. } => division_traps(alg, overflows, operands[0], operands[1]),
            Scalar::Truncate(truncation) => truncation_traps(alg, truncation, operands[0]),
            _ => Traps::NONE,
        }
    }

    /// The result if it does not trap.
    #[inline]
    pub fn result<A: Algebra>(self, alg: &mut A, operands: &[A::Value]) -> A::Value {
        match self {
            Scalar::Constant { width, bits } => alg.constant(width, bits),
            Scalar::Unary(op) => alg.unary(op, operands[0]),
            Scalar::Binary(op) => alg.binary(op, operands[0], operands[1]),
            Scalar::Shift(op) => shift(alg, op, operands[0], operands[1]),
            Scalar::IsZero => {
                let zero = is_zero(alg, operands[0]);
                alg.zero_extend(zero, 32)
            }
            Scalar::Compare(op) => {
                let holds = alg.binary(op, operands[0], operands[1]);
                alg.zero_extend(holds, 32)
            }
            Scalar::CompareExchanged(op) => {
                let holds = alg.binary(op, operands[1], operands[0]);
                alg.zero_extend(holds, 32)
            }
            Scalar::CompareNot(op) => {
                let holds = alg.binary(op, operands[0], operands[1]);
                let not = alg.not(holds);
                alg.zero_extend(not, 32)
            }
            Scalar::Divide { op, .. } => alg.binary(op, operands[0], operands[1]),
            Scalar::Truncate(truncation) => alg.unary(truncation.op, operands[0]),
            Scalar::Wrap => alg.extract(operands[0], 0, 32),
            Scalar::Extend { from, to, signed } => {
                let kept = if alg.width(operands[0]) == from {
                    operands[0]
                } else {
                    alg.extract(operands[0], 0, from)
                };
                if signed { alg.sign_extend(kept, to) } else { alg.zero_extend(kept, to) }
            }
            Scalar::Reinterpret => operands[0],
            Scalar::Absolute => absolute(alg, operands[0]),
            Scalar::Negate => negate(alg, operands[0]),
            Scalar::CopySign => {
                let width = alg.width(operands[0]);
                let sign = alg.extract(operands[1], width - 1, 1);
                let magnitude = alg.extract(operands[0], 0, width - 1);
                alg.concat(sign, magnitude)
            }
        }
    }
}

const TWO_31_F32: f32 = 2147483648.0;
const TWO_31_F64: f64 = 2147483648.0;
const TWO_63_F32: f32 = 9223372036854775808.0;
const TWO_63_F64: f64 = 9223372036854775808.0;

/// A shift by a count modulo the width.
#[inline]
pub(super) fn shift<A: Algebra>(alg: &mut A, op: Binary, a: A::Value, count: A::Value) -> A::Value {
    let width = alg.width(count);
    let mask = alg.constant(width, u64::from(width) - 1);
    let count = alg.and(count, mask);
    alg.binary(op, a, count)
}

/// A float without its sign.
#[inline]
pub(super) fn absolute<A: Algebra>(alg: &mut A, a: A::Value) -> A::Value {
    let width = alg.width(a);
    let magnitude = alg.constant(width, (1 << (width - 1)) - 1);
    alg.and(a, magnitude)
}

/// A float with the other sign.
#[inline]
pub(super) fn negate<A: Algebra>(alg: &mut A, a: A::Value) -> A::Value {
    let width = alg.width(a);
    let sign = alg.constant(width, 1 << (width - 1));
    alg.binary(Binary::Xor, a, sign)
}

fn division_traps<A: Algebra>(
    alg: &mut A,
    overflows: bool,
    dividend: A::Value,
    divisor: A::Value,
) -> Traps<A::Value> {
    let by_zero = (is_zero(alg, divisor), TrapKind::IntegerDivideByZero);
    if overflows {
        let width = alg.width(divisor);
        let smallest = alg.constant(width, 1 << (width - 1));
        let minus_one = alg.constant(width, u64::MAX >> (64 - width));
        let of_smallest = alg.eq(dividend, smallest);
        let by_minus_one = alg.eq(divisor, minus_one);
        Traps::two(by_zero, (alg.and(of_smallest, by_minus_one), TrapKind::IntegerOverflow))
    } else {
        Traps::one(by_zero.0, by_zero.1)
    }
}

fn truncation_traps<A: Algebra>(alg: &mut A, truncation: Truncation, float: A::Value) -> Traps<A::Value> {
    let width = alg.width(float);
    let number = alg.binary(Binary::FEq, float, float);
    let nan = alg.not(number);
    let below = alg.constant(width, truncation.below);
    let above = alg.constant(width, truncation.above);
    let too_small = alg.binary(truncation.compare, float, below);
    let too_large = alg.binary(Binary::FLe, above, float);
    let overflow = alg.or(too_small, too_large);
    Traps::two((nan, TrapKind::InvalidConversion), (overflow, TrapKind::IntegerOverflow))
}
