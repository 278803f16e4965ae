//! Functions that compute with vectors become unknown by themselves: vectors have no terms, so all that goes into one is replaced by its value, and behind that
//! nothing depends on the input any more. What comes out of the function does, if calls of it are applications
//! (`docs/decisions/0010-higher-order.md`, instructions).

use super::turns::is_apart;
use super::watch::is_usable;
use super::{can_be_unknown, may_become_unknown_by_themselves};
use crate::findings::WhyUnknown;
use crate::search::Search;
use coax_program::Func;
use std::collections::{BTreeMap, BTreeSet};

/// The functions in which terms went into vectors, each with one of the places: the byte of the module.
#[derive(Default)]
pub(super) struct Vectors(BTreeMap<Func, u32>);

impl Vectors {
    /// In a run, terms went into vectors at these places.
    pub(super) fn were_used(&mut self, places: &BTreeSet<u32>, search: &Search<'_, '_>) {
        for &at in places {
            if let Some(func) = search.subject.program.function_at(at) {
                self.0.entry(func).or_insert(at);
            }
        }
    }

    /// Functions that compute with vectors become unknown, if there is something left to cover that the entry can come to.
    pub(super) fn look_into(&self, search: &mut Search<'_, '_>) {
        if self.0.is_empty() || search.is_covered(&search.calls().reachable(search.roots())) {
            return;
        }
        for (&func, &at) in &self.0 {
            for func in nearest_usable(func, search) {
                let can =
                    search.unknown.may_become(func) && can_be_unknown(func, search) && is_apart(func, search);
                if can && may_become_unknown_by_themselves(search) {
                    search.unknown.becomes_unknown(func, WhyUnknown::Vectors(at));
                }
            }
        }
    }
}

/// The function itself; or, if it is given vectors or gives one, those nearest among its callers that are given numbers and give some.
fn nearest_usable(func: Func, search: &Search<'_, '_>) -> BTreeSet<Func> {
    let (mut usable, mut seen, mut left) = (BTreeSet::new(), BTreeSet::new(), vec![func]);
    while let Some(func) = left.pop() {
        if !seen.insert(func) {
            continue;
        }
        match is_usable(search.subject.program, func) {
            true => {
                usable.insert(func);
            }
            false => left.extend(&search.calls().callers[func]),
        }
    }
    usable
}
