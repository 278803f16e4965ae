//! Not, and, or, xor. A mask of neighbouring bits is pieces; operands with known zeros are taken apart.

use crate::fold::mask;
use crate::{Algebra, Binary, Node, Term, Terms};

impl Terms {
    pub(crate) fn simplify_not(&mut self, a: Term) -> Option<Term> {
        use Binary::*;
        let width = self.width_of(a);
        if let Some(inner) = self.as_not(a) {
            return Some(inner);
        }
        match self.node(a) {
            Node::Binary(Ult, x, y) => Some(self.binary(Ule, y, x)),
            Node::Binary(Ule, x, y) => Some(self.binary(Ult, y, x)),
            Node::Binary(Slt, x, y) => Some(self.binary(Sle, y, x)),
            Node::Binary(Sle, x, y) => Some(self.binary(Slt, y, x)),
            Node::SignExtend { width, term } => {
                let inner = self.not(term);
                Some(self.sign_extend(inner, width))
            }
            Node::Binary(op @ (Xor | Add), x, y) => {
                let c = self.as_constant(y)?;
                let flipped = self.constant(width, !c & mask(width));
                Some(if op == Xor { self.binary(Xor, x, flipped) } else { self.binary(Sub, flipped, x) })
            }
            Node::Binary(Sub, x, y) => {
                let c = self.as_constant(x)?;
                let flipped = self.constant(width, !c & mask(width));
                Some(self.binary(Add, y, flipped))
            }
            _ => None,
        }
    }

    pub(super) fn simplify_and(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width_of(a);
        if a == b {
            return Some(a);
        }
        if self.are_complements(a, b) {
            return Some(self.constant(width, 0));
        }
        if let Some(c) = self.as_constant(b) {
            return self.simplify_mask(a, c);
        }
        if let (Some(x), Some(y)) = (self.as_zero_extend(a), self.as_zero_extend(b)) {
            let narrow = self.width_of(x).min(self.width_of(y));
            let (x, y) = (self.extract(x, 0, narrow), self.extract(y, 0, narrow));
            let both = self.and(x, y);
            return Some(self.zero_extend(both, width));
        }
        self.join_halves(Binary::And, a, b)
    }

    fn simplify_mask(&mut self, a: Term, c: u64) -> Option<Term> {
        let width = self.width_of(a);
        let possible = self.possible_bits(a);
        if c & possible == possible {
            return Some(a);
        }
        if c & possible == 0 {
            return Some(self.constant(width, 0));
        }
        if let Some((x, d)) = self.with_constant(Binary::And, a) {
            let both = self.constant(width, c & d);
            return Some(self.and(x, both));
        }
        for run in [c, c & possible] {
            let low = run.trailing_zeros() as u8;
            let count = run.count_ones() as u8;
            if run >> low == mask(count) {
                let bits = self.extract(a, low, count);
                let bits = if low == 0 {
                    bits
                } else {
                    let zeros = self.constant(low, 0);
                    self.concat(bits, zeros)
                };
                return Some(self.zero_extend(bits, width));
            }
        }
        if c & possible != c {
            let needed = self.constant(width, c & possible);
            return Some(self.and(a, needed));
        }
        self.push_constant(Binary::And, a, c)
    }

    pub(super) fn simplify_or_xor(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let width = self.width_of(a);
        if a == b {
            return Some(if op == Binary::Or { a } else { self.constant(width, 0) });
        }
        if self.are_complements(a, b) {
            return Some(self.constant(width, mask(width)));
        }
        if let Some(c) = self.as_constant(b) {
            if c == 0 {
                return Some(a);
            }
            if c == mask(width) {
                return Some(if op == Binary::Or { b } else { self.not(a) });
            }
            if let Some((x, d)) = self.with_constant(op, a) {
                let both = self.constant(width, if op == Binary::Or { c | d } else { c ^ d });
                return Some(self.binary(op, x, both));
            }
            if op == Binary::Xor
                && let Some(x) = self.as_not(a)
            {
                let flipped = self.constant(width, !c & mask(width));
                return Some(self.binary(Binary::Xor, x, flipped));
            }
            return self.push_constant(op, a, c);
        }
        if op == Binary::Xor
            && let (Some(x), Some(y)) = (self.as_not(a), self.as_not(b))
        {
            return Some(self.binary(op, x, y));
        }
        self.join_halves(op, a, b)
    }
}
