//! The blocks of a running program's heap, and what is wrong with an access or a `free`. The one judge: whoever suspects something asks here.
//!
//! Invariant: blocks that live do not overlap. If the program's allocator seems to break it, there is something about the allocator that is
//! not seen, and from then on nothing is called an error.

use super::shadow;
use super::stack::{FIRST_ADDRESS, Layout, RED_ZONE};
use super::{MemoryError, bytes};
use crate::TrapKind;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How many different blocks are remembered for those who ask what an address might have been in.
const HISTORY: usize = 10_000;

/// Bytes before a block that are surely the allocator's own.
const HEADER: u64 = 8;

/// A block that the program got from its allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) start: u32,
    pub(crate) size: u32,
    /// The number of the call that allocated it, of all calls of the allocator's.
    pub(crate) allocated: u64,
    /// The same of the call that freed it, if it is freed.
    pub(crate) freed: Option<u64>,
}

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) address: u32,
    pub(crate) size: u32,
    pub(crate) is_write: bool,
    /// Whether who reads a word may ignore some of its bytes.
    pub(crate) reads_words: bool,
}

/// The heap of a running program.
#[derive(Debug)]
pub(crate) struct Heap {
    layout: Option<Layout>,
    live: BTreeMap<u32, Block>,
    freed: BTreeMap<u32, Block>,
    /// What is between blocks but not the allocator's.
    foreign: Vec<Range<u64>>,
    /// From here on memory is the allocator's, once it has given the first block.
    lowest: Option<u64>,
    /// How much memory there is.
    end: u64,
    /// Calls of the allocator's so far.
    pub(super) calls: u64,
    /// Those of them before the entry function was called.
    calls_before: u64,
    /// Whether all that the allocator does seems to be seen.
    is_trusted: bool,
    history: BTreeSet<(u32, u32)>,
}

impl Heap {
    /// Nothing is allocated, in a memory of so many bytes.
    pub(crate) fn new(layout: Option<Layout>, end: u64, shadow: &mut [u8]) -> Heap {
        if layout.is_some_and(|layout| layout.null_is_free) {
            shadow::redden(shadow, 0, FIRST_ADDRESS.into());
        }
        Heap {
            layout,
            live: BTreeMap::new(),
            freed: BTreeMap::new(),
            foreign: Vec::new(),
            lowest: None,
            end,
            calls: 0,
            calls_before: 0,
            is_trusted: true,
            history: BTreeSet::new(),
        }
    }

    /// Where blocks were, at any time, and how large they were.
    pub(crate) fn history(&self) -> Vec<(u32, u32)> {
        self.history.iter().copied().collect()
    }

    /// The allocator gave a block.
    pub(super) fn allocate(&mut self, start: u32, size: u32, shadow: &mut [u8]) {
        let (from, to) = (u64::from(start), u64::from(start) + u64::from(size));
        // A block that ends outside of the memory was never meant to be used, or is not what we think it is.
        self.is_trusted &= to <= self.end && !self.overlaps_live(from, to);
        if !self.is_trusted {
            return;
        }
        let lowest = from.saturating_sub(HEADER);
        match self.lowest {
            None => self.redden(lowest, self.end, shadow),
            Some(known) if lowest < known => self.redden(lowest, known, shadow),
            Some(_) => {}
        }
        self.lowest = Some(self.lowest.map_or(lowest, |known| known.min(lowest)));
        while let Some(reused) = self.freed_in(from, to.max(from + 1)) {
            self.freed.remove(&reused.start);
        }
        shadow::open(shadow, from, to);
        self.live.insert(start, Block { start, size, allocated: self.calls, freed: None });
        if self.history.len() < HISTORY {
            self.history.insert((start, size));
        }
    }

    /// A block is given back, or exchanged for another one: what is wrong with that.
    pub(super) fn judge_free(&mut self, pointer: u32) -> Option<MemoryError> {
        if pointer == 0 || !self.is_trusted || self.live.contains_key(&pointer) {
            return None;
        }
        let error = |kind, what, block| Some(MemoryError { kind, what, block });
        if let Some(&block) = self.freed.get(&pointer) {
            let what = format!("a block of {} is freed again", bytes(block.size));
            return error(TrapKind::DoubleFree, what, Some(block));
        }
        let inside = |block: &Block| {
            let state = if block.freed.is_some() { "freed block" } else { "block" };
            let distance = bytes(pointer - block.start);
            format!("a pointer {distance} behind the start of a {state} of {} is freed", bytes(block.size))
        };
        let found = self.live_in(pointer.into(), u64::from(pointer) + 1);
        if let Some(block) = found.or_else(|| self.freed_in(pointer.into(), u64::from(pointer) + 1)) {
            return error(TrapKind::InvalidFree, inside(&block), Some(block));
        }
        if self.layout.is_some_and(|layout| pointer < layout.heap_base) {
            let what = format!("address {pointer:#x}, which is not on the heap, is freed");
            return error(TrapKind::InvalidFree, what, None);
        }
        self.is_trusted = false;
        None
    }

    /// A block was given back.
    pub(super) fn free(&mut self, pointer: u32, shadow: &mut [u8]) {
        let Some(block) = self.live.remove(&pointer) else { return };
        let end = u64::from(block.start) + u64::from(block.size);
        shadow::redden(shadow, block.start.into(), end);
        self.freed.insert(pointer, Block { freed: Some(self.calls), ..block });
    }

    /// It is not known whether a block was given back.
    pub(super) fn forget(&mut self, pointer: u32) {
        if self.live.contains_key(&pointer) {
            self.is_trusted = false;
        }
    }

    /// A block may be used further than it was asked for.
    pub(super) fn extend(&mut self, pointer: u32, size: u32, shadow: &mut [u8]) {
        if let Some(block) = self.live.get_mut(&pointer).filter(|block| block.size < size) {
            block.size = size;
            shadow::open(shadow, pointer.into(), u64::from(pointer) + u64::from(size));
        }
    }

    /// There is more memory: the allocator's, or what the program itself or we have taken.
    pub(super) fn grow(&mut self, from: u64, to: u64, is_allocators: bool, shadow: &mut [u8]) {
        self.end = to;
        match is_allocators {
            true if self.lowest.is_some() => self.redden(from, to, shadow),
            true => {}
            false => self.take(from, to, shadow),
        }
    }

    /// This memory is the program's own.
    pub(super) fn take(&mut self, from: u64, to: u64, shadow: &mut [u8]) {
        if from < to {
            shadow::open(shadow, from, to);
            self.foreign.push(from..to);
        }
    }

    /// What is wrong with an access, if anything is.
    pub(super) fn judge(&self, access: Access, stack_pointer: u32) -> Option<MemoryError> {
        let end = u64::from(access.address) + u64::from(access.size);
        // The access itself traps.
        if end > self.end || access.size == 0 {
            return None;
        }
        self.judge_null(access, stack_pointer).or_else(|| self.judge_heap(access, end))
    }

    fn judge_null(&self, access: Access, stack_pointer: u32) -> Option<MemoryError> {
        let is_null = self.layout?.null_is_free
            && access.address < FIRST_ADDRESS
            && access.address < stack_pointer.saturating_sub(RED_ZONE);
        let what = format!("{} at address {}", verb(access), access.address);
        is_null.then_some(MemoryError { kind: TrapKind::NullDereference, what, block: None })
    }

    fn judge_heap(&self, access: Access, end: u64) -> Option<MemoryError> {
        let start = u64::from(access.address);
        let bad = self.first_bad(start, end)?;
        if access.reads_words && !access.is_write {
            let is_aligned = access.size.is_power_of_two() && access.address.is_multiple_of(access.size);
            if is_aligned && self.overlaps_live(start, end) {
                return None;
            }
        }
        let error = |kind, place: String, block| {
            Some(MemoryError { kind, what: format!("{}, {place}", verb(access)), block: Some(block) })
        };
        let before = self.live.range(..=bad as u32).next_back().map(|(_, block)| *block);
        let after = self.live.range(bad as u32..).next().map(|(_, block)| *block);
        let behind = |block: Block| bad - (u64::from(block.start) + u64::from(block.size));
        let ahead = |block: Block| u64::from(block.start) - bad;
        // An access that begins in a block leaves that block, whatever is behind it.
        let left = before.filter(|&block| bad > start && behind(block) == 0);
        if left.is_none()
            && let Some(block) = self.freed_in(bad, bad + 1)
        {
            let distance = bytes(bad as u32 - block.start);
            let place = format!("{distance} behind the start of a freed block of {}", bytes(block.size));
            return error(TrapKind::UseAfterFree, place, block);
        }
        let is_behind = |block: Block| {
            let place = match behind(block) {
                0 => format!("just behind a block of {}", bytes(block.size)),
                distance => {
                    format!("{} behind the end of a block of {}", bytes(distance as u32), bytes(block.size))
                }
            };
            error(TrapKind::HeapBufferOverflow, place, block)
        };
        match (before, after) {
            (Some(block), Some(next)) if ahead(next) < behind(block) => {
                let place = format!("{} before a block of {}", bytes(ahead(next) as u32), bytes(next.size));
                error(TrapKind::HeapBufferOverflow, place, next)
            }
            (Some(block), _) => is_behind(block),
            (None, Some(next)) => {
                let place = format!("{} before a block of {}", bytes(ahead(next) as u32), bytes(next.size));
                error(TrapKind::HeapBufferOverflow, place, next)
            }
            (None, None) => {
                let what = format!("{}, where the heap has no block", verb(access));
                Some(MemoryError { kind: TrapKind::HeapBufferOverflow, what, block: None })
            }
        }
    }

    /// What is wrong with setting the stack pointer to this.
    pub(super) fn judge_stack(&self, stack_pointer: u32) -> Option<MemoryError> {
        let layout = self.layout?;
        let is_over = stack_pointer < layout.lowest || u64::from(stack_pointer) > self.end;
        let what = match stack_pointer < layout.lowest {
            true => format!("{} below its end", bytes(layout.lowest - stack_pointer)),
            // The stack comes first, and the pointer went below zero.
            false => format!("{} below its end", bytes(stack_pointer.wrapping_neg())),
        };
        is_over.then_some(MemoryError { kind: TrapKind::StackOverflow, what, block: None })
    }

    /// The entry function is about to be called.
    pub(super) fn begins(&mut self) {
        self.calls_before = self.calls;
    }

    /// Whether a block was there before the entry function was called: whoever made it, the entry function has not lost it.
    pub(super) fn is_callers(&self, block: &Block) -> bool {
        block.allocated <= self.calls_before
    }

    /// All blocks that live.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.live.values().filter(|_| self.is_trusted)
    }

    /// Where the roots of what can be reached are: below the heap, except the dead part of the stack, and what is not the allocator's.
    pub(super) fn roots(&self, stack_pointer: u32) -> Vec<Range<u64>> {
        let lowest = self.lowest.unwrap_or(self.end);
        let mut roots = self.foreign.clone();
        match self.layout {
            // Below the stack pointer is what functions that are over have left.
            Some(Layout { lowest: data_end, top, .. })
                if data_end < stack_pointer && stack_pointer <= top =>
            {
                roots.extend([0..data_end.into(), stack_pointer.into()..lowest]);
            }
            _ => roots.push(0..lowest),
        }
        roots
    }

    /// The first byte of a range that nobody may access.
    fn first_bad(&self, mut at: u64, end: u64) -> Option<u64> {
        let lowest = self.lowest.filter(|_| self.is_trusted)?;
        at = at.max(lowest);
        while at < end {
            let foreign = || self.foreign.iter().find(|range| range.contains(&at)).map(|range| range.end);
            let live = self.live_in(at, at + 1).map(|block| u64::from(block.start) + u64::from(block.size));
            match live.or_else(foreign) {
                Some(next) => at = next,
                None => return Some(at),
            }
        }
        None
    }

    fn redden(&self, from: u64, to: u64, shadow: &mut [u8]) {
        shadow::redden(shadow, from, to);
        for range in &self.foreign {
            shadow::open(shadow, range.start.max(from), range.end.min(to).max(range.start.max(from)));
        }
    }

    fn live_in(&self, from: u64, to: u64) -> Option<Block> {
        last_in(&self.live, from, to)
    }

    fn freed_in(&self, from: u64, to: u64) -> Option<Block> {
        last_in(&self.freed, from, to)
    }

    fn overlaps_live(&self, from: u64, to: u64) -> bool {
        self.live_in(from, to).is_some()
    }
}

/// The last block that has some of these bytes; blocks of one map do not overlap.
fn last_in(blocks: &BTreeMap<u32, Block>, from: u64, to: u64) -> Option<Block> {
    let to = u32::try_from(to).unwrap_or(u32::MAX);
    // Empty blocks may be between.
    let mut earlier = blocks.range(..to).rev().map(|(_, block)| *block).filter(|block| block.size > 0);
    earlier.next().filter(|block| u64::from(block.start) + u64::from(block.size) > from)
}

fn verb(access: Access) -> String {
    let verb = if access.is_write { "written" } else { "read" };
    format!("{} {verb}", bytes(access.size))
}
