//! Proofs that nothing gets to a place, by the backward search.

use crate::Stop;
use crate::backward::{BackwardOptions, Goal, Graph, Verdict, backward};
use crate::task::{Difficulty, Done, Thoroughness};

impl Thoroughness {
    /// What one proof may cost: there are many to try, and most will not be found.
    pub(crate) fn total_effort(self) -> u64 {
        match self {
            Thoroughness::Quick => 1_000,
            Thoroughness::Thorough => 20_000,
        }
    }

    fn options(self) -> BackwardOptions {
        let total_effort = self.total_effort();
        BackwardOptions {
            segments: 100,
            effort: total_effort.min(2_000),
            total_effort,
            ..BackwardOptions::default()
        }
    }
}

/// Tries a proof; what that cost.
pub(super) fn prove(graph: &Graph<'_>, goal: Goal, thoroughness: Thoroughness, stop: &Stop) -> (Done, u64) {
    let found = backward(graph, goal, &thoroughness.options(), None, &stop.flag());
    let done = match found.verdict {
        Verdict::Unreachable(at) => Done::Contradicted(at.into_iter().collect(), found.granted),
        _ if stop.reason().is_some() => Done::Postponed,
        _ => {
            // Other bounds are the same however thorough it is.
            let is_spent = found.effort >= thoroughness.total_effort();
            Done::GaveUp(Difficulty::of_proof(is_spent && thoroughness == Thoroughness::Quick))
        }
    };
    (done, found.effort)
}
