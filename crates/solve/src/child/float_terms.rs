//! Which terms have floats in them. Each term of an arena is looked at once.

use coax_term::{Binary, Identity, Node, Term, Terms, Unary};

/// What is known of one arena.
#[derive(Debug, Default)]
pub(super) struct FloatTerms {
    identity: Option<Identity>,
    /// By the terms' positions.
    has_floats: Vec<bool>,
}

impl FloatTerms {
    /// Whether a float is computed or compared in one of these terms.
    pub(super) fn are_in(&mut self, terms: &Terms, mut conditions: impl Iterator<Item = Term>) -> bool {
        if self.identity != Some(terms.identity()) {
            self.identity = Some(terms.identity());
            self.has_floats.clear();
        }
        // Operands come before what is made of them.
        for index in self.has_floats.len()..terms.len() {
            let node = terms.node(terms.term_at(index));
            let mut has_floats = match node {
                Node::Unary(op, _) => op >= Unary::FSqrt,
                Node::Binary(op, ..) => op >= Binary::FAdd,
                _ => false,
            };
            terms.operands(node, |operand| has_floats |= self.has_floats[operand.index()]);
            self.has_floats.push(has_floats);
        }
        conditions.any(|condition| self.has_floats[condition.index()])
    }
}
