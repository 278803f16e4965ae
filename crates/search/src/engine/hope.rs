//! What is hoped for from a decision: the class that it is in.

use super::Engine;
use crate::choice::Way;
use crate::frontier::{ClassKey, Hope};
use crate::task::{Aim, How};
use crate::tree::{Node, NodeId};
use coax_execute::Question;
use coax_program::SiteKind;
use coax_program::ir::Terminator;

/// So often another way of a decision is gone for the sake of the next one, without anything that is new, before no more is hoped for.
const OFTEN_ENOUGH: u32 = 32;
/// Stands for ways that are covered elsewhere.
const COVERED: u32 = u32::MAX;
/// Stands for ways of decisions that can wait.
const WAITING: u32 = u32::MAX - 1;

impl Engine<'_, '_> {
    /// The class of an open decision.
    pub(super) fn class(&self, id: NodeId) -> (ClassKey, Hope) {
        let node = self.tree.node(id);
        let is_own = self.subject.is_own(node.at);
        let what_for = node.next.filter(|&next| !is_own || next != node.at && self.has_uncovered(next));
        let what_for = what_for.filter(|&next| !is_own || !self.is_in_vain(node.at, next));
        let usual = match (is_own, what_for) {
            (true, None) => Hope::Path,
            (true, Some(_)) => Hope::UncoveredElsewhere,
            (false, Some(next)) if self.has_uncovered(next) && !self.is_in_vain(node.at, next) => {
                Hope::UncoveredElsewhere
            }
            (false, Some(_)) => Hope::Value,
            // What the program itself decides afterwards does not depend on the input as far as this run can tell.
            (false, None) => Hope::Path,
        };
        let (way, hope) = match node.ways[0].0 {
            Way::Branch(_) if node.can_wait && (node.is_missed || self.is_unanswered(node)) => {
                (Some(WAITING), Hope::Value)
            }
            Way::Branch(_) if node.is_missed => (Some(COVERED), usual),
            Way::Branch(_) => {
                let (way, is_uncovered) = self.missing(node);
                match (is_uncovered, is_own) {
                    (true, true) => (way, Hope::Uncovered),
                    (true, false) => (way, Hope::UncoveredElsewhere),
                    _ if self.is_to_pass(id) => (way, Hope::Uncovered),
                    (false, _) if node.can_wait => (Some(WAITING), Hope::Value),
                    (false, _) => (way, usual),
                }
            }
            Way::Value(_) | Way::Room(_) => (None, usual),
            Way::Assumption(_) => (None, Hope::Uncovered),
            Way::Length(_) | Way::Kept { .. } => (None, Hope::UncoveredElsewhere),
            // What the program itself gives a function leads somewhere; who knows where something else leads.
            Way::Shape(_) | Way::Fork(_) if self.unknown.has_own => (None, Hope::UncoveredElsewhere),
            Way::Shape(_) | Way::Fork(_) => (None, Hope::Value),
            // More than the program asked for: much, usually.
            Way::World(Question::Length, _) => (None, Hope::Value),
            Way::Trap(..) | Way::Assertion(_) | Way::World(..) => {
                (None, if is_own { Hope::UncoveredElsewhere } else { Hope::Path })
            }
        };
        let what_for = what_for.filter(|_| !is_own || hope == Hope::UncoveredElsewhere);
        (ClassKey { at: node.at, lacks: way, what_for }, hope)
    }

    /// No input answers the question about a decision, at least none that is wanted.
    pub(super) fn has_no_answer(&mut self, id: NodeId) {
        let node = self.tree.node(id);
        self.unanswered.insert((node.at, node.question));
    }

    /// Whether no input answers the question of a decision, as far as it was asked on another path.
    fn is_unanswered(&self, node: &Node) -> bool {
        self.unanswered.contains(&(node.at, node.question))
    }

    /// Another way was found and run: whether something was covered by it that nobody had covered.
    pub(super) fn came_of_hope(&mut self, id: NodeId, is_news: bool) {
        let node = self.tree.node(id);
        let Some(next) = node.next else { return };
        let in_vain = self.in_vain.entry((node.at, next)).or_default();
        *in_vain = if is_news { 0 } else { *in_vain + 1 };
    }

    /// Whether another way of a decision led often enough to the next one, and to nothing new.
    fn is_in_vain(&self, at: u32, next: u32) -> bool {
        self.in_vain.get(&(at, next)).is_some_and(|&count| count >= OFTEN_ENOUGH)
    }

    /// Whether an answer can wait: the input only ends elsewhere, as it may anywhere, and nothing is hoped for but another path.
    pub(super) fn can_wait(&self, id: NodeId, how: &How) -> bool {
        let node = self.tree.node(id);
        let is_branch = matches!(node.ways[0].0, Way::Branch(_));
        is_branch && how.only_in_length && !node.can_wait && self.class(id).1 >= Hope::Path
    }

    /// The direction that a branch lacks, if there is only one, and whether nobody has covered what it lacks.
    fn missing(&self, node: &Node) -> (Option<u32>, bool) {
        let Some(site) = self.subject.program.site_at(node.at) else { return (None, false) };
        let seen = |direction: u32| node.ways.iter().any(|(way, _)| *way == Way::Branch(direction));
        let taken = self.suite.coverage.directions(site);
        let missing: Vec<u32> = (0..taken.len() as u32).filter(|&direction| !seen(direction)).collect();
        let is_uncovered = missing.iter().any(|&direction| !taken[direction as usize]);
        let is_switch = matches!(self.subject.program.sites[site].kind, SiteKind::Switch(_));
        (missing.first().copied().filter(|_| !is_switch), is_uncovered)
    }

    /// What to aim at in a question about a decision: ways of a switch that nobody has covered.
    pub(super) fn aim(&self, id: NodeId) -> Option<Aim> {
        let node = self.tree.node(id);
        let Way::Branch(taken) = node.ways[0].0 else { return None };
        let program = self.subject.program;
        let site = program.site_at(node.at).filter(|_| !node.is_missed)?;
        let data = &program.sites[site];
        let SiteKind::Switch(_) = data.kind else { return None };
        let wanted: Vec<u32> =
            (0..).zip(self.suite.coverage.directions(site)).filter(|it| !it.1).map(|it| it.0).collect();
        let body = &program.functions[data.func].defined()?.body;
        match &body.block_ending_at(data.offset)?.end {
            Terminator::Switch { cases, default, .. } if !wanted.is_empty() => {
                Some(Aim { cases: cases.clone(), default: *default, taken, wanted, first: id.number() })
            }
            _ => None,
        }
    }

    /// Whether a branch has a direction that nobody has covered.
    pub(super) fn has_uncovered(&self, at: u32) -> bool {
        let site = self.subject.program.site_at(at);
        site.is_some_and(|site| self.suite.coverage.directions(site).contains(&false))
    }
}
