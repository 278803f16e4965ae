//! What a search may do, and who may end it.

use crate::{Imprecision, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// What a search may do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Executions of the instrumented program. Default: no limit.
    pub max_runs: Option<u64>,
    /// What random choices are made from. Default: 1.
    pub seed: u64,
    /// Threads; they change how long it takes, nothing else. Default: 1.
    pub workers: usize,
    /// Whether inputs are changed at random between questions, too. Default: yes.
    pub mutate: bool,
    /// Batches before inputs are changed at random, unless a question was too hard: what is small is complete by then. Default: 8.
    pub batches_before_mutation: u64,
    /// Batches after which slots begin anew, so that another process can go on from there ([`crate::Journal`]). Default: 16.
    pub epoch: u64,
    /// Decisions that are remembered: more are a bound that was hit. Default: 8 million, about a gigabyte.
    pub max_nodes: usize,
    /// Terms in the arena of a slot before it begins anew. Default: 4 million.
    pub max_terms: usize,
    /// Whether branches that no run has covered are looked at from behind: some are proved to be infeasible. Default: yes.
    pub proofs: bool,
    /// What is made of calls of unknown functions. Default: tests from proofs.
    pub imprecision: Imprecision,
    /// Whether functions become unknown by themselves where what they give is too hard. Default: yes.
    pub auto_unknown: bool,
    /// Whether unknown functions may be called directly; otherwise only runs show what they give. Default: yes.
    pub direct_calls: bool,
    /// Samples of unknown functions that are kept: beyond, the oldest are forgotten; those of a path are kept with it. Default: 200,000.
    pub max_samples: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_runs: None,
            seed: 1,
            workers: 1,
            mutate: true,
            batches_before_mutation: 8,
            epoch: 16,
            max_nodes: 8_000_000,
            max_terms: 4_000_000,
            proofs: true,
            imprecision: Imprecision::HigherOrder,
            auto_unknown: true,
            direct_calls: true,
            max_samples: 200_000,
        }
    }
}

/// Ends a search from outside: a clock, or a person.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    reason: Arc<AtomicU8>,
}

impl Stop {
    /// Ends the search, for this reason; the first reason counts. (Complete: somebody has all that was wanted.)
    pub fn now(&self, reason: StopReason) {
        let code = match reason {
            StopReason::Interrupted => 1,
            StopReason::Memory => 2,
            StopReason::Complete => 3,
            _ => 4,
        };
        let _ = self.reason.compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
        self.flag.store(true, Ordering::SeqCst);
    }

    /// Why the search is to end, if it is.
    pub fn reason(&self) -> Option<StopReason> {
        if !self.flag.load(Ordering::Relaxed) {
            return None;
        }
        Some(match self.reason.load(Ordering::SeqCst) {
            1 => StopReason::Interrupted,
            2 => StopReason::Memory,
            3 => StopReason::Complete,
            _ => StopReason::Time,
        })
    }

    /// What solvers look at while they work.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }
}
