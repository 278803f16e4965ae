//! What an answer about a decision is worth: its priority class, and what is known of how questions fare.

use super::{ClassKey, Exploration, Node, NodeId};
use crate::choice::Way;
use crate::search::Search;
use crate::task::Aim;
use coax_execute::{Input, Question as Asked};
use coax_program::SiteKind;
use coax_program::ir::Terminator;
use std::collections::{BTreeMap, BTreeSet};

/// So often another way of a decision is gone for the sake of the next one, without anything that is new, before no more is hoped for.
const OFTEN_ENOUGH: u32 = 32;
/// Stands for ways that are covered elsewhere.
const COVERED: u32 = u32::MAX;
/// Stands for ways of decisions that can wait.
const WAITING: u32 = u32::MAX - 1;
/// So many answers that can wait are kept; others are found again.
const MOST_POSTPONED: usize = 4096;

/// What an answer about a class of decisions is worth, as what it may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Priority {
    /// Code of the user's that nobody has covered.
    Uncovered = 1,
    /// Other code that nobody has covered.
    UncoveredElsewhere = 4,
    /// Another path, or a trap.
    Path = 8,
    /// Another value of a term that is no longer one, or another path through code that is not the user's.
    Value = 32,
}

impl Priority {
    /// What must have been spent on a class so that its turn comes at this rank.
    pub(super) fn spent_at(self, rank: u64) -> u64 {
        (rank / self as u64).saturating_sub(1)
    }
}

/// What questions have brought so far.
#[derive(Default)]
pub(crate) struct Yields {
    /// How often going another way at a decision led to nothing new, by where it is and where the run decided next.
    in_vain: BTreeMap<(u32, u32), u32>,
    /// The questions that no input answers, by where they are and [`crate::choice::Choice::question`].
    unanswered: BTreeSet<(u32, u64)>,
    /// Answers that can wait, with how many ways of the decision were known.
    postponed: BTreeMap<NodeId, (usize, Input)>,
}

impl Yields {
    /// Whether another way of a decision led often enough to the next one, and to nothing new.
    fn is_in_vain(&self, at: u32, next: u32) -> bool {
        self.in_vain.get(&(at, next)).is_some_and(|&count| count >= OFTEN_ENOUGH)
    }

    /// Whether no input answers the question of a decision, as far as it was asked on another path.
    fn is_unanswered(&self, node: &Node) -> bool {
        self.unanswered.contains(&(node.at, node.question))
    }

    /// Keeps an answer that can wait.
    pub(super) fn postpone(&mut self, node: NodeId, seen: usize, input: Input) {
        if self.postponed.len() < MOST_POSTPONED {
            self.postponed.insert(node, (seen, input));
        }
    }

    /// An answer that was found before, if it still is one: so many ways were known then.
    pub(crate) fn take_postponed(&mut self, node: NodeId, seen: usize) -> Option<Input> {
        self.postponed.remove(&node).filter(|(before, _)| *before == seen).map(|(_, input)| input)
    }

    pub(super) fn forget(&mut self, node: NodeId) {
        self.postponed.remove(&node);
    }
}

impl Exploration {
    /// The class of an open decision.
    pub(crate) fn class(&self, id: NodeId, search: &Search<'_, '_>) -> (ClassKey, Priority) {
        let node = self.tree.node(id);
        let is_own = search.subject.is_own(node.at);
        let what_for = node.next.filter(|&next| !is_own || next != node.at && search.has_uncovered(next));
        let what_for = what_for.filter(|&next| !is_own || !self.yields.is_in_vain(node.at, next));
        let usual = match (is_own, what_for) {
            (true, None) => Priority::Path,
            (true, Some(_)) => Priority::UncoveredElsewhere,
            (false, Some(next)) if search.has_uncovered(next) && !self.yields.is_in_vain(node.at, next) => {
                Priority::UncoveredElsewhere
            }
            (false, Some(_)) => Priority::Value,
            // What the program itself decides afterwards does not depend on the input as far as this run can tell.
            (false, None) => Priority::Path,
        };
        let (way, priority) = match node.ways[0].0 {
            Way::Branch(_) if node.can_wait && (node.is_missed || self.yields.is_unanswered(node)) => {
                (Some(WAITING), Priority::Value)
            }
            Way::Branch(_) if node.is_missed => (Some(COVERED), usual),
            Way::Branch(_) => {
                let (way, is_uncovered) = missing(node, search);
                match (is_uncovered, is_own) {
                    (true, true) => (way, Priority::Uncovered),
                    (true, false) => (way, Priority::UncoveredElsewhere),
                    _ if search.ends.is_to_pass(node, &search.guards) => (way, Priority::Uncovered),
                    (false, _) if node.can_wait => (Some(WAITING), Priority::Value),
                    (false, _) => (way, usual),
                }
            }
            Way::Value(_) | Way::Room(_) => (None, usual),
            Way::Assumption(_) => (None, Priority::Uncovered),
            Way::Length(_) | Way::Kept { .. } => (None, Priority::UncoveredElsewhere),
            // What the program itself gives a function leads somewhere; who knows where something else leads.
            Way::Shape(_) | Way::Fork(_) if search.unknown.has_own => (None, Priority::UncoveredElsewhere),
            Way::Shape(_) | Way::Fork(_) => (None, Priority::Value),
            // More than the program asked for: much, usually.
            Way::World(Asked::Length, _) => (None, Priority::Value),
            // Behind it is code that no run has executed.
            Way::Trap(_, true) | Way::Assertion(false) if is_own && search.is_end(node.at) => {
                (None, Priority::Uncovered)
            }
            Way::Trap(..) | Way::Assertion(_) | Way::World(..) => {
                (None, if is_own { Priority::UncoveredElsewhere } else { Priority::Path })
            }
        };
        let what_for = what_for.filter(|_| !is_own || priority == Priority::UncoveredElsewhere);
        (ClassKey { at: node.at, lacks: way, what_for }, priority)
    }

    /// No input answers the question about a decision, at least none that is wanted.
    pub(super) fn has_no_answer(&mut self, id: NodeId) {
        let node = self.tree.node(id);
        self.yields.unanswered.insert((node.at, node.question));
    }

    /// Another way was found and run: whether something was covered by it that nobody had covered.
    pub(crate) fn came_of_it(&mut self, id: NodeId, is_news: bool) {
        let node = self.tree.node(id);
        let Some(next) = node.next else { return };
        let in_vain = self.yields.in_vain.entry((node.at, next)).or_default();
        *in_vain = if is_news { 0 } else { *in_vain + 1 };
    }

    /// Whether an answer can wait: the input only ends elsewhere, as it may anywhere, and nothing is hoped for but another path.
    pub(crate) fn can_wait(&self, id: NodeId, only_in_length: bool, search: &Search<'_, '_>) -> bool {
        let node = self.tree.node(id);
        let is_branch = matches!(node.ways[0].0, Way::Branch(_));
        is_branch && only_in_length && !node.can_wait && self.class(id, search).1 >= Priority::Path
    }
}

/// The direction that a branch lacks, if there is only one, and whether nobody has covered what it lacks.
fn missing(node: &Node, search: &Search<'_, '_>) -> (Option<u32>, bool) {
    let program = search.subject.program;
    let Some(site) = program.site_at(node.at) else { return (None, false) };
    let seen = |direction: u32| node.ways.iter().any(|(way, _)| *way == Way::Branch(direction));
    let taken = search.suite.achieved.coverage.directions(site);
    let missing: Vec<u32> = (0..taken.len() as u32).filter(|&direction| !seen(direction)).collect();
    let is_uncovered = missing.iter().any(|&direction| !taken[direction as usize]);
    let is_switch = matches!(program.sites[site].kind, SiteKind::Switch(_));
    (missing.first().copied().filter(|_| !is_switch), is_uncovered)
}

/// What to aim at in a question about a decision: ways of a switch that nobody has covered.
pub(crate) fn aim(id: NodeId, node: &Node, search: &Search<'_, '_>) -> Option<Aim> {
    let Way::Branch(taken) = node.ways[0].0 else { return None };
    let program = search.subject.program;
    let site = program.site_at(node.at).filter(|_| !node.is_missed)?;
    let data = &program.sites[site];
    let SiteKind::Switch(_) = data.kind else { return None };
    let wanted: Vec<u32> = (0..)
        .zip(search.suite.achieved.coverage.directions(site))
        .filter(|it| !it.1)
        .map(|it| it.0)
        .collect();
    let body = &program.functions[data.func].defined()?.body;
    match &body.block_ending_at(data.offset)?.end {
        Terminator::Switch { cases, default, .. } if !wanted.is_empty() => {
            Some(Aim { cases: cases.clone(), default: *default, taken, wanted, first: id.number() })
        }
        _ => None,
    }
}
