//! What a search found, in the forms that people and other tools read.
//!
//! ```text
//! Report { program, findings } ── summary ────────────▶ Summary: report.json
//!                              ── lines ──────────────▶ LinesSummary: which tests execute which lines
//!                              ── formats (Emission) ─▶ files of other tools
//! ```
//!
//! Nothing here decides, runs or solves; nothing is written to disk: a format is a function from a [`Report`] to files.

mod branches;
mod dead;
mod failure;
pub mod formats;
mod last_words;
mod lines;
mod names;
mod obstacles;
pub mod summary;
mod supposed;

pub use branches::{Branch, Branches, Direction};
pub use dead::{Dead, dead_code};
pub use failure::Description;
pub use last_words::LastWords;
pub use lines::{FunctionLine, Lines, SourceFile, SourceLine};
pub use names::{is_name_of, test_name};
pub use obstacles::{Obstacle, Obstacles};

use coax_execute::{Outcome, TraceFrame, TrapKind, Verdict};
use coax_program::debug_info::Frame;
use coax_program::{Func, Program, Site};
use coax_search::{Failure, Findings, Kept};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::time::Duration;
use summary::Command;

/// What there is to tell.
pub struct Report<'a> {
    /// The program.
    pub program: &'a Program,
    /// The command that found it.
    pub command: Command,
    /// What the user called the program.
    pub name: String,
    /// The function that tests begin with.
    pub entry: String,
    /// What random choices were made from.
    pub seed: u64,
    /// How long it took.
    pub times: Times,
    /// What was found.
    pub findings: &'a Findings,
    /// Whether a function is to be covered.
    pub in_scope: &'a dyn Fn(Func) -> bool,
    /// The innermost place of an operator in the user's own files.
    pub place_in_scope: &'a dyn Fn(u32) -> Option<Frame>,
    /// All places of an operator in the user's own files, innermost first.
    pub frames_in_scope: &'a dyn Fn(u32) -> Vec<Frame>,
    /// Whether a call of a backtrace is in the user's own code.
    pub is_own: &'a dyn Fn(&TraceFrame) -> bool,
    /// The content of a source file, if it may be shown.
    pub source: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    /// Which lines are executed, found out when it is first asked for. Default: not yet.
    pub lines: OnceCell<Lines>,
    /// The names of tests, by where they are in memory. Default: not yet.
    pub names: OnceCell<BTreeMap<usize, String>>,
}

/// How long a search took, and what came before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Compilers.
    pub compile: Duration,
    /// Taking the module apart, compiling it, and doing again what an earlier search did.
    pub prepare: Duration,
    /// The search.
    pub search: Duration,
}

impl Report<'_> {
    /// The name of a test; the same input always has the same.
    pub fn test_name(&self, test: &Kept) -> String {
        // It has a hash of the input, which may be large, and is asked for at each line.
        let names = self.names.get_or_init(|| {
            let tests = self.findings.tests.iter();
            tests.map(|test| (std::ptr::from_ref(&**test) as usize, test_name(self.program, test))).collect()
        });
        let known = names.get(&(std::ptr::from_ref(test) as usize));
        known.cloned().unwrap_or_else(|| test_name(self.program, test))
    }

    /// All that proofs about branches take for granted, each once.
    pub fn assumes(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for text in self.findings.uncovered.iter().flat_map(|it| &it.assumes) {
            if !all.contains(text) {
                all.push(text.clone());
            }
        }
        all
    }

    /// Which tests execute which lines.
    pub fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::of(self))
    }

    /// What the failure that a test shows supposes of a caller, if it supposes something that a caller need not do.
    pub fn supposes(&self, test: &Kept) -> Vec<String> {
        let name = |place: usize| match &test.input.params[place].name {
            Some(name) => format!("`{name}`"),
            None => format!("parameter {}", place + 1),
        };
        let negative = test.input.negative_lengths().into_iter();
        let negative = negative.map(|place| format!("{} is negative, though it is a length", name(place)));
        let of = test.input.params.len();
        let is_of = |place: &usize| {
            is_of_place(&test.outcome)
                && coax_search::may_be_through(self.program, &test.outcome, (*place, of))
        };
        let guesses = test.input.guesses().into_iter().filter(is_of);
        let guesses = guesses.map(|place| {
            format!(
                "what {} leads to is no larger than coax makes it, for nothing says how large it is",
                name(place)
            )
        });
        let unlikely = supposed::parts(&test.input.params).into_iter().filter(|_| is_of_place(&test.outcome));
        negative.chain(guesses).chain(unlikely).collect()
    }

    /// The failures by their numbers: first those that suppose nothing of a caller.
    pub fn failures(&self) -> Vec<(usize, &Failure)> {
        let mut all: Vec<(usize, &Failure)> = self.findings.failures.iter().enumerate().collect();
        all.sort_by_cached_key(|(_, failure)| !self.supposes(&self.findings.tests[failure.test]).is_empty());
        all
    }

    /// What is known of the failure that a test shows.
    pub fn failure(&self, test: &Kept) -> Description {
        Description::of(self.program, &test.outcome, &test.stderr)
    }

    /// What kind of failure a test shows, as one word.
    pub fn failure_kind(&self, test: &Kept) -> &'static str {
        self.failure(test).kind
    }

    /// What went wrong in a test, with what is known beyond the kind, and where.
    pub fn failure_text(&self, test: &Kept) -> String {
        let Description { title, gist, .. } = self.failure(test);
        self.at_place(title, gist, test)
    }

    /// The same for a line in a list: the story of a block of memory is too long for it.
    pub fn failure_line(&self, test: &Kept) -> String {
        let Description { title, gist, .. } = self.failure(test);
        let is_story = matches!(test.outcome.verdict(), Verdict::Trapped(kind) if kind.is_memory_error());
        self.at_place(title, gist.filter(|_| !is_story), test)
    }

    fn at_place(&self, mut text: String, gist: Option<String>, test: &Kept) -> String {
        if let Some(gist) = gist {
            text.push_str(&format!(" ({gist})"));
        }
        if let Some(place) = self.blamed_place(test) {
            text.push_str(&format!(" at {place}"));
        }
        text
    }

    /// Where an operator is: `file:line` in the user's own code if it has to do with that, or what is known instead.
    pub fn place(&self, offset: u32) -> String {
        match (self.place_in_scope)(offset) {
            Some(frame) => frame.to_string(),
            None => location(self.program, offset),
        }
    }

    /// Where a site is, in the same words.
    pub fn location(&self, site: Site) -> String {
        self.place(self.program.sites[site].offset)
    }

    /// The call that a user should look at first when a test fails.
    pub fn blamed<'t>(&self, test: &'t Kept) -> Option<&'t TraceFrame> {
        test.outcome.blamed(self.program, self.is_own)
    }

    /// Where that is.
    pub fn blamed_place(&self, test: &Kept) -> Option<String> {
        Some(self.place(self.blamed(test)?.offset?))
    }
}

/// Where an operator is: `file:line:column`, or its offset and function.
pub(crate) fn location(program: &Program, offset: u32) -> String {
    match program.frames(offset).first() {
        Some(frame) => frame.to_string(),
        None => format!("offset {offset:#x}"),
    }
}

/// Whether a run failed at a place in memory where it should not be.
fn is_of_place(outcome: &Outcome) -> bool {
    use TrapKind as T;
    matches!(
        outcome.verdict(),
        Verdict::Trapped(T::MemoryOutOfBounds | T::HeapBufferOverflow | T::NullDereference | T::UseAfterFree)
    )
}
