//! A batch while it is composed: tasks for each slot, with what they are for.

use crate::choice::Way;
use crate::exploration::{Exploration, Intent, NodeId, Origin, Pending, Question, aim};
use crate::search::Search;
use crate::slot::Slot;
use crate::strategy::View;
use crate::task::{Excluded, Suspects, Task, TraceId};
use crate::texts::with_room;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a question may cost when it is asked first, and when it is asked again because that was not enough.
pub(crate) const EFFORTS: [u64; 3] = [30_000, 150_000, 1_000_000];
/// The lengths of inputs that are tried first: enough for most of what can happen, then the small ones.
pub(crate) const LENGTHS: [u64; 10] = [16, 64, 1, 4, 256, 2, 8, 32, 128, 3];

/// What a slot runs in a batch at most.
const RUNS: usize = 4;

/// What a task is for.
pub(crate) enum About {
    /// A new run.
    Run {
        trace: TraceId,
        origin: Option<Origin>,
        intent: Option<Intent>,
        after: Option<Question>,
        how: Vec<String>,
    },
    /// A question about a decision at which so many ways were known.
    Ask { question: Question, seen: usize, intent: Option<(TraceId, Intent)> },
    /// A question whose answer promises nothing, and is to go this way.
    AskFor(Intent),
    /// A strategy's own, by its number and the task's.
    Of { strategy: usize, task: u64 },
}

/// The tasks of a batch by slots, and what they are for.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) tasks: Vec<Vec<Task>>,
    pub(crate) about: Vec<Vec<About>>,
}

/// See the module.
pub(crate) struct Composer<'b, 'p> {
    slots: &'b [Slot<'p>],
    batch: Batch,
    /// The runs whose paths are known in their slots when their tasks come.
    known: BTreeSet<TraceId>,
    /// How many runs may still be made.
    left: u64,
    /// Whether there are fewer than there would be without a limit.
    is_cut: bool,
    /// Who proposes now.
    strategy: usize,
}

impl<'b, 'p> Composer<'b, 'p> {
    pub(super) fn new(slots: &'b [Slot<'p>], left: u64) -> Self {
        let tasks = slots.iter().map(|_| Vec::new()).collect();
        let about = slots.iter().map(|_| Vec::new()).collect();
        let batch = Batch { tasks, about };
        Composer { slots, batch, known: BTreeSet::new(), left, is_cut: false, strategy: 0 }
    }

    /// From now on another strategy proposes.
    pub(super) fn is_turn_of(&mut self, strategy: usize) {
        self.strategy = strategy;
    }

    /// The batch, and whether a limit made it smaller.
    pub(super) fn finish(self) -> (Batch, bool) {
        (self.batch, self.is_cut)
    }

    /// Whether nobody wants anything as yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.batch.tasks.iter().all(|tasks| tasks.is_empty())
    }

    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Whether so many runs may still be made.
    pub(crate) fn may_run(&self) -> bool {
        self.left > 0
    }

    /// Has inputs run that wait, as many as fit in a batch.
    pub(super) fn take_runs(&mut self, view: &mut View<'_, '_, 'p>, next_slot: &mut usize) {
        let View { search, exploration, .. } = view;
        let most = (self.slots.len() * RUNS).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let longest = search.subject.symbols.longest;
        let taken = exploration.queue.take(most, |input| with_room(input, longest));
        // A search that may run more would go on otherwise from here.
        self.is_cut |= taken.len() as u64 == self.left && !exploration.queue.is_empty();
        self.left -= taken.len() as u64;
        for Pending { input, origin, intent, after, how, is_suspect, is_news } in taken {
            let slot = *next_slot;
            *next_slot = (slot + 1) % self.slots.len();
            search.suite.first.get_or_insert_with(|| input.clone());
            let input = Arc::new(input);
            let trace = exploration.runs.begin(slot, Arc::clone(&input), is_news);
            self.known.insert(trace);
            // A checksum reads everything: each suspect would lead to another that is a byte shorter.
            let suspects = match is_suspect && search.unknown.is_any() {
                true => Suspects::Known(Vec::new(), Vec::new()),
                false => Suspects::Wanted { is_suspect },
            };
            let task = Task::Run { trace, input, suspects };
            self.push(slot, task, About::Run { trace, origin, intent, after, how });
        }
    }

    /// Has a question asked, if the run that it takes may be made: so many are left. If it is asked of a certain run, with where the answer is to go.
    pub(crate) fn ask(
        &mut self,
        view: &mut View<'_, '_, 'p>,
        question: Question,
        intent: Option<(TraceId, Intent)>,
    ) {
        let View { search, exploration, .. } = view;
        let Question { node: id, level, .. } = question;
        let node = exploration.tree.node(id);
        let (place, seen, first) = (node.place as usize, node.ways.len(), node.trace);
        if intent.is_none()
            && let Some(input) = exploration.found_before(id)
        {
            exploration.begin(id);
            exploration.queue.push(Pending { origin: Some((id, seen)), ..Pending::new(input) });
            return;
        }
        // Who is to be brought back is asked about itself, not the first that came here.
        let trace = intent.map_or(first, |(trace, _)| trace);
        if !self.can_ask_about(trace, exploration) {
            exploration.put_back(question, search);
            return;
        }
        exploration.begin(id);
        let excluded = excluded(id, exploration, search);
        let climb =
            if intent.is_none() { search.climb(exploration, (id, trace), &mut self.left) } else { None };
        let run = exploration.runs.get(trace);
        let input = Arc::clone(&run.input);
        let task = Task::Ask { trace, input, place, excluded, effort: EFFORTS[level], climb };
        self.push(run.slot, task, About::Ask { question, seen, intent });
    }

    /// Has a question asked about a decision of a run whose answer promises nothing, and is to go this way.
    pub(crate) fn ask_for(
        &mut self,
        exploration: &Exploration,
        (trace, place, excluded): (TraceId, usize, Excluded),
        intent: Intent,
    ) {
        if self.can_ask_about(trace, exploration) {
            let run = exploration.runs.get(trace);
            let (input, effort) = (Arc::clone(&run.input), EFFORTS[0]);
            let task = Task::Ask { trace, input, place, excluded, effort, climb: None };
            self.push(run.slot, task, About::AskFor(intent));
        }
    }

    /// Adds a task of the strategy's own, by its number.
    pub(crate) fn add(&mut self, slot: usize, task: Task, number: u64) {
        let strategy = self.strategy;
        self.push(slot, task, About::Of { strategy, task: number });
    }

    /// The slot that has the least to do.
    pub(crate) fn idlest(&self) -> usize {
        let counts = self.batch.tasks.iter().map(Vec::len).zip(0..);
        counts.min().map_or(0, |(_, slot)| slot)
    }

    /// Has a run made that is a task of the strategy's own, if there may be one more.
    pub(crate) fn spend_one(&mut self) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            self.is_cut = true;
            return false;
        };
        self.left = left;
        true
    }

    fn push(&mut self, slot: usize, task: Task, about: About) {
        self.batch.tasks[slot].push(task);
        self.batch.about[slot].push(about);
    }

    /// Whether a run can be asked about: its path is known in its slot, or the run that makes it known may be made.
    fn can_ask_about(&mut self, trace: TraceId, exploration: &Exploration) -> bool {
        let slot = exploration.runs.get(trace).slot;
        let is_known = self.known.contains(&trace) || self.slots[slot].has(trace);
        if is_known || self.spend_one() {
            self.known.insert(trace);
            return true;
        }
        false
    }
}

/// The ways that were seen at a decision.
fn excluded(id: NodeId, exploration: &Exploration, search: &Search<'_, '_>) -> Excluded {
    let node = exploration.tree.node(id);
    if let Way::Shape(_) = node.ways[0].0 {
        return Excluded::Shapes { tried: exploration.waits.steps(id) as usize };
    }
    let seen: Vec<u64> = node.ways.iter().filter_map(|(way, _)| way.value()).collect();
    if !seen.is_empty() {
        let is_length = node.ways[0].0.is_length();
        let wishes = LENGTHS.into_iter().filter(|length| is_length && !seen.contains(length)).collect();
        return Excluded::Values { seen, wishes };
    }
    Excluded::Conditions(exploration.alternatives.of(id), aim(id, node, search))
}
