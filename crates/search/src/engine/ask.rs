//! Which questions are asked next, and with what.

use super::chase::Chase;
use super::{About, Batch, EFFORTS, Engine, LENGTHS, Pending, TraceData};
use crate::choice::Way;
use crate::frontier::{ClassKey, Hope};
use crate::task::{Excluded, Suspects, Task, TraceId};
use crate::tree::{NodeId, State};
use coax_term::Import;
use std::collections::BTreeSet;

/// How many decisions of one path are asked about together: what questions share is worked out once.
const TOGETHER: usize = 24;
/// They are chosen among so many.
const MOST_RANKED: usize = 8192;

impl Engine<'_, '_> {
    /// The next decision to ask about.
    pub(super) fn next_question(&mut self, hard: &mut usize) -> Option<(NodeId, ClassKey, usize)> {
        self.forget_hard_ones_that_are_settled();
        if let Some(&(_, _, level)) = self.hard.front()
            && *hard > 0
            && self.balance.allows_hard(EFFORTS[level])
        {
            return self.hard_question(hard);
        }
        while let Some(node) = self.rich.pop_front() {
            if self.tree.node(node).state == State::Open {
                let key = self.class(node).0;
                self.frontier.pass(key, self.tree.node(node).situation);
                return Some((node, key, 0));
            }
        }
        while let Some((node, key)) = self.frontier.take() {
            if self.tree.node(node).state != State::Open {
                continue;
            }
            let (now, hope) = self.class(node);
            if now != key {
                // What it was for has been covered meanwhile, or is not to be had from it.
                self.add_to_frontier(node, now, hope);
                continue;
            }
            if self.frontier.hope(key).is_some_and(|before| hope > before) {
                // What was hoped for has been covered meanwhile.
                self.frontier.revalue(key, hope);
                self.add_to_frontier(node, key, hope);
                continue;
            }
            return Some((node, key, 0));
        }
        self.hard_question(hard)
    }

    /// Puts an open decision where it can be chosen.
    pub(super) fn add_to_frontier(&mut self, node: NodeId, key: ClassKey, hope: Hope) {
        let situation = self.tree.node(node).situation;
        self.frontier.add(node, key, situation, hope);
    }

    /// Questions that were too hard may have been settled meanwhile: runs have gone all ways, or another was asked.
    fn forget_hard_ones_that_are_settled(&mut self) {
        let is_asked = |state: &State| matches!(state, State::Open | State::GivenUp(_));
        while self.hard.pop_front_if(|(node, ..)| !is_asked(&self.tree.node(*node).state)).is_some() {}
    }

    /// A question that was too hard before, if so many more may be asked.
    fn hard_question(&mut self, left: &mut usize) -> Option<(NodeId, ClassKey, usize)> {
        *left = left.checked_sub(1)?;
        self.hard.pop_front()
    }

    /// Other decisions of the same path that are asked about together with this one: those whose turn comes soonest.
    pub(super) fn companions(&mut self, node: NodeId, key: ClassKey) -> Vec<(NodeId, ClassKey, usize)> {
        let soon = 2 * self.frontier.rank(key) + Hope::Path as u64;
        self.tree.node_mut(node).state = State::Waiting;
        let trace = self.tree.node(node).trace.0 as usize;
        let mut own = std::mem::take(&mut self.traces[trace].own);
        // One that was opened again is here again.
        own.sort_unstable();
        own.dedup();
        own.retain(|&node| self.tree.node(node).state == State::Open);
        let rank = |&node: &NodeId| {
            let key = self.class(node).0;
            (self.frontier.rank(key), key, self.frontier.taken(key, self.tree.node(node).situation), node)
        };
        // Of a path with very many decisions those around this one: to rank all of them for each question takes the square of their number.
        let begin = own.partition_point(|&it| it < node).saturating_sub(MOST_RANKED / 2);
        let near = own.iter().skip(begin).take(MOST_RANKED);
        let mut ranked: Vec<(u64, ClassKey, u64, NodeId)> = near.map(rank).collect();
        self.traces[trace].own = own;
        ranked.retain(|&(rank, ..)| rank <= soon);
        ranked.sort();
        // One of each class: its turn is over then.
        let mut classes = BTreeSet::from([key]);
        ranked.retain(|(_, key, ..)| classes.insert(*key));
        ranked.truncate(TOGETHER - 1);
        for (_, key, _, node) in &ranked {
            self.frontier.pass(*key, self.tree.node(*node).situation);
        }
        ranked.into_iter().map(|(_, key, _, node)| (node, key, 0)).collect()
    }

    /// Has a question asked, if the run that it takes may be made: so many are left.
    pub(super) fn ask(
        &mut self,
        batch: &mut Batch,
        (id, key, level): (NodeId, ClassKey, usize),
        chase: Option<(TraceId, Chase)>,
        left: &mut u64,
    ) {
        let node = self.tree.node(id);
        let (place, seen) = (node.place as usize, node.ways.len());
        if chase.is_none()
            && let Some((_, input)) = self.found_before.remove(&id).filter(|(before, _)| *before == seen)
        {
            self.tree.node_mut(id).state = State::Waiting;
            self.pending.push_back(Pending { origin: Some((id, seen)), ..Pending::new(input) });
            return;
        }
        // Who is to be brought back is asked about itself, not the first that came here.
        let trace = chase.map_or(node.trace, |(trace, _)| trace);
        let Some(slot) = self.bring(batch, trace, left) else {
            self.put_back(id, key, level);
            return;
        };
        self.tree.node_mut(id).state = State::Waiting;
        let excluded = self.excluded(id, slot);
        let effort = EFFORTS[level];
        batch.tasks[slot].push(Task::Ask { trace, place, excluded, effort });
        batch.about[slot].push(About::Ask { node: id, seen, key, level, chase });
    }

    /// The slot where questions about a run can be asked, after it was made again if it was forgotten; none if no run is left for that.
    pub(super) fn bring(&mut self, batch: &mut Batch, trace: TraceId, left: &mut u64) -> Option<usize> {
        let TraceData { slot, input, .. } = &self.traces[trace.0 as usize];
        let slot = *slot;
        let is_it = |task: &Task| matches!(task, Task::Run { trace: it, .. } if *it == trace);
        if self.slots[slot].has(trace) || batch.tasks[slot].iter().any(is_it) {
            return Some(slot);
        }
        let Some(fewer) = left.checked_sub(1) else {
            self.is_cut = true;
            return None;
        };
        *left = fewer;
        let input = Box::new(input.clone());
        batch.tasks[slot].push(Task::Run { trace, input, suspects: Suspects::Unwanted });
        batch.about[slot].push(About::Again);
        Some(slot)
    }

    /// The ways that were seen at a decision, for a question that is asked in this slot.
    fn excluded(&mut self, id: NodeId, slot: usize) -> Excluded {
        let ways = &self.tree.node(id).ways;
        if let Way::Shape(_) = ways[0].0 {
            let tried = self.unknown.steps.get(&id).copied().unwrap_or_default() as usize;
            return Excluded::Shapes { tried };
        }
        let seen: Vec<u64> = ways.iter().filter_map(|(way, _)| way.value()).collect();
        if !seen.is_empty() {
            let is_length = ways[0].0.is_length();
            let wish = LENGTHS.into_iter().find(|length| is_length && !seen.contains(length));
            return Excluded::Values { seen, wishes: wish.into_iter().collect() };
        }
        let mut import = Import::default();
        let known = self.conditions.get(&id).map_or(&[][..], |known| known);
        let terms = self.slots[slot].terms_mut();
        let known = known.iter().map(|&(_, term)| import.apply(terms, &self.shared, term)).collect();
        Excluded::Conditions(known, self.aim(id))
    }
}
