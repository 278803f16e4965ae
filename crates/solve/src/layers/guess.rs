//! Values that are likely: those of earlier answers, and those of the hint with a few of them changed.
//!
//! A change is found by wishing a value for a condition and handing the wish down through the operators to symbols
//! (`invert.rs`), as Niemetz, Preiner and Biere (2016) do for local search: a compared constant so gets to the bytes that it
//! is compared with. If other conditions then fail, they are wished for in turn, a few times. Where operators cannot be inverted, as in a
//! hash, many values are as good as any: some are tried at random. Nothing is proved here.

use super::invert::Inverter;
use crate::random::Random;
use crate::{Answer, Budget, Layer, Query};
use coax_term::{Evaluator, Identity, Model, Node, Symbol, Term, Terms, mask};
use std::collections::VecDeque;
use std::time::Duration;

/// How many earlier answers are tried.
const RECENT: usize = 8;
/// In how many ways the goal is wished for.
const WAYS: u32 = 12;
/// How many conditions that fail after that are wished for.
const REPAIRS: u32 = 6;
/// How many random changes of the hint are tried.
const SAMPLES: usize = 64;
/// How many terms are evaluated in a unit of effort.
const TERMS_PER_EFFORT: u64 = 100;

/// The layer.
pub struct Guess {
    next: Box<dyn Layer>,
    identity: Option<Identity>,
    recent: VecDeque<Model>,
    evaluator: Evaluator,
    inverter: Inverter,
}

impl Guess {
    /// Hands on what was not guessed.
    pub fn new(next: Box<dyn Layer>) -> Guess {
        Guess {
            next,
            identity: None,
            recent: VecDeque::new(),
            evaluator: Evaluator::new(),
            inverter: Inverter::default(),
        }
    }

    /// The first condition that does not hold, the goal before others.
    fn failing(&mut self, terms: &Terms, query: &Query<'_>, model: &Model) -> Option<Term> {
        self.evaluator.reset();
        let mut fails = |&condition: &Term| self.evaluator.eval(terms, model, condition) == 0;
        Some(query.goal).filter(&mut fails).or_else(|| query.assumptions.iter().copied().find(fails))
    }

    fn guess(&mut self, terms: &Terms, query: &Query<'_>, budget: &mut Budget) -> Option<Model> {
        // A look at all conditions takes about as long each time: whoever has less time left does not begin another.
        let left = budget.time_left();
        if self.failing(terms, query, query.hint).is_none() {
            return Some(query.hint.clone());
        }
        let look =
            left.zip(budget.time_left()).map_or(Duration::ZERO, |(before, now)| before.saturating_sub(now));
        let is_late = |budget: &Budget| budget.time_left().is_some_and(|left| left <= look);
        for number in 0..self.recent.len() {
            if is_late(budget) {
                return None;
            }
            let model = std::mem::take(&mut self.recent[number]);
            let holds = self.failing(terms, query, &model).is_none();
            self.recent[number] = model;
            if holds {
                return Some(self.recent[number].clone());
            }
        }
        for way in 0..WAYS {
            if budget.spend(5 + query.assumptions.len() as u64 / 8).is_err() {
                return None;
            }
            let mut model = query.hint.clone();
            let mut wish = query.goal;
            let mut ways = way;
            for _ in 0..REPAIRS {
                if budget.left() == 0 || is_late(budget) {
                    return None;
                }
                let Some(edited) = self.inverter.edit(terms, &model, wish, &mut ways) else { break };
                model = edited;
                match self.failing(terms, query, &model) {
                    None => return Some(model),
                    Some(next) => wish = next,
                }
            }
            if ways > 0 && wish == query.goal {
                // There are no more ways to make the goal hold.
                break;
            }
        }
        self.sample(terms, query, budget, is_late)
    }

    /// The hint with a few symbols of the goal changed at random: half of them to values that others of the goal have, which are often
    /// of the kind that the program wants, letters for instance.
    fn sample(
        &mut self,
        terms: &Terms,
        query: &Query<'_>,
        budget: &mut Budget,
        is_late: impl Fn(&Budget) -> bool,
    ) -> Option<Model> {
        if is_late(budget) {
            return None;
        }
        let mut parts = terms.post_order(&[query.goal]);
        budget.spend((SAMPLES * parts.len()) as u64 / TERMS_PER_EFFORT).ok()?;
        let symbols: Vec<Symbol> = parts
            .drain(..)
            .filter_map(|term| match terms.node(term) {
                Node::Symbol(symbol) => Some(symbol),
                _ => None,
            })
            .collect();
        let mut random = Random::new(terms.hash(query.goal));
        for _ in 0..SAMPLES {
            if is_late(budget) {
                return None;
            }
            let mut model = query.hint.clone();
            for _ in 0..=random.below(2) {
                let symbol = random.pick(&symbols)?;
                let value = match random.one_in(2) {
                    true => query.hint.get(random.pick(&symbols)?),
                    false => random.next(),
                };
                model.set(symbol, value & mask(terms.symbol_width(symbol)));
            }
            if self.failing(terms, query, &model).is_none() {
                return Some(model);
            }
        }
        None
    }
}

impl Layer for Guess {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        if self.identity.replace(terms.identity()) != Some(terms.identity()) {
            self.recent.clear();
        }
        if let Some(model) = self.guess(terms, query, budget) {
            return Answer::Sat(model);
        }
        let answer = self.next.solve(terms, query, budget);
        if let Answer::Sat(model) = &answer {
            self.recent.truncate(RECENT - 1);
            self.recent.push_front(super::check::completed(query.hint, model.clone()));
        }
        answer
    }
}
