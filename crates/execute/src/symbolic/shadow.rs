//! The symbolic side of a run: terms of locals, globals and memory, and the path so far.

use super::accesses::Accesses;
use super::calls::{CallEvent, Datum};
use super::cells::Cells;
use super::cut::{Origin, Vocabulary};
use super::footprint::Footprints;
use super::hooks::Director;
use super::mixed::Mixed;
use crate::instrument::Instrumenter;
use crate::instrument::segment::{CELLS, CLASSES, Slot, TRANSFER, global_bit};
use crate::path::Path;
use coax_term::{Term, Terms};
use std::sync::Arc;

/// Everything that a run knows beside its numbers. It can be used for one run after the other.
#[derive(Default)]
pub(crate) struct Shadow {
    pub(crate) terms: Terms,
    pub(crate) path: Path,
    pub(crate) calls: Vec<CallEvent>,
    pub(crate) accesses: Accesses,
    pub(super) cells: Cells,
    pub(super) frames: Frames,
    pub(super) globals: Vec<Option<(Term, Vocabulary)>>,
    /// Decides what happens to calls.
    pub(super) director: Option<Box<dyn Director>>,
    /// The widths of the globals that it can set.
    pub(super) global_widths: Vec<Option<u8>>,
    /// How many calls it was asked about.
    pub(super) begun: u32,
    /// Why its wish could not be granted.
    pub(super) refusal: Option<String>,
    /// The frame of the call that is suspended.
    pub(super) suspended: Option<usize>,
    /// Whether it has used something that depends on the input: from then on nothing has terms, in it and in what it calls. What it did before does not depend on the
    /// input: a table that the first call fills.
    has_used: bool,
    /// The results of a call that is skipped.
    pub(super) supplied: Vec<u64>,
    /// What it sets globals to.
    pub(super) new_globals: Vec<(u32, u64)>,
    /// Fuel for what was done in the program's place.
    pub(super) spent: u64,
    /// Arguments or results that are on their way from one function to another.
    pub(super) transfer: Transfer,
    /// The value of the next `memory.fill`.
    pub(super) fill: Option<Term>,
    /// What the instrumented code knows as `taint`.
    pub(super) taint: u64,
    /// Registers of the segment that is being replayed.
    pub(super) registers: Vec<Mixed>,
    /// Values of the next boundary that were passed before it.
    pub(super) stash: Vec<u64>,
    /// How often the host was called.
    pub(crate) boundaries: u64,
    pub(super) instrumenter: Option<Arc<Instrumenter>>,
}

/// Arguments or results on their way.
#[derive(Default)]
pub(super) struct Transfer {
    pub(super) kind: TransferKind,
    pub(super) values: Vec<Option<Datum>>,
    /// Whose terms they are.
    pub(super) of: Vocabulary,
}

#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum TransferKind {
    #[default]
    Nothing,
    Arguments,
    Results,
}

impl Shadow {
    /// Forgets the last run; memory is kept for the next.
    pub(crate) fn reset(&mut self, instrumenter: &Arc<Instrumenter>) {
        self.terms.clear();
        self.path.events.clear();
        self.calls.clear();
        self.accesses.clear();
        self.frames.stack.clear();
        self.globals.clear();
        self.director = None;
        self.begun = 0;
        self.refusal = None;
        self.resume();
        self.new_globals.clear();
        self.spent = 0;
        self.cells.footprints = None;
        self.cells.cut.clear();
        self.transfer = Transfer::default();
        self.fill = None;
        self.taint = 0;
        self.stash.clear();
        self.boundaries = 0;
        self.instrumenter = Some(Arc::clone(instrumenter));
    }

    /// Follows a director's wishes from now on.
    pub(super) fn follow(&mut self, director: Box<dyn Director>, complete: bool, globals: Vec<Option<u8>>) {
        self.director = Some(director);
        self.cells.footprints = Some(Footprints::new(complete));
        self.global_widths = globals;
    }

    /// A call is suspended from here on, which began with this frame.
    pub(super) fn suspend(&mut self, frame: usize) {
        self.suspended = Some(frame);
        self.has_used = false;
    }

    /// The call that was suspended is over.
    pub(super) fn resume(&mut self) {
        self.suspended = None;
        self.has_used = false;
    }

    /// Whether a suspended call is running that has used nothing yet that depends on the input.
    pub(super) fn is_waiting(&self) -> bool {
        self.suspended.is_some() && !self.has_used
    }

    /// Whether nothing has a term.
    pub(super) fn is_blind(&self) -> bool {
        self.suspended.is_some() && self.has_used
    }

    /// The suspended call uses something that depends on the input.
    pub(super) fn go_blind(&mut self) {
        let Some(suspended) = self.suspended else { return };
        self.has_used = true;
        self.frames.stack[suspended - 1..].iter_mut().for_each(Frame::clear);
        self.registers.iter_mut().for_each(|register| *register = register.without_term());
        self.transfer = Transfer::default();
        self.taint &= !TRANSFER;
        self.fill = None;
        if let Some(footprints) = &mut self.cells.footprints {
            footprints.forget_written();
        }
    }

    pub(super) fn is_symbolic(&self, global: u32) -> bool {
        self.globals.get(global as usize).is_some_and(Option::is_some)
    }

    /// The term of a global, as the running code may use it.
    pub(super) fn own_global(&mut self, global: u32) -> Option<Term> {
        let (term, of) = self.globals.get(global as usize).copied().flatten()?;
        Some(self.cells.cut.own(&mut self.terms, term, of, Origin::Global(global)))
    }

    pub(super) fn set_global(&mut self, global: u32, term: Option<Term>) {
        let index = global as usize;
        if index >= self.globals.len() {
            if term.is_none() {
                return;
            }
            self.globals.resize(index + 1, None);
        }
        self.globals[index] = term.map(|term| (term, self.cells.cut.current));
        if term.is_some() {
            self.taint |= global_bit(global);
        } else {
            // Another global may share the bit.
            let bits = (0..).zip(&self.globals).filter(|(_, term)| term.is_some());
            let bits = bits.fold(0, |bits, (global, _)| bits | global_bit(global));
            self.taint = (self.taint & (TRANSFER | CELLS)) | bits;
        }
    }

    /// Sends arguments or results on their way, if any of them has a term.
    pub(super) fn send(&mut self, kind: TransferKind, values: &[Option<Datum>]) {
        let symbolic = values.iter().flatten().any(|value| value.term.is_some());
        self.transfer.kind = if symbolic { kind } else { TransferKind::Nothing };
        self.transfer.of = self.cells.cut.current;
        self.transfer.values.clear();
        if symbolic {
            self.transfer.values.extend_from_slice(values);
            self.taint |= TRANSFER;
        }
    }
}

/// The frames that have had terms, the innermost last. Frames are numbered from 1.
#[derive(Default)]
pub(super) struct Frames {
    pub(super) stack: Vec<Frame>,
}

/// The terms of a frame.
#[derive(Default)]
pub(super) struct Frame {
    slots: Vec<Option<Term>>,
    /// How many slots of each class have terms.
    counts: [u16; CLASSES as usize],
    /// The classes with a term.
    pub(super) mask: u32,
    /// The function, if calls are noted.
    pub(super) call: Option<u32>,
    /// Whose symbols its terms are made of.
    pub(super) vocabulary: Vocabulary,
    /// The segment that was replayed ahead and has flags that are yet to be looked at.
    pub(super) done: Option<u32>,
}

impl Frames {
    pub(super) fn term(&self, frame: usize, slot: Slot) -> Option<Term> {
        let frame = self.stack.get(frame.checked_sub(1)?)?;
        frame.slots.get(slot as usize).copied().flatten()
    }

    /// The mask of a frame; 0 if there is none.
    pub(super) fn mask(&self, frame: usize) -> u32 {
        frame.checked_sub(1).and_then(|index| self.stack.get(index)).map_or(0, |frame| frame.mask)
    }

    /// Sets a slot; returns the frame, which is made if it has to be.
    pub(super) fn set(&mut self, frame: usize, slot: Slot, slots: Slot, term: Option<Term>) -> usize {
        let frame = match frame {
            0 if term.is_none() => return 0,
            0 => self.push(slots),
            frame => frame,
        };
        self.stack[frame - 1].set(slot, term);
        frame
    }

    /// A new frame.
    pub(super) fn push(&mut self, slots: Slot) -> usize {
        self.stack.push(Frame { slots: vec![None; slots as usize], ..Frame::default() });
        self.stack.len()
    }
}

impl Frame {
    /// Nothing in it has a term.
    fn clear(&mut self) {
        self.slots.fill(None);
        (self.counts, self.mask) = Default::default();
    }

    fn set(&mut self, slot: Slot, term: Option<Term>) {
        let class = slot % CLASSES;
        let count = &mut self.counts[class as usize];
        let old = std::mem::replace(&mut self.slots[slot as usize], term);
        match (old, term) {
            (None, Some(_)) => *count += 1,
            (Some(_), None) => *count -= 1,
            _ => {}
        }
        let bit = 1 << class;
        self.mask = if *count > 0 { self.mask | bit } else { self.mask & !bit };
    }
}
