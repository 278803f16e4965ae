//! The inputs that mutants are made from, and how many of each.

use super::{Features, Mutant, Plan, Tried};
use crate::task::Ran;
use coax_execute::{InShort, Input};
use coax_solve::Random;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many inputs a slot changes in a batch, and how often each: at first, at least, and at most.
const PARENTS: usize = 4;
const EACH: u32 = 8;
const LEAST_EACH: u32 = 8;
const MOST_EACH: u32 = 1024;
/// About how much fuel the mutants of a slot may use in a batch.
const FUEL: u64 = 40_000_000;
/// What a run costs beside its fuel, in fuel.
const FUEL_OF_START: u64 = 20_000;
/// From how many inputs parts may be taken.
const OTHERS: usize = 8;

/// The inputs that mutants are made from.
#[derive(Debug)]
pub(crate) struct Corpus {
    parents: Vec<Parent>,
    seen: Arc<Features>,
    dictionary: Arc<Vec<Vec<u8>>>,
    /// Failures that were looked at.
    failures: Arc<BTreeSet<String>>,
    hang: bool,
    /// Whether a run has read standard input.
    reads_stdin: bool,
    /// How many mutants of each parent are tried: more where they show something new.
    each: u32,
    random: Random,
    /// The parents of the batch under way, by slots.
    plans: Vec<Vec<usize>>,
}

#[derive(Debug)]
struct Parent {
    input: Arc<Input>,
    fuel: u64,
    /// How many mutants were made of it, and how many of them showed something new.
    tried: u64,
    fruits: u64,
    /// Whether it did something that no input before it had done.
    covers: bool,
}

impl Parent {
    /// How worthwhile it is to change it: much if little was tried, if it bore fruit, or if it was the first to come somewhere.
    fn worth(&self) -> u64 {
        let hope = (1 + self.fruits) * if self.covers { 4 } else { 1 };
        let cost = (self.fuel + FUEL_OF_START).ilog2().pow(2) as u64;
        (hope << 32) / ((64 + self.tried) * cost)
    }
}

impl Corpus {
    pub(crate) fn new(dictionary: Vec<Vec<u8>>, seed: u64) -> Corpus {
        Corpus {
            parents: Vec::new(),
            seen: Arc::default(),
            dictionary: Arc::new(dictionary),
            failures: Arc::default(),
            hang: false,
            reads_stdin: false,
            each: EACH,
            random: Random::new(seed ^ 0x6d75_7461),
            plans: Vec::new(),
        }
    }

    /// Takes an input into account that was run.
    pub(crate) fn ran(&mut self, ran: &Ran) {
        self.reads_stdin |= ran.reads_stdin;
        if self.seen.has_news(&ran.counts) {
            self.add(ran.input.clone(), &ran.counts, ran.fuel);
        }
    }

    fn add(&mut self, input: Input, counts: &[u8], fuel: u64) {
        let covers = self.seen.has_uncovered(counts);
        Arc::make_mut(&mut self.seen).add(counts);
        self.parents.push(Parent { input: Arc::new(input), fuel, tried: 0, fruits: 0, covers });
    }

    /// What each of so many slots is to try; nothing if there is nothing to change.
    pub(crate) fn plans(&mut self, slots: usize) -> Vec<Plan> {
        self.plans.clear();
        if self.parents.is_empty() {
            return Vec::new();
        }
        let mut worth: Vec<u64> = Vec::with_capacity(self.parents.len());
        let mut sum = 0;
        for parent in &self.parents {
            sum += parent.worth().max(1);
            worth.push(sum);
        }
        let one = |corpus: &mut Corpus| {
            let chosen: Vec<usize> = (0..PARENTS)
                .map(|_| {
                    let place = corpus.random.below(sum as usize) as u64;
                    worth.partition_point(|&sum| sum <= place)
                })
                .collect();
            let others = (0..OTHERS).map(|_| corpus.random.below(corpus.parents.len()));
            let others = others.map(|number| Arc::clone(&corpus.parents[number].input)).collect();
            let fuel: u64 = chosen.iter().map(|&number| corpus.parents[number].fuel + FUEL_OF_START).sum();
            let each = u64::from(corpus.each).min(FUEL / fuel).max(1) as u32;
            for &number in &chosen {
                corpus.parents[number].tried += u64::from(each);
            }
            let parents = chosen.iter().map(|&number| {
                let Parent { input, fuel, .. } = &corpus.parents[number];
                (Arc::clone(input), *fuel)
            });
            let plan = Plan {
                parents: parents.collect(),
                each,
                others,
                dictionary: Arc::clone(&corpus.dictionary),
                seen: Arc::clone(&corpus.seen),
                failures: Arc::clone(&corpus.failures),
                reads_stdin: corpus.reads_stdin,
                seed: corpus.random.below(1 << 48) as u64,
            };
            corpus.plans.push(chosen);
            plan
        };
        (0..slots).map(|_| one(self)).collect()
    }

    /// Learns from what a slot has tried; returns the inputs that are worth a run with terms: those that do something that no input
    /// has done, or fail in a new way.
    pub(crate) fn learn(&mut self, slot: usize, tried: Tried) -> Vec<Input> {
        let mut worth_a_run = Vec::new();
        let mut has_news = false;
        for Mutant { input, parent, counts, ending, fuel } in tried.mutants {
            let is_failure = match ending {
                InShort::Failed(what) => Arc::make_mut(&mut self.failures).insert(what),
                InShort::Endless => !std::mem::replace(&mut self.hang, true),
                InShort::Finished | InShort::Discarded => false,
            };
            let covers = self.seen.has_uncovered(&counts);
            if covers || is_failure {
                worth_a_run.push(input.clone());
            }
            if self.seen.has_news(&counts) {
                has_news = true;
                if let Some(parent) = self.plans.get(slot).and_then(|chosen| chosen.get(parent)) {
                    self.parents[*parent].fruits += 1;
                }
                self.add(input, &counts, fuel);
            }
        }
        self.each = match has_news {
            true => (self.each * 2).min(MOST_EACH),
            false => (self.each - self.each / 16).max(LEAST_EACH),
        };
        worth_a_run
    }
}
