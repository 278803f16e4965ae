//! A path: what a run decided because of its symbolic input, in order.
//!
//! Each event has a condition, a term of width 1 that is true in this run. An input on which the conditions of the first
//! `n` constraining events hold reaches the same place, with the same terms.
//!
//! A path is data: it can be written, read (`path/form.rs` shows the form) and compared.

mod form;
mod read;
mod write;

use crate::TrapKind;
use coax_term::{Term, Terms};
pub use read::PathError;
use serde::{Deserialize, Serialize};

/// What a run decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// In the order of execution.
    pub events: Vec<Event>,
}

impl Path {
    /// What another input must satisfy to come the same way.
    pub fn conditions(&self) -> impl Iterator<Item = Term> {
        self.events.iter().filter(|event| event.constrains()).map(|event| event.condition)
    }
}

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Byte offset of the operator in the plain module.
    pub at: u32,
    /// What was decided.
    pub kind: EventKind,
    /// Why: true in this run.
    pub condition: Term,
}

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A branch or switch went in this direction.
    Branch {
        /// Numbered as the SSA's edges are.
        direction: u32,
    },
    /// A select chose. Its result is a term for both choices, so this does not constrain the path.
    Select {
        /// 0 when the condition was zero.
        direction: u32,
    },
    /// An operator might have trapped.
    Trap {
        /// For this reason.
        kind: TrapKind,
        /// And did.
        trapped: bool,
    },
    /// The world answered a call of the program's in one of several ways.
    World {
        /// What was asked.
        question: Question,
        /// For input of a length that is a symbol: 1 if there was as much as the program asked for. For a read or write that may go
        /// wrong: 0 if it did not, else how ([`IoFault`](crate::IoFault)).
        direction: u32,
    },
    /// The program goes on only if something is true. Not to be tried otherwise.
    Assumption {
        /// Whether it was; if not, the run ended here.
        held: bool,
    },
    /// The program says that something is true.
    Assertion {
        /// Whether it was; if not, the run failed here.
        held: bool,
    },
    /// A term was replaced by its value in this run; the condition says that they are equal.
    Concretised {
        /// The term.
        term: Term,
        /// Its value.
        value: u64,
        /// Why it could not stay a term.
        reason: Concretisation,
    },
}

/// What the world was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Whether an input is so long.
    Length,
    /// Whether a read or write goes wrong.
    Io,
}

/// Why a term had to be replaced by its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Concretisation {
    /// An address with too many possible values.
    Address,
    /// An operand of `memory.*`: a place or a length.
    Bulk,
    /// A table index or length.
    Table,
    /// How much a memory or table should grow.
    Grow,
    /// An operand or memory cell used by SIMD.
    Simd,
    /// The payload of an exception.
    Exception,
    /// A value stored into a memory other than the first.
    OtherMemory,
    /// An argument of a function of the host's, or what it read in memory.
    Import,
    /// A byte that was written to a file.
    File,
    /// How long an input is.
    Length,
    /// What was given to an unknown function that is none.
    Unknown,
}

impl Event {
    /// Whether another input must satisfy the condition to come this way.
    pub fn constrains(&self) -> bool {
        !matches!(self.kind, EventKind::Select { .. })
    }

    /// Whether an event of another run, with terms in another arena, is the same: place, decision and the structure of the
    /// terms.
    pub fn same(&self, terms: &Terms, other: &Event, others: &Terms) -> bool {
        self.at == other.at
            && self.decision(terms) == other.decision(others)
            && terms.hash(self.condition) == others.hash(other.condition)
    }

    /// The decision, with structure instead of numbers for terms.
    fn decision(&self, terms: &Terms) -> Result<EventKind, (Concretisation, u64, u64)> {
        match self.kind {
            EventKind::Concretised { term, value, reason } => Err((reason, value, terms.hash(term))),
            kind => Ok(kind),
        }
    }
}
