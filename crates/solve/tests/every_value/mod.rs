//! A layer that tries all values: slow, but its answers need no trust.

#![allow(dead_code, reason = "each test uses a part of this")]

use coax_solve::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Model, Node, Term, Terms, mask};

/// Tries all values of symbols, and of functions at what they are applied to.
pub struct EveryValue;

impl Layer for EveryValue {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, _: &mut Budget) -> Answer {
        let mut conditions: Vec<Term> = query.conditions().collect();
        match try_all(terms, &conditions) {
            None => Answer::Unknown(Reason::Budget("trying every value")),
            Some(Some(model)) => Answer::Sat(model),
            Some(None) => {
                conditions.reverse();
                for &assumption in query.assumptions {
                    let fewer: Vec<Term> = conditions.iter().copied().filter(|&c| c != assumption).collect();
                    if !fewer.is_empty() && try_all(terms, &fewer) == Some(None) {
                        conditions = fewer;
                    }
                }
                Answer::Unsat(query.assumptions.iter().copied().filter(|a| conditions.contains(a)).collect())
            }
        }
    }
}

/// A model, if there is one; none if there are too many to try.
pub fn try_all(terms: &Terms, conditions: &[Term]) -> Option<Option<Model>> {
    let is_unknown = |&term: &Term| matches!(terms.node(term), Node::Symbol(_) | Node::Apply { .. });
    let unknowns: Vec<Term> = terms.post_order(conditions).into_iter().filter(is_unknown).collect();
    let bits: u32 = unknowns.iter().map(|&term| u32::from(terms.width_of(term))).sum();
    if bits > 16 {
        return None;
    }
    Some((0..1u64 << bits).find_map(|mut number| {
        let mut model = Model::new();
        for &term in &unknowns {
            let value = number & mask(terms.width_of(term));
            number >>= terms.width_of(term);
            match terms.node(term) {
                Node::Symbol(symbol) => model.set(symbol, value),
                Node::Apply { function, arguments } => {
                    let arguments = terms.arguments(arguments);
                    let at: Vec<u64> = arguments.iter().map(|&a| terms.eval(a, &model)).collect();
                    model.set_at(function, &at, value);
                }
                _ => unreachable!(),
            }
        }
        conditions.iter().all(|&condition| terms.eval(condition, &model) == 1).then_some(model)
    }))
}
