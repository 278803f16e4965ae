//! What a slot has to tell beside what came of its tasks: what it learned, what that cost, what became of its memory.

use crate::samples::Fresh;
use crate::task::TraceId;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What became of a slot's memory since it last had something to do: a slot elsewhere that is to be like it does the same.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Upkeep {
    /// Whether it forgot everything.
    pub(crate) is_anew: bool,
    /// The traces that it forgot since.
    pub(super) forgotten: Vec<TraceId>,
}

impl Upkeep {
    /// It forgot everything.
    pub(super) fn anew() -> Upkeep {
        Upkeep { is_anew: true, forgotten: Vec::new() }
    }
}

/// What a slot has to tell of a batch beside what came of its tasks.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Account {
    /// What it has learned of unknown functions.
    pub(crate) fresh: Fresh,
    /// How many runs were made because their paths had been forgotten.
    pub(crate) again: u64,
    /// What its runs and questions have cost.
    pub(crate) cost: u64,
    pub(crate) asked: Asked,
}

/// What solvers were asked, and answered.
#[derive(Clone, Copy, Debug, Default, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Questions.
    pub queries: u64,
    /// Answered by values.
    pub sat: u64,
    /// Answered by a proof that there are none.
    pub unsat: u64,
    /// Not answered.
    pub unknown: u64,
    /// Questions that came to a SAT solver or another program.
    pub backend_calls: u64,
    /// How long it took, in all threads together; not what it took before a search went on.
    #[serde(skip)]
    pub time: Duration,
}

/// The same search asks the same; how long that takes is another matter.
impl PartialEq for Asked {
    fn eq(&self, other: &Asked) -> bool {
        let counts = |it: &Asked| [it.queries, it.sat, it.unsat, it.unknown, it.backend_calls];
        counts(self) == counts(other)
    }
}

impl Asked {
    /// What was asked since it was this.
    pub(super) fn since(self, before: Asked) -> Asked {
        Asked {
            queries: self.queries - before.queries,
            sat: self.sat - before.sat,
            unsat: self.unsat - before.unsat,
            unknown: self.unknown - before.unknown,
            backend_calls: self.backend_calls - before.backend_calls,
            time: self.time.saturating_sub(before.time),
        }
    }
}

impl std::ops::AddAssign for Asked {
    fn add_assign(&mut self, other: Asked) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.backend_calls += other.backend_calls;
        self.time += other.time;
    }
}
