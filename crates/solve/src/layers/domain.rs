//! Questions about bytes, answered by trying all values.
//!
//! Most conditions of a program that reads bytes are about one of them, or a few. A condition about one byte is a set of values,
//! its column. For the bytes of the goal all combinations of values are kept that the columns, and the assumptions about just
//! these bytes, leave. If none makes the goal hold, nothing does. If some do, one may fit all other assumptions too; if not, the bytes of
//! these are taken in, as long as there are few combinations. What is left is somebody else's question.

mod lanes;
mod state;
mod supports;
mod values;

use super::check::completed;
use crate::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Evaluator, Identity, Model, Symbol, Term, Terms};
use lanes::Lanes;
use state::{Region, State};
use std::collections::{BTreeMap, VecDeque};
use supports::{MOST_SYMBOLS, Supports};
use values::Values;

/// With more values of columns than this, 32 MB, those of single bytes are made anew …
const MOST_VALUES_OF_BYTES: usize = 4_000_000;
/// … and with more than this, 8 MB, those of the combinations that one list of assumptions leaves.
const MOST_VALUES_OF_STATE: usize = 1_000_000;
/// How many sets of assumptions are kept: those of the parts of an input that a program reads at the same time.
const MOST_STATES: usize = 16;
/// How many combinations are tried on the assumptions that are about other bytes too.
const MOST_TRIES: usize = 12;
/// How many values are computed in a unit of effort.
const VALUES_PER_EFFORT: usize = 400;

/// The layer.
pub struct Domain {
    next: Box<dyn Layer>,
    identity: Option<Identity>,
    supports: Supports,
    /// The values of each byte that make a condition about it hold.
    columns: BTreeMap<Term, Values>,
    /// All values of a byte.
    bytes: BTreeMap<Symbol, Lanes>,
    /// The latest first.
    states: VecDeque<State>,
    /// How many values the columns of `bytes` have been made of.
    kept: usize,
    evaluator: Evaluator,
}

/// What a condition is about.
enum Kind {
    /// Nothing: it always holds, or never.
    Constant(bool),
    /// One byte.
    Column(Symbol, Values),
    /// A few bytes.
    Few(Box<[Symbol]>),
    /// Many, or something else.
    Many,
}

impl Domain {
    /// Hands on what is not about few values.
    pub fn new(next: Box<dyn Layer>) -> Domain {
        Domain {
            next,
            identity: None,
            supports: Supports::default(),
            columns: BTreeMap::new(),
            bytes: BTreeMap::new(),
            states: VecDeque::new(),
            kept: 0,
            evaluator: Evaluator::new(),
        }
    }

    fn kind(&mut self, terms: &Terms, condition: Term, budget: &Budget) -> Kind {
        if let Some(bits) = terms.as_constant(condition) {
            return Kind::Constant(bits != 0);
        }
        match self.supports.of(terms, condition, budget) {
            None => Kind::Many,
            Some(&[symbol]) => Kind::Column(symbol, self.column(terms, condition, symbol)),
            Some(symbols) => Kind::Few(symbols.into()),
        }
    }

    fn column(&mut self, terms: &Terms, condition: Term, symbol: Symbol) -> Values {
        if let Some(&values) = self.columns.get(&condition) {
            return values;
        }
        let all = Values::of_width(terms.symbol_width(symbol));
        let lanes = self
            .bytes
            .entry(symbol)
            .or_insert_with(|| Lanes::new(&[(symbol, all)]).expect("a byte has few values"));
        let (holding, computed) = lanes.holding(terms, condition);
        self.kept += computed;
        let values = holding.into_iter().map(u64::from).collect();
        self.columns.insert(condition, values);
        values
    }

    /// What the assumptions leave, made from what a part of them leaves if that is known.
    fn state(&mut self, terms: &Terms, assumptions: &[Term], budget: &Budget) -> State {
        let is_part = |state: &State| assumptions.starts_with(&state.assumptions);
        let known = (0..self.states.len()).filter(|&state| is_part(&self.states[state]));
        let longest = known.max_by_key(|&state| self.states[state].assumptions.len());
        let mut state = longest.and_then(|state| self.states.remove(state)).unwrap_or_default();
        for &assumption in &assumptions[state.assumptions.len()..] {
            if budget.is_late() {
                break;
            }
            self.assume(terms, &mut state, assumption, budget);
        }
        state
    }

    fn assume(&mut self, terms: &Terms, state: &mut State, assumption: Term, budget: &Budget) {
        state.assumptions.push(assumption);
        match self.kind(terms, assumption, budget) {
            Kind::Constant(true) => {}
            Kind::Constant(false) => state.contradiction = Some(vec![assumption]),
            Kind::Column(symbol, values) => {
                let left = state.domain(terms, symbol).and(&values);
                state.domains.insert(symbol, left);
                for Region { lanes, .. } in
                    state.regions.values_mut().filter(|region| region.lanes.has(symbol))
                {
                    let alive = lanes.holding(terms, assumption).0;
                    lanes.keep(alive);
                }
                if left.is_empty() && state.contradiction.is_none() {
                    let all = Values::of_width(terms.symbol_width(symbol));
                    state.contradiction =
                        Some(self.column_core(terms, &state.assumptions, symbol, all, budget));
                }
            }
            Kind::Few(symbols) => state.few.push((assumption, symbols)),
            Kind::Many => state.is_open = true,
        }
    }

    /// The answer, if it is found by few values.
    fn answer(
        &mut self,
        terms: &Terms,
        state: &mut State,
        query: &Query<'_>,
        budget: &mut Budget,
    ) -> Option<Answer> {
        if let Some(core) = &state.contradiction {
            return Some(Answer::Unsat(core.clone()));
        }
        let mut symbols: Box<[Symbol]> = match self.kind(terms, query.goal, budget) {
            Kind::Constant(false) => return Some(Answer::Unsat(Vec::new())),
            Kind::Constant(true) => [].into(),
            Kind::Column(symbol, values) => {
                if state.domain(terms, symbol).and(&values).is_empty() {
                    let core = self.column_core(terms, query.assumptions, symbol, values, budget);
                    return Some(Answer::Unsat(core));
                }
                [symbol].into()
            }
            Kind::Few(symbols) => symbols,
            Kind::Many => return None,
        };
        loop {
            let lanes = state.region(terms, &symbols, budget)?;
            let (holding, computed) = lanes.holding(terms, query.goal);
            budget.spend((computed / VALUES_PER_EFFORT) as u64).ok()?;
            if holding.is_empty() {
                return Some(Answer::Unsat(self.core(terms, state, &symbols, budget)));
            }
            if let Some(model) = self.fitting(terms, state, query, &symbols, holding) {
                return Some(Answer::Sat(model));
            }
            let wider = state.wider(&symbols);
            if wider.len() == symbols.len() || wider.len() > MOST_SYMBOLS {
                return None;
            }
            symbols = wider;
        }
    }

    /// One of the combinations of a region that fits the other assumptions, too: with the fewest values that differ from
    /// the hint's.
    fn fitting(
        &mut self,
        terms: &Terms,
        state: &State,
        query: &Query<'_>,
        symbols: &[Symbol],
        mut holding: Vec<u32>,
    ) -> Option<Model> {
        let lanes = &state.regions.get(symbols)?.lanes;
        let changes = |&lane: &u32| {
            lanes.values(lane).filter(|&(symbol, value)| query.hint.get(symbol) != value).count()
        };
        holding.sort_by_key(changes);
        let column = |(&symbol, values): (&Symbol, &Values)| (symbol, values.choose(query.hint.get(symbol)));
        let found = |lane| state.domains.iter().map(column).chain(lanes.values(lane)).collect::<Model>();
        // If all that is left are columns, nothing else can go wrong.
        let is_inside = |about: &[Symbol]| about.iter().all(|symbol| symbols.contains(symbol));
        if !state.is_open && state.few.iter().all(|few| is_inside(&few.1)) {
            return holding.first().map(|&lane| found(lane));
        }
        for lane in holding.into_iter().take(MOST_TRIES) {
            let model = completed(query.hint, found(lane));
            self.evaluator.reset();
            let mut holds = |&condition: &Term| self.evaluator.eval(terms, &model, condition) != 0;
            if query.assumptions.iter().rev().all(&mut holds) {
                return Some(model);
            }
        }
        None
    }

    /// The assumptions about just these symbols.
    fn core(&mut self, terms: &Terms, state: &State, symbols: &[Symbol], budget: &Budget) -> Vec<Term> {
        let is_inside = |about: Option<&[Symbol]>| {
            about.is_some_and(|about| about.iter().all(|symbol| symbols.contains(symbol)))
        };
        let supports = &mut self.supports;
        let assumptions = state.assumptions.iter().copied();
        assumptions.filter(|&condition| is_inside(supports.of(terms, condition, budget))).collect()
    }

    /// Few assumptions about one symbol that leave none of the wanted values: the latest first, as they are nearest to the goal,
    /// and only those that leave fewer values.
    fn column_core(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        symbol: Symbol,
        wanted: Values,
        budget: &Budget,
    ) -> Vec<Term> {
        let mut left = wanted;
        let mut core = Vec::new();
        for &condition in assumptions.iter().rev() {
            if let Kind::Column(about, values) = self.kind(terms, condition, budget)
                && about == symbol
                && left.and(&values) != left
            {
                left = left.and(&values);
                core.push(condition);
                if left.is_empty() {
                    break;
                }
            }
        }
        core
    }
}

impl Layer for Domain {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        if self.identity.replace(terms.identity()) != Some(terms.identity()) {
            self.columns.clear();
            self.bytes.clear();
            self.kept = 0;
            self.states.clear();
        }
        let mut state = self.state(terms, query.assumptions, budget);
        let answer = self.answer(terms, &mut state, query, budget);
        if budget.is_late() {
            // What a term is about may not have been seen to the end.
            return Answer::Unknown(Reason::Budget("trying all values"));
        }
        if self.kept > MOST_VALUES_OF_BYTES {
            self.bytes.clear();
            self.kept = 0;
        }
        if state.regions.values().map(|region| region.lanes.size()).sum::<usize>() > MOST_VALUES_OF_STATE {
            state.regions.clear();
        }
        self.states.truncate(MOST_STATES - 1);
        self.states.push_front(state);
        answer.unwrap_or_else(|| self.next.solve(terms, query, budget))
    }
}
