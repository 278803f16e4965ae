//! A slot: an arena, a solver stack, and the traces of the inputs that ran in it. Whoever does its tasks touches nothing else.

mod account;
mod aim;
mod ask;
mod beside_error;
mod bridge;
mod climb;
mod fixed;
mod known;
mod modest;
mod prove;
mod questions;
mod splice;
mod sweep;
mod trace;
mod unknown;
mod words;

use crate::achieved::Achieved;
use crate::approach::{Approach, Imprecision};
use crate::arbiter;
use crate::backward::Graph;
use crate::briefing::Briefing;
use crate::findings::NotRun;
use crate::guards::Guards;
use crate::mutate::Tried;
use crate::probe::Probed;
use crate::strategies::watch::Watcher;
use crate::subject::Confirm;
use crate::task::{Confirmed, Difficulty, Done, Suspects, Task, TraceId};
use crate::texts::without_room;
use crate::{Options, Stop, Subject, mutate};
pub use account::Asked;
pub(crate) use account::{Account, Upkeep};
use bridge::{Answering, bridge};
use coax_execute::{Error, Input};
use coax_solve::{Answer, Budget, Counts, Layer, Query, Stack, StackOptions};
use coax_term::{Functions, Term, Terms};
use known::Known;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use trace::Trace;

/// What the questions of a batch may cost together, in a slot: then the rest waits, so that no slot keeps the others waiting for long.
const BATCH_EFFORT: u64 = 50_000;

/// What all slots share, made when it is needed.
pub(crate) struct Tools<'p> {
    pub(crate) guards: Arc<Guards>,
    /// The program, seen from behind.
    graph: OnceLock<Graph<'p>>,
    /// The program with every call watched.
    watcher: Watcher<'p>,
}

impl Tools<'_> {
    pub(crate) fn new(guards: Arc<Guards>) -> Self {
        Tools { guards, graph: OnceLock::new(), watcher: Watcher::default() }
    }
}

/// Where tasks are done.
pub(crate) struct Slot<'p> {
    approach: Arc<Approach<'p>>,
    tools: Arc<Tools<'p>>,
    terms: Terms,
    stack: Stack,
    /// Where solvers ask for real values of unknown functions.
    answering: Answering,
    traces: BTreeMap<TraceId, Trace>,
    /// Terms before it begins anew.
    max_terms: usize,
    /// What solvers of earlier arenas were asked.
    earlier: Asked,
    probed: Probed,
    modesty: modest::Modesty,
    imprecision: Imprecision,
    /// What is known of unknown functions.
    known: Known,
    /// What runs of earlier batches have achieved, and those of this slot in this one.
    achieved: Arc<Achieved>,
    /// See [`Briefing`].
    wanted: Arc<BTreeSet<(u32, u32)>>,
    is_first: bool,
    /// Runs whose paths it had forgotten.
    again: u64,
    /// What its runs and questions have cost ([`arbiter`]).
    cost: u64,
    /// What solvers were asked before the batch.
    asked_before: Asked,
    upkeep: Upkeep,
}

impl<'p> Slot<'p> {
    pub(crate) fn new(
        options: &Options,
        approach: Arc<Approach<'p>>,
        tools: Arc<Tools<'p>>,
        briefing: Briefing,
    ) -> Slot<'p> {
        let (stack, answering) = new_stack(&approach);
        let Briefing { samples, achieved, wanted, is_first, .. } = briefing;
        Slot {
            approach,
            tools,
            terms: Terms::new(),
            stack,
            answering,
            traces: BTreeMap::new(),
            max_terms: options.max_terms,
            earlier: Asked::default(),
            probed: Probed::default(),
            modesty: Default::default(),
            imprecision: options.imprecision,
            known: Known { may_call: options.direct_calls, samples, ..Known::default() },
            achieved,
            wanted,
            is_first,
            again: 0,
            cost: 0,
            asked_before: Asked::default(),
            upkeep: Upkeep::anew(),
        }
    }

    /// Other functions are unknown from now on.
    pub(crate) fn change(&mut self, approach: Arc<Approach<'p>>) {
        self.approach = approach;
        self.begin_anew();
    }

    /// A batch begins.
    pub(crate) fn begin(&mut self, briefing: Briefing) {
        let Briefing { samples, achieved, wanted, is_first, .. } = briefing;
        self.known.samples = samples;
        (self.achieved, self.wanted, self.is_first) = (achieved, wanted, is_first);
    }

    /// A batch is over; whoever merges what was learned is the only one that has what was known before.
    pub(crate) fn take_account(&mut self) -> Account {
        self.known.samples = Arc::default();
        let asked = self.asked();
        Account {
            fresh: std::mem::take(&mut self.known.fresh),
            again: std::mem::take(&mut self.again),
            cost: std::mem::take(&mut self.cost),
            asked: asked.since(std::mem::replace(&mut self.asked_before, asked)),
        }
    }

    /// The condition of a decision of a trace that is still here, with its arena.
    pub(crate) fn condition(&self, trace: TraceId, place: usize) -> Option<(&Terms, Term)> {
        Some((&self.terms, *self.traces.get(&trace)?.conditions.get(place)?))
    }

    /// Whether questions about a trace can be asked here.
    pub(crate) fn has(&self, trace: TraceId) -> bool {
        self.traces.contains_key(&trace)
    }

    /// What was asked in it.
    fn asked(&self) -> Asked {
        let mut all = self.earlier;
        all += asked(&self.stack);
        all
    }

    /// What became of its memory since it last had something to do.
    pub(crate) fn upkeep(&self) -> &Upkeep {
        &self.upkeep
    }

    /// Does with its memory what another has done.
    pub(crate) fn keep_up(&mut self, upkeep: &Upkeep) {
        if upkeep.is_anew {
            self.begin_anew();
        }
        upkeep.forgotten.iter().for_each(|&trace| self.forget(trace));
    }

    /// Does tasks, in order.
    pub(crate) fn perform(&mut self, subject: &Subject<'p>, tasks: Vec<Task>, stop: &Stop) -> Vec<Done> {
        self.upkeep = Upkeep::default();
        let mut left = BATCH_EFFORT;
        let one = |task| {
            // A run may have questions behind it that need it.
            let is_late = left == 0 && matches!(task, Task::Ask { .. });
            // What was found already is not lost when time is over.
            let is_over = stop.reason().is_some() && !self.is_first && !matches!(task, Task::Test(_));
            if is_late || is_over {
                Done::Postponed
            } else {
                self.perform_one(subject, task, &mut left, stop)
            }
        };
        tasks.into_iter().map(one).collect()
    }

    fn perform_one(&mut self, subject: &Subject<'p>, task: Task, left: &mut u64, stop: &Stop) -> Done {
        let until = (!self.is_first).then(|| stop.flag());
        match task {
            Task::Run { trace, input, suspects } => {
                match self.run(subject, trace, Input::clone(&input), &suspects, until) {
                    Ok(None) => Done::Postponed,
                    Ok(Some((mut ran, probes))) => {
                        ran.smaller = self.achieved.smaller(subject, &ran.confirmed, stop);
                        match suspects {
                            Suspects::Known(known, beside) => {
                                (ran.suspects, ran.beside_error) = (known, beside)
                            }
                            Suspects::Unwanted => {}
                            Suspects::Wanted { is_suspect } => {
                                ran.suspects = self.probe_lengths(subject, trace, left, stop);
                                ran.suspects.extend(self.probe(subject, trace, probes, left, stop));
                                if !is_suspect && ran.confirmed.is_memory_error() {
                                    ran.beside_error =
                                        self.beside_error(trace, subject.symbols.longest, stop);
                                }
                            }
                        }
                        Done::Ran(Box::new(ran))
                    }
                    Err(error) => Done::Failed(error),
                }
            }
            Task::Try(plan) => Done::Tried(mutate::attempt(subject, &plan, stop)),
            Task::TryAgain { plan, count, mutants, failed } => {
                let tried = Tried { count, failed, ..Tried::default() };
                Done::Tried(mutate::again(subject, &plan, tried, mutants))
            }
            Task::Prove { goal, thoroughness, roots } => {
                let graph = self.tools.graph.get_or_init(|| Graph::new(subject.program, &roots));
                let (done, effort) = prove::prove(graph, goal, thoroughness, stop);
                self.cost += arbiter::question(effort);
                done
            }
            Task::Test(input) => self.test(subject, &input, stop),
            Task::Watch(input, look) => match self.tools.watcher.watch(subject, &input, &look, stop) {
                Ok(seen) => seen.map_or(Done::Postponed, Done::Watched),
                Err(error) => Done::Failed(error),
            },
            Task::Known(done) => done,
            Task::Ask { trace, input, place, excluded, effort, climb } => {
                if !self.has(trace) {
                    self.again += 1;
                    match self.run(subject, trace, Input::clone(&input), &Suspects::Unwanted, until) {
                        Ok(Some(_)) => {}
                        Ok(None) => return Done::Postponed,
                        // It could be run before: nobody knows more of the question.
                        Err(error) => return Done::GaveUp(Difficulty::of_failed_run(&error)),
                    }
                }
                let mut budget = Budget::effort(effort).until(stop.flag());
                self.known.until = Some(stop.flag());
                let done = self.ask(subject, trace, place, &excluded, &mut budget);
                *left = left.saturating_sub(effort - budget.left());
                self.cost += arbiter::question(effort - budget.left());
                match done {
                    Done::Found(input, mut how) if let Some(climb) = &climb => {
                        let input = self.climb(subject, place, *input, &mut how, climb, stop);
                        Done::Found(Box::new(input), how)
                    }
                    // It was not too hard, there was no time.
                    Done::GaveUp(_) if stop.reason().is_some() => Done::Postponed,
                    done => done,
                }
            }
        }
    }

    /// Sees what the plain module does with an input, and makes it small if it is worth a test.
    fn test(&mut self, subject: &Subject<'_>, input: &Input, stop: &Stop) -> Done {
        let input = without_room(input);
        let confirmed = subject.confirm(&input).and_then(|Confirm { run, grown, .. }| {
            Confirmed::new(grown.unwrap_or_else(|| input.clone()), run)
        });
        match confirmed {
            Ok(confirmed) => {
                let smaller = self.achieved.smaller(subject, &confirmed, stop);
                Done::Tested(Box::new(confirmed), smaller)
            }
            // The program asks for something else than in the trial: no test can say what it was given.
            Err(Error::BadValue { .. }) => Done::Missed,
            Err(error) => Done::NotRun(Box::new(NotRun::new(input, &error))),
        }
    }

    /// Begins anew if there are too many terms.
    pub(crate) fn tidy(&mut self) {
        if self.terms.len() > self.max_terms {
            self.begin_anew();
        }
    }

    /// Forgets everything: traces come back when they are needed.
    pub(crate) fn begin_anew(&mut self) {
        self.earlier += asked(&self.stack);
        self.terms = Terms::new();
        (self.stack, self.answering) = new_stack(&self.approach);
        self.traces.clear();
        self.known.images.clear();
        self.known.elsewhere.clear();
        self.known.mixing.clear();
        self.probed = Probed::default();
        self.modesty = Default::default();
        self.upkeep = Upkeep::anew();
    }

    /// A trace about which nothing is left to ask.
    pub(crate) fn forget(&mut self, trace: TraceId) {
        if self.traces.remove(&trace).is_some() {
            self.upkeep.forgotten.push(trace);
        }
    }
}

fn new_stack(approach: &Approach<'_>) -> (Stack, Answering) {
    let (asking, answering) = bridge();
    let asking: Box<dyn Functions + Send> = Box::new(asking);
    let functions = (!approach.unknown.is_empty()).then_some(asking);
    let compiler: Option<fn() -> _> = Some(coax_execute::Jit::boxed);
    (Stack::new(StackOptions { functions, compiler, ..StackOptions::default() }), answering)
}

fn asked(stack: &Stack) -> Asked {
    let counts = stack.counts();
    let of = |name: &str| counts.iter().find(|(layer, _)| *layer == name).map(|(_, counts)| *counts);
    let Counts { asked, sat, unsat, unknown, .. } = of("stack").unwrap_or_default();
    let backend_calls = of("solvers").unwrap_or_default().asked;
    Asked { queries: asked, sat, unsat, unknown, backend_calls, time: Duration::ZERO }
}

/// Asks the solvers, and looks at the clock: the report says how long they took, nothing depends on it.
#[expect(clippy::disallowed_methods, reason = "it is only told")]
fn solve(
    stack: &mut Stack,
    terms: &mut Terms,
    query: &Query<'_>,
    budget: &mut Budget,
    time: &mut Duration,
) -> Answer {
    let begin = Instant::now();
    let answer = stack.solve(terms, query, budget);
    *time += begin.elapsed();
    answer
}
