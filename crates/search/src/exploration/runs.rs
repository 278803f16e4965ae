//! The runs of an exploration, and what may still be asked about each.

use super::NodeId;
use crate::task::TraceId;
use coax_execute::Input;
use std::sync::Arc;

/// What is known of a run.
pub(crate) struct RunData {
    /// Where its path is kept.
    pub(crate) slot: usize,
    pub(crate) input: Arc<Input>,
    /// See [`super::Pending::is_news`].
    pub(crate) is_news: bool,
    /// How many runs in a row, the last of them this one, were to pass an early end and came to another.
    pub(crate) early_ends: u32,
    /// Its decisions that no run before came to, as far as there may be something to ask about them.
    pub(crate) own: Vec<NodeId>,
    /// How many of them are not settled.
    open: u32,
    /// Whether somebody is about to ask about it all the same.
    is_held: bool,
}

/// All runs, in the order in which they were begun.
#[derive(Default)]
pub(crate) struct Runs {
    all: Vec<RunData>,
    /// How many decisions of all of them are open.
    open: u64,
    /// Those about which nothing is left to ask, with where their paths are kept.
    settled: Vec<(usize, TraceId)>,
}

impl Runs {
    /// A run is about to be made.
    pub(crate) fn begin(&mut self, slot: usize, input: Arc<Input>, is_news: bool) -> TraceId {
        let trace = TraceId(self.all.len() as u32);
        let (own, is_held) = (Vec::new(), false);
        self.all.push(RunData { slot, input, is_news, early_ends: 0, own, open: 0, is_held });
        trace
    }

    pub(crate) fn get(&self, trace: TraceId) -> &RunData {
        &self.all[trace.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, trace: TraceId) -> &mut RunData {
        &mut self.all[trace.0 as usize]
    }

    /// How many decisions are open.
    pub(crate) fn open(&self) -> u64 {
        self.open
    }

    /// One more decision of a run is open.
    pub(super) fn opened(&mut self, trace: TraceId) {
        self.open += 1;
        self.get_mut(trace).open += 1;
    }

    /// An open decision of a run is settled.
    pub(super) fn closed(&mut self, trace: TraceId) {
        self.open -= 1;
        self.get_mut(trace).open -= 1;
        self.forget_if_settled(trace);
    }

    /// Somebody is about to ask about a run, whatever is settled.
    pub(crate) fn hold(&mut self, trace: TraceId) {
        self.get_mut(trace).is_held = true;
    }

    /// If nothing is left to ask about a run, its path is not needed.
    pub(crate) fn forget_if_settled(&mut self, trace: TraceId) {
        let run = self.get_mut(trace);
        let is_held = std::mem::take(&mut run.is_held);
        if run.open == 0 && !is_held {
            run.own = Vec::new();
            let slot = run.slot;
            self.settled.push((slot, trace));
        }
    }

    /// The paths that are not needed any more, since the last time.
    pub(crate) fn take_settled(&mut self) -> Vec<(usize, TraceId)> {
        std::mem::take(&mut self.settled)
    }
}
