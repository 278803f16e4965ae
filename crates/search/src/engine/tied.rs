//! Branches that could not go another way any more, because a term that they depend on had been replaced by its value.
//!
//! A length is part of an address, so it becomes a number; much later the program asks whether it is four. The branch cannot be asked about: nothing is
//! left to decide. But it says which value would be worth having. That value is asked for where the term was replaced, and the run is
//! brought back to the branch, where it left the way there ([`super::chase`]).

use super::chase::Chase;
use super::{Batch, Engine, SLOTS};
use crate::choice::{Choice, Way};
use crate::task::{Excluded, Tied, TraceId};
use crate::tree::NodeId;
use std::collections::{BTreeMap, VecDeque};

/// So often a branch that is tied is asked about whenever a run comes there; then ever more rarely.
const ALWAYS: u32 = 16;

/// What is known of such branches.
#[derive(Default)]
pub(super) struct TiedBranches {
    /// How many runs came to each, with the way that they went.
    seen: BTreeMap<(u32, u32), u32>,
    due: VecDeque<Due>,
}

impl TiedBranches {
    /// The runs that came to them do not count any more.
    pub(super) fn clear(&mut self) {
        self.due.clear();
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
    chase: Chase,
}

impl Engine<'_, '_> {
    /// A run has come to branches that are tied to values; those that nobody has seen go all ways are asked about.
    pub(super) fn note_tied(&mut self, trace: TraceId, choices: &[Choice], tied: &[Tied]) {
        let is_wanted = |it: &&(usize, &Tied)| self.has_uncovered(it.1.at);
        let wanted: Vec<(usize, &Tied)> = tied.iter().enumerate().collect();
        let wanted: Vec<(usize, Tied)> =
            wanted.iter().filter(is_wanted).map(|&(number, tied)| (number, *tied)).collect();
        if wanted.is_empty() {
            return;
        }
        let nodes = self.tree.nodes_of(choices);
        for (number, Tied { at, direction, by, place }) in wanted {
            // The value is one of the decisions before the branch.
            let Some(&last) = nodes.get(place - 1) else { continue };
            let way = |way: &(Way, Option<NodeId>)| way.0 == choices[place - 1].way;
            let Some(way) = self.tree.node(last).ways.iter().position(way) else { continue };
            if self.tied.is_turn(at, direction) {
                self.tied.due.push_back(Due { trace, by, number, chase: Chase::to(last, way) });
            }
        }
    }

    /// Asks for values with which branches go another way. Runs with the same values may have been seen: they need not have come to the branch.
    pub(super) fn ask_about_tied(&mut self, batch: &mut Batch, left: &mut u64) {
        for _ in 0..SLOTS {
            let Some(Due { trace, by, number, chase }) = self.tied.due.pop_front() else { break };
            self.ask_for_chase(batch, (trace, by, Excluded::Tied { number }), chase, left);
        }
    }
}
