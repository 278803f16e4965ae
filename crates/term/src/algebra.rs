//! An algebra of bit-vectors: what the meaning of a program's operators is written in.
//!
//! The same meaning is thus carried out on plain numbers ([`crate::Concrete`]), on terms
//! ([`crate::Terms`]), or on both at once.

use crate::{Binary, Unary};

/// Something that values can be computed in. Widths are 1 to 64 bits; a condition has width 1.
pub trait Algebra {
    /// A value; it knows its width.
    type Value: Copy;

    /// The number of bits of a value.
    fn width(&self, value: Self::Value) -> u8;
    /// A constant; bits above the width must be zero.
    fn constant(&mut self, width: u8, bits: u64) -> Self::Value;
    /// An operator with one operand.
    fn unary(&mut self, op: Unary, a: Self::Value) -> Self::Value;
    /// An operator with two operands.
    fn binary(&mut self, op: Binary, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `then` if the condition holds, else `otherwise`.
    fn ite(&mut self, condition: Self::Value, then: Self::Value, otherwise: Self::Value) -> Self::Value;
    /// `width` bits from bit `low` on.
    fn extract(&mut self, a: Self::Value, low: u8, width: u8) -> Self::Value;
    /// Widened with zeros.
    fn zero_extend(&mut self, a: Self::Value, width: u8) -> Self::Value;
    /// Widened with copies of the sign bit.
    fn sign_extend(&mut self, a: Self::Value, width: u8) -> Self::Value;
    /// Both, `high` in the upper bits.
    fn concat(&mut self, high: Self::Value, low: Self::Value) -> Self::Value;

    /// The negation of a condition, or all bits flipped.
    fn not(&mut self, a: Self::Value) -> Self::Value {
        self.unary(Unary::Not, a)
    }
    /// The condition that both are the same.
    fn eq(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        self.binary(Binary::Eq, a, b)
    }
    /// Both conditions (or bitwise and).
    fn and(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        self.binary(Binary::And, a, b)
    }
    /// Either condition (or bitwise or).
    fn or(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        self.binary(Binary::Or, a, b)
    }
}
