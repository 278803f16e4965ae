//! Sums, differences, products, quotients. Constants move outwards, so that an address is a term plus one constant.

use crate::fold::{self, mask};
use crate::{Algebra, Binary, Term, Terms};

impl Terms {
    fn add_constant(&mut self, term: Term, bits: u64) -> Term {
        let width = self.width_of(term);
        let constant = self.constant(width, bits & mask(width));
        self.binary(Binary::Add, term, constant)
    }

    pub(super) fn simplify_add(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width_of(a);
        if let Some(c) = self.as_constant(b) {
            return self.simplify_add_constant(a, c);
        }
        if let Some((x, c)) = self.with_constant(Binary::Add, a) {
            let sum = self.binary(Binary::Add, x, b);
            return Some(self.add_constant(sum, c));
        }
        if let Some((y, c)) = self.with_constant(Binary::Add, b) {
            let sum = self.binary(Binary::Add, a, y);
            return Some(self.add_constant(sum, c));
        }
        if a == b {
            let one = self.constant(width, 1);
            return Some(self.binary(Binary::Shl, a, one));
        }
        match (self.as_binary(Binary::Sub, a), self.as_binary(Binary::Sub, b)) {
            (Some((x, y)), _) if y == b => return Some(x),
            (_, Some((x, y))) if y == a => return Some(x),
            _ => {}
        }
        // Nothing is carried where no bit is in both: bytes put together.
        let disjoint = self.possible_bits(a) & self.possible_bits(b) == 0;
        disjoint.then(|| self.binary(Binary::Or, a, b))
    }

    fn simplify_add_constant(&mut self, a: Term, c: u64) -> Option<Term> {
        let width = self.width_of(a);
        if c == 0 {
            return Some(a);
        }
        if let Some((x, d)) = self.with_constant(Binary::Add, a) {
            return Some(self.add_constant(x, c.wrapping_add(d)));
        }
        if let Some((first, x)) = self.as_binary(Binary::Sub, a)
            && let Some(d) = self.as_constant(first)
        {
            return Some(self.subtract_from(c.wrapping_add(d), x));
        }
        if let Some(x) = self.as_not(a)
            && width > 1
        {
            return Some(self.subtract_from(c.wrapping_sub(1), x));
        }
        (width == 1).then(|| self.not(a))
    }

    fn subtract_from(&mut self, c: u64, x: Term) -> Term {
        let width = self.width_of(x);
        let constant = self.constant(width, c & mask(width));
        self.binary(Binary::Sub, constant, x)
    }

    pub(super) fn simplify_sub(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width_of(a);
        if a == b {
            return Some(self.constant(width, 0));
        }
        if let Some(c) = self.as_constant(b) {
            return Some(self.add_constant(a, c.wrapping_neg()));
        }
        if let Some((y, c)) = self.with_constant(Binary::Add, b) {
            let difference = self.binary(Binary::Sub, a, y);
            return Some(self.add_constant(difference, c.wrapping_neg()));
        }
        if let Some((first, y)) = self.as_binary(Binary::Sub, b)
            && let Some(c) = self.as_constant(first)
        {
            let sum = self.binary(Binary::Add, a, y);
            return Some(self.add_constant(sum, c.wrapping_neg()));
        }
        if let Some(c) = self.as_constant(a) {
            if c == mask(width) {
                return Some(self.not(b));
            }
            let inner = self.as_not(b)?;
            return Some(self.add_constant(inner, c.wrapping_add(1)));
        }
        if let Some((x, c)) = self.with_constant(Binary::Add, a) {
            let difference = self.binary(Binary::Sub, x, b);
            return Some(self.add_constant(difference, c));
        }
        match self.as_binary(Binary::Add, a) {
            Some((x, y)) if y == b => Some(x),
            Some((x, y)) if x == b => Some(y),
            _ => None,
        }
    }

    pub(super) fn simplify_mul(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width_of(a);
        let c = self.as_constant(b)?;
        if c == 0 {
            return Some(b);
        }
        if c.is_power_of_two() {
            let count = self.constant(width, u64::from(c.trailing_zeros()));
            return Some(self.binary(Binary::Shl, a, count));
        }
        if c == mask(width) {
            return Some(self.subtract_from(0, a));
        }
        let (x, d) = self.with_constant(Binary::Mul, a)?;
        let product = self.constant(width, fold::binary(Binary::Mul, width, c, d));
        Some(self.binary(Binary::Mul, x, product))
    }

    pub(super) fn simplify_division(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let width = self.width_of(a);
        if op == Binary::URem && self.range(a).high < self.range(b).low {
            return Some(a);
        }
        let c = self.as_constant(b)?;
        match (op, c) {
            (Binary::UDiv, 0) => Some(self.constant(width, mask(width))),
            (Binary::URem | Binary::SRem, 0) => Some(a),
            // With one bit, 1 is -1.
            (Binary::SDiv, 1) => Some(a),
            (Binary::SRem, 1) => Some(self.constant(width, 0)),
            (Binary::UDiv, _) if c.is_power_of_two() => {
                let count = self.constant(width, u64::from(c.trailing_zeros()));
                Some(self.binary(Binary::LShr, a, count))
            }
            (Binary::URem, _) if c.is_power_of_two() => {
                let low_bits = self.constant(width, c - 1);
                Some(self.binary(Binary::And, a, low_bits))
            }
            // Where nothing is negative there is no sign to mind.
            (Binary::SDiv | Binary::SRem, _) if self.range(a).high.max(c) <= mask(width) >> 1 => {
                let unsigned = if op == Binary::SDiv { Binary::UDiv } else { Binary::URem };
                Some(self.binary(unsigned, a, b))
            }
            _ => None,
        }
    }
}
