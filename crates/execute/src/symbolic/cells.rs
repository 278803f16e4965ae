//! The terms of memory cells.
//!
//! A cell counts only while the program's flag of its address is set: instrumented code that overwrites a cell
//! with a number asks the host to clear the flag, nothing else. A value of several bytes is kept whole, each cell says which
//! byte of it it is; most loads find the value again without making a term.

use super::cut::{Cut, Origin, Vocabulary};
use super::footprint::{ByteRead, Footprints};
use super::hooks::Beyond;
use crate::semantics::window::{self, Bytes};
use coax_term::{Algebra, Term, Terms};
use wasmtime::{AsContextMut, Memory};

const PAGE: usize = 1 << 12;

/// A byte of a term.
#[derive(Clone, Copy, Debug)]
struct Cell {
    term: Option<Term>,
    byte: u8,
    /// Whose term it is.
    of: Vocabulary,
}

/// What memory cells hold; see the flags for which.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pages: Vec<Option<Box<[Cell; PAGE]>>>,
    /// What calls have read and written, if that is looked at.
    pub(super) footprints: Option<Footprints>,
    /// What the symbols of calls that are cut stand for.
    pub(super) cut: Cut,
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
        let empty = || Box::new([Cell { term: None, byte: 0, of: 0 }; PAGE]);
        let cells = self.pages[page].get_or_insert_with(empty);
        cells[address as usize % PAGE] = Cell { term: Some(term), byte, of: self.cut.current };
    }

    /// The program does something that is no access to these cells.
    pub(super) fn beyond(&mut self, beyond: Beyond) {
        if let Some(footprints) = &mut self.footprints {
            footprints.beyond(beyond);
        }
    }

    fn byte(&mut self, terms: &mut Terms, address: u64) -> Term {
        let Cell { term, byte, of } = self.cell(address);
        let byte = window::byte_of(terms, term.expect("a cell with a flag was set"), byte);
        self.cut.own(terms, byte, of, Origin::Cell(address))
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

    /// These bytes are read by the program.
    pub(super) fn note_read(&mut self, address: u64, count: u64) {
        if self.cells.footprints.is_none() {
            return;
        }
        for address in address..address + count {
            let bits = self.memory.data(&self.store)[address as usize];
            let cell = (self.flags(address, 1) != 0).then(|| self.cells.cell(address));
            let term = cell.and_then(|cell| Some((cell.term?, cell.byte)));
            if let Some(footprints) = &mut self.cells.footprints {
                footprints.read(ByteRead { address, bits, term });
            }
        }
    }

    /// A byte and its term, without the program reading it.
    pub(super) fn peek(&mut self, terms: &mut Terms, address: u64) -> (u64, Option<Term>) {
        let term = (self.flags(address, 1) != 0).then(|| self.cells.byte(terms, address));
        (self.number(address, 1), term.filter(|&term| terms.as_constant(term).is_none()))
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
        if let Some(footprints) = &mut self.cells.footprints {
            (address..address + count).for_each(|address| footprints.write(address));
        }
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

    /// The term of `count` bytes, if one of them has any, as they were when this was their number: since then numbers, but no
    /// terms, may have been written there.
    pub(super) fn term_before(
        &mut self,
        terms: &mut Terms,
        address: u64,
        count: u8,
        bits: u64,
    ) -> Option<Term> {
        if self.flags(address, count) == 0 {
            return None;
        }
        let mut value = None;
        for place in 0..count {
            let byte = match self.flags(address + u64::from(place), 1) {
                0 => terms.constant(8, bits >> (8 * place) & 0xff),
                _ => self.cells.byte(terms, address + u64::from(place)),
            };
            value = Some(value.map_or(byte, |value| terms.concat(byte, value)));
        }
        value.filter(|&value| terms.as_constant(value).is_none())
    }

    /// The term that was stored here as a whole.
    fn whole(&self, terms: &Terms, address: u64, count: u8) -> Option<Term> {
        let all = 0x0101_0101_0101_0101_u64 >> (64 - 8 * u32::from(count));
        if self.flags(address, count) != all {
            return None;
        }
        let first = self.cells.cell(address);
        let term = first.term.filter(|&term| first.byte == 0 && terms.width_of(term) == 8 * count)?;
        let own = |cell: Cell| cell.of == self.cells.cut.current;
        let follows = |place: u8| {
            let cell = self.cells.cell(address + u64::from(place));
            cell.term == Some(term) && cell.byte == place && own(cell)
        };
        if !own(first) {
            return None;
        }
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
    pub(super) fn copy(&mut self, terms: &mut Terms, to: u64, from: u64, count: u64) {
        let flagged: Vec<u64> = self.symbolic(from, count);
        let mut cells = Vec::with_capacity(flagged.len());
        for address in flagged {
            let cell = self.cells.cell(address);
            let (term, byte) = match cell.of == self.cells.cut.current {
                true => (cell.term.expect("a cell with a flag was set"), cell.byte),
                false => (self.cells.byte(terms, address), 0),
            };
            cells.push((to + (address - from), term, byte));
        }
        self.set_flags(to, count, 0);
        for (address, term, byte) in cells {
            self.cells.set(address, term, byte);
            self.set_flags(address, 1, 1);
        }
    }

    /// The addresses of all cells with terms in a range.
    pub(super) fn symbolic(&self, from: u64, count: u64) -> Vec<u64> {
        let flags = &self.flags.data(&self.store)[from as usize..(from + count) as usize];
        (from..).zip(flags).filter(|(_, flag)| **flag != 0).map(|(address, _)| address).collect()
    }
}

impl<S: AsContextMut> Bytes for Linear<'_, S> {
    fn size(&self) -> u64 {
        self.memory.data_size(&self.store) as u64
    }

    fn byte(&mut self, terms: &mut Terms, address: u64) -> Term {
        self.note_read(address, 1);
        match self.flags(address, 1) {
            0 => terms.constant(8, self.number(address, 1)),
            _ => self.cells.byte(terms, address),
        }
    }

    fn plain_number(&mut self, address: u64, count: u8) -> Option<u64> {
        if self.flags(address, count) != 0 {
            return None;
        }
        self.note_read(address, count.into());
        Some(self.number(address, count))
    }
}
