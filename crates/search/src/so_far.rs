//! What a search has found so far, for who cannot wait for its end: a task that looks at no clock may keep the leading thread for long.
//!
//! Tests are here as soon as they are found, numbers as of the last batch. Reasons for what is not covered are the leading thread's own, so that there are few.

use crate::findings::{Failure, Findings, Kept, Progress, Standing, StopReason, UnknownFunction};
use crate::reasons::{Uncovered, Why};
use coax_execute::{Bound, Coverage, Entry};
use coax_program::calls::CallGraph;
use coax_program::{Func, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a search has found so far. Whoever observes it tells this.
#[derive(Clone, Debug, Default)]
pub struct SoFar {
    tests: Vec<Arc<Kept>>,
    /// How often each failure was met.
    hits: Vec<u64>,
    progress: Progress,
    bounds: BTreeMap<Bound, u64>,
    unknown: Vec<UnknownFunction>,
}

impl SoFar {
    /// There is a new test.
    pub fn found(&mut self, test: &Arc<Kept>) {
        self.tests.push(Arc::clone(test));
    }

    /// A test is not needed.
    pub fn dropped(&mut self, test: &Arc<Kept>) {
        self.tests.retain(|it| !Arc::ptr_eq(it, test));
    }

    /// A batch is done.
    pub fn standing(&mut self, standing: &Standing<'_>) {
        self.hits = standing.failures.iter().map(|failure| failure.hits).collect();
        self.progress.clone_from(standing.progress);
        self.bounds.clone_from(standing.bounds);
        self.unknown = standing.unknown.values().cloned().collect();
    }

    /// The findings, as if the search had ended here for this reason.
    pub fn into_findings(
        self,
        program: &Program,
        is_in_scope: &dyn Fn(Func) -> bool,
        stop: StopReason,
    ) -> Findings {
        let SoFar { tests, hits, mut progress, bounds, unknown } = self;
        let mut coverage = Coverage::new(program);
        for test in &tests {
            coverage.merge(&test.coverage);
        }
        let numbered = tests.iter().enumerate();
        let examples: BTreeMap<usize, usize> =
            numbered.filter_map(|(test, kept)| Some((kept.failure?, test))).collect();
        let hits = |failure: usize| hits.get(failure).copied().unwrap_or(1);
        let failures: Vec<Failure> =
            examples.into_iter().map(|(failure, test)| Failure { test, hits: hits(failure) }).collect();
        progress.tests = tests.len() as u64;
        progress.failures = failures.len() as u64;
        let callable = tests.first().and_then(|test| callable(program, test));
        let uncovered = uncovered(program, is_in_scope, &coverage, callable.as_ref());
        Findings {
            stop,
            is_complete: false,
            is_cut_off: true,
            assumed: Vec::new(),
            failures,
            regardless: coverage.clone(),
            coverage,
            uncovered,
            tests,
            progress,
            bounds,
            unknown,
            samples: Vec::new(),
            not_run: Vec::new(),
            contradicted: 0,
        }
    }
}

/// The functions that the entry of a test can come to.
fn callable(program: &Program, test: &Kept) -> Option<BTreeSet<Func>> {
    let entry = Entry::find(program, test.input.entry.as_deref()).ok()?;
    Some(CallGraph::of(program).reachable(entry.roots(program)))
}

/// What is not covered in scope: all that can be said is whether it is called at all.
fn uncovered(
    program: &Program,
    is_in_scope: &dyn Fn(Func) -> bool,
    coverage: &Coverage,
    callable: Option<&BTreeSet<Func>>,
) -> Vec<Uncovered> {
    let mut uncovered = Vec::new();
    for (site, data) in program.sites.iter() {
        if !data.kind.is_branch() || !is_in_scope(data.func) {
            continue;
        }
        let is_called = callable.is_none_or(|callable| callable.contains(&data.func));
        let why = if is_called { Why::CutOff } else { Why::ProvedNotCalled };
        let taken = (0..).zip(coverage.directions(site)).filter(|(_, taken)| !**taken);
        uncovered.extend(taken.map(|(direction, _)| Uncovered {
            site,
            direction,
            why: why.clone(),
            because: Vec::new(),
            is_assuming: false,
        }));
    }
    uncovered
}
