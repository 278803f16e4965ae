//! Only the values that a question is about.

use crate::Query;
use crate::marks::Marks;
use coax_term::{Evaluator, Function, Functions, Model, Node, Terms};
use std::ops::ControlFlow;

/// Cuts models down to what a question asks for, so that an answer says nothing about the rest of the input and can be laid over any other values.
///
/// That are its symbols, and functions at the arguments at which the question applies them: all of these, also where the model left one to be 0, and
/// no others. What was not evaluated, as the arm of a choice that is not taken, does not matter.
#[derive(Debug, Default)]
pub(crate) struct Restrict {
    marks: Marks,
    evaluator: Evaluator,
}

impl Restrict {
    /// The values that the question asks for.
    pub(crate) fn apply(&mut self, terms: &Terms, query: &Query<'_>, model: &Model) -> Model {
        let mut values = Model::new();
        let mut has_functions = false;
        self.marks.visit(terms, query.conditions(), |node| {
            match node {
                Node::Symbol(symbol) => values.set(symbol, model.get(symbol)),
                Node::Apply { .. } => has_functions = true,
                _ => {}
            }
            ControlFlow::Continue(())
        });
        if has_functions {
            self.evaluator.reset();
            let mut functions = Recorded { functions: model, said: &mut values };
            for condition in query.conditions() {
                self.evaluator.eval_with(terms, model, &mut functions, condition);
            }
        }
        values
    }
}

/// Functions, all of whose values that are asked for are written down.
pub(crate) struct Recorded<'a, F> {
    pub(crate) functions: F,
    pub(crate) said: &'a mut Model,
}

impl<F: Functions> Functions for Recorded<'_, F> {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let value = self.functions.apply(function, arguments)?;
        self.said.set_at(function, arguments, value);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_functions_are_those_that_the_question_asks_for() {
        let mut terms = Terms::new();
        let goal = terms.parse("(eq (apply f:8 x:8) (apply f 7:8))").expect("a condition");
        let other = terms.parse("(ult y:8 (apply g:8 x))").expect("a condition");
        let [x, y] = ["x", "y"].map(|name| terms.find_symbol(name).expect("a symbol"));
        let [f, g] = ["f", "g"].map(|name| terms.find_function(name).expect("a function"));
        let mut model: Model = [(x, 5), (y, 3)].into_iter().collect();
        model.set_at(f, &[5], 0);
        model.set_at(f, &[6], 1);
        model.set_at(g, &[5], 9);
        let query = Query { assumptions: &[], goal, hint: &Model::new() };
        let mut restrict = Restrict::default();
        let mut expected: Model = [(x, 5)].into_iter().collect();
        expected.set_at(f, &[5], 0);
        // The model has it by saying nothing; a hint could say something else.
        expected.set_at(f, &[7], 0);
        assert_eq!(restrict.apply(&terms, &query, &model), expected);
        let query = Query { assumptions: &[other], ..query };
        expected.set(y, 3);
        expected.set_at(g, &[5], 9);
        assert_eq!(restrict.apply(&terms, &query, &model), expected);
    }
}
