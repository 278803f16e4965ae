//! What a search knows of unknown functions, and what it does about those that are none.

use crate::approach::{Approach, Treatment};
use crate::findings::{Earlier, UnknownFunction, WhyUnknown};
use crate::samples::{Fresh, Sample};
use coax_execute::Refused;
use coax_program::{Func, Program};
use coax_solve::validity::{Added, Samples};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A function of which so many calls have shown nothing, and none something, is none.
const MOST_REFUSED: u64 = 8;

/// What is known of unknown functions.
pub(crate) struct UnknownFunctions<'p> {
    approach: Arc<Approach<'p>>,
    samples: Arc<Samples>,
    /// Whether the program itself calls one of them whatever the input is.
    pub(crate) has_own: bool,
    functions: BTreeMap<Func, UnknownFunction>,
    /// How often functions that were unknown were followed at last, or the other way round.
    turns: BTreeMap<Func, u32>,
    /// How many parts had what those gave that became unknown by themselves.
    sizes: BTreeMap<Func, usize>,
    /// What earlier searches saw of functions that are followed as yet.
    set_aside: BTreeMap<Func, Vec<Sample>>,
    /// The functions of the program that those of terms stand for.
    owners: BTreeMap<String, Func>,
    /// What slots have learned in this batch.
    fresh: Vec<Fresh>,
    /// What was said where questions were given up as long as a function was unknown that is followed now, by place.
    pub(crate) given_up_before: BTreeMap<u32, String>,
    /// The functions whose ways are to be joined.
    pub(crate) joined: BTreeSet<Func>,
    /// Paths of earlier approaches.
    pub(crate) paths_before: u64,
    /// Whether this approach is not the first, and tests of the ones before have not run with it.
    may_retrace: bool,
}

impl<'p> UnknownFunctions<'p> {
    pub(crate) fn new(approach: Arc<Approach<'p>>) -> UnknownFunctions<'p> {
        let functions = approach
            .functions()
            .iter()
            .map(|&func| (func, UnknownFunction { is_named: true, ..of_function(func) }))
            .collect();
        UnknownFunctions {
            given_up_before: BTreeMap::new(),
            joined: approach.treatment.joined.clone(),
            approach,
            samples: Arc::default(),
            has_own: false,
            functions,
            turns: BTreeMap::new(),
            sizes: BTreeMap::new(),
            set_aside: BTreeMap::new(),
            owners: BTreeMap::new(),
            fresh: Vec::new(),
            paths_before: 0,
            may_retrace: false,
        }
    }

    /// Whether there are any.
    pub(crate) fn is_any(&self) -> bool {
        !self.approach.unknown.is_empty()
    }

    /// A function becomes unknown by itself.
    pub(crate) fn becomes_unknown(&mut self, func: Func, why: WhyUnknown) {
        let function = self.of(func);
        function.why = why;
        if std::mem::take(&mut function.is_followed) {
            self.takes_turn(func);
        }
    }

    /// The functions that are unknown, or will be in the next batch.
    pub(crate) fn functions(&self) -> Vec<Func> {
        self.functions.values().filter(|it| it.is_unknown()).map(|it| it.func).collect()
    }

    /// Whether a function is followed and may become unknown as soon as there is trouble. One that did so before, in vain, waits for its turn.
    pub(crate) fn may_become(&self, func: Func) -> bool {
        let is_new = |it: &UnknownFunction| it.is_followed && it.why == WhyUnknown::Named;
        self.functions.get(&func).is_none_or(is_new)
    }

    /// All that is known of functions that are unknown or were.
    pub(crate) fn all(&self) -> &BTreeMap<Func, UnknownFunction> {
        &self.functions
    }

    /// Those that are unknown because somebody named them.
    pub(crate) fn named(&self) -> BTreeSet<Func> {
        let is_it = |it: &&UnknownFunction| it.why == WhyUnknown::Named && it.is_unknown();
        self.functions.values().filter(is_it).map(|it| it.func).collect()
    }

    /// Calls of a function are followed from now on, though it is one.
    pub(crate) fn follows(&mut self, func: Func) {
        self.of(func).is_followed = true;
        self.takes_turn(func);
    }

    fn takes_turn(&mut self, func: Func) {
        let turns = self.turns.entry(func).or_default();
        *turns = turns.saturating_add(1);
    }

    /// A function stays as it is.
    pub(crate) fn has_no_more_turns(&mut self, func: Func) {
        self.turns.insert(func, u32::MAX);
    }

    /// The functions that are unknown since the last batch or longer.
    pub(crate) fn for_a_while(&self) -> Vec<Func> {
        let mut functions = self.functions();
        functions.retain(|func| self.approach.functions().contains(func));
        functions
    }

    /// Those that had become unknown by themselves and are followed at last, with the reason that there was.
    pub(crate) fn followed_at_last(&self) -> Vec<(Func, WhyUnknown)> {
        let is_it =
            |it: &&UnknownFunction| it.is_followed && it.is_none.is_none() && it.why != WhyUnknown::Named;
        self.functions.values().filter(is_it).map(|it| (it.func, it.why)).collect()
    }

    /// A function gave something with so many parts, as long as its calls were followed.
    pub(crate) fn gave(&mut self, func: Func, size: usize) {
        self.sizes.insert(func, size);
    }

    /// How many parts had what a function gave, if anybody looked.
    pub(crate) fn size(&self, func: Func) -> Option<usize> {
        self.sizes.get(&func).copied()
    }

    /// How often a function that was unknown was followed at last, or the other way round.
    pub(crate) fn turns(&self, func: Func) -> u32 {
        self.turns.get(&func).copied().unwrap_or_default()
    }

    /// Those that became unknown by themselves, but for those that are followed at last.
    pub(crate) fn by_themselves(&self) -> Vec<Func> {
        let is_it = |it: &&UnknownFunction| it.why != WhyUnknown::Named && !it.is_followed;
        self.functions.values().filter(is_it).map(|function| function.func).collect()
    }

    /// How many samples there are.
    pub(crate) fn known(&self) -> usize {
        self.samples.len()
    }

    /// Forgets the oldest samples, if there are more.
    pub(crate) fn keep(&mut self, most: usize) {
        Arc::make_mut(&mut self.samples).keep(most);
    }

    /// Takes what slots have learned.
    pub(crate) fn gather(&mut self, fresh: Vec<Fresh>) {
        self.fresh = fresh;
    }

    /// The functions whose calls are not to be followed from now on, if that changes anything: what is no function is followed, what became unknown is not.
    pub(crate) fn wanted(&self) -> Option<BTreeSet<Func>> {
        let before = self.approach.functions();
        let is_unknown = |it: &&UnknownFunction| {
            it.is_unknown() && (it.why != WhyUnknown::Named || before.contains(&it.func))
        };
        let now: BTreeSet<Func> = self.functions.values().filter(is_unknown).map(|it| it.func).collect();
        (now != *before || self.joined != self.approach.treatment.joined).then_some(now)
    }

    /// Calls are treated so from now on; so many paths were known before.
    pub(crate) fn change(&mut self, approach: Arc<Approach<'p>>, paths: u64) {
        self.approach = approach;
        self.paths_before += paths;
        self.may_retrace = true;
    }

    /// Whether tests that were found when calls were treated otherwise may be run once more. (Not as soon as that changes: they were made small, and there is less to see
    /// from there.)
    pub(crate) fn take_retrace(&mut self) -> bool {
        std::mem::take(&mut self.may_retrace)
    }

    /// How calls are treated now, and what is known of unknown functions.
    pub(crate) fn share(&self) -> (Arc<Treatment>, Arc<Samples>) {
        (Arc::clone(&self.approach.treatment), Arc::clone(&self.samples))
    }

    /// What is to be written down of a batch: what was given with it, what direct calls have shown, and how many there were.
    pub(crate) fn shown_by_calls(&self, given: &[Sample]) -> (Vec<Sample>, BTreeMap<u32, u64>) {
        let mut calls = BTreeMap::new();
        for (&func, count) in self.fresh.iter().flat_map(|fresh| &fresh.calls) {
            *calls.entry(func).or_default() += count;
        }
        let shown = given.iter().chain(self.fresh.iter().flat_map(|fresh| &fresh.by_calls));
        (shown.cloned().collect(), calls)
    }

    /// So many direct calls were made.
    pub(crate) fn called(&mut self, calls: &BTreeMap<u32, u64>) {
        for (&func, count) in calls {
            self.of(Func(func)).direct_calls += count;
        }
    }

    /// Takes over what was learned in a batch, and this.
    pub(crate) fn learn(&mut self, given: Vec<Sample>) {
        // Who knows what a function gives that is followed knows it from a search in which it was not.
        let is_for_later = |sample: &Sample| sample.is_earlier && self.may_become(Func(sample.func));
        let (for_later, given): (Vec<Sample>, Vec<Sample>) = given.into_iter().partition(is_for_later);
        for sample in for_later {
            self.set_aside.entry(Func(sample.func)).or_default().push(sample);
        }
        let (mut all, mut by_calls) = (Vec::new(), given);
        for fresh in std::mem::take(&mut self.fresh) {
            self.called(&fresh.calls);
            all.extend(fresh.by_runs);
            by_calls.extend(fresh.by_calls);
        }
        // In this order, as a search that goes on has what direct calls have shown from the journal.
        all.extend(by_calls);
        all.into_iter().for_each(|sample| self.add(sample));
    }

    fn add(&mut self, sample: Sample) {
        let func = Func(sample.func);
        if sample.is_earlier {
            match self.of(func).earlier {
                Earlier::Contradicted => return,
                Earlier::None | Earlier::Used => self.of(func).earlier = Earlier::Used,
            }
        }
        if !self.owners.contains_key(&sample.function) {
            self.owners.insert(sample.function.clone(), func);
        }
        self.has_own |= sample.is_own;
        match sample.add_to(Arc::make_mut(&mut self.samples)) {
            Added::Known => {}
            Added::New => self.of(func).samples += 1,
            // What an earlier search saw may have depended on what that search did with the program: another entry, for instance.
            Added::Contradicts(_) if self.of(func).earlier == Earlier::Used => {
                self.forget(func);
                self.add(sample);
            }
            Added::Contradicts(before) => {
                let value = sample.value;
                let why = format!("it gave {before:#x} and {value:#x} for the same arguments");
                self.of(func).is_none.get_or_insert(why);
            }
        }
    }

    /// Forgets what was seen of a function, as part of it is of earlier searches and not true any more. What this search saw is seen again when it is needed.
    fn forget(&mut self, func: Func) {
        let owners = &self.owners;
        let is_it = |name: &str| owners.get(name) == Some(&func);
        Arc::make_mut(&mut self.samples).forget(is_it);
        let function = self.of(func);
        function.earlier = Earlier::Contradicted;
        function.samples = 0;
    }

    /// The functions of which earlier searches know something, and that are followed as yet.
    pub(crate) fn of_earlier_searches(&self) -> Vec<Func> {
        self.set_aside.keys().copied().collect()
    }

    /// A function becomes unknown, as it was in an earlier search.
    pub(crate) fn is_unknown_again(&mut self, func: Func) {
        let known = self.set_aside.remove(&func).unwrap_or_default();
        // It may have become unknown by itself meanwhile.
        if self.may_become(func) {
            self.becomes_unknown(func, WhyUnknown::Earlier);
        }
        known.into_iter().for_each(|sample| self.add(sample));
    }

    fn of(&mut self, func: Func) -> &mut UnknownFunction {
        self.functions.entry(func).or_insert_with(|| of_function(func))
    }

    /// Calls that showed nothing.
    pub(crate) fn refused(&mut self, refused: &[Refused]) {
        for Refused { func, why, is_sure } in refused {
            let function = self.of(*func);
            function.why_refused.get_or_insert_with(|| why.clone());
            function.refused += 1;
            if *is_sure || function.refused >= MOST_REFUSED && function.samples == 0 {
                function.is_none.get_or_insert_with(|| why.clone());
            }
        }
    }

    /// Functions of which a call has shown nothing are none: there is nothing left to try as long as they are not followed. Whether there are such.
    pub(crate) fn follow_those_that_refused(&mut self) -> bool {
        let mut is_any = false;
        for function in self.functions.values_mut() {
            if function.is_unknown() {
                function.is_none = function.why_refused.clone();
                is_any |= function.is_none.is_some();
            }
        }
        is_any
    }

    /// All functions whose decisions are not followed.
    pub(crate) fn unfollowed(&self, program: &Program) -> BTreeSet<Func> {
        program.calls().reachable(self.approach.functions().iter().copied())
    }

    pub(crate) fn into_findings(self) -> (Vec<UnknownFunction>, Vec<Sample>) {
        let sample = |(function, arguments, value, is_own): (&str, Vec<u64>, u64, bool)| {
            let func = self.owners.get(function)?.0;
            Some(Sample { func, function: function.to_owned(), arguments, value, is_own, is_earlier: false })
        };
        let samples = self.samples.iter().filter_map(sample).collect();
        (self.functions.into_values().collect(), samples)
    }
}

fn of_function(func: Func) -> UnknownFunction {
    let earlier = Earlier::None;
    UnknownFunction {
        func,
        why: WhyUnknown::Named,
        is_named: false,
        samples: 0,
        earlier,
        direct_calls: 0,
        refused: 0,
        why_refused: None,
        is_none: None,
        is_followed: false,
    }
}
