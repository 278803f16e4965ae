//! What is learned from what slots have done.

use super::promote::TOO_HARD;
use super::{About, EFFORTS, Engine, IN_VAIN, MOST_VALUES, Origin, Pending, RARELY, TraceData, hash};
use crate::Subject;
use crate::choice::{Choice, Way};
use crate::findings::{Kept, NotRun, Observer};
use crate::frontier::ClassKey;
use crate::shrink::{example, shrink};
use crate::task::{Confirmed, Done, How, Ran, TraceId};
use crate::texts::{with_more_room, without_room};
use crate::tree::{NodeId, RunOf, State};
use coax_execute::{Error, Input, Question};
use std::sync::Arc;

/// Where functions are unknown, so many inputs that were made to look for memory errors are run, then one in [`RARELY`].
const SUSPECTS: u64 = 64;

/// So many answers that can wait are kept; others are found again.
const MOST_FOUND_BEFORE: usize = 4096;

impl Engine<'_, '_> {
    pub(super) fn learn(
        &mut self,
        slot: usize,
        about: About,
        done: Done,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        if let Done::Found(_, how) = &done {
            self.progress.runs += u64::from(how.runs);
            self.pending.extend(how.passed.iter().cloned().map(Pending::new));
        }
        match (about, done) {
            (About::Run { trace, origin, chase, after, how }, Done::Ran(ran)) => {
                let choices = if chase.is_some() { ran.choices.clone() } else { Vec::new() };
                self.learn_run(slot, trace, origin, *ran, &how, observer);
                let is_left = chase.is_some_and(|chase| self.bring_back(trace, chase, &choices));
                if self.traces[trace.0 as usize].open == 0 && !is_left {
                    self.slots[slot].forget(trace);
                }
                if let Some(after) = after {
                    self.after_step(after);
                }
            }
            (About::Again, Done::Ran(_)) => self.progress.runs += 1,
            (About::Try, Done::Tried(mut tried)) => {
                self.progress.mutations += tried.count;
                tried.failed.drain(..).for_each(|failed| self.could_not_run(failed));
                for input in self.corpus.learn(slot, tried) {
                    self.progress.fruitful += 1;
                    self.learn_mutant(input, observer)?;
                }
            }
            (About::Run { trace, origin, after, .. }, Done::Failed(error)) => {
                self.run_failed(trace, origin, error);
                if let Some(after) = after {
                    self.after_step(after);
                }
            }
            (_, Done::Failed(error)) => return Err(error),
            (About::Ask { node, seen, key, level, chase: None }, Done::Found(input, how))
                if self.can_wait(node, &how) =>
            {
                self.tree.node_mut(node).can_wait = true;
                if self.found_before.len() < MOST_FOUND_BEFORE {
                    self.found_before.insert(node, (seen, *input));
                }
                self.put_back(node, key, level);
            }
            (About::Ask { node, seen, chase, .. }, Done::Found(input, How { words: how, .. })) => {
                self.another_value(node);
                let origin = Some((node, seen));
                let chase = chase.map(|(_, chase)| chase).or_else(|| self.after_value(node));
                self.pending.push_back(Pending { origin, chase, how, ..Pending::new(*input) });
            }
            (About::Ask { node, key, level, chase, .. }, Done::Step(input)) => {
                self.step(node, key, level, chase.map(|(_, chase)| chase), *input)
            }
            (About::Chase(chase), done) => self.learn_chase(chase, done),
            (About::Ask { node, key, .. }, Done::Proved) => {
                self.has_no_answer(node);
                self.frontier.charge(key, IN_VAIN);
                self.settle(node, State::Proved);
            }
            (About::Ask { node, key, .. }, Done::Missed) => {
                self.has_no_answer(node);
                self.frontier.charge(key, IN_VAIN);
                self.tree.node_mut(node).is_missed = true;
                self.put_back(node, key, 0);
            }
            (About::Ask { node, key, level, .. }, Done::GaveUp(difficulty)) => {
                self.is_hard = true;
                // What an unknown function gives is not hard, it is not known.
                if !difficulty.wants_samples {
                    self.trouble(node, TOO_HARD);
                }
                self.frontier.charge(key, IN_VAIN);
                if self.tree.node(node).state == State::Exhausted {
                    // Runs have gone all ways meanwhile.
                } else if difficulty.may_try_harder && level + 1 < EFFORTS.len() {
                    self.tree.node_mut(node).state = State::GivenUp(difficulty);
                    self.hard.push_back((node, key, level + 1));
                } else {
                    let wants_samples = difficulty.wants_samples;
                    self.settle(node, State::GivenUp(difficulty));
                    if wants_samples {
                        self.unknown.wait(node, key);
                    }
                }
            }
            (About::Ask { node, key, level, chase, .. }, Done::Postponed) => {
                self.put_back(node, key, level);
                self.left.extend(chase.map(|(trace, chase)| self.left_at(node, trace, chase)));
            }
            (About::Run { trace, origin, chase, after, how }, Done::Postponed) => {
                let input = self.traces[trace.0 as usize].input.clone();
                self.begun.remove(&hash(&input, chase));
                self.pending.push_back(Pending { origin, chase, after, how, ..Pending::new(input) });
            }
            (About::Prove(direction), Done::Contradicted(at, granted)) => {
                self.learn_proof(direction, (at, granted))
            }
            (About::Prove(direction), Done::Postponed) => self.put_back_proof(direction),
            (About::Prove(direction), Done::GaveUp(difficulty)) if difficulty.may_try_harder => {
                self.try_harder_to_prove(direction)
            }
            (About::Again | About::Try | About::Prove(_), _) => {}
            (About::Run { .. } | About::Ask { .. }, _) => {
                unreachable!("runs are run and questions are answered")
            }
        }
        Ok(())
    }

    /// A changed input that does something new: it becomes a test at once, its run with terms comes later.
    fn learn_mutant(&mut self, input: Input, observer: &mut dyn Observer) -> Result<(), Error> {
        let input = without_room(&input);
        let confirmed = match self.subject.confirm(&input) {
            // The program asks for something else than in the trial.
            Err(Error::BadValue { .. }) => return Ok(()),
            Err(error) => {
                self.could_not_run(NotRun::new(input, &error));
                return Ok(());
            }
            Ok(confirm) => Confirmed::new(confirm.grown.unwrap_or(input), confirm.run)?,
        };
        let is_test = self.keep(&confirmed, true, &[], observer);
        let shrunk = self.suite.tests.last().filter(|_| is_test).map(|test| test.input.clone());
        self.given.extend(is_test.then(|| confirmed.input.clone()));
        let input = shrunk.unwrap_or(confirmed.input);
        self.later.insert((!is_test, confirmed.fuel, self.progress.fruitful), input);
        Ok(())
    }

    /// Makes a run a test if it is worth it; whether it is.
    fn keep(
        &mut self,
        confirmed: &Confirmed,
        by_trials: bool,
        how: &[String],
        observer: &mut dyn Observer,
    ) -> bool {
        let is_test = self.suite.add(self.subject, confirmed);
        // Nobody else has it yet.
        if let (true, Some(test)) = (is_test, self.suite.tests.last_mut().map(Arc::make_mut)) {
            test.how = how.to_vec();
            let example =
                example(self.subject, test, self.stop).map(|example| Kept { how: how.to_vec(), ..example });
            shrink(self.subject, test, self.stop);
            if let Some(example) = example.and_then(|example| self.suite.exemplify(example)) {
                observer.found(example);
            }
            if let Some(test) = self.suite.tests.last() {
                self.corpus.learn_words(&test.input);
                observer.found(test);
            }
        }
        let before = self.progress.covered;
        self.count();
        self.balance.covered(self.progress.covered - before, by_trials);
        is_test
    }

    fn learn_run(
        &mut self,
        slot: usize,
        trace: TraceId,
        origin: Option<Origin>,
        ran: Ran,
        how: &[String],
        observer: &mut dyn Observer,
    ) {
        self.progress.runs += 1;
        self.refusal = None;
        self.unknown.refused(&ran.refused);
        self.had_terms(trace, ran.terms, ran.heaviest);
        self.used_vectors(&ran.into_vectors);
        self.progress.concretisations += ran.concretisations as u64;
        for (bound, _) in ran.bounds.iter() {
            *self.bounds.entry(bound).or_default() += 1;
            self.is_exact = false;
        }
        if let coax_execute::Outcome::Discarded { .. } = ran.confirmed.outcome {
            self.progress.discarded += 1;
        }
        self.implied.extend(&ran.implied);
        self.followed.add(self.subject, &ran);
        self.corpus.ran(&ran, self.subject.toward.as_ref());
        let more_room = with_more_room(&self.traces[trace.0 as usize].input, self.subject.symbols.longest);
        self.pending.extend(more_room.map(Pending::new));
        let grown = ran.is_grown.then(|| ran.confirmed.input.clone());
        self.pending.extend(grown.map(Pending::new));
        let suspects = ran.suspects.iter().cloned();
        let beside = ran
            .beside_error
            .iter()
            .filter(|_| self.suite.has_news_behind_error(self.subject, &ran.confirmed));
        let suspects = suspects.chain(beside.cloned());
        let suspects: Vec<Input> = suspects.collect();
        for input in suspects {
            self.suspected += 1;
            // Most fail at the checksum.
            let is_turn = self.suspected <= SUSPECTS || self.suspected.is_multiple_of(RARELY);
            if is_turn || !self.unknown.is_any() {
                self.pending.push_back(Pending { is_suspect: true, ..Pending::new(input) });
            }
        }
        let before = self.progress.covered;
        self.keep(&ran.confirmed, false, how, observer);
        let is_news = self.progress.covered > before || self.traces[trace.0 as usize].is_news;
        let subject = self.subject;
        let origin_node = origin.map(|it| it.0);
        self.came_to_end(trace, origin_node, &ran.choices, is_news);
        let Ran { choices, transitions, .. } = &ran;
        let run = RunOf { trace, choices, transitions, origin: origin_node, is_news };
        let inserted = self.tree.insert(run, self.options.max_nodes, &|choice| ways(subject, choice));
        // Whoever was not asked for has promised nothing: it may be odd, as where buffers are may depend on how long they are.
        let mut is_divergence = ran.differs;
        self.is_exact &= !inserted.is_odd;
        if let Some((origin, seen)) = origin {
            self.came_of_hope(origin, is_news);
            // A call of an unknown function that did not return, or showed that it is none, is counted as that.
            let is_cut_short = ran.is_cut_short || !ran.refused.is_empty();
            is_divergence |= inserted.at_origin.map_or(!is_cut_short, |way| way < seen);
            if self.tree.node(origin).state == State::Waiting {
                let is_cut_short = inserted.at_origin.is_none() && is_cut_short;
                self.settle(origin, if is_cut_short { State::CutShort } else { State::Diverged });
            }
        }
        self.is_exact &= !ran.reads_beyond;
        if is_divergence {
            self.progress.divergences += 1;
            self.is_exact = false;
        }
        if let Some(left) = inserted.left_at {
            self.remember(left, slot, trace, &ran.choices);
            self.reopen(left);
            if is_news && self.aim(left).is_some() {
                self.rich.push_back(left);
            }
        }
        for node in inserted.new {
            self.open(node);
        }
        self.note_tied(trace, &ran.choices, &ran.tied);
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
            State::Open => self.open(id),
            State::Unwanted | State::Forked => {}
            _ => self.release(id),
        }
    }

    /// A question that was not asked may be asked later, unless runs have gone all ways meanwhile.
    pub(super) fn put_back(&mut self, id: NodeId, key: ClassKey, level: usize) {
        if self.tree.node(id).state == State::Exhausted {
            return;
        }
        self.tree.node_mut(id).state = State::Open;
        match level {
            0 => self.open(id),
            _ => self.hard.push_back((id, key, level)),
        }
    }

    /// Puts a decision where it can be chosen.
    pub(super) fn open(&mut self, id: NodeId) {
        if self.tree.node(id).state != State::Open {
            return;
        }
        let (key, hope) = self.class(id);
        self.add_to_frontier(id, key, hope);
        let node = self.tree.node_mut(id);
        let trace = &mut self.traces[node.trace.0 as usize];
        trace.own.push(id);
        if !std::mem::replace(&mut node.is_counted, true) {
            trace.open += 1;
            self.open += 1;
        }
    }

    /// Nothing will be asked about a decision any more. If runs have gone all ways meanwhile that is so already.
    pub(super) fn settle(&mut self, id: NodeId, state: State) {
        if self.tree.node(id).state == State::Exhausted {
            return;
        }
        self.tree.node_mut(id).state = state;
        self.release(id);
    }

    fn release(&mut self, id: NodeId) {
        self.found_before.remove(&id);
        let node = self.tree.node_mut(id);
        if !std::mem::take(&mut node.is_counted) {
            return;
        }
        let trace = node.trace;
        let TraceData { slot, open, own, .. } = &mut self.traces[trace.0 as usize];
        self.open -= 1;
        *open -= 1;
        if *open == 0 {
            *own = Vec::new();
            self.slots[*slot].forget(trace);
        }
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
        Way::World(Question::Io, _) | Way::Value(_) | Way::Length(_) | Way::Kept { .. } => None,
        Way::Room(_) | Way::Fork(_) | Way::Shape(_) => None,
    }
}
