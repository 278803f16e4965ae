//! One place that is to be reached.

use coax_execute::Outcome;
use coax_program::{Func, Program, Site};
use coax_search::{Goal, Kept, begun, executed};
use std::collections::{BTreeMap, BTreeSet};

/// A place that is to be reached.
#[derive(Debug)]
pub struct Aim {
    /// As the user calls it.
    pub text: String,
    pub what: What,
    /// The points of the program that are as good; none if there are others that cannot be named.
    pub goals: Vec<Goal>,
    /// What is known of it beside tests.
    pub standing: Standing,
    /// Straight-line pieces that the backward search went through.
    pub segments: u64,
}

/// What counts as reaching it.
#[derive(Debug)]
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

/// What is known of a place that no test reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing reaches it; why.
    Unreachable(String),
    /// Nobody knows; why.
    Unknown(String),
}

impl Aim {
    /// Nothing is known of it yet.
    pub fn new(text: &str, what: What, goals: Vec<Goal>) -> Aim {
        let standing = Standing::Unknown("it was not searched for backwards".to_owned());
        Aim { text: text.to_owned(), what, goals, standing, segments: 0 }
    }

    /// Whether it is known that nothing reaches it.
    pub fn is_settled(&self) -> bool {
        matches!(self.standing, Standing::Unreachable(_))
    }

    /// Whether a test reaches it.
    pub fn is_reached_by(&self, program: &Program, test: &Kept) -> bool {
        match &self.what {
            What::Operators(operators) => operators.iter().any(|(func, offsets)| {
                test.coverage.entered(*func)
                    && executed(program, *func, test).iter().any(|offset| offsets.contains(offset))
            }),
            What::Direction(site, direction) => test.coverage.directions(*site)[*direction as usize],
            What::Called(func) => test.coverage.entered(*func),
            What::Trap(func) => {
                let is_trap = matches!(test.outcome, Outcome::Trapped(_));
                is_trap && test.outcome.backtrace().iter().any(|frame| frame.func == *func)
            }
            What::Label(label) => test.labels.contains(label),
        }
    }

    /// Whether a test reaches it or ended just before: another run, which did not end there, may have covered nothing new and so is no test.
    pub fn is_begun_by(&self, program: &Program, test: &Kept) -> bool {
        match &self.what {
            What::Operators(operators) => operators.iter().any(|(func, offsets)| {
                test.coverage.entered(*func)
                    && begun(program, *func, test).iter().any(|offset| offsets.contains(offset))
            }),
            _ => self.is_reached_by(program, test),
        }
    }

    /// The functions that it is in.
    pub fn functions(&self) -> Vec<Func> {
        match &self.what {
            What::Operators(operators) => operators.keys().copied().collect(),
            What::Direction(..) => self.goals.iter().map(|goal| goal.func()).collect(),
            What::Called(func) | What::Trap(func) => vec![*func],
            What::Label(_) => Vec::new(),
        }
    }
}
