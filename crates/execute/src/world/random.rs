//! The program's random numbers: made from the seed of the input, the same for ever.
//!
//! They are words of the SplitMix64 generator (Steele, Lea, Flood 2014), spelled out here because tests that are stored today must
//! see the same bytes for ever. The generator's period is that of its state, 2^64 words.

/// The source of random bytes.
#[derive(Debug)]
pub(crate) struct Random {
    seed: u64,
    /// How many bytes were taken.
    taken: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random { seed, taken: 0 }
    }

    /// Fills a buffer with the next bytes.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) {
        for byte in buffer {
            *byte = word(self.seed, self.taken / 8).to_le_bytes()[(self.taken % 8) as usize];
            self.taken = self.taken.wrapping_add(1);
        }
    }
}

/// An output of SplitMix64, which can be computed without those before.
fn word(seed: u64, index: u64) -> u64 {
    let state = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_published_with_the_generator() {
        assert_eq!([0, 1].map(|index| word(0, index)), [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn bytes_do_not_depend_on_how_they_are_asked_for() {
        let (mut at_once, mut in_parts) = ([0; 9], [0; 9]);
        Random::new(7).fill(&mut at_once);
        let mut random = Random::new(7);
        in_parts.chunks_mut(2).for_each(|part| random.fill(part));
        assert_eq!(at_once, in_parts);
    }

    #[test]
    fn no_stretch_of_bytes_comes_again() {
        let mut random = Random::new(0);
        let mut next = || {
            let mut stretch = [0; 1 << 14];
            random.fill(&mut stretch);
            stretch
        };
        let first = next();
        assert!((0..16).all(|_| next() != first));
    }
}
