//! Validity: inputs with which conditions hold *for every* function that agrees with what was sampled (Godefroid, PLDI 2011).
//!
//! What is found is a [`Strategy`]: which inputs to choose, and which to set to the value of a term, for which functions may have to be sampled. Every
//! step keeps validity, so nothing is guessed: see `docs/decisions/0010-higher-order.md`.

mod defeat;
mod define;
mod restrict;
mod samples;
mod strategy;

use crate::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Algebra, Binary, Model, Node, Substitution, Symbol, Term, Terms, Unary};
pub use defeat::{Otherwise, defeat};
pub use restrict::Sampled;
use restrict::Which;
pub use samples::{Added, Knowledge, Samples};
pub use strategy::{Strategy, Wanted};

/// How many steps one strategy has at most, and how many questions are asked for one.
const MOST_STEPS: usize = 12;
const MOST_QUESTIONS: usize = 24;
/// One part in so many of the effort is left for what sound concretisation would find.
const SHARE_OF_RUN: u64 = 8;
/// How many ways to go on are looked at for one.
const MOST_STATES: usize = 256;

/// Whether there is a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The conditions can be made to hold, whatever the functions are.
    Valid(Strategy),
    /// No strategy was found; why not. (This is no proof that there is none.)
    NotFound(Reason),
}

/// Looks for a strategy; `layer` answers the questions that are left when no function is unknown any more.
pub fn strategy(
    terms: &mut Terms,
    query: &Query<'_>,
    samples: Knowledge<'_>,
    layer: &mut dyn Layer,
    budget: &mut Budget,
) -> Verdict {
    let mut search = Search { samples, hint: query.hint, layer, questions: 0, states: 0, why: None };
    let mut conditions = Vec::new();
    query.conditions().for_each(|condition| flatten(terms, condition, &mut conditions));
    let state = State { conditions, definitions: Vec::new() };
    let effort = budget.left() - budget.left() / SHARE_OF_RUN;
    let mut part = budget.part(effort);
    let mut found = search.find(terms, state.clone(), MOST_STEPS, &mut part);
    budget.settle(effort, &part);
    if found.is_none() && search.why.is_some() {
        // A question was too hard. There is an easy one: functions are given what the run gave them (Godefroid, theorem 4).
        search.questions = 0;
        let model = search.with_samples(terms, &state.conditions, Which::Run, budget);
        found = model.map(|model| Strategy::new(model, state.definitions));
    }
    match found {
        Some(strategy) => Verdict::Valid(strategy),
        None => Verdict::NotFound(search.why.unwrap_or(Reason::NotFound("the search for a strategy"))),
    }
}

/// What is left to be done, and what was decided.
#[derive(Clone)]
struct State {
    /// They must hold for every function.
    conditions: Vec<Term>,
    /// What inputs are set to: each may depend on inputs that are set by later ones.
    definitions: Vec<(Symbol, Term)>,
}

struct Search<'a> {
    samples: Knowledge<'a>,
    hint: &'a Model,
    layer: &'a mut dyn Layer,
    questions: usize,
    states: usize,
    /// Why a question was not answered, if one was not.
    why: Option<Reason>,
}

impl Search<'_> {
    /// A strategy from here on, in so many steps.
    fn find(
        &mut self,
        terms: &mut Terms,
        state: State,
        steps: usize,
        budget: &mut Budget,
    ) -> Option<Strategy> {
        self.states += 1;
        if self.states > MOST_STATES || budget.spend(1).is_err() {
            return None;
        }
        if state.conditions.iter().any(|&condition| is_constant(terms, condition, 0)) {
            return None;
        }
        // What the program itself gives its functions is more likely to lead somewhere than what was tried.
        let has_own = self.has_own(terms, &state.conditions);
        for which in [Which::Own, Which::All].into_iter().skip(usize::from(!has_own)) {
            if let Some(model) = self.with_samples(terms, &state.conditions, which, budget) {
                return Some(Strategy::new(model, state.definitions));
            }
        }
        if steps == 0 || budget.is_over() {
            return None;
        }
        // What comes last on the path was never true before: it needs help first.
        for number in (0..state.conditions.len()).rev() {
            if !terms.has_application(&[state.conditions[number]]) {
                continue;
            }
            for way in define::ways(terms, state.conditions[number]) {
                let next = state.define(terms, number, way);
                if let Some(found) = self.find(terms, next, steps - 1, budget) {
                    return Some(found);
                }
                if self.questions >= MOST_QUESTIONS {
                    return None;
                }
            }
        }
        self.unified(terms, &state, steps, budget)
    }

    /// A strategy that makes two applications of a function the same.
    fn unified(
        &mut self,
        terms: &mut Terms,
        state: &State,
        steps: usize,
        budget: &mut Budget,
    ) -> Option<Strategy> {
        let applications: Vec<Term> = terms.post_order(&state.conditions);
        let is_application = |&term: &Term| matches!(terms.node(term), Node::Apply { .. });
        let applications: Vec<Term> = applications.into_iter().filter(is_application).collect();
        for (number, &one) in applications.iter().enumerate() {
            for &other in &applications[number + 1..] {
                let Some(equal) = equal_arguments(terms, one, other) else { continue };
                if self.questions >= MOST_QUESTIONS {
                    return None;
                }
                let mut same = Substitution::default();
                same.put(other, one);
                let mut next = State { conditions: Vec::new(), definitions: state.definitions.clone() };
                for condition in equal.into_iter().chain(state.conditions.iter().copied()) {
                    let condition = same.apply(terms, condition, &mut |_| None);
                    flatten(terms, condition, &mut next.conditions);
                }
                if let Some(found) = self.find(terms, next, steps - 1, budget) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Whether the program itself calls one of the functions in these conditions.
    fn has_own(&self, terms: &Terms, conditions: &[Term]) -> bool {
        terms.in_post_order(conditions).any(|term| match terms.node(term) {
            Node::Apply { function, .. } => self.samples.own(terms.function_name(function)).next().is_some(),
            _ => false,
        })
    }

    /// Values with which the conditions hold if every application in them is one that was sampled.
    fn with_samples(
        &mut self,
        terms: &mut Terms,
        conditions: &[Term],
        which: Which,
        budget: &mut Budget,
    ) -> Option<Model> {
        let (question, stand_ins) = self.samples.restrict(terms, conditions, self.hint, which)?;
        if self.questions >= MOST_QUESTIONS {
            return None;
        }
        self.questions += 1;
        let goal = terms.constant(1, 1);
        let query = Query { assumptions: &question, goal, hint: self.hint };
        match self.layer.solve(terms, &query, budget) {
            Answer::Sat(model) => {
                Some(model.iter().filter(|(symbol, _)| !stand_ins.contains(symbol)).collect())
            }
            Answer::Unsat(_) => None,
            Answer::Unknown(reason) => {
                self.why = Some(reason);
                None
            }
        }
    }
}

impl State {
    /// Sets inputs so that one of the conditions holds.
    fn define(&self, terms: &mut Terms, number: usize, way: define::Defined) -> State {
        let mut definitions = self.definitions.clone();
        let set = way.definitions.clone();
        definitions.extend(way.definitions);
        let mut substitution = Substitution::default();
        let mut conditions = Vec::new();
        let others = self.conditions.iter().enumerate().filter(|(other, _)| *other != number);
        let left: Vec<Term> = others.map(|(_, &condition)| condition).chain(way.conditions).collect();
        for condition in left {
            let value = |symbol: Symbol| set.iter().find(|(it, _)| *it == symbol).map(|(_, value)| *value);
            let condition = substitution.apply(terms, condition, &mut { value });
            flatten(terms, condition, &mut conditions);
        }
        State { conditions, definitions }
    }
}

/// The conditions that must hold for this one to hold; those that always do are left out.
fn flatten(terms: &mut Terms, condition: Term, into: &mut Vec<Term>) {
    let mut left = vec![condition];
    while let Some(condition) = left.pop() {
        match terms.node(condition) {
            Node::Const { bits: 1, .. } => {}
            Node::Binary(Binary::And, a, b) => left.extend([b, a]),
            Node::Unary(Unary::Not, inner) => match terms.node(inner) {
                Node::Binary(Binary::Or, a, b) => {
                    let (a, b) = (terms.not(a), terms.not(b));
                    left.extend([b, a]);
                }
                _ => into.push(condition),
            },
            _ => into.push(condition),
        }
    }
}

fn is_constant(terms: &Terms, term: Term, value: u64) -> bool {
    matches!(terms.node(term), Node::Const { bits, .. } if bits == value)
}

/// The conditions that two applications are of the same function and arguments; none if they cannot be.
fn equal_arguments(terms: &mut Terms, one: Term, other: Term) -> Option<Vec<Term>> {
    let (Node::Apply { function, arguments }, Node::Apply { function: theirs, arguments: others }) =
        (terms.node(one), terms.node(other))
    else {
        return None;
    };
    let (mine, others) = (terms.arguments(arguments).to_vec(), terms.arguments(others).to_vec());
    if function != theirs || mine.len() != others.len() {
        return None;
    }
    let equal: Vec<Term> =
        mine.into_iter().zip(others).map(|(a, b)| terms.binary(Binary::Eq, a, b)).collect();
    equal.iter().all(|&equal| !is_constant(terms, equal, 0)).then_some(equal)
}

#[cfg(test)]
mod tests;
