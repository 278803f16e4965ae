//! What slots are given to do, and what came of it: plain data.

use crate::choice::Choice;
use coax_execute::{Bounds, Coverage, Error, Input, Outcome};
use coax_solve::Reason;
use coax_term::Term;
use std::collections::BTreeSet;

/// A run whose path is known: its number, in the order in which they were given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TraceId(pub(crate) u32);

/// Something to do.
#[derive(Debug)]
pub(crate) enum Task {
    /// Run this input; its path is kept under this number.
    Run { trace: TraceId, input: Box<Input> },
    /// Find an input that comes to a decision of this trace, by its place on the path, and goes none of the ways that were seen there.
    Ask { trace: TraceId, place: usize, excluded: Excluded, effort: u64 },
}

/// The ways that were seen at a decision, beside that of the trace which is asked about.
#[derive(Debug)]
pub(crate) enum Excluded {
    /// Values of a term that was replaced by its value; the first of the wishes that is possible is to be the next.
    Values { seen: Vec<u64>, wishes: Vec<u64> },
    /// Conditions, which are terms of the slot's own arena.
    Conditions(Vec<Term>),
}

/// What came of a task.
#[derive(Debug)]
pub(crate) enum Done {
    /// The program ran.
    Ran(Box<Ran>),
    /// The program could not be run.
    Failed(Error),
    /// There is such an input.
    Found(Box<Input>),
    /// There is none.
    Proved,
    /// It is not known.
    GaveUp(Reason),
    /// It was not tried, and may be later.
    Postponed,
}

/// A run.
#[derive(Debug)]
pub(crate) struct Ran {
    /// What was run, with all that the program asked for.
    pub(crate) input: Input,
    pub(crate) outcome: Outcome,
    pub(crate) stderr: Vec<u8>,
    pub(crate) coverage: Coverage,
    pub(crate) labels: Vec<String>,
    /// The decisions, in order.
    pub(crate) choices: Vec<Choice>,
    /// The places of decisions that earlier ones had taken already.
    pub(crate) implied: BTreeSet<u32>,
    /// The terms that were replaced by values.
    pub(crate) concretisations: usize,
    pub(crate) bounds: Bounds,
    /// Whether the plain module ended in another way than the instrumented one.
    pub(crate) differs: bool,
    /// Inputs that go the same way, but access what they should not.
    pub(crate) suspects: Vec<Input>,
}
