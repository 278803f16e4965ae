//! The mutation stage: many quick trials of inputs that are a little different, between the questions.
//!
//! ```text
//! Corpus (engine) ── Plan ──▶ trials (a slot) ── Mutant ──▶ Corpus; runs of those that cover something new
//! ```
//!
//! A trial runs the counting module only. What counts as new is a *feature*: something that was done about so often ([`bucket`]). A slot sees
//! the features of earlier batches only, so that threads change nothing; the [`Corpus`] has the last word, in the order of the tasks.

mod bytes;
mod corpus;
mod dictionary;
mod fields;
mod words;

pub(crate) use corpus::Corpus;
pub(crate) use dictionary::dictionary;
pub(crate) use fields::{Field, fields};

use crate::arbiter;
use crate::findings::NotRun;
use crate::sending::{each_shared, shared};
use crate::{Stop, Subject};
use bytes::Mutator;
use coax_execute::{Error, InShort, Input, Limits, Trial, Trials};
use coax_solve::Random;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many changes are made at once, at most: a power of two.
const CHANGES: usize = 8;
/// How often an input is changed before it is another's turn.
const IN_A_ROW: usize = 16;
/// An attempt ends when so many inputs could not be tried.
const MOST_FAILED: usize = 4;
/// How much more than its parent a mutant may do before it counts as one that never ends, and what it may do in any case.
const FUEL_FACTOR: u64 = 8;
const LEAST_FUEL: u64 = 1_000_000;

/// What a slot is to try.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// Inputs to change; the same one may be here several times.
    pub(crate) parents: Vec<Original>,
    /// What that may cost.
    pub(crate) work: u64,
    /// How long inputs made from shorter ones may be.
    pub(crate) longest: u64,
    /// Others to take parts from.
    #[serde(with = "each_shared")]
    pub(crate) others: Vec<Arc<Input>>,
    /// What programs compare with.
    #[serde(with = "shared")]
    pub(crate) dictionary: Arc<Vec<Vec<u8>>>,
    /// Words of tests.
    #[serde(with = "shared")]
    pub(crate) learned: Arc<Vec<Vec<u8>>>,
    /// The features that are known.
    #[serde(with = "shared")]
    pub(crate) seen: Arc<Features>,
    /// Failures that are known.
    #[serde(with = "shared")]
    pub(crate) failures: Arc<BTreeSet<String>>,
    /// Whether standard input matters.
    pub(crate) reads_stdin: bool,
    pub(crate) seed: u64,
}

/// An input to change, and the fuel that it needs.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Original {
    #[serde(with = "shared")]
    pub(crate) input: Arc<Input>,
    pub(crate) fuel: u64,
}

/// What came of it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tried {
    pub(crate) count: u64,
    /// Those that showed something new, in order.
    pub(crate) mutants: Vec<Mutant>,
    /// Those that could not be tried.
    pub(crate) failed: Vec<NotRun>,
}

/// An input that showed something new.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Mutant {
    pub(crate) input: Input,
    /// Which of the plan's parents it comes from.
    pub(crate) parent: usize,
    pub(crate) counts: Vec<u8>,
    pub(crate) ending: InShort,
    pub(crate) fuel: u64,
    /// How near it came to what is to be reached, if it is known.
    pub(crate) near: Option<u32>,
}

impl Mutant {
    /// An input that was tried just now.
    fn new(
        subject: &Subject<'_>,
        input: Input,
        parent: usize,
        trial: Trial,
        trials: &Trials<'_, '_>,
    ) -> Mutant {
        let Trial { ending, fuel_used } = trial;
        let near =
            subject.toward.as_ref().and_then(|toward| trials.coverage().and_then(|it| toward.nearest(&it)));
        Mutant { input, parent, counts: trials.counts().to_vec(), ending, fuel: fuel_used, near }
    }
}

/// What was seen of each thing that is counted: a bit for each bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Features(Vec<u8>);

impl Features {
    /// Whether a run shows something that is not known.
    pub(crate) fn has_news(&self, counts: &[u8]) -> bool {
        let is_new = |(&count, &seen): (&u8, &u8)| bucket(count) & !seen != 0;
        // A run does few of the things that are counted: most are passed over eight at a time.
        let mut words = counts.chunks(8).zip(self.0.chunks(8)).filter(|(counts, _)| **counts != [0; 8]);
        self.0.len() < counts.len() || words.any(|(counts, seen)| counts.iter().zip(seen).any(is_new))
    }

    /// Whether a run does something that no run has done.
    pub(crate) fn has_uncovered(&self, counts: &[u8]) -> bool {
        self.0.len() < counts.len()
            || counts.iter().zip(&self.0).any(|(&count, &seen)| count != 0 && seen == 0)
    }

    /// Takes a run into account.
    pub(crate) fn add(&mut self, counts: &[u8]) {
        self.0.resize(self.0.len().max(counts.len()), 0);
        for (seen, &count) in self.0.iter_mut().zip(counts) {
            *seen |= bucket(count);
        }
    }
}

/// The bit of a count: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more. None if there is nothing.
fn bucket(count: u8) -> u8 {
    match count {
        0 => 0,
        1..=2 => count,
        3 => 1 << 2,
        4..=7 => 1 << 3,
        8..=15 => 1 << 4,
        16..=31 => 1 << 5,
        32..=127 => 1 << 6,
        128.. => 1 << 7,
    }
}

/// Changes inputs and tries them, on this thread.
pub(crate) fn attempt(subject: &Subject<'_>, plan: &Plan, stop: &Stop) -> Tried {
    let mut tried = Tried::default();
    let mut seen = Features::clone(&plan.seen);
    let longest = (plan.longest, subject.symbols.longest);
    let mut mutator = Mutator::new(Random::new(plan.seed), &plan.dictionary, &plan.learned, longest);
    let mut failures = BTreeSet::clone(&plan.failures);
    let mut hang = false;
    let Some(Original { input: like, .. }) = plan.parents.first() else { return tried };
    let Some(mut trials) = trials(subject, like, &mut tried) else { return tried };
    let mut cost = 0;
    for turn in 0.. {
        // What was found just now is worth a look at once, the newest most.
        let found = tried.mutants.len();
        let (number, parent) = match turn % 2 {
            1 if found > 0 => {
                let newest = found - 1 - mutator.random.below(found).min(mutator.random.below(found));
                (tried.mutants[newest].parent, tried.mutants[newest].input.clone())
            }
            _ => {
                let number = turn / 2 % plan.parents.len();
                (number, Input::clone(&plan.parents[number].input))
            }
        };
        let limits = limits(subject, plan.parents[number].fuel);
        for _ in 0..IN_A_ROW {
            if cost >= plan.work || tried.failed.len() >= MOST_FAILED || stop.reason().is_some() {
                return tried;
            }
            let mut input = parent.clone();
            let other = plan.others.get(mutator.random.below(plan.others.len().max(1)));
            fields::change(&mut input, plan.reads_stdin, other.map(|it| &**it), &mut mutator, CHANGES);
            tried.count += 1;
            let trial = try_out(&mut trials, &mut input, &limits);
            cost +=
                arbiter::trial(trial.as_ref().map_or(0, |trial| trial.as_ref().map_or(0, |it| it.fuel_used)));
            let trial = match trial {
                Ok(Some(trial)) => trial,
                Ok(None) => continue,
                Err(error) => {
                    tried.failed.push(NotRun::new(input, &error));
                    continue;
                }
            };
            let is_new = match &trial.ending {
                InShort::Discarded => false,
                // One example is enough to look at.
                InShort::Endless => !std::mem::replace(&mut hang, true),
                InShort::Failed(what) => failures.insert(what.clone()) || seen.has_news(trials.counts()),
                InShort::Finished => seen.has_news(trials.counts()),
            };
            if is_new {
                seen.add(trials.counts());
                tried.mutants.push(Mutant::new(subject, input, number, trial, &trials));
            }
        }
    }
    tried
}

/// Tries those again that showed something new when somebody did this before; what else came of it is known.
pub(crate) fn again(
    subject: &Subject<'_>,
    plan: &Plan,
    mut tried: Tried,
    mutants: Vec<(usize, Input)>,
) -> Tried {
    let Some((_, like)) = mutants.first() else { return tried };
    let Some(mut trials) = trials(subject, like, &mut tried) else { return tried };
    for (parent, mut input) in mutants {
        let limits = limits(subject, plan.parents.get(parent).map_or(0, |parent| parent.fuel));
        match try_out(&mut trials, &mut input, &limits) {
            Ok(Some(trial)) => tried.mutants.push(Mutant::new(subject, input, parent, trial, &trials)),
            Ok(None) => {}
            Err(error) => tried.failed.push(NotRun::new(input, &error)),
        }
    }
    tried
}

/// What inputs like this one are tried with, if they can be.
fn trials<'s, 'p>(subject: &'s Subject<'p>, like: &Input, tried: &mut Tried) -> Option<Trials<'s, 'p>> {
    let trials = subject.plain.trials(like).map_err(|error| NotRun::new(like.clone(), &error));
    trials.map_err(|failed| tried.failed.push(failed)).ok()
}

/// What the mutants of an input that needs so much fuel may use.
fn limits(subject: &Subject<'_>, fuel: u64) -> Limits {
    let most = subject.limits.fuel.saturating_mul(FUEL_FACTOR);
    let fuel = fuel.saturating_mul(FUEL_FACTOR).max(LEAST_FUEL).min(most);
    Limits { fuel, time: None, ..subject.limits.clone() }
}

/// Tries an input; nothing if it cannot be run.
fn try_out(trials: &mut Trials<'_, '_>, input: &mut Input, limits: &Limits) -> Result<Option<Trial>, Error> {
    loop {
        match trials.run(input, limits) {
            // The program asked for something else after the change: then it is given what it is given by default.
            Err(Error::BadValue { place, .. }) if place < input.values.len() => input.values.truncate(place),
            Err(Error::BadValue { .. }) => return Ok(None),
            trial => return Ok(Some(trial?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bucket_is_news_once() {
        let mut seen = Features::default();
        let mut news = Vec::new();
        for count in 0..=255 {
            if seen.has_news(&[count]) {
                news.push(count);
            }
            seen.add(&[count]);
        }
        // Before the first run nothing is known, not even how much there is to count.
        assert_eq!(news, [0, 1, 2, 3, 4, 8, 16, 32, 128]);
        assert!(!seen.has_uncovered(&[7]));
    }
}
