//! Functions that somebody named are followed at last, if nothing is found as long as they are unknown: what a simple hash gives is no riddle for solvers, while a
//! strategy has to have seen the value that is wanted. The one that gave the simplest terms comes first. If that was wrong it becomes unknown by itself.

use super::Engine;
use super::promote::{BATCHES, HEAVY_IF_STUCK};
use crate::tree::{Node, State, Tree};
use coax_execute::Error;
use coax_program::Func;
use coax_term::{Term, Terms};
use std::collections::BTreeMap;

impl Engine<'_, '_> {
    /// Follows a function if nothing was covered for long.
    pub(super) fn follow_if_stuck(&mut self) -> Result<(), Error> {
        if self.batches >= self.troubles.stuck_since() + BATCHES {
            // Whether there is one or not: looking takes a run, and is not repeated at once.
            self.troubles.followed(self.batches);
            self.follow_simplest()?;
        }
        Ok(())
    }

    /// Follows functions that somebody named and that have branches which are not covered: nothing else is left to try. Whether there are any.
    pub(super) fn follow_uncovered(&mut self) -> bool {
        let mut named = self.unknown.named();
        named.retain(|&func| self.may_look() && !self.can_be_unknown(func));
        named.iter().for_each(|&func| self.unknown.follows(func));
        !named.is_empty()
    }

    /// Follows the simplest of the functions that are unknown because somebody named them, if there is something that might be found then. Whether there is one.
    pub(super) fn follow_simplest(&mut self) -> Result<bool, Error> {
        let named = self.unknown.named();
        let (false, true, Some(node)) = (named.is_empty(), self.may_look(), self.unknown.waited_last) else {
            return Ok(false);
        };
        let input = self.traces[self.tree.node(node).trace.0 as usize].input.clone();
        let sizes = self.watch(input, |run, calls| {
            let mut sizes: BTreeMap<Func, usize> = BTreeMap::new();
            for call in calls.iter().filter(|call| named.contains(&call.func)) {
                let size = sizes.entry(call.func).or_default();
                *size = (*size).max(call.gave.iter().map(|&term| parts(run.terms(), term)).sum());
            }
            sizes
        })?;
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
}

/// What was said where questions were given up, by place: it stays true of the function that is unknown.
fn given_up(tree: &Tree) -> BTreeMap<u32, String> {
    let said = |node: &Node| match &node.state {
        State::GivenUp(difficulty) if difficulty.wants_samples => Some((node.at, difficulty.said.clone())),
        _ => None,
    };
    tree.nodes().filter_map(said).collect()
}

/// How many parts a term has, as far as that matters here.
fn parts(terms: &Terms, term: Term) -> usize {
    terms.in_post_order(&[term]).take(HEAVY_IF_STUCK).count()
}
