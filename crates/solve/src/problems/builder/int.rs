//! What is done with integers.

use super::{Condition, Int, Real};
use coax_term::{Algebra, Binary, Term, Unary};

/// What can be an operand of an integer operator.
pub(in crate::problems) trait IntoInt {
    fn int(self, like: Int<'_>) -> Term;
}

impl IntoInt for Int<'_> {
    fn int(self, _: Int<'_>) -> Term {
        self.term
    }
}

impl IntoInt for i64 {
    fn int(self, like: Int<'_>) -> Term {
        let width = like.builder.width(like.term);
        like.builder.make(|t| t.constant(width, self as u64 & coax_term::mask(width)))
    }
}

impl<'a> Int<'a> {
    pub(super) fn with(self, op: Binary, other: impl IntoInt) -> Int<'a> {
        let other = other.int(self);
        Int { term: self.builder.make(|t| t.binary(op, self.term, other)), ..self }
    }

    fn compare(self, op: Binary, other: impl IntoInt) -> Condition<'a> {
        let Int { builder, term } = self.with(op, other);
        Condition { builder, term }
    }

    /// A constant of the same width.
    pub(in crate::problems) fn constant(self, value: i64) -> Int<'a> {
        Int { term: value.int(self), ..self }
    }

    pub(in crate::problems) fn is(self, other: impl IntoInt) -> Condition<'a> {
        self.compare(Binary::Eq, other)
    }

    /// Equal to the value that it has in the known solution.
    pub(in crate::problems) fn is_as_known(self) -> Condition<'a> {
        self.is(self.known())
    }

    /// The value that it has in the known solution.
    pub(in crate::problems) fn known(self) -> Int<'a> {
        self.constant(self.builder.value(self.term) as i64)
    }

    pub(in crate::problems) fn lt(self, other: impl IntoInt) -> Condition<'a> {
        self.compare(Binary::Slt, other)
    }

    pub(in crate::problems) fn le(self, other: impl IntoInt) -> Condition<'a> {
        self.compare(Binary::Sle, other)
    }

    pub(in crate::problems) fn gt(self, other: impl IntoInt) -> Condition<'a> {
        !self.le(other)
    }

    pub(in crate::problems) fn ge(self, other: impl IntoInt) -> Condition<'a> {
        !self.lt(other)
    }

    /// Less as unsigned numbers.
    pub(in crate::problems) fn below(self, other: impl IntoInt) -> Condition<'a> {
        self.compare(Binary::Ult, other)
    }

    /// Divided as unsigned numbers: the remainder.
    pub(in crate::problems) fn unsigned_rem(self, other: impl IntoInt) -> Int<'a> {
        self.with(Binary::URem, other)
    }

    /// Shifted right with copies of the sign bit.
    pub(in crate::problems) fn shift_arithmetic(self, count: i64) -> Int<'a> {
        self.with(Binary::AShr, count)
    }

    pub(in crate::problems) fn rotate_left(self, count: i64) -> Int<'a> {
        self.with(Binary::Rotl, count)
    }

    /// Widened with zeros.
    pub(in crate::problems) fn zero_extend(self, width: u8) -> Int<'a> {
        Int { term: self.builder.make(|t| t.zero_extend(self.term, width)), ..self }
    }

    /// Widened with copies of the sign bit.
    pub(in crate::problems) fn sign_extend(self, width: u8) -> Int<'a> {
        Int { term: self.builder.make(|t| t.sign_extend(self.term, width)), ..self }
    }

    /// The bits as a float.
    pub(in crate::problems) fn as_float(self) -> Real<'a> {
        Real { builder: self.builder, term: self.term }
    }

    /// The nearest float.
    pub(in crate::problems) fn to_f64(self) -> Real<'a> {
        Real { builder: self.builder, term: self.builder.make(|t| t.unary(Unary::SignedToF64, self.term)) }
    }
}
