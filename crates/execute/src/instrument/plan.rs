//! The plan of one function: its segments and boundaries, and what the writer has to put between its operators.
//!
//! `planner.rs` makes it, `write.rs` writes it down, the host replays it.

use super::layout::SegmentIndex;
use super::segment::{Beyond, Boundary, Segment, Slot};
use wasmparser::ValType;

/// What is to be done with one function.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) segments: Vec<Segment>,
    pub(crate) boundaries: Vec<Boundary>,
    /// How many slots a frame has.
    pub(crate) slots: Slot,
    /// For each operator.
    pub(super) notes: Vec<Notes>,
    /// Where and how each boundary is written.
    pub(super) code: Vec<BoundaryCode>,
    /// The types of the locals that the writer adds, after `sym` and `flags`.
    pub(super) temps: Vec<ValType>,
    /// How many locals the function has by itself.
    pub(super) locals: u32,
    /// Whether it has more registers or values at a boundary than there are numbers for: it cannot be written.
    pub(super) too_large: bool,
    /// Whether branches leave the function by its outermost label.
    pub(super) body_is_block: bool,
    /// The types of the results that the host can supply instead of running the function, if it can.
    pub(super) supplied: Option<Vec<ValType>>,
}

impl Plan {
    /// What a replay needs: not how it is written, which takes most of the memory.
    pub(super) fn without_code(self) -> Plan {
        Plan { notes: Vec::new(), code: Vec::new(), ..self }
    }

    /// The types of the results that the host can supply instead of running the function, if it can.
    pub(crate) fn supplied(&self) -> Option<&[ValType]> {
        self.supplied.as_deref()
    }
}

/// What is written at one operator.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Control never gets here: it is left out.
    pub(super) dead: bool,
    /// It is the first live operator after a dead end: `unreachable` has to stand for what was left out.
    pub(super) dead_end: bool,
    /// The boundary before it.
    pub(super) before: Option<usize>,
    /// The address whose flags it looks at, and whether they are the segment's first.
    pub(super) flags: Option<Flags>,
    /// What it does that is not seen otherwise, if that is told.
    pub(super) beyond: Option<Beyond>,
    /// Operands of a bulk memory operator, for the host.
    pub(super) bulk: Vec<(u32, ValType)>,
    /// The types of its results.
    pub(super) results: Vec<ValType>,
    /// Its results that are kept in locals.
    pub(super) keep: Vec<(usize, u32)>,
    /// The boundary after it.
    pub(super) after: Option<usize>,
}

/// A look at the flags of an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags {
    pub(super) address: u32,
    pub(super) bytes: u8,
    pub(super) first: bool,
}

/// When a boundary calls the host, and with what.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundaryCode {
    /// If one of these classes may be symbolic.
    pub(super) mask: u32,
    /// If one of these bits of `taint` is set.
    pub(super) taint: u64,
    /// If the flags are.
    pub(super) flags: bool,
    /// If the frame was ever symbolic.
    pub(super) frame: bool,
    /// In any case.
    pub(super) always: bool,
    /// The values it passes.
    pub(super) values: Vec<Source>,
}

impl BoundaryCode {
    /// Whether there is anything to write.
    pub(super) fn is_needed(&self) -> bool {
        self.mask != 0 || self.taint != 0 || self.flags || self.frame || self.always
    }
}

/// Where code finds a value, and its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    Local(u32, ValType),
    Global(u32, ValType),
    /// The number of elements of a table.
    TableSize(u32),
    /// The number of bytes of a memory.
    MemorySize(u32),
    /// What is left of a segment.
    SegmentSize(SegmentIndex),
}
