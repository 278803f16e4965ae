//! Numbers that may have a term: the algebra of a replay.
//!
//! As long as no operand has a term nothing but the number is computed; the arena is not touched.

use coax_term::{Algebra, Binary, Bits, Concrete, Term, Terms, Unary};

/// A number, and its term if it depends on the input. Two words, so that it is passed in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixed {
    pub(super) bits: u64,
    /// The width, and the term in the upper half.
    packed: u64,
}

impl Mixed {
    #[inline]
    pub(super) fn new(width: u8, bits: u64, term: Option<Term>) -> Self {
        Mixed { bits, packed: u64::from(Term::pack(term)) << 32 | u64::from(width) }
    }

    #[inline]
    pub(super) fn number(width: u8, bits: u64) -> Self {
        Mixed { bits, packed: u64::from(width) }
    }

    #[inline]
    pub(super) fn width(self) -> u8 {
        self.packed as u8
    }

    #[inline]
    pub(super) fn term(self) -> Option<Term> {
        Term::unpack((self.packed >> 32) as u32)
    }

    /// The number alone.
    #[inline]
    pub(super) fn without_term(self) -> Self {
        Mixed::number(self.width(), self.bits)
    }

    #[inline]
    fn plain(self) -> Bits {
        Bits { width: self.width(), bits: self.bits }
    }
}

/// Computes numbers and terms at once.
pub(super) struct Mixing<'a>(pub(super) &'a mut Terms);

impl Mixing<'_> {
    /// The term of a value, a constant if it has no other.
    #[inline]
    pub(super) fn term(&mut self, value: Mixed) -> Term {
        value.term().unwrap_or_else(|| self.0.constant(value.width(), value.bits))
    }

    /// A value with that term, unless it is a constant.
    #[inline]
    fn with(&self, Bits { width, bits }: Bits, term: Term) -> Mixed {
        let constant = self.0.as_constant(term);
        debug_assert!(constant.is_none_or(|constant| constant == bits), "a term differs from its value");
        Mixed::new(width, bits, constant.is_none().then_some(term))
    }
}

impl Algebra for Mixing<'_> {
    type Value = Mixed;

    #[inline]
    fn width(&self, value: Mixed) -> u8 {
        value.width()
    }

    #[inline]
    fn constant(&mut self, width: u8, bits: u64) -> Mixed {
        Mixed::number(width, bits)
    }

    #[inline]
    fn unary(&mut self, op: Unary, a: Mixed) -> Mixed {
        let value = Concrete.unary(op, a.plain());
        match a.term() {
            None => Mixed::number(value.width, value.bits),
            Some(a) => {
                let term = self.0.unary(op, a);
                self.with(value, term)
            }
        }
    }

    #[inline]
    fn binary(&mut self, op: Binary, a: Mixed, b: Mixed) -> Mixed {
        let value = Concrete.binary(op, a.plain(), b.plain());
        if a.term().is_none() && b.term().is_none() {
            return Mixed::number(value.width, value.bits);
        }
        let (a, b) = (self.term(a), self.term(b));
        let term = self.0.binary(op, a, b);
        self.with(value, term)
    }

    #[inline]
    fn ite(&mut self, condition: Mixed, then: Mixed, otherwise: Mixed) -> Mixed {
        let chosen = if condition.bits != 0 { then } else { otherwise };
        if condition.term().is_none() {
            return chosen;
        }
        let [condition, then, otherwise] = [condition, then, otherwise].map(|value| self.term(value));
        let term = self.0.ite(condition, then, otherwise);
        self.with(chosen.plain(), term)
    }

    #[inline]
    fn extract(&mut self, a: Mixed, low: u8, width: u8) -> Mixed {
        let value = Concrete.extract(a.plain(), low, width);
        match a.term() {
            None => Mixed::number(value.width, value.bits),
            Some(a) => {
                let term = self.0.extract(a, low, width);
                self.with(value, term)
            }
        }
    }

    #[inline]
    fn zero_extend(&mut self, a: Mixed, width: u8) -> Mixed {
        let value = Concrete.zero_extend(a.plain(), width);
        match a.term() {
            None => Mixed::number(value.width, value.bits),
            Some(a) => {
                let term = self.0.zero_extend(a, width);
                self.with(value, term)
            }
        }
    }

    #[inline]
    fn sign_extend(&mut self, a: Mixed, width: u8) -> Mixed {
        let value = Concrete.sign_extend(a.plain(), width);
        match a.term() {
            None => Mixed::number(value.width, value.bits),
            Some(a) => {
                let term = self.0.sign_extend(a, width);
                self.with(value, term)
            }
        }
    }

    #[inline]
    fn concat(&mut self, high: Mixed, low: Mixed) -> Mixed {
        let value = Concrete.concat(high.plain(), low.plain());
        if high.term().is_none() && low.term().is_none() {
            return Mixed::number(value.width, value.bits);
        }
        let (high, low) = (self.term(high), self.term(low));
        let term = self.0.concat(high, low);
        self.with(value, term)
    }
}
