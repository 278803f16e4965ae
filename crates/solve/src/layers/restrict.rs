//! Only the values that a question is about.

use crate::Query;
use crate::marks::Marks;
use coax_term::{Model, Node, Term, Terms};

/// Cuts models down to the symbols of a question, so that an answer says nothing about the rest of the input.
#[derive(Debug, Default)]
pub(crate) struct Restrict {
    marks: Marks,
    stack: Vec<Term>,
}

impl Restrict {
    /// The values of just the symbols that the question is about.
    pub(crate) fn apply(&mut self, terms: &Terms, query: &Query<'_>, model: &Model) -> Model {
        let mut values = Model::new();
        self.marks.clear();
        self.stack.extend(query.conditions());
        while let Some(term) = self.stack.pop() {
            if self.marks.insert(term) {
                match terms.node(term) {
                    Node::Symbol(symbol) => values.set(symbol, model.get(symbol)),
                    node => terms.operands(node, |operand| self.stack.push(operand)),
                }
            }
        }
        for (function, arguments, value) in model.applications() {
            values.set_at(function, arguments, value);
        }
        values
    }
}
