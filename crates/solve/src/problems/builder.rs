//! Writes problems as formulas: numbers with the usual operators, over an arena of terms.
//!
//! A variable is given with the value that it has in the known solution, so that constants of a formula can be computed from
//! it and every problem is known to be solvable.

use super::library::{self, Library};
use coax_term::{Algebra, Binary, Evaluator, Model, Term, Terms, Unary};
use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

/// What a problem is written into.
#[derive(Debug, Default)]
pub(super) struct Builder {
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    terms: Terms,
    conditions: Vec<Term>,
    solution: Model,
    hint: Model,
}

/// The finished parts of a problem.
pub(super) struct Parts {
    pub(super) terms: Terms,
    pub(super) conditions: Vec<Term>,
    pub(super) solution: Model,
    pub(super) hint: Model,
}

/// A float, 32 or 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Real<'a> {
    builder: &'a Builder,
    term: Term,
}

/// An integer: its operators are signed where that matters.
#[derive(Clone, Copy)]
pub(super) struct Int<'a> {
    builder: &'a Builder,
    term: Term,
}

/// Something that holds or not.
#[derive(Clone, Copy)]
pub(super) struct Condition<'a> {
    builder: &'a Builder,
    term: Term,
}

impl Builder {
    fn make(&self, make: impl FnOnce(&mut Terms) -> Term) -> Term {
        make(&mut self.state.borrow_mut().terms)
    }

    fn width(&self, term: Term) -> u8 {
        self.state.borrow().terms.width_of(term)
    }

    fn variable(&self, name: &str, width: u8, solution: u64, hint: u64) -> Term {
        let state = &mut *self.state.borrow_mut();
        let term = state.terms.symbol(name, width);
        let symbol = state.terms.find_symbol(name).expect("it was just made");
        state.solution.set(symbol, solution);
        state.hint.set(symbol, hint);
        term
    }

    /// A number whose bytes are symbols, the lowest first, as a program that reads its input has it.
    fn bytes(&self, name: &str, width: u8, solution: u64) -> Term {
        let byte = |i: u8| self.variable(&format!("{name}[{i}]"), 8, solution >> (8 * i) & 0xff, 0);
        let first = byte(0);
        (1..width / 8).fold(first, |low, i| {
            let high = byte(i);
            self.make(|t| t.concat(high, low))
        })
    }

    /// A 64-bit float that is 0 in the hint.
    pub(super) fn f64(&self, name: &str, solution: f64) -> Real<'_> {
        self.f64_from(name, solution, 0.0)
    }

    /// A 64-bit float with a starting point.
    pub(super) fn f64_from(&self, name: &str, solution: f64, hint: f64) -> Real<'_> {
        Real { builder: self, term: self.variable(name, 64, solution.to_bits(), hint.to_bits()) }
    }

    /// A 32-bit float that is 0 in the hint.
    pub(super) fn f32(&self, name: &str, solution: f32) -> Real<'_> {
        Real { builder: self, term: self.variable(name, 32, u64::from(solution.to_bits()), 0) }
    }

    /// A 64-bit float, read as eight bytes.
    pub(super) fn f64_bytes(&self, name: &str, solution: f64) -> Real<'_> {
        Real { builder: self, term: self.bytes(name, 64, solution.to_bits()) }
    }

    /// A 32-bit float, read as four bytes.
    pub(super) fn f32_bytes(&self, name: &str, solution: f32) -> Real<'_> {
        Real { builder: self, term: self.bytes(name, 32, u64::from(solution.to_bits())) }
    }

    /// An integer that is 0 in the hint.
    pub(super) fn int(&self, name: &str, width: u8, solution: i64) -> Int<'_> {
        let bits = solution as u64 & coax_term::mask(width);
        Int { builder: self, term: self.variable(name, width, bits, 0) }
    }

    /// An integer, read as bytes.
    pub(super) fn int_bytes(&self, name: &str, width: u8, solution: i64) -> Int<'_> {
        Int { builder: self, term: self.bytes(name, width, solution as u64 & coax_term::mask(width)) }
    }

    /// Adds a condition.
    pub(super) fn require(&self, condition: Condition<'_>) {
        self.state.borrow_mut().conditions.push(condition.term);
    }

    /// The value of a term at the known solution.
    fn value(&self, term: Term) -> u64 {
        let state = self.state.borrow();
        let mut library = Library::new(&state.terms);
        let value = Evaluator::new().eval_with(&state.terms, &state.solution, &mut library, term);
        value.expect("the library has every function of the problems")
    }

    pub(super) fn finish(self) -> Parts {
        let State { terms, conditions, solution, hint } = self.state.into_inner();
        Parts { terms, conditions, solution, hint }
    }
}

/// What can be an operand of a float operator.
pub(super) trait IntoReal {
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
    fn with(self, op: Binary, other: impl IntoReal) -> Real<'a> {
        let other = other.real(self);
        Real { term: self.builder.make(|t| t.binary(op, self.term, other)), ..self }
    }

    fn compare(self, op: Binary, other: impl IntoReal) -> Condition<'a> {
        let Real { builder, term } = self.with(op, other);
        Condition { builder, term }
    }

    fn constant(self, value: f64) -> Real<'a> {
        Real { term: value.real(self), ..self }
    }

    fn unary(self, op: Unary) -> Real<'a> {
        Real { term: self.builder.make(|t| t.unary(op, self.term)), ..self }
    }

    /// Equal, as IEEE numbers.
    pub(super) fn is(self, other: impl IntoReal) -> Condition<'a> {
        self.compare(Binary::FEq, other)
    }

    /// Equal to the value that it has in the known solution.
    pub(super) fn is_as_known(self) -> Condition<'a> {
        self.is(self.known())
    }

    /// The value that it has in the known solution.
    pub(super) fn known(self) -> Real<'a> {
        let value = self.builder.value(self.term);
        let width = self.builder.width(self.term);
        Real { term: self.builder.make(|t| t.constant(width, value)), ..self }
    }

    pub(super) fn lt(self, other: impl IntoReal) -> Condition<'a> {
        self.compare(Binary::FLt, other)
    }

    pub(super) fn le(self, other: impl IntoReal) -> Condition<'a> {
        self.compare(Binary::FLe, other)
    }

    pub(super) fn gt(self, other: impl IntoReal) -> Condition<'a> {
        let other = Real { term: other.real(self), ..self };
        other.lt(self)
    }

    pub(super) fn ge(self, other: impl IntoReal) -> Condition<'a> {
        let other = Real { term: other.real(self), ..self };
        other.le(self)
    }

    /// Within a distance of a number.
    pub(super) fn near(self, other: impl IntoReal, distance: f64) -> Condition<'a> {
        self.with(Binary::FSub, other).abs().lt(distance)
    }

    pub(super) fn sqrt(self) -> Real<'a> {
        self.unary(Unary::FSqrt)
    }

    pub(super) fn floor(self) -> Real<'a> {
        self.unary(Unary::FFloor)
    }

    /// The sign bit taken away.
    pub(super) fn abs(self) -> Real<'a> {
        let width = self.builder.width(self.term);
        let magnitude = self.bits() & (coax_term::mask(width) >> 1) as i64;
        Real { term: magnitude.term, ..self }
    }

    pub(super) fn squared(self) -> Real<'a> {
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

    pub(super) fn sin(self) -> Real<'a> {
        self.call("sin", &[])
    }

    pub(super) fn cos(self) -> Real<'a> {
        self.call("cos", &[])
    }

    pub(super) fn tan(self) -> Real<'a> {
        self.call("tan", &[])
    }

    pub(super) fn asin(self) -> Real<'a> {
        self.call("asin", &[])
    }

    pub(super) fn acos(self) -> Real<'a> {
        self.call("acos", &[])
    }

    pub(super) fn atan(self) -> Real<'a> {
        self.call("atan", &[])
    }

    pub(super) fn exp(self) -> Real<'a> {
        self.call("exp", &[])
    }

    pub(super) fn log(self) -> Real<'a> {
        self.call("log", &[])
    }

    pub(super) fn log10(self) -> Real<'a> {
        self.call("log10", &[])
    }

    pub(super) fn sinf(self) -> Real<'a> {
        self.call("sinf", &[])
    }

    pub(super) fn pow(self, exponent: impl IntoReal) -> Real<'a> {
        let exponent = exponent.real(self);
        self.call("pow", &[exponent])
    }

    /// `atan2(self, x)`.
    pub(super) fn atan2(self, x: impl IntoReal) -> Real<'a> {
        let x = x.real(self);
        self.call("atan2", &[x])
    }

    /// The bits as an integer.
    pub(super) fn bits(self) -> Int<'a> {
        Int { builder: self.builder, term: self.term }
    }

    pub(super) fn promote(self) -> Real<'a> {
        self.unary(Unary::FPromote)
    }

    pub(super) fn demote(self) -> Real<'a> {
        self.unary(Unary::FDemote)
    }

    /// Truncated to a 32-bit integer.
    pub(super) fn to_int32(self) -> Int<'a> {
        self.unary(Unary::FToSigned32).bits()
    }

    /// Truncated to a 64-bit integer.
    pub(super) fn to_int64(self) -> Int<'a> {
        self.unary(Unary::FToSigned64).bits()
    }
}

/// What can be an operand of an integer operator.
pub(super) trait IntoInt {
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
    fn with(self, op: Binary, other: impl IntoInt) -> Int<'a> {
        let other = other.int(self);
        Int { term: self.builder.make(|t| t.binary(op, self.term, other)), ..self }
    }

    fn compare(self, op: Binary, other: impl IntoInt) -> Condition<'a> {
        let Int { builder, term } = self.with(op, other);
        Condition { builder, term }
    }

    /// A constant of the same width.
    pub(super) fn constant(self, value: i64) -> Int<'a> {
        Int { term: value.int(self), ..self }
    }

    pub(super) fn is(self, other: impl IntoInt) -> Condition<'a> {
        self.compare(Binary::Eq, other)
    }

    /// Equal to the value that it has in the known solution.
    pub(super) fn is_as_known(self) -> Condition<'a> {
        self.is(self.known())
    }

    /// The value that it has in the known solution.
    pub(super) fn known(self) -> Int<'a> {
        self.constant(self.builder.value(self.term) as i64)
    }

    pub(super) fn lt(self, other: impl IntoInt) -> Condition<'a> {
        self.compare(Binary::Slt, other)
    }

    pub(super) fn le(self, other: impl IntoInt) -> Condition<'a> {
        self.compare(Binary::Sle, other)
    }

    pub(super) fn gt(self, other: impl IntoInt) -> Condition<'a> {
        !self.le(other)
    }

    pub(super) fn ge(self, other: impl IntoInt) -> Condition<'a> {
        !self.lt(other)
    }

    /// Less as unsigned numbers.
    pub(super) fn below(self, other: impl IntoInt) -> Condition<'a> {
        self.compare(Binary::Ult, other)
    }

    /// Divided as unsigned numbers: the remainder.
    pub(super) fn unsigned_rem(self, other: impl IntoInt) -> Int<'a> {
        self.with(Binary::URem, other)
    }

    /// Shifted right with copies of the sign bit.
    pub(super) fn shift_arithmetic(self, count: i64) -> Int<'a> {
        self.with(Binary::AShr, count)
    }

    pub(super) fn rotate_left(self, count: i64) -> Int<'a> {
        self.with(Binary::Rotl, count)
    }

    /// Widened with zeros.
    pub(super) fn zero_extend(self, width: u8) -> Int<'a> {
        Int { term: self.builder.make(|t| t.zero_extend(self.term, width)), ..self }
    }

    /// Widened with copies of the sign bit.
    pub(super) fn sign_extend(self, width: u8) -> Int<'a> {
        Int { term: self.builder.make(|t| t.sign_extend(self.term, width)), ..self }
    }

    /// The bits as a float.
    pub(super) fn as_float(self) -> Real<'a> {
        Real { builder: self.builder, term: self.term }
    }

    /// The nearest float.
    pub(super) fn to_f64(self) -> Real<'a> {
        Real { builder: self.builder, term: self.builder.make(|t| t.unary(Unary::SignedToF64, self.term)) }
    }
}

impl<'a> Condition<'a> {
    /// One integer or another.
    pub(super) fn choose(self, then: Int<'a>, otherwise: impl IntoInt) -> Int<'a> {
        let otherwise = otherwise.int(then);
        Int { term: self.builder.make(|t| t.ite(self.term, then.term, otherwise)), ..then }
    }

    /// One float or another.
    pub(super) fn choose_real(self, then: Real<'a>, otherwise: impl IntoReal) -> Real<'a> {
        let otherwise = otherwise.real(then);
        Real { term: self.builder.make(|t| t.ite(self.term, then.term, otherwise)), ..then }
    }
}

impl<'a> BitAnd for Condition<'a> {
    type Output = Condition<'a>;
    fn bitand(self, other: Condition<'a>) -> Condition<'a> {
        Condition { term: self.builder.make(|t| t.and(self.term, other.term)), ..self }
    }
}

impl<'a> BitOr for Condition<'a> {
    type Output = Condition<'a>;
    fn bitor(self, other: Condition<'a>) -> Condition<'a> {
        Condition { term: self.builder.make(|t| t.or(self.term, other.term)), ..self }
    }
}

impl<'a> Not for Condition<'a> {
    type Output = Condition<'a>;
    fn not(self) -> Condition<'a> {
        Condition { term: self.builder.make(|t| t.not(self.term)), ..self }
    }
}

macro_rules! operators {
    ($number:ident, $into:ident, $($operator:ident $method:ident $op:expr;)*) => {$(
        impl<'a, T: $into> $operator<T> for $number<'a> {
            type Output = $number<'a>;
            fn $method(self, other: T) -> $number<'a> {
                self.with($op, other)
            }
        }
    )*};
}

operators! { Real, IntoReal,
    Add add Binary::FAdd; Sub sub Binary::FSub; Mul mul Binary::FMul; Div div Binary::FDiv;
}

operators! { Int, IntoInt,
    Add add Binary::Add; Sub sub Binary::Sub; Mul mul Binary::Mul; Div div Binary::SDiv; Rem rem Binary::SRem;
    BitAnd bitand Binary::And; BitOr bitor Binary::Or; BitXor bitxor Binary::Xor; Shl shl Binary::Shl; Shr shr Binary::LShr;
}

macro_rules! constants_first {
    ($number:ident, $constant:ty, $make:expr, $($operator:ident $method:ident;)*) => {$(
        impl<'a> $operator<$number<'a>> for $constant {
            type Output = $number<'a>;
            fn $method(self, other: $number<'a>) -> $number<'a> {
                $make(other, self).$method(other)
            }
        }
    )*};
}

constants_first! { Real, f64, Real::constant, Add add; Sub sub; Mul mul; Div div; }
constants_first! { Int, i64, Int::constant, Add add; Sub sub; Mul mul; }

impl<'a> Neg for Real<'a> {
    type Output = Real<'a>;
    fn neg(self) -> Real<'a> {
        let width = self.builder.width(self.term);
        (self.bits() ^ 1i64.wrapping_shl(u32::from(width) - 1)).as_float()
    }
}
