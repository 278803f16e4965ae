//! Inputs that cannot be run, though others can: the search says so and goes on.
//!
//! If none can be run at all, it is the program that cannot, or the machine: then the first error is the search's. An input of which the modules make
//! different things says nothing about others.

use super::{Engine, Origin};
use crate::findings::NotRun;
use crate::task::TraceId;
use crate::tree::State;
use coax_execute::Error;

/// So many are kept; the others are counted.
const MOST_KEPT: usize = 16;

impl Engine<'_, '_> {
    /// A run could not be made. What it was made for is not asked again.
    pub(super) fn run_failed(&mut self, trace: TraceId, origin: Option<Origin>, error: Error) {
        self.progress.runs += 1;
        if let Some((origin, _)) = origin
            && self.tree.node(origin).state == State::Waiting
        {
            self.settle(origin, State::CutShort);
        }
        let input = self.traces[trace.0 as usize].input.clone();
        self.could_not_run(NotRun::new(input, &error));
        let is_first = self.progress.paths == 0 && self.progress.not_run == self.progress.runs;
        if is_first && self.refusal.is_none() && !matches!(error, Error::Divergence { .. }) {
            self.refusal = Some(error);
        }
    }

    /// An input could not be run. One that was found in several ways is told once.
    pub(super) fn could_not_run(&mut self, not_run: NotRun) {
        self.is_exact = false;
        if self.not_run.contains(&not_run) {
            return;
        }
        self.progress.not_run += 1;
        if self.not_run.len() < MOST_KEPT {
            self.not_run.push(not_run);
        }
    }
}
