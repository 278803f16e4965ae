//! What a search found, in the forms that people and other tools read.
//!
//! ```text
//! Report { program, findings, names } ── json, …  ──▶ text
//! ```
//!
//! Nothing here decides, runs or solves; nothing is written to disk: a format is a function from a [`Report`] to files.

mod json;
mod names;

pub use json::summary;
pub use names::test_name;

use coax_execute::TraceFrame;
use coax_program::debug_info::Frame;
use coax_program::{Func, Program, Site};
use coax_search::{Findings, Kept};
use std::time::Duration;

/// What there is to tell.
pub struct Report<'a> {
    /// The program.
    pub program: &'a Program,
    /// The command that found it: `cover`.
    pub command: &'a str,
    /// What the user called the program.
    pub name: String,
    /// The function that tests begin with.
    pub entry: String,
    /// What random choices were made from.
    pub seed: u64,
    /// How long it took.
    pub time: Duration,
    /// What was found.
    pub findings: &'a Findings,
    /// Whether a function is to be covered.
    pub in_scope: &'a dyn Fn(Func) -> bool,
    /// The innermost place of an operator in the user's own files.
    pub place_in_scope: &'a dyn Fn(u32) -> Option<Frame>,
}

impl Report<'_> {
    /// The name of a test; the same input always has the same.
    pub fn test_name(&self, test: &Kept) -> String {
        test_name(self.program, test)
    }

    /// Where a site is: `file:line`, or what is known instead.
    pub fn location(&self, site: Site) -> String {
        location(self.program, self.program.sites[site].offset)
    }

    /// The call that a user should look at first when a test fails.
    pub fn blamed<'t>(&self, test: &'t Kept) -> Option<&'t TraceFrame> {
        let backtrace = test.outcome.backtrace();
        backtrace.iter().find(|frame| (self.in_scope)(frame.func)).or(backtrace.first())
    }

    /// Where that is.
    pub fn blamed_place(&self, test: &Kept) -> Option<String> {
        let frame = self.blamed(test)?;
        let offset = frame.offset?;
        match (self.place_in_scope)(offset) {
            Some(source) => Some(source.to_string()),
            None => Some(location(self.program, offset)),
        }
    }
}

/// Where an operator is: `file:line:column`, or its offset and function.
pub(crate) fn location(program: &Program, offset: u32) -> String {
    match program.frames(offset).first() {
        Some(frame) => frame.to_string(),
        None => format!("offset {offset:#x}"),
    }
}
