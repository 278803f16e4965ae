//! What is asked, what is answered, and who answers.

use crate::Budget;
use coax_term::{Model, Term, Terms};

/// Are there values for the symbols such that the goal and all assumptions hold?
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Conditions that hold on the way to the goal: a path's prefix, in its order.
    pub assumptions: &'a [Term],
    /// The condition that is wanted.
    pub goal: Term,
    /// Values that are likely to be near: those of the run that the question comes from. They often make all
    /// assumptions hold. Symbols that the question does not depend on keep them.
    pub hint: &'a Model,
}

impl Query<'_> {
    /// All conditions: the assumptions, then the goal.
    pub fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.assumptions.iter().copied().chain([self.goal])
    }
}

/// What is known of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// With these values all conditions hold. Symbols of the hint that it does not mention may keep their values.
    Sat(Model),
    /// There are none: already these assumptions contradict the goal, or each other.
    Unsat(Vec<Term>),
    /// It was not found out.
    Unknown(Reason),
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It took more than it was allowed to; who gave up.
    Budget(&'static str),
    /// It needs a solver that is not there; what for.
    NoSolver(String),
    /// No layer knows what to do with this; what it is.
    Unsupported(String),
    /// A search that proves nothing did not find values; which one.
    NotFound(&'static str),
    /// A solver failed: it crashed, or said what it should not; what happened.
    Failed(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Budget(who) => write!(f, "{who} reached its budget"),
            Reason::NoSolver(what) => write!(f, "no solver for {what}"),
            Reason::Unsupported(what) => write!(f, "{what} is not supported"),
            Reason::NotFound(who) => write!(f, "{who} found no values"),
            Reason::Failed(what) => f.write_str(what),
        }
    }
}

/// Someone who answers questions.
pub trait Layer: Send {
    /// Answers a question, within the budget. New terms may be made in the arena.
    ///
    /// A layer may be asked about several arenas: what it remembers of terms is of one [`coax_term::Identity`].
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer;
}
