//! Mutation: inputs that showed something new are changed at random and tried, between questions ([`crate::mutate`]).
//!
//! What does something that nobody has done becomes a test in the next batch. Its run with terms, which costs a thousand trials, comes later.

use crate::Options;
use crate::engine::compose::Composer;
use crate::exploration::Pending;
use crate::findings::Kept;
use crate::mutate::{Corpus, dictionary};
use crate::search::Search;
use crate::strategy::{Candidate, Event, Strategy, View};
use crate::task::{Done, Task};
use coax_execute::{Error, Input};
use coax_program::{Func, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One in so many batches changes inputs at random when all is covered: there may be failures.
const RARELY: u64 = 16;

/// What comes first of what is to be run with terms: tests, for they come where nobody was; then what costs less, about; then what was found first.
type Rank = (bool, u64, u64);

/// See the module.
pub(crate) struct Mutation {
    corpus: Corpus,
    /// What may be worth a test, with how many were found before.
    candidates: Vec<(u64, Input)>,
    /// Inputs that were not run with terms yet.
    later: BTreeMap<Rank, Input>,
    /// Whether a question was too hard.
    is_hard: bool,
}

impl Mutation {
    pub(crate) fn new(program: &Program, in_scope: &dyn Fn(Func) -> bool, options: &Options) -> Mutation {
        let words = dictionary(program, in_scope);
        Mutation {
            corpus: Corpus::new(words, options.seed),
            candidates: Vec::new(),
            later: BTreeMap::new(),
            is_hard: false,
        }
    }
}

impl<'p> Strategy<'p> for Mutation {
    fn propose(&mut self, view: &mut View<'_, '_, 'p>, batch: &mut Composer<'_, 'p>) {
        let View { search, arbiter, .. } = view;
        let is_rare = search.is_all_covered() && !(search.batches + 1).is_multiple_of(RARELY);
        let is_begun = search.batches >= search.options.batches_before_mutation || self.is_hard;
        // Alone it would go on for ever.
        if !search.options.mutate || !is_begun || is_rare || batch.is_empty() {
            return;
        }
        let slots = batch.slots();
        let work = arbiter.due() / slots as u64;
        for (slot, plan) in self.corpus.plans(slots, work).into_iter().enumerate() {
            batch.add(slot, Task::Try(plan), slot as u64);
        }
    }

    fn finish(&mut self, batch: &mut Composer<'_, 'p>) {
        for (number, input) in self.candidates.drain(..) {
            batch.add(batch.idlest(), Task::Test(Box::new(input)), number);
        }
    }

    fn learn(&mut self, view: &mut View<'_, '_, 'p>, task: u64, done: Done) -> Result<Vec<Candidate>, Error> {
        let Search { health, progress, .. } = &mut *view.search;
        match done {
            Done::Tried(mut tried) => {
                progress.mutations += tried.count;
                tried.failed.drain(..).for_each(|failed| health.could_not_run(failed, progress));
                for input in self.corpus.learn(task as usize, tried) {
                    progress.fruitful += 1;
                    self.candidates.push((progress.fruitful, input));
                }
            }
            Done::Tested(confirmed, smaller) => {
                return Ok(vec![Candidate { confirmed: *confirmed, smaller, number: task }]);
            }
            Done::NotRun(not_run) => health.could_not_run(*not_run, progress),
            _ => {}
        }
        Ok(Vec::new())
    }

    fn kept(&mut self, view: &mut View<'_, '_, 'p>, candidate: Candidate, test: Option<&Arc<Kept>>) {
        let Candidate { confirmed, number, .. } = candidate;
        let rank = (test.is_none(), confirmed.fuel, number);
        // What is smaller says as much and costs less.
        let input = test.map_or_else(|| confirmed.input.clone(), |test| test.input.clone());
        view.search.given.extend(test.is_some().then_some(confirmed.input));
        self.later.insert(rank, input);
    }

    fn runs(&mut self, view: &mut View<'_, '_, 'p>, most: usize) {
        let later = std::iter::from_fn(|| self.later.pop_first()).take(most);
        view.exploration
            .queue
            .extend(later.map(|(_, input)| Pending { is_news: true, ..Pending::new(input) }));
    }

    fn saw(&mut self, view: &mut View<'_, '_, 'p>, event: &Event<'_>) {
        match event {
            Event::Ran(seen) => self.corpus.ran(seen.ran, view.search.subject.toward.as_ref()),
            Event::Answered { done: Done::GaveUp(_), .. } => self.is_hard = true,
            Event::Test(test) => self.corpus.learn_words(&test.input),
            _ => {}
        }
    }
}
