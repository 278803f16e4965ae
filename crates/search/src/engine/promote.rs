//! Functions become unknown by themselves: where questions are too hard, a number is one of too many, conditions are too large, or nothing new is found any
//! more, and what makes it so is what a call gave.
//!
//! ```text
//! trouble with a decision, or with a run ── run again, every call watched ──▶ calls whose results are in conditions ──▶ one that was given simple things
//! ```

use super::Engine;
use super::around::around;
use super::demote::size_of_gifts;
use super::vectors::Vectors;
use crate::Stop;
use crate::approach::Imprecision;
use crate::choice::Way;
use crate::findings::WhyUnknown;
use crate::task::TraceId;
use crate::tree::NodeId;
use coax_execute::{
    Computed, Error, Event, EventKind, Input, Setup, SymbolicModule, SymbolicRun, Unknown, Variant,
};
use coax_program::calls::CallGraph;
use coax_program::{Func, Program};
use coax_term::{Node, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

/// What a question that was too hard adds to the trouble with a place, and what each value of a number does.
pub(super) const TOO_HARD: u32 = 8;
const ANOTHER_VALUE: u32 = 1;
/// So much trouble is enough to look at a place; then it takes more to look once more.
const ENOUGH: u32 = 16;
const MORE: u32 = 4;
/// Runs with so many terms are looked at, and after so many batches in which nothing was covered the largest of them.
const LARGE_RUN: usize = 20_000;
pub(super) const BATCHES: u64 = 16;
/// How many functions are unknown by themselves at a time.
const MOST: usize = 4;
/// Programs with more code are not instrumented once more: that would take seconds.
pub(super) const MOST_CODE: usize = 1 << 20;
/// Terms with so few nodes are simple; with so many they are heavy: where there was trouble, if nothing else is found, and in large runs.
const SIMPLE: usize = 8;
const HEAVY: usize = 32;
pub(super) const HEAVY_IF_STUCK: usize = 256;
const HEAVY_ANYWHERE: usize = 1024;
/// What has so many times fewer parts than what a function gives is little for it, unless it gave that itself before: the length of what is hashed may be where a character was found.
const MUCH_MORE: usize = 4;

/// What the search has trouble with.
pub(super) struct Troubles<'p> {
    places: BTreeMap<u32, Trouble>,
    /// What is to be looked at.
    due: Vec<Due>,
    /// The run with the most terms since the last time.
    largest: Option<Large>,
    /// What was covered when something was covered last, and in which batch.
    gained: (u64, u64),
    /// In which batch a function became unknown last, or was followed again.
    changed: u64,
    /// In which batch a run was made last to see what functions give.
    pub(super) looked: u64,
    /// So many batches pass from one look at a large run to the next, and the first in which there may be one.
    pause: u64,
    next: u64,
    watched: Option<Watched<'p>>,
    pub(super) vectors: Vectors,
}

/// A run, with how many terms it has, and how many parts the largest of its conditions.
#[derive(Clone, Copy)]
struct Large {
    terms: usize,
    heaviest: usize,
    trace: TraceId,
}

/// The program, instrumented so that all is seen.
struct Watched<'p> {
    module: SymbolicModule<'p>,
    /// All its functions.
    all: Unknown,
}

impl Default for Troubles<'_> {
    fn default() -> Self {
        let (places, due, largest, watched) = Default::default();
        let vectors = Vectors::default();
        Troubles {
            places,
            due,
            largest,
            gained: (0, 0),
            changed: 0,
            looked: 0,
            pause: 1,
            next: 0,
            watched,
            vectors,
        }
    }
}

impl Troubles<'_> {
    /// Since which batch nothing was covered, with the functions that are unknown now.
    pub(super) fn stuck_since(&self) -> u64 {
        self.gained.1.max(self.changed)
    }

    /// Other functions are unknown from this batch on.
    pub(super) fn changed(&mut self, batch: u64) {
        self.changed = batch;
    }
}

/// A place with which there was so much trouble, and how much is enough to look at it.
struct Trouble {
    sum: u32,
    enough: u32,
}

/// A run that is to be looked at.
struct Due {
    input: Input,
    /// The decision that was too hard; none if it is all of them together.
    at: Option<u32>,
    /// What is heavy then.
    heavy: usize,
}

/// A function that makes decisions hard, with one of them, and how many parts has what it gives.
struct Cause {
    func: Func,
    why: WhyUnknown,
    size: usize,
}

impl Engine<'_, '_> {
    /// There was trouble with a decision.
    pub(super) fn trouble(&mut self, id: NodeId, how_much: u32) {
        let node = self.tree.node(id);
        let trouble = self.troubles.places.entry(node.at).or_insert(Trouble { sum: 0, enough: ENOUGH });
        trouble.sum += how_much;
        if trouble.sum >= trouble.enough {
            trouble.enough = trouble.enough.saturating_mul(MORE);
            let input = self.traces[node.trace.0 as usize].input.clone();
            self.troubles.due.push(Due { input, at: Some(node.at), heavy: HEAVY });
        }
    }

    /// Another value of a number was found.
    pub(super) fn another_value(&mut self, id: NodeId) {
        if let Way::Value(_) = self.tree.node(id).ways[0].0 {
            self.trouble(id, ANOTHER_VALUE);
        }
    }

    /// A run had so many terms, and so many parts of a condition.
    pub(super) fn had_terms(&mut self, trace: TraceId, terms: usize, heaviest: usize) {
        if self.troubles.largest.is_none_or(|most| terms > most.terms) {
            self.troubles.largest = Some(Large { terms, heaviest, trace });
        }
    }

    /// Looks where troubles come from; functions that they come from become unknown.
    pub(super) fn look_into_troubles(&mut self) -> Result<(), Error> {
        self.look_at_largest();
        for due in std::mem::take(&mut self.troubles.due) {
            if !self.may_become_unknown_by_themselves() || !self.may_look() {
                continue;
            }
            for Cause { func, why, size } in self.causes(due)? {
                self.unknown.becomes_unknown(func, why);
                self.unknown.gave(func, size);
            }
        }
        Ok(())
    }

    /// Functions that were unknown in an earlier search are so in this one, as soon as they might have become so.
    pub(super) fn look_into_earlier(&mut self) {
        for func in self.unknown.of_earlier_searches() {
            let is_known = !self.unknown.may_become(func);
            if is_known || self.may_become_unknown_by_themselves() && self.can_be_unknown(func) {
                self.unknown.is_unknown_again(func);
            }
        }
    }

    /// Whether there is something that functions could become unknown for.
    pub(super) fn may_become_unknown_by_themselves(&self) -> bool {
        self.may_choose() && self.by_themselves() < MOST
    }

    /// Whether coax chooses what is unknown, and that is of use.
    fn may_choose(&self) -> bool {
        self.options.auto_unknown
            && self.options.imprecision == Imprecision::HigherOrder
            && self.progress.covered < self.progress.total
    }

    /// Whether a run may be made to see what functions are given and what they give.
    pub(super) fn may_look(&self) -> bool {
        self.may_choose()
            && self.subject.program.wasm.len() <= MOST_CODE
            && self.options.max_runs.is_none_or(|most| self.progress.runs < most)
            && self.stop.reason().is_none()
    }

    /// How many functions became unknown by themselves. Those that another one of them calls do not count: mostly it took their place.
    fn by_themselves(&self) -> usize {
        let all = self.unknown.by_themselves();
        if all.len() < MOST {
            return all.len();
        }
        let within: Vec<BTreeSet<Func>> = all.iter().map(|&func| self.within(func)).collect();
        let is_apart = |func: &Func| {
            let is_within_another =
                |(other, within): (&Func, &BTreeSet<Func>)| other != func && within.contains(func);
            !all.iter().zip(&within).any(is_within_another)
        };
        all.iter().filter(|func| is_apart(func)).count()
    }

    /// The largest run is to be looked at if it is very large, or if nothing was covered for long. The longer that is of no use, the more rarely.
    fn look_at_largest(&mut self) {
        let (covered, batches) = (self.progress.covered, self.batches);
        let Troubles { due, largest, gained, pause, next, .. } = &mut self.troubles;
        if covered > gained.0 {
            *gained = (covered, batches);
        }
        let Some(Large { terms, heaviest, trace }) = largest.filter(|_| batches >= *next) else { return };
        let heavy = match (terms >= LARGE_RUN, batches >= gained.1 + BATCHES) {
            (true, _) => HEAVY_ANYWHERE,
            (false, true) => HEAVY_IF_STUCK,
            (false, false) => return,
        };
        *largest = None;
        // To watch every call of a run takes long: only if there is something to be found.
        if heaviest >= heavy {
            *pause *= 2;
            *next = batches + *pause;
            let input = self.traces[trace.0 as usize].input.clone();
            due.push(Due { input, at: None, heavy });
        }
    }

    /// The functions that gave what makes decisions hard, of those that can be unknown without loss, each with one of these decisions.
    fn causes(&mut self, due: Due) -> Result<Vec<Cause>, Error> {
        let (subject, stop) = (self.subject, self.stop);
        let is_own = |func: Func| subject.is_in_scope(func);
        let causes = self.watch(due.input, |run, calls| {
            let events = run.path().events.iter().filter(|event| due.at.is_none_or(|at| event.at == at));
            let decided: Vec<(u32, Term)> = events.map(|event| (event.at, decided(event))).collect();
            let causes = causes(run.terms(), &decided, calls, due.heavy, (&is_own, stop));
            let causes = match due.at {
                Some(at) if causes.is_empty() => {
                    around(run.terms(), &run.path().events, at, calls, (&is_own, stop))
                }
                _ => causes,
            };
            let with_size =
                |(func, why)| Cause { func, why, size: size_of_gifts(run.terms(), calls, func, stop) };
            causes.into_iter().map(with_size).collect::<Vec<_>>()
        })?;
        let mut left = MOST.saturating_sub(self.by_themselves());
        // Of two that call each other only one: in calls that are not followed there are no calls to be seen.
        let mut called = BTreeSet::new();
        let mut chosen: Vec<Cause> = Vec::new();
        for cause in causes {
            let func = cause.func;
            let within = self.within(func);
            let can_be = self.unknown.may_become(func) && self.can_be_unknown(func);
            let is_apart =
                !called.contains(&func) && !chosen.iter().any(|other| within.contains(&other.func));
            if left > 0 && can_be && is_apart {
                left -= 1;
                called.extend(within);
                chosen.push(cause);
            }
        }
        Ok(chosen)
    }

    /// Runs an input with every call watched: what is to be known of the run, and of its calls in the order in which they ended.
    pub(super) fn watch<T>(
        &mut self,
        input: Input,
        look: impl FnOnce(&SymbolicRun, &[Computed]) -> T,
    ) -> Result<T, Error> {
        let program = self.subject.program;
        let watched = match self.troubles.watched.take() {
            Some(watched) => watched,
            None => {
                let module = self.subject.engine.module(program, Variant::Cells)?;
                let all = program.functions.ids().filter(|&func| is_usable(program, func));
                Watched { module, all: Unknown::new(program, all) }
            }
        };
        let Watched { module, all } = self.troubles.watched.insert(watched);
        let mut computed = None;
        let (run, _) = self.subject.run_as(module, input, || {
            let (director, calls) = all.watcher();
            computed = Some(calls);
            Setup { director: Some(director), until: Some(self.stop.flag()), ..Setup::default() }
        })?;
        self.progress.runs += 1;
        let calls = computed.unwrap_or_default();
        let mut calls = std::mem::take(&mut *calls.lock().unwrap_or_else(PoisonError::into_inner));
        if self.stop.reason().is_some() {
            // To look at a hundred thousand of them takes time that is over.
            calls.clear();
        }
        let seen = look(&run, &calls);
        module.recycle(run);
        Ok(seen)
    }

    /// Whether a function can be unknown without loss: it is not where runs begin, calls of it show something, and it and what it calls have nothing left to
    /// cover. Nobody looks for that in calls that are not followed.
    pub(super) fn can_be_unknown(&self, func: Func) -> bool {
        is_usable(self.subject.program, func)
            && !self.roots().contains(&func)
            && self.is_covered(&self.within(func))
    }

    /// A function, and all that it may call.
    pub(super) fn within(&self, func: Func) -> BTreeSet<Func> {
        self.calls().reachable([func])
    }

    pub(super) fn calls(&self) -> &CallGraph {
        self.subject.program.calls()
    }

    pub(super) fn is_covered(&self, within: &BTreeSet<Func>) -> bool {
        let is_asked = |func: Func| within.contains(&func) && self.subject.is_in_scope(func);
        let branches = self.suite.coverage.counts(self.subject.program, is_asked).branches;
        branches.covered == branches.total
    }
}

/// Whether calls of a function can be learned from.
pub(super) fn is_usable(program: &Program, func: Func) -> bool {
    program.functions[func].defined().is_some() && Unknown::refuses(program, func).is_none()
}

/// What was decided.
fn decided(event: &Event) -> Term {
    match event.kind {
        EventKind::Concretised { term, .. } => term,
        _ => event.condition,
    }
}

/// Functions that were given simple things, and gave heavy ones that something was decided by, with one of these decisions. The most promising come first: those
/// that depend on nothing but what they were given, then those that [`rank`] says.
fn causes(
    terms: &Terms,
    decided: &[(u32, Term)],
    calls: &[Computed],
    heavy: usize,
    (is_own, stop): (&dyn Fn(Func) -> bool, &Stop),
) -> Vec<(Func, WhyUnknown)> {
    let within = parts(terms, decided);
    let is_large = |term: &Term| terms.count_parts(&[*term], heavy + 1) > heavy;
    let is_heavy = |term: &Term| within.contains_key(term) && !is_condition(terms, *term) && is_large(term);
    // Who hands on what it was given moves things, and does not mix them.
    let is_mixed = |term: &Term| is_large(term) || is_condition(terms, *term);
    let mut causes: BTreeMap<Func, (bool, usize, Term)> = BTreeMap::new();
    let mut steps = BTreeSet::new();
    let mut given_back: BTreeMap<Func, BTreeSet<Term>> = BTreeMap::new();
    for (number, call) in calls.iter().enumerate() {
        if stop.reason().is_some() {
            return Vec::new();
        }
        // A step stays one; there may be a hundred thousand calls of it.
        if steps.contains(&call.func) {
            continue;
        }
        let Some(gave) = call.gave.iter().find(|term| is_heavy(term)) else { continue };
        let little = SIMPLE.max(terms.count_parts(&[*gave], MUCH_MORE * HEAVY_IF_STUCK) / MUCH_MORE);
        let before = given_back.entry(call.func).or_default();
        let is_little = |term: &Term| {
            is_simple(terms, *term)
                || !before.contains(term) && terms.count_parts(&[*term], little + 1) <= little
        };
        let is_given_little = call.given.iter().all(is_little);
        before.extend(&call.gave);
        match is_given_little && call.gave.iter().all(is_mixed) {
            true => {
                causes.entry(call.func).or_insert((!call.is_direct, number, *gave));
            }
            // A step of a checksum, which is given what the one before gave; or who copies.
            false => {
                steps.insert(call.func);
            }
        }
    }
    causes.retain(|func, _| !steps.contains(func));
    let mut causes: Vec<(Func, (bool, usize, Term))> = causes.into_iter().collect();
    causes.sort_by_key(|&(func, (is_indirect, number, _))| rank(is_own(func), is_indirect, number));
    let why = |gave: Term| Some(WhyUnknown::TooHard(*within.get(&gave)?));
    causes.into_iter().filter_map(|(func, (.., gave))| Some((func, why(gave)?))).collect()
}

/// Which of the functions that might be unknown come first: the one of a library that the user's code calls, for nobody wants to see inside; of the user's own
/// the innermost, which ended first. Those that depend on nothing but what they were given are preferred.
pub(super) fn rank(is_own: bool, is_indirect: bool, number: usize) -> (bool, bool, usize) {
    (is_indirect, is_own, if is_own { number } else { usize::MAX - number })
}

/// The parts of what was decided, each with a decision that it is part of.
fn parts(terms: &Terms, decided: &[(u32, Term)]) -> BTreeMap<Term, u32> {
    let ats: BTreeMap<Term, u32> = decided.iter().rev().map(|&(at, term)| (term, at)).collect();
    let roots: Vec<Term> = decided.iter().map(|(_, term)| *term).collect();
    let (mut parts, mut of_next) = (BTreeMap::new(), Vec::new());
    for part in terms.in_post_order(&roots) {
        of_next.push(part);
        if let Some(&at) = ats.get(&part) {
            parts.extend(of_next.drain(..).map(|part| (part, at)));
        }
    }
    parts
}

/// Whether a term has few parts.
pub(super) fn is_simple(terms: &Terms, term: Term) -> bool {
    terms.count_parts(&[term], SIMPLE + 1) <= SIMPLE
}

/// Whether a term says only whether something holds: who compares is not what is hard.
pub(super) fn is_condition(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::ZeroExtend { term, .. } | Node::SignExtend { term, .. } => is_condition(terms, term),
        Node::Ite(_, one, other) => terms.as_constant(one).is_some() && terms.as_constant(other).is_some(),
        _ => terms.width_of(term) == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::{Algebra, Binary};

    /// A heavy term of another.
    fn mixed(terms: &mut Terms, mut term: Term) -> Term {
        for round in 0..HEAVY as u64 {
            let odd = terms.constant(32, 2 * round + 3);
            let product = terms.binary(Binary::Mul, term, odd);
            term = terms.binary(Binary::Xor, product, term);
        }
        term
    }

    #[test]
    fn a_hash_is_a_cause_and_its_steps_and_comparisons_are_not() {
        let mut terms = Terms::new();
        let [first, second, wanted] = ["first", "second", "wanted"].map(|name| terms.symbol(name, 32));
        let once = mixed(&mut terms, first);
        let sum = terms.binary(Binary::Add, once, second);
        let twice = mixed(&mut terms, sum);
        let same = terms.binary(Binary::Eq, twice, wanted);
        let (one, zero) = (terms.constant(32, 1), terms.constant(32, 0));
        let answer = terms.ite(same, one, zero);
        let [step, hash, wrapper, is_right, other] = [1, 2, 3, 4, 5].map(Func);
        let call = |func, given: &[Term], is_direct, gave| Computed {
            func,
            given: given.to_vec(),
            is_direct,
            gave: vec![gave],
            gave_numbers: false,
            is_contained: true,
            events: 0..0,
        };
        let calls = [
            call(step, &[first], true, once),
            call(step, &[once, second], true, twice),
            call(wrapper, &[first, second], false, twice),
            call(hash, &[first, second], true, twice),
            call(is_right, &[first, second, wanted], true, answer),
            call(other, &[wanted], true, wanted),
        ];
        let found = causes(&terms, &[(7, wanted), (9, answer)], &calls, HEAVY, (&|_| true, &Stop::default()));
        assert_eq!(found, [hash, wrapper].map(|func| (func, WhyUnknown::TooHard(9))));
        assert_eq!(causes(&terms, &[(7, wanted)], &calls, HEAVY, (&|_| true, &Stop::default())), []);
        let stop = Stop::default();
        stop.now(crate::StopReason::Time);
        let found = causes(&terms, &[(7, wanted), (9, answer)], &calls, HEAVY, (&|_| true, &stop));
        assert_eq!(found, [], "when the time is over nobody looks");
    }
}
