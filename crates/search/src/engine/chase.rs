//! Runs that promise nothing, and what is done to bring them back.
//!
//! With another length a checksum is another: a run that was made for what lies behind it fails where the one before went through. Then it is asked at once for
//! an input that goes on as was wanted, and again, a few times.

use super::{About, Batch, EFFORTS, Engine, Pending};
use crate::approach::Imprecision;
use crate::choice::{Choice, Way};
use crate::frontier::ClassKey;
use crate::task::{Difficulty, Done, Excluded, Task, TraceId};
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
    /// How they are then to go on.
    then: Then,
    /// How often they may be brought back.
    turns: u8,
}

/// A decision at which a run left the way that it was to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    node: NodeId,
    trace: TraceId,
    place: usize,
    chase: Chase,
}

/// How runs are to go on from a decision.
#[derive(Clone, Copy, Debug)]
enum Then {
    /// As they like.
    Anyhow,
    /// As the first run did that came there.
    AsFirst,
    /// This way, by its number.
    ThisWay(usize),
}

impl Chase {
    /// The decision that runs are to come to.
    pub(super) fn goal(self) -> NodeId {
        self.goal
    }

    /// Runs are to come to a decision, and to go this way there.
    pub(super) fn to(goal: NodeId, way: usize) -> Chase {
        Chase { goal, then: Then::ThisWay(way), turns: MOST_TURNS }
    }
}

impl Engine<'_, '_> {
    /// Has an input run that promises nothing, but shows what a question needs to know.
    pub(super) fn step(
        &mut self,
        id: NodeId,
        key: ClassKey,
        level: usize,
        chase: Option<Chase>,
        input: Input,
    ) {
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
        let then = if is_shape || way.value().is_some() { Then::AsFirst } else { Then::Anyhow };
        let chase = chase.unwrap_or(Chase { goal: id, then, turns: MOST_TURNS });
        let pending = Pending { chase: Some(chase), after: Some((id, key, level)), ..Pending::new(input) };
        self.pending.push_back(pending);
    }

    /// With another value of an address or a length, a run is to go on as before: checksums are others then, too.
    pub(super) fn after_value(&self, id: NodeId) -> Option<Chase> {
        let is_value = self.tree.node(id).ways[0].0.value().is_some();
        let is_wanted =
            is_value && self.unknown.is_any() && self.options.imprecision == Imprecision::HigherOrder;
        is_wanted.then_some(Chase { goal: id, then: Then::AsFirst, turns: MOST_TURNS })
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

    /// Looks where a run left the way that it was to go; there it is asked about at once. Whether it did.
    pub(super) fn bring_back(&mut self, trace: TraceId, chase: Chase, choices: &[Choice]) -> bool {
        let Some(turns) = chase.turns.checked_sub(1) else { return false };
        let is_branch = |way: Way| matches!(way, Way::Branch(_));
        let goes_on = matches!(chase.then, Then::AsFirst);
        let mut wanted = self.tree.way_to(chase.goal, goes_on);
        // One that goes on as long as the other has not failed: it went somewhere else.
        if goes_on && choices.len() >= wanted.len() {
            return false;
        }
        if let Then::ThisWay(number) = chase.then {
            let goal = self.tree.node(chase.goal);
            wanted.push((goal.at, goal.ways[number].0));
        }
        let mut wanted = wanted.into_iter().filter(|(_, way)| is_branch(*way));
        let came = self.tree.nodes_of(choices).into_iter().zip(choices).enumerate();
        for (place, (node, choice)) in came.filter(|(_, (_, choice))| is_branch(choice.way)) {
            match wanted.next() {
                Some((at, way)) if at == choice.at && way == choice.way => {}
                Some((at, _)) if at == choice.at => {
                    self.left.push_back(Left { node, trace, place, chase: Chase { turns, ..chase } });
                    return true;
                }
                _ => return false,
            }
        }
        false
    }

    /// A decision at which a run has left its way, once more.
    pub(super) fn left_at(&self, node: NodeId, trace: TraceId, chase: Chase) -> Left {
        Left { node, trace, place: self.tree.node(node).place as usize, chase }
    }

    /// Asks where runs have left their ways for inputs like theirs that do not.
    pub(super) fn ask_where_left(&mut self, batch: &mut Batch, left: &mut u64) {
        for Left { node, trace, place, chase } in std::mem::take(&mut self.left) {
            // Who is to go on from the decision is asked about itself. Where each sample takes a run any will do, and the first is known best.
            let goes_on = !matches!(chase.then, Then::Anyhow) || self.options.direct_calls;
            let first = self.tree.node(node).trace;
            // What others did there is excluded in the words of the first: another that went the only way that is known speaks for it.
            let is_asked = trace == first || self.tree.node(node).ways.len() == 1;
            match self.tree.node(node).state {
                State::Open if !goes_on || is_asked => {
                    let key = self.class(node).0;
                    let trace = if goes_on { trace } else { first };
                    self.ask(batch, (node, key, 0), Some((trace, chase)), left);
                }
                // Others went that way from here: with another input, of which they made something else. So its answer may be no news.
                State::Open | State::Exhausted if goes_on => {
                    let excluded = Excluded::Conditions(Vec::new(), None);
                    self.ask_for_chase(batch, (trace, place, excluded), chase, left);
                }
                _ => {}
            }
        }
    }

    /// Has a question asked whose answer promises nothing, and is to be brought on its way.
    pub(super) fn ask_for_chase(
        &mut self,
        batch: &mut Batch,
        (trace, place, excluded): (TraceId, usize, Excluded),
        chase: Chase,
        left: &mut u64,
    ) {
        if let Some(slot) = self.bring(batch, trace, left) {
            batch.tasks[slot].push(Task::Ask { trace, place, excluded, effort: EFFORTS[0], climb: None });
            batch.about[slot].push(About::Chase(chase));
        }
    }

    /// Learns what came of such a question; that there is no input says nothing about the decision.
    pub(super) fn learn_chase(&mut self, chase: Chase, done: Done) {
        if let Done::Found(input, _) | Done::Step(input) = done {
            self.pending.push_back(Pending { chase: Some(chase), ..Pending::new(*input) });
        }
    }
}
