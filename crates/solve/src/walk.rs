//! The concolic walk (Dinges and Agha, "Solving Complex Path Conditions through Heuristic Search on Induced Polytopes", 2014): a search for
//! values that looks only at how badly conditions are violated, so that it does not matter what they are made of: floats, products,
//! functions of the program that are simply run.
//!
//! It finds values or gives up; it never says that there are none. What it finds was checked by evaluation, and is the same for
//! the same question, options and effort.

mod field;
mod fitness;
mod invert;
mod linear;
mod moves;
mod newton;
mod score;
mod search;
mod space;
mod start;

pub use fitness::Fitness;

use crate::marks::Marks;
use crate::random::Random;
use crate::{Answer, Budget, Layer, Looks, Query, Reason};
use coax_term::{Binary, Compiler, Evaluator, Functions, Model, Node, Symbol, Term, Terms};
use invert::Inverter;
use newton::Newton;
use score::Scores;
use search::Search;
use space::{Point, Shape, Space, Stop};
use start::Starts;
use std::ops::ControlFlow;
use std::time::Duration;

/// How the walk goes. The defaults are the published ones, where nothing else is said.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where random choices begin: 0.
    pub seed: u64,
    /// For how many steps a field rests that did not help, at most half of the fields: 3. With 0 none rests.
    pub tabu: usize,
    /// Whether to guess, for each random step, where a comparison would just hold if it were linear: yes.
    pub bisection: bool,
    /// How many steps to walk from each starting point, per condition: 150.
    pub steps: usize,
    /// From how many points to walk: as many as the budget allows.
    pub starts: usize,
    /// How many random steps to look at before each step: 3. Published are 10, which solve fewer problems in the same time.
    pub neighbours: usize,
    /// Whether to begin inside the polytope of the linear conditions and to stay there: yes.
    pub polytope: bool,
    /// Whether to undo operators from a comparison back to the input: yes.
    pub inversion: bool,
    /// Whether to use Newton's method when no field helps any more: yes.
    pub newton: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            tabu: 3,
            bisection: true,
            steps: 150,
            starts: usize::MAX,
            neighbours: 3,
            polytope: true,
            inversion: true,
            newton: true,
        }
    }
}

/// The layer that walks.
pub struct Walk {
    options: Options,
    functions: Box<dyn Functions + Send>,
    compiler: Option<Box<dyn Compiler + Send>>,
    linear: Option<Box<dyn Layer>>,
    marks: Marks,
}

/// What getting ready to walk takes by the clock, at most.
const READY_PER_TERM: Duration = Duration::from_micros(4);

const NAME: &str = "the concolic walk";

impl Walk {
    /// Walks with values of functions from here; what they do not know, is not found.
    pub fn new(options: Options, functions: Box<dyn Functions + Send>) -> Walk {
        Walk { options, functions, compiler: None, linear: None, marks: Marks::default() }
    }

    /// Evaluates with compiled terms, where the compiler takes them.
    #[must_use]
    pub fn with_compiler(mut self, compiler: Box<dyn Compiler + Send>) -> Walk {
        self.compiler = Some(compiler);
        self
    }

    /// Asks this layer for a point of the polytope of the linear conditions if the hint is not in it, and no way into it is found.
    #[must_use]
    pub fn with_linear(mut self, layer: Box<dyn Layer>) -> Walk {
        self.linear = Some(layer);
        self
    }
}

impl Layer for Walk {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        let mut conditions = Vec::new();
        for condition in query.conditions() {
            flatten(terms, condition, &mut conditions);
        }
        conditions.sort_unstable();
        conditions.dedup();
        let is_false = |&condition: &Term| terms.as_constant(condition) == Some(0);
        if conditions.iter().any(is_false) {
            return Answer::Unknown(Reason::NotFound(NAME));
        }
        let (mut size, mut looks) = (0, Looks::default());
        self.marks.visit(terms, conditions.iter().copied(), |_| {
            size += 1;
            if looks.is_late(budget) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // Getting ready takes some microseconds for each term; who has less time need not begin.
        let is_too_long = budget.time_left().is_some_and(|left| left < READY_PER_TERM.saturating_mul(size));
        let out_of_budget = Answer::Unknown(Reason::Budget(NAME));
        if budget.spend(size.into()).is_err() || is_too_long {
            return out_of_budget;
        }
        let Ok(shape) = Shape::new(terms, &conditions, budget) else { return out_of_budget };
        if budget.is_over() {
            return out_of_budget;
        }
        let mut random = Random::new(self.options.seed);
        let mut starts =
            Starts { shape: &shape, polytope: self.options.polytope, first: Vec::new(), number: 0 };
        let linear = self.linear.as_deref_mut();
        if let Err(reason) = starts.begin(terms, query, &conditions, linear, &mut random, budget) {
            return Answer::Unknown(reason);
        }
        if budget.is_over() {
            return out_of_budget;
        }
        let scores = Scores::new(terms, &conditions);
        let mut newton = Newton::new(terms, &scores);
        let bases = newton.bases.clone();
        let compiler = self.compiler.as_deref_mut().map(|compiler| compiler as &mut dyn Compiler);
        let functions = &mut *self.functions;
        let Some(mut space) = Space::new(terms, &shape, scores, &bases, compiler, functions, budget) else {
            return out_of_budget;
        };
        let mut inverter = Inverter::default();
        let mut search = Search {
            space: &mut space,
            options: &self.options,
            random: &mut random,
            newton: &mut newton,
            inverter: &mut inverter,
        };
        for _ in 0..self.options.starts {
            let space = &mut *search.space;
            let may_look = &mut |conditions| space.spend(start::cost(conditions)).is_ok();
            let start = starts.next(search.random, may_look);
            match search.walk(start) {
                Ok(()) if shape.fields.is_empty() => break,
                Ok(()) => {}
                Err(Stop::Spent) => return out_of_budget,
                Err(Stop::Found(point)) => return self.answer(terms, &conditions, &shape.variables, &point),
            }
        }
        Answer::Unknown(Reason::NotFound(NAME))
    }
}

impl Walk {
    /// The model of a point: values of the symbols, and of the functions wherever they are applied.
    fn answer(&mut self, terms: &Terms, conditions: &[Term], variables: &[Symbol], point: &Point) -> Answer {
        let mut model: Model = variables.iter().copied().zip(point.iter().copied()).collect();
        let mut evaluator = Evaluator::new();
        let symbols = model.clone();
        for term in terms.post_order(conditions) {
            let Node::Apply { function, arguments } = terms.node(term) else { continue };
            let mut value = |term: Term| evaluator.eval_with(terms, &symbols, &mut *self.functions, term);
            let values: Option<Vec<u64>> = terms.arguments(arguments).iter().map(|&a| value(a)).collect();
            if let (Some(arguments), Some(value)) = (values, value(term)) {
                model.set_at(function, &arguments, value);
            }
        }
        let mut holds = |&condition: &Term| {
            evaluator.eval_with(terms, &symbols, &mut *self.functions, condition) == Some(1)
        };
        if conditions.iter().all(&mut holds) {
            Answer::Sat(model)
        } else {
            Answer::Unknown(Reason::NotFound(NAME))
        }
    }
}

/// The conditions that a conjunction consists of.
fn flatten(terms: &Terms, condition: Term, into: &mut Vec<Term>) {
    let mut stack = vec![condition];
    while let Some(top) = stack.pop() {
        match terms.node(top) {
            Node::Binary(Binary::And, a, b) => stack.extend([b, a]),
            Node::Const { bits: 1, .. } => {}
            _ => into.push(top),
        }
    }
}
