//! Functions that terms leave unknown, but whose values can be had: those of the program, which are simply run.
//!
//! The layers below invent values of functions. What they so contradict is contradictory, but what they find is only a solution if the
//! functions really have these values at these arguments. If not, they are told the real ones and asked again, a few times; then the concolic
//! walk, which knows them all, goes on from there. At last they are asked for a solution with the same arguments: the rest of the input can often be made to fit,
//! the digits of a checksum for instance.

use crate::layers::check::completed;
use crate::layers::restrict::{Recorded, Restrict};
use crate::marks::Marks;
use crate::{Answer, Budget, Layer, Query, Walk};
use coax_term::{Algebra, Binary, Evaluator, Function, Functions, Model, Node, Term, Terms};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// The part of what is left of the budget that the layers below may use each time: one in so many.
const PART: u64 = 3;
/// What is left for solutions with arguments that they chose before.
const SMALL_PART: u64 = 16;
/// How often they are asked.
const ROUNDS: u32 = 4;

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

/// Values that are really so and, where nobody knows them, those that a model invents.
struct RealFirst<'a> {
    real: &'a mut Shared,
    invented: &'a Model,
}

impl Functions for RealFirst<'_> {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        self.real.apply(function, arguments).or_else(|| self.invented.apply(function, arguments))
    }
}

/// What functions really give where a model invents something else.
struct Corrections {
    facts: Vec<Term>,
    /// That the arguments are the same again.
    same: Vec<Term>,
}

/// The layer.
pub(crate) struct Opaque {
    next: Box<dyn Layer>,
    walk: Walk,
    functions: Shared,
    evaluator: Evaluator,
    restrict: Restrict,
    marks: Marks,
}

impl Opaque {
    /// Corrects what the next layer invents; the walk knows the same functions.
    pub(crate) fn new(next: Box<dyn Layer>, walk: Walk, functions: Shared) -> Opaque {
        Opaque {
            next,
            walk,
            functions,
            evaluator: Evaluator::new(),
            restrict: Restrict::default(),
            marks: Marks::default(),
        }
    }

    /// Whether the question has functions.
    fn has_functions(&mut self, terms: &Terms, query: &Query<'_>) -> bool {
        let mut has_functions = false;
        self.marks.visit(terms, query.conditions(), |node| match node {
            Node::Apply { .. } => {
                has_functions = true;
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        has_functions
    }

    /// The model with the functions' real values if with them all conditions hold; else these values. Values that the model
    /// invents, where nobody knows the real ones, are no facts: others may do as well.
    fn real(&mut self, terms: &mut Terms, query: &Query<'_>, model: &Model) -> Result<Model, Corrections> {
        let mut said = model.iter().collect();
        let functions = RealFirst { real: &mut self.functions, invented: model };
        let mut functions = Recorded { functions, said: &mut said };
        self.evaluator.reset();
        let evaluator = &mut self.evaluator;
        let mut value = |terms: &Terms, term| evaluator.eval_with(terms, model, &mut functions, term);
        if query.conditions().all(|condition| value(terms, condition) == Some(1)) {
            return Ok(said);
        }
        let conditions: Vec<Term> = query.conditions().collect();
        let mut applied = Vec::new();
        for term in terms.post_order(&conditions) {
            let Node::Apply { function, arguments } = terms.node(term) else { continue };
            let arguments = terms.arguments(arguments).to_vec();
            let values: Option<Vec<u64>> = arguments.iter().map(|&one| value(terms, one)).collect();
            applied.extend(values.map(|values| (function, arguments, values)));
        }
        let mut corrections = Corrections { facts: Vec::new(), same: Vec::new() };
        for (function, arguments, values) in applied {
            let Some(result) = self.functions.apply(function, &values) else { continue };
            // What no term of its width can be is nothing that the function gives.
            let Some(gives) = terms.fitting(terms.function_width(function), result) else { continue };
            if model.given_at(function, &values) == Some(result) {
                continue;
            }
            let at = arguments.iter().zip(values);
            let at: Vec<Term> = at.map(|(&one, bits)| terms.constant(terms.width_of(one), bits)).collect();
            for (&argument, &value) in arguments.iter().zip(&at) {
                corrections.same.push(terms.binary(Binary::Eq, argument, value));
            }
            let applied = terms.apply(function, &at);
            corrections.facts.push(terms.binary(Binary::Eq, applied, gives));
        }
        Err(corrections)
    }
}

impl Layer for Opaque {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        if !self.has_functions(terms, query) {
            return self.next.solve(terms, query, budget);
        }
        let mut assumptions = query.assumptions.to_vec();
        let mut hint = query.hint.clone();
        let mut same = Vec::new();
        for _ in 0..ROUNDS {
            match self.ask(terms, query, &assumptions, budget.left() / PART, budget) {
                Answer::Sat(model) => hint = completed(query.hint, model),
                Answer::Unknown(_) => break,
                Answer::Unsat(mut core) => {
                    core.retain(|term| query.assumptions.contains(term));
                    return Answer::Unsat(core);
                }
            }
            let corrections = match self.real(terms, query, &hint) {
                Ok(model) => return Answer::Sat(self.restrict.apply(terms, query, &model)),
                // Who is told nothing new says the same again.
                Err(corrections) if corrections.facts.is_empty() => break,
                Err(corrections) => corrections,
            };
            assumptions.extend(corrections.facts);
            same = corrections.same;
        }
        let effort = budget.left() - budget.left() / SMALL_PART;
        let mut part = budget.part(effort);
        let walked = self.walk.solve(terms, &Query { hint: &hint, ..*query }, &mut part);
        budget.settle(effort, &part);
        if matches!(walked, Answer::Sat(_)) || same.is_empty() {
            return walked;
        }
        assumptions.extend(same);
        if let Answer::Sat(model) = self.ask(terms, query, &assumptions, budget.left(), budget) {
            let model = completed(query.hint, model);
            if let Ok(model) = self.real(terms, query, &model) {
                return Answer::Sat(self.restrict.apply(terms, query, &model));
            }
        }
        walked
    }
}

impl Opaque {
    /// Asks the next layer, under these assumptions, with so much of the budget.
    fn ask(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        assumptions: &[Term],
        effort: u64,
        budget: &mut Budget,
    ) -> Answer {
        let mut part = budget.part(effort);
        let answer = self.next.solve(terms, &Query { assumptions, ..*query }, &mut part);
        budget.settle(effort, &part);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Stack, StackOptions};

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

    /// f(x) = wanted, and x is between these.
    fn ask(wanted: u64, low: u64, high: u64) -> Option<(u64, Option<u64>)> {
        let mut terms = Terms::new();
        let x = terms.symbol("x", 8);
        let symbol = terms.symbols().next()?;
        let function = terms.function("f", 8);
        let value = terms.apply(function, &[x]);
        let wanted = terms.constant(8, wanted);
        let goal = terms.binary(Binary::Eq, value, wanted);
        let (low, high) = (terms.constant(8, low), terms.constant(8, high));
        let between = [terms.binary(Binary::Ule, low, x), terms.binary(Binary::Ule, x, high)];
        let hint = Model::new();
        let query = Query { assumptions: &between, goal, hint: &hint };
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
        assert_eq!(ask(120, 0, 150), Some((119, Some(120))));
    }

    #[test]
    fn what_does_not_matter_to_a_function_is_made_to_fit_what_it_gives() {
        let mut terms = Terms::new();
        let mut condition = |text: &str| terms.parse(text).expect("a condition");
        // y is what the function gives, scrambled; for each round there are many more values of x than rounds.
        let below = condition("(ult x:8 150:8)");
        let goal = condition("(eq (mul (xor y:8 165:8) 77:8) (apply f:8 x:8))");
        let query = Query { assumptions: &[below], goal, hint: &Model::new() };
        let answer = stack().solve(&mut terms, &query, &mut Budget::effort(100_000));
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        let value = |name: &str| model.get(terms.find_symbol(name).expect("a symbol")) as u8;
        assert_eq!((value("y") ^ 165).wrapping_mul(77), value("x") + 1);
    }

    #[test]
    fn an_invented_value_is_no_solution() {
        assert_eq!(ask(120, 0, 100), None);
    }

    #[test]
    fn a_value_that_nobody_knows_may_be_invented() {
        // From 200 on the function is unknown; there it may be 250.
        let (x, value) = ask(250, 198, 255).expect("a solution");
        assert!(x >= 200 && value == Some(250), "{x} {value:?}");
    }

    #[test]
    fn a_value_that_was_invented_once_may_be_another_the_next_time() {
        let mut terms = Terms::new();
        let mut condition = |text: &str| terms.parse(text).expect("a condition");
        // f(199) is really 200, and f(200) is unknown: it may be 250, whatever it was in an earlier try.
        let (at, goal) = (condition("(eq x:8 199:8)"), condition("(eq (apply f:8 (apply f x)) 250:8)"));
        let query = Query { assumptions: &[at], goal, hint: &Model::new() };
        let answer = stack().solve(&mut terms, &query, &mut Budget::effort(100_000));
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        let f = terms.find_function("f").expect("a function");
        assert_eq!((model.given_at(f, &[199]), model.given_at(f, &[200])), (Some(200), Some(250)));
    }
}
