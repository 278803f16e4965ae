//! Backward search: from a target towards the entry, with conditions (Dinges 2014, chapter 4; `docs/decisions/0011-backward.md`).
//!
//! ```text
//! Goal ── State ── step: block by block, against the edges ──▶ states ── solver: impossible? ──▶ cut, or on
//! ```
//!
//! A state knows less than what happens on the way: what it leaves out (a call that is passed over, rounds of a loop, a store that may be anywhere) only
//! makes more possible. So if every way back is cut, nothing gets to the goal.

mod effects;
mod graph;
mod memory;
mod state;
mod step;

pub use graph::Graph;

use coax_program::Func;
use coax_program::ir::{Block, Inst};
use coax_solve::{Answer, Budget, Layer, Query, Stack, StackOptions};
use coax_term::{Model, Terms};
use graph::CallPlace;
use state::State;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// A point of a block, behind so many of its instructions.
    Point(Func, Block, usize),
    /// A direction of the branch or switch at the end of a block.
    Direction(Func, Block, u32),
    /// An instruction of a block that traps.
    Trap(Func, Block, Inst),
}

impl Goal {
    /// The function that it is in.
    pub fn func(self) -> Func {
        match self {
            Goal::Point(func, ..) | Goal::Direction(func, ..) | Goal::Trap(func, ..) => func,
        }
    }
}

/// What may be spent on one goal.
#[derive(Clone, Copy, Debug)]
pub struct BackwardOptions {
    /// Straight-line pieces between two branch points. Default: 1,000.
    pub segments: u64,
    /// Effort of the solvers for one question, and for all together. Default: 10,000 and 1,000,000.
    pub effort: u64,
    /// See `effort`.
    pub total_effort: u64,
}

impl Default for BackwardOptions {
    fn default() -> Self {
        BackwardOptions { segments: 1000, effort: 10_000, total_effort: 1_000_000 }
    }
}

/// What a backward search has found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backward {
    /// What it says of the goal.
    pub verdict: Verdict,
    /// Straight-line pieces between two branch points that it went through.
    pub segments: u64,
    /// What its solvers have spent.
    pub effort: u64,
}

/// What a backward search says of its goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No input reaches it. The branches whose conditions contradict each other, by their bytes in the module.
    Unreachable(BTreeSet<u32>),
    /// There are ways back to the entry that nothing contradicts; values of its parameters, as far as they are known.
    Open(Vec<Vec<Option<u64>>>),
    /// It ended before it was through; why.
    Bound(&'static str),
}

/// Steps for each segment: functions that call each other are a way without branches that has no end.
const STEPS: u64 = 8;
/// How many terms one search makes.
const MOST_TERMS: usize = 1 << 20;
/// How many ways to the entry are kept.
const MOST_WAYS: usize = 1;

/// Looks for ways back from a goal to these functions, which are called from outside; the first is the entry.
pub fn backward(
    graph: &Graph<'_>,
    roots: &[Func],
    goal: Goal,
    options: &BackwardOptions,
    stop: &Arc<AtomicBool>,
) -> Backward {
    let mut search = Search {
        graph,
        roots,
        options,
        stop,
        terms: Terms::new(),
        stack: Stack::new(StackOptions { child: None, ..StackOptions::default() }),
        fresh: 0,
        segments: 0,
        effort: options.total_effort,
        unconditional: BTreeSet::new(),
        conflicts: BTreeSet::new(),
        ways: Vec::new(),
    };
    let verdict = search.run(goal);
    Backward { verdict, segments: search.segments, effort: options.total_effort - search.effort }
}

/// A backward search for one goal.
struct Search<'a, 'p> {
    graph: &'a Graph<'p>,
    roots: &'a [Func],
    options: &'a BackwardOptions,
    stop: &'a Arc<AtomicBool>,
    terms: Terms,
    stack: Stack,
    /// How many symbols were made.
    fresh: u64,
    segments: u64,
    /// What solvers may still spend.
    effort: u64,
    /// Calls that ways have come to which demand nothing any more: those that come later demand no less.
    unconditional: BTreeSet<CallPlace>,
    /// The branches whose conditions have cut ways.
    conflicts: BTreeSet<u32>,
    /// Ways to the entry: values of its parameters.
    ways: Vec<Vec<Option<u64>>>,
}

impl Search<'_, '_> {
    fn run(&mut self, goal: Goal) -> Verdict {
        let Some(first) = State::at(self, goal) else { return Verdict::Bound("its condition is no number") };
        let mut waiting = VecDeque::from([first]);
        let (mut is_open, mut steps) = (false, 0);
        while let Some(state) = waiting.pop_front() {
            steps += 1;
            if self.stop.load(Ordering::Relaxed) {
                return Verdict::Bound("the time is over");
            }
            if self.segments >= self.options.segments || steps > STEPS * self.options.segments {
                return Verdict::Bound("there are more ways back than are tried");
            }
            if self.effort == 0 || self.terms.len() > MOST_TERMS {
                return Verdict::Bound("solvers would take too long");
            }
            let back = self.back(state);
            is_open |= back.is_at_root;
            // Who goes on from where the last one was comes to an end sooner.
            back.states.into_iter().rev().for_each(|state| waiting.push_front(state));
            if self.ways.len() >= MOST_WAYS {
                break;
            }
        }
        match is_open {
            true => Verdict::Open(std::mem::take(&mut self.ways)),
            false => Verdict::Unreachable(std::mem::take(&mut self.conflicts)),
        }
    }

    /// Whether a state is possible, as far as solvers can tell; a condition that they cannot judge is left out.
    fn is_possible(&mut self, state: &mut State) -> bool {
        if let Some(at) = state.false_condition(&self.terms) {
            self.conflicts.insert(at);
            return false;
        }
        let Some((last, before)) = state.conditions.split_last() else { return true };
        // The search ends soon.
        if self.effort == 0 {
            return true;
        }
        let assumptions: Vec<_> = before.iter().map(|condition| condition.term).collect();
        let query = Query { assumptions: &assumptions, goal: last.term, hint: &state.hint };
        let mut budget = Budget::effort(self.options.effort).until(Arc::clone(self.stop));
        let answer = self.stack.solve(&mut self.terms, &query, &mut budget);
        self.effort = self.effort.saturating_sub(self.options.effort - budget.left());
        match answer {
            Answer::Sat(model) => {
                state.hint.overlay(&model);
                true
            }
            Answer::Unsat(core) => {
                let is_in = |at: &&state::Condition| core.contains(&at.term);
                self.conflicts.extend(before.iter().filter(is_in).map(|condition| condition.at));
                self.conflicts.insert(last.at);
                false
            }
            Answer::Unknown(_) => {
                state.conditions.pop();
                true
            }
        }
    }

    /// The entry was reached: what its parameters are there.
    fn keep_way(&mut self, values: Vec<Option<u64>>) {
        if !self.ways.contains(&values) {
            self.ways.push(values);
        }
    }
}

/// What came of going back from a state.
#[derive(Default)]
struct Back {
    states: Vec<State>,
    /// Whether a function was reached that is called from outside.
    is_at_root: bool,
}

/// The value of a model for a symbol, if it has one.
fn value_of(model: &Model, terms: &Terms, term: coax_term::Term) -> Option<u64> {
    match terms.node(term) {
        coax_term::Node::Symbol(symbol) => model.given(symbol),
        _ => None,
    }
}
