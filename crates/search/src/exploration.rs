//! What is known of the program's paths as long as its calls are treated in one way: the tree of decisions, what may be asked about
//! them, and the inputs that wait to be run.
//!
//! Another treatment of calls ([`crate::Approach`]) makes other paths. Then an exploration is dropped and a new one begins; there is no list of things to
//! reset. What outlives it (tests, coverage, samples, the corpus of trials) is elsewhere.

mod alternatives;
mod followed;
mod frontier;
mod intent;
mod priority;
mod queue;
mod runs;
mod tree;
mod waits;

use crate::Subject;
use crate::choice::{Choice, Way};
use crate::search::Search;
use crate::task::{Difficulty, Ran, TraceId};
use alternatives::Alternatives;
use coax_execute::{Input, Question as Asked};
use coax_term::{Term, Terms};
pub(crate) use followed::{Followed, Replaced};
use frontier::Frontier;
pub(crate) use frontier::{ClassKey, Question};
pub(crate) use intent::{Intent, Then};
pub(crate) use priority::aim;
use priority::{Priority, Yields};
pub(crate) use queue::{Origin, Pending, Queue};
pub(crate) use runs::Runs;
use std::collections::BTreeSet;
pub(crate) use tree::{Cell, Node, NodeId, RunOf, State, Tree};
use waits::Waits;

/// How many values of one term that is no longer one are tried.
const MOST_VALUES: usize = 256;

/// How many decisions of one path are asked about together: what questions share is worked out once.
const TOGETHER: usize = 24;
/// They are chosen among so many.
const MOST_RANKED: usize = 8192;
/// What a question costs its class beside its turn if nothing was found.
const IN_VAIN: u64 = 2;

/// See the module.
pub(crate) struct Exploration {
    pub(crate) tree: Tree,
    frontier: Frontier,
    /// The inputs that wait to be run.
    pub(crate) queue: Queue,
    pub(crate) runs: Runs,
    /// The conditions of ways that questions exclude.
    pub(crate) alternatives: Alternatives,
    /// What questions have brought so far.
    yields: Yields,
    /// Questions that wait for samples of unknown functions.
    pub(crate) waits: Waits,
    /// The places of decisions that earlier decisions of their paths had taken already.
    pub(crate) implied: BTreeSet<u32>,
    /// Where runs came.
    pub(crate) followed: Followed,
}

/// What a run has shown.
pub(crate) struct Shown {
    /// Whether it came to other decisions than runs with the same prefix.
    pub(crate) is_odd: bool,
    /// Whether it did not go where it should have gone.
    pub(crate) is_divergence: bool,
}

impl Exploration {
    pub(crate) fn new(subject: &Subject<'_>, seed: u64) -> Exploration {
        Exploration {
            tree: Tree::default(),
            frontier: Frontier::new(seed),
            queue: Queue::default(),
            runs: Runs::default(),
            alternatives: Alternatives::default(),
            yields: Yields::default(),
            waits: Waits::default(),
            implied: BTreeSet::new(),
            followed: Followed::new(subject.program),
        }
    }

    /// Takes over the path of a run. `condition` finds the condition of one of its decisions, by its place.
    pub(crate) fn learn<'t>(
        &mut self,
        (trace, origin): (TraceId, Option<Origin>),
        (ran, is_news): (&Ran, bool),
        condition: &dyn Fn(usize) -> Option<(&'t Terms, Term)>,
        search: &Search<'_, '_>,
    ) -> Shown {
        let Ran { choices, transitions, .. } = ran;
        let asked = origin.map(|(node, _)| node);
        let run = RunOf { trace, choices, transitions, origin: asked, is_news };
        let inserted =
            self.tree.insert(run, search.options.max_nodes, &|choice| ways(search.subject, choice));
        // Whoever was not asked for has promised nothing: it may be odd, as where buffers are may depend on how long they are.
        let mut is_divergence = ran.differs;
        if let Some((origin, seen)) = origin {
            self.came_of_it(origin, is_news);
            // A call of an unknown function that did not return, or showed that it is none, is counted as that.
            let is_cut_short = ran.is_cut_short || !ran.refused.is_empty();
            is_divergence |= inserted.at_origin.map_or(!is_cut_short, |way| way < seen);
            if self.tree.node(origin).state == State::Waiting {
                let is_cut_short = inserted.at_origin.is_none() && is_cut_short;
                self.settle(origin, if is_cut_short { State::CutShort } else { State::Diverged });
            }
        }
        if let Some(left) = inserted.left_at {
            let (place, way) =
                (self.tree.node(left).place as usize, choices[self.tree.node(left).place as usize].way);
            // Questions about the decision have to exclude the new way; values are excluded by themselves.
            if self.tree.node(left).state == State::Open
                && way.value().is_none()
                && let Some((terms, condition)) = condition(place)
            {
                self.alternatives.keep(left, way, terms, condition);
            }
            self.reopen(left, search);
            if is_news && aim(left, self.tree.node(left), search).is_some() {
                self.frontier.promises(left);
            }
        }
        for node in inserted.new {
            self.open(node, search);
        }
        Shown { is_odd: inserted.is_odd, is_divergence }
    }

    /// The run of an answer could not be made.
    pub(crate) fn run_failed(&mut self, origin: Option<Origin>) {
        if let Some((origin, _)) = origin
            && self.tree.node(origin).state == State::Waiting
        {
            self.settle(origin, State::CutShort);
        }
    }

    /// A decision at which a run went another way than those before.
    fn reopen(&mut self, id: NodeId, search: &Search<'_, '_>) {
        match &self.tree.node(id).state {
            State::Open if self.tree.node(id).ways.len() >= MOST_VALUES => self.settle(id, State::TooMany),
            State::Open => self.open(id, search),
            State::Unwanted | State::Forked => {}
            _ => self.release(id),
        }
    }

    /// An answer can wait: the input is kept, and the question comes last.
    pub(crate) fn postpone(
        &mut self,
        question: Question,
        seen: usize,
        input: Input,
        search: &Search<'_, '_>,
    ) {
        self.tree.node_mut(question.node).can_wait = true;
        self.yields.postpone(question.node, seen, input);
        self.put_back(question, search);
    }

    /// Nothing else is possible at a decision.
    pub(crate) fn proved(&mut self, Question { node, key, .. }: Question) {
        self.has_no_answer(node);
        self.frontier.charge(key, IN_VAIN);
        self.settle(node, State::Proved);
    }

    /// Nothing of what was wanted is possible at a decision; something else may be.
    pub(crate) fn missed(&mut self, question: Question, search: &Search<'_, '_>) {
        self.has_no_answer(question.node);
        self.frontier.charge(question.key, IN_VAIN);
        self.tree.node_mut(question.node).is_missed = true;
        self.put_back(Question { level: 0, ..question }, search);
    }

    /// A question was not answered; it is asked once more if that may help and `levels` allow it. Whether it waits for samples.
    pub(crate) fn gave_up(&mut self, question: Question, difficulty: Difficulty, levels: usize) -> bool {
        let Question { node, key, level } = question;
        self.frontier.charge(key, IN_VAIN);
        if self.tree.node(node).state == State::Exhausted {
            // Runs have gone all ways meanwhile.
            return false;
        }
        if difficulty.may_try_harder && level + 1 < levels {
            self.tree.node_mut(node).state = State::GivenUp(difficulty);
            self.frontier.add_hard(Question { level: level + 1, ..question });
            return false;
        }
        let wants_samples = difficulty.wants_samples;
        self.settle(node, State::GivenUp(difficulty));
        wants_samples
    }

    /// A question that was given up may have an answer now.
    pub(crate) fn ask_again(&mut self, node: NodeId, key: ClassKey, search: &Search<'_, '_>) {
        if let State::GivenUp(_) = self.tree.node(node).state {
            self.frontier.charge(key, 1);
            self.tree.node_mut(node).state = State::Open;
            self.open(node, search);
        }
    }

    /// A question that was not asked may be asked later, unless runs have gone all ways meanwhile.
    pub(crate) fn put_back(&mut self, question: Question, search: &Search<'_, '_>) {
        let Question { node, level, .. } = question;
        if self.tree.node(node).state == State::Exhausted {
            return;
        }
        self.tree.node_mut(node).state = State::Open;
        match level {
            0 => self.open(node, search),
            _ => self.frontier.add_hard(question),
        }
    }

    /// Somebody asks about a decision, or is about to run what was found there.
    pub(crate) fn begin(&mut self, node: NodeId) {
        self.tree.node_mut(node).state = State::Waiting;
    }

    /// Puts a decision where it can be chosen.
    fn open(&mut self, id: NodeId, search: &Search<'_, '_>) {
        if self.tree.node(id).state != State::Open {
            return;
        }
        let (key, priority) = self.class(id, search);
        self.add_to_frontier(id, key, priority);
        let node = self.tree.node_mut(id);
        let trace = node.trace;
        let is_first = !std::mem::replace(&mut node.is_counted, true);
        self.runs.get_mut(trace).own.push(id);
        if is_first {
            self.runs.opened(trace);
        }
    }

    /// Nothing will be asked about a decision any more. If runs have gone all ways meanwhile that is so already.
    pub(crate) fn settle(&mut self, id: NodeId, state: State) {
        if self.tree.node(id).state == State::Exhausted {
            return;
        }
        self.tree.node_mut(id).state = state;
        self.release(id);
    }

    fn release(&mut self, id: NodeId) {
        self.yields.forget(id);
        let node = self.tree.node_mut(id);
        if std::mem::take(&mut node.is_counted) {
            let trace = node.trace;
            self.runs.closed(trace);
        }
    }

    fn add_to_frontier(&mut self, node: NodeId, key: ClassKey, priority: Priority) {
        let situation = self.tree.node(node).situation;
        self.frontier.add(node, key, situation, priority);
    }

    /// The decisions that nobody asks about and that may go another way.
    #[cfg(test)]
    pub(crate) fn open_goals(&self) -> impl Iterator<Item = NodeId> {
        self.tree.ids().filter(|id| self.tree.node(*id).state == State::Open)
    }

    /// The question about a decision.
    pub(crate) fn question(&self, node: NodeId, search: &Search<'_, '_>) -> Question {
        Question { node, key: self.class(node, search).0, level: 0 }
    }

    /// The input that answers a question and was found before, if it still does.
    pub(crate) fn found_before(&mut self, node: NodeId) -> Option<Input> {
        self.yields.take_postponed(node, self.tree.node(node).ways.len())
    }

    /// The next question. One that was too hard before comes first if so much effort may be spent on it, and last otherwise: so many of them in a batch.
    pub(crate) fn next_question(
        &mut self,
        hard: &mut usize,
        allows: impl FnOnce(usize) -> bool,
        search: &Search<'_, '_>,
    ) -> Option<Question> {
        let tree = &self.tree;
        // Runs may have gone all ways meanwhile, or another was asked.
        let is_asked = |id: NodeId| matches!(tree.node(id).state, State::Open | State::GivenUp(_));
        let first = self.frontier.first_hard(is_asked);
        if let Some(Question { level, .. }) = first
            && *hard > 0
            && allows(level)
        {
            return self.hard_question(hard);
        }
        while let Some(node) = self.frontier.next_promising() {
            if self.tree.node(node).state == State::Open {
                let key = self.class(node, search).0;
                self.frontier.pass(key, self.tree.node(node).situation);
                return Some(Question { node, key, level: 0 });
            }
        }
        while let Some((node, key)) = self.frontier.take() {
            if self.tree.node(node).state != State::Open {
                continue;
            }
            let (now, priority) = self.class(node, search);
            if now != key {
                // What it was for has been covered meanwhile, or is not to be had from it.
                self.add_to_frontier(node, now, priority);
                continue;
            }
            if self.frontier.priority(key).is_some_and(|before| priority > before) {
                // What was hoped for has been covered meanwhile.
                self.frontier.revalue(key, priority);
                self.add_to_frontier(node, key, priority);
                continue;
            }
            return Some(Question { node, key, level: 0 });
        }
        self.hard_question(hard)
    }

    /// A question that was too hard before, if so many more may be asked.
    fn hard_question(&mut self, left: &mut usize) -> Option<Question> {
        *left = left.checked_sub(1)?;
        self.frontier.take_hard()
    }

    /// Other decisions of the same path that are asked about together with this one: those whose turn comes soonest.
    pub(crate) fn companions(&mut self, question: Question, search: &Search<'_, '_>) -> Vec<Question> {
        let Question { node, key, .. } = question;
        let soon = 2 * self.frontier.rank(key) + Priority::Path as u64;
        self.begin(node);
        let trace = self.tree.node(node).trace;
        let mut own = std::mem::take(&mut self.runs.get_mut(trace).own);
        // One that was opened again is here again.
        own.sort_unstable();
        own.dedup();
        own.retain(|&node| self.tree.node(node).state == State::Open);
        let rank = |&node: &NodeId| {
            let key = self.class(node, search).0;
            (self.frontier.rank(key), key, self.frontier.taken(key, self.tree.node(node).situation), node)
        };
        // Of a path with very many decisions those around this one: to rank all of them for each question takes the square of their number.
        let begin = own.partition_point(|&it| it < node).saturating_sub(MOST_RANKED / 2);
        let near = own.iter().skip(begin).take(MOST_RANKED);
        let mut ranked: Vec<(u64, ClassKey, u64, NodeId)> = near.map(rank).collect();
        self.runs.get_mut(trace).own = own;
        ranked.retain(|&(rank, ..)| rank <= soon);
        ranked.sort();
        // One of each class: its turn is over then.
        let mut classes = BTreeSet::from([key]);
        ranked.retain(|(_, key, ..)| classes.insert(*key));
        ranked.truncate(TOGETHER - 1);
        for (_, key, _, node) in &ranked {
            self.frontier.pass(*key, self.tree.node(*node).situation);
        }
        ranked.into_iter().map(|(_, key, _, node)| Question { node, key, level: 0 }).collect()
    }
}

/// How many ways a decision has, if that is known.
fn ways(subject: &Subject<'_>, choice: Choice) -> Option<usize> {
    match choice.way {
        Way::Branch(_) => {
            let site = subject.program.site_at(choice.at)?;
            Some(subject.program.sites[site].kind.directions() as usize)
        }
        Way::Trap(..) | Way::Assumption(_) | Way::Assertion(_) | Way::World(Asked::Length, _) => Some(2),
        Way::World(Asked::Io, _) | Way::Value(_) | Way::Length(_) | Way::Kept { .. } => None,
        Way::Room(_) | Way::Fork(_) | Way::Shape(_) => None,
    }
}
