//! Backward search: from a target towards the entry, with conditions (Dinges 2014, chapter 4; `docs/decisions/0011-backward.md`).
//!
//! ```text
//! Goal ── State ── step: block by block, against the edges ──▶ states ── solver: impossible? ──▶ cut, or on
//! at the entry ── concrete: what solvers left open, with loops and calls that are run ──▶ values ── a run ──▶ reached, or another way
//! on the way ── demand, meet: what a run that comes there must be like to go on to the goal ──▶ another input
//! ```
//!
//! A state knows less than what happens on the way: what it leaves out (a call that is passed over, rounds of a loop, a store that may be anywhere) only
//! makes more possible. So if every way back is cut, nothing gets to the goal.

mod barriers;
mod concrete;
mod demand;
mod effects;
mod graph;
mod meet;
mod memory;
mod method;
mod region;
mod start;
mod state;
mod step;
mod toward;

pub use concrete::{Concrete, Workshop};
pub use demand::Demands;
pub use graph::Graph;
pub use meet::Meeting;
pub use toward::Toward;

use crate::facts::{Facts, Trust};
use coax_program::Func;
use coax_program::ir::{Block, Inst};
use coax_solve::{Answer, Budget, Layer, Query, Stack, StackOptions};
use coax_term::Terms;
use demand::Noting;
use graph::CallPlace;
use method::Applied;
use serde::{Deserialize, Serialize};
use state::State;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

    /// The block that it is in.
    fn block(self) -> Block {
        match self {
            Goal::Point(_, block, _) | Goal::Direction(_, block, _) | Goal::Trap(_, block, _) => block,
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
    /// What is assumed of the program. Default: nothing.
    pub trust: Trust,
}

impl Default for BackwardOptions {
    fn default() -> Self {
        BackwardOptions { segments: 1000, effort: 10_000, total_effort: 1_000_000, trust: Trust::default() }
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
    /// What it took for granted, beside what it was told to trust.
    pub granted: Granted,
}

/// What a backward search takes for granted of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Granted {
    /// Every function leaves the stack pointer as it found it, and the stack does not grow into static data.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stack: bool,
    /// Memory and globals are as at the beginning when the entry is called.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
}

impl Granted {
    /// Both.
    #[must_use]
    pub fn and(self, other: Granted) -> Granted {
        Granted { stack: self.stack || other.stack, fresh: self.fresh || other.fresh }
    }
}

/// What a backward search says of its goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No input reaches it. The branches whose conditions contradict each other, by their bytes in the module.
    Unreachable(BTreeSet<u32>),
    /// There are ways back to the entry that nothing contradicts.
    Open,
    /// A run with these values of the entry's parameters gets there; those that are not here do not matter.
    Reached(Vec<Option<u64>>),
    /// It ended before it was through; why.
    Bound(&'static str),
}

/// Steps for each segment: functions that call each other are a way without branches that has no end.
const STEPS: u64 = 8;
/// How many forks a way has: each takes some of the stack.
const MOST_FORKS: u32 = 1_000;
/// How many terms one search makes.
const MOST_TERMS: usize = 1 << 20;

/// Looks for ways back from a goal to the functions that are called from outside. Without somebody who runs the program it only looks for a proof.
pub fn backward(
    graph: &Graph<'_>,
    goal: Goal,
    options: &BackwardOptions,
    concrete: Option<&mut Concrete<'_>>,
    stop: &Arc<AtomicBool>,
) -> Backward {
    let facts = graph.facts(options.trust);
    if let Some(facts) = facts.filter(|facts| !facts.may_reach(goal)) {
        let barriers = barriers::barriers(graph, facts, goal);
        return Backward {
            verdict: Verdict::Unreachable(barriers),
            segments: 0,
            effort: 0,
            // Facts begin with the first values of globals and memory.
            granted: Granted { fresh: true, ..Granted::default() },
        };
    }
    let mut search = Search::new(graph, options, stop);
    search.concrete = concrete;
    let verdict = match State::at(&mut search, goal) {
        None => Verdict::Bound("its condition is no number"),
        Some(first) => match search.explore(first) {
            Ok(true) => Verdict::Open,
            Ok(false) => Verdict::Unreachable(std::mem::take(&mut search.conflicts)),
            Err(End::Reached(values)) => Verdict::Reached(values),
            Err(End::Bound(why)) => Verdict::Bound(why),
        },
    };
    let granted = Granted { stack: !search.stack_pointers.is_empty(), fresh: search.is_fresh };
    Backward { verdict, segments: search.segments, effort: options.total_effort - search.effort, granted }
}

/// A backward search for one goal.
struct Search<'a, 'p, 'c> {
    graph: &'a Graph<'p>,
    /// What is true of all runs.
    facts: Option<&'a Facts<'p>>,
    roots: &'a [Func],
    options: &'a BackwardOptions,
    concrete: Option<&'a mut Concrete<'c>>,
    stop: &'a Arc<AtomicBool>,
    terms: Terms,
    stack: Stack,
    /// What functions of terms stand for.
    applied: BTreeMap<coax_term::Function, Applied>,
    /// Symbols that stand for the stack pointer, wherever it is.
    stack_pointers: BTreeSet<coax_term::Term>,
    /// Whether it mattered what memory and globals hold at the beginning.
    is_fresh: bool,
    /// How many symbols were made.
    fresh: u64,
    steps: u64,
    segments: u64,
    /// What solvers may still spend.
    effort: u64,
    /// Calls that ways have come to which demand nothing any more: those that come later need not go on.
    unconditional: BTreeMap<CallPlace, Known>,
    /// How many forks the present way has.
    forks: u32,
    /// How many of these are being looked into, and the oldest that one of the others has come back to.
    depth: u32,
    oldest: u32,
    /// The branches whose conditions have cut ways.
    conflicts: BTreeSet<u32>,
    /// Values of the entry's parameters that were tried.
    tried: BTreeSet<Vec<Option<u64>>>,
    /// What is demanded on the ways, if somebody wants to know.
    noting: Option<Noting>,
}

/// What is known of a call that is come to without any demand.
#[derive(Clone, Copy)]
enum Known {
    Open,
    Closed,
    /// It is being looked into, so deep.
    UnderWay(u32),
}

/// Why a search ends before it has seen all ways.
enum End {
    Reached(Vec<Option<u64>>),
    Bound(&'static str),
}

/// Where the way forks.
#[derive(Default)]
struct Fork {
    /// All ways at once, of which less is known: what a loop or a call does is a function of what it is given, whatever that is.
    method: Option<State>,
    /// The ways one by one.
    ways: Vec<State>,
    /// At the beginning of a function that is called from outside.
    root: Option<State>,
}

impl<'a, 'p> Search<'a, 'p, '_> {
    fn new(graph: &'a Graph<'p>, options: &'a BackwardOptions, stop: &'a Arc<AtomicBool>) -> Self {
        Search {
            graph,
            facts: graph.facts(options.trust),
            roots: &graph.roots,
            options,
            concrete: None,
            stop,
            terms: Terms::new(),
            stack: Stack::new(StackOptions { child: None, ..StackOptions::default() }),
            applied: BTreeMap::new(),
            stack_pointers: BTreeSet::new(),
            is_fresh: false,
            fresh: 0,
            steps: 0,
            segments: 0,
            effort: options.total_effort,
            unconditional: BTreeMap::new(),
            forks: 0,
            depth: 0,
            oldest: u32::MAX,
            conflicts: BTreeSet::new(),
            tried: BTreeSet::new(),
            noting: None,
        }
    }

    /// Goes all ways back from a state; whether one of them may come from outside.
    fn explore(&mut self, mut state: State) -> Result<bool, End> {
        let Some(place) = state.unconditional.take() else { return self.explore_anew(state) };
        match self.unconditional.get(&place) {
            Some(Known::Open) => return Ok(true),
            Some(Known::Closed) => return Ok(false),
            // Who comes from itself comes from where else it comes from.
            Some(&Known::UnderWay(depth)) => {
                self.oldest = self.oldest.min(depth);
                return Ok(false);
            }
            None => {}
        }
        let depth = self.depth;
        self.unconditional.insert(place, Known::UnderWay(depth));
        let oldest = std::mem::replace(&mut self.oldest, u32::MAX);
        self.depth += 1;
        let is_open = self.explore_anew(state)?;
        self.depth -= 1;
        match is_open {
            true => self.unconditional.insert(place, Known::Open),
            // What one that is still under way will say is not known yet.
            false if self.oldest < depth => self.unconditional.remove(&place),
            false => self.unconditional.insert(place, Known::Closed),
        };
        self.oldest = if self.oldest < depth { self.oldest.min(oldest) } else { oldest };
        Ok(is_open)
    }

    fn explore_anew(&mut self, state: State) -> Result<bool, End> {
        if self.forks >= MOST_FORKS {
            return Err(End::Bound("ways back are longer than is tried"));
        }
        self.forks += 1;
        let is_open = self.explore_fork(state);
        self.forks -= 1;
        is_open
    }

    fn explore_fork(&mut self, state: State) -> Result<bool, End> {
        self.steps += 1;
        if self.segments >= self.options.segments || self.steps > STEPS * self.options.segments {
            return Err(End::Bound("there are more ways back than are tried"));
        }
        if self.effort == 0 || self.terms.len() > MOST_TERMS {
            return Err(End::Bound("solvers would take too long"));
        }
        if self.graph.is_tangled(state.frame().func) {
            return Err(End::Bound("too many loops are within each other"));
        }
        if self.is_too_far(&state) {
            return Ok(true);
        }
        let fork = self.back(state)?;
        if let Some(method) = fork.method
            && !self.explore(method)?
        {
            return Ok(false);
        }
        let mut is_open = false;
        if let Some(mut root) = fork.root
            && self.begin(&mut root)
        {
            is_open = true;
            self.try_at_entry(&root)?;
        }
        for way in fork.ways {
            // One way is enough if nobody can try them.
            if is_open && !self.can_try() && !self.is_noting() {
                break;
            }
            is_open |= self.explore(way)?;
        }
        Ok(is_open)
    }

    /// Ends the search if somebody wants it to end.
    fn go_on(&self) -> Result<(), End> {
        match self.stop.load(Ordering::Relaxed) {
            true => Err(End::Bound("the time is over")),
            false => Ok(()),
        }
    }

    /// Whether a state is possible, as far as solvers can tell; a condition that they cannot judge is left to a concrete search.
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
                state.hard.extend(state.conditions.pop());
                true
            }
        }
    }
}
