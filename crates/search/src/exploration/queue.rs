//! The inputs that wait to be run.

use super::intent::Intent;
use super::{NodeId, Question};
use coax_execute::Input;
use std::collections::{BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A decision, and how many of its ways a new run must not go.
pub(crate) type Origin = (NodeId, usize);

/// An input that waits to be run.
pub(crate) struct Pending {
    pub(crate) input: Input,
    /// The decision at which it is to go another way, and how many ways were known there.
    pub(crate) origin: Option<Origin>,
    /// Which way it is to go, though it does not promise to.
    pub(crate) intent: Option<Intent>,
    /// A question that is asked again after it.
    pub(crate) after: Option<Question>,
    /// How it was found, if that is worth telling.
    pub(crate) how: Vec<String>,
    /// Whether it was made to look for a memory error.
    pub(crate) is_suspect: bool,
    /// Whether a trial of it has shown something new.
    pub(crate) is_news: bool,
}

impl Pending {
    /// Nothing is expected of it.
    pub(crate) fn new(input: Input) -> Pending {
        let (origin, intent, after, how) = (None, None, None, Vec::new());
        Pending { input, origin, intent, after, how, is_suspect: false, is_news: false }
    }
}

/// First come, first served; nothing is run twice.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: VecDeque<Pending>,
    /// The inputs that were run, or are about to be, by their hashes.
    begun: BTreeSet<u64>,
}

impl Queue {
    pub(crate) fn push(&mut self, pending: Pending) {
        self.waiting.push_back(pending);
    }

    pub(crate) fn extend(&mut self, pending: impl IntoIterator<Item = Pending>) {
        self.waiting.extend(pending);
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The next inputs to run, at most so many, each as `fit` makes it. One that ran would go the same way again; but whoever asked a question is told what
    /// came of it.
    pub(crate) fn take(&mut self, most: usize, fit: impl Fn(Input) -> Input) -> Vec<Pending> {
        let mut taken = Vec::new();
        while taken.len() < most
            && let Some(mut next) = self.waiting.pop_front()
        {
            let is_answer = next.origin.is_some() || next.after.is_some();
            if !is_answer {
                next.input = fit(next.input);
            }
            if self.begun.insert(hash(&next.input, next.intent)) || is_answer {
                taken.push(next);
            }
        }
        taken
    }

    /// One that was taken could not be run as yet: it waits again.
    pub(crate) fn put_back(&mut self, pending: Pending) {
        self.begun.remove(&hash(&pending.input, pending.intent));
        self.push(pending);
    }

    /// What still waits, without what it is for.
    pub(crate) fn into_inputs(self) -> impl Iterator<Item = Input> {
        self.waiting.into_iter().map(|pending| pending.input)
    }
}

/// Stands for an input, and for where it is to go.
fn hash(input: &Input, intent: Option<Intent>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (input, intent.map(|intent| intent.goal.number())).hash(&mut hasher);
    hasher.finish()
}
