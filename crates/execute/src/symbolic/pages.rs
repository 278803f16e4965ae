//! The bytes of a memory, of which most are zero.

use std::collections::BTreeMap;

const PAGE: usize = 4096;

/// The bytes of a memory: pages that are not there are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    pages: BTreeMap<usize, Box<[u8; PAGE]>>,
    len: usize,
}

impl Pages {
    /// The same bytes.
    pub fn of(bytes: &[u8]) -> Pages {
        let mut pages = BTreeMap::new();
        for (number, part) in bytes.chunks(PAGE).enumerate() {
            if part.iter().any(|&byte| byte != 0) {
                let mut page = Box::new([0; PAGE]);
                page[..part.len()].copy_from_slice(part);
                pages.insert(number, page);
            }
        }
        Pages { pages, len: bytes.len() }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Makes room for so many bytes; new ones are zero.
    pub fn grow(&mut self, len: usize) {
        self.len = self.len.max(len);
    }

    /// A byte.
    pub fn get(&self, address: u64) -> u8 {
        let address = address as usize;
        self.pages.get(&(address / PAGE)).map_or(0, |page| page[address % PAGE])
    }

    /// Sets a byte, if it is there.
    pub fn set(&mut self, address: u64, byte: u8) {
        let address = address as usize;
        if address < self.len {
            self.pages.entry(address / PAGE).or_insert_with(|| Box::new([0; PAGE]))[address % PAGE] = byte;
        }
    }

    /// Which pages are not zero.
    pub(super) fn numbers(&self) -> Vec<usize> {
        self.pages.keys().copied().collect()
    }

    /// Puts them into a memory in which only these pages are not zero.
    pub(super) fn write(&self, memory: &mut [u8], not_zero: &[usize]) {
        for number in not_zero.iter().filter(|number| !self.pages.contains_key(number)) {
            part(memory, *number).fill(0);
        }
        for (number, page) in &self.pages {
            let part = part(memory, *number);
            part.copy_from_slice(&page[..part.len()]);
        }
    }
}

/// A page of a memory; the last one may be shorter.
fn part(memory: &mut [u8], number: usize) -> &mut [u8] {
    let start = (number * PAGE).min(memory.len());
    let end = (start + PAGE).min(memory.len());
    &mut memory[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_is_there_again() {
        let mut bytes = vec![0; 3 * PAGE + 10];
        (bytes[5], bytes[2 * PAGE], bytes[3 * PAGE + 9]) = (1, 2, 3);
        let mut pages = Pages::of(&bytes);
        let mut memory = vec![0; bytes.len()];
        (memory[6], memory[PAGE]) = (7, 7);
        pages.write(&mut memory, &[0, 1]);
        assert_eq!(memory, bytes);
        pages.set(PAGE as u64, 9);
        assert_eq!((pages.get(PAGE as u64), pages.get(5), pages.get(6)), (9, 1, 0));
    }
}
