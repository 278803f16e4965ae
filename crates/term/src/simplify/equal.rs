//! Equality. Against a constant, operators that can be undone are undone, one after the other.

use crate::fold::{self, mask};
use crate::{Algebra, Binary, Node, Term, Terms, Unary};

/// What an equation with a constant turns into when its outermost operator is undone.
enum Undone {
    Equation(Term, u64),
    Never,
    Term(Term),
}

impl Terms {
    pub(super) fn simplify_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.truth());
        }
        if self.are_complements(a, b) || self.range(a).is_disjoint(self.range(b)) {
            return Some(self.falsity());
        }
        match self.as_constant(b) {
            Some(c) => self.simplify_eq_constant(a, c),
            None => self.simplify_eq_terms(a, b),
        }
    }

    /// A loop, not a recursion: the operators to undo may be many.
    fn simplify_eq_constant(&mut self, a: Term, c: u64) -> Option<Term> {
        let (mut term, mut value) = (a, c);
        loop {
            if !self.range(term).contains(value) {
                return Some(self.falsity());
            }
            match self.undo(term, value) {
                Some(Undone::Equation(inner, inner_value)) => (term, value) = (inner, inner_value),
                Some(Undone::Never) => return Some(self.falsity()),
                Some(Undone::Term(condition)) => return Some(condition),
                None if term == a => return None,
                None => {
                    let constant = self.constant(self.width_of(term), value);
                    return Some(self.eq(term, constant));
                }
            }
        }
    }

    fn undo(&mut self, term: Term, c: u64) -> Option<Undone> {
        let width = self.width_of(term);
        let mask = mask(width);
        if width == 1 {
            return Some(Undone::Term(if c == 1 { term } else { self.not(term) }));
        }
        match self.node(term) {
            Node::Unary(Unary::Not, x) => Some(Undone::Equation(x, !c & mask)),
            Node::Binary(op, x, y) => self.undo_binary(op, x, y, c),
            Node::ZeroExtend { term: x, .. } => Some(Undone::Equation(x, c)),
            Node::SignExtend { term: x, .. } => {
                let from = self.width_of(x);
                let inner = c & fold::mask(from);
                let fits = fold::sign_extend(from, inner, width) == c;
                Some(if fits { Undone::Equation(x, inner) } else { Undone::Never })
            }
            Node::Concat(high, low) => {
                let low_width = self.width_of(low);
                let (above, below) = (c >> low_width, c & fold::mask(low_width));
                if let Some(known) = self.as_constant(high) {
                    return Some(if known == above { Undone::Equation(low, below) } else { Undone::Never });
                }
                let known = self.as_constant(low)?;
                Some(if known == below { Undone::Equation(high, above) } else { Undone::Never })
            }
            Node::Ite(condition, then, otherwise) => {
                let (x, y) = (self.as_constant(then)?, self.as_constant(otherwise)?);
                Some(if x == c {
                    Undone::Term(condition)
                } else if y == c {
                    Undone::Term(self.not(condition))
                } else {
                    Undone::Never
                })
            }
            _ => None,
        }
    }

    fn undo_binary(&mut self, op: Binary, x: Term, y: Term, c: u64) -> Option<Undone> {
        let width = self.width_of(x);
        let mask = mask(width);
        if let Some(d) = self.as_constant(y) {
            return match op {
                Binary::Add => Some(Undone::Equation(x, c.wrapping_sub(d) & mask)),
                Binary::Xor => Some(Undone::Equation(x, c ^ d)),
                Binary::Mul if d & 1 == 1 => Some(Undone::Equation(x, c.wrapping_mul(inverse(d)) & mask)),
                _ => None,
            };
        }
        match op {
            Binary::Sub if self.as_constant(x).is_some() => {
                let d = self.as_constant(x)?;
                Some(Undone::Equation(y, d.wrapping_sub(c) & mask))
            }
            Binary::Sub | Binary::Xor if c == 0 => Some(Undone::Term(self.eq(x, y))),
            _ => None,
        }
    }

    fn simplify_eq_terms(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.node(a), self.node(b)) {
            (Node::ZeroExtend { term: x, .. }, Node::ZeroExtend { term: y, .. }) => {
                let width = self.width_of(x).max(self.width_of(y));
                let (x, y) = (self.zero_extend(x, width), self.zero_extend(y, width));
                Some(self.eq(x, y))
            }
            (Node::SignExtend { term: x, .. }, Node::SignExtend { term: y, .. }) => {
                let width = self.width_of(x).max(self.width_of(y));
                let (x, y) = (self.sign_extend(x, width), self.sign_extend(y, width));
                Some(self.eq(x, y))
            }
            (Node::Concat(high, low), Node::Concat(other_high, other_low)) if high == other_high => {
                Some(self.eq(low, other_low))
            }
            (Node::Concat(high, low), Node::Concat(other_high, other_low)) if low == other_low => {
                Some(self.eq(high, other_high))
            }
            (Node::Unary(Unary::Not, x), Node::Unary(Unary::Not, y)) => Some(self.eq(x, y)),
            (Node::Binary(Binary::Add, x, c), Node::Binary(Binary::Add, y, d))
                if c == d && self.as_constant(c).is_some() =>
            {
                Some(self.eq(x, y))
            }
            _ => None,
        }
    }
}

/// The inverse of an odd number modulo 2^64: each round doubles the number of right bits, beginning with 3.
fn inverse(odd: u64) -> u64 {
    (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
}
