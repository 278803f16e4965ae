//! Which symbols a term has, roughly: their numbers modulo 64. A term that contains another has all bits of its mask.

use coax_term::{Node, Symbol, Term, Terms};

/// Masks of the symbols of all terms of an arena.
#[derive(Debug, Default)]
pub(super) struct Masks(Vec<u64>);

impl Masks {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes in the terms that were made since.
    pub(super) fn update(&mut self, terms: &Terms) {
        for index in self.0.len()..terms.len() {
            let mask = match terms.node(terms.term_at(index)) {
                Node::Symbol(symbol) => bit(symbol),
                // A function without arguments depends on something, too.
                node @ Node::Apply { .. } => self.of_operands(terms, node) | 1,
                node => self.of_operands(terms, node),
            };
            self.0.push(mask);
        }
    }

    fn of_operands(&self, terms: &Terms, node: Node) -> u64 {
        let mut mask = 0;
        terms.operands(node, |operand| mask |= self.0[operand.index()]);
        mask
    }

    pub(super) fn get(&self, term: Term) -> u64 {
        self.0[term.index()]
    }
}

fn bit(symbol: Symbol) -> u64 {
    1 << (symbol.index() % 64)
}
