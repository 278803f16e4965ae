//! Places that a search is to reach.

use crate::backward::Goal;
use crate::executed::{begun, executed};
use crate::findings::Kept;
use crate::task::Confirmed;
use coax_execute::{Coverage, Outcome, Run};
use coax_program::{Func, Program, Site};
use std::collections::{BTreeMap, BTreeSet};

/// A place that a search is to reach.
#[derive(Clone, Debug)]
pub struct Target {
    /// What counts as reaching it.
    pub what: What,
    /// The points of the program that are as good; none if there are others that cannot be named.
    pub goals: Vec<Goal>,
}

/// What counts as reaching a place.
#[derive(Clone, Debug)]
pub enum What {
    /// One of these operators is executed.
    Operators(BTreeMap<Func, BTreeSet<u32>>),
    /// A branch goes in a direction.
    Direction(Site, u32),
    /// The function is called.
    Called(Func),
    /// The function traps, or something does that it calls.
    Trap(Func),
    /// The harness says so.
    Label(String),
}

/// What is known of a run that counts.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub(crate) outcome: &'a Outcome,
    pub(crate) coverage: &'a Coverage,
    pub(crate) labels: &'a [String],
}

impl<'a> Seen<'a> {
    /// A run of the plain module; none without coverage.
    pub fn of(run: &'a Run) -> Option<Seen<'a>> {
        Some(Seen { outcome: &run.outcome, coverage: run.coverage.as_ref()?, labels: &run.asked.labels })
    }
}

impl<'a> From<&'a Kept> for Seen<'a> {
    fn from(test: &'a Kept) -> Seen<'a> {
        Seen { outcome: &test.outcome, coverage: &test.coverage, labels: &test.labels }
    }
}

impl<'a> From<&'a Confirmed> for Seen<'a> {
    fn from(run: &'a Confirmed) -> Seen<'a> {
        Seen { outcome: &run.outcome, coverage: &run.coverage, labels: &run.labels }
    }
}

impl Target {
    /// Whether a run reaches it.
    pub fn is_reached_by(&self, program: &Program, seen: Seen<'_>) -> bool {
        let Seen { outcome, coverage, labels } = seen;
        match &self.what {
            What::Operators(operators) => operators.iter().any(|(func, offsets)| {
                coverage.entered(*func) && !executed(program, *func, outcome, coverage).is_disjoint(offsets)
            }),
            What::Direction(site, direction) => coverage.directions(*site)[*direction as usize],
            What::Called(func) => coverage.entered(*func),
            What::Trap(func) => {
                let is_trap = matches!(outcome, Outcome::Trapped(_));
                is_trap && outcome.backtrace().iter().any(|frame| frame.func == *func)
            }
            What::Label(label) => labels.contains(label),
        }
    }

    /// Whether runs that covered this together may have reached it, without anybody having noticed: executed is only what was executed for sure.
    pub fn may_be_reached_in(&self, program: &Program, coverage: &Coverage) -> bool {
        match &self.what {
            What::Operators(operators) => operators.iter().any(|(func, offsets)| {
                coverage.entered(*func)
                    && begun(program, *func, coverage).iter().any(|offset| offsets.contains(offset))
            }),
            What::Direction(site, direction) => coverage.directions(*site)[*direction as usize],
            What::Called(func) => coverage.entered(*func),
            What::Trap(_) | What::Label(_) => false,
        }
    }

    /// The functions that it is in.
    pub fn functions(&self) -> Vec<Func> {
        match &self.what {
            What::Operators(operators) => operators.keys().copied().collect(),
            What::Direction(..) | What::Label(_) => self.goals.iter().map(|goal| goal.func()).collect(),
            What::Called(func) | What::Trap(func) => vec![*func],
        }
    }
}
