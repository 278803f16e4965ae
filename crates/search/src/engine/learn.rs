//! What is learned from what workers have done: runs and answers by the engine itself, the rest by the strategy that asked for it.

use super::Engine;
use super::compose::{About, EFFORTS};
use crate::achieved::Smaller;
use crate::exploration::{Intent, Origin, Pending, Question};
use crate::findings::{Kept, Observer};
use crate::strategy::{Event, Seen};
use crate::task::{Confirmed, Done, How, Ran, TraceId};
use crate::texts::with_more_room;
use coax_execute::{Error, Input, Outcome};
use std::sync::Arc;

/// Where functions are unknown, so many inputs that were made to look for memory errors are run, then one in so many.
const SUSPECTS: u64 = 64;
const THEN_ONE_IN: u64 = 16;

/// A run that was to be made.
struct Wanted {
    trace: TraceId,
    origin: Option<Origin>,
    intent: Option<Intent>,
    after: Option<Question>,
    how: Vec<String>,
}

impl Engine<'_, '_> {
    /// Learns what came of the tasks of a batch, in their order.
    pub(super) fn learn_all(
        &mut self,
        about: Vec<Vec<About>>,
        done: Vec<Vec<Done>>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        for (slot, (about, done)) in about.into_iter().zip(done).enumerate() {
            for (about, done) in about.into_iter().zip(done) {
                self.learn(slot, about, done, observer)?;
                // What nobody asks about any more takes no memory.
                for (slot, trace) in self.exploration.runs.take_settled() {
                    self.slots[slot].forget(trace);
                }
            }
        }
        Ok(())
    }

    fn learn(
        &mut self,
        slot: usize,
        about: About,
        done: Done,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        match about {
            About::Run { trace, origin, intent, after, how } => {
                let wanted = Wanted { trace, origin, intent, after, how };
                self.learn_about_run(slot, wanted, done, observer)
            }
            About::Ask { question, seen, intent } => self.learn_answer(question, seen, intent, done),
            // That there is no input says nothing about the decision.
            About::AskFor(intent) => match done {
                Done::Found(input, _) | Done::Step(input) => {
                    self.exploration.queue.push(Pending { intent: Some(intent), ..Pending::new(*input) });
                }
                _ => {}
            },
            About::Of { strategy, task } => self.learn_of(strategy, task, done, observer)?,
        }
        Ok(())
    }

    /// A strategy's own task.
    fn learn_of(
        &mut self,
        strategy: usize,
        task: u64,
        done: Done,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let (mut view, strategies) = self.view();
        let candidates = strategies[strategy].learn(&mut view, task, done)?;
        for mut candidate in candidates {
            let (confirmed, smaller) = (&candidate.confirmed, candidate.smaller.take());
            let test = self.keep(confirmed, smaller, true, &[], observer);
            let (mut view, strategies) = self.view();
            strategies[strategy].kept(&mut view, candidate, test.as_ref());
        }
        Ok(())
    }

    fn learn_about_run(&mut self, slot: usize, wanted: Wanted, done: Done, observer: &mut dyn Observer) {
        let Wanted { trace, origin, intent, after, how } = wanted;
        match done {
            Done::Ran(ran) => {
                self.learn_run(slot, (trace, origin, intent), *ran, &how, observer);
                self.exploration.runs.forget_if_settled(trace);
            }
            Done::Failed(error) => {
                self.search.progress.runs += 1;
                self.exploration.run_failed(origin);
                let input = Input::clone(&self.exploration.runs.get(trace).input);
                self.search.run_failed(input, error);
            }
            // There was no time.
            _ => {
                let input = Input::clone(&self.exploration.runs.get(trace).input);
                self.exploration.queue.put_back(Pending {
                    origin,
                    intent,
                    after,
                    how,
                    ..Pending::new(input)
                });
                return;
            }
        }
        if let Some(question) = after {
            self.exploration.after_step(question, &self.search);
        }
    }

    fn learn_run(
        &mut self,
        slot: usize,
        (trace, origin, intent): (TraceId, Option<Origin>, Option<Intent>),
        mut ran: Ran,
        how: &[String],
        observer: &mut dyn Observer,
    ) {
        let Engine { search, exploration, .. } = self;
        search.progress.runs += 1;
        search.health.ran(&ran.bounds);
        search.unknown.refused(&ran.refused);
        search.suite.reads_stdin |= ran.reads_stdin;
        search.progress.concretisations += ran.concretisations as u64;
        search.progress.discarded += u64::from(matches!(ran.confirmed.outcome, Outcome::Discarded { .. }));
        exploration.implied.extend(&ran.implied);
        exploration.followed.add(search.subject, &ran);
        let more_room = with_more_room(&exploration.runs.get(trace).input, search.subject.symbols.longest);
        exploration.queue.extend(more_room.map(Pending::new));
        let grown = ran.is_grown.then(|| ran.confirmed.input.clone());
        exploration.queue.extend(grown.map(Pending::new));
        self.add_suspects(&ran);
        let before = self.search.progress.covered;
        let smaller = ran.smaller.take();
        let test = self.keep(&ran.confirmed, smaller, false, how, observer);
        let Engine { search, exploration, slots, .. } = self;
        let goes_on = test.is_some_and(|test| !test.passes.is_empty());
        let is_news = search.progress.covered > before || goes_on || exploration.runs.get(trace).is_news;
        search.came_to_end(exploration, (trace, origin.map(|it| it.0)), &ran.choices, is_news);
        let slot = &slots[slot];
        let condition = |place: usize| slot.condition(trace, place);
        let shown = exploration.learn((trace, origin), (&ran, is_news), &condition, search);
        search.progress.divergences += u64::from(shown.is_divergence);
        search.health.is_exact &= !shown.is_odd && !shown.is_divergence && !ran.reads_beyond;
        self.tell(&Event::Ran(Seen { trace, intent, ran: &ran }));
    }

    /// Inputs that go the same way, but may access what they should not, are run.
    fn add_suspects(&mut self, ran: &Ran) {
        let Engine { search, exploration, suspected, .. } = self;
        let has_news = || search.suite.has_news_behind_error(search.subject, &ran.confirmed);
        let beside = ran.beside_error.iter().filter(|_| has_news());
        for input in ran.suspects.iter().chain(beside) {
            *suspected += 1;
            // Most fail at the checksum.
            let is_turn = *suspected <= SUSPECTS || suspected.is_multiple_of(THEN_ONE_IN);
            if is_turn || !search.unknown.is_any() {
                exploration.queue.push(Pending { is_suspect: true, ..Pending::new(input.clone()) });
            }
        }
    }

    /// Makes a run a test if it is worth it.
    fn keep(
        &mut self,
        confirmed: &Confirmed,
        smaller: Option<Box<Smaller>>,
        by_trials: bool,
        how: &[String],
        observer: &mut dyn Observer,
    ) -> Option<Arc<Kept>> {
        let Engine { search, exploration, arbiter, .. } = self;
        let before = search.progress.covered;
        let tests = search.suite.add(search.subject, confirmed, smaller, how);
        search.count(exploration.tree.paths);
        arbiter.covered(search.progress.covered - before, by_trials);
        tests.iter().for_each(|test| observer.found(test));
        let test = tests.into_iter().next_back()?;
        self.tell(&Event::Test(&test));
        Some(test)
    }

    fn learn_answer(
        &mut self,
        question: Question,
        seen: usize,
        intent: Option<(TraceId, Intent)>,
        done: Done,
    ) {
        self.tell(&Event::Answered { question, intent, done: &done });
        let Engine { search, exploration, .. } = self;
        let node = question.node;
        match done {
            Done::Found(input, How { words: how, runs, passed, only_in_length, .. }) => {
                search.progress.runs += u64::from(runs);
                exploration.queue.extend(passed.into_iter().map(Pending::new));
                if intent.is_none() && exploration.can_wait(node, only_in_length, search) {
                    exploration.postpone(question, seen, *input, search);
                    return;
                }
                let intent =
                    intent.map(|(_, intent)| intent).or_else(|| exploration.after_value(node, search));
                let origin = Some((node, seen));
                exploration.queue.push(Pending { origin, intent, how, ..Pending::new(*input) });
            }
            Done::Step(input) => exploration.step(question, intent.map(|(_, intent)| intent), *input),
            Done::Proved => exploration.proved(question),
            Done::Missed => exploration.missed(question, search),
            Done::GaveUp(difficulty) => {
                if exploration.gave_up(question, difficulty, EFFORTS.len()) {
                    exploration.wait_for_samples(question, search.unknown.known());
                }
            }
            // There was no time.
            _ => exploration.put_back(question, search),
        }
    }

    /// Tells strategies what happened.
    fn tell(&mut self, event: &Event<'_>) {
        let (mut view, strategies) = self.view();
        strategies.iter_mut().for_each(|strategy| strategy.saw(&mut view, event));
    }
}
