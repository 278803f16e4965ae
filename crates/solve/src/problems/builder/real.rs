//! What is done with floats.

use super::{Condition, Int, Real};
use crate::problems::library;
use coax_term::{Algebra, Binary, Term, Unary};
use std::ops::Neg;

/// What can be an operand of a float operator.
pub(in crate::problems) trait IntoReal {
    fn real(self, like: Real<'_>) -> Term;
}

impl IntoReal for Real<'_> {
    fn real(self, _: Real<'_>) -> Term {
        self.term
    }
}

impl IntoReal for f64 {
    fn real(self, like: Real<'_>) -> Term {
        let width = like.builder.width(like.term);
        let bits = if width == 32 { u64::from((self as f32).to_bits()) } else { self.to_bits() };
        like.builder.make(|t| t.constant(width, bits))
    }
}

impl<'a> Real<'a> {
    pub(super) fn with(self, op: Binary, other: impl IntoReal) -> Real<'a> {
        let other = other.real(self);
        Real { term: self.builder.make(|t| t.binary(op, self.term, other)), ..self }
    }

    fn compare(self, op: Binary, other: impl IntoReal) -> Condition<'a> {
        let Real { builder, term } = self.with(op, other);
        Condition { builder, term }
    }

    pub(super) fn constant(self, value: f64) -> Real<'a> {
        Real { term: value.real(self), ..self }
    }

    fn unary(self, op: Unary) -> Real<'a> {
        Real { term: self.builder.make(|t| t.unary(op, self.term)), ..self }
    }

    /// Equal, as IEEE numbers.
    pub(in crate::problems) fn is(self, other: impl IntoReal) -> Condition<'a> {
        self.compare(Binary::FEq, other)
    }

    /// Equal to the value that it has in the known solution.
    pub(in crate::problems) fn is_as_known(self) -> Condition<'a> {
        self.is(self.known())
    }

    /// The value that it has in the known solution.
    pub(in crate::problems) fn known(self) -> Real<'a> {
        let value = self.builder.value(self.term);
        let width = self.builder.width(self.term);
        Real { term: self.builder.make(|t| t.constant(width, value)), ..self }
    }

    pub(in crate::problems) fn lt(self, other: impl IntoReal) -> Condition<'a> {
        self.compare(Binary::FLt, other)
    }

    pub(in crate::problems) fn le(self, other: impl IntoReal) -> Condition<'a> {
        self.compare(Binary::FLe, other)
    }

    pub(in crate::problems) fn gt(self, other: impl IntoReal) -> Condition<'a> {
        let other = Real { term: other.real(self), ..self };
        other.lt(self)
    }

    pub(in crate::problems) fn ge(self, other: impl IntoReal) -> Condition<'a> {
        let other = Real { term: other.real(self), ..self };
        other.le(self)
    }

    /// Within a distance of a number.
    pub(in crate::problems) fn near(self, other: impl IntoReal, distance: f64) -> Condition<'a> {
        self.with(Binary::FSub, other).abs().lt(distance)
    }

    pub(in crate::problems) fn sqrt(self) -> Real<'a> {
        self.unary(Unary::FSqrt)
    }

    pub(in crate::problems) fn floor(self) -> Real<'a> {
        self.unary(Unary::FFloor)
    }

    /// The sign bit taken away.
    pub(in crate::problems) fn abs(self) -> Real<'a> {
        let width = self.builder.width(self.term);
        let magnitude = self.bits() & (coax_term::mask(width) >> 1) as i64;
        Real { term: magnitude.term, ..self }
    }

    pub(in crate::problems) fn squared(self) -> Real<'a> {
        self * self
    }

    /// A function that the solver knows only by its values.
    fn call(self, name: &str, more: &[Term]) -> Real<'a> {
        let mut arguments = vec![self.term];
        arguments.extend_from_slice(more);
        let term = self.builder.make(|t| {
            let function = t.function(name, library::width(name));
            t.apply(function, &arguments)
        });
        Real { term, ..self }
    }

    pub(in crate::problems) fn sin(self) -> Real<'a> {
        self.call("sin", &[])
    }

    pub(in crate::problems) fn cos(self) -> Real<'a> {
        self.call("cos", &[])
    }

    pub(in crate::problems) fn tan(self) -> Real<'a> {
        self.call("tan", &[])
    }

    pub(in crate::problems) fn asin(self) -> Real<'a> {
        self.call("asin", &[])
    }

    pub(in crate::problems) fn acos(self) -> Real<'a> {
        self.call("acos", &[])
    }

    pub(in crate::problems) fn atan(self) -> Real<'a> {
        self.call("atan", &[])
    }

    pub(in crate::problems) fn exp(self) -> Real<'a> {
        self.call("exp", &[])
    }

    pub(in crate::problems) fn log(self) -> Real<'a> {
        self.call("log", &[])
    }

    pub(in crate::problems) fn log10(self) -> Real<'a> {
        self.call("log10", &[])
    }

    pub(in crate::problems) fn sinf(self) -> Real<'a> {
        self.call("sinf", &[])
    }

    pub(in crate::problems) fn pow(self, exponent: impl IntoReal) -> Real<'a> {
        let exponent = exponent.real(self);
        self.call("pow", &[exponent])
    }

    /// `atan2(self, x)`.
    pub(in crate::problems) fn atan2(self, x: impl IntoReal) -> Real<'a> {
        let x = x.real(self);
        self.call("atan2", &[x])
    }

    /// The bits as an integer.
    pub(in crate::problems) fn bits(self) -> Int<'a> {
        Int { builder: self.builder, term: self.term }
    }

    pub(in crate::problems) fn promote(self) -> Real<'a> {
        self.unary(Unary::FPromote)
    }

    pub(in crate::problems) fn demote(self) -> Real<'a> {
        self.unary(Unary::FDemote)
    }

    /// Truncated to a 32-bit integer.
    pub(in crate::problems) fn to_int32(self) -> Int<'a> {
        self.unary(Unary::FToSigned32).bits()
    }

    /// Truncated to a 64-bit integer.
    pub(in crate::problems) fn to_int64(self) -> Int<'a> {
        self.unary(Unary::FToSigned64).bits()
    }
}

impl<'a> Neg for Real<'a> {
    type Output = Real<'a>;
    fn neg(self) -> Real<'a> {
        let width = self.builder.width(self.term);
        (self.bits() ^ 1i64.wrapping_shl(u32::from(width) - 1)).as_float()
    }
}
