//! The constructors: constants are folded, operands put in order, and the rules of `simplify` tried. Only if none fits
//! a node is made.

use crate::{Algebra, Binary, Node, Term, Terms, Unary, fold};

impl Algebra for Terms {
    type Value = Term;

    #[inline]
    fn width(&self, value: Term) -> u8 {
        self.width_of(value)
    }

    fn constant(&mut self, width: u8, bits: u64) -> Term {
        debug_assert!(bits <= fold::mask(width), "{bits} has more than {width} bits");
        self.intern(Node::Const { width, bits })
    }

    fn unary(&mut self, op: Unary, a: Term) -> Term {
        if let Some(bits) = self.as_constant(a) {
            let width = self.width_of(a);
            return self.constant(op.result_width(width), fold::unary(op, width, bits));
        }
        let simpler = if op == Unary::Not { self.simplify_not(a) } else { None };
        simpler.unwrap_or_else(|| self.intern(Node::Unary(op, a)))
    }

    fn binary(&mut self, op: Binary, a: Term, b: Term) -> Term {
        let width = self.width_of(a);
        debug_assert_eq!(width, self.width_of(b), "the operands of {op:?}");
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(op.result_width(width), fold::binary(op, width, x, y));
        }
        let (a, b) = if op.is_commutative() { self.in_order(a, b) } else { (a, b) };
        self.simplify_binary(op, a, b).unwrap_or_else(|| self.intern(Node::Binary(op, a, b)))
    }

    fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        debug_assert_eq!(self.width_of(condition), 1, "a condition");
        debug_assert_eq!(self.width_of(then), self.width_of(otherwise), "the arms of an ite");
        self.simplify_ite(condition, then, otherwise)
            .unwrap_or_else(|| self.intern(Node::Ite(condition, then, otherwise)))
    }

    fn extract(&mut self, a: Term, low: u8, width: u8) -> Term {
        debug_assert!(
            width > 0 && low + width <= self.width_of(a),
            "bits {low}+{width} of {}",
            self.width_of(a)
        );
        self.simplify_extract(a, low, width)
            .unwrap_or_else(|| self.intern(Node::Extract { low, width, term: a }))
    }

    fn zero_extend(&mut self, a: Term, width: u8) -> Term {
        debug_assert!(width >= self.width_of(a), "{} bits widened to {width}", self.width_of(a));
        self.simplify_zero_extend(a, width)
            .unwrap_or_else(|| self.intern(Node::ZeroExtend { width, term: a }))
    }

    fn sign_extend(&mut self, a: Term, width: u8) -> Term {
        debug_assert!(width >= self.width_of(a), "{} bits widened to {width}", self.width_of(a));
        self.simplify_sign_extend(a, width)
            .unwrap_or_else(|| self.intern(Node::SignExtend { width, term: a }))
    }

    fn concat(&mut self, high: Term, low: Term) -> Term {
        debug_assert!(self.width_of(high) + self.width_of(low) <= 64, "more than 64 bits side by side");
        self.simplify_concat(high, low).unwrap_or_else(|| self.intern(Node::Concat(high, low)))
    }
}

impl Terms {
    /// Operands that may change places, in the order that depends on nothing but their structure: constants last.
    #[inline]
    fn in_order(&self, a: Term, b: Term) -> (Term, Term) {
        let key = |t| (self.as_constant(t).is_some(), self.hash(t));
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }
}
