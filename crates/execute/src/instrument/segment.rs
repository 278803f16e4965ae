//! What a function is cut into: segments, which the host can replay, and the boundaries between them.
//!
//! See `docs/decisions/0002-mask-and-replay.md`. These types are shared by the planner, the writer of the
//! instrumented code, and the host.

use crate::TrapKind;
use crate::path::Concretisation;
use crate::semantics::Scalar;
use crate::semantics::memory::Access;

/// A register of a segment.
pub(crate) type Reg = u16;

/// A place for the term of a value that outlives its segment: a local, or a place on the operand stack.
pub(crate) type Slot = u32;

/// How many classes of slots a frame's mask tells apart.
pub(crate) const CLASSES: u32 = 31;

/// The bit of a slot in its frame's mask.
pub(crate) fn class(slot: Slot) -> u32 {
    1 << (slot % CLASSES)
}

/// The bit of a global in `taint`; bit 0 is that of arguments and results.
pub(crate) fn global_bit(global: u32) -> u64 {
    2 << (global % 62)
}

/// The bit of `taint` that says that arguments or results are on their way.
pub(crate) const TRANSFER: u64 = 1;

/// The bit of `taint` that says that some memory is symbolic.
pub(crate) const CELLS: u64 = 1 << 63;

/// What the host is told when memory changes otherwise than by a store: within the first memory …
pub(crate) const COPY: i64 = 0;
/// … from it to another …
pub(crate) const COPY_OUT: i64 = 1;
/// … by what comes from elsewhere.
pub(crate) const OVERWRITE: i64 = 2;
/// Something happens that is neither in memory nor in a global: see [`Beyond`].
pub(crate) const BEYOND: i64 = 3;

/// The `sym` of a frame that is not to run: its results are supplied.
pub(crate) const SKIP: u64 = u64::MAX;

/// What a call may do beside reading and writing memory cells and globals that are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Beyond {
    /// It called a function of the host's.
    Import,
    /// It grew the memory, or tried to.
    Grow,
    /// It used a table that the program changes, or changed it.
    Table,
    /// It used a memory other than the first.
    OtherMemory,
    /// It used a global that is no number.
    OtherGlobal,
    /// It dropped a segment, or used one that the program drops.
    Segment,
}

impl std::fmt::Display for Beyond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Beyond::Import => "it asks the host",
            Beyond::Grow => "it wants more memory",
            Beyond::Table => "it uses a table that changes",
            Beyond::OtherMemory => "it uses a second memory",
            Beyond::OtherGlobal => "it uses a global that is no number",
            Beyond::Segment => "it uses a segment that is dropped",
        })
    }
}

impl Beyond {
    const ALL: [Beyond; 6] = [
        Beyond::Import,
        Beyond::Grow,
        Beyond::Table,
        Beyond::OtherMemory,
        Beyond::OtherGlobal,
        Beyond::Segment,
    ];

    /// As the program tells it to the host.
    pub(crate) fn number(self) -> i64 {
        self as i64
    }

    /// What the program has told.
    pub(crate) fn from_number(number: u64) -> Option<Beyond> {
        Beyond::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// A straight-line run of operators, as the host replays it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Segment {
    /// What it starts with.
    pub(crate) inputs: Vec<Input>,
    /// In the order of the code.
    pub(crate) steps: Vec<Step>,
    /// How many registers there are.
    pub(crate) registers: Reg,
    /// The classes of all slots that it reads or sets.
    pub(crate) mask: u32,
    /// Whether it loads or stores: then flags are checked when it has run.
    pub(crate) touches_memory: bool,
    /// Whether it reads or sets a global that may be symbolic.
    pub(crate) uses_globals: bool,
}

/// A value that a segment starts with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Input {
    /// Its register.
    pub(crate) to: Reg,
    /// 32 or 64.
    pub(crate) width: u8,
    /// Where its term is, if it has one.
    pub(crate) shadow: Shadow,
}

/// Where the term of an input is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shadow {
    /// It is never symbolic.
    Never,
    /// In a slot of the frame.
    Slot(Slot),
    /// With a global.
    Global(u32),
}

/// One step of a replay. `at` is the offset of the operator in the plain module.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// A constant.
    Constant { to: Reg, width: u8, bits: u64 },
    /// A scalar operator; the second operand of one that has only one is the first.
    Scalar { scalar: Scalar, args: [Reg; 2], to: Reg, at: u32 },
    /// `select` of numbers.
    Select { condition: Reg, then: Reg, otherwise: Reg, to: Reg, at: u32 },
    /// `select` of vectors or references.
    Choose { condition: Reg, reason: Concretisation, at: u32 },
    /// A scalar load from the first memory.
    Load { access: Access, address: Reg, to: Reg, at: u32 },
    /// A scalar store to the first memory.
    Store { access: Access, address: Reg, value: Reg, at: u32 },
    /// A load into a vector.
    VectorLoad { access: Access, address: Reg, at: u32 },
    /// A store of a vector or part of one.
    VectorStore { access: Access, address: Reg, at: u32 },
    /// An access to another memory of so many bytes; the value is that of a store.
    OtherMemory { access: Access, address: Reg, value: Option<Reg>, size: Reg, at: u32 },
    /// The slot now has that value, or one without a term.
    Set { slot: Slot, from: Option<Reg> },
    /// `global.set`.
    SetGlobal { global: u32, from: Reg },
    /// `if` or `br_if`; the replay ends if control leaves the segment here.
    Branch { condition: Reg, leaves_if: bool, at: u32 },
    /// `br_table`: which direction each index has, and the last all others.
    Switch { index: Reg, directions: Box<[u32]>, at: u32 },
    /// The operator can only take a number here.
    Concretise { value: Reg, reason: Concretisation, at: u32 },
    /// A range of a memory or table of so many bytes or elements.
    Range { start: Reg, length: Reg, size: Reg, kind: TrapKind, at: u32 },
    /// An index into a table with so many elements.
    Index { index: Reg, size: Reg, at: u32 },
    /// The value of `memory.fill`.
    Fill { value: Reg },
    /// The value of `memory.fill` of another memory.
    FillOther { value: Reg, length: Reg, at: u32 },
    /// What is about to happen is not seen otherwise.
    Beyond(Beyond),
    /// The arguments of a call.
    Call { args: Vec<Option<Reg>> },
    /// The arguments of a call that replaces this frame.
    TailCall { args: Vec<Option<Reg>> },
    /// The results; the frame ends.
    Return { results: Vec<Option<Reg>> },
}

/// A place between two segments.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Boundary {
    /// Slots that take over the arguments or results that are on their way.
    pub(crate) receive: Option<Vec<Option<Slot>>>,
    /// Where a function begins: which of the boundary's values each argument is, if calls are told.
    pub(crate) arguments: Vec<Option<u16>>,
    /// Whether the frame must be known from here on if anything is symbolic: an exception may come back to it, and those
    /// above it are then over.
    pub(crate) needs_frame: bool,
    /// The segment that has run.
    pub(crate) after: Option<Replay>,
    /// The segment that is to run.
    pub(crate) ahead: Option<Replay>,
}

/// How a boundary's values are the inputs of a segment.
#[derive(Debug, PartialEq)]
pub(crate) struct Replay {
    /// Index of the segment.
    pub(crate) segment: u32,
    /// For each input, the boundary's value with that number.
    pub(crate) values: Vec<u16>,
}
