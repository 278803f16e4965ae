//! Proofs for branches that no run has covered: a backward search for each, one after the other, beside everything else.

use crate::backward::Goal;
use crate::engine::compose::Composer;
use crate::search::Search;
use crate::strategy::{Candidate, Strategy, View};
use crate::task::{Done, Task, Thoroughness};
use coax_execute::{Coverage, Error};
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
struct Direction {
    site: Site,
    direction: u32,
    goal: Goal,
    thoroughness: Thoroughness,
}

/// See the module.
#[derive(Default)]
pub(crate) struct Proofs {
    /// What is to be proved, once that is known.
    left: Option<VecDeque<Direction>>,
    /// Those for which it was tried in vain, but quickly.
    hard: VecDeque<Direction>,
    /// Those that are tried, by the numbers of their tasks.
    tried: BTreeMap<u64, Direction>,
    tasks: u64,
    /// Where runs begin.
    roots: Arc<Vec<Func>>,
}

impl Proofs {
    /// The next direction that is not covered; a hard one, if that is allowed, when there are no others.
    fn next(&mut self, coverage: &Coverage, allows_hard: impl FnOnce() -> bool) -> Option<Direction> {
        let is_uncovered = |it: &Direction| !coverage.directions(it.site)[it.direction as usize];
        let left = self.left.as_mut()?;
        if let Some(next) = std::iter::from_fn(|| left.pop_front()).find(is_uncovered) {
            return Some(next);
        }
        while self.hard.pop_front_if(|it| !is_uncovered(it)).is_some() {}
        if self.hard.is_empty() || !allows_hard() { None } else { self.hard.pop_front() }
    }
}

impl<'p> Strategy<'p> for Proofs {
    fn propose(
        &mut self,
        View { search, exploration, arbiter }: &mut View<'_, '_, 'p>,
        batch: &mut Composer<'_, 'p>,
    ) {
        let is_alone = batch.is_empty() && exploration.queue.is_empty();
        let is_needed = match is_alone {
            // If all paths are explored, all is proved.
            true => !search.health.is_exact || !exploration.tree.is_settled(),
            false => search.batches >= BATCHES_BEFORE,
        };
        if !is_needed || !search.options.proofs || search.suite.first.is_none() {
            return;
        }
        if self.left.is_none() {
            let program = search.subject.program;
            self.roots = Arc::new(search.entry().map(|entry| entry.roots(program)).unwrap_or_default());
            self.left = Some(all_directions(search, &self.roots));
        }
        for _ in 0..if is_alone { MANY } else { FEW } {
            for slot in 0..batch.slots() {
                let effort = Thoroughness::Thorough.total_effort();
                let allows_hard = || is_alone || arbiter.allows_proof(effort);
                let Some(next) = self.next(&search.suite.achieved.coverage, allows_hard) else { return };
                let Direction { goal, thoroughness, .. } = next;
                let roots = Arc::clone(&self.roots);
                batch.add(slot, Task::Prove { goal, thoroughness, roots }, self.tasks);
                self.tried.insert(self.tasks, next);
                self.tasks += 1;
            }
        }
    }

    fn learn(&mut self, view: &mut View<'_, '_, 'p>, task: u64, done: Done) -> Result<Vec<Candidate>, Error> {
        let Some(direction) = self.tried.remove(&task) else { return Ok(Vec::new()) };
        match done {
            Done::Contradicted(at, granted) => {
                view.search.proved.insert((direction.site, direction.direction), (at, granted));
            }
            Done::Postponed => match direction.thoroughness {
                Thoroughness::Quick => self.left.get_or_insert_default().push_back(direction),
                Thoroughness::Thorough => self.hard.push_back(direction),
            },
            Done::GaveUp(difficulty) if difficulty.may_try_harder => {
                self.hard.push_back(Direction { thoroughness: Thoroughness::Thorough, ..direction });
            }
            Done::Failed(error) => return Err(error),
            _ => {}
        }
        Ok(Vec::new())
    }
}

/// All directions of branches of functions that are called and in scope. Functions that nothing calls need no proof, and who does not know where programs begin has
/// none.
fn all_directions(search: &Search<'_, '_>, roots: &[Func]) -> VecDeque<Direction> {
    let program = search.subject.program;
    let callable = program.calls().reachable(roots.iter().copied());
    let in_scope = callable.into_iter().filter(|func| search.subject.is_in_scope(*func));
    in_scope.flat_map(|func| directions(program, func)).collect()
}

/// Whether a branch that can be come to is not covered, and nothing proves that it cannot be.
pub(super) fn may_cover_more(search: &Search<'_, '_>) -> bool {
    let (program, coverage) = (search.subject.program, &search.suite.achieved.coverage);
    let is_open = |it: Direction| {
        !coverage.directions(it.site)[it.direction as usize]
            && !search.proved.contains_key(&(it.site, it.direction))
    };
    let callable = search.calls().reachable(search.roots());
    let mut in_scope = callable.into_iter().filter(|func| search.subject.is_in_scope(*func));
    in_scope.any(|func| directions(program, func).into_iter().any(is_open))
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
