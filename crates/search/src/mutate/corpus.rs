//! The inputs that mutants are made from, and how many of each.

use super::words::learnable;
use super::{Features, Mutant, Original, Plan, Tried, fields};
use crate::arbiter;
use crate::backward::Toward;
use crate::task::{Confirmed, Ran};
use coax_execute::{InShort, Input};
use coax_solve::Random;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many inputs a slot changes in a batch.
const PARENTS: usize = 4;
/// How long inputs made from shorter ones may be at first.
const FIRST_LENGTH: u64 = 64;
/// They may be longer when so many trials in a row, for each bit of the length, have shown nothing new.
const PATIENCE: u64 = 100;
/// From how many inputs parts may be taken.
const OTHERS: usize = 8;
/// How much more what came nearest to what is to be reached is worth than what is far away.
const NEAR: u32 = 32;
/// No more words are learned.
const MOST_WORDS: usize = 1024;

/// The inputs that mutants are made from.
#[derive(Debug)]
pub(crate) struct Corpus {
    parents: Vec<Parent>,
    seen: Arc<Features>,
    dictionary: Arc<Vec<Vec<u8>>>,
    /// Words of tests.
    learned: Arc<Vec<Vec<u8>>>,
    /// Failures that were looked at.
    failures: Arc<BTreeSet<String>>,
    hang: bool,
    /// Whether a run has read standard input.
    reads_stdin: bool,
    /// How long inputs made from shorter ones may be, and how many trials since then have shown nothing new.
    longest: u64,
    in_vain: u64,
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
    /// How near it came to what is to be reached, if it is known.
    near: Option<u32>,
}

impl Parent {
    /// How worthwhile it is to change it: much if little was tried, if it bore fruit, if it was the first to come somewhere, or if none came nearer.
    fn worth(&self, nearest: Option<u32>) -> u64 {
        let near = u64::from(match (self.near, nearest) {
            (Some(near), Some(nearest)) => NEAR / (1 + near - nearest).min(NEAR),
            // It was never on a way; unless nobody was.
            (None, Some(_)) => 1,
            (_, None) => NEAR,
        });
        let hope = (1 + self.fruits) * if self.covers { 4 } else { 1 };
        let cost = arbiter::trial(self.fuel).ilog2().pow(2) as u64;
        (hope << 32) / ((64 + self.tried) * cost) * near / u64::from(NEAR)
    }
}

impl Corpus {
    pub(crate) fn new(dictionary: Vec<Vec<u8>>, seed: u64) -> Corpus {
        Corpus {
            parents: Vec::new(),
            seen: Arc::default(),
            dictionary: Arc::new(dictionary),
            learned: Arc::default(),
            failures: Arc::default(),
            hang: false,
            reads_stdin: false,
            longest: FIRST_LENGTH,
            in_vain: 0,
            random: Random::new(seed ^ 0x6d75_7461),
            plans: Vec::new(),
        }
    }

    /// Takes an input into account that was run.
    pub(crate) fn ran(&mut self, ran: &Ran, toward: Option<&Toward>) {
        self.reads_stdin |= ran.reads_stdin;
        let Confirmed { input, counts, fuel, coverage, .. } = &ran.confirmed;
        if self.seen.has_news(counts) {
            let near = toward.and_then(|toward| toward.nearest(coverage));
            self.add(input.clone(), counts, *fuel, near);
        }
    }

    /// Learns the words of an input that became a test.
    pub(crate) fn learn_words(&mut self, input: &Input) {
        for data in fields::bytes(input) {
            for word in learnable(&data.0) {
                let is_new = !self.learned.iter().any(|known| known == word);
                if is_new && self.learned.len() < MOST_WORDS {
                    Arc::make_mut(&mut self.learned).push(word.to_vec());
                }
            }
        }
    }

    fn add(&mut self, input: Input, counts: &[u8], fuel: u64, near: Option<u32>) {
        let covers = self.seen.has_uncovered(counts);
        Arc::make_mut(&mut self.seen).add(counts);
        self.parents.push(Parent { input: Arc::new(input), fuel, tried: 0, fruits: 0, covers, near });
    }

    /// What each of so many slots is to try for so much work; nothing if there is nothing to change.
    pub(crate) fn plans(&mut self, slots: usize, work: u64) -> Vec<Plan> {
        self.plans.clear();
        if self.parents.is_empty() {
            return Vec::new();
        }
        let nearest = self.parents.iter().filter_map(|parent| parent.near).min();
        let mut worth: Vec<u64> = Vec::with_capacity(self.parents.len());
        let mut sum = 0;
        for parent in &self.parents {
            sum += parent.worth(nearest).max(1);
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
            for &number in &chosen {
                let parent = &mut corpus.parents[number];
                parent.tried += work / PARENTS as u64 / arbiter::trial(parent.fuel);
            }
            let parents = chosen.iter().map(|&number| {
                let Parent { input, fuel, .. } = &corpus.parents[number];
                Original { input: Arc::clone(input), fuel: *fuel }
            });
            let plan = Plan {
                parents: parents.collect(),
                work,
                longest: corpus.longest,
                others,
                dictionary: Arc::clone(&corpus.dictionary),
                learned: Arc::clone(&corpus.learned),
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

    /// Learns from what a slot has tried; returns the inputs that may become tests: those that do something that no input has done, or
    /// fail in a new way.
    pub(crate) fn learn(&mut self, slot: usize, tried: Tried) -> Vec<Input> {
        let mut candidates = Vec::new();
        self.in_vain += tried.count;
        for mutant in tried.mutants {
            let Mutant { input, parent, counts, ending, fuel, near, .. } = &mutant;
            let is_failure = match ending {
                InShort::Failed(what) => Arc::make_mut(&mut self.failures).insert(what.clone()),
                InShort::Endless => !std::mem::replace(&mut self.hang, true),
                InShort::Finished | InShort::Discarded => false,
            };
            let covers = self.seen.has_uncovered(counts);
            if self.seen.has_news(counts) {
                self.in_vain = 0;
                if let Some(parent) = self.plans.get(slot).and_then(|chosen| chosen.get(*parent)) {
                    self.parents[*parent].fruits += 1;
                }
                self.add(input.clone(), counts, *fuel, *near);
            }
            if covers || is_failure {
                candidates.push(mutant.input);
            }
        }
        let bits = u64::from(self.longest.ilog2());
        while self.in_vain > PATIENCE * bits {
            self.in_vain -= PATIENCE * bits;
            self.longest += bits;
        }
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_near_is_worth_more_and_what_was_on_no_way_least() {
        let worth = |near, nearest| {
            let parent = Parent { input: Arc::default(), fuel: 1, tried: 0, fruits: 0, covers: false, near };
            parent.worth(nearest)
        };
        let nearest = Some(3);
        assert!(worth(Some(3), nearest) > worth(Some(4), nearest));
        assert!(worth(Some(4), nearest) > worth(None, nearest));
        // If nothing is to be reached, or nobody was on a way, all are as good.
        assert_eq!(worth(None, None), worth(Some(3), nearest));
    }
}
