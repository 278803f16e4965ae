//! What each open call has read and written.
//!
//! Each byte has two stamps: the moment when it was last read, and last written; calls begin at moments. An access concerns the
//! open calls that began after the stamps it renews, so each call counts a byte once.

use super::hooks::{Beyond, Call};
use coax_term::Term;
use std::collections::BTreeSet;

const PAGE: usize = 1 << 12;

/// The moments when a place was last read and written.
#[derive(Clone, Copy, Debug, Default)]
struct Stamp {
    read: u32,
    written: u32,
}

/// What the open calls have read and written.
#[derive(Debug, Default)]
pub(super) struct Footprints {
    /// Whether every access is told; otherwise none is noted, rather than some.
    complete: bool,
    now: u32,
    pages: Vec<Option<Box<[Stamp; PAGE]>>>,
    globals: Vec<Stamp>,
    /// What globals were last set to.
    values: Vec<u64>,
    open: Vec<Footprint>,
}

/// What one call has read and written so far.
#[derive(Debug)]
pub(super) struct Footprint {
    /// When it began.
    since: u32,
    pub(super) call: Call,
    /// Whether anybody wants to know.
    pub(super) wanted: bool,
    pub(super) memory_bytes: u64,
    /// How many events the path had.
    pub(super) events: usize,
    pub(super) cells_read: Vec<ByteRead>,
    pub(super) globals_read: Vec<(u32, u64, Option<Term>)>,
    pub(super) cells_written: Written,
    pub(super) globals_written: Vec<u32>,
    pub(super) beyond: BTreeSet<Beyond>,
}

/// The bytes that a call has written.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Each once, in the order of the first time.
    places: Vec<u64>,
    /// How many of them were written before a moment that mattered, and when that was.
    before: usize,
    moment: u32,
    /// Those of them that were written since.
    again: BTreeSet<u64>,
}

impl Written {
    /// All of them, those first that were only written before the moment that mattered, and how many these are.
    pub(super) fn all(&self) -> (Vec<u64>, usize) {
        let (mut all, again): (Vec<u64>, Vec<u64>) =
            self.places[..self.before].iter().partition(|place| !self.again.contains(place));
        let before = all.len();
        all.extend(again);
        all.extend(&self.places[self.before..]);
        (all, before)
    }
}

/// A byte that was read: where, what, and which byte of which term, if it has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByteRead {
    pub(super) address: u64,
    pub(super) bits: u8,
    pub(super) term: Option<(Term, u8)>,
}

impl Footprints {
    /// None yet.
    pub(super) fn new(complete: bool) -> Self {
        Footprints { complete, ..Footprints::default() }
    }

    pub(super) fn begin(&mut self, call: Call, wanted: bool, memory_bytes: u64, events: usize) {
        self.now += 1;
        self.open.push(Footprint {
            since: self.now,
            call,
            wanted,
            memory_bytes,
            events,
            cells_read: Vec::new(),
            globals_read: Vec::new(),
            cells_written: Written::default(),
            globals_written: Vec::new(),
            beyond: BTreeSet::new(),
        });
    }

    /// The innermost call is over.
    pub(super) fn end(&mut self) -> Option<Footprint> {
        let ended = self.open.pop()?;
        if let Some(outer) = self.open.last_mut() {
            outer.beyond.extend(&ended.beyond);
        }
        Some(ended)
    }

    pub(super) fn read(&mut self, byte: ByteRead) {
        if !self.complete {
            return;
        }
        let now = self.now;
        let stamp = self.stamp(byte.address);
        let last = stamp.read.max(stamp.written);
        stamp.read = now;
        self.since(last).for_each(|call| call.cells_read.push(byte));
    }

    pub(super) fn write(&mut self, address: u64) {
        if !self.complete {
            return;
        }
        let now = self.now;
        let stamp = self.stamp(address);
        let last = std::mem::replace(&mut stamp.written, now);
        if let Some(call) = self.open.last_mut().filter(|call| call.wanted && call.since <= last) {
            let written = &mut call.cells_written;
            if last < written.moment {
                written.again.insert(address);
            }
        }
        self.since(last).for_each(|call| call.cells_written.places.push(address));
    }

    /// What the innermost call has written up to now, and does not write again, is to be told from the rest.
    pub(super) fn forget_written(&mut self) {
        self.now += 1;
        let Some(call) = self.open.last_mut() else { return };
        let written = &mut call.cells_written;
        (written.before, written.moment) = (written.places.len(), self.now);
    }

    pub(super) fn read_global(&mut self, global: u32, bits: u64, term: Option<Term>) {
        if !self.complete {
            return;
        }
        let now = self.now;
        let stamp = self.global(global);
        let last = stamp.read.max(stamp.written);
        stamp.read = now;
        self.since(last).for_each(|call| call.globals_read.push((global, bits, term)));
    }

    /// What a global was last set to.
    pub(super) fn global_value(&self, global: u32) -> u64 {
        self.values[global as usize]
    }

    pub(super) fn write_global(&mut self, global: u32, bits: u64) {
        if !self.complete {
            return;
        }
        let now = self.now;
        let stamp = self.global(global);
        let last = std::mem::replace(&mut stamp.written, now);
        self.values[global as usize] = bits;
        self.since(last).for_each(|call| call.globals_written.push(global));
    }

    pub(super) fn beyond(&mut self, beyond: Beyond) {
        if let Some(call) = self.open.last_mut() {
            call.beyond.insert(beyond);
        }
    }

    /// The open calls that began after a moment and whose footprint is wanted.
    fn since(&mut self, last: u32) -> impl Iterator<Item = &mut Footprint> {
        self.open.iter_mut().rev().take_while(move |call| call.since > last).filter(|call| call.wanted)
    }

    fn stamp(&mut self, address: u64) -> &mut Stamp {
        let (page, place) = (address as usize / PAGE, address as usize % PAGE);
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let stamps = self.pages[page].get_or_insert_with(|| Box::new([Stamp::default(); PAGE]));
        &mut stamps[place]
    }

    fn global(&mut self, global: u32) -> &mut Stamp {
        let index = global as usize;
        if index >= self.globals.len() {
            self.globals.resize(index + 1, Stamp::default());
            self.values.resize(index + 1, 0);
        }
        &mut self.globals[index]
    }
}
