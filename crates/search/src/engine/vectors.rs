//! Functions that compute with vectors become unknown by themselves: vectors have no terms, so all that goes into one is replaced by its value, and behind that
//! nothing depends on the input any more. What comes out of the function does, if calls of it are applications
//! (`docs/decisions/0010-higher-order.md`, instructions).

use super::Engine;
use super::promote::is_usable;
use crate::findings::WhyUnknown;
use coax_execute::Entry;
use coax_program::Func;
use std::collections::{BTreeMap, BTreeSet};

/// The functions in which terms went into vectors, each with one of the places: the byte of the module.
pub(super) type Vectors = BTreeMap<Func, u32>;

impl Engine<'_, '_> {
    /// In a run, terms went into vectors at these places.
    pub(super) fn used_vectors(&mut self, places: &BTreeSet<u32>) {
        for &at in places {
            if let Some(func) = self.subject.program.function_at(at) {
                self.troubles.vectors.entry(func).or_insert(at);
            }
        }
    }

    /// Functions that compute with vectors become unknown, if there is something left to cover that the entry can come to.
    pub(super) fn look_into_vectors(&mut self) {
        if self.troubles.vectors.is_empty() || !self.is_something_left() {
            return;
        }
        for (func, at) in self.troubles.vectors.clone() {
            for func in self.nearest_usable(func) {
                if self.may_become_unknown_by_themselves() && self.can_become_unknown(func) {
                    self.unknown.becomes_unknown(func, WhyUnknown::Vectors(at));
                }
            }
        }
    }

    fn is_something_left(&self) -> bool {
        !self.is_covered(&self.calls().reachable(self.roots()))
    }

    /// Where runs begin.
    pub(super) fn roots(&self) -> Vec<Func> {
        let program = self.subject.program;
        let like = self.traces.first().map(|trace| &trace.input);
        let entry = like.and_then(|like| Entry::find(program, like.entry.as_deref()).ok());
        let all =
            |entry: Entry| entry.roots(program).into_iter().chain([entry.source_function(program)]).collect();
        entry.map(all).unwrap_or_default()
    }

    fn can_become_unknown(&self, func: Func) -> bool {
        self.unknown.may_become(func) && self.can_be_unknown(func) && self.is_apart(func)
    }

    /// The function itself; or, if it is given vectors or gives one, those nearest among its callers that are given numbers and give some.
    fn nearest_usable(&self, func: Func) -> BTreeSet<Func> {
        let (mut usable, mut seen, mut left) = (BTreeSet::new(), BTreeSet::new(), vec![func]);
        while let Some(func) = left.pop() {
            if !seen.insert(func) {
                continue;
            }
            match is_usable(self.subject.program, func) {
                true => {
                    usable.insert(func);
                }
                false => left.extend(&self.calls().callers[func]),
            }
        }
        usable
    }
}
