//! A linear memory: pages of plain bytes, made when first written, and beside them the bytes that are terms.

use crate::semantics::window::{Bytes, byte_of};
use coax_term::{Algebra, Term, Terms};
use std::collections::BTreeMap;

/// How our pages are sized; wasm's are larger.
const CHUNK: u64 = 4096;

/// A wasm page.
pub(super) const PAGE: u64 = 65536;

#[derive(Debug)]
pub(super) struct Memory {
    pub(super) ty: wasmparser::MemoryType,
    pages: u64,
    /// What was written, by address divided by [`CHUNK`]; all else is zero.
    chunks: BTreeMap<u64, Box<[u8; CHUNK as usize]>>,
    /// Bytes that are terms but no constants; what `chunks` says of them is old.
    terms: BTreeMap<u64, Term>,
}

impl Memory {
    pub(super) fn new(ty: wasmparser::MemoryType) -> Memory {
        Memory { ty, pages: ty.initial, chunks: BTreeMap::new(), terms: BTreeMap::new() }
    }

    pub(super) fn pages(&self) -> u64 {
        self.pages
    }

    /// Grows by so many pages, if that is allowed; the number of pages before.
    pub(super) fn grow(&mut self, pages: u64, limit_bytes: u64) -> Option<u64> {
        let most = if self.ty.memory64 { 1 << 48 } else { 1 << 16 };
        let most = most.min(self.ty.maximum.unwrap_or(u64::MAX)).min(limit_bytes / PAGE);
        let before = self.pages;
        let after = before.checked_add(pages).filter(|&after| after <= most || pages == 0)?;
        self.pages = after;
        Some(before)
    }

    /// Writes a byte of 8 bits, a constant or not.
    pub(super) fn set(&mut self, terms: &Terms, address: u64, byte: Term) {
        match terms.as_constant(byte) {
            Some(bits) => self.set_plain(address, bits as u8),
            None => {
                self.terms.insert(address, byte);
            }
        }
    }

    pub(super) fn set_plain(&mut self, address: u64, byte: u8) {
        self.terms.remove(&address);
        let chunk = address / CHUNK;
        // Zeros need no chunk.
        if byte != 0 || self.chunks.contains_key(&chunk) {
            let chunk = self.chunks.entry(chunk).or_insert_with(|| Box::new([0; CHUNK as usize]));
            chunk[(address % CHUNK) as usize] = byte;
        }
    }

    /// A byte that is no term.
    fn plain(&self, address: u64) -> u8 {
        self.chunks.get(&(address / CHUNK)).map_or(0, |chunk| chunk[(address % CHUNK) as usize])
    }

    /// All bytes that are no terms; zeros where there are terms.
    pub(super) fn plain_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.size() as usize];
        for (chunk, data) in &self.chunks {
            let start = (chunk * CHUNK) as usize;
            bytes[start..start + data.len()].copy_from_slice(&data[..]);
        }
        bytes
    }

    /// The bytes that are terms.
    pub(super) fn symbolic_bytes(&self) -> Vec<(u64, Term)> {
        self.terms.iter().map(|(&address, &term)| (address, term)).collect()
    }

    /// Writes a value of whole bytes.
    pub(super) fn store(&mut self, terms: &mut Terms, address: u64, value: Term) {
        for place in 0..terms.width(value) / 8 {
            let byte = byte_of(terms, value, place);
            self.set(terms, address + u64::from(place), byte);
        }
    }
}

impl Bytes for Memory {
    fn size(&self) -> u64 {
        self.pages.saturating_mul(PAGE)
    }

    fn byte(&mut self, terms: &mut Terms, address: u64) -> Term {
        if let Some(&term) = self.terms.get(&address) {
            return term;
        }
        terms.constant(8, u64::from(self.plain(address)))
    }

    fn plain_number(&mut self, address: u64, count: u8) -> Option<u64> {
        let end = address + u64::from(count);
        let is_plain = self.terms.range(address..end).next().is_none();
        is_plain.then(|| (address..end).rev().fold(0, |bits, at| bits << 8 | u64::from(self.plain(at))))
    }
}
