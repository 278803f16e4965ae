//! Functions that terms leave unknown, but whose values can be had: those of the program, which are simply run.
//!
//! The layers below invent values of functions. What they so contradict is contradictory, but what they find is only a solution if the
//! functions really have these values at these arguments. If not, the concolic walk, which knows the real ones, goes on from there.

use crate::layers::check::completed;
use crate::marks::Marks;
use crate::{Answer, Budget, Layer, Query, Walk};
use coax_term::{Evaluator, Function, Functions, Model, Node, Term, Terms};
use std::sync::{Arc, Mutex, PoisonError};

/// The part of the budget that the layers below may use: one in so many.
const PART: u64 = 2;

/// Functions that several layers ask.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Box<dyn Functions + Send>>>);

impl Shared {
    pub(crate) fn new(functions: Box<dyn Functions + Send>) -> Shared {
        Shared(Arc::new(Mutex::new(functions)))
    }
}

impl Functions for Shared {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        // Whoever panicked did so in a call of its own; the next call begins anew.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).apply(function, arguments)
    }
}

/// Values that are really so and, where nobody knows them, those that a model invents. Remembers all that it said.
struct RealFirst<'a> {
    real: &'a mut Shared,
    invented: &'a Model,
    said: Model,
}

impl Functions for RealFirst<'_> {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let real = self.real.apply(function, arguments);
        let value = real.or_else(|| self.invented.given_at(function, arguments)).unwrap_or(0);
        self.said.set_at(function, arguments, value);
        Some(value)
    }
}

/// The layer.
pub(crate) struct Opaque {
    next: Box<dyn Layer>,
    walk: Walk,
    functions: Shared,
    evaluator: Evaluator,
    marks: Marks,
    stack: Vec<Term>,
}

impl Opaque {
    /// Corrects what the next layer invents; the walk knows the same functions.
    pub(crate) fn new(next: Box<dyn Layer>, walk: Walk, functions: Shared) -> Opaque {
        Opaque {
            next,
            walk,
            functions,
            evaluator: Evaluator::new(),
            marks: Marks::default(),
            stack: Vec::new(),
        }
    }

    /// Whether the question has functions.
    fn has_functions(&mut self, terms: &Terms, query: &Query<'_>) -> bool {
        self.marks.clear();
        self.stack.clear();
        self.stack.extend(query.conditions());
        while let Some(term) = self.stack.pop() {
            if !self.marks.insert(term) {
                continue;
            }
            match terms.node(term) {
                Node::Apply { .. } => return true,
                node => terms.operands(node, |operand| self.stack.push(operand)),
            }
        }
        false
    }

    /// The model with the functions' real values, if with them all conditions hold.
    fn real(&mut self, terms: &Terms, query: &Query<'_>, model: &Model) -> Option<Model> {
        let mut functions =
            RealFirst { real: &mut self.functions, invented: model, said: model.iter().collect() };
        self.evaluator.reset();
        let mut conditions = query.conditions();
        let evaluator = &mut self.evaluator;
        let all = conditions.all(|one| evaluator.eval_with(terms, model, &mut functions, one) == Some(1));
        all.then_some(functions.said)
    }
}

impl Layer for Opaque {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        if !self.has_functions(terms, query) {
            return self.next.solve(terms, query, budget);
        }
        let effort = budget.left() / PART;
        let mut part = budget.part(effort);
        let answer = self.next.solve(terms, query, &mut part);
        budget.settle(effort, &part);
        let hint = match answer {
            Answer::Sat(model) => completed(query.hint, model),
            Answer::Unknown(_) => query.hint.clone(),
            unsat @ Answer::Unsat(_) => return unsat,
        };
        match self.real(terms, query, &hint) {
            Some(model) => Answer::Sat(model),
            None => self.walk.solve(terms, &Query { hint: &hint, ..*query }, budget),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Stack, StackOptions};
    use coax_term::{Algebra, Binary};

    /// Every function is one more than its argument, below 200.
    struct Successor;

    impl Functions for Successor {
        fn apply(&mut self, _: Function, arguments: &[u64]) -> Option<u64> {
            arguments.first().filter(|&&argument| argument < 200).map(|argument| argument + 1)
        }
    }

    fn stack() -> Stack {
        let functions: Option<Box<dyn Functions + Send>> = Some(Box::new(Successor));
        Stack::new(StackOptions { child: None, functions, ..StackOptions::default() })
    }

    /// f(x) = wanted, and x is at most a bound.
    fn ask(wanted: u64, bound: u64) -> Option<(u64, Option<u64>)> {
        let mut terms = Terms::new();
        let x = terms.symbol("x", 8);
        let symbol = terms.symbols().next()?;
        let function = terms.function("f", 8);
        let value = terms.apply(function, &[x]);
        let wanted = terms.constant(8, wanted);
        let goal = terms.binary(Binary::Eq, value, wanted);
        let bound = terms.constant(8, bound);
        let small = terms.binary(Binary::Ule, x, bound);
        let hint = Model::new();
        let query = Query { assumptions: &[small], goal, hint: &hint };
        match stack().solve(&mut terms, &query, &mut Budget::effort(100_000)) {
            Answer::Sat(model) => {
                let x = model.get(symbol);
                Some((x, model.given_at(function, &[x])))
            }
            _ => None,
        }
    }

    #[test]
    fn a_solution_has_the_values_that_functions_really_have() {
        assert_eq!(ask(120, 150), Some((119, Some(120))));
    }

    #[test]
    fn an_invented_value_is_no_solution() {
        assert_eq!(ask(120, 100), None);
    }

    #[test]
    fn a_value_that_nobody_knows_may_be_invented() {
        // Beyond 200 the function is unknown; there it may be 250.
        let (x, value) = ask(250, 255).expect("a solution");
        assert!(x >= 200 && value == Some(250), "{x} {value:?}");
    }
}
