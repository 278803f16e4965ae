//! The loop: choose tasks, have them done, learn from what came of them.

mod around;
mod ask;
pub(crate) mod balance;
mod chase;
mod climb;
mod demote;
mod hope;
mod join;
mod learn;
mod not_run;
mod promote;
mod prove;
mod tied;
mod unknown;
mod vectors;

use crate::assumed::Assumed;
use crate::choice::Way;
use crate::findings::{Findings, NotRun, Observer, Progress, Standing, StopReason};
use crate::followed::Followed;
use crate::frontier::{ClassKey, Frontier};
use crate::guards::Guards;
use crate::journal::{Answered, Journal, Record};
use crate::mutate::{Corpus, dictionary};
use crate::pool::{Pool, Queue, stack_bytes};
use crate::reasons::{Explored, uncovered};
use crate::samples::Sample;
use crate::slot::{Asked, Slot};
use crate::suite::Suite;
use crate::task::{Done, Suspects, Task, TraceId};
use crate::texts::with_room;
use crate::tree::{NodeId, Tree};
use crate::{Options, Stop, Subject};
use balance::Balance;
use chase::{Chase, Left};
use climb::Ends;
use coax_execute::{Bound, Error, Input, with_stack};
use coax_term::{Term, Terms};
use join::Joining;
use promote::Troubles;
use prove::Proofs;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::Builder;
use tied::TiedBranches;
use unknown::UnknownFunctions;

/// How many slots there are: more would share less, fewer would keep fewer threads busy.
const SLOTS: usize = 8;
/// What a slot runs in a batch at most.
const RUNS: usize = 4;
/// What a question may cost when it is asked first, and when it is asked again because that was not enough.
const EFFORTS: [u64; 3] = [30_000, 150_000, 1_000_000];
/// No batch has more questions that were too hard before: each may take as long as all else.
const HARD: usize = 2;
/// One in so many batches changes inputs at random when all is covered: there may be failures.
const RARELY: u64 = 16;
/// What a question costs its class beside its turn if nothing was found.
const IN_VAIN: u64 = 2;
/// How many values of one term that is no longer one are tried.
const MOST_VALUES: usize = 256;
/// The lengths of inputs that are tried first: enough for most of what can happen, then the small ones.
pub(crate) const LENGTHS: [u64; 10] = [16, 64, 1, 4, 256, 2, 8, 32, 128, 3];

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
    let queue = Queue::default();
    let no_thread = |error: std::io::Error| Error::Host(format!("a thread could not be started: {error}"));
    std::thread::scope(|scope| {
        let pool = Pool::start(scope, subject, &queue, stop, options.workers).map_err(no_thread)?;
        let stack = stack_bytes(&subject.limits);
        let work = move || {
            with_stack(stack, || lead(subject, (seeds, samples), options, stop, &pool, journal, observer))
        };
        let leader = Builder::new().stack_size(stack).spawn_scoped(scope, work).map_err(no_thread)?;
        leader.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Leads the search, on a thread that can make runs itself.
fn lead<'p>(
    subject: &Subject<'p>,
    (seeds, mut samples): (Vec<Input>, Vec<Sample>),
    options: &Options,
    stop: &Stop,
    pool: &Pool<'p>,
    journal: &mut dyn Journal,
    observer: &mut dyn Observer,
) -> Result<Findings, Error> {
    let mut engine = Engine::new(subject, options, stop, seeds);
    let mut last = Vec::new();
    let reason = loop {
        if let Some(reason) = stop.reason()
            && engine.batches > 0
        {
            break reason;
        }
        if options.max_runs.is_some_and(|most| engine.progress.runs >= most) {
            break StopReason::Runs;
        }
        let known = journal.next();
        let is_known = known.is_some();
        let is_after_all = known.as_ref().map_or(!last.is_empty(), |known| known.is_after_all);
        if is_known && is_after_all && engine.compose_or_follow(true)?.is_some() {
            return Err(odd_journal());
        }
        let imported = match &known {
            Some(known) => known.imported.clone(),
            None => last.drain(..).chain(observer.imported()).collect(),
        };
        engine.pending.extend(imported.iter().cloned().map(Pending::new));
        engine.given.extend(imported.iter().cloned());
        if let Some(known) = &known {
            // What the earlier search began with, and what direct calls have shown since.
            samples = known.samples.clone();
            engine.unknown.called(&known.direct_calls);
        }
        let Some(batch) = engine.compose_or_follow(is_known)? else {
            last = if engine.is_cut || is_known { Vec::new() } else { observer.last_imported() };
            match last.is_empty() {
                false => continue,
                true if engine.is_cut => break StopReason::Runs,
                true => break stop.reason().unwrap_or(StopReason::Complete),
            }
        };
        let batch = match known {
            Some(record) => engine.with_answers(batch, record)?,
            None => batch,
        };
        let mut slots = std::mem::take(&mut engine.slots);
        engine.unknown.share(&mut slots);
        let (slots, done) = pool.perform(slots, batch.tasks, engine.batches == 1);
        engine.slots = slots;
        engine.is_cut |= !is_known && Engine::was_cut(&done);
        engine.count_questions();
        engine.gather();
        let cost = engine.slots.iter_mut().map(Slot::take_cost).sum();
        if !is_known {
            engine.balance.worked(cost);
        }
        if !is_known && !engine.is_cut && stop.reason().is_none() {
            let is_again = |about: &&About| matches!(about, About::Again);
            let again = batch.about.iter().flatten().filter(is_again).count() as u64;
            let is_kept = |slot: usize, task: usize| !matches!(batch.about[slot][task], About::Again);
            let shown = engine.unknown.shown_by_calls(&samples);
            let imported = (imported, is_after_all);
            journal.keep(Record::new(&done, &is_kept, imported, shown, again, cost, engine.progress.solver));
        }
        engine.unknown.learn(std::mem::take(&mut samples));
        for (slot, (about, done)) in batch.about.into_iter().zip(done).enumerate() {
            for (about, done) in about.into_iter().zip(done) {
                engine.learn(slot, about, done, observer)?;
            }
        }
        engine.tidy()?;
        observer.progress(&engine.standing());
    };
    match engine.refusal.take() {
        Some(error) => Err(error),
        None => Ok(engine.finish(reason, observer)),
    }
}

fn odd_journal() -> Error {
    Error::Host("what an earlier search wrote down does not fit; name another directory with `--out`".into())
}

/// An input that waits to be run.
struct Pending {
    input: Input,
    /// The decision at which it is to go another way, and how many ways were known there.
    origin: Option<Origin>,
    /// Which way it is to go, though it does not promise to.
    chase: Option<Chase>,
    /// A question that is asked again after it, of this class and for the so manieth time.
    after: Option<(NodeId, ClassKey, usize)>,
    /// How it was found, if that is worth telling.
    how: Vec<String>,
    /// Whether it was made to look for a memory error.
    is_suspect: bool,
    /// Whether a trial of it has shown something new.
    is_news: bool,
}

impl Pending {
    /// Nothing is expected of it.
    fn new(input: Input) -> Pending {
        let (origin, chase, after, how) = (None, None, None, Vec::new());
        Pending { input, origin, chase, after, how, is_suspect: false, is_news: false }
    }
}

/// Stands for an input, and for where it is to go.
fn hash(input: &Input, chase: Option<Chase>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (input, chase.map(|chase| chase.goal().number())).hash(&mut hasher);
    hasher.finish()
}

/// A decision, and how many of its ways a new run must not go.
type Origin = (NodeId, usize);

/// What is known of a run.
struct TraceData {
    slot: usize,
    input: Input,
    /// See [`Pending::is_news`].
    is_news: bool,
    /// How many runs in a row, the last of them this one, were to pass an early end and came to another.
    early_ends: u32,
    /// Its decisions that no run before came to, as far as there may be something to ask about them.
    own: Vec<NodeId>,
    /// How many of them are not settled.
    open: u32,
}

/// What a task is for.
enum About {
    /// A new run.
    Run {
        trace: TraceId,
        origin: Option<Origin>,
        chase: Option<Chase>,
        after: Option<(NodeId, ClassKey, usize)>,
        how: Vec<String>,
    },
    /// A run whose path was forgotten.
    Again,
    /// Trials of changed inputs.
    Try,
    /// Whether anything takes a direction of a branch.
    Prove(prove::Direction),
    /// A question whose answer promises nothing, and is to go this way.
    Chase(Chase),
    /// A question about a decision at which so many ways were known, of this class, asked for the so manieth time.
    Ask { node: NodeId, seen: usize, key: ClassKey, level: usize, chase: Option<(TraceId, Chase)> },
}

/// The tasks of a batch by slots, and what they are for.
struct Batch {
    tasks: Vec<Vec<Task>>,
    about: Vec<Vec<About>>,
}

struct Engine<'s, 'p> {
    subject: &'s Subject<'p>,
    options: &'s Options,
    stop: &'s Stop,
    slots: Vec<Slot<'p>>,
    unknown: UnknownFunctions<'p>,
    troubles: Troubles<'p>,
    proofs: Option<Proofs>,
    guards: Arc<Guards>,
    ends: Ends,
    tree: Tree,
    frontier: Frontier,
    suite: Suite,
    corpus: Corpus,
    balance: Balance,
    batches: u64,
    /// Whether a batch had fewer runs than it would have without a limit.
    is_cut: bool,
    pending: VecDeque<Pending>,
    /// The inputs that were run in this tree, or are about to be, by their hashes.
    begun: BTreeSet<u64>,
    /// How many inputs were made to look for memory errors.
    suspected: u64,
    /// How often going another way at a decision led to nothing new, by where it is and where the run decided next.
    in_vain: BTreeMap<(u32, u32), u32>,
    /// The questions that no input answers, by where they are and [`crate::choice::Choice::question`].
    unanswered: BTreeSet<(u32, u64)>,
    /// Answers that can wait, with how many ways of the decision were known.
    found_before: BTreeMap<NodeId, (usize, Input)>,
    /// Inputs that solvers did not find: seeds, those from elsewhere, and tests that trials have found.
    given: Vec<Input>,
    /// Inputs that trials have found and that were not run with terms yet: tests first, for they come where nobody was, then by what that costs, about, and their number.
    later: BTreeMap<(bool, u64, u64), Input>,
    /// Decisions at which runs have left the ways that they were to go: they are asked about before all others.
    left: VecDeque<Left>,
    /// Branches that values keep from going another way.
    tied: TiedBranches,
    /// Decisions at which something was found that nobody had covered, and where there may be more of it.
    rich: VecDeque<NodeId>,
    /// Whether a question was too hard.
    is_hard: bool,
    /// Questions that were too hard, with how often they were asked.
    hard: VecDeque<(NodeId, ClassKey, usize)>,
    traces: Vec<TraceData>,
    /// How many decisions are open.
    open: u64,
    next_slot: usize,
    /// What solvers of an earlier search were asked.
    asked_before: Asked,
    progress: Progress,
    bounds: BTreeMap<Bound, u64>,
    /// Conditions of decisions with more than two ways, which slots exchange.
    shared: Terms,
    conditions: BTreeMap<NodeId, Vec<(Way, Term)>>,
    /// The places of decisions that earlier decisions of their paths had taken already.
    implied: BTreeSet<u32>,
    /// What was said where questions were given up as long as a function was unknown that is followed now.
    given_up_before: BTreeMap<u32, String>,
    /// Where the runs of this tree came.
    followed: Followed,
    /// The functions whose ways are joined.
    joining: Joining,
    /// Inputs that could not be run, and why the first of them could not; forgotten once one could.
    not_run: Vec<NotRun>,
    refusal: Option<Error>,
    /// Whether all that happened was as it should be: otherwise nothing is proved by having explored everything.
    is_exact: bool,
}

impl<'s, 'p> Engine<'s, 'p> {
    fn new(subject: &'s Subject<'p>, options: &'s Options, stop: &'s Stop, seeds: Vec<Input>) -> Self {
        let counts = coax_execute::Coverage::new(subject.program)
            .counts(subject.program, |func| subject.is_in_scope(func));
        let guards = Arc::new(Guards::of(subject.program));
        let slot = |_| Slot::new(options, Arc::clone(&subject.approach), Arc::clone(&guards));
        Engine {
            subject,
            options,
            stop,
            slots: (0..SLOTS).map(slot).collect(),
            unknown: UnknownFunctions::new(Arc::clone(&subject.approach)),
            troubles: Troubles::default(),
            proofs: None,
            guards,
            ends: Ends::default(),
            tree: Tree::default(),
            frontier: Frontier::new(options.seed),
            suite: Suite::new(subject),
            corpus: Corpus::new(dictionary(subject.program, |func| subject.is_in_scope(func)), options.seed),
            balance: Balance::default(),
            batches: 0,
            is_cut: false,
            pending: seeds.iter().cloned().map(Pending::new).collect(),
            begun: BTreeSet::new(),
            suspected: 0,
            in_vain: BTreeMap::new(),
            unanswered: BTreeSet::new(),
            found_before: BTreeMap::new(),
            given: seeds,
            later: BTreeMap::new(),
            left: VecDeque::new(),
            tied: TiedBranches::default(),
            rich: VecDeque::new(),
            is_hard: false,
            hard: VecDeque::new(),
            traces: Vec::new(),
            open: 0,
            next_slot: 0,
            asked_before: Asked::default(),
            progress: Progress { total: counts.branches.total, ..Progress::default() },
            bounds: BTreeMap::new(),
            shared: Terms::new(),
            conditions: BTreeMap::new(),
            implied: BTreeSet::new(),
            given_up_before: BTreeMap::new(),
            followed: Followed::new(subject.program),
            joining: Joining::new(subject.approach.joined.clone()),
            not_run: Vec::new(),
            refusal: None,
            is_exact: true,
        }
    }

    /// What to do next. If nothing is left as long as functions are unknown, there may be something once they are followed.
    fn compose_or_follow(&mut self, is_known: bool) -> Result<Option<Batch>, Error> {
        loop {
            let batch = self.compose(is_known);
            if batch.is_some() || self.is_cut || self.progress.covered == self.progress.total {
                return Ok(batch);
            }
            if self.retrace() {
                continue;
            }
            let is_there_more = self.unknown.follow_those_that_refused()
                || self.follow_uncovered()
                || self.follow_one_more()?;
            if !is_there_more {
                return Ok(None);
            }
            self.change_approach()?;
        }
    }

    /// What to do next; nothing if there is nothing left, or nothing that may be done. What an earlier search did may be done in any case.
    fn compose(&mut self, is_known: bool) -> Option<Batch> {
        let mut batch = Batch {
            tasks: (0..SLOTS).map(|_| Vec::new()).collect(),
            about: (0..SLOTS).map(|_| Vec::new()).collect(),
        };
        // Of those that are no tests what is short comes first: it tells as much and costs less.
        let more = SLOTS.saturating_sub(self.pending.len());
        let mut later = std::iter::from_fn(|| self.later.pop_first());
        let later =
            later.by_ref().take(more).map(|(_, input)| Pending { is_news: true, ..Pending::new(input) });
        self.pending.extend(later);
        let most = self.options.max_runs.filter(|_| !is_known);
        let left = most.map_or(u64::MAX, |most| most.saturating_sub(self.progress.runs));
        let taken = self.take_pending((SLOTS * RUNS).min(usize::try_from(left).unwrap_or(usize::MAX)));
        let runs = taken.len();
        // A search that may run more would go on otherwise from here.
        self.is_cut |= runs as u64 == left && !self.pending.is_empty();
        for Pending { input, origin, chase, after, how, is_suspect, is_news } in taken {
            let trace = TraceId(self.traces.len() as u32);
            let slot = self.next_slot;
            self.next_slot = (slot + 1) % SLOTS;
            let (early_ends, own) = (0, Vec::new());
            let input_of = input.clone();
            self.traces.push(TraceData { slot, input: input_of, is_news, early_ends, own, open: 0 });
            // A checksum reads everything: each suspect would lead to another that is a byte shorter.
            let suspects = match is_suspect && self.unknown.is_any() {
                true => Suspects::Known(Vec::new(), Vec::new()),
                false => Suspects::Wanted { is_suspect },
            };
            batch.tasks[slot].push(Task::Run { trace, input: Box::new(input), suspects });
            batch.about[slot].push(About::Run { trace, origin, chase, after, how });
        }
        let mut left = left - runs as u64;
        let groups = if self.pending.is_empty() { SLOTS } else { 0 };
        let mut hard = HARD;
        self.look_behind_ends();
        self.ask_where_left(&mut batch, &mut left);
        self.ask_about_tied(&mut batch, &mut left);
        for _ in 0..groups {
            let Some((node, key, level)) = self.next_question(&mut hard) else { break };
            let mut group = if level == 0 { self.companions(node, key) } else { Vec::new() };
            group.push((node, key, level));
            // In the order of the path, each question's assumptions begin with those of the one before.
            group.sort();
            for (node, key, level) in group {
                self.ask(&mut batch, (node, key, level), None, &mut left);
            }
        }
        self.add_proofs(&mut batch);
        if batch.tasks.iter().all(|tasks| tasks.is_empty()) {
            // Questions may have been answered before: what was found then is run next.
            return if self.pending.is_empty() || left == 0 { None } else { self.compose(is_known) };
        }
        self.batches += 1;
        let is_covered = self.progress.covered == self.progress.total;
        let is_rare = is_covered && !self.batches.is_multiple_of(RARELY);
        let is_begun = self.batches > self.options.batches_before_mutation || self.is_hard;
        if self.options.mutate && is_begun && !is_rare {
            let work = self.balance.due() / SLOTS as u64;
            for (slot, plan) in self.corpus.plans(SLOTS, work).into_iter().enumerate() {
                batch.tasks[slot].push(Task::Try(plan));
                batch.about[slot].push(About::Try);
            }
        }
        Some(batch)
    }

    /// The next inputs to run, at most so many. One that ran would go the same way again; but whoever asked a question is told what came of it.
    fn take_pending(&mut self, most: usize) -> Vec<Pending> {
        let mut taken = Vec::new();
        while taken.len() < most
            && let Some(mut next) = self.pending.pop_front()
        {
            let is_answer = next.origin.is_some() || next.after.is_some();
            if !is_answer {
                next.input = with_room(next.input, self.subject.symbols.longest);
            }
            if self.begun.insert(hash(&next.input, next.chase)) || is_answer {
                taken.push(next);
            }
        }
        taken
    }

    fn count(&mut self) {
        let counts = self.suite.coverage.counts(self.subject.program, |func| self.subject.is_in_scope(func));
        self.progress.covered = counts.branches.covered;
        self.progress.paths = self.unknown.paths_before + self.tree.paths;
        self.progress.tests = self.suite.tests.len() as u64;
        self.progress.failures = self.suite.failures.len() as u64;
    }

    fn tidy(&mut self) -> Result<(), Error> {
        self.reopen_what_waits();
        self.look_into_troubles()?;
        self.look_into_earlier();
        self.look_into_vectors();
        self.take_turns()?;
        self.join_covered();
        self.change_approach()?;
        self.progress.open = self.open;
        let is_epoch = self.batches.is_multiple_of(self.options.epoch);
        for slot in &mut self.slots {
            match is_epoch {
                true => slot.begin_anew(),
                false => slot.tidy(),
            }
        }
        Ok(())
    }

    fn standing(&self) -> Standing<'_> {
        let Engine { progress, suite, bounds, unknown, .. } = self;
        Standing { progress, failures: &suite.failures, bounds, unknown: unknown.all() }
    }

    fn count_questions(&mut self) {
        self.progress.solver = self.asked_before;
        for slot in &self.slots {
            self.progress.solver += slot.asked();
        }
    }

    /// The batch with what an earlier search learned from it, as far as that was written down.
    fn with_answers(&mut self, batch: Batch, record: Record) -> Result<Batch, Error> {
        let (answers, again, cost, solver) = record.into_parts();
        self.progress.runs += again;
        self.balance.worked(cost);
        self.asked_before = solver;
        if answers.len() != batch.tasks.len() {
            return Err(odd_journal());
        }
        let mut tasks = Vec::new();
        for ((of_slot, about), answers) in batch.tasks.into_iter().zip(&batch.about).zip(answers) {
            let mut answers = answers.into_iter();
            let mut known = Vec::new();
            for (task, about) in of_slot.into_iter().zip(about) {
                known.push(match (task, about) {
                    (_, About::Again) => Task::Known(Done::Postponed),
                    (task, _) => match (task, answers.next().ok_or_else(odd_journal)?) {
                        (Task::Try(plan), Answered::Tried { count, mutants, failed }) => {
                            Task::TryAgain { plan, count, mutants, failed }
                        }
                        (Task::Run { trace, input, .. }, Answered::Suspects(known, beside)) => {
                            Task::Run { trace, input, suspects: Suspects::Known(known, beside) }
                        }
                        (Task::Run { trace, input, .. }, Answered::Failed) => {
                            Task::Run { trace, input, suspects: Suspects::Unwanted }
                        }
                        (Task::Ask { .. }, Answered::Found(input, how)) => {
                            Task::Known(Done::Found(input, how))
                        }
                        (Task::Ask { .. }, Answered::Step(input)) => Task::Known(Done::Step(input)),
                        (Task::Ask { .. }, Answered::Proved) => Task::Known(Done::Proved),
                        (Task::Prove(..), Answered::Contradicted(at, granted)) => {
                            Task::Known(Done::Contradicted(at, granted))
                        }
                        (Task::Ask { .. }, Answered::Missed) => Task::Known(Done::Missed),
                        (Task::Ask { .. } | Task::Prove(..), Answered::GaveUp(difficulty)) => {
                            Task::Known(Done::GaveUp(difficulty))
                        }
                        (Task::Ask { .. } | Task::Prove(..), Answered::Postponed) => {
                            Task::Known(Done::Postponed)
                        }
                        _ => return Err(odd_journal()),
                    },
                });
            }
            tasks.push(known);
        }
        Ok(Batch { tasks, about: batch.about })
    }

    fn finish(mut self, stop: StopReason, observer: &mut dyn Observer) -> Findings {
        for test in self.suite.minimise(self.subject) {
            observer.dropped(&test);
        }
        self.count();
        // What an unknown function reads and writes with other arguments is known only where it was seen.
        let is_exact = self.is_exact && self.tree.dropped == 0 && !self.unknown.is_any();
        let is_complete = stop == StopReason::Complete && is_exact && self.tree.is_settled();
        let like = self.traces.first().map(|trace| &trace.input);
        let unfollowed = self.unknown.unfollowed(self.subject.program);
        let proofs = &self.proofs;
        let proof = |site, direction| proofs.as_ref().and_then(|proofs| proofs.of(site, direction));
        let reads_stdin = self.corpus.reads_stdin();
        let assumed = like.map(|like| Assumed::of(self.subject, like, reads_stdin)).unwrap_or_default();
        let explored = Explored {
            assumed: &assumed,
            tree: &self.tree,
            implied: &self.implied,
            followed: &self.followed,
            given_up_before: &self.given_up_before,
            unfollowed: &unfollowed,
            proof: &proof,
        };
        let uncovered = uncovered(self.subject, like, &self.suite, &explored, is_complete);
        let contradicted = proofs.as_ref().map_or(0, |proofs| proofs.contradicted_by(&self.suite.regardless));
        let Suite { tests, failures, coverage, regardless, .. } = self.suite;
        let (progress, bounds, not_run) = (self.progress, self.bounds, self.not_run);
        let (unknown, samples) = self.unknown.into_findings();
        Findings {
            stop,
            is_complete,
            is_cut_off: false,
            tests,
            failures,
            coverage,
            regardless,
            uncovered,
            assumed,
            progress,
            not_run,
            bounds,
            unknown,
            samples,
            contradicted,
        }
    }
}
