//! Proofs for branches that no run has covered: a backward search for each, one after the other, beside everything else.

use super::{About, Batch, Engine, SLOTS};
use crate::backward::{Goal, Graph};
use crate::task::Task;
use coax_execute::{Coverage, Entry, Input};
use coax_program::calls::CallGraph;
use coax_program::ir::Terminator;
use coax_program::{Func, Program, Site};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Batches before the first proof: most of what can be covered easily is covered by then.
const BATCHES_BEFORE: u64 = 8;
/// Proofs for each slot in a batch, and in one that has nothing else to do.
const FEW: usize = 1;
const MANY: usize = 16;

/// A direction of a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    pub(super) site: Site,
    pub(super) direction: u32,
    goal: Goal,
}

/// What is to be proved, and what was.
pub(super) struct Proofs<'p> {
    pub(super) graph: Arc<Graph<'p>>,
    /// The functions that are called from outside.
    pub(super) roots: Arc<Vec<Func>>,
    left: VecDeque<Direction>,
    proved: BTreeSet<(Site, u32)>,
}

impl<'p> Proofs<'p> {
    /// All branches of these functions, when inputs are like this one.
    pub(super) fn new(
        program: &'p Program,
        like: Option<&Input>,
        in_scope: impl Fn(Func) -> bool,
    ) -> Proofs<'p> {
        let entry = like.and_then(|like| Entry::find(program, like.entry.as_deref()).ok());
        let roots = entry.map(|entry| entry.roots(program)).unwrap_or_default();
        // Functions that nothing calls need no proof, and who does not know where programs begin has none.
        let callable = CallGraph::of(program).reachable(roots.iter().copied());
        let mut left = VecDeque::new();
        for &func in callable.iter().filter(|func| in_scope(**func)) {
            left.extend(directions(program, func));
        }
        Proofs { graph: Arc::new(Graph::new(program)), roots: Arc::new(roots), left, proved: BTreeSet::new() }
    }

    /// The next direction that is not covered.
    fn next(&mut self, coverage: &Coverage) -> Option<Direction> {
        std::iter::from_fn(|| self.left.pop_front())
            .find(|it| !coverage.directions(it.site)[it.direction as usize])
    }

    /// Nothing takes it.
    pub(super) fn is_proved(&self, site: Site, direction: u32) -> bool {
        self.proved.contains(&(site, direction))
    }
}

/// The directions of a function's branches.
fn directions(program: &Program, func: Func) -> Vec<Direction> {
    let mut found = Vec::new();
    let Some(defined) = program.functions[func].defined() else { return found };
    for (block, data) in defined.body.blocks.iter() {
        let is_decision = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
        let Some(site) = program.end_site(data).filter(|_| is_decision) else { continue };
        let goal = |direction| Direction { site, direction, goal: Goal::Direction(func, block, direction) };
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
        if !is_needed {
            return;
        }
        for _ in 0..if is_alone { MANY } else { FEW } {
            for slot in 0..SLOTS {
                let Some(next) = self.proofs.next(&self.suite.coverage) else { return };
                batch.tasks[slot].push(Task::Prove(next.goal));
                batch.about[slot].push(About::Prove(next));
            }
        }
    }

    /// What came of a proof.
    pub(super) fn learn_proof(&mut self, direction: Direction, is_proved: bool) {
        if is_proved {
            self.proofs.proved.insert((direction.site, direction.direction));
        }
    }

    /// A proof that was not tried for lack of time.
    pub(super) fn put_back_proof(&mut self, direction: Direction) {
        self.proofs.left.push_front(direction);
    }
}
