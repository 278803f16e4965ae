//! Changes of bytes and numbers.

use super::words::is_text;
use coax_solve::Random;

/// The most bytes that are inserted at once.
const MOST_INSERTED: usize = 32;

/// Numbers that programs treat specially.
const SPECIAL: [i64; 14] = [0, 1, -1, 2, 4, 8, 16, 32, 64, 100, 127, 128, 255, 256];

/// Makes changes.
pub(super) struct Mutator<'a> {
    pub(super) random: Random,
    pub(super) dictionary: &'a [Vec<u8>],
    /// Words of tests.
    pub(super) learned: &'a [Vec<u8>],
    /// The most bytes that an input may have which is made from a shorter one, and any.
    longest: (usize, usize),
}

impl<'a> Mutator<'a> {
    pub(super) fn new(
        random: Random,
        dictionary: &'a [Vec<u8>],
        learned: &'a [Vec<u8>],
        longest: (u64, u64),
    ) -> Self {
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        Mutator { random, dictionary, learned, longest: (size(longest.0), size(longest.1)) }
    }

    /// Changes bytes that may become more or fewer, up to `longest`.
    pub(super) fn change_resizable(&mut self, bytes: &mut Vec<u8>, other: &[u8], longest: Option<u64>) {
        let most = longest.map_or(self.longest.1, |longest| self.longest.1.min(longest as usize));
        let longest = self.longest.0.max(bytes.len()).min(most);
        if bytes.is_empty() {
            self.insert(bytes, other);
        } else {
            match self.random.below(15) {
                10.. if is_text(bytes) => self.change_words(bytes, other),
                0 => self.erase(bytes),
                1 | 2 => self.insert(bytes, other),
                3 => self.copy_part(bytes),
                _ => self.change(bytes, other),
            }
        }
        bytes.truncate(longest);
    }

    /// Changes bytes whose number stays.
    pub(super) fn change(&mut self, bytes: &mut [u8], other: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let at = self.random.below(bytes.len());
        match self.random.below(8) {
            0 => bytes[at] ^= 1 << self.random.below(8),
            1 => bytes[at] = self.random.below(256) as u8,
            2 => bytes[at] = bytes[at].wrapping_add(self.random.below(33) as u8).wrapping_sub(16),
            3 => self.change_number(bytes, at),
            4 => {
                let word = self.word(other).to_vec();
                let length = word.len().min(bytes.len() - at);
                bytes[at..at + length].copy_from_slice(&word[..length]);
            }
            5 => {
                let from = self.random.below(bytes.len());
                let length = 1 + self.random.below(bytes.len() - at.max(from));
                bytes.copy_within(from..from + length, at);
            }
            6 => change_digits(&mut self.random, bytes, at),
            _ => {
                let to = self.random.below(bytes.len());
                bytes.swap(at, to);
            }
        }
    }

    /// A number, changed.
    pub(super) fn changed(&mut self, bits: u64) -> u64 {
        match self.random.below(5) {
            0 => bits ^ 1 << self.random.below(64),
            1 => bits.wrapping_add(self.random.below(65) as u64).wrapping_sub(32),
            2 => SPECIAL[self.random.below(SPECIAL.len())] as u64,
            3 => match self.dictionary.len() {
                0 => bits,
                words => {
                    let word = &self.dictionary[self.random.below(words)];
                    word.iter().take(8).rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
                }
            },
            _ => (self.random.below(1 << 32) as u64) << 32 | self.random.below(1 << 32) as u64,
        }
    }

    /// Treats some bytes as a number of 2, 4 or 8 bytes, in one order or the other.
    fn change_number(&mut self, bytes: &mut [u8], at: usize) {
        let width = (2 << self.random.below(3)).min(bytes.len() - at);
        let is_big = self.random.below(2) == 0;
        let part = &mut bytes[at..at + width];
        let mut bits = [0; 8];
        bits[..width].copy_from_slice(part);
        if is_big {
            bits[..width].reverse();
        }
        bits = self.changed(u64::from_le_bytes(bits)).to_le_bytes();
        if is_big {
            bits[..width].reverse();
        }
        part.copy_from_slice(&bits[..width]);
    }

    fn erase(&mut self, bytes: &mut Vec<u8>) {
        let at = self.random.below(bytes.len());
        let most = match self.random.below(4) {
            0 => bytes.len() - at,
            _ => (bytes.len() - at).min(8),
        };
        bytes.drain(at..at + 1 + self.random.below(most));
    }

    fn insert(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let at = self.random.below(bytes.len() + 1);
        let more = match self.random.below(4) {
            0 => vec![self.random.below(256) as u8],
            1 => {
                let byte = bytes.get(at).copied().unwrap_or(self.random.below(256) as u8);
                vec![byte; 1 + self.random.below(MOST_INSERTED)]
            }
            _ => self.word(other).to_vec(),
        };
        bytes.splice(at..at, more);
    }

    /// Repeats a part of the bytes elsewhere.
    fn copy_part(&mut self, bytes: &mut Vec<u8>) {
        let from = self.random.below(bytes.len());
        let length = 1 + self.random.below((bytes.len() - from).min(2 * MOST_INSERTED));
        let part = bytes[from..from + length].to_vec();
        let at = self.random.below(bytes.len() + 1);
        bytes.splice(at..at, part);
    }

    /// A word of the dictionary, or a part of another input.
    fn word<'w>(&mut self, other: &'w [u8]) -> &'w [u8]
    where
        'a: 'w,
    {
        let from_other = self.dictionary.is_empty() || self.random.below(3) == 0;
        if from_other && !other.is_empty() {
            let from = self.random.below(other.len());
            let length = 1 + self.random.below((other.len() - from).min(2 * MOST_INSERTED));
            return &other[from..from + length];
        }
        match self.dictionary.len() {
            0 => &[],
            words => &self.dictionary[self.random.below(words)],
        }
    }
}

/// Changes a number that is written in digits, if there is one.
fn change_digits(random: &mut Random, bytes: &mut [u8], at: usize) {
    let Some(start) = (at..bytes.len()).find(|&at| bytes[at].is_ascii_digit()) else {
        bytes[at] = b'0' + random.below(10) as u8;
        return;
    };
    for byte in bytes[start..].iter_mut().take_while(|byte| byte.is_ascii_digit()) {
        *byte = b'0' + random.below(10) as u8;
    }
}
