//! Functions become unknown by themselves in which something is lost: a number took the place of what depends on the input, for an address could be too many, or
//! a decision was too hard. What such a function was given is followed, what it gives is not, or only with that decision.

use super::causes::{is_condition, is_simple, rank};
use crate::Stop;
use crate::findings::WhyUnknown;
use coax_execute::{Computed, Concretisation, Event, EventKind};
use coax_program::Func;
use coax_term::Terms;
use std::collections::{BTreeMap, BTreeSet};

/// What happened at a place with which there was trouble.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loss {
    /// An address was replaced by its value.
    Address,
    /// A way was decided.
    Decision,
}

/// The functions that were given simple things and lost something at this place, the most promising first.
pub(super) fn around(
    terms: &Terms,
    events: &[Event],
    at: u32,
    calls: &[Computed],
    (is_own, stop): (&dyn Fn(Func) -> bool, &Stop),
) -> Vec<(Func, WhyUnknown)> {
    let of_kind = |wanted: Loss| -> Vec<usize> {
        let there = events.iter().enumerate().filter(|(_, event)| event.at == at);
        there.filter(|(_, event)| loss(event) == Some(wanted)).map(|(number, _)| number).collect()
    };
    // In order: runs may have a hundred thousand calls, and as many losses.
    let losses = [Loss::Address, Loss::Decision].map(|loss| (loss, of_kind(loss)));
    let has_addresses = losses.iter().any(|(loss, numbers)| *loss == Loss::Address && !numbers.is_empty());
    let (mut found, mut steps) = (BTreeMap::new(), BTreeSet::new());
    let mut followed: BTreeMap<Func, usize> = BTreeMap::new();
    for (number, call) in calls.iter().enumerate() {
        if stop.reason().is_some() {
            return Vec::new();
        }
        if steps.contains(&call.func) {
            continue;
        }
        let is_within = |(_, numbers): &&(Loss, Vec<usize>)| {
            let next = numbers.partition_point(|&number| number < call.events.start);
            numbers.get(next).is_some_and(|number| call.events.contains(number))
        };
        let within: Vec<Loss> = losses.iter().filter(is_within).map(|(loss, _)| *loss).collect();
        if !within.iter().any(|&loss| is_lost(terms, call, loss)) {
            if within.is_empty() && has_addresses && call.gave.iter().any(|&term| !is_condition(terms, term))
            {
                let most = followed.entry(call.func).or_default();
                *most = call.given.len().max(*most);
            }
            continue;
        }
        match call.is_contained && call.given.iter().all(|term| is_simple(terms, *term)) {
            true => {
                found.entry(call.func).or_insert((!call.is_direct, number, call.given.len()));
            }
            // A step of something that is given what the step before gave; or one that changes what others see: an allocator.
            false => {
                steps.insert(call.func);
            }
        }
    }
    // Who is followed without loss elsewhere, though it is given as much but for an address, would give less if it were unknown: a number of some bytes, for instance.
    let is_followed =
        |func: &Func, given: usize| followed.get(func).is_some_and(|&elsewhere| elsewhere + 1 >= given);
    let mut found: Vec<(Func, (bool, usize, usize))> = found.into_iter().collect();
    found.retain(|(func, (.., given))| !steps.contains(func) && !is_followed(func, *given));
    found.sort_by_key(|&(func, (is_indirect, number, _))| rank(is_own(func), is_indirect, number));
    found.into_iter().map(|(func, _)| (func, WhyUnknown::Within(at))).collect()
}

fn loss(event: &Event) -> Option<Loss> {
    match event.kind {
        EventKind::Concretised { reason: Concretisation::Address, .. } => Some(Loss::Address),
        EventKind::Branch { .. } | EventKind::Trap { .. } => Some(Loss::Decision),
        _ => None,
    }
}

/// Whether a call is the poorer for a loss. Who hands on what it was given moves things, and who gives numbers where a decision is too hard says how that came out.
fn is_lost(terms: &Terms, call: &Computed, loss: Loss) -> bool {
    let is_computed = || call.gave.iter().any(|&term| !is_condition(terms, term));
    let is_poorer = match loss {
        Loss::Address => call.gave_numbers || is_computed(),
        Loss::Decision => is_computed(),
    };
    is_poorer && !call.gave.iter().any(|term| call.given.contains(term))
}
