//! Looks for bytes with which unknown functions give what is wanted, by calling them: what reads text (`strtod`, `atoi`, a parser of dates) gives the same for
//! most bytes, so solvers who are told single values learn nothing from them. What such a function reads on with is worth something, though it gives no more than before: `2.` is no
//! nearer to 2.5 than `2`, but the next byte is read.
//!
//! ```text
//! the run's bytes ──▶ each byte that was read, the last first, with each other value ──▶ nearer, or another value, or more read: go on from there, too
//! ```

use super::Slot;
use super::known::{CALLS_EFFORT, Gift, Sampler};
use super::unknown::Question;
use crate::Subject;
use coax_execute::FunctionName;
use coax_solve::{Budget, Fitness};
use coax_term::{Evaluator, Function, Functions, Model, Node, Symbol, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// So many of those that give the same value and read as much are gone on from: they may have come there differently.
const MOST_ALIKE: u32 = 4;
/// A function that does not give the same for half of so many bytes mixes them: nothing is to be learned from values nearby.
const CALLS_TO_KNOW: usize = 64;
/// How many values a byte has.
const VALUES: usize = 256;
/// No more is gone on from.
const MOST_STARTS: usize = 4096;

/// What came of it.
pub(super) enum Swept {
    /// With these values the conditions hold, if functions go on giving what they gave where they read something else.
    Found(Model),
    /// Nothing else is left to try, but these are nearer, or as near, and functions read more with them than can be changed here: there may be more to be found from there.
    Nearer(Model),
    /// There is more to try.
    Unfinished,
    /// Nothing is to be expected.
    InVain,
}

/// Values from where to go on.
struct Start {
    model: Model,
    fitness: f64,
    /// How many arguments functions read.
    read: usize,
    /// What may be changed, the last first, and how many changes were tried.
    symbols: Vec<Symbol>,
    tried: usize,
}

impl Slot<'_> {
    /// Looks for values with which the conditions of a question hold.
    pub(super) fn sweep(
        &mut self,
        subject: &Subject<'_>,
        question: &Question<'_>,
        budget: &mut Budget,
    ) -> Swept {
        let terms = &self.terms;
        let applied = applications(terms, question.goal);
        let name = |it: Function| FunctionName::parse(terms.function_name(it)).function.to_owned();
        let mixes = |it: &Applied| self.known.mixing.contains(&name(it.function));
        // Who may make few calls was asked the same before, with more of them.
        let may_call = self.known.may_call && question.calls >= CALLS_EFFORT;
        if !may_call || applied.is_empty() || applied.iter().any(mixes) {
            return Swept::InVain;
        }
        let conditions: Vec<Term> = question.related.iter().copied().chain([question.goal]).collect();
        let mut fitness = Fitness::new(terms, &conditions);
        let own = self.traces[&question.id].samples();
        let sampler = self.known.sampler((subject, &self.approach), &own, budget.left() / 2);
        let mut gifts = Gifts { terms, sampler, given: BTreeMap::new() };
        let mut sweep = Sweep::new(&applied);
        let Some(first) = fitness.of(terms, question.hint, &mut gifts) else { return Swept::InVain };
        let given = gifts.of(&applied, question.hint);
        sweep.add(question.hint.clone(), first, &given);
        let mut nearest: Option<(f64, Model)> = None;
        let mut mixing = Mixing::default();
        let is_over = loop {
            let is_spent = budget.spend(conditions.len() as u64).is_err();
            if is_spent || budget.is_over() || gifts.sampler.is_spent() {
                break false;
            }
            let Some(model) = sweep.next() else { break true };
            gifts.given.clear();
            let Some(now) = fitness.of(terms, &model, &mut gifts) else { continue };
            if now == 0.0 {
                gifts.sampler.pay(budget);
                return Swept::Found(model);
            }
            let given = gifts.of(&applied, &model);
            mixing.note(&given);
            let mixing = mixing.functions(&applied);
            if !mixing.is_empty() {
                gifts.sampler.pay(budget);
                self.known.mixing.extend(mixing.into_iter().map(name));
                return Swept::InVain;
            }
            let is_nearest = now <= nearest.as_ref().map_or(first, |(nearest, _)| *nearest);
            if is_nearest && sweep.reads_on(&given) {
                nearest = Some((now, model.clone()));
            }
            sweep.add(model, now, &given);
        };
        gifts.sampler.pay(budget);
        match (is_over, nearest) {
            (true, Some((_, model))) => Swept::Nearer(model),
            (true, None) => Swept::InVain,
            (false, _) => Swept::Unfinished,
        }
    }
}

/// Whether functions mix what they are given.
#[derive(Default)]
struct Mixing {
    calls: usize,
    /// How often each application gave each value.
    values: BTreeMap<usize, BTreeMap<u64, usize>>,
}

impl Mixing {
    fn note(&mut self, given: &[Gift]) {
        self.calls += 1;
        // Those that nobody wanted to know count, too: who was not called each time has shown too little.
        for (number, gift) in given.iter().enumerate() {
            *self.values.entry(number).or_default().entry(gift.value).or_default() += 1;
        }
    }

    /// The functions of these applications that mix, as soon as that is known.
    fn functions(&self, applied: &[Applied]) -> Vec<Function> {
        let mixes = |values: &BTreeMap<u64, usize>| values.values().all(|&count| count < CALLS_TO_KNOW / 2);
        let those = self.values.iter().filter(|(_, values)| mixes(values));
        let those = those.map(|(&number, _)| applied[number].function);
        if self.calls == CALLS_TO_KNOW { those.collect() } else { Vec::new() }
    }
}

/// An application of an unknown function: its arguments, and the symbols of each that is a byte.
struct Applied {
    function: Function,
    arguments: Vec<Term>,
    bytes: Vec<Vec<Symbol>>,
}

/// The applications in a term, of functions that read bytes that can be changed one by one.
fn applications(terms: &Terms, goal: Term) -> Vec<Applied> {
    let bytes_of = |term: Term| match terms.width_of(term) {
        8 => terms.symbols_of(term).into_iter().filter(|&it| terms.symbol_width(it) == 8).collect(),
        _ => Vec::new(),
    };
    let mut applied = Vec::new();
    for term in terms.post_order(&[goal]) {
        let node = terms.node(term);
        let Node::Apply { function, .. } = node else { continue };
        let mut arguments = Vec::new();
        terms.operands(node, |argument| arguments.push(argument));
        let bytes: Vec<Vec<Symbol>> = arguments.iter().map(|&argument| bytes_of(argument)).collect();
        if bytes.iter().any(|symbols| !symbols.is_empty()) {
            applied.push(Applied { function, arguments, bytes });
        }
    }
    applied
}

/// What functions give, and what they gave the last time, by their arguments.
struct Gifts<'a, 'b, 'p> {
    terms: &'a Terms,
    sampler: Sampler<'b, 'p>,
    given: BTreeMap<(Function, Vec<u64>), Gift>,
}

impl Gifts<'_, '_, '_> {
    /// What was given to each of these applications with these values; nothing, if nobody wanted to know.
    fn of(&mut self, applied: &[Applied], model: &Model) -> Vec<Gift> {
        let terms = self.terms;
        let mut evaluator = Evaluator::new();
        let mut gift = |it: &Applied| {
            let values =
                it.arguments.iter().map(|&argument| evaluator.eval_with(terms, model, self, argument));
            let key = (it.function, values.collect::<Option<Vec<u64>>>()?);
            self.given.get(&key).copied()
        };
        applied.iter().map(|it| gift(it).unwrap_or(Gift::NONE)).collect()
    }
}

impl Functions for Gifts<'_, '_, '_> {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let gift = self.sampler.gift(self.terms.function_name(function), arguments)?;
        self.given.insert((function, arguments.to_vec()), gift);
        Some(gift.value)
    }
}

/// Where to go on from.
struct Sweep<'a> {
    applied: &'a [Applied],
    /// How many there are that give the same and read as much.
    alike: BTreeMap<Vec<Gift>, u32>,
    starts: Vec<Start>,
    /// Those with something left to try: where the least is read first, for there most can follow; and the nearest first.
    shortest: BTreeSet<(usize, usize)>,
    nearest: BTreeSet<(u64, usize)>,
    /// How often something was tried.
    turns: u64,
}

impl<'a> Sweep<'a> {
    fn new(applied: &'a [Applied]) -> Sweep<'a> {
        let (alike, starts, shortest, nearest) = Default::default();
        Sweep { applied, alike, starts, shortest, nearest, turns: 0 }
    }

    /// These values were tried, and functions gave this.
    fn add(&mut self, model: Model, fitness: f64, given: &[Gift]) {
        let alike = self.alike.entry(given.to_vec()).or_default();
        if *alike == MOST_ALIKE || self.starts.len() == MOST_STARTS {
            return;
        }
        *alike += 1;
        let mut symbols = Vec::new();
        for (Applied { bytes, .. }, gift) in self.applied.iter().zip(given) {
            for &symbol in bytes.iter().take(gift.read).flatten().rev() {
                if !symbols.contains(&symbol) {
                    symbols.push(symbol);
                }
            }
        }
        let number = self.starts.len();
        let read = given.iter().map(|gift| gift.read).sum();
        self.shortest.insert((read, number));
        // The bits of floats that are not negative are ordered as they are.
        self.nearest.insert((fitness.to_bits(), number));
        self.starts.push(Start { model, fitness, read, symbols, tried: 0 });
    }

    /// Whether a function read more than it did in the run that is asked about: what that was cannot be changed here.
    fn reads_on(&self, given: &[Gift]) -> bool {
        self.applied.iter().zip(given).any(|(it, gift)| gift.read > it.bytes.len())
    }

    /// The next values to try: in turns from the nearest and from the shortest that has something left.
    fn next(&mut self) -> Option<Model> {
        loop {
            self.turns += 1;
            let number = match self.turns % 2 {
                0 => self.shortest.first()?.1,
                _ => self.nearest.first()?.1,
            };
            let start = &mut self.starts[number];
            let Some(&symbol) = start.symbols.get(start.tried / VALUES) else {
                self.shortest.remove(&(start.read, number));
                self.nearest.remove(&(start.fitness.to_bits(), number));
                continue;
            };
            let value = (start.tried % VALUES) as u64;
            start.tried += 1;
            if start.model.get(symbol) != value {
                let mut model = start.model.clone();
                model.set(symbol, value);
                return Some(model);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_gives_the_same_for_half_of_the_bytes_does_not_mix() {
        let mut terms = Terms::new();
        let [reads, mixes] = ["reads", "mixes"].map(|name| terms.function(name, 32));
        let applied =
            [reads, mixes].map(|function| Applied { function, arguments: Vec::new(), bytes: Vec::new() });
        let mut mixing = Mixing::default();
        for call in 0..CALLS_TO_KNOW as u64 {
            assert_eq!(mixing.functions(&applied), []);
            let value = |value| Gift { value, read: 1 };
            let number = if call % 2 == 0 { 7 } else { call };
            mixing.note(&[value(number), value(call / 3)]);
        }
        assert_eq!(mixing.functions(&applied), [mixes]);
    }
}
