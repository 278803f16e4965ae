//! What a search writes down so that another process can go on where it was: the answers, batch by batch.
//!
//! A search depends on nothing but the program, its options and what came of its tasks. Runs are cheap and are made again; answers of
//! solvers and mutants that showed something new are written down. What a slot remembers influences later answers, so all slots begin
//! anew after an *epoch* of [`crate::Options::epoch`] batches, and a search goes on from the end of the last epoch that is complete: from there on
//! it does what it would have done without the interruption.

use crate::backward::Granted;
use crate::engine::Imported;
use crate::findings::NotRun;
use crate::samples::Sample;
use crate::slot::Asked;
use crate::task::{Difficulty, Done, How};
use coax_execute::Input;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What came of a batch, beside its runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// For each slot, in the order of its tasks.
    answers: Vec<Vec<Answered>>,
    /// Inputs that came from elsewhere before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) imported: Vec<Input>,
    /// Whether nothing was left to try before they came.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_after_all: bool,
    /// What was known of unknown functions before, if it is the first, and what direct calls have shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) samples: Vec<Sample>,
    /// How many direct calls there were, by function.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) direct_calls: BTreeMap<u32, u64>,
    /// Runs of paths that slots had forgotten.
    again: u64,
    /// What its runs and questions cost.
    cost: u64,
    /// What all solvers were asked so far.
    solver: Asked,
}

/// What came of a question, or of trials.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answered {
    Found(Box<Input>, How),
    Step(Box<Input>),
    Proved,
    Contradicted(Vec<u32>, Granted),
    Missed,
    GaveUp(Difficulty),
    Postponed,
    /// Of a run: inputs that may lead to memory errors, and inputs beside one.
    Suspects(Vec<Input>, Vec<Input>),
    Tried {
        count: u64,
        mutants: Vec<(usize, Input)>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        failed: Vec<NotRun>,
    },
    /// A run that could not be made; it is tried again.
    Failed,
    /// It is done again, and the same comes of it.
    DoneAgain,
}

impl Answered {
    /// What is written down of what came of a task.
    fn of(done: &Done) -> Answered {
        match done {
            Done::Found(input, how) => Answered::Found(input.clone(), how.clone()),
            Done::Step(input) => Answered::Step(input.clone()),
            Done::Proved => Answered::Proved,
            Done::Contradicted(at, granted) => Answered::Contradicted(at.clone(), *granted),
            Done::Missed => Answered::Missed,
            Done::GaveUp(difficulty) => Answered::GaveUp(difficulty.clone()),
            Done::Postponed => Answered::Postponed,
            Done::Tried(tried) => Answered::Tried {
                count: tried.count,
                mutants: tried.mutants.iter().map(|mutant| (mutant.parent, mutant.input.clone())).collect(),
                failed: tried.failed.clone(),
            },
            Done::Ran(ran) => Answered::Suspects(ran.suspects.clone(), ran.beside_error.clone()),
            Done::Failed(_) => Answered::Failed,
            Done::Tested(..) | Done::NotRun(_) | Done::Watched(_) => Answered::DoneAgain,
        }
    }
}

/// Where a search writes down what it did, and reads what one before it did.
pub trait Journal: Send {
    /// What came of the next batch of an earlier search with the same program and options, as long as there is one: whole epochs only.
    fn next(&mut self) -> Option<Record>;
    /// Keeps what came of a batch.
    fn keep(&mut self, record: Record);
}

/// Nothing is kept.
pub struct NoJournal;

impl Journal for NoJournal {
    fn next(&mut self) -> Option<Record> {
        None
    }

    fn keep(&mut self, _: Record) {}
}

impl Record {
    /// What came of tasks.
    pub(crate) fn new(
        done: &[Vec<Done>],
        imported: Imported,
        (samples, direct_calls): (Vec<Sample>, BTreeMap<u32, u64>),
        again: u64,
        cost: u64,
        solver: Asked,
    ) -> Record {
        let Imported { inputs: imported, is_after_all } = imported;
        let answers = done.iter().map(|done| done.iter().map(Answered::of).collect()).collect();
        Record { answers, imported, is_after_all, samples, direct_calls, again, cost, solver }
    }

    pub(crate) fn into_parts(self) -> (Vec<Vec<Answered>>, u64, u64, Asked) {
        (self.answers, self.again, self.cost, self.solver)
    }
}
