//! Functions are followed at last, if nothing is found as long as they are unknown: what a simple hash gives is no riddle for solvers, while a strategy has to have
//! seen the value that is wanted. The one that gave the simplest terms comes first. If that was wrong it becomes unknown by itself; and if that was in vain, too, it
//! is followed again. Each turn is twice as long as the one before.

use super::Engine;
use super::promote::{BATCHES, HEAVY_IF_STUCK};
use crate::tree::{Node, State, Tree};
use coax_execute::{Computed, Error};
use coax_program::Func;
use coax_term::Terms;
use std::collections::BTreeMap;

impl Engine<'_, '_> {
    /// Follows a function if nothing was covered for long.
    pub(super) fn follow_if_stuck(&mut self) -> Result<(), Error> {
        let mut candidates = self.unknown.functions();
        candidates.retain(|&func| self.is_turn_over(func));
        if !candidates.is_empty() {
            // Whether there is one or not: looking takes a run, and is not repeated at once.
            self.troubles.followed(self.batches);
            self.follow_simplest(&candidates)?;
        }
        Ok(())
    }

    /// Whether nothing was covered for so long that a function may be followed again, or be unknown again.
    pub(super) fn is_turn_over(&self, func: Func) -> bool {
        let turn = BATCHES.saturating_mul(1 << self.unknown.times_in_vain(func).min(32));
        self.batches >= self.troubles.stuck_since() + turn
    }

    /// Follows the simplest function of those that were unknown all the time: nothing else is left to try. Whether there is one.
    pub(super) fn follow_one_more(&mut self) -> Result<bool, Error> {
        let mut candidates = self.unknown.functions();
        candidates.retain(|&func| self.unknown.times_in_vain(func) == 0);
        self.follow_simplest(&candidates)
    }

    /// Follows functions that somebody named and that have branches which are not covered: nothing else is left to try. Whether there are any.
    pub(super) fn follow_uncovered(&mut self) -> bool {
        let mut named = self.unknown.named();
        named.retain(|&func| self.may_look() && !self.can_be_unknown(func));
        named.iter().for_each(|&func| self.unknown.follows(func));
        !named.is_empty()
    }

    /// Follows the simplest of these functions, if there is something that might be found then. Whether there is one.
    fn follow_simplest(&mut self, candidates: &[Func]) -> Result<bool, Error> {
        if candidates.is_empty() || !self.may_look() {
            return Ok(false);
        }
        let mut sizes = self.sizes_of_named(candidates)?;
        sizes.extend(candidates.iter().filter_map(|&func| Some((func, self.unknown.size(func)?))));
        // It must be able to become unknown again.
        let is_simple =
            |&(func, size): &(Func, usize)| (1..HEAVY_IF_STUCK).contains(&size) && self.can_be_unknown(func);
        let simplest = sizes.into_iter().filter(is_simple);
        let Some((func, _)) = simplest.min_by_key(|&(func, size)| (size, func)) else { return Ok(false) };
        self.unknown.follows(func);
        self.given_up_before.extend(given_up(&self.tree));
        self.troubles.followed(self.batches);
        Ok(true)
    }

    /// How many parts what these functions give has, as far as nobody looked before they became unknown.
    fn sizes_of_named(&mut self, candidates: &[Func]) -> Result<BTreeMap<Func, usize>, Error> {
        let mut named = candidates.to_vec();
        named.retain(|&func| self.unknown.size(func).is_none());
        let (false, Some(node)) = (named.is_empty(), self.unknown.waited_last) else {
            return Ok(BTreeMap::new());
        };
        let input = self.traces[self.tree.node(node).trace.0 as usize].input.clone();
        self.watch(input, |run, calls| {
            let sizes = named.iter().map(|&func| (func, size_of_gifts(run.terms(), calls, func)));
            sizes.collect()
        })
    }
}

/// How many parts has what a function gave in one of these calls, as far as that matters here.
pub(super) fn size_of_gifts(terms: &Terms, calls: &[Computed], func: Func) -> usize {
    let of_it = calls.iter().filter(|call| call.func == func);
    let sizes = of_it.map(|call| terms.in_post_order(&call.gave).take(HEAVY_IF_STUCK).count());
    sizes.max().unwrap_or_default()
}

/// What was said where questions were given up, by place: it stays true of the function that is unknown.
fn given_up(tree: &Tree) -> BTreeMap<u32, String> {
    let said = |node: &Node| match &node.state {
        State::GivenUp(difficulty) if difficulty.wants_samples => Some((node.at, difficulty.said.clone())),
        _ => None,
    };
    tree.nodes().filter_map(said).collect()
}
