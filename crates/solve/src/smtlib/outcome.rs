//! Who carries out a script, and what comes of it.

use super::problem::Problem;
use super::syntax::{Position, ScriptError};
use crate::{Budget, Child, Layer};
use std::io;

/// Who answers a script's questions.
pub struct Solvers<'a> {
    /// The stack: it is asked whatever we can say in terms.
    pub layer: &'a mut dyn Layer,
    /// A solver that is told the text of what we cannot say in terms, if there is one.
    pub child: Option<&'a mut Child>,
    /// What a question may cost.
    pub budget: &'a mut dyn FnMut() -> Budget,
}

/// What the answers of a script were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The answers to all `check-sat`, in order.
    pub verdicts: Vec<Verdict>,
    /// Where an answer is not what `(set-info :status …)` before it said.
    pub contradictions: Vec<Position>,
}

/// The answer to a `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There are values.
    Sat,
    /// There are none.
    Unsat,
    /// It was not found out; why.
    Unknown(String),
}

/// Why a script was not carried out to its end.
#[derive(Debug)]
pub enum RunError {
    /// The script is wrong, or says what is not supported.
    Script(ScriptError),
    /// The answers could not be written.
    Output(io::Error),
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Script(error) => error.fmt(f),
            RunError::Output(error) => write!(f, "The answers could not be written: {error}."),
        }
    }
}

impl std::error::Error for RunError {}

impl From<ScriptError> for RunError {
    fn from(error: ScriptError) -> RunError {
        RunError::Script(error)
    }
}

impl From<Problem> for RunError {
    fn from(problem: Problem) -> RunError {
        RunError::Script(problem.error)
    }
}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> RunError {
        RunError::Output(error)
    }
}
