//! Path repair: runs that left the way that they were to go are brought back.
//!
//! With another length a checksum is another: a run that was made for what lies behind it fails where the one before went through. Then it is asked at once for
//! an input that goes on as was wanted ([`Intent`]), and again, a few times. And a branch that could not go another way, because a term had been replaced by its
//! value, says which value would be worth having ([`tied`]).

mod tied;

use crate::choice::Way;
use crate::engine::compose::Composer;
use crate::exploration::{Intent, NodeId, Question, State, Then};
use crate::strategy::{Event, Seen, Strategy, View};
use crate::task::{Conditions, Done, Excluded, TraceId};
use std::collections::VecDeque;
use tied::TiedBranches;

/// A decision at which a run left the way that it was to go.
#[derive(Clone, Copy, Debug)]
struct Left {
    node: NodeId,
    trace: TraceId,
    place: usize,
    intent: Intent,
}

/// See the module.
#[derive(Default)]
pub(crate) struct Repair {
    /// Decisions at which runs have left their ways: they are asked about before all others.
    left: VecDeque<Left>,
    /// Branches that values keep from going another way.
    tied: TiedBranches,
}

impl<'p> Strategy<'p> for Repair {
    fn propose(&mut self, view: &mut View<'_, '_, 'p>, batch: &mut Composer<'_, 'p>) {
        for left in std::mem::take(&mut self.left) {
            ask(left, view, batch);
        }
        self.tied.propose(view, batch);
    }

    fn saw(&mut self, view: &mut View<'_, '_, 'p>, event: &Event<'_>) {
        match *event {
            Event::Ran(ref seen) => {
                self.tied.saw(view, seen.trace, seen.ran);
                if let Some(left) = left(view, seen) {
                    view.exploration.runs.hold(seen.trace);
                    self.left.push_back(left);
                }
            }
            // What was to be asked where a run has left its way was not: it is asked the next time.
            Event::Answered {
                question: Question { node, .. },
                intent: Some((trace, intent)),
                done: Done::Postponed,
            } => {
                let place = view.exploration.tree.node(node).place as usize;
                self.left.push_back(Left { node, trace, place, intent });
            }
            _ => {}
        }
    }

    fn begin_anew(&mut self, _: &mut View<'_, '_, 'p>) {
        // Paths are others from now on, and so is what ties branches.
        *self = Repair::default();
    }
}

/// Where a run left the way that it was to go, if it did.
fn left(view: &View<'_, '_, '_>, Seen { trace, intent, ran, .. }: &Seen<'_>) -> Option<Left> {
    let intent = (*intent)?;
    let turns = intent.turns.checked_sub(1)?;
    let is_branch = |way: Way| matches!(way, Way::Branch(_));
    let goes_on = matches!(intent.then, Then::AsFirst);
    let (tree, choices) = (&view.exploration.tree, &ran.choices);
    let mut wanted = tree.way_to(intent.goal, goes_on);
    // One that goes on as long as the other has not failed: it went somewhere else.
    if goes_on && choices.len() >= wanted.len() {
        return None;
    }
    if let Then::ThisWay(number) = intent.then {
        let goal = tree.node(intent.goal);
        wanted.push((goal.at, goal.ways[number].0));
    }
    let mut wanted = wanted.into_iter().filter(|(_, way)| is_branch(*way));
    let came = tree.nodes_of(choices).into_iter().zip(choices).enumerate();
    for (place, (node, choice)) in came.filter(|(_, (_, choice))| is_branch(choice.way)) {
        match wanted.next() {
            Some((at, way)) if at == choice.at && way == choice.way => {}
            Some((at, _)) if at == choice.at => {
                return Some(Left { node, trace: *trace, place, intent: Intent { turns, ..intent } });
            }
            _ => return None,
        }
    }
    None
}

/// Asks where a run has left its way for inputs like its own that do not.
fn ask<'p>(
    Left { node, trace, place, intent }: Left,
    view: &mut View<'_, '_, 'p>,
    batch: &mut Composer<'_, 'p>,
) {
    // Who is to go on from the decision is asked about itself. Where each sample takes a run any will do, and the first is known best.
    let goes_on = !matches!(intent.then, Then::Anyhow) || view.search.options.direct_calls;
    let known = view.exploration.tree.node(node);
    let first = known.trace;
    // What others did there is excluded in the words of the first: another that went the only way that is known speaks for it.
    let is_asked = trace == first || known.ways.len() == 1;
    match known.state {
        State::Open if !goes_on || is_asked => {
            let trace = if goes_on { trace } else { first };
            let question = view.exploration.question(node, view.search);
            batch.ask(view, question, Some((trace, intent)));
        }
        // Others went that way from here: with another input, of which they made something else. So its answer may be no news.
        State::Open | State::Exhausted if goes_on => {
            let excluded = Excluded::Conditions(Conditions::default(), None);
            batch.ask_for(view.exploration, (trace, place, excluded), intent);
        }
        _ => {}
    }
}
