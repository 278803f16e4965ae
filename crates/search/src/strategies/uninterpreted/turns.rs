//! Functions are followed at last, if nothing is found as long as they are unknown: what a simple hash gives is no riddle for solvers, while a strategy has to have
//! seen the value that is wanted. The one that gave the simplest terms comes first. Then it is unknown again if nothing is found either, and so on: each turn is much
//! longer than the one before. (One that somebody named becomes unknown by itself as soon as there is trouble.)

use super::watch::HEAVY_IF_STUCK;
use super::{BATCHES, Due, Uninterpreted, can_be_unknown, may_become_unknown_by_themselves, may_look};
use crate::exploration::{Exploration, Node, State};
use crate::search::Search;
use crate::strategies::proofs::may_cover_more;
use crate::strategy::View;
use crate::task::Look;
use coax_program::Func;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A turn is so many times as long as the one before.
const LONGER: u64 = 8;

impl Uninterpreted {
    /// Where nothing was covered for long, a function that is unknown is followed, and those that had been unknown before are so again.
    pub(super) fn take_turns(&mut self, view: &mut View<'_, '_, '_>) {
        let mut unknown = view.search.unknown.for_a_while();
        unknown.retain(|&func| self.is_turn_over(func, view.search));
        let mut followed = view.search.unknown.followed_at_last();
        followed.retain(|&(func, _)| self.is_turn_over(func, view.search));
        if view.search.batches >= self.looked + BATCHES {
            // Who gave nothing that depends on the input in one run may do so in another.
            self.looked_at.clear();
            self.look_at_sizes(&unknown, view);
        }
        follow_simplest(&unknown, view);
        for (func, why) in followed {
            let search = &mut *view.search;
            if may_become_unknown_by_themselves(search)
                && can_be_unknown(func, search)
                && is_apart(func, search)
            {
                search.unknown.becomes_unknown(func, why);
            }
        }
    }

    /// Whether nothing was covered for so long, with what is unknown now, that a function may change sides.
    fn is_turn_over(&self, func: Func, search: &Search<'_, '_>) -> bool {
        search.batches >= self.stuck_since().saturating_add(length(search.unknown.turns(func)))
    }

    /// Follows the simplest of the functions that are unknown, or if none is simple the first, if there is something left to cover, and for good: nothing else is left to
    /// try. Whether there is one, or may be when it was looked what they give.
    pub(super) fn follow_one_more(&mut self, view: &mut View<'_, '_, '_>) -> bool {
        let unknown = view.search.unknown.functions();
        if self.look_at_sizes(&unknown, view) {
            return true;
        }
        let mut followed = follow_simplest(&unknown, view);
        if followed.is_none() && may_look(view.search) && may_cover_more(view.search) {
            followed = unknown.first().copied();
            followed.into_iter().for_each(|func| follow_at_last(func, view));
        }
        followed.into_iter().for_each(|func| view.search.unknown.has_no_more_turns(func));
        followed.is_some()
    }

    /// Has it looked how many parts has what these functions give on the way to the last question that waited, if nobody did before they became unknown. Who gives nothing
    /// that depends on the input in this run may do so in another.
    fn look_at_sizes(&mut self, candidates: &[Func], view: &mut View<'_, '_, '_>) -> bool {
        let Some(waited) = view.exploration.waited_last().filter(|_| may_look(view.search)) else {
            return false;
        };
        let mut strange = candidates.to_vec();
        strange.retain(|&func| view.search.unknown.size(func).is_none() && !self.looked_at.contains(&func));
        if strange.is_empty() {
            return false;
        }
        self.looked = view.search.batches;
        self.looked_at.extend(&strange);
        self.due.push(Due { input: Arc::new(waited.clone()), look: Look::Sizes(strange) });
        true
    }
}

/// Of two that call each other only one is unknown: in calls that are not followed there are no calls to be seen.
pub(super) fn is_apart(func: Func, search: &Search<'_, '_>) -> bool {
    let within = search.within(func);
    let is_apart = |other: Func| !within.contains(&other) && !search.within(other).contains(&func);
    search.unknown.functions().into_iter().all(is_apart)
}

fn follow_at_last(func: Func, view: &mut View<'_, '_, '_>) {
    view.search.unknown.follows(func);
    view.search.unknown.given_up_before.extend(given_up(view.exploration));
}

/// Follows functions that somebody named and that have branches which are not covered: nothing else is left to try. Whether there are any.
pub(super) fn follow_uncovered(search: &mut Search<'_, '_>) -> bool {
    let mut named = search.unknown.named();
    named.retain(|&func| may_look(search) && !can_be_unknown(func, search));
    named.iter().for_each(|&func| search.unknown.follows(func));
    !named.is_empty()
}

/// Follows the simplest of these functions, as far as it is known what they give, if there is something that might be found then. Which that is.
fn follow_simplest(candidates: &[Func], view: &mut View<'_, '_, '_>) -> Option<Func> {
    if candidates.is_empty() || !may_look(view.search) || view.exploration.waited_last().is_none() {
        return None;
    }
    // It must be able to become unknown again.
    let is_simple = |func: Func| {
        let size = view.search.unknown.size(func).filter(|size| (1..HEAVY_IF_STUCK).contains(size))?;
        can_be_unknown(func, view.search).then_some((size, func))
    };
    let simplest = candidates.iter().filter_map(|&func| is_simple(func)).min().map(|(_, func)| func);
    if let Some(func) = simplest {
        follow_at_last(func, view);
    }
    simplest
}

/// So many batches in which nothing was covered a function stays what it is, if it changed sides so often: each time an exploration begins.
pub(super) fn length(turns: u32) -> u64 {
    BATCHES.saturating_mul(LONGER.saturating_pow(turns))
}

/// What was said where questions were given up, by place: it stays true of the function that is unknown.
fn given_up(exploration: &Exploration) -> BTreeMap<u32, String> {
    let said = |node: &Node| match &node.state {
        State::GivenUp(difficulty) if difficulty.wants_samples => Some((node.at, difficulty.said.clone())),
        _ => None,
    };
    exploration.tree.nodes().filter_map(said).collect()
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
