//! Sums: ripple-carry adders, which propagate well and are the smallest, and sums of many bits by columns.

use super::gates::{Bit, Gates};
use super::word::{self, Word};
use std::collections::VecDeque;

impl Gates {
    /// `a + b + carry`, of the width of `a`, and the carry out.
    pub(super) fn add_with_carry(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Word, Bit) {
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            sum.push(self.xor3(a, b, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }

    pub(super) fn add(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.add_with_carry(a, b, Bit::FALSE).0
    }

    pub(super) fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        self.add_with_carry(a, &word::not(b), Bit::TRUE).0
    }

    pub(super) fn increment_if(&mut self, condition: Bit, a: &[Bit]) -> Word {
        let zero = word::constant(a.len(), 0);
        self.add_with_carry(a, &zero, condition).0
    }

    pub(super) fn negate_if(&mut self, condition: Bit, a: &[Bit]) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        self.increment_if(condition, &flipped)
    }
}

/// Bits to be added, by their weight: column `i` has those that count `2^i`.
pub(super) struct Columns(Vec<VecDeque<Bit>>);

impl Columns {
    /// None yet, for a sum of so many bits; what is beyond is dropped.
    pub(super) fn new(width: usize) -> Columns {
        Columns(vec![VecDeque::new(); width])
    }

    pub(super) fn add_bit(&mut self, column: usize, bit: Bit) {
        if bit != Bit::FALSE
            && let Some(bits) = self.0.get_mut(column)
        {
            bits.push_back(bit);
        }
    }

    /// Adds a word from a column on.
    pub(super) fn add_word(&mut self, column: usize, word: &[Bit]) {
        for (at, &bit) in word.iter().enumerate() {
            self.add_bit(column + at, bit);
        }
    }

    /// The sum.
    ///
    /// Full adders take three bits of a column and give one back to it and one to the next (Dadda, 1965). Two that are the same count
    /// as one in the next column; of a bit and its negation one is one.
    pub(super) fn sum(mut self, gates: &mut Gates) -> Word {
        let width = self.0.len();
        let mut sum = Word::with_capacity(width);
        self.0.push(VecDeque::new());
        for column in 0..width {
            let bits = std::mem::take(&mut self.0[column]);
            let (mut bits, carries) = without_pairs(bits);
            self.0[column + 1].extend(carries);
            while bits.len() > 1 {
                let a = bits.pop_front().unwrap_or(Bit::FALSE);
                let b = bits.pop_front().unwrap_or(Bit::FALSE);
                let c = bits.pop_front().unwrap_or(Bit::FALSE);
                let (total, carry) = (gates.xor3(a, b, c), gates.majority(a, b, c));
                if total != Bit::FALSE {
                    bits.push_back(total);
                }
                if carry != Bit::FALSE {
                    self.0[column + 1].push_back(carry);
                }
            }
            sum.push(bits.pop_front().unwrap_or(Bit::FALSE));
        }
        sum
    }
}

/// The bits of a column without those that are there twice, or with their negations; and what these carry.
fn without_pairs(bits: VecDeque<Bit>) -> (VecDeque<Bit>, Vec<Bit>) {
    let mut sorted: Vec<(Bit, usize)> = bits.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    let mut kept: Vec<(Bit, usize)> = Vec::with_capacity(sorted.len());
    let mut carries = Vec::new();
    let mut ones = 0;
    for (bit, at) in sorted {
        match kept.last() {
            _ if bit == Bit::TRUE => ones += 1,
            Some(&(last, _)) if last == bit => {
                kept.pop();
                carries.push(bit);
            }
            Some(&(last, _)) if last == !bit => {
                kept.pop();
                ones += 1;
            }
            _ => kept.push((bit, at)),
        }
    }
    carries.extend(std::iter::repeat_n(Bit::TRUE, ones / 2));
    kept.sort_unstable_by_key(|&(_, at)| at);
    let ones = std::iter::repeat_n(Bit::TRUE, ones % 2);
    (kept.into_iter().map(|(bit, _)| bit).chain(ones).collect(), carries)
}
