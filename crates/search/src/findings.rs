//! What a search has found.

use crate::assumed::Assumed;
use crate::executed::Place;
use crate::reasons::Uncovered;
use crate::samples::Sample;
use crate::sending::Parcel;
use crate::slot::Asked;
use coax_execute::{Bound, Coverage, Error, Input, Outcome};
use coax_program::{Func, Site};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a search has found.
#[derive(Debug)]
pub struct Findings {
    /// Why it ended.
    pub stop: StopReason,
    /// Whether all paths were explored, of inputs of which is true what is assumed.
    pub is_complete: bool,
    /// Whether the last batch was given up, with what it found and with the reasons for what is not covered: it did not end in time.
    pub is_cut_off: bool,
    /// What proofs take for granted that rest on having explored all paths.
    pub assumed: Assumed,
    /// The tests, in the order in which they were found; each was run on the plain module.
    pub tests: Vec<Arc<Kept>>,
    /// The different failures.
    pub failures: Vec<Failure>,
    /// What all runs together covered.
    pub coverage: Coverage,
    /// The same with what was done after memory errors.
    pub regardless: Coverage,
    /// What was not covered, and why.
    pub uncovered: Vec<Uncovered>,
    /// The numbers.
    pub progress: Progress,
    /// The first few inputs that could not be run.
    pub not_run: Vec<NotRun>,
    /// The limits that runs met, and in how many of them.
    pub bounds: BTreeMap<Bound, u64>,
    /// What is known of the unknown functions.
    pub unknown: Vec<UnknownFunction>,
    /// What they were seen to give.
    pub samples: Vec<Sample>,
    /// Proofs that runs contradict: a fault of coax's, or of a program that does not keep to what is assumed of its stack.
    pub contradicted: u64,
}

impl Findings {
    /// Keeps only these tests, and those that fail.
    pub fn keep(&mut self, wanted: impl Fn(&Kept) -> bool) {
        let mut number = 0;
        let mut numbers = Vec::with_capacity(self.tests.len());
        self.tests.retain(|test| {
            let is_kept = wanted(test) || test.failure.is_some();
            numbers.push(number);
            number += usize::from(is_kept);
            is_kept
        });
        self.failures.iter_mut().for_each(|failure| failure.test = numbers[failure.test]);
    }
}

/// Why calls of a function were not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhyUnknown {
    /// Somebody said so.
    Named,
    /// What it gives was too hard to follow at a decision: the byte of the module.
    TooHard(u32),
    /// What it does itself was too hard to follow: the byte of the module.
    Within(u32),
    /// It computes with vectors, which have no terms: the byte of the module.
    Vectors(u32),
    /// It was so in an earlier search.
    Earlier,
}

/// What came of what earlier searches saw of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// They saw nothing.
    None,
    /// It is used.
    Used,
    /// A call gave something else, so it is not used.
    Contradicted,
}

/// A function whose calls were not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFunction {
    /// The function.
    pub func: Func,
    /// Why it is unknown.
    pub why: WhyUnknown,
    /// Whether somebody named it, also if there is another reason since.
    pub is_named: bool,
    /// What it was seen to give, how often.
    pub samples: u64,
    /// What came of what earlier searches saw of it.
    pub earlier: Earlier,
    /// How often it was called directly.
    pub direct_calls: u64,
    /// Calls that showed nothing.
    pub refused: u64,
    /// Why the first of them did not.
    pub why_refused: Option<String>,
    /// Why it was not always treated as a function, if it was not.
    pub is_none: Option<String>,
    /// Whether its calls were followed at last though it is one, as nothing was found otherwise.
    pub is_followed: bool,
}

impl UnknownFunction {
    /// Whether its calls are not followed now.
    pub fn is_unknown(&self) -> bool {
        self.is_none.is_none() && !self.is_followed
    }
}

/// The numbers of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Executions of the instrumented program.
    pub runs: u64,
    /// Trials of changed inputs, which are not runs.
    pub mutations: u64,
    /// What runs, questions and trials have cost, in units of about a microsecond.
    pub work: u64,
    /// Those of them that showed something new.
    pub fruitful: u64,
    /// Different paths.
    pub paths: u64,
    /// Runs that did not go where they should have gone.
    pub divergences: u64,
    /// Inputs that could not be run.
    pub not_run: u64,
    /// Terms that were replaced by values, in all runs.
    pub concretisations: u64,
    /// Runs that the program says do not count.
    pub discarded: u64,
    /// What the solvers were asked.
    pub solver: Asked,
    /// Decisions about which there is a question to ask.
    pub open: u64,
    /// Branch directions in scope: those that are covered, and all.
    pub covered: u64,
    /// See `covered`.
    pub total: u64,
    /// Tests so far.
    pub tests: u64,
    /// Failures so far.
    pub failures: u64,
}

/// A test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The input, with all that the program asked for.
    pub input: Input,
    /// How the plain module ended.
    pub outcome: Outcome,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Its result as it is in memory, as far as it is known, if that is no number.
    pub written: Vec<u8>,
    /// All that it covers.
    pub coverage: Coverage,
    /// What no test before it has covered.
    pub news: Vec<(Site, u32)>,
    /// Functions that no test before it has entered: those without branches are in no news.
    pub enters: Vec<Func>,
    /// Where it goes on in straight-line code, and every test before it ended that came there.
    pub passes: Vec<Place>,
    /// Labels that it reached.
    pub labels: Vec<String>,
    /// The targets that no test before it reached, by number.
    pub targets: Vec<usize>,
    /// Where to look first if it fails.
    pub blamed: Option<u32>,
    /// The failure that it is the first example of.
    pub failure: Option<usize>,
    /// How it was found, step by step, if that is worth telling.
    pub how: Vec<String>,
}

/// An input that could not be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRun {
    /// The input.
    pub input: Input,
    /// Why, in one sentence.
    pub what: String,
}

impl NotRun {
    pub(crate) fn new(input: Input, error: &Error) -> NotRun {
        let said = error.to_string();
        NotRun { input, what: said.lines().next().unwrap_or_default().to_owned() }
    }
}

/// Something that went wrong in the program.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The test that shows it.
    pub test: usize,
    /// How many runs have met it.
    pub hits: u64,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// There is nothing more to ask.
    Complete,
    /// The time is over.
    Time,
    /// There were as many runs as there may be.
    Runs,
    /// Too much memory was used.
    Memory,
    /// A person ended it.
    Interrupted,
}

/// How far a search is after a batch.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    /// The numbers.
    pub progress: &'a Progress,
    /// The failures so far.
    pub failures: &'a [Failure],
    /// The limits that runs met so far.
    pub bounds: &'a BTreeMap<Bound, u64>,
    /// What is known of unknown functions.
    pub unknown: &'a BTreeMap<Func, UnknownFunction>,
}

/// Who is told what a search finds, while it goes on.
pub trait Observer: Send {
    /// There is a new test.
    fn found(&mut self, test: &Arc<Kept>);
    /// A test is not needed: others do all that it does.
    fn dropped(&mut self, test: &Arc<Kept>);
    /// Inputs from elsewhere that came since the last time.
    fn imported(&mut self) -> Vec<Input> {
        Vec::new()
    }
    /// Inputs from elsewhere, now that there is nothing left to try: without any the search is over.
    fn last_imported(&mut self) -> Vec<Input> {
        Vec::new()
    }
    /// Whether it wants to see what slots are given and bring, as bytes. Default: no.
    fn wants_parcels(&self) -> bool {
        false
    }
    /// A slot has done what it had to do in a batch.
    fn performed(&mut self, parcel: Parcel) {
        let _ = parcel;
    }
    /// A batch is done.
    fn progress(&mut self, standing: &Standing<'_>);
}
