//! Which functions make decisions hard: those whose results are in conditions, of which the one that was given simple things is the cause.

use super::watch::HEAVY_IF_STUCK;
use crate::Stop;
use crate::findings::WhyUnknown;
use coax_execute::{Computed, Event, EventKind};
use coax_program::Func;
use coax_term::{Node, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Terms with so few nodes are simple.
const SIMPLE: usize = 8;
/// What has so many times fewer parts than what a function gives is little for it, unless it gave that itself before: the length of what is hashed may be where a character was found.
const MUCH_MORE: usize = 4;

/// What was decided.
pub(super) fn decided(event: &Event) -> Term {
    match event.kind {
        EventKind::Concretised { term, .. } => term,
        _ => event.condition,
    }
}

/// Functions that were given simple things, and gave heavy ones that something was decided by, with one of these decisions. The most promising come first: those
/// that depend on nothing but what they were given, then those that [`rank`] says.
pub(super) fn causes(
    terms: &Terms,
    decided: &[(u32, Term)],
    calls: &[Computed],
    heavy: usize,
    (is_own, stop): (&dyn Fn(Func) -> bool, &Stop),
) -> Vec<(Func, WhyUnknown)> {
    let within = parts(terms, decided);
    let is_large = |term: &Term| terms.count_parts(&[*term], heavy + 1) > heavy;
    let is_heavy = |term: &Term| within.contains_key(term) && !is_condition(terms, *term) && is_large(term);
    // Who hands on what it was given moves things, and does not mix them.
    let is_mixed = |term: &Term| is_large(term) || is_condition(terms, *term);
    let mut causes: BTreeMap<Func, (bool, usize, Term)> = BTreeMap::new();
    let mut steps = BTreeSet::new();
    let mut given_back: BTreeMap<Func, BTreeSet<Term>> = BTreeMap::new();
    for (number, call) in calls.iter().enumerate() {
        if stop.reason().is_some() {
            return Vec::new();
        }
        // A step stays one; there may be a hundred thousand calls of it.
        if steps.contains(&call.func) {
            continue;
        }
        let Some(gave) = call.gave.iter().find(|term| is_heavy(term)) else { continue };
        let little = SIMPLE.max(terms.count_parts(&[*gave], MUCH_MORE * HEAVY_IF_STUCK) / MUCH_MORE);
        let before = given_back.entry(call.func).or_default();
        let is_little = |term: &Term| {
            is_simple(terms, *term)
                || !before.contains(term) && terms.count_parts(&[*term], little + 1) <= little
        };
        let is_given_little = call.given.iter().all(is_little);
        before.extend(&call.gave);
        match is_given_little && call.gave.iter().all(is_mixed) {
            true => {
                causes.entry(call.func).or_insert((!call.is_direct, number, *gave));
            }
            // A step of a checksum, which is given what the one before gave; or who copies.
            false => {
                steps.insert(call.func);
            }
        }
    }
    causes.retain(|func, _| !steps.contains(func));
    let mut causes: Vec<(Func, (bool, usize, Term))> = causes.into_iter().collect();
    causes.sort_by_key(|&(func, (is_indirect, number, _))| rank(is_own(func), is_indirect, number));
    let why = |gave: Term| Some(WhyUnknown::TooHard(*within.get(&gave)?));
    causes.into_iter().filter_map(|(func, (.., gave))| Some((func, why(gave)?))).collect()
}

/// Which of the functions that might be unknown come first: the one of a library that the user's code calls, for nobody wants to see inside; of the user's own
/// the innermost, which ended first. Those that depend on nothing but what they were given are preferred.
pub(super) fn rank(is_own: bool, is_indirect: bool, number: usize) -> (bool, bool, usize) {
    (is_indirect, is_own, if is_own { number } else { usize::MAX - number })
}

/// The parts of what was decided, each with a decision that it is part of.
fn parts(terms: &Terms, decided: &[(u32, Term)]) -> BTreeMap<Term, u32> {
    let ats: BTreeMap<Term, u32> = decided.iter().rev().map(|&(at, term)| (term, at)).collect();
    let roots: Vec<Term> = decided.iter().map(|(_, term)| *term).collect();
    let (mut parts, mut of_next) = (BTreeMap::new(), Vec::new());
    for part in terms.in_post_order(&roots) {
        of_next.push(part);
        if let Some(&at) = ats.get(&part) {
            parts.extend(of_next.drain(..).map(|part| (part, at)));
        }
    }
    parts
}

/// Whether a term has few parts.
pub(super) fn is_simple(terms: &Terms, term: Term) -> bool {
    terms.count_parts(&[term], SIMPLE + 1) <= SIMPLE
}

/// Whether a term says only whether something holds: who compares is not what is hard.
pub(super) fn is_condition(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::ZeroExtend { term, .. } | Node::SignExtend { term, .. } => is_condition(terms, term),
        Node::Ite(_, one, other) => terms.as_constant(one).is_some() && terms.as_constant(other).is_some(),
        _ => terms.width_of(term) == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::{Algebra, Binary};

    const HEAVY: usize = 32;

    /// A heavy term of another.
    fn mixed(terms: &mut Terms, mut term: Term) -> Term {
        for round in 0..HEAVY as u64 {
            let odd = terms.constant(32, 2 * round + 3);
            let product = terms.binary(Binary::Mul, term, odd);
            term = terms.binary(Binary::Xor, product, term);
        }
        term
    }

    #[test]
    fn a_hash_is_a_cause_and_its_steps_and_comparisons_are_not() {
        let mut terms = Terms::new();
        let [first, second, wanted] = ["first", "second", "wanted"].map(|name| terms.symbol(name, 32));
        let once = mixed(&mut terms, first);
        let sum = terms.binary(Binary::Add, once, second);
        let twice = mixed(&mut terms, sum);
        let same = terms.binary(Binary::Eq, twice, wanted);
        let (one, zero) = (terms.constant(32, 1), terms.constant(32, 0));
        let answer = terms.ite(same, one, zero);
        let [step, hash, wrapper, is_right, other] = [1, 2, 3, 4, 5].map(Func);
        let call = |func, given: &[Term], is_direct, gave| Computed {
            func,
            given: given.to_vec(),
            is_direct,
            gave: vec![gave],
            gave_numbers: false,
            is_contained: true,
            events: 0..0,
        };
        let calls = [
            call(step, &[first], true, once),
            call(step, &[once, second], true, twice),
            call(wrapper, &[first, second], false, twice),
            call(hash, &[first, second], true, twice),
            call(is_right, &[first, second, wanted], true, answer),
            call(other, &[wanted], true, wanted),
        ];
        let found = causes(&terms, &[(7, wanted), (9, answer)], &calls, HEAVY, (&|_| true, &Stop::default()));
        assert_eq!(found, [hash, wrapper].map(|func| (func, WhyUnknown::TooHard(9))));
        assert_eq!(causes(&terms, &[(7, wanted)], &calls, HEAVY, (&|_| true, &Stop::default())), []);
        let stop = Stop::default();
        stop.now(crate::StopReason::Time);
        let found = causes(&terms, &[(7, wanted), (9, answer)], &calls, HEAVY, (&|_| true, &stop));
        assert_eq!(found, [], "when the time is over nobody looks");
    }
}
