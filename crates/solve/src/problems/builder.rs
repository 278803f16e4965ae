//! Writes problems as formulas: numbers with the usual operators, over an arena of terms.
//!
//! A variable is given with the value that it has in the known solution, so that constants of a formula can be computed from
//! it and every problem is known to be solvable.

mod int;
mod real;

use super::library::Library;
use coax_term::{Algebra, Binary, Evaluator, Model, Term, Terms};
pub(super) use int::IntoInt;
pub(super) use real::IntoReal;
use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Rem, Shl, Shr, Sub};

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
