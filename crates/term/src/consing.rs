//! Hash-consing: a table from hashes to ids that knows nothing of what the ids stand for, and the mixing of hashes.
//!
//! Open addressing with linear probing, at most half full; an entry is 4 bytes, and only the owner of the ids can tell
//! whether two are equal. Clearing touches the used entries only: an arena is reset for every run.

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes a word into a hash.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ SEED) * u128::from(word ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ ((product >> 64) as u64) ^ hash.rotate_left(23)
}

/// The hash of a name.
pub(crate) fn hash_name(name: &str) -> u64 {
    name.as_bytes().chunks(8).fold(mix(0, name.len() as u64), |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash, u64::from_le_bytes(word))
    })
}

/// A set of ids, found by hash and a test of equality.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// 0 is free, else an id plus 1. The length is a power of two, or 0 before the first insertion.
    slots: Vec<u32>,
    used: usize,
}

impl Index {
    /// The id with this hash for which the test holds.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut is_it: impl FnMut(usize) -> bool) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let last = self.slots.len() - 1;
        let mut at = home(hash, last);
        loop {
            let id = self.slots[at & last];
            if id == 0 {
                return None;
            }
            if is_it(id as usize - 1) {
                return Some(id as usize - 1);
            }
            at += 1;
        }
    }

    /// Adds an id that is not there yet; `hash_of` tells the hashes of all ids.
    #[inline]
    pub(crate) fn insert(&mut self, id: usize, hash_of: impl Fn(usize) -> u64) {
        if 2 * (self.used + 1) > self.slots.len() {
            self.grow(&hash_of);
        }
        self.put(id as u32 + 1, hash_of(id));
        self.used += 1;
    }

    fn put(&mut self, entry: u32, hash: u64) {
        let last = self.slots.len() - 1;
        let mut at = home(hash, last);
        while self.slots[at & last] != 0 {
            at += 1;
        }
        self.slots[at & last] = entry;
    }

    #[cold]
    fn grow(&mut self, hash_of: &impl Fn(usize) -> u64) {
        let size = (2 * self.slots.len()).max(64);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for entry in old.into_iter().filter(|&entry| entry != 0) {
            self.put(entry, hash_of(entry as usize - 1));
        }
    }

    /// Removes all ids, given the hashes of all of them, in time proportional to their number.
    ///
    /// From the home of each, everything up to the next free slot goes: what is left of a cluster is always its front,
    /// so no entry is overlooked.
    pub(crate) fn clear(&mut self, hashes: impl Iterator<Item = u64>) {
        if self.slots.is_empty() {
            return;
        }
        let last = self.slots.len() - 1;
        for hash in hashes {
            let mut at = home(hash, last);
            while self.slots[at & last] != 0 {
                self.slots[at & last] = 0;
                at += 1;
            }
        }
        self.used = 0;
        debug_assert!(self.slots.len() > 4096 || self.slots.iter().all(|&slot| slot == 0));
    }
}

#[inline]
fn home(hash: u64, last: usize) -> usize {
    (hash ^ (hash >> 32)) as usize & last
}
