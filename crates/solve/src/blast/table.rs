//! Tables: a tree of choices by the bits of the index, from the highest on. As gates are made once, equal parts of a table are one,
//! and an output bit that does not depend on a bit of the index has no choice there, as in a decision diagram (Bryant, 1986).

use super::gates::{Bit, Gates};
use super::word::{self, Word};

/// A key and its value.
pub(super) type Entry<'a> = (u64, &'a [Bit]);

impl Gates {
    /// The value of the entry whose key is the index; 0 if there is none. The entries are sorted by their keys.
    pub(super) fn lookup(&mut self, index: &[Bit], entries: &[Entry<'_>], width: usize) -> Word {
        let ones = entries.iter().fold(u64::MAX, |all, entry| all & entry.0);
        let zeros = entries.iter().fold(u64::MAX, |all, entry| all & !entry.0);
        // Where all keys have the same bit, the index must have it, too; this is said once.
        let mut is_key = Bit::TRUE;
        let mut deciding = Vec::new();
        for (at, &bit) in index.iter().enumerate() {
            if ones >> at & 1 == 1 {
                is_key = self.and(is_key, bit);
            } else if zeros >> at & 1 == 1 {
                is_key = self.and(is_key, !bit);
            } else {
                deciding.push((at, bit));
            }
        }
        let found = self.decide(&deciding, entries, width);
        self.only_if(is_key, &found)
    }

    /// Depth: the number of deciding bits, at most 64.
    fn decide(&mut self, deciding: &[(usize, Bit)], entries: &[Entry<'_>], width: usize) -> Word {
        let Some((_, first)) = entries.first() else { return word::constant(width, 0) };
        let Some((&(at, bit), rest)) = deciding.split_last() else { return first.to_vec() };
        let middle = entries.partition_point(|entry| entry.0 >> at & 1 == 0);
        let (low, high) = entries.split_at(middle);
        match bit {
            Bit::FALSE => self.decide(rest, low, width),
            Bit::TRUE => self.decide(rest, high, width),
            _ => {
                let (low, high) = (self.decide(rest, low, width), self.decide(rest, high, width));
                self.choose(bit, &high, &low)
            }
        }
    }
}
