//! Quotients, remainders and square roots, digit by digit as by hand: each row of gates subtracts if it can.
//!
//! The alternative, a quotient that is any number such that it times the divisor plus the remainder is the dividend, says nothing of the
//! result without a search, even if both operands are known (docs/decisions/0006-solver.md has what was measured).

use super::gates::{Bit, Gates};
use super::word::{self, Word};
use std::collections::BTreeMap;

/// Quotients and remainders that were made, by dividend and divisor: who needs the one often needs the other.
pub(super) type Divisions = BTreeMap<(Word, Word), (Word, Word)>;

impl Gates {
    /// Quotient and remainder of unsigned numbers. By zero the quotient is all ones and the remainder is the dividend.
    pub(super) fn divide(
        &mut self,
        known: &mut Divisions,
        dividend: &[Bit],
        divisor: &[Bit],
    ) -> (Word, Word) {
        let key = (dividend.to_vec(), divisor.to_vec());
        if let Some(result) = known.get(&key) {
            return result.clone();
        }
        let result = self.new_division(dividend, divisor);
        known.insert(key, result.clone());
        result
    }

    fn new_division(&mut self, dividend: &[Bit], divisor: &[Bit]) -> (Word, Word) {
        let width = dividend.len();
        let by_zero = self.is_zero(divisor);
        let divisor = word::significant(divisor);
        let mut quotient = vec![Bit::FALSE; width];
        let mut rest = Word::new();
        for at in (0..width).rev() {
            rest.insert(0, dividend[at]);
            let (can, less) = self.subtract_if_not_less(&rest, divisor);
            quotient[at] = can;
            rest = less;
            // It is less than the divisor, unless that is zero.
            rest.truncate(divisor.len());
        }
        let rest = word::resized(&rest, width);
        (quotient, self.choose(by_zero, dividend, &rest))
    }

    /// Whether `b <= a`, and then `a - b`, else `a`.
    fn subtract_if_not_less(&mut self, a: &[Bit], b: &[Bit]) -> (Bit, Word) {
        let (low, high) = b.split_at(b.len().min(a.len()));
        let is_wider = self.any(high.iter().copied());
        let (difference, no_borrow) =
            self.add_with_carry(a, &word::not(&word::resized(low, a.len())), Bit::TRUE);
        let can = self.and(no_borrow, !is_wider);
        (can, self.choose(can, &difference, a))
    }

    /// The signed quotient, cut towards zero, and the remainder, with the dividend's sign.
    pub(super) fn signed_divide(
        &mut self,
        known: &mut Divisions,
        dividend: &[Bit],
        divisor: &[Bit],
    ) -> (Word, Word) {
        let sign = |word: &[Bit]| word.last().copied().unwrap_or(Bit::FALSE);
        let (sign_a, sign_b) = (sign(dividend), sign(divisor));
        let (a, b) = (self.negate_if(sign_a, dividend), self.negate_if(sign_b, divisor));
        let (quotient, remainder) = self.divide(known, &a, &b);
        let differ = self.xor(sign_a, sign_b);
        (self.negate_if(differ, &quotient), self.negate_if(sign_a, &remainder))
    }

    /// The greatest number whose square is at most `a`, which has an even number of bits, and what is left of `a`.
    pub(super) fn square_root(&mut self, a: &[Bit]) -> (Word, Word) {
        let mut root = Word::new();
        let mut rest = Word::new();
        for pair in a.chunks_exact(2).rev() {
            rest.splice(0..0, [pair[0], pair[1]]);
            let mut next = vec![Bit::TRUE, Bit::FALSE];
            next.extend_from_slice(&root);
            let (can, less) = self.subtract_if_not_less(&rest, &next);
            root.insert(0, can);
            rest = less;
            // It is at most twice the root.
            rest.truncate(root.len() + 1);
        }
        (root, rest)
    }
}
