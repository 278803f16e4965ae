//! Calls of a run, for the techniques that look at functions one by one.

use super::mixed::Mixed;
use super::shadow::Shadow;
use coax_program::Func;
use coax_term::Term;

/// Something that happened to a call of a function of the program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEvent {
    /// The function.
    pub func: Func,
    /// What happened.
    pub kind: CallKind,
    /// How many events of the path came before.
    pub events_before: usize,
}

/// What happened to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// It began, with these arguments; vectors and references are not told.
    Entered(Vec<Option<Datum>>),
    /// It returned these results.
    Returned(Vec<Option<Datum>>),
    /// It was replaced by the call that comes next.
    Replaced,
    /// It ended otherwise: an exception, a trap, an exit.
    Left,
}

/// A number, and its term if it depends on the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datum {
    /// Its bits.
    pub bits: u64,
    /// Its term.
    pub term: Option<Term>,
}

impl From<Mixed> for Datum {
    fn from(value: Mixed) -> Self {
        Datum { bits: value.bits, term: value.term() }
    }
}

impl Shadow {
    /// Notes what happened to a call.
    pub(super) fn note_call(&mut self, func: u32, kind: CallKind) {
        self.calls.push(CallEvent { func: Func(func), kind, events_before: self.path.events.len() });
    }
}
