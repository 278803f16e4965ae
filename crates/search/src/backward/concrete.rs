//! Phase II of Dinges 2014: ways that solvers left open are tried. Loops and calls on the way are run, the concolic walk looks for values, and a run of the
//! program says whether they get to the goal.

use super::method::Applied;
use super::state::State;
use super::{End, Search};
use coax_execute::{Jit, Method, Methods};
use coax_program::Program;
use coax_program::ir::{Body, Value};
use coax_solve::{Answer, Budget, Layer, Query, Stack, StackOptions};
use coax_term::{Function, Functions, Model, Node, Term, Terms};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many values are tried for one goal.
const MOST_TRIED: usize = 64;
/// What looking for values on one way may cost.
const EFFORT: u64 = 200_000;
/// What one loop or call may execute, and all of them on one way.
const FUEL_OF_ONE: u64 = 1_000_000;
const FUEL: u64 = 200_000_000;

/// Programs with more code are not taken apart: compiling them takes seconds.
const MOST_CODE: usize = 1 << 20;

/// Who runs the program.
pub struct Concrete<'c> {
    /// Whether a run with these values of the entry's parameters gets to the goal; those that are not here are as they are.
    reaches: &'c mut dyn FnMut(&[Option<u64>]) -> bool,
    workshop: &'c Workshop,
}

/// A program in pieces, made once that is needed; none if it cannot be had so.
#[derive(Default)]
pub struct Workshop(OnceCell<Option<Arc<Mutex<Methods>>>>);

impl Workshop {
    fn methods(&self, program: &Program) -> Option<Arc<Mutex<Methods>>> {
        let make = || {
            let is_small = program.wasm.len() <= MOST_CODE;
            let methods = is_small.then(|| Methods::new(program)).flatten();
            methods.map(|methods| Arc::new(Mutex::new(methods)))
        };
        self.0.get_or_init(make).clone()
    }
}

impl<'c> Concrete<'c> {
    /// Asks this whether a run gets to the goal.
    pub fn new(reaches: &'c mut dyn FnMut(&[Option<u64>]) -> bool, workshop: &'c Workshop) -> Self {
        Concrete { reaches, workshop }
    }
}

impl Search<'_, '_, '_> {
    /// What is demanded may depend on nothing but the entry's parameters before their beginning is come to: then a run says sooner than solvers whether the
    /// rest of the way matters.
    pub(super) fn try_early(&mut self, state: &State) -> Result<(), End> {
        let is_entry = state.frames.len() == 1 && self.roots.first() == Some(&state.frame().func);
        if self.concrete.is_none() || !is_entry || !state.hard.is_empty() {
            return Ok(());
        }
        let params = self.params(state);
        let conditions: Vec<Term> = state.conditions.iter().map(|condition| condition.term).collect();
        let is_param = |term: Term| match self.terms.node(term) {
            Node::Symbol(_) => params.contains(&Some(term)),
            Node::Apply { .. } => false,
            _ => true,
        };
        if !self.terms.in_post_order(&conditions).all(is_param) {
            return Ok(());
        }
        let values = values(&self.terms, &params, &state.hint);
        self.attempt(values)
    }

    /// At the beginning of the entry: values with which all holds that is demanded, tried.
    pub(super) fn try_at_entry(&mut self, state: &State) -> Result<(), End> {
        if self.concrete.is_none() || self.roots.first() != Some(&state.frame().func) {
            return Ok(());
        }
        let params = self.params(state);
        let conditions: Vec<Term> =
            state.conditions.iter().chain(&state.hard).map(|condition| condition.term).collect();
        let is_applied = |&term: &Term| matches!(self.terms.node(term), Node::Apply { .. });
        let applied: Vec<Term> = self.terms.in_post_order(&conditions).filter(is_applied).collect();
        if applied.is_empty() && state.hard.is_empty() {
            let values = values(&self.terms, &params, &state.hint);
            return self.attempt(values);
        }
        let Some((&goal, assumptions)) = conditions.split_last() else { return Ok(()) };
        let Some(functions) = self.pieces(&applied) else { return Ok(()) };
        let mut stack = Stack::new(StackOptions {
            child: None,
            functions: Some(Box::new(functions)),
            compiler: Some(Jit::boxed),
            ..StackOptions::default()
        });
        let query = Query { assumptions, goal, hint: &state.hint };
        let effort = EFFORT.min(self.effort);
        let mut budget = Budget::effort(effort).until(Arc::clone(self.stop));
        let answer = stack.solve(&mut self.terms, &query, &mut budget);
        self.effort = self.effort.saturating_sub(effort - budget.left());
        match answer {
            Answer::Sat(model) => {
                let mut hint = state.hint.clone();
                hint.overlay(&model);
                let values = values(&self.terms, &params, &hint);
                self.attempt(values)
            }
            _ => Ok(()),
        }
    }

    /// Symbols for the parameters of the innermost function, as far as somebody wants to know them.
    fn params(&self, state: &State) -> Vec<Option<Term>> {
        let body = self.graph.body(state.frame().func);
        let params = body.list(body.blocks[Body::ENTRY].params).iter();
        params.map(|param: &Value| state.frame().leaves.get(param).copied()).collect()
    }

    /// Whether somebody can try values.
    pub(super) fn can_try(&self) -> bool {
        self.concrete.is_some() && self.tried.len() < MOST_TRIED
    }

    fn attempt(&mut self, values: Vec<Option<u64>>) -> Result<(), End> {
        // A run may take long.
        self.go_on()?;
        let Some(concrete) = &mut self.concrete else { return Ok(()) };
        if self.tried.len() >= MOST_TRIED || !self.tried.insert(values.clone()) {
            return Ok(());
        }
        match (concrete.reaches)(&values) {
            true => Err(End::Reached(values)),
            false => Ok(()),
        }
    }

    /// The loops and calls that these terms apply, ready to run.
    fn pieces(&mut self, applied: &[Term]) -> Option<Pieces> {
        let program = self.graph.program;
        let methods = self.concrete.as_ref()?.workshop.methods(program)?;
        let mut known = BTreeMap::new();
        for &term in applied {
            let Node::Apply { function, .. } = self.terms.node(term) else { continue };
            let this = self.applied[&function];
            let mut pieces = methods.lock().unwrap_or_else(PoisonError::into_inner);
            match this.method {
                Method::Function(func) => {
                    let leaves_traces = self.graph.effects[func.0 as usize].is_any(self.graph);
                    pieces.add_function(func, leaves_traces);
                }
                Method::Loop(func, header) => {
                    let shape = self.graph.shape(func);
                    let number = shape.loop_at(header)?;
                    let leaves_traces = shape.effects[number].is_any(self.graph);
                    let around = &shape.loops.loops[number];
                    pieces.add_loop(program, func, around, &shape.given[number], leaves_traces)?;
                }
            }
            known.insert(function, this);
        }
        Some(Pieces { methods, known, gave: BTreeMap::new(), fuel: FUEL })
    }
}

/// The values of a model for these symbols, as far as it has some.
fn values(terms: &Terms, symbols: &[Option<Term>], model: &Model) -> Vec<Option<u64>> {
    let value = |term: Term| match terms.node(term) {
        Node::Symbol(symbol) => model.given(symbol),
        _ => None,
    };
    symbols.iter().map(|symbol| symbol.and_then(value)).collect()
}

/// Functions of terms that are run.
struct Pieces {
    methods: Arc<Mutex<Methods>>,
    known: BTreeMap<Function, Applied>,
    /// What they gave.
    gave: BTreeMap<(Method, Vec<u64>), Option<Vec<u64>>>,
    fuel: u64,
}

impl Functions for Pieces {
    fn apply(&mut self, function: Function, given: &[u64]) -> Option<u64> {
        let Applied { method, output } = *self.known.get(&function)?;
        if let Some(gave) = self.gave.get(&(method, given.to_vec())) {
            return gave.as_ref()?.get(output).copied();
        }
        let all = self.fuel.min(FUEL_OF_ONE);
        let mut fuel = all;
        let gave = match all {
            0 => None,
            _ => self.methods.lock().unwrap_or_else(PoisonError::into_inner).call(method, given, &mut fuel),
        };
        self.fuel -= all - fuel;
        let this = gave.as_ref().and_then(|gave| gave.get(output).copied());
        self.gave.insert((method, given.to_vec()), gave);
        this
    }
}
