//! Runs that promise nothing, and what is done to bring them back.
//!
//! With another length a checksum is another: a run that was made for what lies behind it fails where the one before went through. Then it is asked at once for
//! an input that goes on as was wanted, and again, a few times.

use super::{Engine, Pending};
use crate::approach::Imprecision;
use crate::choice::{Choice, Way};
use crate::frontier::ClassKey;
use crate::task::Difficulty;
use crate::tree::{NodeId, State};
use coax_execute::Input;

/// How many runs that promise nothing are made for one question about unknown functions; who asks for shapes knows when there are no more.
const MOST_STEPS: u32 = 48;
const MOST_SHAPES: u32 = 512;
/// How often one of them is brought back.
const MOST_TURNS: u8 = 6;

/// Which way runs are to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chase {
    /// The decision that they are to come to.
    goal: NodeId,
    /// Whether they are then to go on as the first run did that came there.
    goes_on: bool,
    /// How often they may be brought back.
    turns: u8,
}

impl Engine<'_, '_> {
    /// Has an input run that promises nothing, but shows what a question needs to know.
    pub(super) fn step(&mut self, id: NodeId, key: ClassKey, level: usize, input: Input) {
        let way = self.tree.node(id).ways[0].0;
        let is_shape = matches!(way, Way::Shape(_));
        let most = if is_shape { MOST_SHAPES } else { MOST_STEPS };
        let steps = self.unknown.steps.entry(id).or_default();
        *steps += 1;
        if *steps > most {
            let said =
                format!("{most} runs that should have shown what unknown functions give were not enough");
            self.settle(id, State::GivenUp(Difficulty::of_unknown(&said)));
            return;
        }
        let goes_on = is_shape || way.value().is_some();
        let chase = Chase { goal: id, goes_on, turns: MOST_TURNS };
        let pending = Pending { chase: Some(chase), after: Some((id, key, level)), ..Pending::new(input) };
        self.pending.push_back(pending);
    }

    /// With another value of an address or a length, a run is to go on as before: checksums are others then, too.
    pub(super) fn after_value(&self, id: NodeId) -> Option<Chase> {
        let is_value = self.tree.node(id).ways[0].0.value().is_some();
        let is_wanted =
            is_value && self.unknown.is_any() && self.options.imprecision == Imprecision::HigherOrder;
        is_wanted.then_some(Chase { goal: id, goes_on: true, turns: MOST_TURNS })
    }

    /// A run that was made for a question is over: it is asked again if that run may have shown what is needed.
    pub(super) fn after_step(&mut self, (id, key, level): (NodeId, ClassKey, usize)) {
        if self.tree.node(id).state != State::Waiting {
            return;
        }
        let is_shape = matches!(self.tree.node(id).ways[0].0, Way::Shape(_));
        if is_shape || !self.options.direct_calls {
            self.put_back(id, key, level);
            return;
        }
        // What a direct call shows is known already; what is needed is another shape, which is another path.
        let said = "with other arguments an unknown function on the way reads something else";
        self.settle(id, State::GivenUp(Difficulty::of_unknown(said)));
        self.unknown.wait(id, key);
    }

    /// Looks where a run left the way that it was to go; there it is asked about at once.
    pub(super) fn bring_back(&mut self, chase: Chase, choices: &[Choice]) {
        let Some(turns) = chase.turns.checked_sub(1) else { return };
        let is_branch = |way: Way| matches!(way, Way::Branch(_));
        let wanted = self.tree.way_to(chase.goal, chase.goes_on);
        // One that goes on as long as the other has not failed: it went somewhere else.
        if chase.goes_on && choices.len() >= wanted.len() {
            return;
        }
        let mut wanted = wanted.into_iter().filter(|(_, way)| is_branch(*way));
        let came = self.tree.nodes_of(choices).into_iter().zip(choices);
        for (node, choice) in came.filter(|(_, choice)| is_branch(choice.way)) {
            match wanted.next() {
                Some((at, way)) if at == choice.at && way == choice.way => {}
                Some((at, _)) if at == choice.at => {
                    if self.tree.node(node).state == State::Open {
                        self.urgent.push_back((node, Chase { turns, ..chase }));
                    }
                    return;
                }
                _ => return,
            }
        }
    }
}
