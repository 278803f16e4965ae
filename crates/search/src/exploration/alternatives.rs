//! The conditions of ways that runs went at open decisions: a question about a decision excludes them.
//!
//! Each slot has terms of its own, so they are kept here and brought to whoever asks.

use super::NodeId;
use crate::choice::Way;
use crate::task::Conditions;
use coax_term::{Term, Terms};
use std::collections::BTreeMap;

/// See the module.
#[derive(Default)]
pub(crate) struct Alternatives {
    terms: Terms,
    of_nodes: BTreeMap<NodeId, Vec<(Way, Term)>>,
}

impl Alternatives {
    /// Keeps the condition of a way, which is a term of this arena.
    pub(crate) fn keep(&mut self, node: NodeId, way: Way, terms: &Terms, condition: Term) {
        let condition = self.terms.import(terms, condition);
        self.of_nodes.entry(node).or_default().push((way, condition));
    }

    /// The conditions of a decision's ways, for whoever asks.
    pub(crate) fn of(&self, node: NodeId) -> Conditions {
        let known = self.of_nodes.get(&node).map_or(&[][..], |known| known);
        Conditions::new(&self.terms, known.iter().map(|(_, term)| *term))
    }
}
