//! Shifts and rotations by a number of places that is not known: one row of choices for each bit of the number.

use super::divide::Divisions;
use super::gates::{Bit, Gates};
use super::word::{self, Word};

impl Gates {
    /// Towards the upper end; zeros come in.
    pub(super) fn shift_left(&mut self, a: &[Bit], count: &[Bit]) -> Word {
        let mut reversed = a.to_vec();
        reversed.reverse();
        let mut shifted = self.shift_right(&reversed, count, Bit::FALSE);
        shifted.reverse();
        shifted
    }

    /// Towards the lower end; copies of `fill` come in.
    pub(super) fn shift_right(&mut self, a: &[Bit], count: &[Bit], fill: Bit) -> Word {
        let (low, high) = split_count(a.len(), count);
        let mut word = a.to_vec();
        for (stage, &bit) in low.iter().enumerate() {
            let places = 1 << stage;
            let at = |word: &Word, i: usize| word.get(i).copied().unwrap_or(fill);
            word = (0..word.len()).map(|i| self.ite(bit, at(&word, i + places), word[i])).collect();
        }
        let beyond = self.any(high.iter().copied());
        word.iter().map(|&bit| self.ite(beyond, fill, bit)).collect()
    }

    /// Towards the lower end, zeros come in; the lowest bit is one if it or any that was lost is.
    pub(super) fn shift_right_sticky(&mut self, a: &[Bit], count: &[Bit]) -> Word {
        let (low, high) = split_count(a.len(), count);
        let mut word = a.to_vec();
        for (stage, &bit) in low.iter().enumerate() {
            let places = (1 << stage).min(word.len());
            let lost = self.any(word[..places].iter().copied());
            let at = |word: &Word, i: usize| word.get(i).copied().unwrap_or(Bit::FALSE);
            let mut moved: Word = (0..word.len()).map(|i| at(&word, i + places)).collect();
            moved[0] = self.or(moved[0], lost);
            word = self.choose(bit, &moved, &word);
        }
        let beyond = self.any(high.iter().copied());
        let any = self.any(word.iter().copied());
        let mut all_lost = word::constant(word.len(), 0);
        all_lost[0] = any;
        self.choose(beyond, &all_lost, &word)
    }

    /// Towards the upper end, or the lower; what leaves at one end comes in at the other.
    pub(super) fn rotate(&mut self, known: &mut Divisions, a: &[Bit], count: &[Bit], left: bool) -> Word {
        let width = a.len();
        // The count modulo the width: its lowest bits if the width is a power of two.
        let count = if width.is_power_of_two() {
            count[..width.trailing_zeros() as usize].to_vec()
        } else {
            let divisor = word::constant(count.len(), width as u64);
            self.divide(known, count, &divisor).1
        };
        let mut word = a.to_vec();
        for (stage, &bit) in word::significant(&count).iter().enumerate() {
            let places = (1 << stage) % width;
            let places = if left { width - places } else { places };
            word = (0..width).map(|i| self.ite(bit, word[(i + places) % width], word[i])).collect();
        }
        word
    }
}

/// The bits of a count that can say a number less than the width, and those that only say more.
fn split_count(width: usize, count: &[Bit]) -> (&[Bit], &[Bit]) {
    let stages = width.next_power_of_two().trailing_zeros() as usize;
    count.split_at(stages.min(count.len()))
}
