//! What an earlier search wrote down takes the place of what workers would do.

use super::compose::Batch;
use super::{Engine, SLOTS};
use crate::exploration::Pending;
use crate::findings::Observer;
use crate::journal::{Answered, Record};
use crate::task::{Done, Suspects, Task};
use coax_execute::{Error, Input};

/// Inputs from elsewhere, and whether nothing was left to try before they came.
pub(crate) struct Imported {
    pub(crate) inputs: Vec<Input>,
    pub(crate) is_after_all: bool,
}

impl Engine<'_, '_> {
    /// Takes in what came from elsewhere before a batch; of an earlier search, what came then.
    pub(super) fn import(
        &mut self,
        record: Option<&Record>,
        last: Vec<Input>,
        observer: &mut dyn Observer,
    ) -> Result<Imported, Error> {
        let is_after_all = record.map_or(!last.is_empty(), |record| record.is_after_all);
        if record.is_some() && is_after_all && self.compose_or_change(true)?.is_some() {
            return Err(odd_journal());
        }
        let inputs = match record {
            Some(record) => record.imported.clone(),
            None => last.into_iter().chain(observer.imported()).collect(),
        };
        self.exploration.queue.extend(inputs.iter().cloned().map(Pending::new));
        self.search.given.extend(inputs.iter().cloned());
        if let Some(record) = record {
            // What the earlier search began with, and what direct calls have shown since.
            self.samples.clone_from(&record.samples);
            self.search.unknown.called(&record.direct_calls);
        }
        Ok(Imported { inputs, is_after_all })
    }

    /// The batch with what an earlier search learned from it, as far as that was written down.
    pub(super) fn with_answers(&mut self, batch: Batch, record: Record) -> Result<Batch, Error> {
        let (answers, again, cost, solver) = record.into_parts();
        self.search.progress.runs += again;
        self.arbiter.worked(cost);
        self.search.progress.solver = solver;
        if answers.len() != SLOTS {
            return Err(odd_journal());
        }
        let mut tasks = Vec::new();
        for (of_slot, answers) in batch.tasks.into_iter().zip(answers) {
            if of_slot.len() != answers.len() {
                return Err(odd_journal());
            }
            let known = of_slot.into_iter().zip(answers).map(|(task, answer)| known(task, answer));
            tasks.push(known.collect::<Result<Vec<Task>, Error>>()?);
        }
        Ok(Batch { tasks, about: batch.about })
    }
}

/// A task of which it is known what came of it, as far as that was written down.
fn known(task: Task, answer: Answered) -> Result<Task, Error> {
    Ok(match (task, answer) {
        (Task::Try(plan), Answered::Tried { count, mutants, failed }) => {
            Task::TryAgain { plan, count, mutants, failed }
        }
        (Task::Run { trace, input, .. }, Answered::Suspects(known, beside)) => {
            Task::Run { trace, input, suspects: Suspects::Known(known, beside) }
        }
        (Task::Run { trace, input, .. }, Answered::Failed) => {
            Task::Run { trace, input, suspects: Suspects::Unwanted }
        }
        (Task::Ask { .. }, Answered::Found(input, how)) => Task::Known(Done::Found(input, how)),
        (Task::Ask { .. }, Answered::Step(input)) => Task::Known(Done::Step(input)),
        (Task::Ask { .. }, Answered::Proved) => Task::Known(Done::Proved),
        (Task::Prove { .. }, Answered::Contradicted(at, granted)) => {
            Task::Known(Done::Contradicted(at, granted))
        }
        (Task::Ask { .. }, Answered::Missed) => Task::Known(Done::Missed),
        (Task::Ask { .. } | Task::Prove { .. }, Answered::GaveUp(difficulty)) => {
            Task::Known(Done::GaveUp(difficulty))
        }
        (Task::Ask { .. } | Task::Prove { .. }, Answered::Postponed) => Task::Known(Done::Postponed),
        (task @ (Task::Test(_) | Task::Watch(..)), Answered::DoneAgain) => task,
        (Task::Test(_), Answered::Missed) => Task::Known(Done::Missed),
        _ => return Err(odd_journal()),
    })
}

fn odd_journal() -> Error {
    Error::Host("what an earlier search wrote down does not fit; name another directory with `--out`".into())
}
