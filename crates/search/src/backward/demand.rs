//! What ways to a goal demand at the points that they pass. A run that comes to such a point shows what it must be like to go on to the goal: there both
//! directions meet (`meet.rs`).

use super::graph::Graph;
use super::memory::Load;
use super::state::{Condition, State};
use super::{BackwardOptions, Goal, Search};
use coax_program::Func;
use coax_program::ir::{Block, Value};
use coax_term::{Node, Term, Terms};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many are noted for one place.
const MOST: usize = 512;
/// How many steps ways are followed at first, and how many times farther if that is not much.
const FIRST_FAR: u32 = 8;
const FARTHER: u32 = 4;

/// What a way demands at a point. What it does not know of the way makes it demand less: who satisfies it may still not get to the goal.
pub(super) struct Demand {
    /// The block and its function, and how many of its instructions are before the point.
    pub(super) func: Func,
    pub(super) block: Block,
    pub(super) before: usize,
    /// How many steps the way to the goal has.
    pub(super) far: u32,
    pub(super) conditions: Vec<Term>,
    /// The symbols that values of the function stand for in the conditions.
    pub(super) values: Vec<(Value, Term)>,
    /// Those that globals stand for.
    pub(super) globals: Vec<(u32, Term)>,
    /// Those that memory stands for; addresses depend on nothing but values, globals, and loads that come before.
    pub(super) loads: Vec<Load>,
}

/// What ways to some goals demand; they share their symbols' names.
pub struct Demands {
    pub(super) terms: Terms,
    pub(super) all: Vec<Demand>,
    /// Whether ways lead farther from the goal than it was looked.
    is_cut: bool,
}

/// What a search notes.
pub(super) struct Noting {
    demands: Vec<Demand>,
    /// How far from the goal ways are followed, and whether some lead on from there.
    most: u32,
    is_cut: bool,
}

impl Demands {
    /// Looks for ways back from goals, and notes what they demand on the way: near a goal first, and farther as long as there are not too many.
    pub fn of(
        graph: &Graph<'_>,
        goals: &[Goal],
        options: &BackwardOptions,
        stop: &Arc<AtomicBool>,
    ) -> Demands {
        let mut demands = Demands::within(graph, goals, options, FIRST_FAR, stop);
        let mut most = FIRST_FAR;
        while demands.is_cut && demands.all.len() < MOST && !stop.load(Ordering::Relaxed) {
            most *= FARTHER;
            demands = Demands::within(graph, goals, options, most, stop);
        }
        demands
    }

    /// The same, up to so many steps from a goal.
    fn within(
        graph: &Graph<'_>,
        goals: &[Goal],
        options: &BackwardOptions,
        most: u32,
        stop: &Arc<AtomicBool>,
    ) -> Demands {
        let mut search = Search::new(graph, options, stop);
        search.noting = Some(Noting { demands: Vec::new(), most, is_cut: false });
        // Whatever it says of one: what it has noted is all that is wanted.
        let mut explore = |&goal: &Goal| {
            let first = State::at(&mut search, goal);
            first.is_none_or(|first| search.explore(first).is_ok())
        };
        let is_over = !goals.iter().all(&mut explore);
        let Noting { demands, is_cut, .. } = search.noting.expect("it was put there");
        Demands { all: demands, terms: search.terms, is_cut: is_cut && !is_over }
    }

    /// Whether nothing is demanded anywhere.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

impl Search<'_, '_, '_> {
    /// Whether demands are wanted, and more of them.
    pub(super) fn is_noting(&self) -> bool {
        self.noting.as_ref().is_some_and(|noting| noting.demands.len() < MOST)
    }

    /// Whether a way is followed no farther: it leads where nobody wants to know what it demands.
    pub(super) fn is_too_far(&mut self, state: &State) -> bool {
        let Some(noting) = &mut self.noting else { return false };
        let is_far = state.far > noting.most || noting.demands.len() >= MOST;
        noting.is_cut |= is_far;
        is_far
    }

    /// Notes what is demanded at a point, if somebody wants to know. Of functions that were entered from their ends, nobody knows whether a run is there for this.
    pub(super) fn note(&mut self, state: &State) {
        if !self.is_noting() || state.frames.len() > 1 {
            return;
        }
        let is_plain = |condition: &&Condition| {
            let is_method = |term: Term| matches!(self.terms.node(term), Node::Apply { .. });
            !condition.is_fact && !self.terms.in_post_order(&[condition.term]).any(is_method)
        };
        let conditions: Vec<Term> = state
            .conditions
            .iter()
            .chain(&state.hard)
            .filter(is_plain)
            .map(|condition| condition.term)
            .collect();
        let frame = state.frame();
        let is_same = |last: &Demand| {
            let place = (last.func, last.block, last.before);
            place == (frame.func, state.block, state.before) && last.conditions == conditions
        };
        let last = self.noting.as_ref().and_then(|noting| noting.demands.last());
        if conditions.is_empty() || last.is_some_and(is_same) {
            return;
        }
        let demand = Demand {
            func: frame.func,
            block: state.block,
            before: state.before,
            far: state.far,
            conditions,
            values: frame.leaves.iter().map(|(&value, &leaf)| (value, leaf)).collect(),
            globals: state.globals.iter().map(|(&global, &symbol)| (global, symbol)).collect(),
            loads: in_order(&self.terms, &state.loads),
        };
        if let Some(noting) = &mut self.noting {
            noting.demands.push(demand);
        }
    }
}

/// Loads, each behind those that its address depends on.
fn in_order(terms: &Terms, loads: &[Load]) -> Vec<Load> {
    let mut waiting: Vec<Load> = loads.to_vec();
    let mut ordered = Vec::new();
    while !waiting.is_empty() {
        let unknown: BTreeSet<Term> = waiting.iter().map(|load| load.bits).collect();
        let is_known =
            |load: &mut Load| !terms.in_post_order(&[load.address]).any(|term| unknown.contains(&term));
        let known: Vec<Load> = waiting.extract_if(.., is_known).collect();
        if known.is_empty() {
            break;
        }
        ordered.extend(known);
    }
    ordered
}
