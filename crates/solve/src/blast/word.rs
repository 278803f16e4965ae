//! Words, the lowest bit first, of any width: what is done bit by bit, and comparisons.

use super::gates::{Bit, Gates};

/// Bits of a number, the lowest first.
pub(super) type Word = Vec<Bit>;

/// The bits of a constant.
pub(super) fn constant(width: usize, value: u64) -> Word {
    (0..width).map(|at| Bit::constant(at < 64 && value >> at & 1 == 1)).collect()
}

/// The value of a word of constants.
pub(super) fn as_constant(word: &[Bit]) -> Option<u64> {
    let mut value = 0;
    for (at, &bit) in word.iter().enumerate() {
        match bit {
            Bit::FALSE => {}
            Bit::TRUE if at < 64 => value |= 1 << at,
            _ => return None,
        }
    }
    Some(value)
}

/// Widened with zeros, or cut.
pub(super) fn resized(word: &[Bit], width: usize) -> Word {
    let mut word = word.to_vec();
    word.resize(width, Bit::FALSE);
    word
}

/// Widened with copies of the sign bit.
pub(super) fn sign_extended(word: &[Bit], width: usize) -> Word {
    let sign = word.last().copied().unwrap_or(Bit::FALSE);
    let mut word = word.to_vec();
    word.resize(width, sign);
    word
}

/// Without the zeros at its upper end.
pub(super) fn significant(word: &[Bit]) -> &[Bit] {
    let width = word.iter().rposition(|&bit| bit != Bit::FALSE).map_or(0, |last| last + 1);
    &word[..width]
}

/// All bits flipped.
pub(super) fn not(word: &[Bit]) -> Word {
    word.iter().map(|&bit| !bit).collect()
}

impl Gates {
    /// A word that nothing is known of.
    pub(super) fn inputs(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.input()).collect()
    }

    /// Bit by bit.
    pub(super) fn zip(&mut self, a: &[Bit], b: &[Bit], op: fn(&mut Gates, Bit, Bit) -> Bit) -> Word {
        a.iter().zip(b).map(|(&a, &b)| op(self, a, b)).collect()
    }

    /// Each bit and the condition.
    pub(super) fn only_if(&mut self, condition: Bit, word: &[Bit]) -> Word {
        word.iter().map(|&bit| self.and(condition, bit)).collect()
    }

    pub(super) fn choose(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Word {
        then.iter().zip(otherwise).map(|(&a, &b)| self.ite(condition, a, b)).collect()
    }

    /// Whether two words are the same.
    pub(super) fn same(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut all = Bit::TRUE;
        // A bit that differs for sure decides, whatever the gates before it: look for it first.
        if a.iter().zip(b).any(|(&a, &b)| a == !b) {
            return Bit::FALSE;
        }
        for (&a, &b) in a.iter().zip(b) {
            let equal = self.equal(a, b);
            all = self.and(all, equal);
        }
        all
    }

    /// Whether all bits are zero.
    pub(super) fn is_zero(&mut self, word: &[Bit]) -> Bit {
        !self.any(word.iter().copied())
    }

    /// Whether `a < b`, or `a <= b` if they may be equal, as unsigned numbers: the borrow of `a - b`.
    pub(super) fn less(&mut self, a: &[Bit], b: &[Bit], or_equal: bool) -> Bit {
        a.iter().zip(b).fold(Bit::constant(or_equal), |less, (&a, &b)| self.majority(!a, b, less))
    }

    /// As signed numbers.
    pub(super) fn signed_less(&mut self, a: &[Bit], b: &[Bit], or_equal: bool) -> Bit {
        let (Some((&sign_a, a)), Some((&sign_b, b))) = (a.split_last(), b.split_last()) else {
            return Bit::constant(or_equal);
        };
        let less = self.less(a, b, or_equal);
        self.majority(sign_a, !sign_b, less)
    }
}
