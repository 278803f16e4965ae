//! Questions that were answered before, and contradictions that were found before.
//!
//! Invariant: a model that leaves this layer gives values to the symbols of its question, and to functions where it applies them, and to
//! nothing else. So it fits any hint, and values for other questions of the same path can be laid over it.

use super::check::completed;
use super::restrict::Restrict;
use crate::{Answer, Budget, Layer, Query};
use coax_term::{Identity, Term, Terms};
use std::collections::BTreeMap;

/// How many words of 8 bytes answers and contradictions may take, about; then all are forgotten, which happens at the same question in
/// every run: 64 MB.
const MOST_WORDS: usize = 8_000_000;
/// What an answer takes besides conditions and values: nodes of the maps, headers.
const WORDS_OF_ANSWER: usize = 16;
/// What a function's value at some arguments takes.
const WORDS_OF_APPLICATION: usize = 8;
/// Longer contradictions are not remembered: they hardly come again.
const LONGEST_CORE: usize = 64;

/// The layer.
pub struct Cache {
    next: Box<dyn Layer>,
    identity: Option<Identity>,
    /// By the set of conditions.
    answers: BTreeMap<Box<[Term]>, Answer>,
    /// Sets of conditions that contradict each other, by the one that was made last.
    contradictions: BTreeMap<Term, Vec<Box<[Term]>>>,
    /// How many words both take.
    words: usize,
    restrict: Restrict,
}

impl Cache {
    /// Hands on what is new.
    pub fn new(next: Box<dyn Layer>) -> Cache {
        Cache {
            next,
            identity: None,
            answers: BTreeMap::new(),
            contradictions: BTreeMap::new(),
            words: 0,
            restrict: Restrict::default(),
        }
    }

    fn forget(&mut self) {
        self.answers.clear();
        self.contradictions.clear();
        self.words = 0;
    }

    /// A contradiction among these conditions, which are in order.
    fn contradiction(&self, conditions: &[Term]) -> Option<&[Term]> {
        let is_among = |core: &[Term]| core.iter().all(|term| conditions.binary_search(term).is_ok());
        let of_one = |last| self.contradictions.get(last).into_iter().flatten();
        conditions.iter().flat_map(of_one).map(|core| &**core).find(|core| is_among(core))
    }

    fn remember(&mut self, query: &Query<'_>, conditions: Box<[Term]>, answer: &Answer) {
        if self.words >= MOST_WORDS {
            self.forget();
        }
        match answer {
            Answer::Unknown(_) => {}
            Answer::Unsat(core) if core.len() < LONGEST_CORE => {
                self.words += WORDS_OF_ANSWER + core.len() / 2;
                let core = set(core.iter().copied().chain([query.goal]));
                if let Some(&last) = core.last() {
                    self.contradictions.entry(last).or_default().push(core);
                }
            }
            _ => {
                // A model has room for all symbols up to its last one.
                let values = match answer {
                    Answer::Sat(model) => {
                        let symbols = model.iter().last().map_or(0, |(symbol, _)| symbol.index() + 1);
                        2 * symbols + WORDS_OF_APPLICATION * model.applications().count()
                    }
                    _ => 0,
                };
                self.words += WORDS_OF_ANSWER + conditions.len() / 2 + values;
                self.answers.insert(conditions, answer.clone());
            }
        }
    }
}

impl Layer for Cache {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        if self.identity.replace(terms.identity()) != Some(terms.identity()) {
            self.forget();
        }
        let conditions = set(query.conditions());
        if let Some(core) = self.contradiction(&conditions) {
            return Answer::Unsat(core.iter().copied().filter(|&term| term != query.goal).collect());
        }
        if let Some(answer) = self.answers.get(&conditions) {
            return answer.clone();
        }
        let mut answer = self.next.solve(terms, query, budget);
        if let Answer::Sat(model) = answer {
            answer = Answer::Sat(self.restrict.apply(terms, query, &completed(query.hint, model)));
        }
        self.remember(query, conditions, &answer);
        answer
    }
}

fn set(conditions: impl Iterator<Item = Term>) -> Box<[Term]> {
    let mut set: Vec<Term> = conditions.collect();
    set.sort_unstable();
    set.dedup();
    set.into()
}
