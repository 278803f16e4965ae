//! Names of symbols and functions, interned: each has a number and a width.

use crate::consing::{Index, hash_name, mix};

/// Names with their widths, numbered in the order of appearance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// All names, one after the other.
    text: String,
    entries: Vec<Entry>,
    index: Index,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    end: usize,
    hash: u64,
    width: u8,
}

impl Names {
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let hash = hash_name(name);
        self.index.find(hash, |id| self.entries[id].hash == hash && self.name(id) == name)
    }

    /// The number of a name.
    ///
    /// # Panics
    /// If the name was given another width before: a name means one thing.
    pub(crate) fn intern(&mut self, name: &str, width: u8) -> usize {
        assert!((1..=64).contains(&width), "`{name}` has width {width}; widths are 1 to 64");
        if let Some(id) = self.find(name) {
            let known = self.entries[id].width;
            assert!(known == width, "`{name}` has width {known} and was asked for with width {width}");
            return id;
        }
        let id = self.entries.len();
        self.text.push_str(name);
        let hash = hash_name(name);
        self.entries.push(Entry { end: self.text.len(), hash, width });
        self.index.insert(id, hash);
        id
    }

    pub(crate) fn name(&self, id: usize) -> &str {
        let start = if id == 0 { 0 } else { self.entries[id - 1].end };
        &self.text[start..self.entries[id].end]
    }

    pub(crate) fn width(&self, id: usize) -> u8 {
        self.entries[id].width
    }

    /// Of name and width.
    pub(crate) fn hash(&self, id: usize) -> u64 {
        mix(self.entries[id].hash, u64::from(self.entries[id].width))
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn clear(&mut self) {
        self.index.clear(self.entries.iter().map(|entry| entry.hash));
        self.entries.clear();
        self.text.clear();
    }
}
