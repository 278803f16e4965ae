//! Counting bits: ones, and zeros at either end.

use super::add::Columns;
use super::gates::{Bit, Gates};
use super::word::{self, Word};

impl Gates {
    /// How many bits are one, as a word of so many bits.
    pub(super) fn count_ones(&mut self, a: &[Bit], width: usize) -> Word {
        let mut columns = Columns::new(width);
        a.iter().for_each(|&bit| columns.add_bit(0, bit));
        columns.sum(self)
    }

    /// How many zeros are above the highest one: all if there is none. The result is as wide as it must be.
    pub(super) fn leading_zeros(&mut self, a: &[Bit]) -> Word {
        let mut reversed = a.to_vec();
        reversed.reverse();
        self.trailing_zeros(&reversed)
    }

    /// How many zeros are below the lowest one: all if there is none. The result is as wide as it must be.
    ///
    /// Neighbours are put together until one is left: of each part it is known how many zeros its lower end has, where the last bit of
    /// the count says that all are.
    pub(super) fn trailing_zeros(&mut self, a: &[Bit]) -> Word {
        let mut parts: Vec<Word> = a.iter().map(|&bit| vec![!bit]).collect();
        parts.resize(a.len().next_power_of_two(), vec![Bit::FALSE]);
        while parts.len() > 1 {
            parts = parts.chunks_exact(2).map(|pair| self.join_counts(&pair[0], &pair[1])).collect();
        }
        let needed = usize::BITS as usize - a.len().leading_zeros() as usize;
        word::resized(&parts.pop().unwrap_or_default(), needed)
    }

    /// If all below are zeros then as many as there are and those above, else those below.
    fn join_counts(&mut self, low: &[Bit], high: &[Bit]) -> Word {
        let (Some((&all_low, low)), Some((&all_high, high))) = (low.split_last(), high.split_last()) else {
            return Word::new();
        };
        let mut count = self.choose(all_low, high, low);
        let both = self.and(all_low, all_high);
        count.push(self.and(all_low, !both));
        count.push(both);
        count
    }
}
