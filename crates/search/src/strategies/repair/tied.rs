//! Branches that could not go another way any more, because a term that they depend on had been replaced by its value.
//!
//! A length is part of an address, so it becomes a number; much later the program asks whether it is four. The branch cannot be asked about: nothing is
//! left to decide. But it says which value would be worth having. That value is asked for where the term was replaced, and the run is
//! brought back to the branch, where it left the way there ([`super`]).

use crate::choice::Way;
use crate::engine::SLOTS;
use crate::engine::compose::Composer;
use crate::exploration::{Intent, NodeId, Then};
use crate::strategy::View;
use crate::task::{Excluded, Ran, Tied, TraceId};
use std::collections::{BTreeMap, VecDeque};

/// So often a branch that is tied is asked about whenever a run comes there; then ever more rarely.
const ALWAYS: u32 = 16;
/// No more wait to be asked about than are asked about in so many batches.
const MOST_DUE: usize = 64 * SLOTS;

/// What is known of such branches.
#[derive(Default)]
pub(super) struct TiedBranches {
    /// How many runs came to each, with the way that they went: as many entries as the program has branches and ways, at most.
    seen: BTreeMap<(u32, u32), u32>,
    due: VecDeque<Due>,
}

impl TiedBranches {
    /// A run came to a branch. If there are too many, that which has waited longest is not asked about: its run is the most likely to be forgotten by now,
    /// and while the branch is not covered other runs come to it.
    fn note(&mut self, at: u32, direction: u32, due: Due) {
        if !self.is_turn(at, direction) {
            return;
        }
        if self.due.len() >= MOST_DUE {
            self.due.pop_front();
        }
        self.due.push_back(due);
    }

    /// Whether it is to be asked about once more.
    fn is_turn(&mut self, at: u32, direction: u32) -> bool {
        let seen = self.seen.entry((at, direction)).or_default();
        *seen = seen.saturating_add(1);
        *seen <= ALWAYS || seen.is_power_of_two()
    }
}

/// A branch that is to be asked about.
struct Due {
    /// The run, the place of the decision that was the replacing, and the branch's number.
    trace: TraceId,
    by: usize,
    number: usize,
    intent: Intent,
}

impl TiedBranches {
    /// A run has come to branches that are tied to values; those that nobody has seen go all ways are asked about.
    pub(super) fn saw(&mut self, view: &View<'_, '_, '_>, trace: TraceId, ran: &Ran) {
        let wanted = ran.tied.iter().enumerate().filter(|(_, tied)| view.search.has_uncovered(tied.at));
        let wanted: Vec<(usize, Tied)> = wanted.map(|(number, tied)| (number, *tied)).collect();
        if wanted.is_empty() {
            return;
        }
        let tree = &view.exploration.tree;
        let nodes = tree.nodes_of(&ran.choices);
        for (number, Tied { at, direction, by, place }) in wanted {
            // The value is one of the decisions before the branch.
            let Some(&last) = nodes.get(place - 1) else { continue };
            let way = |way: &(Way, Option<NodeId>)| way.0 == ran.choices[place - 1].way;
            let Some(way) = tree.node(last).ways.iter().position(way) else { continue };
            let intent = Intent::new(last, Then::ThisWay(way));
            self.note(at, direction, Due { trace, by, number, intent });
        }
    }

    /// Asks for values with which branches go another way. Runs with the same values may have been seen: they need not have come to the branch.
    pub(super) fn propose(&mut self, view: &View<'_, '_, '_>, batch: &mut Composer<'_, '_>) {
        for _ in 0..batch.slots() {
            let Some(Due { trace, by, number, intent }) = self.due.pop_front() else { break };
            batch.ask_for(view.exploration, (trace, by, Excluded::Tied { number }), intent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;
    use crate::exploration::{RunOf, Tree};

    fn due(trace: u32) -> Due {
        let choice = Choice { at: 1, way: Way::Branch(0), next: None, round: 0, question: 0 };
        let run = RunOf {
            trace: TraceId(trace),
            choices: &[choice],
            transitions: &[],
            origin: None,
            is_news: false,
        };
        let inserted = Tree::default().insert(run, 1, &|_| Some(2));
        let intent = Intent::new(inserted.new[0], Then::ThisWay(0));
        Due { trace: TraceId(trace), by: 0, number: 0, intent }
    }

    #[test]
    fn a_branch_is_asked_about_ever_more_rarely() {
        let mut tied = TiedBranches::default();
        (0..100).for_each(|trace| tied.note(7, 0, due(trace)));
        let asked: Vec<u32> = tied.due.iter().map(|due| due.trace.0 + 1).collect();
        assert_eq!(asked[..16], (1..=16).collect::<Vec<u32>>());
        assert_eq!(asked[16..], [32, 64]);
    }

    #[test]
    fn where_too_many_wait_the_newest_do() {
        let mut tied = TiedBranches::default();
        let all = MOST_DUE as u32 + 5;
        (0..all).for_each(|number| tied.note(number, 0, due(number)));
        assert_eq!((tied.due.len(), tied.due[0].trace.0), (MOST_DUE, 5));
    }
}
