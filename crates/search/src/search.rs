//! What a search is for, and what it has found however calls are treated: what strategies share beside the exploration.

use crate::briefing::Briefing;
use crate::early_ends::Ends;
use crate::findings::{Progress, Standing};
use crate::guards::Guards;
use crate::health::Health;
use crate::reasons::Proof;
use crate::suite::Suite;
use crate::unknown_functions::UnknownFunctions;
use crate::{Options, Stop, Subject};
use coax_execute::{Coverage, Entry, Error, Input};
use coax_program::calls::CallGraph;
use coax_program::{Func, Site};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Directions of branches that nothing takes, with the proofs.
pub(crate) type Proved = BTreeMap<(Site, u32), Proof>;

/// See the module.
pub(crate) struct Search<'s, 'p> {
    pub(crate) subject: &'s Subject<'p>,
    pub(crate) options: &'s Options,
    pub(crate) stop: &'s Stop,
    pub(crate) guards: Arc<Guards>,
    pub(crate) ends: Ends,
    /// The tests, and what all runs have covered.
    pub(crate) suite: Suite,
    pub(crate) progress: Progress,
    pub(crate) health: Health,
    pub(crate) unknown: UnknownFunctions<'p>,
    pub(crate) proved: Proved,
    /// Inputs that solvers did not find: seeds, those from elsewhere, and tests that trials have found.
    pub(crate) given: Vec<Input>,
    /// How many batches were begun.
    pub(crate) batches: u64,
}

impl<'s, 'p> Search<'s, 'p> {
    pub(crate) fn new(
        subject: &'s Subject<'p>,
        options: &'s Options,
        stop: &'s Stop,
        given: Vec<Input>,
    ) -> Self {
        let counts = Coverage::new(subject.program).counts(subject.program, |func| subject.is_in_scope(func));
        Search {
            subject,
            options,
            stop,
            guards: Arc::new(Guards::of(subject.program)),
            ends: Ends::default(),
            suite: Suite::new(subject),
            progress: Progress { total: counts.branches.total, ..Progress::default() },
            health: Health::default(),
            unknown: UnknownFunctions::new(Arc::clone(&subject.approach)),
            proved: Proved::new(),
            given,
            batches: 0,
        }
    }

    /// Whether a branch has a direction that nobody has covered.
    pub(crate) fn has_uncovered(&self, at: u32) -> bool {
        let site = self.subject.program.site_at(at);
        site.is_some_and(|site| self.suite.achieved.coverage.directions(site).contains(&false))
    }

    /// Whether all runs ended at an operator that came there.
    pub(crate) fn is_end(&self, at: u32) -> bool {
        let func = self.subject.program.function_at(at);
        func.is_some_and(|func| self.suite.achieved.is_end((func, at)))
    }

    /// Whether all in scope is covered.
    pub(crate) fn is_all_covered(&self) -> bool {
        self.progress.covered == self.progress.total
    }

    /// Whether what these functions have in scope is covered.
    pub(crate) fn is_covered(&self, within: &BTreeSet<Func>) -> bool {
        let is_asked = |func: Func| within.contains(&func) && self.subject.is_in_scope(func);
        let branches = self.suite.achieved.coverage.counts(self.subject.program, is_asked).branches;
        branches.covered == branches.total
    }

    pub(crate) fn calls(&self) -> &'p CallGraph {
        self.subject.program.calls()
    }

    /// A function, and all that it may call.
    pub(crate) fn within(&self, func: Func) -> BTreeSet<Func> {
        self.calls().reachable([func])
    }

    /// The entry that runs call, once there was one.
    pub(crate) fn entry(&self) -> Option<Entry> {
        let first = self.suite.first.as_ref()?;
        Entry::find(self.subject.program, first.entry.as_deref()).ok()
    }

    /// Where runs begin.
    pub(crate) fn roots(&self) -> Vec<Func> {
        let program = self.subject.program;
        let all =
            |entry: Entry| entry.roots(program).into_iter().chain([entry.source_function(program)]).collect();
        self.entry().map(all).unwrap_or_default()
    }

    /// What is known for the batch that begins.
    pub(crate) fn briefing(&self) -> Briefing {
        let (treatment, samples) = self.unknown.share();
        let (achieved, wanted) = (Arc::clone(&self.suite.achieved), Arc::clone(&self.ends.wanted));
        Briefing { treatment, samples, achieved, wanted, is_first: self.batches == 1 }
    }

    /// A run with terms could not be made.
    pub(crate) fn run_failed(&mut self, input: Input, error: Error) {
        self.health.run_failed(input, error, &mut self.progress);
    }

    /// Counts what there is, after a run.
    pub(crate) fn count(&mut self, paths: u64) {
        self.progress.covered = self.suite.achieved.branches;
        self.progress.paths = self.unknown.paths_before + paths;
        self.progress.tests = self.suite.tests.len() as u64;
        self.progress.failures = self.suite.failures.len() as u64;
    }

    pub(crate) fn standing(&self) -> Standing<'_> {
        let Search { progress, suite, health, unknown, .. } = self;
        Standing { progress, failures: &suite.failures, bounds: &health.bounds, unknown: unknown.all() }
    }
}
