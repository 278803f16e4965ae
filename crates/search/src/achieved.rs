//! What runs have achieved so far: what a new one has to go beyond to be worth a test.
//!
//! Workers see that of earlier batches, so that they make small what may become a test; the suite has the last word.

use crate::Stop;
use crate::Subject;
use crate::findings::Kept;
use crate::passed::Ends;
use crate::shrink::{example, shrink};
use crate::suite::{FailureKey, failure_key};
use crate::task::Confirmed;
use coax_execute::{Coverage, Outcome};
use coax_program::{Func, Program, Site, SiteKind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// See the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Achieved {
    /// What all runs together have covered.
    pub(crate) coverage: Coverage,
    /// How many directions of branches in scope that are.
    pub(crate) branches: u64,
    labels: BTreeSet<String>,
    /// Which targets were reached, by number.
    reached: Vec<bool>,
    ends: Ends,
    /// The numbers of failures, by what they are and whether they take a negative length.
    failures: BTreeMap<(FailureKey, bool), usize>,
    /// Whether a run has counted.
    is_any: bool,
}

/// What a run becomes that is worth a test: as small as it gets, with the smallest example of its failure if that is new.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Smaller {
    pub(crate) test: Kept,
    pub(crate) example: Option<Kept>,
}

impl Achieved {
    pub(crate) fn new(program: &Program, targets: usize) -> Achieved {
        let (labels, failures) = Default::default();
        Achieved {
            coverage: Coverage::new(program),
            branches: 0,
            labels,
            reached: vec![false; targets],
            ends: Ends::new(program),
            failures,
            is_any: false,
        }
    }

    /// The test that a run would be, if it is worth one: it covers something in scope that no run has covered, or enters a function that none has entered (which may have
    /// no branches), goes on in straight-line code where all others ended, reaches a label or a target, fails in a new way, or is the first.
    pub(crate) fn test_of(&self, subject: &Subject<'_>, run: &Confirmed) -> Option<Kept> {
        if let Outcome::Discarded { .. } = run.outcome {
            return None;
        }
        let news = self.news(subject, &run.coverage);
        let is_entered = |func: &Func| {
            subject.is_in_scope(*func) && run.coverage.entered(*func) && !self.coverage.entered(*func)
        };
        let enters: Vec<Func> = subject.program.functions.ids().filter(is_entered).collect();
        let passes = self.ends.passed_by(subject, run);
        let is_new_failure =
            failure_key(subject, &run.outcome).is_some() && self.failure(subject, run).is_none();
        let labels: Vec<String> =
            run.labels.iter().filter(|label| !self.labels.contains(*label)).cloned().collect();
        let left = subject.targets.iter().enumerate().filter(|(number, _)| !self.reached[*number]);
        let reached = left.filter(|(_, target)| target.is_reached_by(subject.program, run.into()));
        let targets: Vec<usize> = reached.map(|(number, _)| number).collect();
        let is_example = is_new_failure || !labels.is_empty() || !targets.is_empty();
        let covers = !news.is_empty() || !enters.is_empty() || !passes.is_empty();
        let is_wanted = covers || is_example || !self.is_any;
        is_wanted.then(|| Kept {
            input: run.input.clone(),
            outcome: run.outcome.clone(),
            stderr: run.stderr.clone(),
            written: run.written.clone(),
            coverage: run.coverage.clone(),
            news,
            enters,
            passes,
            labels,
            targets,
            blamed: subject.blamed(&run.outcome).and_then(|frame| frame.offset),
            failure: is_new_failure.then_some(self.failures.len()),
            how: Vec::new(),
        })
    }

    /// Takes a run into account, with the test that it is.
    pub(crate) fn add(&mut self, subject: &Subject<'_>, run: &Confirmed, test: Option<&Kept>) {
        if let Outcome::Discarded { .. } = run.outcome {
            return;
        }
        self.is_any = true;
        self.coverage.merge(&run.coverage);
        let Some(test) = test else { return };
        let is_branch = |site: Site| subject.program.sites[site].kind != SiteKind::Select;
        self.branches += test.news.iter().filter(|(site, _)| is_branch(*site)).count() as u64;
        self.ends.add(subject, run, &test.passes);
        self.labels.extend(test.labels.iter().cloned());
        test.targets.iter().for_each(|&number| self.reached[number] = true);
        if let (Some(number), Some(key)) = (test.failure, failure_key(subject, &run.outcome)) {
            self.failures.insert((key, takes_negative(run)), number);
        }
    }

    /// Whether all runs that came to an operator ended there.
    pub(crate) fn is_end(&self, place: (Func, u32)) -> bool {
        self.ends.contains(place)
    }

    /// The number of the failure that a run shows, if it is known. What fails with a negative length only supposes something of a caller; what fails without does
    /// not.
    pub(crate) fn failure(&self, subject: &Subject<'_>, run: &Confirmed) -> Option<usize> {
        let key = failure_key(subject, &run.outcome)?;
        let known = |is_odd: bool| self.failures.get(&(key.clone(), is_odd)).copied();
        known(false).or_else(|| known(takes_negative(run)))
    }

    /// What coverage has in scope that no run has covered.
    pub(crate) fn news(&self, subject: &Subject<'_>, coverage: &Coverage) -> Vec<(Site, u32)> {
        let is_in_scope = |site: Site| subject.is_in_scope(subject.program.sites[site].func);
        coverage.beyond(&self.coverage).filter(|(site, _)| is_in_scope(*site)).collect()
    }

    /// Makes a run small that is worth a test, and takes it into account; what others share stays as it is.
    pub(crate) fn smaller(
        self: &mut Arc<Self>,
        subject: &Subject<'_>,
        run: &Confirmed,
        stop: &Stop,
    ) -> Option<Box<Smaller>> {
        let mut test = self.test_of(subject, run)?;
        Arc::make_mut(self).add(subject, run, Some(&test));
        let example = example(subject, &test, stop);
        shrink(subject, &mut test, stop);
        Some(Box::new(Smaller { test, example }))
    }
}

fn takes_negative(run: &Confirmed) -> bool {
    !run.input.negative_lengths().is_empty()
}
