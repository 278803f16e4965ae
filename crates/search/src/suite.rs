//! Which runs become tests: those that cover something new in scope or enter a function that nobody has entered, reach a new label or a target, or fail in a new way.

use crate::Subject;
use crate::findings::{Failure, Kept};
use crate::task::Confirmed;
use coax_execute::{Coverage, Outcome, TrapKind, Verdict};
use coax_program::{Func, Site};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What failures are told apart by: what happened, and the innermost place in the user's own code.
pub(crate) type FailureKey = (String, Option<TrapKind>, Option<u32>);

/// What a test may be there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Covered {
    Direction(Site, u32),
    /// It may have no branches.
    Function(Func),
}

/// The tests so far.
#[derive(Debug)]
pub(crate) struct Suite {
    pub(crate) tests: Vec<Arc<Kept>>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) coverage: Coverage,
    /// The same with what was done after memory errors.
    pub(crate) regardless: Coverage,
    labels: BTreeSet<String>,
    /// Which targets were reached, by number.
    reached: Vec<bool>,
    /// By what it is and whether it takes a negative length.
    known: BTreeMap<(FailureKey, bool), usize>,
}

impl Suite {
    pub(crate) fn new(subject: &Subject<'_>) -> Suite {
        Suite {
            tests: Vec::new(),
            failures: Vec::new(),
            coverage: Coverage::new(subject.program),
            regardless: Coverage::new(subject.program),
            labels: BTreeSet::new(),
            reached: vec![false; subject.targets.len()],
            known: BTreeMap::new(),
        }
    }

    /// Takes a run into account; returns whether it has become a test.
    pub(crate) fn add(&mut self, subject: &Subject<'_>, run: &Confirmed) -> bool {
        if let Outcome::Discarded { .. } = run.outcome {
            return false;
        }
        let news = self.news(subject, &run.coverage);
        let is_entered = |func: &Func| {
            subject.is_in_scope(*func) && run.coverage.entered(*func) && !self.coverage.entered(*func)
        };
        let enters: Vec<Func> = subject.program.functions.ids().filter(is_entered).collect();
        self.coverage.merge(&run.coverage);
        self.regardless.merge(run.regardless.as_ref().unwrap_or(&run.coverage));
        let failure = self.failure(subject, run);
        let labels: Vec<String> =
            run.labels.iter().filter(|label| !self.labels.contains(*label)).cloned().collect();
        let targets = self.reaches(subject, run);
        let is_example = failure.is_some() || !labels.is_empty() || !targets.is_empty();
        let wanted = !news.is_empty() || !enters.is_empty() || is_example || self.tests.is_empty();
        if wanted {
            self.labels.extend(labels.iter().cloned());
            self.tests.push(Arc::new(Kept {
                input: run.input.clone(),
                outcome: run.outcome.clone(),
                stderr: run.stderr.clone(),
                written: run.written.clone(),
                coverage: run.coverage.clone(),
                news,
                enters,
                labels,
                targets,
                blamed: subject.blamed(&run.outcome).and_then(|frame| frame.offset),
                failure,
                how: Vec::new(),
            }));
        }
        wanted
    }

    /// Gives the failure that the last test shows a smaller example, which is what the test becomes if it has nothing else to show.
    pub(crate) fn exemplify(&mut self, example: Kept) -> Option<&Arc<Kept>> {
        let last = self.tests.len().checked_sub(1)?;
        let test = Arc::make_mut(&mut self.tests[last]);
        let enters_more = test.enters.iter().any(|&func| !example.coverage.entered(func));
        if example.input == test.input {
            return None;
        }
        let is_example = !test.labels.is_empty() || !test.targets.is_empty();
        if test.news.is_empty() && !is_example && !enters_more {
            *test = Kept { enters: std::mem::take(&mut test.enters), ..example };
            return None;
        }
        test.failure = None;
        // In its place: the failure says which test it is.
        self.tests.insert(last, Arc::new(example));
        self.tests.get(last)
    }

    /// Takes out the tests that others make superfluous: all that they cover in scope is covered by those that stay.
    pub(crate) fn minimise(&mut self, subject: &Subject<'_>) -> Vec<Arc<Kept>> {
        let covered = |test: &Kept| -> Vec<Covered> {
            let sites = subject.program.sites.iter();
            let in_scope = sites.filter(|(_, data)| subject.is_in_scope(data.func));
            let of_site = |(site, _)| {
                let taken = test.coverage.directions(site).iter().zip(0..).filter(|(taken, _)| **taken);
                taken.map(move |(_, direction)| Covered::Direction(site, direction)).collect::<Vec<_>>()
            };
            let is_entered = |func: &Func| subject.is_in_scope(*func) && test.coverage.entered(*func);
            let entered = subject.program.functions.ids().filter(is_entered).map(Covered::Function);
            in_scope.flat_map(of_site).chain(entered).collect()
        };
        let all: Vec<Vec<Covered>> = self.tests.iter().map(|test| covered(test)).collect();
        let mut times: BTreeMap<Covered, usize> = BTreeMap::new();
        all.iter().flatten().for_each(|covered| *times.entry(*covered).or_default() += 1);
        let is_last = |number: usize| number + 1 == self.tests.len();
        let mut stays = vec![true; self.tests.len()];
        // The first tests were found when everything was new: later ones often do the same on their way.
        for (number, test) in self.tests.iter().enumerate() {
            let is_example = test.failure.is_some() || !test.labels.is_empty() || !test.targets.is_empty();
            let is_covered = all[number].iter().all(|covered| times[covered] > 1);
            if !is_example && is_covered && !is_last(number) {
                stays[number] = false;
                all[number].iter().for_each(|covered| {
                    times.entry(*covered).and_modify(|times| *times -= 1);
                });
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
        run.regardless.as_ref().is_some_and(|all| !self.news(subject, all).is_empty())
    }

    /// The targets that no run before reached.
    fn reaches(&mut self, subject: &Subject<'_>, run: &Confirmed) -> Vec<usize> {
        let left = subject.targets.iter().enumerate().filter(|(number, _)| !self.reached[*number]);
        let reached = left.filter(|(_, target)| target.is_reached_by(subject.program, run.into()));
        let reached: Vec<usize> = reached.map(|(number, _)| number).collect();
        reached.iter().for_each(|&number| self.reached[number] = true);
        reached
    }

    fn news(&self, subject: &Subject<'_>, coverage: &Coverage) -> Vec<(Site, u32)> {
        let mut news = Vec::new();
        for (site, data) in subject.program.sites.iter() {
            if !subject.is_in_scope(data.func) {
                continue;
            }
            let (known, taken) = (self.coverage.directions(site), coverage.directions(site));
            let new = known.iter().zip(taken).zip(0..).filter(|((known, taken), _)| **taken && !**known);
            news.extend(new.map(|(_, direction)| (site, direction)));
        }
        news
    }

    /// The number of a failure that no run before had.
    fn failure(&mut self, subject: &Subject<'_>, run: &Confirmed) -> Option<usize> {
        let key = failure_key(subject, &run.outcome)?;
        // What fails with a negative length only supposes something of a caller; what fails without does not.
        let is_odd = !run.input.negative_lengths().is_empty();
        let known = self.known.get(&(key.clone(), false)).or_else(|| self.known.get(&(key.clone(), is_odd)));
        if let Some(&known) = known {
            self.failures[known].hits += 1;
            return None;
        }
        let number = self.failures.len();
        self.known.insert((key, is_odd), number);
        self.failures.push(Failure { test: self.tests.len(), hits: 1 });
        Some(number)
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
