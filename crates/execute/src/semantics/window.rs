//! Memory accesses whose address is a term.
//!
//! If the address has few possible values, a read is a [lookup](Terms::lookup) in what memory holds at those places now,
//! and a write changes each byte it may change into a choice between the new and the old. Otherwise there is no
//! term, and the caller replaces the address by its value. That the access is in bounds is decided before, so
//! addresses at which it would not be are left out.

use coax_term::{Algebra, Node, Symbol, Term, Terms};

/// So many possible addresses a read may have.
pub const READS: usize = 256;
/// So many possible addresses a write may have.
pub const WRITES: usize = 64;

/// A memory as terms.
pub trait Bytes {
    /// How many bytes it has.
    fn size(&self) -> u64;
    /// The byte at an address below the size, 8 bits wide.
    fn byte(&mut self, terms: &mut Terms, address: u64) -> Term;
    /// The number in `count` bytes (at most 8) from an address on, if none of them is a term. A shortcut: none is always right.
    fn plain_number(&mut self, _address: u64, _count: u8) -> Option<u64> {
        None
    }
}

/// The `count` bytes (at most 8) from an address on, as one term with the lowest byte in the lowest bits.
pub fn read_at(terms: &mut Terms, bytes: &mut dyn Bytes, address: u64, count: u8) -> Term {
    if let Some(bits) = bytes.plain_number(address, count) {
        return terms.constant(8 * count, bits);
    }
    let mut value = bytes.byte(terms, address);
    for place in 1..u64::from(count) {
        let byte = bytes.byte(terms, address + place);
        value = terms.concat(byte, value);
    }
    value
}

/// Byte `place` of a value that is several bytes wide.
pub fn byte_of(terms: &mut Terms, value: Term, place: u8) -> Term {
    if terms.width(value) == 8 { value } else { terms.extract(value, place * 8, 8) }
}

/// What `count` bytes from `address` (64 bits wide, offset included) on hold, if it is one of these.
pub fn read(terms: &mut Terms, bytes: &mut dyn Bytes, address: Term, places: &[u64], count: u8) -> Term {
    let entries = places.iter().map(|&at| (at, read_at(terms, bytes, at, count))).collect();
    let table = terms.table(entries);
    terms.lookup(address, table)
}

/// The first and the last symbol among the bytes that such a read may find, with how far behind its place the end of all of them is.
pub fn outermost_symbols(
    terms: &mut Terms,
    bytes: &mut dyn Bytes,
    places: &[u64],
    count: u8,
) -> Vec<(Symbol, u64)> {
    let Some(end) = places.last().map(|last| last + u64::from(count)) else { return Vec::new() };
    let mut symbol_in = |at: u64| {
        if bytes.plain_number(at, count).is_some() {
            return None;
        }
        (at..at + u64::from(count)).find_map(|at| match bytes.byte(terms, at) {
            byte if let Node::Symbol(symbol) = terms.node(byte) => Some((symbol, end - at)),
            _ => None,
        })
    };
    let first = places.iter().find_map(|&at| symbol_in(at));
    let last = first.and_then(|_| places.iter().rev().find_map(|&at| symbol_in(at)));
    first.into_iter().chain(last).collect()
}

/// The bytes that may change when `value`, `count` bytes wide, is stored at `address`, which is one of these: in order, and what
/// each holds afterwards.
pub fn write(
    terms: &mut Terms,
    bytes: &mut dyn Bytes,
    address: Term,
    places: &[u64],
    value: Term,
    count: u8,
) -> Vec<(u64, Term)> {
    let mut touched: Vec<u64> = places.iter().flat_map(|&at| at..at + u64::from(count)).collect();
    touched.sort_unstable();
    touched.dedup();
    let mut changes = Vec::with_capacity(touched.len());
    for at in touched {
        let mut byte = bytes.byte(terms, at);
        for place in 0..count {
            // The store begins so many bytes before this one.
            let Some(start) = at.checked_sub(u64::from(place)) else { break };
            if places.binary_search(&start).is_ok() {
                let start = terms.constant(64, start);
                let starts_there = terms.eq(address, start);
                let new = byte_of(terms, value, place);
                byte = terms.ite(starts_there, new, byte);
            }
        }
        changes.push((at, byte));
    }
    changes
}

/// The possible values of an address at which `count` bytes are inside memory, sorted; `None` if it has more than `limit`.
pub fn places(
    terms: &mut Terms,
    bytes: &dyn Bytes,
    address: Term,
    count: u8,
    limit: usize,
) -> Option<Vec<u64>> {
    let last = bytes.size().checked_sub(u64::from(count))?;
    let mut addresses = terms.possible_values(address, limit)?;
    addresses.retain(|&at| at <= last);
    (!addresses.is_empty()).then_some(addresses)
}
