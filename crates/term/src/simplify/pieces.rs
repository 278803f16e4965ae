//! Extract, concat and extensions: bits taken apart and put together again.
//!
//! What was stored byte by byte is the same term when it is loaded. Therefore bits are not extracted from inside of
//! arithmetic, and a piece that is known to be constant still finds its neighbours again.

use crate::range_of::extract as range_of_piece;
use crate::{Algebra, Node, Term, Terms, fold};

impl Terms {
    pub(crate) fn simplify_extract(&mut self, a: Term, low: u8, width: u8) -> Option<Term> {
        match self.node(a) {
            _ if width == self.width_of(a) => Some(a),
            Node::Const { bits, .. } => Some(self.constant(width, fold::extract(bits, low, width))),
            Node::Extract { low: below, term, .. } => Some(self.extract(term, below + low, width)),
            Node::Concat(high, rest) => {
                let split = self.width_of(rest);
                if low >= split {
                    return Some(self.extract(high, low - split, width));
                }
                if low + width <= split {
                    return Some(self.extract(rest, low, width));
                }
                let above = self.extract(high, 0, low + width - split);
                let below = self.extract(rest, low, split - low);
                Some(self.concat(above, below))
            }
            Node::ZeroExtend { term, .. } => {
                let from = self.width_of(term);
                if low >= from {
                    return Some(self.constant(width, 0));
                }
                let bits = self.extract(term, low, width.min(from - low));
                Some(self.zero_extend(bits, width))
            }
            Node::SignExtend { term, .. } => {
                let from = self.width_of(term);
                let low = low.min(from - 1);
                let bits = self.extract(term, low, width.min(from - low));
                Some(self.sign_extend(bits, width))
            }
            _ => None,
        }
    }

    pub(crate) fn simplify_zero_extend(&mut self, a: Term, width: u8) -> Option<Term> {
        let from = self.width_of(a);
        match self.node(a) {
            _ if width == from => Some(a),
            Node::Const { bits, .. } => Some(self.constant(width, bits)),
            Node::ZeroExtend { term, .. } => Some(self.zero_extend(term, width)),
            Node::Extract { low, term, .. } => {
                // The zeros may have been there all the time.
                let more = (width - from).min(self.width_of(term) - from - low);
                if more == 0 || self.known_piece(term, low + from, more) != Some(0) {
                    return None;
                }
                let bits = self.extract(term, low, from + more);
                Some(self.zero_extend(bits, width))
            }
            _ => None,
        }
    }

    pub(crate) fn simplify_sign_extend(&mut self, a: Term, width: u8) -> Option<Term> {
        let from = self.width_of(a);
        match self.node(a) {
            _ if width == from => Some(a),
            Node::Const { bits, .. } => Some(self.constant(width, fold::sign_extend(from, bits, width))),
            Node::SignExtend { term, .. } => Some(self.sign_extend(term, width)),
            _ if self.range(a).high < 1 << (from - 1) => Some(self.zero_extend(a, width)),
            _ => None,
        }
    }

    pub(crate) fn simplify_concat(&mut self, high: Term, low: Term) -> Option<Term> {
        let (high_width, low_width) = (self.width_of(high), self.width_of(low));
        let width = high_width + low_width;
        match self.node(high) {
            Node::Const { bits: 0, .. } => return Some(self.zero_extend(low, width)),
            Node::ZeroExtend { term, .. } => {
                let bits = self.concat(term, low);
                return Some(self.zero_extend(bits, width));
            }
            Node::SignExtend { term, .. } => {
                let bits = self.concat(term, low);
                return Some(self.sign_extend(bits, width));
            }
            Node::Concat(above, below) => {
                let rest = self.concat(below, low);
                return Some(self.concat(above, rest));
            }
            _ => {}
        }
        if let Some(merged) = self.merge(high, low) {
            return Some(merged);
        }
        match self.node(low) {
            Node::Concat(first, rest) => {
                let merged = self.merge(high, first)?;
                Some(self.concat(merged, rest))
            }
            Node::ZeroExtend { term, .. } => {
                let bits = self.as_constant(high)?;
                let zeros = low_width - self.width_of(term);
                let above = self.constant(high_width + zeros, bits << zeros);
                Some(self.concat(above, term))
            }
            _ => None,
        }
        .or_else(|| self.is_sign_of(high, low).then(|| self.sign_extend(low, width)))
    }

    /// Two neighbours as one piece of the term they are from; a constant is from there if its bits are known there.
    fn merge(&mut self, high: Term, low: Term) -> Option<Term> {
        let (high_width, low_width) = (self.width_of(high), self.width_of(low));
        let width = high_width + low_width;
        match (self.node(high), self.node(low)) {
            (Node::Const { bits: above, .. }, Node::Const { bits: below, .. }) => {
                Some(self.constant(width, fold::concat(above, below, low_width)))
            }
            (Node::Extract { low: i, term: x, .. }, Node::Extract { low: j, term: y, .. })
                if x == y && j + low_width == i =>
            {
                Some(self.extract(x, j, width))
            }
            (Node::Const { bits, .. }, Node::Extract { low, term, .. })
                if low + width <= self.width_of(term)
                    && self.known_piece(term, low + low_width, high_width) == Some(bits) =>
            {
                Some(self.extract(term, low, width))
            }
            (Node::Extract { low, term, .. }, Node::Const { bits, .. })
                if low >= low_width && self.known_piece(term, low - low_width, low_width) == Some(bits) =>
            {
                Some(self.extract(term, low - low_width, width))
            }
            _ => None,
        }
    }

    /// The value of some bits of a term, if its range tells.
    fn known_piece(&self, term: Term, low: u8, width: u8) -> Option<u64> {
        range_of_piece(self.range(term), low, width).only()
    }

    /// Whether the first, one bit, is the highest bit of the second.
    fn is_sign_of(&self, bit: Term, term: Term) -> bool {
        if self.width_of(bit) != 1 {
            return false;
        }
        let mut term = term;
        loop {
            match self.node(term) {
                _ if bit == term => return true,
                Node::SignExtend { term: inner, .. } | Node::Concat(inner, _) => term = inner,
                Node::Extract { low, width, term: inner } => return self.is_bit(bit, inner, low + width - 1),
                _ => return self.is_bit(bit, term, self.width_of(term) - 1),
            }
        }
    }

    fn is_bit(&self, bit: Term, of: Term, at: u8) -> bool {
        matches!(self.node(bit), Node::Extract { low, width: 1, term } if term == of && low == at)
    }
}
