//! Functions become unknown by themselves (their results are applications of uninterpreted functions then, decision 10): where questions are too hard, a number is one of too many,
//! conditions are too large, or nothing new is found any more, and what makes it so is what a call gave.
//!
//! ```text
//! trouble with a decision, or with a run ── run again, every call watched ──▶ calls whose results are in conditions ──▶ one that was given simple things
//! ```

mod around;
mod causes;
mod merging;
mod turns;
mod vectors;
pub(crate) mod watch;

use crate::approach::Imprecision;
use crate::choice::Way;
use crate::engine::compose::Composer;
use crate::exploration::{Exploration, NodeId, Pending};
use crate::search::Search;
use crate::strategy::{Candidate, Event, Seen, Strategy, View};
use crate::task::{Cause, Done, Look, Task, Watched};
use coax_execute::{Error, Input};
use coax_program::Func;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use watch::HEAVY_IF_STUCK;

/// What a question that was too hard adds to the trouble with a place, and what each value of a number does.
const TOO_HARD: u32 = 8;
const ANOTHER_VALUE: u32 = 1;
/// So much trouble is enough to look at a place; then it takes more to look once more.
const ENOUGH: u32 = 16;
const MORE: u32 = 4;
/// Runs with so many terms are looked at, and after so many batches in which nothing was covered the largest of them.
const LARGE_RUN: usize = 20_000;
const BATCHES: u64 = 16;
/// How many functions are unknown by themselves at a time.
const MOST: usize = 4;
/// Programs with more code are not instrumented once more: that would take seconds.
const MOST_CODE: usize = 1 << 20;
/// Terms with so many nodes are heavy: where there was trouble, and in large runs.
const HEAVY: usize = 32;
const HEAVY_ANYWHERE: usize = 1024;

/// See the module.
pub(crate) struct Uninterpreted {
    places: BTreeMap<u32, Trouble>,
    /// What is to be looked at.
    due: Vec<Due>,
    /// The run with the most terms since the last time.
    largest: Option<Large>,
    /// What was covered when something was covered last, and in which batch.
    gained: (u64, u64),
    /// In which batch a function became unknown last, or was followed again.
    changed: u64,
    /// In which batch it was looked last what functions give, and of which.
    looked: u64,
    looked_at: BTreeSet<Func>,
    pause: Pause,
    vectors: vectors::Vectors,
    merging: merging::Merging,
}

/// So many batches pass from one look at a large run to the next, and the first in which there may be one.
struct Pause {
    batches: u64,
    next: u64,
}

/// A place with which there was so much trouble, and how much is enough to look at it.
struct Trouble {
    sum: u32,
    enough: u32,
}

/// A run that is to be looked at.
struct Due {
    input: Arc<Input>,
    look: Look,
}

/// A run, with how many terms it has, and how many parts the largest of its conditions.
struct Large {
    terms: usize,
    heaviest: usize,
    input: Arc<Input>,
}

impl Uninterpreted {
    pub(crate) fn new() -> Uninterpreted {
        let (places, due, largest, looked_at, vectors, merging) = Default::default();
        let pause = Pause { batches: 1, next: 0 };
        Uninterpreted {
            places,
            due,
            largest,
            gained: (0, 0),
            changed: 0,
            looked: 0,
            looked_at,
            pause,
            vectors,
            merging,
        }
    }

    /// Since which batch nothing was covered, with the functions that are unknown now.
    fn stuck_since(&self) -> u64 {
        self.gained.1.max(self.changed)
    }

    /// There was trouble with a decision.
    fn trouble(&mut self, id: NodeId, how_much: u32, exploration: &Exploration) {
        let node = exploration.tree.node(id);
        let trouble = self.places.entry(node.at).or_insert(Trouble { sum: 0, enough: ENOUGH });
        trouble.sum += how_much;
        if trouble.sum >= trouble.enough {
            trouble.enough = trouble.enough.saturating_mul(MORE);
            let input = Arc::clone(&exploration.runs.get(node.trace).input);
            self.due.push(Due { input, look: Look::Causes { at: Some(node.at), heavy: HEAVY } });
        }
    }

    /// The largest run is to be looked at if it is very large, or if nothing was covered for long. The longer that is of no use, the more rarely.
    fn look_at_largest(&mut self, search: &Search<'_, '_>) {
        let (covered, batches) = (search.progress.covered, search.batches);
        if covered > self.gained.0 {
            self.gained = (covered, batches);
        }
        let is_stuck = batches >= self.gained.1 + BATCHES;
        let next = self.pause.next;
        let is_due = |it: &mut Large| batches >= next && (it.terms >= LARGE_RUN || is_stuck);
        let Some(Large { terms, heaviest, input }) = self.largest.take_if(is_due) else { return };
        let heavy = if terms >= LARGE_RUN { HEAVY_ANYWHERE } else { HEAVY_IF_STUCK };
        // To watch every call of a run takes long: only if there is something to be found.
        if heaviest >= heavy {
            self.pause.batches *= 2;
            self.pause.next = batches + self.pause.batches;
            self.due.push(Due { input, look: Look::Causes { at: None, heavy } });
        }
    }
}

impl<'p> Strategy<'p> for Uninterpreted {
    fn propose(&mut self, view: &mut View<'_, '_, 'p>, batch: &mut Composer<'_, 'p>) {
        for Due { input, look } in std::mem::take(&mut self.due) {
            let is_of_use = match look {
                Look::Causes { .. } => may_become_unknown_by_themselves(view.search),
                Look::Sizes(_) => true,
            };
            if is_of_use && may_look(view.search) && batch.spend_one() {
                batch.add(batch.idlest(), Task::Watch(input, look), 0);
            }
        }
    }

    fn learn(&mut self, view: &mut View<'_, '_, 'p>, _: u64, done: Done) -> Result<Vec<Candidate>, Error> {
        let search = &mut *view.search;
        match done {
            Done::Watched(Watched::Causes(causes)) => {
                search.progress.runs += 1;
                choose(causes, search);
            }
            Done::Watched(Watched::Sizes(sizes)) => {
                search.progress.runs += 1;
                // Who gave nothing that depends on the input in this run may do so in another.
                let known = sizes.into_iter().filter(|(_, size)| *size > 0);
                known.for_each(|(func, size)| search.unknown.gave(func, size));
            }
            Done::Failed(error) => return Err(error),
            _ => {}
        }
        Ok(Vec::new())
    }

    fn saw(&mut self, view: &mut View<'_, '_, 'p>, event: &Event<'_>) {
        match event {
            Event::Ran(Seen { trace, ran, .. }) => {
                self.vectors.were_used(&ran.into_vectors, view.search);
                if self.largest.as_ref().is_none_or(|most| ran.terms > most.terms) {
                    let input = Arc::clone(&view.exploration.runs.get(*trace).input);
                    self.largest = Some(Large { terms: ran.terms, heaviest: ran.heaviest, input });
                }
            }
            // What an unknown function gives is not hard, it is not known.
            Event::Answered { question, done: Done::GaveUp(difficulty), .. } if !difficulty.wants_samples => {
                self.trouble(question.node, TOO_HARD, view.exploration);
            }
            Event::Answered { question, done: Done::Found(..), .. } => {
                if let Way::Value(_) = view.exploration.tree.node(question.node).ways[0].0 {
                    self.trouble(question.node, ANOTHER_VALUE, view.exploration);
                }
            }
            _ => {}
        }
    }

    fn batch_is_over(&mut self, view: &mut View<'_, '_, 'p>) {
        self.look_at_largest(view.search);
        look_into_earlier(view.search);
        self.vectors.look_into(view.search);
        self.take_turns(view);
        let stuck_since = self.stuck_since();
        self.merging.join_covered(view, stuck_since);
    }

    fn nothing_is_left(&mut self, view: &mut View<'_, '_, 'p>) -> bool {
        if view.search.is_all_covered() {
            return false;
        }
        if view.search.unknown.take_retrace() {
            let tests = view.search.suite.tests.iter();
            view.exploration.queue.extend(tests.map(|test| Pending::new(test.input.clone())));
            return true;
        }
        view.search.unknown.follow_those_that_refused()
            || turns::follow_uncovered(view.search)
            || self.follow_one_more(view)
    }

    fn begin_anew(&mut self, view: &mut View<'_, '_, 'p>) {
        self.changed = view.search.batches;
        self.looked_at.clear();
    }
}

/// Functions that were unknown in an earlier search are so in this one, as soon as they might have become so.
fn look_into_earlier(search: &mut Search<'_, '_>) {
    for func in search.unknown.of_earlier_searches() {
        let is_known = !search.unknown.may_become(func);
        if is_known || may_become_unknown_by_themselves(search) && can_be_unknown(func, search) {
            search.unknown.is_unknown_again(func);
        }
    }
}

/// Functions that make decisions hard become unknown, of those that can be without loss.
fn choose(causes: Vec<Cause>, search: &mut Search<'_, '_>) {
    let mut left = MOST.saturating_sub(by_themselves(search));
    // Of two that call each other only one: in calls that are not followed there are no calls to be seen.
    let mut called = BTreeSet::new();
    let mut chosen: Vec<Cause> = Vec::new();
    for cause in causes {
        let func = cause.func;
        let within = search.within(func);
        let can_be = search.unknown.may_become(func) && can_be_unknown(func, search);
        let is_apart = !called.contains(&func) && !chosen.iter().any(|other| within.contains(&other.func));
        if left > 0 && can_be && is_apart {
            left -= 1;
            called.extend(within);
            chosen.push(cause);
        }
    }
    for Cause { func, why, size } in chosen {
        search.unknown.becomes_unknown(func, why);
        search.unknown.gave(func, size);
    }
}

/// Whether there is something that functions could become unknown for.
fn may_become_unknown_by_themselves(search: &Search<'_, '_>) -> bool {
    may_choose(search) && by_themselves(search) < MOST
}

/// Whether coax chooses what is unknown, and that is of use.
fn may_choose(search: &Search<'_, '_>) -> bool {
    search.options.auto_unknown
        && search.options.imprecision == Imprecision::HigherOrder
        && !search.is_all_covered()
}

/// Whether a run may be made to see what functions are given and what they give.
fn may_look(search: &Search<'_, '_>) -> bool {
    may_choose(search)
        && search.subject.program.wasm.len() <= MOST_CODE
        && search.options.max_runs.is_none_or(|most| search.progress.runs < most)
        && search.stop.reason().is_none()
}

/// How many functions became unknown by themselves. Those that another one of them calls do not count: mostly it took their place.
fn by_themselves(search: &Search<'_, '_>) -> usize {
    let all = search.unknown.by_themselves();
    if all.len() < MOST {
        return all.len();
    }
    let within: Vec<BTreeSet<Func>> = all.iter().map(|&func| search.within(func)).collect();
    let is_apart = |func: &Func| {
        let is_within_another =
            |(other, within): (&Func, &BTreeSet<Func>)| other != func && within.contains(func);
        !all.iter().zip(&within).any(is_within_another)
    };
    all.iter().filter(|func| is_apart(func)).count()
}

/// Whether a function can be unknown without loss: it is not where runs begin, calls of it show something, and it and what it calls have nothing left to
/// cover. Nobody looks for that in calls that are not followed.
fn can_be_unknown(func: Func, search: &Search<'_, '_>) -> bool {
    watch::is_usable(search.subject.program, func)
        && !search.roots().contains(&func)
        && search.is_covered(&search.within(func))
}
