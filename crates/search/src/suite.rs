//! The tests, and the failures that they show.

use crate::Subject;
use crate::achieved::{Achieved, Smaller};
use crate::executed::Place;
use crate::findings::{Failure, Kept};
use crate::passed::{Places, passed, passes, places};
use crate::task::Confirmed;
use coax_execute::{Coverage, Input, Outcome, TrapKind, Verdict};
use coax_program::{Func, Site};
use std::sync::Arc;

/// What failures are told apart by: what happened, and the innermost place in the user's own code.
pub(crate) type FailureKey = (String, Option<TrapKind>, Option<u32>);

/// What a test may be there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Covered {
    Direction(Site, u32),
    /// It may have no branches.
    Function(Func),
    /// Where another ended.
    Passed(Place),
}

/// The tests so far.
#[derive(Debug)]
pub(crate) struct Suite {
    pub(crate) tests: Vec<Arc<Kept>>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) achieved: Arc<Achieved>,
    /// What runs have covered with what was done after memory errors.
    pub(crate) regardless: Coverage,
    /// The first input that was run: which entry is called, and how.
    pub(crate) first: Option<Input>,
    /// Whether a run has read standard input.
    pub(crate) reads_stdin: bool,
}

impl Suite {
    pub(crate) fn new(subject: &Subject<'_>) -> Suite {
        Suite {
            tests: Vec::new(),
            failures: Vec::new(),
            achieved: Arc::new(Achieved::new(subject.program, subject.targets.len())),
            regardless: Coverage::new(subject.program),
            first: None,
            reads_stdin: false,
        }
    }

    /// Takes a run into account, with what a worker made of it; the tests that it has become, if any: the last, and before it the smallest example of its failure, perhaps.
    pub(crate) fn add(
        &mut self,
        subject: &Subject<'_>,
        run: &Confirmed,
        smaller: Option<Box<Smaller>>,
        how: &[String],
    ) -> Vec<Arc<Kept>> {
        if let Some(failure) = self.achieved.failure(subject, run) {
            self.failures[failure].hits += 1;
        }
        let test = self.achieved.test_of(subject, run);
        Arc::make_mut(&mut self.achieved).add(subject, run, test.as_ref());
        if !matches!(run.outcome, Outcome::Discarded { .. }) {
            self.regardless.merge(run.regardless.as_ref().unwrap_or(&run.coverage));
        }
        let Some(test) = test else { return Vec::new() };
        // What is new now was new for the worker, too.
        let how = how.to_vec();
        let Some(Smaller { test: small, example }) = smaller.map(|it| *it) else {
            return self.push(subject, Kept { how, ..test }, None);
        };
        // But another of its batch may have ended where it goes on.
        if !passes(subject.program, &small.outcome, &small.coverage, &test.passes) {
            return self.push(subject, Kept { how, ..test }, None);
        }
        let Kept { news, enters, passes, labels, targets, failure, .. } = test;
        let example = example.filter(|_| failure.is_some());
        let example = example.map(|example| Kept { how: how.clone(), failure, ..example });
        self.push(subject, Kept { how, news, enters, passes, labels, targets, failure, ..small }, example)
    }

    fn push(&mut self, subject: &Subject<'_>, test: Kept, example: Option<Kept>) -> Vec<Arc<Kept>> {
        if test.failure.is_some() {
            self.failures.push(Failure { test: self.tests.len(), hits: 1 });
        }
        self.tests.push(Arc::new(test));
        let example = example.and_then(|example| self.exemplify(subject, example));
        example.into_iter().chain(self.tests.last().cloned()).collect()
    }

    /// Gives the failure that the last test shows a smaller example, which is what the test becomes if it has nothing else to show.
    fn exemplify(&mut self, subject: &Subject<'_>, example: Kept) -> Option<Arc<Kept>> {
        let last = self.tests.len().checked_sub(1)?;
        let test = Arc::make_mut(&mut self.tests[last]);
        let enters_more = test.enters.iter().any(|&func| !example.coverage.entered(func));
        if example.input == test.input {
            return None;
        }
        let is_example = !test.labels.is_empty() || !test.targets.is_empty();
        let passes_more = !passes(subject.program, &example.outcome, &example.coverage, &test.passes);
        if test.news.is_empty() && !is_example && !enters_more && !passes_more {
            let (enters, passes) = (std::mem::take(&mut test.enters), std::mem::take(&mut test.passes));
            *test = Kept { enters, passes, ..example };
            return None;
        }
        test.failure = None;
        // In its place: the failure says which test it is.
        let example = Arc::new(example);
        self.tests.insert(last, Arc::clone(&example));
        Some(example)
    }

    /// Takes out the tests that others make superfluous: all that they cover in scope is covered by those that stay.
    #[expect(clippy::disallowed_types, reason = "it is only asked, never gone through, and large")]
    pub(crate) fn minimise(&mut self, subject: &Subject<'_>) -> Vec<Arc<Kept>> {
        let mut ended = Places::new();
        for (func, places) in self.tests.iter().flat_map(|it| places(subject, &it.outcome, &it.coverage)) {
            ended.entry(func).or_default().extend(places);
        }
        let nothing = Coverage::new(subject.program);
        let mut numbers: std::collections::HashMap<Covered, usize> = Default::default();
        let mut covered = |test: &Kept| -> Vec<usize> {
            let taken = test.coverage.beyond(&nothing);
            let taken = taken.filter(|(site, _)| subject.is_in_scope(subject.program.sites[*site].func));
            let taken = taken.map(|(site, direction)| Covered::Direction(site, direction));
            let is_entered = |func: &Func| subject.is_in_scope(*func) && test.coverage.entered(*func);
            let entered = subject.program.functions.ids().filter(is_entered).map(Covered::Function);
            let passed = passed(subject.program, &ended, (&test.outcome, &test.coverage));
            let all = taken.chain(entered).chain(passed.into_iter().map(Covered::Passed));
            all.map(|covered| {
                let next = numbers.len();
                *numbers.entry(covered).or_insert(next)
            })
            .collect()
        };
        let all: Vec<Vec<usize>> = self.tests.iter().map(|test| covered(test)).collect();
        let mut times = vec![0; numbers.len()];
        all.iter().flatten().for_each(|&covered| times[covered] += 1);
        let is_last = |number: usize| number + 1 == self.tests.len();
        let mut stays = vec![true; self.tests.len()];
        // The first tests were found when everything was new: later ones often do the same on their way.
        for (number, test) in self.tests.iter().enumerate() {
            let is_example = test.failure.is_some() || !test.labels.is_empty() || !test.targets.is_empty();
            let is_covered = all[number].iter().all(|&covered| times[covered] > 1);
            if !is_example && is_covered && !is_last(number) {
                stays[number] = false;
                all[number].iter().for_each(|&covered| times[covered] -= 1);
            }
        }
        let mut dropped = Vec::new();
        let mut places = Vec::new();
        for (test, stays) in std::mem::take(&mut self.tests).into_iter().zip(stays) {
            places.push(self.tests.len());
            if stays { self.tests.push(test) } else { dropped.push(test) }
        }
        for failure in &mut self.failures {
            failure.test = places[failure.test];
        }
        dropped
    }

    /// Whether a run, after a memory error, did something in scope that no test does without.
    pub(crate) fn has_news_behind_error(&self, subject: &Subject<'_>, run: &Confirmed) -> bool {
        run.regardless.as_ref().is_some_and(|all| !self.achieved.news(subject, all).is_empty())
    }
}

/// What a failure is told apart from others by; nothing if the run did not fail.
pub(crate) fn failure_key(subject: &Subject<'_>, outcome: &Outcome) -> Option<FailureKey> {
    let verdict = outcome.verdict();
    if !verdict.is_failure() {
        return None;
    }
    let place = subject.blamed(outcome);
    let kind = if let Verdict::Trapped(kind) = verdict { Some(kind) } else { None };
    // Where a run stops that never ends is chance: it is the same failure in the same function.
    let at = match (kind, place) {
        (Some(_), Some(frame)) => frame.offset,
        (_, place) => place.map(|frame| frame.func.0),
    };
    Some((verdict.to_string(), kind, at))
}
