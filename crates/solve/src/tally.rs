//! What each layer was asked and answered, for reports and benchmarks.

use crate::{Answer, Budget, Layer, Query, Reason};
use coax_term::Terms;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The counts of one layer.
#[derive(Debug, Default)]
pub struct Tally {
    /// The layer's name.
    pub name: &'static str,
    asked: AtomicU64,
    sat: AtomicU64,
    unsat: AtomicU64,
    unknown: AtomicU64,
    wrong: AtomicU64,
}

/// The counts at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many questions came.
    pub asked: u64,
    /// How many had solutions.
    pub sat: u64,
    /// How many had none.
    pub unsat: u64,
    /// How many stayed open.
    pub unknown: u64,
    /// How many models were wrong; then someone else was asked, if there was anybody.
    pub wrong: u64,
}

impl Tally {
    /// Of a layer with this name.
    pub fn new(name: &'static str) -> Arc<Tally> {
        Arc::new(Tally { name, ..Tally::default() })
    }

    pub(crate) fn add_wrong(&self) {
        self.wrong.fetch_add(1, Relaxed);
    }

    /// The counts now.
    pub fn counts(&self) -> Counts {
        Counts {
            asked: self.asked.load(Relaxed),
            sat: self.sat.load(Relaxed),
            unsat: self.unsat.load(Relaxed),
            unknown: self.unknown.load(Relaxed),
            wrong: self.wrong.load(Relaxed),
        }
    }
}

/// Counts what a layer, with all below it, is asked and answers.
pub(crate) struct Counted {
    pub(crate) next: Box<dyn Layer>,
    pub(crate) tally: Arc<Tally>,
}

impl Layer for Counted {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        self.tally.asked.fetch_add(1, Relaxed);
        // A layer need not look before it begins: whoever is late is not asked.
        let answer = match budget.is_late() {
            true => Answer::Unknown(Reason::Budget(self.tally.name)),
            false => self.next.solve(terms, query, budget),
        };
        let count = match &answer {
            Answer::Sat(_) => &self.tally.sat,
            Answer::Unsat(_) => &self.tally.unsat,
            Answer::Unknown(_) => &self.tally.unknown,
        };
        count.fetch_add(1, Relaxed);
        answer
    }
}
