//! Proofs for branches that no run has covered: a backward search for each, one after the other, beside everything else.

use super::{About, Batch, Engine, SLOTS};
use crate::Subject;
use crate::backward::{Goal, Graph};
use crate::slot::Prover;
use crate::task::{Task, Thoroughness};
use coax_execute::{Coverage, Entry};
use coax_program::ir::Terminator;
use coax_program::{Func, Program, Site};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Batches before the first proof: most of what can be covered easily is covered by then.
const BATCHES_BEFORE: u64 = 4;
/// Proofs for each slot in a batch, and in one that has nothing else to do.
const FEW: usize = 1;
const MANY: usize = 16;

/// A direction of a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    pub(super) site: Site,
    pub(super) direction: u32,
    goal: Goal,
    thoroughness: Thoroughness,
}

/// What is to be proved, and what was.
pub(super) struct Proofs {
    left: VecDeque<Direction>,
    /// Those for which it was tried in vain, but quickly.
    hard: VecDeque<Direction>,
    /// With the branches whose conditions contradict each other.
    proved: BTreeMap<(Site, u32), Vec<u32>>,
}

impl Proofs {
    /// All branches of functions that are called, from these, and in scope.
    fn new(program: &Program, roots: &[Func], in_scope: impl Fn(Func) -> bool) -> Proofs {
        // Functions that nothing calls need no proof, and who does not know where programs begin has none.
        let callable = program.calls().reachable(roots.iter().copied());
        let mut left = VecDeque::new();
        for &func in callable.iter().filter(|func| in_scope(**func)) {
            left.extend(directions(program, func));
        }
        Proofs { left, hard: VecDeque::new(), proved: BTreeMap::new() }
    }

    /// The next direction that is not covered; a hard one, if that is allowed, when there are no others.
    fn next(&mut self, coverage: &Coverage, allows_hard: impl FnOnce() -> bool) -> Option<Direction> {
        let is_uncovered = |it: &Direction| !coverage.directions(it.site)[it.direction as usize];
        if let Some(next) = std::iter::from_fn(|| self.left.pop_front()).find(is_uncovered) {
            return Some(next);
        }
        while self.hard.pop_front_if(|it| !is_uncovered(it)).is_some() {}
        if self.hard.is_empty() || !allows_hard() { None } else { self.hard.pop_front() }
    }

    /// How many proofs are wrong, for runs have taken the directions.
    pub(super) fn contradicted_by(&self, coverage: &Coverage) -> u64 {
        let is_taken = |(site, direction): &&(Site, u32)| coverage.directions(*site)[*direction as usize];
        self.proved.keys().filter(is_taken).count() as u64
    }

    /// Why nothing takes it, if that is proved.
    pub(super) fn of(&self, site: Site, direction: u32) -> Option<Vec<u32>> {
        self.proved.get(&(site, direction)).cloned()
    }
}

/// The directions of a function's branches.
fn directions(program: &Program, func: Func) -> Vec<Direction> {
    let mut found = Vec::new();
    let Some(defined) = program.functions[func].defined() else { return found };
    for (block, data) in defined.body.blocks.iter() {
        let is_decision = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
        let Some(site) = program.end_site(data).filter(|_| is_decision) else { continue };
        let thoroughness = Thoroughness::Quick;
        let goal = |direction| {
            let goal = Goal::Direction(func, block, direction);
            Direction { site, direction, goal, thoroughness }
        };
        found.extend((0..program.sites[site].kind.directions()).map(goal));
    }
    found
}

impl Engine<'_, '_> {
    /// Adds proofs to a batch; many, if it has nothing else.
    pub(super) fn add_proofs(&mut self, batch: &mut Batch) {
        let is_alone = batch.tasks.iter().all(|tasks| tasks.is_empty());
        // If all paths are explored, all is proved.
        let is_needed =
            if is_alone { !self.is_exact || !self.tree.is_settled() } else { self.batches >= BATCHES_BEFORE };
        if !is_needed || !self.options.proofs {
            return;
        }
        if self.proofs.is_none() {
            self.begin_proofs();
        }
        let Some(proofs) = &mut self.proofs else { return };
        for _ in 0..if is_alone { MANY } else { FEW } {
            for slot in 0..SLOTS {
                let effort = Thoroughness::Thorough.total_effort();
                let allows_hard = || is_alone || self.balance.allows_proof(effort);
                let Some(next) = proofs.next(&self.suite.coverage, allows_hard) else { return };
                batch.tasks[slot].push(Task::Prove(next.goal, next.thoroughness));
                batch.about[slot].push(About::Prove(next));
            }
        }
    }

    /// Looks at the program from behind: many searches are over before that is needed.
    fn begin_proofs(&mut self) {
        let Subject { program, .. } = self.subject;
        let like = self.traces.first().map(|trace| &trace.input);
        let entry = like.and_then(|like| Entry::find(program, like.entry.as_deref()).ok());
        let roots = entry.map(|entry| entry.roots(program)).unwrap_or_default();
        self.proofs = Some(Proofs::new(program, &roots, |func| self.subject.is_in_scope(func)));
        let prover = Prover { graph: Arc::new(Graph::new(program, &roots)) };
        self.slots.iter_mut().for_each(|slot| slot.set_prover(prover.clone()));
    }

    /// Whether a branch that can be come to is not covered, and nothing proves that it cannot be.
    pub(super) fn may_cover_more(&self) -> bool {
        let (program, coverage) = (self.subject.program, &self.suite.coverage);
        let is_proved = |it: &Direction| {
            self.proofs.as_ref().is_some_and(|proofs| proofs.proved.contains_key(&(it.site, it.direction)))
        };
        let is_open = |it: Direction| !coverage.directions(it.site)[it.direction as usize] && !is_proved(&it);
        let callable = self.calls().reachable(self.roots());
        let mut in_scope = callable.into_iter().filter(|func| self.subject.is_in_scope(*func));
        in_scope.any(|func| directions(program, func).into_iter().any(is_open))
    }

    /// Nothing takes a direction.
    pub(super) fn learn_proof(&mut self, direction: Direction, at: Vec<u32>) {
        let proofs = self.proofs.as_mut().expect("it was asked for");
        proofs.proved.insert((direction.site, direction.direction), at);
    }

    /// A proof that was not found quickly.
    pub(super) fn try_harder_to_prove(&mut self, direction: Direction) {
        let hard = Direction { thoroughness: Thoroughness::Thorough, ..direction };
        self.proofs.as_mut().expect("it was asked for").hard.push_back(hard);
    }

    /// A proof that was not tried for lack of time.
    pub(super) fn put_back_proof(&mut self, direction: Direction) {
        let proofs = self.proofs.as_mut().expect("it was asked for");
        match direction.thoroughness {
            Thoroughness::Quick => proofs.left.push_back(direction),
            Thoroughness::Thorough => proofs.hard.push_back(direction),
        }
    }
}
