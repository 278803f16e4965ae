//! What is hoped for from a decision: the class that it is in.

use super::Engine;
use crate::choice::Way;
use crate::frontier::{ClassKey, Hope};
use crate::tree::{Node, NodeId};
use coax_execute::Question;
use coax_program::SiteKind;

impl Engine<'_, '_> {
    /// The class of an open decision.
    pub(super) fn class(&self, id: NodeId) -> (ClassKey, Hope) {
        let node = self.tree.node(id);
        let is_own = self.subject.is_own(node.at);
        let what_for = node.next.filter(|_| !is_own);
        let usual = match (is_own, what_for) {
            (true, _) => Hope::Path,
            (false, Some(at)) if self.has_uncovered(at) => Hope::UncoveredElsewhere,
            (false, Some(_)) => Hope::Value,
            // What the program itself decides afterwards does not depend on the input as far as this run can tell.
            (false, None) => Hope::Path,
        };
        let (way, hope) = match node.ways[0].0 {
            Way::Branch(_) => {
                let (way, is_uncovered) = self.missing(node);
                match (is_uncovered, is_own) {
                    (true, true) => (way, Hope::Uncovered),
                    (true, false) => (way, Hope::UncoveredElsewhere),
                    (false, _) => (way, usual),
                }
            }
            Way::Value(_) | Way::Room(_) => (None, usual),
            Way::Assumption(_) => (None, Hope::Uncovered),
            Way::Length(_) => (None, Hope::UncoveredElsewhere),
            // What the program itself gives a function leads somewhere; who knows where something else leads.
            Way::Shape(_) | Way::Fork(_) if self.unknown.has_own => (None, Hope::UncoveredElsewhere),
            Way::Shape(_) | Way::Fork(_) => (None, Hope::Value),
            // More than the program asked for: much, usually.
            Way::World(Question::Length, _) => (None, Hope::Value),
            Way::Trap(..) | Way::Assertion(_) | Way::World(..) => {
                (None, if is_own { Hope::UncoveredElsewhere } else { Hope::Path })
            }
        };
        ((node.at, way, what_for), hope)
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

    /// Whether a branch has a direction that nobody has covered.
    fn has_uncovered(&self, at: u32) -> bool {
        let site = self.subject.program.site_at(at);
        site.is_some_and(|site| self.suite.coverage.directions(site).contains(&false))
    }
}
