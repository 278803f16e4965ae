//! Hash-consing: a table from hashes to ids that knows nothing of what the ids stand for, and the mixing of hashes.
//!
//! Open addressing with linear probing, at most half full; a slot is 8 bytes, and only the owner of the ids can tell
//! whether two are equal. Clearing takes no longer than filling did: an arena is reset for every run.

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
    /// The length is a power of two, or 0 before the first insertion.
    slots: Vec<Slot>,
    used: usize,
}

/// An id plus 1, or 0 if it is free; and the lower half of the id's hash, so that only ids that are almost certainly
/// equal are looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    entry: u32,
    tag: u32,
}

impl Index {
    /// The id with this hash for which the test holds.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64, mut is_it: impl FnMut(usize) -> bool) -> Option<usize> {
        let last = self.slots.len().wrapping_sub(1);
        let mut at = home(hash);
        loop {
            // Without slots the position is past the end.
            let slot = *self.slots.get(at & last)?;
            if slot.entry == 0 {
                return None;
            }
            let id = slot.entry as usize - 1;
            if slot.tag == hash as u32 && is_it(id) {
                return Some(id);
            }
            at += 1;
        }
    }

    /// Adds an id that is not there yet.
    #[inline]
    pub(crate) fn insert(&mut self, id: usize, hash: u64) {
        if 2 * (self.used + 1) > self.slots.len() {
            self.grow();
        }
        self.put(Slot { entry: id as u32 + 1, tag: hash as u32 });
        self.used += 1;
    }

    #[inline]
    fn put(&mut self, slot: Slot) {
        let last = self.slots.len() - 1;
        let mut at = home(slot.tag.into());
        while self.slots[at & last].entry != 0 {
            at += 1;
        }
        self.slots[at & last] = slot;
    }

    #[cold]
    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(64);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        old.into_iter().filter(|slot| slot.entry != 0).for_each(|slot| self.put(slot));
    }

    /// Removes all ids, given the hashes of all of them, in time proportional to their number.
    ///
    /// If they are few: from the home of each, everything up to the next free slot goes. What is left of a cluster is always
    /// its front, so no entry is overlooked.
    pub(crate) fn clear(&mut self, hashes: impl Iterator<Item = u64>) {
        if self.used * MANY_SLOTS >= self.slots.len() {
            self.slots.fill(Slot::default());
        } else {
            let last = self.slots.len() - 1;
            for hash in hashes {
                let mut at = home(hash);
                while self.slots[at & last].entry != 0 {
                    self.slots[at & last] = Slot::default();
                    at += 1;
                }
            }
        }
        self.used = 0;
        debug_assert!(self.slots.len() > 4096 || self.slots.iter().all(|slot| slot.entry == 0));
    }
}

/// So many slots are cleared one after the other in the time that it takes to find an id's.
const MANY_SLOTS: usize = 32;

/// Where to look first: a part of the hash that the tag has too.
#[inline]
fn home(hash: u64) -> usize {
    hash as u32 as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes that often share a home.
    fn hash(id: usize) -> u64 {
        (id as u64 % 7) << 40 | (id as u64 / 3)
    }

    #[test]
    fn many_or_few_ids_are_cleared() {
        let mut index = Index::default();
        for count in [3000, 20, 1, 0, 70, 5000] {
            assert!((0..5000).all(|id| index.find(hash(id), |_| true).is_none()), "before {count}");
            (0..count).for_each(|id| index.insert(id, hash(id)));
            assert!((0..count).all(|id| index.find(hash(id), |found| found == id) == Some(id)));
            index.clear((0..count).map(hash));
        }
    }
}
