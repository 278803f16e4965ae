//! Hooks: what techniques that are built on the engine can do to the calls of a run, and learn of them.
//!
//! See `docs/decisions/0004-hooks.md`.

pub use super::calls::{CallKind, Datum};
pub use crate::instrument::segment::Beyond;
use coax_program::Func;
use coax_term::{Term, Terms};
use std::collections::BTreeSet;

/// Decides what happens to each call of a run. Wants a variant that sees calls.
pub trait Director: Send + Sync {
    /// A call is about to begin.
    fn entering(&mut self, call: &Call, terms: &mut Terms) -> Treatment {
        let _ = (call, terms);
        Treatment::Run
    }

    /// Whether to be told when a call, which began just now, is over. (A record takes time in proportion to what the call touched.)
    fn wants_record(&self, call: &Call) -> bool {
        let _ = call;
        true
    }

    /// A call is over. If it was suspended, its effects can be given terms here.
    fn ended(&mut self, frame: &mut FrameRecord, terms: &mut Terms) {
        let _ = (frame, terms);
    }
}

/// A call that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// How many calls began before; those inside of suspended calls are not counted.
    pub number: u32,
    /// The function.
    pub func: Func,
    /// Its arguments; vectors and references are not told.
    pub args: Vec<Option<Datum>>,
}

/// What is done with a call.
#[derive(Clone, Debug)]
pub enum Treatment {
    /// It runs as the program wants it.
    Run,
    /// It runs, and everything symbolic that comes into it becomes a symbol of its own. What these stand for is kept: see
    /// [`SymbolicRun::uncut`](super::SymbolicRun::uncut). A read through a symbolic address is a look-up in the cells that the
    /// *uncut* address can have.
    Cut,
    /// It runs without terms, from the first time that it uses something which depends on the input; then its effects are given those that [`Director::ended`]
    /// says. Wants the variant that sees cells.
    Suspend,
    /// It does not run; these are its effects.
    Skip(Effects),
}

/// What a call does to the rest of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// What it returns; vectors and references are not told.
    pub results: Vec<Option<Datum>>,
    /// The bytes of the first memory that it writes, and their values at its end.
    pub cells: Vec<Byte>,
    /// The globals that it sets.
    pub globals: Vec<(u32, Datum)>,
}

/// A byte of the first memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Byte {
    /// Where it is.
    pub address: u64,
    /// What it is, 8 bits wide.
    pub value: Datum,
}

/// A term that is to keep its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The term.
    pub term: Term,
    /// Its value.
    pub value: u64,
    /// The byte of the module to which this is due.
    pub at: u32,
}

/// A call that is over. What it read and wrote, and what it did beyond, is only told if the variant sees cells: then all of it.
/// Terms of what it read are those that came in, not the symbols that stand for them if the call was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameRecord {
    /// How it began.
    pub call: Call,
    /// How it ended.
    pub ending: CallKind,
    /// The size of the first memory when it began.
    pub memory_bytes: u64,
    /// How many events the path had when it began, and when it was over.
    pub began: usize,
    /// See `began`.
    pub events: usize,
    /// The bytes that it, or what it called, read before they were written.
    pub cells_read: Vec<Byte>,
    /// The globals that were read before they were set.
    pub globals_read: Vec<(u32, Datum)>,
    /// What it did. There are no results unless it returned.
    pub effects: Effects,
    /// Of a suspended call: whether it used something that may depend on the input. (To hand it on is no use.)
    pub has_used: bool,
    /// How many of the cells of its effects, the first ones, were only written before that: what they are does not depend on the input, unless with another one they are
    /// written again.
    pub cells_before: usize,
    /// What it did or depended on beside these.
    pub beyond: BTreeSet<Beyond>,
    /// Terms that are to keep their values from here on; each becomes an event of the path. Said by [`Director::ended`] of a suspended call.
    pub fixed: Vec<Fixed>,
}
