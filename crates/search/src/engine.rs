//! The loop: choose tasks, have them done, learn from what came of them.

use crate::choice::{Choice, Way};
use crate::findings::{Findings, Observer, Progress, StopReason};
use crate::frontier::{ClassKey, Frontier, Hope};
use crate::pool::{Pool, Queue};
use crate::reasons::uncovered;
use crate::shrink::shrink;
use crate::slot::{Asked, Slot};
use crate::suite::Suite;
use crate::task::{Done, Excluded, Ran, Task, TraceId};
use crate::tree::{Node, NodeId, State, Tree};
use crate::{Options, Stop, Subject};
use coax_execute::{Bound, Error, Input, Question};
use coax_program::SiteKind;
use coax_solve::Reason;
use coax_term::{Import, Term, Terms};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How many slots there are: more would share less, fewer would keep fewer threads busy.
const SLOTS: usize = 8;
/// What a slot runs in a batch at most.
const RUNS: usize = 4;
/// How many decisions of one path are asked about together: what questions share is worked out once.
const TOGETHER: usize = 24;
/// What a question may cost when it is asked first, and when it is asked again because that was not enough.
const EFFORTS: [u64; 3] = [30_000, 300_000, 3_000_000];
/// One in so many questions is one that was too hard before.
const RETRY: usize = 16;
/// What a question costs its class beside its turn if nothing was found.
const IN_VAIN: u64 = 2;
/// How many values of one term that is no longer one are tried.
const MOST_VALUES: usize = 256;
/// The lengths of inputs that are tried first: enough for most of what can happen, then the small ones.
const LENGTHS: [u64; 10] = [16, 64, 1, 4, 256, 2, 8, 32, 128, 3];

/// Searches for inputs that cover the program, beginning with these.
pub fn search(
    subject: &Subject<'_>,
    seeds: Vec<Input>,
    options: &Options,
    stop: &Stop,
    observer: &mut dyn Observer,
) -> Result<Findings, Error> {
    let queue = Queue::default();
    std::thread::scope(|scope| {
        let pool = Pool::start(scope, subject, &queue, stop, options.workers)
            .map_err(|error| Error::Host(format!("a thread could not be started: {error}")))?;
        let mut engine = Engine::new(subject, options, seeds);
        let reason = loop {
            if let Some(reason) = stop.reason() {
                break reason;
            }
            if options.max_runs.is_some_and(|most| engine.progress.runs >= most) {
                break StopReason::Runs;
            }
            let Some(batch) = engine.compose() else { break StopReason::Complete };
            let tasks = batch.tasks;
            let (slots, done) = pool.perform(std::mem::take(&mut engine.slots), tasks);
            engine.slots = slots;
            for (slot, (about, done)) in batch.about.into_iter().zip(done).enumerate() {
                for (about, done) in about.into_iter().zip(done) {
                    engine.learn(slot, about, done, observer)?;
                }
            }
            engine.tidy();
            observer.progress(&engine.progress);
        };
        Ok(engine.finish(reason, observer))
    })
}

/// An input that waits to be run.
struct Pending {
    input: Input,
    /// The decision at which it is to go another way, and how many ways were known there.
    origin: Option<Origin>,
}

/// A decision, and how many of its ways a new run must not go.
type Origin = (NodeId, usize);

/// What is known of a run.
struct TraceData {
    slot: usize,
    input: Input,
    /// Its decisions that no run before came to, as far as there may be something to ask about them.
    own: Vec<NodeId>,
    /// How many of them are not settled.
    open: u32,
}

/// What a task is for.
enum About {
    /// A new run.
    Run { trace: TraceId, origin: Option<Origin> },
    /// A run whose path was forgotten.
    Again,
    /// A question about a decision at which so many ways were known, of this class, asked for the so manieth time.
    Ask { node: NodeId, seen: usize, key: ClassKey, level: usize },
}

/// The tasks of a batch by slots, and what they are for.
struct Batch {
    tasks: Vec<Vec<Task>>,
    about: Vec<Vec<About>>,
}

struct Engine<'s, 'p> {
    subject: &'s Subject<'p>,
    options: &'s Options,
    slots: Vec<Slot>,
    tree: Tree,
    frontier: Frontier,
    suite: Suite,
    pending: VecDeque<Pending>,
    /// Questions that were too hard, with how often they were asked.
    hard: VecDeque<(NodeId, ClassKey, usize)>,
    traces: Vec<TraceData>,
    /// How many decisions are open.
    open: u64,
    next_slot: usize,
    asked: usize,
    progress: Progress,
    bounds: BTreeMap<Bound, u64>,
    /// Conditions of decisions with more than two ways, which slots exchange.
    shared: Terms,
    conditions: BTreeMap<NodeId, Vec<(Way, Term)>>,
    /// The places of decisions that earlier decisions of their paths had taken already.
    implied: BTreeSet<u32>,
    /// Whether all that happened was as it should be: otherwise nothing is proved by having explored everything.
    is_exact: bool,
}

impl<'s, 'p> Engine<'s, 'p> {
    fn new(subject: &'s Subject<'p>, options: &'s Options, seeds: Vec<Input>) -> Self {
        let counts = coax_execute::Coverage::new(subject.program)
            .counts(subject.program, |func| subject.is_in_scope(func));
        Engine {
            subject,
            options,
            slots: (0..SLOTS).map(|_| Slot::new(options.max_terms)).collect(),
            tree: Tree::default(),
            frontier: Frontier::new(options.seed),
            suite: Suite::new(subject),
            pending: seeds.into_iter().map(|input| Pending { input, origin: None }).collect(),
            hard: VecDeque::new(),
            traces: Vec::new(),
            open: 0,
            next_slot: 0,
            asked: 0,
            progress: Progress { total: counts.branches.total, ..Progress::default() },
            bounds: BTreeMap::new(),
            shared: Terms::new(),
            conditions: BTreeMap::new(),
            implied: BTreeSet::new(),
            is_exact: true,
        }
    }

    /// What to do next; nothing if there is nothing left.
    fn compose(&mut self) -> Option<Batch> {
        let mut batch = Batch {
            tasks: (0..SLOTS).map(|_| Vec::new()).collect(),
            about: (0..SLOTS).map(|_| Vec::new()).collect(),
        };
        let left = self.options.max_runs.map_or(u64::MAX, |most| most - self.progress.runs);
        let runs = (self.pending.len() as u64).min((SLOTS * RUNS) as u64).min(left) as usize;
        for Pending { input, origin } in self.pending.drain(..runs) {
            let trace = TraceId(self.traces.len() as u32);
            let slot = self.next_slot;
            self.next_slot = (slot + 1) % SLOTS;
            self.traces.push(TraceData { slot, input: input.clone(), own: Vec::new(), open: 0 });
            batch.tasks[slot].push(Task::Run { trace, input: Box::new(input) });
            batch.about[slot].push(About::Run { trace, origin });
        }
        let groups = if self.pending.is_empty() { SLOTS } else { 0 };
        for _ in 0..groups {
            let Some((node, key, level)) = self.next_question() else { break };
            let mut group = if level == 0 { self.companions(node, key) } else { Vec::new() };
            group.push((node, key, level));
            // In the order of the path, each question's assumptions begin with those of the one before.
            group.sort();
            for (node, key, level) in group {
                self.ask(&mut batch, node, key, level);
            }
        }
        batch.tasks.iter().any(|tasks| !tasks.is_empty()).then_some(batch)
    }

    /// The next decision to ask about.
    fn next_question(&mut self) -> Option<(NodeId, ClassKey, usize)> {
        self.asked += 1;
        if self.asked.is_multiple_of(RETRY)
            && let Some(hard) = self.hard.pop_front()
        {
            return Some(hard);
        }
        while let Some((node, key)) = self.frontier.take() {
            if self.tree.node(node).state != State::Open {
                continue;
            }
            let hope = self.class(node).1;
            if self.frontier.hope(key).is_some_and(|before| hope > before) {
                // What was hoped for has been covered meanwhile.
                self.frontier.revalue(key, hope);
                let round = self.tree.node(node).round;
                self.frontier.add(node, key, round, hope);
                continue;
            }
            return Some((node, key, 0));
        }
        self.hard.pop_front()
    }

    /// Other decisions of the same path that are asked about together with this one: those whose turn comes soonest.
    fn companions(&mut self, node: NodeId, key: ClassKey) -> Vec<(NodeId, ClassKey, usize)> {
        let soon = 2 * self.frontier.rank(key) + Hope::Path as u64;
        self.tree.node_mut(node).state = State::Waiting;
        let trace = self.tree.node(node).trace.0 as usize;
        let mut own = std::mem::take(&mut self.traces[trace].own);
        own.retain(|&node| self.tree.node(node).state == State::Open);
        let rank = |&node: &NodeId| {
            let key = self.class(node).0;
            (self.frontier.rank(key), key, self.frontier.taken(key, self.tree.node(node).round), node)
        };
        let mut ranked: Vec<(u64, ClassKey, u64, NodeId)> = own.iter().map(rank).collect();
        self.traces[trace].own = own;
        ranked.retain(|&(rank, ..)| rank <= soon);
        ranked.sort();
        // One of each class: its turn is over then.
        let mut classes = BTreeSet::from([key]);
        ranked.retain(|(_, key, ..)| classes.insert(*key));
        ranked.truncate(TOGETHER - 1);
        for (_, key, _, node) in &ranked {
            self.frontier.pass(*key, self.tree.node(*node).round);
        }
        ranked.into_iter().map(|(_, key, _, node)| (node, key, 0)).collect()
    }

    fn ask(&mut self, batch: &mut Batch, id: NodeId, key: ClassKey, level: usize) {
        let node = self.tree.node_mut(id);
        node.state = State::Waiting;
        let (trace, place, seen) = (node.trace, node.place as usize, node.ways.len());
        let TraceData { slot, input, .. } = &self.traces[trace.0 as usize];
        let slot = *slot;
        let is_here = self.slots[slot].has(trace)
            || batch.tasks[slot]
                .iter()
                .any(|task| matches!(task, Task::Run { trace: it, .. } if *it == trace));
        if !is_here {
            batch.tasks[slot].push(Task::Run { trace, input: Box::new(input.clone()) });
            batch.about[slot].push(About::Again);
        }
        let excluded = self.excluded(id, slot);
        let effort = EFFORTS[level];
        batch.tasks[slot].push(Task::Ask { trace, place, excluded, effort });
        batch.about[slot].push(About::Ask { node: id, seen, key, level });
    }

    /// The ways that were seen at a decision, for a question that is asked in this slot.
    fn excluded(&mut self, id: NodeId, slot: usize) -> Excluded {
        let ways = &self.tree.node(id).ways;
        let seen: Vec<u64> = ways.iter().filter_map(|(way, _)| way.value()).collect();
        if !seen.is_empty() {
            let is_length = matches!(ways[0].0, Way::Length(_));
            let wish = LENGTHS.into_iter().find(|length| is_length && !seen.contains(length));
            return Excluded::Values { seen, wishes: wish.into_iter().collect() };
        }
        let mut import = Import::default();
        let known = self.conditions.get(&id).map_or(&[][..], |known| known);
        let terms = self.slots[slot].terms_mut();
        Excluded::Conditions(known.iter().map(|&(_, term)| import.apply(terms, &self.shared, term)).collect())
    }

    fn learn(
        &mut self,
        slot: usize,
        about: About,
        done: Done,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        match (about, done) {
            (About::Run { trace, origin }, Done::Ran(ran)) => {
                self.learn_run(slot, trace, origin, *ran, observer)
            }
            (About::Again, Done::Ran(_)) => self.progress.runs += 1,
            (_, Done::Failed(error)) => return Err(error),
            (About::Ask { node, seen, .. }, Done::Found(input)) => {
                self.pending.push_back(Pending { input: *input, origin: Some((node, seen)) });
            }
            (About::Ask { node, key, .. }, Done::Proved) => {
                self.frontier.charge(key, IN_VAIN);
                self.settle(node, State::Proved);
            }
            (About::Ask { node, key, level, .. }, Done::GaveUp(reason)) => {
                self.frontier.charge(key, IN_VAIN);
                let may_be_harder = matches!(reason, Reason::Budget(_) | Reason::NotFound(_));
                if may_be_harder && level + 1 < EFFORTS.len() {
                    self.tree.node_mut(node).state = State::GivenUp(reason);
                    self.hard.push_back((node, key, level + 1));
                } else {
                    self.settle(node, State::GivenUp(reason));
                }
            }
            (About::Ask { node, key, level, .. }, Done::Postponed) => {
                self.tree.node_mut(node).state = State::Open;
                match level {
                    0 => self.open(node, false),
                    _ => self.hard.push_back((node, key, level)),
                }
            }
            (About::Run { trace, origin }, Done::Postponed) => {
                let input = self.traces[trace.0 as usize].input.clone();
                self.pending.push_back(Pending { input, origin });
            }
            (About::Again, _) => {}
            (About::Run { .. } | About::Ask { .. }, _) => {
                unreachable!("runs are run and questions are answered")
            }
        }
        Ok(())
    }

    fn learn_run(
        &mut self,
        slot: usize,
        trace: TraceId,
        origin: Option<Origin>,
        ran: Ran,
        observer: &mut dyn Observer,
    ) {
        self.progress.runs += 1;
        self.progress.concretisations += ran.concretisations as u64;
        for (bound, _) in ran.bounds.iter() {
            *self.bounds.entry(bound).or_default() += 1;
            self.is_exact = false;
        }
        if let coax_execute::Outcome::Discarded { .. } = ran.outcome {
            self.progress.discarded += 1;
        }
        self.implied.extend(&ran.implied);
        let suspects = ran.suspects.iter().cloned();
        self.pending.extend(suspects.map(|input| Pending { input, origin: None }));
        let subject = self.subject;
        let inserted =
            self.tree.insert(trace, &ran.choices, origin.map(|it| it.0), self.options.max_nodes, &|choice| {
                ways(subject, choice)
            });
        let is_test = self.suite.add(subject, &ran);
        if let (true, Some(test)) = (is_test, self.suite.tests.last_mut()) {
            shrink(subject, test);
            observer.found(test);
        }
        self.count();
        let mut is_divergence = ran.differs || inserted.is_odd;
        if let Some((origin, seen)) = origin {
            is_divergence |= inserted.at_origin.is_none_or(|way| way < seen);
            if self.tree.node(origin).state == State::Waiting {
                self.settle(origin, State::Diverged);
            }
        }
        if is_divergence {
            self.progress.divergences += 1;
            self.is_exact = false;
        }
        if let Some(left) = inserted.left_at {
            self.remember(left, slot, trace, &ran.choices);
            self.reopen(left);
        }
        for node in inserted.new {
            self.open(node, true);
        }
        if self.traces[trace.0 as usize].open == 0 {
            self.slots[slot].forget(trace);
        }
    }

    /// Keeps the condition of a new way, if questions about its decision have to exclude it.
    fn remember(&mut self, id: NodeId, slot: usize, trace: TraceId, choices: &[Choice]) {
        let node = self.tree.node(id);
        let place = node.place as usize;
        let choice = choices[place];
        if node.state != State::Open || choice.way.value().is_some() {
            return;
        }
        if let Some((terms, condition)) = self.slots[slot].condition(trace, place) {
            let condition = self.shared.import(terms, condition);
            self.conditions.entry(id).or_default().push((choice.way, condition));
        }
    }

    /// A decision at which a run went another way than those before.
    fn reopen(&mut self, id: NodeId) {
        match &self.tree.node(id).state {
            State::Open if self.tree.node(id).ways.len() >= MOST_VALUES => self.settle(id, State::TooMany),
            State::Open => self.open(id, false),
            _ => self.release(id),
        }
    }

    /// Puts a decision where it can be chosen.
    fn open(&mut self, id: NodeId, is_new: bool) {
        let node = self.tree.node(id);
        if node.state != State::Open {
            return;
        }
        let trace = node.trace.0 as usize;
        let (key, hope) = self.class(id);
        self.frontier.add(id, key, self.tree.node(id).round, hope);
        self.traces[trace].own.push(id);
        if is_new {
            self.traces[trace].open += 1;
            self.open += 1;
        }
    }

    /// Nothing will be asked about a decision any more.
    fn settle(&mut self, id: NodeId, state: State) {
        self.tree.node_mut(id).state = state;
        self.release(id);
    }

    fn release(&mut self, id: NodeId) {
        let trace = self.tree.node(id).trace;
        let TraceData { slot, open, own, .. } = &mut self.traces[trace.0 as usize];
        self.open -= u64::from(*open > 0);
        *open = open.saturating_sub(1);
        if *open == 0 {
            *own = Vec::new();
            self.slots[*slot].forget(trace);
        }
    }

    /// The class of an open decision.
    fn class(&self, id: NodeId) -> (ClassKey, Hope) {
        let node = self.tree.node(id);
        let is_own = self.subject.is_own(node.at);
        let what_for = node.next.filter(|_| !is_own);
        let usual = match (is_own, what_for) {
            (true, _) => Hope::Path,
            (false, Some(at)) if self.has_uncovered(at) => Hope::UncoveredElsewhere,
            (false, Some(_)) => Hope::Value,
            // What the program itself decides afterwards does not depend on the input as far as this run can tell.
            (false, None) => Hope::Path,
        };
        let (way, hope) = match node.ways[0].0 {
            Way::Branch(_) => {
                let (way, is_uncovered) = self.missing(node);
                match (is_uncovered, is_own) {
                    (true, true) => (way, Hope::Uncovered),
                    (true, false) => (way, Hope::UncoveredElsewhere),
                    (false, _) => (way, usual),
                }
            }
            Way::Value(_) => (None, usual),
            Way::Assumption(_) => (None, Hope::Uncovered),
            Way::Length(_) => (None, Hope::UncoveredElsewhere),
            // More than the program asked for: much, usually.
            Way::World(Question::Length, _) => (None, Hope::Value),
            Way::Trap(..) | Way::Assertion(_) | Way::World(..) => {
                (None, if is_own { Hope::UncoveredElsewhere } else { Hope::Path })
            }
        };
        ((node.at, way, what_for), hope)
    }

    /// The direction that a branch lacks, if there is only one, and whether nobody has covered what it lacks.
    fn missing(&self, node: &Node) -> (Option<u32>, bool) {
        let Some(site) = self.subject.program.site_at(node.at) else { return (None, false) };
        let seen = |direction: u32| node.ways.iter().any(|(way, _)| *way == Way::Branch(direction));
        let taken = self.suite.coverage.directions(site);
        let missing: Vec<u32> = (0..taken.len() as u32).filter(|&direction| !seen(direction)).collect();
        let is_uncovered = missing.iter().any(|&direction| !taken[direction as usize]);
        let is_switch = matches!(self.subject.program.sites[site].kind, SiteKind::Switch(_));
        (missing.first().copied().filter(|_| !is_switch), is_uncovered)
    }

    /// Whether a branch has a direction that nobody has covered.
    fn has_uncovered(&self, at: u32) -> bool {
        let site = self.subject.program.site_at(at);
        site.is_some_and(|site| self.suite.coverage.directions(site).contains(&false))
    }

    fn count(&mut self) {
        let counts = self.suite.coverage.counts(self.subject.program, |func| self.subject.is_in_scope(func));
        self.progress.covered = counts.branches.covered;
        self.progress.paths = self.tree.paths;
        self.progress.tests = self.suite.tests.len() as u64;
        self.progress.failures = self.suite.failures.len() as u64;
    }

    fn tidy(&mut self) {
        self.progress.open = self.open;
        let mut solver = Asked::default();
        for slot in &mut self.slots {
            slot.tidy();
            solver += slot.asked();
        }
        self.progress.solver = solver;
    }

    fn finish(mut self, stop: StopReason, observer: &mut dyn Observer) -> Findings {
        for test in self.suite.minimise(self.subject) {
            observer.dropped(&test);
        }
        self.count();
        let is_exact = self.is_exact && self.tree.dropped == 0;
        let uncovered =
            uncovered(self.subject, &self.suite.coverage, &self.tree, &self.implied, stop, is_exact);
        let Suite { tests, failures, coverage, .. } = self.suite;
        Findings { stop, tests, failures, coverage, uncovered, progress: self.progress, bounds: self.bounds }
    }
}

/// How many ways a decision has, if that is known.
fn ways(subject: &Subject<'_>, choice: Choice) -> Option<usize> {
    match choice.way {
        Way::Branch(_) => {
            let site = subject.program.site_at(choice.at)?;
            Some(subject.program.sites[site].kind.directions() as usize)
        }
        Way::Trap(..) | Way::Assumption(_) | Way::Assertion(_) | Way::World(Question::Length, _) => Some(2),
        Way::World(Question::Io, _) | Way::Value(_) | Way::Length(_) => None,
    }
}
