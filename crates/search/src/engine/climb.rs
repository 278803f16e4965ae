//! Runs that ended early, and who is asked to go on from there ([`crate::slot`]'s climbs).

use super::Engine;
use crate::choice::Choice;
use crate::task::{Climb, Done, TraceId};
use crate::tree::NodeId;
use coax_program::Func;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many runs a climb may make: who stops on the way is asked again from there.
const MOST: u32 = 64;
/// Of so many early ends in a row, the last is climbed from: one is passed without.
const IN_ROW: u32 = 2;
/// So often a climb from an early end leads to nothing new before no more is hoped for than another path.
const OFTEN_ENOUGH: u32 = 32;

/// What is known of early ends.
#[derive(Default)]
pub(super) struct Ends {
    /// The functions in scope that can be called, once they are known.
    callable: Option<Vec<Func>>,
    /// Whether a run has ended early, and whether one has come to its end otherwise.
    is_any_early: bool,
    is_any_complete: bool,
    /// How many decisions the longest path has.
    longest: usize,
    /// How often climbs from a branch came no further than others before, and covered nothing.
    in_vain: BTreeMap<u32, u32>,
    /// Whether something is not covered that may be behind an early end.
    is_more_wanted: bool,
    /// The sides that only end the program and are not covered.
    wanted: Arc<BTreeSet<(u32, u32)>>,
}

impl Engine<'_, '_> {
    /// A run is over.
    pub(super) fn came_to_end(
        &mut self,
        trace: TraceId,
        origin: Option<NodeId>,
        choices: &[Choice],
        is_news: bool,
    ) {
        let is_early = self.guards.ended_at(choices).is_some();
        let is_further = choices.len() > self.ends.longest;
        self.ends.longest = self.ends.longest.max(choices.len());
        self.ends.is_any_early |= is_early;
        self.ends.is_any_complete |= !is_early;
        let passed = origin.filter(|origin| self.ended_here(*origin));
        let before = passed.map_or(0, |origin| {
            let asked = self.tree.node(origin).trace;
            self.traces[asked.0 as usize].early_ends
        });
        self.traces[trace.0 as usize].early_ends = if is_early { before + 1 } else { 0 };
        let Some(origin) = passed else { return };
        let in_vain = self.ends.in_vain.entry(self.tree.node(origin).at).or_default();
        *in_vain = if is_news || is_further || !is_early { 0 } else { *in_vain + 1 };
    }

    /// Looks at what is not covered, before the questions of a batch are chosen.
    pub(super) fn look_behind_ends(&mut self) {
        if !self.ends.is_any_early {
            return;
        }
        if self.ends.callable.is_none() {
            let callable = self.calls().reachable(self.roots());
            let in_scope = callable.into_iter().filter(|func| self.subject.is_in_scope(*func));
            self.ends.callable = Some(in_scope.collect());
        }
        let coverage = &self.suite.coverage;
        let mut callable = self.ends.callable.iter().flatten();
        self.ends.is_more_wanted = self.progress.covered < self.progress.total
            || !self.subject.targets.is_empty()
            || !self.ends.is_any_complete
            || callable.any(|func| !coverage.entered(*func));
        let program = self.subject.program;
        let is_wanted = |&(at, direction): &(u32, u32)| {
            let site = program.site_at(at).filter(|_| self.subject.is_own(at));
            site.is_some_and(|site| !coverage.directions(site)[direction as usize])
        };
        self.ends.wanted = Arc::new(self.guards.all().filter(is_wanted).collect());
    }

    /// Whether runs that came to a decision could only end behind it, as far as ways were seen.
    fn ended_here(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        node.ways.iter().any(|(way, _)| self.guards.is_end(node.at, *way))
    }

    /// Whether an early end is one that runs are to pass.
    pub(super) fn is_to_pass(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let in_vain = self.ends.in_vain.get(&node.at).copied().unwrap_or_default();
        self.ends.is_more_wanted
            && in_vain < OFTEN_ENOUGH
            && node.ways.iter().all(|(way, _)| self.guards.is_end(node.at, *way))
    }

    /// How far an answer about a decision of a run is to be followed: if the run ended there, and was itself to pass such an end.
    pub(super) fn climb(&self, id: NodeId, trace: TraceId, left: &mut u64) -> Option<Climb> {
        let is_in_row = self.traces[trace.0 as usize].early_ends >= IN_ROW;
        if !is_in_row || self.unknown.is_any() || !self.is_to_pass(id) {
            return None;
        }
        let most = u64::from(MOST).min(*left);
        *left -= most;
        let wanted = Arc::clone(&self.ends.wanted);
        Some(Climb { most: most as u32, is_limited: most < u64::from(MOST), wanted })
    }

    /// Whether the limit of runs has ended a climb: a search that may make more would go on otherwise.
    pub(super) fn was_cut(done: &[Vec<Done>]) -> bool {
        done.iter().flatten().any(|done| matches!(done, Done::Found(_, how) if how.is_cut))
    }
}
