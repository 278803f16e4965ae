//! A slot: an arena, a solver stack, and the traces of the inputs that ran in it. Whoever does its tasks touches nothing else.

use crate::choice::{Choice, Way, round};
use crate::engine::balance;
use crate::mutate;
use crate::probe::{PROBE_EFFORT, PlaceOf, Probe, Probed};
use crate::task::{Confirmed, Done, Excluded, Ran, Suspects, Task, TraceId};
use crate::texts::{room, without_room};
use crate::{Stop, Subject};
use coax_execute::{Bound, Error, Event, EventKind, Input, Lengths, Request, model};
use coax_solve::{Answer, Budget, Counts, Layer, Query, Stack, StackOptions};
use coax_term::{Algebra, Binary, Import, Term, Terms};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What the questions of a batch may cost together, in a slot: then the rest waits, so that no slot keeps the others waiting for long.
const BATCH_EFFORT: u64 = 50_000;

/// A path, as far as questions about it need it.
struct Trace {
    input: Input,
    requests: Vec<Request>,
    io_calls: u64,
    /// The conditions of the decisions, terms of the slot's arena.
    conditions: Vec<Term>,
    /// The terms that were replaced by values, by the place of the decision.
    concretised: BTreeMap<usize, Term>,
    lengths: Lengths,
}

/// Where tasks are done.
pub(crate) struct Slot {
    terms: Terms,
    stack: Stack,
    traces: BTreeMap<TraceId, Trace>,
    /// Terms before it begins anew.
    max_terms: usize,
    /// What solvers of earlier arenas were asked.
    earlier: Asked,
    probed: Probed,
    /// What its runs and questions have cost ([`balance`]).
    cost: u64,
}

/// What solvers were asked, and answered.
#[derive(Clone, Copy, Debug, Default, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Questions.
    pub queries: u64,
    /// Answered by values.
    pub sat: u64,
    /// Answered by a proof that there are none.
    pub unsat: u64,
    /// Not answered.
    pub unknown: u64,
    /// Questions that came to a SAT solver or another program.
    pub backend_calls: u64,
    /// How long it took, in all threads together; not what it took before a search went on.
    #[serde(skip)]
    pub time: Duration,
}

/// The same search asks the same; how long that takes is another matter.
impl PartialEq for Asked {
    fn eq(&self, other: &Asked) -> bool {
        let counts = |it: &Asked| [it.queries, it.sat, it.unsat, it.unknown, it.backend_calls];
        counts(self) == counts(other)
    }
}

impl std::ops::AddAssign for Asked {
    fn add_assign(&mut self, other: Asked) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.backend_calls += other.backend_calls;
        self.time += other.time;
    }
}

impl Slot {
    pub(crate) fn new(max_terms: usize) -> Slot {
        Slot {
            terms: Terms::new(),
            stack: new_stack(),
            traces: BTreeMap::new(),
            max_terms,
            earlier: Asked::default(),
            probed: Probed::default(),
            cost: 0,
        }
    }

    /// What its runs and questions have cost since the last time.
    pub(crate) fn take_cost(&mut self) -> u64 {
        std::mem::take(&mut self.cost)
    }

    /// The arena: conditions of other slots are brought here between batches.
    pub(crate) fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
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
    pub(crate) fn asked(&self) -> Asked {
        let mut all = self.earlier;
        all += asked(&self.stack);
        all
    }

    /// Does tasks, in order.
    /// The first runs of a search are made even if its time is over by then.
    pub(crate) fn perform(
        &mut self,
        subject: &Subject<'_>,
        tasks: Vec<Task>,
        stop: &Stop,
        is_first: bool,
    ) -> Vec<Done> {
        let mut left = BATCH_EFFORT;
        let one = |task| {
            // A run may have questions behind it that need it.
            let is_late = left == 0 && matches!(task, Task::Ask { .. });
            if is_late || (stop.reason().is_some() && !is_first) {
                Done::Postponed
            } else {
                self.perform_one(subject, task, &mut left, stop, is_first)
            }
        };
        tasks.into_iter().map(one).collect()
    }

    fn perform_one(
        &mut self,
        subject: &Subject<'_>,
        task: Task,
        left: &mut u64,
        stop: &Stop,
        is_first: bool,
    ) -> Done {
        let until = (!is_first).then(|| stop.flag());
        match task {
            Task::Run { trace, input, suspects } => {
                match self.run(subject, trace, *input, &suspects, until) {
                    Ok(None) => Done::Postponed,
                    Ok(Some((mut ran, probes))) => {
                        ran.suspects = match suspects {
                            Suspects::Known(known) => known,
                            Suspects::Unwanted => Vec::new(),
                            Suspects::Wanted => {
                                let mut found = self.probe_lengths(subject, trace, left, stop);
                                found.extend(self.probe(subject, trace, probes, left, stop));
                                found
                            }
                        };
                        Done::Ran(Box::new(ran))
                    }
                    Err(error) => Done::Failed(error),
                }
            }
            Task::Try(plan) => match mutate::attempt(subject, &plan, stop) {
                Ok(tried) => Done::Tried(tried),
                Err(error) => Done::Failed(error),
            },
            Task::TryAgain { plan, count, mutants } => match mutate::again(subject, &plan, count, mutants) {
                Ok(tried) => Done::Tried(tried),
                Err(error) => Done::Failed(error),
            },
            Task::Known(done) => done,
            Task::Ask { trace, place, excluded, effort } => {
                let mut budget = Budget::effort(effort).until(stop.flag());
                let done = self.ask(subject, trace, place, &excluded, &mut budget);
                *left = left.saturating_sub(effort - budget.left());
                self.cost += balance::question(effort - budget.left());
                match done {
                    // It was not too hard, there was no time.
                    Done::GaveUp(_) if stop.reason().is_some() => Done::Postponed,
                    done => done,
                }
            }
        }
    }

    fn run(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        input: Input,
        suspects: &Suspects,
        until: Option<Arc<AtomicBool>>,
    ) -> Result<Option<(Ran, Vec<Probe>)>, Error> {
        let (run, input) = subject.run(input, until)?;
        if run.bounds.hits(Bound::Time) > 0 {
            subject.symbolic.recycle(run);
            return Ok(None);
        }
        let kept = without_room(&input);
        let confirm = subject.confirm(&kept)?;
        let reads_beyond = confirm.reads_beyond();
        let differs = subject.differs(&run, &input, &kept, &confirm.loose)?;
        let plain = confirm.run;
        let mut import = Import::default();
        let (mut choices, mut conditions, mut concretised) = (Vec::new(), Vec::new(), BTreeMap::new());
        // The conditions in the arena of the run.
        let mut own = Vec::new();
        let (mut known, mut implied) = (BTreeSet::new(), BTreeSet::new());
        let mut visits = BTreeMap::new();
        let nexts = next_own(subject, &run.path().events);
        if let Some(room) = room(&input) {
            choices.push(Choice { at: 0, way: Way::Room(room), next: None, round: 0 });
            conditions.push(self.terms.truth());
        }
        // How many decisions there were before each event.
        let mut decided = Vec::with_capacity(run.path().events.len() + 1);
        for (event, next) in run.path().events.iter().zip(nexts) {
            decided.push(choices.len());
            let Some(choice) = Choice::of(event) else { continue };
            // A loop may decide the same again and again: what is true on the path already decides nothing.
            if !known.insert(event.condition) {
                implied.insert(event.at);
                continue;
            }
            let visits: &mut u32 = visits.entry(event.at).or_default();
            let choice = Choice { next, round: round(*visits), ..choice };
            *visits += 1;
            if let EventKind::Concretised { term, .. } = event.kind {
                concretised.insert(choices.len(), import.apply(&mut self.terms, run.terms(), term));
            }
            own.push((choices.len(), event.condition));
            choices.push(choice);
            conditions.push(import.apply(&mut self.terms, run.terms(), event.condition));
        }

        let is_there = |name: &str| run.terms().find_symbol(name).is_some();
        let reads_stdin = is_there("stdin[0]") || is_there("stdin.length");
        decided.push(choices.len());
        let mut probes = Vec::new();
        // Who does not look for errors need not look for inputs.
        let blocks = plain.blocks.as_deref().filter(|_| matches!(suspects, Suspects::Wanted));
        let wanted = blocks.map(|_| self.probed.choose(subject, run.accesses())).unwrap_or_default();
        for access in wanted {
            let blocks = blocks.unwrap_or_default();
            let Some(place_of) = PlaceOf::of(&access, blocks, subject.plain.stack()) else { continue };
            probes.push(Probe {
                at: access.at,
                place: decided[access.events],
                address: import.apply(&mut self.terms, run.terms(), access.address.0),
                bytes: import.apply(&mut self.terms, run.terms(), access.bytes),
                place_of,
            });
        }
        let lengths = Lengths::new(run.terms(), &input, own);
        let requests = run.asked.requests.clone();
        let io_calls = run.asked.io_calls;
        let mut bounds = run.bounds.clone();
        for (bound, _) in plain.bounds.iter().filter(|&(bound, _)| run.bounds.hits(bound) == 0) {
            bounds.hit(bound);
        }
        self.cost += balance::run(run.terms().len());
        subject.symbolic.recycle(run);
        let trace = Trace { input: input.clone(), requests, io_calls, conditions, concretised, lengths };
        self.traces.insert(id, trace);
        let ran = Ran {
            differs,
            reads_beyond,
            confirmed: Confirmed::new(kept, plain)?,
            reads_stdin,
            concretisations: choices.iter().filter(|choice| choice.way.value().is_some()).count(),
            choices,
            implied,
            bounds,
            suspects: Vec::new(),
        };
        Ok(Some((ran, probes)))
    }

    /// Inputs that come the same way, but end before the last byte that was used, as far as solvers find some.
    fn probe_lengths(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        left: &mut u64,
        stop: &Stop,
    ) -> Vec<Input> {
        let mut found = Vec::new();
        let Some(trace) = self.traces.get(&id) else { return found };
        let hint = model(&self.terms, &trace.input, &trace.requests);
        for (place, goal) in trace.lengths.too_short(&mut self.terms) {
            if *left == 0 || stop.reason().is_some() || !self.probed.is_worth(goal) {
                continue;
            }
            let place = place.min(trace.conditions.len());
            let longest = subject.symbols.longest;
            let mut assumptions = trace.lengths.conditions(&mut self.terms, place, longest);
            assumptions.extend_from_slice(&trace.conditions[..place]);
            let mut budget = Budget::effort(PROBE_EFFORT).until(stop.flag());
            let query = Query { assumptions: &assumptions, goal, hint: &hint };
            let answer = solve(&mut self.stack, &mut self.terms, &query, &mut budget, &mut self.earlier.time);
            *left = left.saturating_sub(PROBE_EFFORT - budget.left());
            self.cost += balance::question(PROBE_EFFORT - budget.left());
            if let Answer::Sat(model) = answer {
                let terms = &self.terms;
                let value = |name: &str| terms.find_symbol(name).and_then(|symbol| model.given(symbol));
                found.push(trace.input.with_values(&trace.requests, trace.io_calls, &value));
            }
        }
        found
    }

    /// Inputs that make accesses leave what they may access, as far as solvers find some.
    fn probe(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        probes: Vec<Probe>,
        left: &mut u64,
        stop: &Stop,
    ) -> Vec<Input> {
        let mut found = Vec::new();
        let Some(trace) = self.traces.get(&id) else { return found };
        let hint = model(&self.terms, &trace.input, &trace.requests);
        for probe in probes {
            let mut assumptions =
                trace.lengths.conditions(&mut self.terms, probe.place, subject.symbols.longest);
            assumptions.extend_from_slice(&trace.conditions[..probe.place]);
            let mut best = None;
            for (is_sure, goal) in probe.goals(&mut self.terms) {
                if *left == 0 || stop.reason().is_some() {
                    return found;
                }
                let mut budget = Budget::effort(PROBE_EFFORT).until(stop.flag());
                let query = Query { assumptions: &assumptions, goal, hint: &hint };
                let answer =
                    solve(&mut self.stack, &mut self.terms, &query, &mut budget, &mut self.earlier.time);
                *left = left.saturating_sub(PROBE_EFFORT - budget.left());
                self.cost += balance::question(PROBE_EFFORT - budget.left());
                match answer {
                    Answer::Sat(model) => best = Some((is_sure, model)),
                    // If nothing at all is possible, nothing in particular is.
                    _ if best.is_none() => break,
                    _ => continue,
                }
                if is_sure {
                    break;
                }
            }
            let Some((is_sure, model)) = best else { continue };
            let terms = &self.terms;
            let value = |name: &str| terms.find_symbol(name).and_then(|symbol| model.given(symbol));
            found.push(trace.input.with_values(&trace.requests, trace.io_calls, &value));
            if is_sure {
                self.probed.found(probe.at);
            }
        }
        found
    }

    fn ask(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        place: usize,
        excluded: &Excluded,
        budget: &mut Budget,
    ) -> Done {
        let Some(trace) = self.traces.get(&id) else { return Done::Postponed };
        let terms = &mut self.terms;
        let mut goal = terms.not(trace.conditions[place]);
        let mut goals = Vec::new();
        match excluded {
            Excluded::Conditions(conditions) => {
                for &condition in conditions {
                    let not = terms.not(condition);
                    goal = terms.and(goal, not);
                }
            }
            Excluded::Values { seen, wishes } => {
                let Some(&term) = trace.concretised.get(&place) else { return Done::Postponed };
                let equal = |terms: &mut Terms, value: u64| {
                    let value = terms.constant(terms.width_of(term), value);
                    terms.binary(Binary::Eq, term, value)
                };
                for &value in seen {
                    let equal = equal(terms, value);
                    let differs = terms.not(equal);
                    goal = terms.and(goal, differs);
                }
                goals.extend(wishes.iter().map(|&wish| equal(terms, wish)));
            }
        }
        goals.push(goal);
        let hint = model(terms, &trace.input, &trace.requests);
        // Lengths come first: they are the same for many questions.
        let mut assumptions = trace.lengths.conditions(terms, place + 1, subject.symbols.longest);
        assumptions.extend_from_slice(&trace.conditions[..place]);
        let mut answer = Answer::Unsat(Vec::new());
        for goal in goals {
            let query = Query { assumptions: &assumptions, goal, hint: &hint };
            answer = solve(&mut self.stack, &mut self.terms, &query, budget, &mut self.earlier.time);
            if let Answer::Sat(_) = answer {
                break;
            }
        }
        match answer {
            Answer::Sat(model) => {
                let terms = &self.terms;
                let value = |name: &str| terms.find_symbol(name).and_then(|symbol| model.given(symbol));
                let Trace { input, requests, io_calls, .. } = &self.traces[&id];
                Done::Found(Box::new(input.with_values(requests, *io_calls, &value)))
            }
            Answer::Unsat(_) => Done::Proved,
            Answer::Unknown(reason) => Done::GaveUp(reason.into()),
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
        self.stack = new_stack();
        self.traces.clear();
        self.probed = Probed::default();
    }

    /// A trace about which nothing is left to ask.
    pub(crate) fn forget(&mut self, trace: TraceId) {
        self.traces.remove(&trace);
    }
}

fn new_stack() -> Stack {
    Stack::new(StackOptions { compiler: Some(coax_execute::Jit::boxed), ..StackOptions::default() })
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

/// For each event, where the next decision in scope is.
fn next_own(subject: &Subject<'_>, events: &[Event]) -> Vec<Option<u32>> {
    let mut next = None;
    let mut nexts = vec![None; events.len()];
    for (event, slot) in events.iter().zip(&mut nexts).rev() {
        *slot = next;
        let is_branch = matches!(event.kind, EventKind::Branch { .. });
        if is_branch && subject.is_own(event.at) {
            next = Some(event.at);
        }
    }
    nexts
}
