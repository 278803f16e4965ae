//! Where both directions meet: a run comes to a point from which ways lead to the goal, and what these demand there becomes a question about the run's input.
//!
//! ```text
//! Demands ──┐
//! input ── run by the reference interpreter, which has a term for every value ── at each point: demands over the input ── solvers ──▶ another input
//! ```
//!
//! The question is: what comes the same way up to that point, and satisfies what is demanded there? Whether it gets to the goal, a run of it tells.

use super::demand::{Demand, Demands};
use super::memory::Load;
use crate::texts::{with_room, without_room};
use coax_execute::reference::Moment;
use coax_execute::{Input, Jit, Limits, ReferenceRun, Symbols, Witness, length_conditions, witnessed_run};
use coax_program::ir::Block;
use coax_program::{Func, Program};
use coax_solve::{Answer, Budget, Layer, Query, Stack, StackOptions};
use coax_term::{Import, Model, Substitution, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many steps a run has.
const STEPS: u64 = 5_000_000;
/// So often a demand is looked at where it may be satisfied, and so many looks there are in all.
const MOST_QUESTIONS_EACH: u32 = 8;
const MOST_LOOKS: u32 = 20_000;
/// So many inputs are tried.
const MOST_TRIES: u32 = 16;
/// What one question costs at most.
const EFFORT: u64 = 20_000;
/// How often it is asked, with less that is assumed each time.
const ROUNDS: u32 = 3;

/// What is needed to run a program with terms.
pub struct Meeting<'a> {
    /// The program.
    pub program: &'a Arc<Program>,
    /// What of inputs are symbols.
    pub symbols: Symbols,
    /// What a run may use.
    pub limits: &'a Limits,
    /// What solvers may spend. It becomes less.
    pub effort: u64,
    /// Ends it.
    pub stop: &'a Arc<AtomicBool>,
}

impl Meeting<'_> {
    /// Has a run of an input meet what is demanded for some goals. Inputs that satisfy it are tried, until one gets to a goal or there were too many.
    pub fn meet(&mut self, demands: &Demands, input: &Input, gets_there: &mut dyn FnMut(Input) -> bool) {
        let input = with_room(input.clone(), self.symbols.longest);
        let mut meeter = Meeter::new(demands);
        let limits = (STEPS, self.stop);
        let run = witnessed_run(self.program, &input, self.symbols, self.limits, limits, &mut meeter);
        let Ok(run) = run else { return };
        let mut questions = meeter.questions;
        questions.sort_by_key(|question| question.far);
        self.ask(&input, run, &questions, gets_there);
    }

    fn ask(
        &mut self,
        input: &Input,
        run: ReferenceRun,
        questions: &[Question],
        gets_there: &mut dyn FnMut(Input) -> bool,
    ) {
        let (mut requests, io_calls) = (run.asked.requests.clone(), run.asked.io_calls);
        // A run that was ended has not asked for everything.
        requests.extend(input.values.iter().skip(requests.len()).cloned());
        let mut tries = 0;
        let (mut terms, path, hint) = run.into_parts();
        let mut stack = Stack::new(StackOptions { compiler: Some(Jit::boxed), ..StackOptions::default() });
        for question in questions {
            if self.effort == 0 || tries == MOST_TRIES || self.stop.load(Ordering::Relaxed) {
                return;
            }
            let Some((&goal, others)) = question.conditions.split_last() else { continue };
            let before = path.events[..question.events].iter().filter(|event| event.constrains());
            let mut conditions: Vec<Term> = before.map(|event| event.condition).collect();
            conditions.extend(others);
            conditions.push(goal);
            let mut assumptions = length_conditions(&mut terms, input, &conditions, self.symbols.longest);
            conditions.pop();
            assumptions.append(&mut conditions);
            let Some(model) = self.solve(&mut stack, &mut terms, assumptions, goal, &hint) else { continue };
            let value = |name: &str| terms.find_symbol(name).and_then(|symbol| model.given(symbol));
            let other = input.with_values(&requests, io_calls, &value);
            tries += 1;
            if gets_there(without_room(&other)) {
                return;
            }
        }
    }

    /// Values with which a goal holds, and what is assumed. If that is impossible, what contradicts it is given up: the way was decided about there, and a run that
    /// goes another one may still come by.
    fn solve(
        &mut self,
        stack: &mut Stack,
        terms: &mut Terms,
        mut assumptions: Vec<Term>,
        goal: Term,
        hint: &Model,
    ) -> Option<Model> {
        for _ in 0..ROUNDS {
            let effort = EFFORT.min(self.effort);
            let mut budget = Budget::effort(effort).until(Arc::clone(self.stop));
            let query = Query { assumptions: &assumptions, goal, hint };
            let answer = stack.solve(terms, &query, &mut budget);
            self.effort -= effort - budget.left();
            match answer {
                Answer::Sat(model) => return Some(model),
                Answer::Unsat(core) if !core.is_empty() && self.effort > 0 => {
                    let core: BTreeSet<Term> = core.into_iter().collect();
                    assumptions.retain(|assumption| !core.contains(assumption));
                }
                _ => return None,
            }
        }
        None
    }
}

/// A question about the input of a run.
struct Question {
    /// How many events of the path come before.
    events: usize,
    conditions: Vec<Term>,
    far: u32,
}

/// Looks at a run for points at which something is demanded.
struct Meeter<'d> {
    demands: &'d Demands,
    met: Vec<Met<'d>>,
    /// Which of them are in each block.
    at: BTreeMap<(Func, Block), Vec<usize>>,
    looks: u32,
    questions: Vec<Question>,
    known: BTreeSet<Vec<Term>>,
}

/// A demand that a run may meet.
struct Met<'d> {
    demand: &'d Demand,
    imported: Imported,
    /// How many questions it has become.
    questions: u32,
}

/// What a demand says, in the terms of a run.
struct Imported {
    conditions: Vec<Term>,
    values: Vec<Term>,
    globals: Vec<Term>,
    /// Addresses, and what is there.
    loads: Vec<(Term, Term)>,
}

impl Imported {
    fn new(terms: &mut Terms, from: &Terms, import: &mut Import, demand: &Demand) -> Imported {
        let mut import = |term: Term| import.apply(terms, from, term);
        Imported {
            conditions: demand.conditions.iter().map(|&term| import(term)).collect(),
            values: demand.values.iter().map(|&(_, term)| import(term)).collect(),
            globals: demand.globals.iter().map(|&(_, term)| import(term)).collect(),
            loads: demand.loads.iter().map(|load| (import(load.address), import(load.bits))).collect(),
        }
    }

    /// What is demanded of the input at a moment of the run; none if that is impossible, or nothing.
    fn over_input(&self, demand: &Demand, moment: &mut Moment<'_>) -> Option<Vec<Term>> {
        let mut known = Substitution::default();
        for (&(value, _), &symbol) in demand.values.iter().zip(&self.values) {
            if let Some(term) = moment.value(value) {
                known.put(symbol, term);
            }
        }
        for (&(global, _), &symbol) in demand.globals.iter().zip(&self.globals) {
            if let Some(term) = moment.global(global) {
                known.put(symbol, term);
            }
        }
        for (&Load { bytes, .. }, &(address, bits)) in demand.loads.iter().zip(&self.loads) {
            let address = known.apply(moment.terms(), address, &mut |_| None);
            if let Some(term) = moment.read(address, bytes) {
                known.put(bits, term);
            }
        }
        let mut conditions = Vec::new();
        for &condition in &self.conditions {
            let condition = known.apply(moment.terms(), condition, &mut |_| None);
            match moment.terms().as_constant(condition) {
                Some(0) => return None,
                Some(_) => {}
                None => conditions.push(condition),
            }
        }
        (!conditions.is_empty()).then_some(conditions)
    }
}

impl<'d> Meeter<'d> {
    fn new(demands: &'d Demands) -> Self {
        Meeter {
            demands,
            met: Vec::new(),
            at: BTreeMap::new(),
            looks: 0,
            questions: Vec::new(),
            known: BTreeSet::new(),
        }
    }
}

impl Witness for Meeter<'_> {
    fn begin(&mut self, terms: &mut Terms) {
        let Demands { terms: from, all, .. } = self.demands;
        let mut import = Import::default();
        for demand in all {
            self.at.entry((demand.func, demand.block)).or_default().push(self.met.len());
            let imported = Imported::new(terms, from, &mut import, demand);
            self.met.push(Met { demand, imported, questions: 0 });
        }
    }

    fn watches(&self, func: Func, block: Block) -> bool {
        self.at.contains_key(&(func, block))
    }

    fn passing(&mut self, moment: &mut Moment<'_>) -> bool {
        let (func, block, before) = moment.place();
        for &number in self.at.get(&(func, block)).map_or(&[][..], Vec::as_slice) {
            let Met { demand, imported, questions } = &mut self.met[number];
            if demand.before != before || *questions >= MOST_QUESTIONS_EACH {
                continue;
            }
            self.looks += 1;
            if let Some(conditions) = imported.over_input(demand, moment)
                && self.known.insert(conditions.clone())
            {
                *questions += 1;
                self.questions.push(Question { events: moment.events(), conditions, far: demand.far });
            }
        }
        self.looks < MOST_LOOKS
    }
}
