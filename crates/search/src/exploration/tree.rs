//! What is known of the program's paths: a tree of decisions.
//!
//! A node is a decision that runs with one common prefix came to; it knows the ways that were seen there. While a node is open there is one
//! question to ask about it: is there an input that goes none of these ways? Invariant: no two nodes have the same prefix, so no question
//! is asked twice.

use crate::choice::{Choice, Way};
use crate::task::{Difficulty, TraceId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A decision, by its number in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub(crate) fn number(self) -> usize {
        self.0 as usize
    }
}

/// What is to be done about a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// There may be other ways, and nobody has asked.
    Open,
    /// Someone is asking, or an input that was found is about to run.
    Waiting,
    /// All ways were seen.
    Exhausted,
    /// It was proved that there is no other way.
    Proved,
    /// There is another way but it is not wanted: an assumption that holds.
    Unwanted,
    /// There may be other ways, and those who go one of them are asked for them.
    Forked,
    /// Nobody knows.
    GivenUp(Difficulty),
    /// There are more values than are tried.
    TooMany,
    /// An input that should have gone another way did not come here, or went a way that was seen.
    Diverged,
    /// The run of an input that should have gone another way met a limit before it came here, or could not be made.
    CutShort,
}

/// How a run got to a decision, as far as it matters to which is asked about next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Situation {
    /// What of the way there was found last, counted from the first: what nobody did before is worth going on from.
    pub(crate) newest: u32,
    /// See [`Choice::round`].
    pub(crate) round: u8,
}

/// What an operator read of a table: the state of an automaton, if the place was looked up itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) by: u32,
    pub(crate) address: u64,
}

/// An operator that has read so many cells goes from no state to another: it reads data.
const MOST_STATES: usize = 1024;

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) at: u32,
    /// See [`Choice::next`], of the first run that came here.
    pub(crate) next: Option<u32>,
    pub(crate) situation: Situation,
    /// Whether its other ways are known to be covered elsewhere.
    pub(crate) is_missed: bool,
    /// See [`Choice::question`].
    pub(crate) question: u64,
    /// Whether it is one of those of its run that something may still be asked about.
    pub(crate) is_counted: bool,
    /// Whether it can wait: the same question came up on another path, or its answer is of little worth.
    pub(crate) can_wait: bool,
    /// The run that came here first, and the place on its path.
    pub(crate) trace: TraceId,
    pub(crate) place: u32,
    pub(crate) state: State,
    /// The decision before, and the number of the way that leads from it here.
    pub(crate) before: Option<(NodeId, usize)>,
    /// The ways that were seen, and where they lead; none if the run decided nothing more.
    pub(crate) ways: Vec<(Way, Option<NodeId>)>,
}

/// The decisions of all runs.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// How many things were found: ways of decisions, states, and runs that covered something that nobody had covered.
    found: u32,
    /// When a way of a decision of the program's was gone first: how many things were found before it.
    first_gone: BTreeMap<(u32, Way), u32>,
    /// The same of states, by who reads them.
    first_read: BTreeMap<u32, BTreeMap<u64, u32>>,
    /// The questions about branches, by where they are, [`Choice::question`] and [`Situation::newest`].
    questions: BTreeSet<(u32, u64, u32)>,
    /// Where all runs begin, if there is a decision.
    root: Option<NodeId>,
    /// How many paths end in it.
    pub(crate) paths: u64,
    /// How many decisions could not be remembered.
    pub(crate) dropped: u64,
}

/// A run that is added.
pub(crate) struct RunOf<'a> {
    pub(crate) trace: TraceId,
    pub(crate) choices: &'a [Choice],
    /// See [`crate::task::Ran::transitions`].
    pub(crate) transitions: &'a [(usize, Cell)],
    /// The decision that it should come to.
    pub(crate) origin: Option<NodeId>,
    /// Whether it covered what nobody had covered.
    pub(crate) is_news: bool,
}

/// What a run has added.
#[derive(Debug, Default)]
pub(crate) struct Inserted {
    /// Decisions nobody came to before.
    pub(crate) new: Vec<NodeId>,
    /// The decision that was known before and at which the run went a new way.
    pub(crate) left_at: Option<NodeId>,
    /// Which way the run went at the decision that was asked for, if it came there.
    pub(crate) at_origin: Option<usize>,
    /// Whether the run came to other decisions than runs with the same prefix.
    pub(crate) is_odd: bool,
}

impl Tree {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    #[cfg(test)]
    pub(crate) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }

    /// Whether there is no decision of which somebody does not know all ways.
    pub(crate) fn is_settled(&self) -> bool {
        self.nodes.iter().all(|node| matches!(node.state, State::Exhausted | State::Proved | State::Unwanted))
    }

    /// The decisions that lead to one, and, if wanted, those of the first run that came there from it on: where, and which way.
    pub(crate) fn way_to(&self, id: NodeId, goes_on: bool) -> Vec<(u32, Way)> {
        let mut way = Vec::new();
        let mut next = self.node(id).before;
        while let Some((before, number)) = next {
            let node = self.node(before);
            way.push((node.at, node.ways[number].0));
            next = node.before;
        }
        way.reverse();
        let mut next = Some(id).filter(|_| goes_on);
        while let Some(id) = next {
            let node = self.node(id);
            let Some(&(first, then)) = node.ways.first() else { break };
            way.push((node.at, first));
            next = then;
        }
        way
    }

    /// The decisions of a path, as far as they are known.
    pub(crate) fn nodes_of(&self, choices: &[Choice]) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        let mut next = self.root;
        for choice in choices {
            let Some(id) = next else { break };
            nodes.push(id);
            let ways = &self.node(id).ways;
            next = ways.iter().find(|(way, _)| *way == choice.way).and_then(|(_, then)| *then);
        }
        nodes
    }

    /// Whether the same question as that of a decision came up before, behind the same that was found.
    fn asks_again(&mut self, choice: &Choice, newest: u32) -> bool {
        matches!(choice.way, Way::Branch(_)) && !self.questions.insert((choice.at, choice.question, newest))
    }

    /// When a state was read first.
    fn first_read(&mut self, Cell { by, address }: Cell) -> u32 {
        let cells = self.first_read.entry(by).or_default();
        match cells.len() < MOST_STATES {
            true => first(cells, address, &mut self.found),
            false => cells.get(&address).copied().unwrap_or_default(),
        }
    }

    /// Adds the path of a run, if there are not too many decisions. `ways` says how many ways a decision has, if that is known.
    pub(crate) fn insert(
        &mut self,
        RunOf { trace, choices, transitions, origin, is_news }: RunOf<'_>,
        most: usize,
        ways: &dyn Fn(Choice) -> Option<usize>,
    ) -> Inserted {
        let mut inserted = Inserted::default();
        let news = self.found;
        self.found += u32::from(is_news);
        let mut transitions = transitions.iter().peekable();
        let mut next = self.root;
        let mut from: Option<(NodeId, usize)> = None;
        let mut is_new = self.root.is_none();
        let mut newest = 0;
        for (place, choice) in choices.iter().enumerate() {
            while let Some((_, cell)) = transitions.next_if(|(before, _)| *before <= place) {
                newest = newest.max(self.first_read(*cell));
            }
            let id = match next {
                Some(id) => id,
                None if self.nodes.len() >= most => {
                    self.dropped += 1;
                    break;
                }
                None => {
                    let id = NodeId(self.nodes.len() as u32);
                    let place = place as u32;
                    let newest = if is_news { newest.max(news) } else { newest };
                    let can_wait = self.asks_again(choice, newest);
                    self.nodes.push(Node {
                        at: choice.at,
                        next: choice.next,
                        situation: Situation { newest, round: choice.round },
                        is_missed: false,
                        is_counted: false,
                        question: choice.question,
                        can_wait,
                        trace,
                        place,
                        state: State::Open,
                        before: from,
                        ways: Vec::new(),
                    });
                    match from {
                        Some((parent, way)) => self.node_mut(parent).ways[way].1 = Some(id),
                        None => self.root = Some(id),
                    }
                    inserted.new.push(id);
                    id
                }
            };
            if let Way::Branch(_) = choice.way {
                newest = newest.max(first(&mut self.first_gone, (choice.at, choice.way), &mut self.found));
            }
            let node = self.node_mut(id);
            // Where a length is decided about in one run, it is in all that come there.
            let is_kept = |way: &Way| matches!(way, Way::Kept { .. });
            let is_other_kind = |(way, _): &(Way, _)| is_kept(way) != is_kept(&choice.way);
            if node.at != choice.at || node.ways.first().is_some_and(is_other_kind) {
                inserted.is_odd = true;
                return inserted;
            }
            let way = match node.ways.iter().position(|(way, _)| *way == choice.way) {
                Some(way) => way,
                None => {
                    if !node.ways.is_empty() {
                        inserted.left_at = Some(id);
                        is_new = true;
                    }
                    node.ways.push((choice.way, None));
                    let seen = node.ways.len();
                    node.state = match choice.way {
                        Way::Assumption(true) | Way::Room(_) => State::Unwanted,
                        Way::Fork(_) => State::Forked,
                        _ if ways(*choice).is_some_and(|all| seen >= all) => State::Exhausted,
                        _ => State::Open,
                    };
                    seen - 1
                }
            };
            next = node.ways[way].1;
            if origin == Some(id) {
                inserted.at_origin = Some(way);
            }
            from = Some((id, way));
        }
        self.paths += u64::from(is_new);
        inserted
    }
}

/// When something was found first; if that is now, it is one thing more that was found.
fn first<K: Ord>(known: &mut BTreeMap<K, u32>, key: K, found: &mut u32) -> u32 {
    *known.entry(key).or_insert_with(|| {
        *found += 1;
        *found - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(directions: &[(u32, u32)]) -> Vec<Choice> {
        directions
            .iter()
            .map(|&(at, direction)| Choice {
                at,
                way: Way::Branch(direction),
                next: None,
                round: 0,
                question: 0,
            })
            .collect()
    }

    fn run(trace: u32, choices: &[Choice]) -> RunOf<'_> {
        RunOf { trace: TraceId(trace), choices, transitions: &[], origin: None, is_news: false }
    }

    fn two(_: Choice) -> Option<usize> {
        Some(2)
    }

    #[test]
    fn each_prefix_has_one_node() {
        let mut tree = Tree::default();
        let first = tree.insert(run(0, &path(&[(1, 0), (2, 0)])), 100, &two);
        assert_eq!(first.new.len(), 2);
        let again = tree.insert(run(1, &path(&[(1, 0), (2, 0)])), 100, &two);
        assert!(again.new.is_empty() && again.left_at.is_none());
        assert_eq!(tree.paths, 1);
        let other = tree.insert(run(2, &path(&[(1, 0), (2, 1), (3, 0)])), 100, &two);
        assert_eq!(other.left_at, Some(first.new[1]));
        assert_eq!(tree.node(first.new[1]).state, State::Exhausted);
        assert_eq!(tree.node(first.new[0]).state, State::Open);
        assert_eq!((tree.paths, tree.nodes.len()), (2, 3));
    }

    #[test]
    fn a_state_that_was_never_read_is_found_once() {
        let mut tree = Tree::default();
        let cells = |address| [(2, Cell { by: 9, address })];
        let mut newest = |trace, ways: &[(u32, u32)], cells: &[(usize, Cell)]| {
            let choices = path(ways);
            let new = tree.insert(RunOf { transitions: cells, ..run(trace, &choices) }, 100, &two).new;
            tree.node(*new.last().expect("it is another path")).situation.newest
        };
        let first = newest(0, &[(1, 0), (1, 0), (1, 0)], &[]);
        let state = newest(1, &[(1, 0), (1, 1), (1, 0)], &cells(64));
        let again = newest(2, &[(1, 1), (1, 0), (1, 0)], &cells(64));
        let other = newest(3, &[(1, 1), (1, 1), (1, 0)], &cells(66));
        assert!(first < state && state == again && again < other, "{first} {state} {again} {other}");
    }

    #[test]
    fn what_should_be_the_same_and_is_not_is_noticed() {
        let mut tree = Tree::default();
        tree.insert(run(0, &path(&[(1, 0), (2, 0)])), 100, &two);
        assert!(tree.insert(run(1, &path(&[(1, 0), (3, 0)])), 100, &two).is_odd);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut tree = Tree::default();
        tree.insert(run(0, &path(&[(1, 0), (2, 0), (3, 0)])), 2, &two);
        assert_eq!((tree.nodes.len(), tree.dropped), (2, 1));
    }
}
