//! What kept a search from being exact: limits that runs met, inputs that could not be run, runs that went elsewhere.
//!
//! An input that cannot be run ends nothing, if others can be. If none can be run at all, it is the program that cannot, or the machine: then the first error is the
//! search's. An input of which the modules make different things says nothing about others.

use crate::findings::{NotRun, Progress};
use coax_execute::{Bound, Bounds, Error, Input};
use std::collections::BTreeMap;

/// So many are kept; the others are counted.
const MOST_KEPT: usize = 16;

/// See the module.
pub(crate) struct Health {
    /// The limits that runs met, and in how many of them.
    pub(crate) bounds: BTreeMap<Bound, u64>,
    /// Inputs that could not be run.
    pub(crate) not_run: Vec<NotRun>,
    /// Why the first of them could not; forgotten once one could.
    refusal: Option<Error>,
    /// Whether all that happened was as it should be: otherwise nothing is proved by having explored everything.
    pub(crate) is_exact: bool,
}

impl Default for Health {
    fn default() -> Self {
        Health { bounds: BTreeMap::new(), not_run: Vec::new(), refusal: None, is_exact: true }
    }
}

impl Health {
    /// A run was made, and met these limits.
    pub(crate) fn ran(&mut self, bounds: &Bounds) {
        self.refusal = None;
        for (bound, _) in bounds.iter() {
            *self.bounds.entry(bound).or_default() += 1;
            self.is_exact = false;
        }
    }

    /// An input could not be run. One that was found in several ways is told once.
    pub(crate) fn could_not_run(&mut self, not_run: NotRun, progress: &mut Progress) {
        self.is_exact = false;
        if self.not_run.contains(&not_run) {
            return;
        }
        progress.not_run += 1;
        if self.not_run.len() < MOST_KEPT {
            self.not_run.push(not_run);
        }
    }

    /// A run with terms could not be made.
    pub(crate) fn run_failed(&mut self, input: Input, error: Error, progress: &mut Progress) {
        self.could_not_run(NotRun::new(input, &error), progress);
        let is_first = progress.paths == 0 && progress.not_run == progress.runs;
        if is_first && self.refusal.is_none() && !matches!(error, Error::Divergence { .. }) {
            self.refusal = Some(error);
        }
    }

    /// Why nothing could be run at all.
    pub(crate) fn take_refusal(&mut self) -> Option<Error> {
        self.refusal.take()
    }
}
