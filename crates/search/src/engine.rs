//! The engine: has strategies propose tasks, has workers perform them, learns runs and answers, and tells strategies.
//!
//! ```text
//! import ─▶ compose (strategies propose) ─▶ perform (workers) ─▶ journal ─▶ learn ─▶ tidy ─▶ again
//! ```

pub(crate) mod compose;
mod journaled;
mod learn;
#[cfg(test)]
mod tests;

use crate::approach::Approach;
use crate::arbiter::Arbiter;
use crate::assumed::Assumed;
use crate::early_ends::was_cut;
use crate::exploration::{Exploration, Pending};
use crate::findings::{Findings, Observer, StopReason};
use crate::journal::{Journal, Record};
use crate::pool::{Pool, Queue, stack_bytes};
use crate::reasons::{Explored, uncovered};
use crate::samples::Sample;
use crate::search::Search;
use crate::sending::Parcel;
use crate::slot::{Account, Slot, Tools};
use crate::strategies::strategies;
use crate::strategy::{Strategy, View};
use crate::suite::Suite;
use crate::task::{Done, Task};
use crate::{Options, Stop, Subject};
use coax_execute::{Error, Input, with_stack};
use coax_program::Site;
use compose::{Batch, Composer};
pub(crate) use journaled::Imported;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::Builder;

/// How many slots there are, whatever the number of threads, so that this changes nothing. Fewer would keep fewer threads busy; with more, a batch is larger, and
/// more of it is chosen without knowing of the rest: 300 runs of md4c's harness cover 834 branches with 8, 577 with 16, 547 with 32.
pub(crate) const SLOTS: usize = 8;

/// Searches for inputs that cover the program, beginning with these and with what earlier searches know of unknown functions.
pub fn search(
    subject: &Subject<'_>,
    seeds: Vec<Input>,
    samples: Vec<Sample>,
    options: &Options,
    stop: &Stop,
    journal: &mut dyn Journal,
    observer: &mut dyn Observer,
) -> Result<Findings, Error> {
    let by = strategies(subject.program, &|func| subject.is_in_scope(func), options);
    search_by(by, subject, (seeds, samples), options, stop, (journal, observer))
}

/// The same by certain strategies.
fn search_by<'p>(
    strategies: Vec<Box<dyn Strategy<'p>>>,
    subject: &Subject<'p>,
    (seeds, samples): (Vec<Input>, Vec<Sample>),
    options: &Options,
    stop: &Stop,
    (journal, observer): (&mut dyn Journal, &mut dyn Observer),
) -> Result<Findings, Error> {
    let queue = Queue::default();
    let no_thread = |error: std::io::Error| Error::Host(format!("a thread could not be started: {error}"));
    std::thread::scope(|scope| {
        let pool = Pool::start(scope, subject, &queue, stop, options.workers).map_err(no_thread)?;
        let stack = stack_bytes(&subject.limits);
        let lead = move || {
            let engine = Engine::new(strategies, subject, (options, stop), seeds, samples);
            with_stack(stack, || engine.lead(&pool, journal, observer))
        };
        let leader = Builder::new()
            .name("lead".into())
            .stack_size(stack)
            .spawn_scoped(scope, lead)
            .map_err(no_thread)?;
        leader.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

struct Engine<'s, 'p> {
    search: Search<'s, 'p>,
    exploration: Exploration,
    strategies: Vec<Box<dyn Strategy<'p>>>,
    arbiter: Arbiter,
    slots: Vec<Slot<'p>>,
    /// Where the next run is made.
    next_slot: usize,
    /// Samples that came from elsewhere and are not learned yet.
    samples: Vec<Sample>,
    /// How many inputs were made to look for memory errors.
    suspected: u64,
    /// Whether a batch had fewer runs than it would have without a limit.
    is_cut: bool,
}

impl<'s, 'p> Engine<'s, 'p> {
    fn new(
        strategies: Vec<Box<dyn Strategy<'p>>>,
        subject: &'s Subject<'p>,
        (options, stop): (&'s Options, &'s Stop),
        seeds: Vec<Input>,
        samples: Vec<Sample>,
    ) -> Self {
        let mut exploration = Exploration::new(subject, options.seed);
        exploration.queue.extend(seeds.iter().cloned().map(Pending::new));
        let search = Search::new(subject, options, stop, seeds);
        let tools = Arc::new(Tools::new(Arc::clone(&search.guards)));
        let new_slot =
            |_| Slot::new(options, Arc::clone(&subject.approach), Arc::clone(&tools), search.briefing());
        let slots = (0..SLOTS).map(new_slot).collect();
        Engine {
            search,
            exploration,
            strategies,
            arbiter: Arbiter::default(),
            slots,
            next_slot: 0,
            samples,
            suspected: 0,
            is_cut: false,
        }
    }

    /// Leads the search to its end.
    fn lead(
        mut self,
        pool: &Pool<'p>,
        journal: &mut dyn Journal,
        observer: &mut dyn Observer,
    ) -> Result<Findings, Error> {
        let mut last = Vec::new();
        let reason = loop {
            if let Some(reason) = self.reason_to_stop() {
                break reason;
            }
            let record = journal.next();
            let is_known = record.is_some();
            let imported = self.import(record.as_ref(), std::mem::take(&mut last), observer)?;
            let Some(batch) = self.compose_or_change(is_known)? else {
                last = if self.is_cut || is_known { Vec::new() } else { observer.last_imported() };
                match last.is_empty() {
                    false => continue,
                    true if self.is_cut => break StopReason::Runs,
                    true => break self.search.stop.reason().unwrap_or(StopReason::Complete),
                }
            };
            let batch = match record {
                Some(record) => self.with_answers(batch, record)?,
                None => batch,
            };
            let done =
                self.perform(pool, batch.tasks, (!is_known).then_some((journal, imported)), observer)?;
            self.learn_all(batch.about, done, observer)?;
            self.tidy()?;
            observer.progress(&self.search.standing());
        };
        self.finish_tasks(pool, observer)?;
        match self.search.health.take_refusal() {
            Some(error) => Err(error),
            None => Ok(self.finish(reason, observer)),
        }
    }

    /// Why the search is to end now, if it is.
    fn reason_to_stop(&self) -> Option<StopReason> {
        let Search { options, stop, progress, batches, .. } = &self.search;
        let is_enough = options.max_runs.is_some_and(|most| progress.runs >= most);
        stop.reason().filter(|_| *batches > 0).or(is_enough.then_some(StopReason::Runs))
    }

    fn view(&mut self) -> (View<'_, 's, 'p>, &mut Vec<Box<dyn Strategy<'p>>>) {
        let Engine { search, exploration, arbiter, strategies, .. } = self;
        (View { search, exploration, arbiter }, strategies)
    }

    /// What to do next. If nothing is left as calls are treated now, there may be something if they are treated otherwise.
    fn compose_or_change(&mut self, is_known: bool) -> Result<Option<Batch>, Error> {
        loop {
            let batch = self.compose(is_known);
            if batch.is_some() || self.is_cut {
                return Ok(batch);
            }
            let (mut view, strategies) = self.view();
            if !strategies.iter_mut().any(|strategy| strategy.nothing_is_left(&mut view)) {
                return Ok(None);
            }
            self.change_approach()?;
        }
    }

    /// What to do next; nothing if there is nothing left, or nothing that may be done. What an earlier search did may be done in any case.
    fn compose(&mut self, is_known: bool) -> Option<Batch> {
        let Engine { search, exploration, arbiter, strategies, slots, next_slot, is_cut, .. } = self;
        let mut view = View { search, exploration, arbiter };
        for strategy in strategies.iter_mut() {
            let more = slots.len().saturating_sub(view.exploration.queue.len());
            strategy.runs(&mut view, more);
        }
        loop {
            let most = view.search.options.max_runs.filter(|_| !is_known);
            let left = most.map_or(u64::MAX, |most| most.saturating_sub(view.search.progress.runs));
            let mut batch = Composer::new(slots, left);
            batch.take_runs(&mut view, next_slot);
            // What was found comes before what may be found.
            for (number, strategy) in strategies.iter_mut().enumerate() {
                batch.is_turn_of(number);
                strategy.finish(&mut batch);
            }
            for (number, strategy) in strategies.iter_mut().enumerate() {
                batch.is_turn_of(number);
                strategy.propose(&mut view, &mut batch);
            }
            let may_run = batch.may_run();
            let (batch, is_cut_now) = batch.finish();
            *is_cut |= is_cut_now;
            if batch.tasks.iter().any(|tasks| !tasks.is_empty()) {
                view.search.batches += 1;
                return Some(batch);
            }
            // Questions may have been answered before: what was found then is run next.
            if view.exploration.queue.is_empty() || !may_run {
                return None;
            }
        }
    }

    /// Has tasks performed. What comes of them is written down, with what came from elsewhere before, unless an earlier search has done that.
    fn perform(
        &mut self,
        pool: &Pool<'p>,
        tasks: Vec<Vec<Task>>,
        journal: Option<(&mut dyn Journal, Imported)>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Vec<Done>>, Error> {
        let parcels = observer.wants_parcels().then(|| self.parcels(&tasks)).transpose()?;
        let mut slots = std::mem::take(&mut self.slots);
        slots.iter_mut().for_each(|slot| slot.begin(self.search.briefing()));
        let (mut slots, done) = pool.perform(slots, tasks);
        let accounts: Vec<Account> = slots.iter_mut().map(Slot::take_account).collect();
        self.slots = slots;
        for ((parcel, done), account) in parcels.into_iter().flatten().zip(&done).zip(&accounts) {
            if !done.is_empty() {
                observer.performed(parcel.with(done, account)?);
            }
        }
        let mut cost = 0;
        for account in &accounts {
            cost += account.cost;
            self.search.progress.runs += account.again;
            self.search.progress.solver += account.asked;
        }
        let again = accounts.iter().map(|account| account.again).sum();
        self.search.unknown.gather(accounts.into_iter().map(|account| account.fresh).collect());
        let samples = std::mem::take(&mut self.samples);
        if let Some((journal, imported)) = journal {
            self.arbiter.worked(cost);
            self.is_cut |= was_cut(&done);
            if !self.is_cut && self.search.stop.reason().is_none() {
                let shown = self.search.unknown.shown_by_calls(&samples);
                let solver = self.search.progress.solver;
                journal.keep(Record::new(&done, imported, shown, again, cost, solver));
            }
        }
        self.search.unknown.learn(samples);
        Ok(done)
    }

    /// What slots are given, as bytes.
    fn parcels(&self, tasks: &[Vec<Task>]) -> Result<Vec<Parcel>, Error> {
        let briefing = self.search.briefing();
        let all = self.slots.iter().zip(tasks).enumerate();
        all.map(|(number, (slot, tasks))| Parcel::new(number, slot.upkeep(), &briefing, tasks)).collect()
    }

    /// After a batch.
    fn tidy(&mut self) -> Result<(), Error> {
        self.search.unknown.keep(self.search.options.max_samples);
        self.exploration.reopen_what_waits(&self.search);
        let (mut view, strategies) = self.view();
        strategies.iter_mut().for_each(|strategy| strategy.batch_is_over(&mut view));
        self.change_approach()?;
        self.search.progress.open = self.exploration.runs.open();
        self.search.progress.work = self.arbiter.all();
        let is_epoch = self.search.batches.is_multiple_of(self.search.options.epoch);
        for slot in &mut self.slots {
            match is_epoch {
                true => slot.begin_anew(),
                false => slot.tidy(),
            }
        }
        Ok(())
    }

    /// If calls are to be treated otherwise, another exploration begins, with what the search was given; tests follow in the end.
    fn change_approach(&mut self) -> Result<(), Error> {
        let Some(functions) = self.search.unknown.wanted() else { return Ok(()) };
        let Search { subject, options, unknown, given, .. } = &mut self.search;
        let approach = Approach::new(subject.program, &subject.engine, &functions, &unknown.joined)?;
        let approach = Arc::new(approach);
        self.slots.iter_mut().for_each(|slot| slot.change(Arc::clone(&approach)));
        unknown.change(approach, self.exploration.tree.paths);
        let before = std::mem::replace(&mut self.exploration, Exploration::new(subject, options.seed));
        let inputs = before.queue.into_inputs().chain(given.iter().cloned());
        self.exploration.queue.extend(inputs.map(Pending::new));
        let (mut view, strategies) = self.view();
        strategies.iter_mut().for_each(|strategy| strategy.begin_anew(&mut view));
        Ok(())
    }

    /// There are no more batches, but what was found last may still become tests.
    fn finish_tasks(&mut self, pool: &Pool<'p>, observer: &mut dyn Observer) -> Result<(), Error> {
        let mut batch = Composer::new(&self.slots, 0);
        for (number, strategy) in self.strategies.iter_mut().enumerate() {
            batch.is_turn_of(number);
            strategy.finish(&mut batch);
        }
        let (batch, _) = batch.finish();
        let done = self.perform(pool, batch.tasks, None, observer)?;
        self.learn_all(batch.about, done, observer)
    }

    fn finish(mut self, stop: StopReason, observer: &mut dyn Observer) -> Findings {
        for test in self.search.suite.minimise(self.search.subject) {
            observer.dropped(&test);
        }
        self.search.count(self.exploration.tree.paths);
        let Engine { search, exploration, .. } = self;
        // What an unknown function reads and writes with other arguments is known only where it was seen.
        let is_exact = search.health.is_exact && exploration.tree.dropped == 0 && !search.unknown.is_any();
        let is_complete = stop == StopReason::Complete && is_exact && exploration.tree.is_settled();
        let like = search.suite.first.as_ref();
        let unfollowed = search.unknown.unfollowed(search.subject.program);
        let proof = |site, direction| search.proved.get(&(site, direction)).cloned();
        let assumed =
            like.map(|like| Assumed::of(search.subject, like, search.suite.reads_stdin)).unwrap_or_default();
        let explored = Explored {
            assumed: &assumed,
            tree: &exploration.tree,
            implied: &exploration.implied,
            followed: &exploration.followed,
            given_up_before: &search.unknown.given_up_before,
            unfollowed: &unfollowed,
            proof: &proof,
        };
        let uncovered = uncovered(search.subject, like, &search.suite, &explored, is_complete);
        let coverage = &search.suite.regardless;
        let is_taken = |(site, direction): &&(Site, u32)| coverage.directions(*site)[*direction as usize];
        let contradicted = search.proved.keys().filter(is_taken).count() as u64;
        let Search { suite, progress, health, unknown, .. } = search;
        let Suite { tests, failures, achieved, regardless, .. } = suite;
        let (unknown, samples) = unknown.into_findings();
        Findings {
            stop,
            is_complete,
            is_cut_off: false,
            tests,
            failures,
            coverage: achieved.coverage.clone(),
            regardless,
            uncovered,
            assumed,
            progress,
            not_run: health.not_run,
            bounds: health.bounds,
            unknown,
            samples,
            contradicted,
        }
    }
}
