//! Questions that wait for samples of unknown functions: a run that promises nothing shows some, or other questions do.

use super::intent::{Intent, Then};
use super::{ClassKey, Exploration, NodeId, Pending, Question, State};
use crate::approach::Imprecision;
use crate::choice::Way;
use crate::search::Search;
use crate::task::Difficulty;
use coax_execute::Input;
use std::collections::BTreeMap;

/// How many runs that promise nothing are made for one question about unknown functions; who asks for shapes knows when there are no more.
const MOST_STEPS: u32 = 48;
const MOST_SHAPES: u32 = 512;
/// How often a question is asked again because more is known of unknown functions.
const MOST_RETRIES: u32 = 4;

/// A question that waits for samples.
struct Waiting {
    node: NodeId,
    key: ClassKey,
    /// How many there were when it was asked.
    known: usize,
}

/// See the module.
#[derive(Default)]
pub(crate) struct Waits {
    /// How many runs were made for questions, by decision.
    steps: BTreeMap<NodeId, u32>,
    waiting: Vec<Waiting>,
    /// The last question that waited.
    last: Option<NodeId>,
    retries: BTreeMap<NodeId, u32>,
}

impl Waits {
    /// How many runs were made for a question.
    pub(crate) fn steps(&self, node: NodeId) -> u32 {
        self.steps.get(&node).copied().unwrap_or_default()
    }
}

impl Exploration {
    /// The input of a run that came to the last question that waited.
    pub(crate) fn waited_last(&self) -> Option<&Input> {
        Some(&*self.runs.get(self.tree.node(self.waits.last?).trace).input)
    }

    /// Has an input run that promises nothing, but shows what a question needs to know.
    pub(crate) fn step(&mut self, question: Question, intent: Option<Intent>, input: Input) {
        let id = question.node;
        let way = self.tree.node(id).ways[0].0;
        let is_shape = matches!(way, Way::Shape(_));
        let most = if is_shape { MOST_SHAPES } else { MOST_STEPS };
        let steps = self.waits.steps.entry(id).or_default();
        *steps += 1;
        if *steps > most {
            let said =
                format!("{most} runs that should have shown what unknown functions give were not enough");
            self.settle(id, State::GivenUp(Difficulty::of_unknown(&said)));
            return;
        }
        let then = if is_shape || way.value().is_some() { Then::AsFirst } else { Then::Anyhow };
        let intent = intent.unwrap_or(Intent::new(id, then));
        self.queue.push(Pending { intent: Some(intent), after: Some(question), ..Pending::new(input) });
    }

    /// With another value of an address or a length, a run is to go on as before: checksums are others then, too.
    pub(crate) fn after_value(&self, id: NodeId, search: &Search<'_, '_>) -> Option<Intent> {
        let is_value = self.tree.node(id).ways[0].0.value().is_some();
        let is_wanted =
            is_value && search.unknown.is_any() && search.options.imprecision == Imprecision::HigherOrder;
        is_wanted.then_some(Intent::new(id, Then::AsFirst))
    }

    /// A run that was made for a question is over: it is asked again if that run may have shown what is needed.
    pub(crate) fn after_step(&mut self, question: Question, search: &Search<'_, '_>) {
        let id = question.node;
        if self.tree.node(id).state != State::Waiting {
            return;
        }
        let is_shape = matches!(self.tree.node(id).ways[0].0, Way::Shape(_));
        if is_shape || !search.options.direct_calls {
            self.put_back(question, search);
            return;
        }
        // What a direct call shows is known already; what is needed is another shape, which is another path.
        let said = "with other arguments an unknown function on the way reads something else";
        self.settle(id, State::GivenUp(Difficulty::of_unknown(said)));
        self.wait_for_samples(question, search.unknown.known());
    }

    /// A question cannot be answered as long as no more than so many samples are known.
    pub(crate) fn wait_for_samples(&mut self, Question { node, key, .. }: Question, known: usize) {
        self.waits.waiting.push(Waiting { node, key, known });
        self.waits.last = Some(node);
    }

    /// Asks again what may have an answer now that more is known.
    pub(crate) fn reopen_what_waits(&mut self, search: &Search<'_, '_>) {
        let known = search.unknown.known();
        for waiting in std::mem::take(&mut self.waits.waiting) {
            if known <= waiting.known + waiting.known / 2 {
                self.waits.waiting.push(waiting);
                continue;
            }
            let Waiting { node, key, .. } = waiting;
            let retries = self.waits.retries.entry(node).or_default();
            *retries += 1;
            if *retries <= MOST_RETRIES {
                self.ask_again(node, key, search);
            }
        }
    }
}
