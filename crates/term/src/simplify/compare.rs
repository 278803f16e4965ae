//! Orders. What ranges decide is decided; a constant is on the right of `<` and on the left of `<=`, so that each
//! is the other's negation; extended operands are compared without the extension.

use crate::fold::{self, mask};
use crate::{Algebra, Binary, Node, Term, Terms};

impl Terms {
    pub(super) fn simplify_unsigned(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let is_strict = op == Binary::Ult;
        if a == b {
            return Some(self.constant(1, u64::from(!is_strict)));
        }
        let (x, y) = (self.range(a), self.range(b));
        if x.high < y.low || (!is_strict && x.high == y.low) {
            return Some(self.truth());
        }
        if x.low > y.high || (is_strict && x.low == y.high) {
            return Some(self.falsity());
        }
        if let Some(narrow) = self.compare_narrow(op, a, b, false) {
            return Some(narrow);
        }
        let (rest, by) = if is_strict { (a, b) } else { (b, a) };
        if let Node::Binary(Binary::URem, _, of) = self.node(rest)
            && of == by
        {
            let is_zero = self.is_value(by, 0);
            return Some(if is_strict { self.not(is_zero) } else { is_zero });
        }
        // Neither overflows: the ranges would have decided.
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(c), _) if is_strict => Some(self.compare_constant(Binary::Ule, b, c + 1)),
            (_, Some(c)) if !is_strict => Some(self.compare_constant(Binary::Ult, a, c + 1)),
            (_, Some(c)) if c - x.low <= x.step => Some(self.is_value(a, x.low)),
            (_, Some(c)) if x.high - c < x.step => {
                let last = self.is_value(a, x.high);
                Some(self.not(last))
            }
            (Some(c), _) if c - y.low <= y.step => {
                let first = self.is_value(b, y.low);
                Some(self.not(first))
            }
            (Some(c), _) if y.high - c < y.step => Some(self.is_value(b, y.high)),
            _ => None,
        }
    }

    pub(super) fn simplify_signed(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let is_strict = op == Binary::Slt;
        let width = self.width_of(a);
        if a == b {
            return Some(self.constant(1, u64::from(!is_strict)));
        }
        let ((low, high), (other_low, other_high)) = (self.signed_bounds(a), self.signed_bounds(b));
        if high < other_low || (!is_strict && high == other_low) {
            return Some(self.truth());
        }
        if low > other_high || (is_strict && low == other_high) {
            return Some(self.falsity());
        }
        // The same sign: the order of unsigned numbers is the same.
        let same_sign = (low >= 0 && other_low >= 0) || (high < 0 && other_high < 0);
        if same_sign {
            return Some(self.binary(if is_strict { Binary::Ult } else { Binary::Ule }, a, b));
        }
        if let Some(narrow) = self.compare_narrow(op, a, b, true) {
            return Some(narrow);
        }
        let (rest, by) = if is_strict { (a, b) } else { (b, a) };
        if let Node::Binary(Binary::SRem, whole, of) = self.node(rest)
            && of == by
        {
            // What is left is nearer to zero than what it was divided by, whatever the signs; by zero all is left.
            let zero = self.constant(width, 0);
            let is_zero = self.eq(by, zero);
            let (all, part) = (self.binary(Binary::Slt, whole, zero), self.binary(Binary::Slt, zero, by));
            let is_less = self.ite(is_zero, all, part);
            return Some(if is_strict { is_less } else { self.not(is_less) });
        }
        let value = |c: u64| fold::signed(width, c);
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(c), _) if is_strict => {
                Some(self.compare_constant(Binary::Sle, b, c.wrapping_add(1) & mask(width)))
            }
            (_, Some(c)) if !is_strict => {
                Some(self.compare_constant(Binary::Slt, a, c.wrapping_add(1) & mask(width)))
            }
            (_, Some(c)) if value(c) == low + 1 => Some(self.is_value(a, low as u64 & mask(width))),
            (_, Some(c)) if value(c) == high => {
                let last = self.is_value(a, c);
                Some(self.not(last))
            }
            (Some(c), _) if value(c) == other_low + 1 => {
                let first = self.is_value(b, other_low as u64 & mask(width));
                Some(self.not(first))
            }
            (Some(c), _) if value(c) == other_high => Some(self.is_value(b, c)),
            _ => None,
        }
    }

    /// `term < c` or `c <= term`.
    fn compare_constant(&mut self, op: Binary, term: Term, c: u64) -> Term {
        let constant = self.constant(self.width_of(term), c);
        match op {
            Binary::Ult | Binary::Slt => self.binary(op, term, constant),
            _ => self.binary(op, constant, term),
        }
    }

    fn is_value(&mut self, term: Term, value: u64) -> Term {
        let constant = self.constant(self.width_of(term), value);
        self.eq(term, constant)
    }

    /// The least and greatest value as signed numbers.
    fn signed_bounds(&self, term: Term) -> (i64, i64) {
        let width = self.width_of(term);
        let range = self.range(term);
        let sign = 1 << (width - 1);
        if range.high < sign || range.low >= sign {
            return (fold::signed(width, range.low), fold::signed(width, range.high));
        }
        let bits = |term: Term| self.as_sign_extend(term).map(|inner| self.width_of(inner));
        match self.node(term) {
            // A square that has room.
            Node::Binary(Binary::Mul, a, b) if a == b && bits(a).is_some_and(|bits| 2 * bits <= width) => {
                (0, i64::MAX >> (64 - width))
            }
            // An extended term is as small as it was before; if its sign were known, so would be this one's.
            _ => {
                let width = bits(term).unwrap_or(width);
                (i64::MIN >> (64 - width), i64::MAX >> (64 - width))
            }
        }
    }

    /// The comparison of two terms that were extended the same way, or of one and a constant. Sign extension keeps
    /// both orders, zero extension the unsigned one.
    fn compare_narrow(&mut self, op: Binary, a: Term, b: Term, is_signed: bool) -> Option<Term> {
        let inner = |t| self.as_sign_extend(t).or_else(|| self.as_zero_extend(t).filter(|_| !is_signed));
        let is_zero_extended = |t| self.as_zero_extend(t).is_some();
        let width = self.width_of(a);
        let (x, y) = (inner(a), inner(b));
        if x.is_some() && y.is_some() && is_zero_extended(a) != is_zero_extended(b) {
            return None;
        }
        let zero = is_zero_extended(a) || is_zero_extended(b);
        let narrow = x.into_iter().chain(y).map(|t| self.width_of(t)).max()?;
        let x = self.narrowed(a, x, narrow, width, zero)?;
        let y = self.narrowed(b, y, narrow, width, zero)?;
        Some(self.binary(op, x, y))
    }

    /// The operand of a comparison with fewer bits, if it is an extended term or a constant that can be one.
    fn narrowed(&mut self, term: Term, inner: Option<Term>, to: u8, width: u8, zero: bool) -> Option<Term> {
        if let Some(inner) = inner {
            return Some(if zero { self.zero_extend(inner, to) } else { self.sign_extend(inner, to) });
        }
        let c = self.as_constant(term)?;
        let extended = if zero { c & mask(to) } else { fold::sign_extend(to, c & mask(to), width) };
        (extended == c).then(|| self.constant(to, c & mask(to)))
    }
}
