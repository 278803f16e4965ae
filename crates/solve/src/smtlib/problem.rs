//! What can be wrong with a script, in the script's own eyes or in ours.

use super::syntax::{Expr, ScriptError};

/// Why an expression has no meaning for us.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) error: ScriptError,
    pub(super) kind: ProblemKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProblemKind {
    /// No solver could make sense of it.
    Wrong,
    /// Another solver may know what to do.
    Beyond,
    /// It has quantifiers: another solver may know; it is no error if there is none.
    Quantified,
}

impl<'a> Expr<'a> {
    pub(super) fn wrong(self, message: impl Into<String>) -> Problem {
        Problem { error: self.error(message), kind: ProblemKind::Wrong }
    }

    pub(super) fn beyond(self, message: impl Into<String>) -> Problem {
        Problem { error: self.error(message), kind: ProblemKind::Beyond }
    }
}
