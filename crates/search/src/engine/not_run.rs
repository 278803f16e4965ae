//! Inputs that cannot be run, though others can: the search says so and goes on.
//!
//! If none can be run at all, it is the program that cannot, or the machine: then the first error is the search's. An input of which the modules make
//! different things says nothing about others.

use super::{Engine, Origin};
use crate::findings::NotRun;
use crate::task::TraceId;
use crate::tree::State;
use coax_execute::{Error, Input};

/// So many are kept; the others are counted.
const MOST_KEPT: usize = 16;

impl Engine<'_, '_> {
    /// A run could not be made. What it was made for is not asked again.
    pub(super) fn run_failed(
        &mut self,
        trace: TraceId,
        origin: Option<Origin>,
        error: Error,
    ) -> Result<(), Error> {
        self.progress.runs += 1;
        if let Some((origin, _)) = origin
            && self.tree.node(origin).state == State::Waiting
        {
            self.settle(origin, State::CutShort);
        }
        let input = self.traces[trace.0 as usize].input.clone();
        self.could_not_run(input, error)
    }

    /// Trials could not be made.
    pub(super) fn trials_failed(&mut self, error: Error) -> Result<(), Error> {
        let input = self.traces.first().map(|trace| trace.input.clone());
        self.could_not_run(input.unwrap_or_default(), error)
    }

    /// An input could not be run.
    pub(super) fn could_not_run(&mut self, input: Input, error: Error) -> Result<(), Error> {
        self.is_exact = false;
        self.progress.not_run += 1;
        if self.not_run.len() < MOST_KEPT {
            let said = error.to_string();
            let what = said.lines().next().unwrap_or_default().to_owned();
            self.not_run.push(NotRun { input, what });
        }
        let is_first = self.progress.paths == 0 && self.progress.not_run == self.progress.runs;
        if is_first && self.refusal.is_none() && !matches!(error, Error::Divergence { .. }) {
            self.refusal = Some(error);
        }
        Ok(())
    }
}
