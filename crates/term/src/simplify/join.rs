//! Bitwise operators on operands that are made of pieces: each piece by itself, where that makes something simpler.
//!
//! Programs read a number as bytes that are shifted and or-ed; this turns it back into one concat.

use crate::fold::{self, mask};
use crate::{Algebra, Binary, Node, Term, Terms};

impl Terms {
    /// A mask of all bits that some value of the term may have, each piece of it looked at.
    pub(super) fn possible_bits(&self, term: Term) -> u64 {
        match self.node(term) {
            Node::Concat(high, low) => {
                self.possible_bits(high) << self.width_of(low) | self.possible_bits(low)
            }
            Node::ZeroExtend { term, .. } => self.possible_bits(term),
            Node::SignExtend { width, term } => {
                fold::sign_extend(self.width_of(term), self.possible_bits(term), width)
            }
            _ => self.range(term).possible_bits(),
        }
    }

    /// Upper and lower part of a concat, be it sign-extended: then the upper part is.
    fn halves(&mut self, term: Term) -> Option<(Term, Term)> {
        let Some(inner) = self.as_sign_extend(term) else { return self.as_concat(term) };
        let (high, low) = self.as_concat(inner)?;
        let above = self.sign_extend(high, self.width_of(term) - self.width_of(low));
        Some((above, low))
    }

    /// A bitwise operator with a constant, on the parts of a concat or an extended term.
    pub(super) fn push_constant(&mut self, op: Binary, a: Term, c: u64) -> Option<Term> {
        let width = self.width_of(a);
        if let Some((high, low)) = self.halves(a) {
            let low_width = self.width_of(low);
            let above = self.with_bits(op, high, c >> low_width);
            let below = self.with_bits(op, low, c & mask(low_width));
            return Some(self.concat(above, below));
        }
        let inner = self.as_zero_extend(a)?;
        let from = self.width_of(inner);
        let below = self.with_bits(op, inner, c & mask(from));
        let above = fold::binary(op, width - from, 0, c >> from);
        let above = self.constant(width - from, above);
        Some(self.concat(above, below))
    }

    fn with_bits(&mut self, op: Binary, term: Term, bits: u64) -> Term {
        let width = self.width_of(term);
        let constant = self.constant(width, bits);
        self.binary(op, term, constant)
    }

    /// A bitwise operator on two terms that fall into the same parts, one of which is constant.
    pub(super) fn join_halves(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let width = self.width_of(a);
        match (self.as_zero_extend(a), self.as_zero_extend(b)) {
            (Some(x), Some(y)) => {
                let wide = self.width_of(x).max(self.width_of(y));
                let (x, y) = (self.zero_extend(x, wide), self.zero_extend(y, wide));
                let both = self.binary(op, x, y);
                return Some(self.zero_extend(both, width));
            }
            (Some(x), None) => return self.join_extended(op, b, x),
            (None, Some(y)) => return self.join_extended(op, a, y),
            (None, None) => {}
        }
        let ((high, low), (other_high, other_low)) = (self.halves(a)?, self.halves(b)?);
        let is_constant = |t| self.as_constant(t).is_some();
        let simpler = [high, low, other_high, other_low].into_iter().any(is_constant);
        if self.width_of(low) != self.width_of(other_low) || !simpler {
            return None;
        }
        let (above, below) = (self.binary(op, high, other_high), self.binary(op, low, other_low));
        Some(self.concat(above, below))
    }

    /// A bitwise operator on a concat and a zero-extended term that reaches no further than its lower part, or into
    /// a constant, which can be cut.
    fn join_extended(&mut self, op: Binary, concat: Term, extended: Term) -> Option<Term> {
        let (high, low) = self.halves(concat)?;
        let low_width = self.width_of(low);
        let reach = self.width_of(extended);
        let (high, low) = if reach <= low_width {
            (high, low)
        } else {
            self.as_constant(high)?;
            let cut = reach - low_width;
            let above = self.extract(high, cut, self.width_of(high) - cut);
            let below = self.extract(high, 0, cut);
            (above, self.concat(below, low))
        };
        let above = self.with_bits(op, high, 0);
        let extended = self.zero_extend(extended, self.width_of(low));
        let below = self.binary(op, low, extended);
        Some(self.concat(above, below))
    }
}
