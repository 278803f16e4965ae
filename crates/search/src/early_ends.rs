//! Early ends that runs came to, and how far they are to be passed ([`crate::slot`]'s climbs).

use crate::choice::Choice;
use crate::exploration::{Exploration, Node, NodeId};
use crate::guards::Guards;
use crate::search::Search;
use crate::task::{Climb, Done, TraceId};
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
pub(crate) struct Ends {
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
    pub(crate) wanted: Arc<BTreeSet<(u32, u32)>>,
}

impl Ends {
    /// Whether an early end is one that runs are to pass.
    pub(crate) fn is_to_pass(&self, node: &Node, guards: &Guards) -> bool {
        let in_vain = self.in_vain.get(&node.at).copied().unwrap_or_default();
        self.is_more_wanted
            && in_vain < OFTEN_ENOUGH
            && node.ways.iter().all(|(way, _)| guards.is_end(node.at, *way))
    }
}

impl Search<'_, '_> {
    /// A run is over, of which the exploration does not know yet.
    pub(crate) fn came_to_end(
        &mut self,
        exploration: &mut Exploration,
        (trace, origin): (TraceId, Option<NodeId>),
        choices: &[Choice],
        is_news: bool,
    ) {
        let guards = &self.guards;
        let is_early = guards.ended_at(choices).is_some();
        let is_further = choices.len() > self.ends.longest;
        self.ends.longest = self.ends.longest.max(choices.len());
        self.ends.is_any_early |= is_early;
        self.ends.is_any_complete |= !is_early;
        // Whether runs that came there could only end behind it, as far as ways were seen.
        let passed = origin.map(|origin| exploration.tree.node(origin));
        let passed = passed.filter(|node| node.ways.iter().any(|(way, _)| guards.is_end(node.at, *way)));
        let passed = passed.map(|node| (node.at, exploration.runs.get(node.trace).early_ends));
        let before = passed.map_or(0, |(_, before)| before);
        exploration.runs.get_mut(trace).early_ends = if is_early { before + 1 } else { 0 };
        let Some((at, _)) = passed else { return };
        let in_vain = self.ends.in_vain.entry(at).or_default();
        *in_vain = if is_news || is_further || !is_early { 0 } else { *in_vain + 1 };
    }

    /// Looks at what is not covered, before the questions of a batch are chosen.
    pub(crate) fn look_behind_ends(&mut self) {
        if !self.ends.is_any_early {
            return;
        }
        if self.ends.callable.is_none() {
            let callable = self.calls().reachable(self.roots());
            let in_scope = callable.into_iter().filter(|func| self.subject.is_in_scope(*func));
            self.ends.callable = Some(in_scope.collect());
        }
        let coverage = &self.suite.achieved.coverage;
        let mut callable = self.ends.callable.iter().flatten();
        self.ends.is_more_wanted = !self.is_all_covered()
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

    /// How far an answer about a decision of a run is to be followed: if the run ended there, and was itself to pass such an end. So many runs are left.
    pub(crate) fn climb(
        &self,
        exploration: &Exploration,
        (id, trace): (NodeId, TraceId),
        left: &mut u64,
    ) -> Option<Climb> {
        let is_in_row = exploration.runs.get(trace).early_ends >= IN_ROW;
        let is_to_pass = || self.ends.is_to_pass(exploration.tree.node(id), &self.guards);
        if !is_in_row || self.unknown.is_any() || !is_to_pass() {
            return None;
        }
        let most = u64::from(MOST).min(*left);
        *left -= most;
        Some(Climb { most: most as u32, is_limited: most < u64::from(MOST) })
    }
}

/// Whether the limit of runs has ended a climb: a search that may make more would go on otherwise.
pub(crate) fn was_cut(done: &[Vec<Done>]) -> bool {
    done.iter().flatten().any(|done| matches!(done, Done::Found(_, how) if how.is_cut))
}
