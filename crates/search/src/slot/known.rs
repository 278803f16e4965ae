//! What a slot knows of unknown functions, and how it gets to know more: by calling them.

use crate::Subject;
use crate::approach::Approach;
use crate::samples::{Fresh, Sample};
use coax_execute::{FunctionName, Image, Shown};
use coax_program::Func;
use coax_program::ir::ValType;
use coax_solve::Budget;
use coax_solve::validity::{Knowledge, Samples};
use coax_term::{Function, Functions, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a direct call costs, and each of its arguments, in units of a solver's effort.
const CALL_EFFORT: u64 = 50;
const ARGUMENT_EFFORT: u64 = 1;
/// What a call costs that shows nothing: it may have used all its fuel.
const NOTHING_EFFORT: u64 = 1_000;
/// What it costs to ask once more what a call gave.
const AGAIN_EFFORT: u64 = 10;

/// What all the calls of one question may cost; and if what it asks was tried with what calls of this shape are given, and little is to be expected.
pub(super) const CALLS_EFFORT: u64 = 256 * CALL_EFFORT;
pub(super) const FEW_CALLS_EFFORT: u64 = 8 * CALL_EFFORT;

/// Whether what came out of a call that does not depend on the input is worth keeping: what is elsewhere only if calls that do depend on it were seen to leave something
/// there. It may be a table that the first call fills.
pub(super) fn is_of_interest(output: &Shown, seen: Knowledge<'_>) -> bool {
    !output.is_elsewhere || seen.of(&output.function) > 0
}

/// What a slot knows of unknown functions.
#[derive(Default)]
pub(super) struct Known {
    /// Whether they may be called directly, and the states that their first calls have found.
    pub(super) may_call: bool,
    /// When it is set, calls end.
    pub(super) until: Option<Arc<AtomicBool>>,
    pub(super) images: BTreeMap<Func, Image>,
    /// What direct calls gave that read something else than was expected.
    pub(super) elsewhere: Elsewhere,
    /// Functions of which calls nearby tell nothing.
    pub(super) mixing: BTreeSet<String>,
    /// Samples of earlier batches, of all slots; and those of this batch.
    pub(super) samples: Arc<Samples>,
    pub(super) fresh: Fresh,
}

/// What calls gave that read something else than was expected: by function and arguments.
pub(super) type Elsewhere = BTreeMap<(String, Vec<u64>), Option<Gift>>;

/// No more of that is kept.
const MOST_ELSEWHERE: usize = 1 << 15;

/// What a function gives, whatever it reads for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Gift {
    pub(super) value: u64,
    /// How many arguments it read.
    pub(super) read: usize,
}

impl Gift {
    /// What nobody wanted to know.
    pub(super) const NONE: Gift = Gift { value: 0, read: 0 };
}

impl Known {
    /// Who answers what functions give, for one question about a run that has shown this itself.
    pub(super) fn sampler<'a, 'p>(
        &'a mut self,
        (subject, approach): (&'a Subject<'p>, &'a Approach<'p>),
        own: &'a Samples,
        most: u64,
    ) -> Sampler<'a, 'p> {
        let most = if self.may_call { most } else { 0 };
        let Known { images, samples: earlier, fresh, elsewhere, until, .. } = self;
        let until = until.clone();
        Sampler { subject, approach, images, own, earlier, fresh, elsewhere, until, most, cost: 0 }
    }
}

/// Knows what functions really give: what was seen, and what a direct call shows.
pub(super) struct Sampler<'a, 'p> {
    subject: &'a Subject<'p>,
    approach: &'a Approach<'p>,
    images: &'a BTreeMap<Func, Image>,
    /// What the run showed that is asked about, and what is known from earlier batches.
    own: &'a Samples,
    earlier: &'a Samples,
    fresh: &'a mut Fresh,
    elsewhere: &'a mut Elsewhere,
    until: Option<Arc<AtomicBool>>,
    /// What calls may cost, and what they cost.
    most: u64,
    cost: u64,
}

impl Sampler<'_, '_> {
    /// What a function gives; none if that is not known and cannot be found out, or if it reads something else with these arguments.
    pub(super) fn get(&mut self, function: &str, arguments: &[u64]) -> Option<u64> {
        let known = Knowledge(&[self.own, self.earlier, &self.fresh.known]).get(function, arguments);
        if known.is_some() || self.is_spent() {
            return known;
        }
        self.gift(function, arguments);
        self.fresh.known.get(function, arguments)
    }

    /// The same; if it reads something else with these arguments, what it gives then. A run with that may go elsewhere, so it promises nothing.
    pub(super) fn guess(&mut self, function: &str, arguments: &[u64]) -> Option<u64> {
        // What mixes bits tells nothing by what it gives elsewhere.
        let func = self.approach.unknown.function_of(function);
        let results = func.map(|func| &self.subject.program.signature(func).results);
        let is_float = |ty: &ValType| matches!(ty, ValType::F32 | ValType::F64);
        match results.is_some_and(|results| results.iter().any(is_float)) {
            true => self.gift(function, arguments).map(|gift| gift.value),
            false => self.get(function, arguments),
        }
    }

    /// What a function gives, whatever it reads.
    pub(super) fn gift(&mut self, function: &str, arguments: &[u64]) -> Option<Gift> {
        let known = Knowledge(&[self.own, self.earlier, &self.fresh.known]).get(function, arguments);
        if let Some(value) = known {
            return Some(Gift { value, read: arguments.len() });
        }
        let key = (function.to_owned(), arguments.to_vec());
        if self.is_spent() {
            return None;
        }
        if let Some(gift) = self.elsewhere.get(&key) {
            self.cost += AGAIN_EFFORT;
            return *gift;
        }
        let func = self.approach.unknown.function_of(function)?;
        self.images.get(&func)?;
        let gift = self.call(function, arguments);
        if self.elsewhere.len() >= MOST_ELSEWHERE {
            self.elsewhere.clear();
        }
        self.elsewhere.insert(key, gift);
        gift
    }

    /// Calls a function, and keeps what that shows.
    fn call(&mut self, function: &str, arguments: &[u64]) -> Option<Gift> {
        let func = self.approach.unknown.function_of(function)?;
        let image = self.images.get(&func)?;
        self.cost += CALL_EFFORT;
        *self.fresh.calls.entry(func.0).or_default() += 1;
        let Subject { program, limits, .. } = self.subject;
        let Approach { symbolic, unknown, .. } = self.approach;
        let ends = (limits, self.until.clone());
        let shown = unknown.call(program, symbolic, image, (function, arguments), ends).ok()?;
        if shown.calls.is_empty() {
            self.cost += NOTHING_EFFORT;
        }
        let wanted = FunctionName::parse(function).output;
        let mut gift = None;
        for call in shown.calls {
            // With other numbers than expected it may have read a lot.
            self.cost += ARGUMENT_EFFORT * call.arguments.len() as u64;
            let mut outputs = call.outputs;
            let is_wanted = |it: &&Shown| FunctionName::parse(&it.function).output == wanted;
            if let Some(output) = outputs.iter().find(is_wanted).filter(|_| call.func == func) {
                gift = Some(Gift { value: output.value, read: call.arguments.len() });
            }
            let seen = [self.own, self.earlier, &self.fresh.known];
            outputs.retain(|output| is_of_interest(output, Knowledge(&seen)));
            for output in outputs {
                self.fresh.call_showed(Sample {
                    func: call.func.0,
                    function: output.function,
                    arguments: call.arguments.clone(),
                    value: output.value,
                    is_own: false,
                    is_earlier: false,
                });
            }
        }
        gift
    }

    /// Whether no more calls may be made.
    pub(super) fn is_spent(&self) -> bool {
        self.cost >= self.most
    }

    /// Calls cost effort.
    pub(super) fn pay(self, budget: &mut Budget) {
        // Whether anything is left is seen by whoever wants to spend it.
        let _ = budget.spend(self.cost);
    }
}

/// The functions of an arena, as they really are.
pub(super) struct Real<'a, 'b, 'p> {
    pub(super) terms: &'a Terms,
    pub(super) sampler: &'a mut Sampler<'b, 'p>,
}

impl Functions for Real<'_, '_, '_> {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        self.sampler.get(self.terms.function_name(function), arguments)
    }
}
