//! Proofs that nothing gets to a place, by the backward search.

use crate::Stop;
use crate::backward::{BackwardOptions, Goal, Graph, Verdict, backward};
use crate::task::{Difficulty, Done};
use std::sync::Arc;

/// What one proof may cost: there are many to try, and most will not be found.
const OPTIONS: BackwardOptions =
    BackwardOptions { segments: 100, effort: 2_000, total_effort: 20_000, trusts_writes: false };

/// Who proves.
#[derive(Clone)]
pub(crate) struct Prover<'p> {
    pub(crate) graph: Arc<Graph<'p>>,
}

impl Prover<'_> {
    /// Tries a proof; what that cost.
    pub(super) fn prove(&self, goal: Goal, stop: &Stop) -> (Done, u64) {
        let found = backward(&self.graph, goal, &OPTIONS, None, &stop.flag());
        let done = match found.verdict {
            Verdict::Unreachable(at) => Done::Contradicted(at.into_iter().collect()),
            _ if stop.reason().is_some() => Done::Postponed,
            _ => Done::GaveUp(Difficulty::of_proof()),
        };
        (done, found.effort)
    }
}
