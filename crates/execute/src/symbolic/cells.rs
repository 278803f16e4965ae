//! The terms of memory cells.
//!
//! A cell counts only while the program's flag of its address is set: instrumented code that overwrites a cell
//! with a number asks the host to clear the flag, nothing else. A value of several bytes is kept whole, each cell says which
//! byte of it it is; most loads find the value again without making a term.

use crate::semantics::window::{self, Bytes};
use coax_term::{Algebra, Term, Terms};
use wasmtime::{AsContextMut, Memory};

const PAGE: usize = 1 << 12;

/// A byte of a term.
#[derive(Clone, Copy, Debug)]
struct Cell {
    term: Option<Term>,
    byte: u8,
}

/// What memory cells hold; see the flags for which.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pages: Vec<Option<Box<[Cell; PAGE]>>>,
}

impl Cells {
    fn cell(&self, address: u64) -> Cell {
        let page = &self.pages[address as usize / PAGE];
        page.as_ref().expect("a cell with a flag was set")[address as usize % PAGE]
    }

    fn set(&mut self, address: u64, term: Term, byte: u8) {
        let page = address as usize / PAGE;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let empty = || Box::new([Cell { term: None, byte: 0 }; PAGE]);
        let cells = self.pages[page].get_or_insert_with(empty);
        cells[address as usize % PAGE] = Cell { term: Some(term), byte };
    }

    fn byte(&self, terms: &mut Terms, address: u64) -> Term {
        let Cell { term, byte } = self.cell(address);
        window::byte_of(terms, term.expect("a cell with a flag was set"), byte)
    }
}

/// The first memory of an instance with its flags and cells.
pub(super) struct Linear<'a, S> {
    pub(super) store: S,
    pub(super) memory: Memory,
    pub(super) flags: Memory,
    pub(super) cells: &'a mut Cells,
}

impl<S: AsContextMut> Linear<'_, S> {
    pub(super) fn size(&self) -> u64 {
        self.memory.data_size(&self.store) as u64
    }

    /// The number in `count` bytes, at most 8, that are inside memory.
    pub(super) fn number(&self, address: u64, count: u8) -> u64 {
        let start = address as usize;
        let mut bytes = [0; 8];
        let count = usize::from(count);
        bytes[..count].copy_from_slice(&self.memory.data(&self.store)[start..start + count]);
        u64::from_le_bytes(bytes)
    }

    /// Writes a number's lowest bytes. (The program is about to do the same.)
    pub(super) fn write(&mut self, address: u64, bits: u64, count: u8) {
        let start = address as usize;
        let count = usize::from(count);
        self.memory.data_mut(&mut self.store)[start..start + count]
            .copy_from_slice(&bits.to_le_bytes()[..count]);
    }

    /// The flags of so many bytes.
    fn flags(&self, address: u64, count: u8) -> u64 {
        let start = address as usize;
        let mut bytes = [0; 8];
        let count = usize::from(count);
        bytes[..count].copy_from_slice(&self.flags.data(&self.store)[start..start + count]);
        u64::from_le_bytes(bytes)
    }

    fn set_flags(&mut self, address: u64, count: u64, flag: u8) {
        let range = address as usize..(address + count) as usize;
        self.flags.data_mut(&mut self.store)[range].fill(flag);
    }

    /// The term of `count` bytes, if one of them has any.
    pub(super) fn term(&mut self, terms: &mut Terms, address: u64, count: u8) -> Option<Term> {
        if self.flags(address, count) == 0 {
            return None;
        }
        if let Some(whole) = self.whole(terms, address, count) {
            return Some(whole);
        }
        let term = window::read_at(terms, self, address, count);
        terms.as_constant(term).is_none().then_some(term)
    }

    /// The term that was stored here as a whole.
    fn whole(&self, terms: &Terms, address: u64, count: u8) -> Option<Term> {
        let all = 0x0101_0101_0101_0101_u64 >> (64 - 8 * u32::from(count));
        if self.flags(address, count) != all {
            return None;
        }
        let first = self.cells.cell(address);
        let term = first.term.filter(|&term| first.byte == 0 && terms.width_of(term) == 8 * count)?;
        let follows = |place: u8| {
            let cell = self.cells.cell(address + u64::from(place));
            cell.term == Some(term) && cell.byte == place
        };
        (1..count).all(follows).then_some(term)
    }

    /// `count` bytes hold this term from now on.
    pub(super) fn set_term(&mut self, address: u64, term: Term, count: u8) {
        for place in 0..count {
            self.cells.set(address + u64::from(place), term, place);
        }
        self.set_flags(address, u64::from(count), 1);
    }

    /// One byte holds this term, or is a number if that is a constant.
    pub(super) fn set_byte(&mut self, terms: &Terms, address: u64, byte: Term) {
        match terms.as_constant(byte) {
            Some(_) => self.clear(address, 1),
            None => self.set_term(address, byte, 1),
        }
    }

    /// So many bytes are numbers from now on.
    pub(super) fn clear(&mut self, address: u64, count: u64) {
        self.set_flags(address, count, 0);
    }

    /// Whether so many bytes are inside memory.
    pub(super) fn contains(&self, address: u64, count: u64) -> bool {
        address.checked_add(count).is_some_and(|end| end <= self.size())
    }

    /// Copies terms, not numbers; the ranges are inside memory and may overlap.
    pub(super) fn copy(&mut self, to: u64, from: u64, count: u64) {
        let flags = self.flags.data(&self.store)[from as usize..(from + count) as usize].to_vec();
        let cells: Vec<(u64, Cell)> = (0..count)
            .filter(|&place| flags[place as usize] != 0)
            .map(|place| (place, self.cells.cell(from + place)))
            .collect();
        for (place, cell) in cells {
            self.cells.set(to + place, cell.term.expect("a cell with a flag was set"), cell.byte);
        }
        self.flags.data_mut(&mut self.store)[to as usize..(to + count) as usize].copy_from_slice(&flags);
    }

    /// The addresses of all cells with terms in a range.
    pub(super) fn symbolic(&self, from: u64, count: u64) -> Vec<u64> {
        let flags = &self.flags.data(&self.store)[from as usize..(from + count) as usize];
        (from..).zip(flags).filter(|(_, flag)| **flag != 0).map(|(address, _)| address).collect()
    }

    /// All cells with terms, and their numbers.
    pub(super) fn snapshot(&self) -> Vec<(u64, u8)> {
        let (memory, flags) = (self.memory.data(&self.store), self.flags.data(&self.store));
        let pages = self.cells.pages.iter().enumerate().filter(|(_, page)| page.is_some());
        let addresses = pages.flat_map(|(page, _)| page * PAGE..((page + 1) * PAGE).min(memory.len()));
        addresses
            .filter(|&address| flags[address] != 0)
            .map(|address| (address as u64, memory[address]))
            .collect()
    }
}

impl<S: AsContextMut> Bytes for Linear<'_, S> {
    fn size(&self) -> u64 {
        self.memory.data_size(&self.store) as u64
    }

    fn byte(&mut self, terms: &mut Terms, address: u64) -> Term {
        match self.flags(address, 1) {
            0 => terms.constant(8, self.number(address, 1)),
            _ => self.cells.byte(terms, address),
        }
    }
}
