//! Functions are followed at last, if nothing is found as long as they are unknown: what a simple hash gives is no riddle for solvers, while a strategy has to have
//! seen the value that is wanted. The one that gave the simplest terms comes first. Then it is unknown again if nothing is found either, and so on: each turn is much
//! longer than the one before. (One that somebody named becomes unknown by itself as soon as there is trouble.)

use super::Engine;
use super::promote::{BATCHES, HEAVY_IF_STUCK};
use crate::Stop;
use crate::tree::{Node, NodeId, State, Tree};
use coax_execute::{Computed, Error};
use coax_program::Func;
use coax_term::Terms;
use std::collections::BTreeMap;

/// A turn is so many times as long as the one before.
const LONGER: u64 = 8;

impl Engine<'_, '_> {
    /// Where nothing was covered for long, a function that is unknown is followed, and those that had been unknown before are so again.
    pub(super) fn take_turns(&mut self) -> Result<(), Error> {
        let mut unknown = self.unknown.for_a_while();
        unknown.retain(|&func| self.is_turn_over(func));
        let mut followed = self.unknown.followed_at_last();
        followed.retain(|&(func, _)| self.is_turn_over(func));
        self.follow_simplest(&unknown, BATCHES)?;
        for (func, why) in followed {
            if self.may_become_unknown_by_themselves() && self.can_be_unknown(func) && self.is_apart(func) {
                self.unknown.becomes_unknown(func, why);
            }
        }
        Ok(())
    }

    /// Whether nothing was covered for so long, with what is unknown now, that a function may change sides.
    fn is_turn_over(&self, func: Func) -> bool {
        self.batches >= self.troubles.stuck_since().saturating_add(length(self.unknown.turns(func)))
    }

    /// Of two that call each other only one is unknown: in calls that are not followed there are no calls to be seen.
    pub(super) fn is_apart(&self, func: Func) -> bool {
        let within = self.within(func);
        let is_apart = |other: Func| !within.contains(&other) && !self.within(other).contains(&func);
        self.unknown.functions().into_iter().all(is_apart)
    }

    /// Follows the simplest of the functions that are unknown, or if none is simple the first, if there is something left to cover, and for good: nothing else is left to
    /// try. Whether there is one.
    pub(super) fn follow_one_more(&mut self) -> Result<bool, Error> {
        let unknown = self.unknown.functions();
        let mut followed = self.follow_simplest(&unknown, 0)?;
        if followed.is_none() && self.may_look() && self.may_cover_more() {
            followed = unknown.first().copied();
            followed.into_iter().for_each(|func| self.follow_at_last(func));
        }
        followed.into_iter().for_each(|func| self.unknown.has_no_more_turns(func));
        Ok(followed.is_some())
    }

    fn follow_at_last(&mut self, func: Func) {
        self.unknown.follows(func);
        self.given_up_before.extend(given_up(&self.tree));
    }

    /// Follows functions that somebody named and that have branches which are not covered: nothing else is left to try. Whether there are any.
    pub(super) fn follow_uncovered(&mut self) -> bool {
        let mut named = self.unknown.named();
        named.retain(|&func| self.may_look() && !self.can_be_unknown(func));
        named.iter().for_each(|&func| self.unknown.follows(func));
        !named.is_empty()
    }

    /// Follows the simplest of these functions, if there is something that might be found then. Which that is. So many batches pass from one look at what they
    /// give to the next.
    fn follow_simplest(&mut self, candidates: &[Func], pause: u64) -> Result<Option<Func>, Error> {
        let (false, true, Some(waited)) = (candidates.is_empty(), self.may_look(), self.unknown.waited_last)
        else {
            return Ok(None);
        };
        if self.batches >= self.troubles.looked + pause {
            self.look_at_gifts(candidates, waited)?;
        }
        // It must be able to become unknown again.
        let is_simple = |func: Func| {
            let size = self.unknown.size(func).filter(|size| (1..HEAVY_IF_STUCK).contains(size))?;
            self.can_be_unknown(func).then_some((size, func))
        };
        let simplest = candidates.iter().filter_map(|&func| is_simple(func)).min().map(|(_, func)| func);
        if let Some(func) = simplest {
            self.follow_at_last(func);
        }
        Ok(simplest)
    }

    /// Looks how many parts has what these functions give on the way to a decision, if nobody did before they became unknown.
    fn look_at_gifts(&mut self, candidates: &[Func], waited: NodeId) -> Result<(), Error> {
        let mut strange = candidates.to_vec();
        strange.retain(|&func| self.unknown.size(func).is_none());
        if strange.is_empty() {
            return Ok(());
        }
        self.troubles.looked = self.batches;
        let input = self.traces[self.tree.node(waited).trace.0 as usize].input.clone();
        let stop = self.stop;
        let sizes = self.watch(input, |run, calls| -> Vec<(Func, usize)> {
            strange.into_iter().map(|func| (func, size_of_gifts(run.terms(), calls, func, stop))).collect()
        })?;
        // Who gave nothing that depends on the input in this run may do so in another.
        sizes
            .into_iter()
            .filter(|(_, size)| *size > 0)
            .for_each(|(func, size)| self.unknown.gave(func, size));
        Ok(())
    }
}

/// So many batches in which nothing was covered a function stays what it is, if it changed sides so often: each time the tree begins anew.
pub(super) fn length(turns: u32) -> u64 {
    BATCHES.saturating_mul(LONGER.saturating_pow(turns))
}

/// How many parts has what a function gave in one of these calls, as far as that matters here.
pub(super) fn size_of_gifts(terms: &Terms, calls: &[Computed], func: Func, stop: &Stop) -> usize {
    let of_it = calls.iter().filter(|call| call.func == func);
    let mut largest = 0;
    for call in of_it {
        largest = largest.max(terms.count_parts(&call.gave, HEAVY_IF_STUCK));
        if largest == HEAVY_IF_STUCK || stop.reason().is_some() {
            break;
        }
    }
    largest
}

/// What was said where questions were given up, by place: it stays true of the function that is unknown.
fn given_up(tree: &Tree) -> BTreeMap<u32, String> {
    let said = |node: &Node| match &node.state {
        State::GivenUp(difficulty) if difficulty.wants_samples => Some((node.at, difficulty.said.clone())),
        _ => None,
    };
    tree.nodes().filter_map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_become_longer_and_the_last_has_no_end() {
        assert_eq!([0, 1, 2].map(length), [16, 128, 1024]);
        assert_eq!(length(u32::MAX), u64::MAX);
    }
}
