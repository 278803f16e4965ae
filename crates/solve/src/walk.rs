//! The concolic walk (Dinges and Agha, "Solving Complex Path Conditions through Heuristic Search on Induced Polytopes", 2014): a search for
//! values that looks only at how badly conditions are violated, so that it does not matter what they are made of: floats, products,
//! functions of the program that are simply run.
//!
//! It finds values or gives up; it never says that there are none. What it finds was checked by evaluation, and is the same for
//! the same question, options and effort.

mod field;
mod invert;
mod linear;
mod moves;
mod newton;
mod random;
mod score;
mod search;
mod space;

use crate::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Binary, Compiler, Evaluator, Functions, Model, Node, Symbol, Term, Terms};
use field::Kind;
use random::Random;
use search::Search;
use space::{Point, Space, Stop};

/// How the walk goes. The defaults are the published ones, where these exist.
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
    /// How many random steps to look at before each step: 10.
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
            neighbours: 10,
            polytope: true,
            inversion: true,
            newton: true,
        }
    }
}

/// The layer that walks.
pub struct Walk {
    options: Options,
    functions: Box<dyn Functions>,
    compiler: Option<Box<dyn Compiler>>,
}

const NAME: &str = "the concolic walk";

impl Walk {
    /// Walks with values of functions from here; what they do not know, is not found.
    pub fn new(options: Options, functions: Box<dyn Functions>) -> Walk {
        Walk { options, functions, compiler: None }
    }

    /// Evaluates with compiled terms, where the compiler takes them.
    #[must_use]
    pub fn with_compiler(mut self, compiler: Box<dyn Compiler>) -> Walk {
        self.compiler = Some(compiler);
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
        let scores = score::Scores::new(terms, &conditions);
        let mut newton = newton::Newton::new(terms, &scores);
        let compiler = self.compiler.as_deref_mut().map(|compiler| compiler as &mut dyn Compiler);
        let bases = newton.bases.clone();
        let functions = &mut *self.functions;
        let Some(mut space) = Space::new(terms, &conditions, scores, &bases, compiler, functions, budget)
        else {
            return Answer::Unknown(Reason::NotFound(NAME));
        };
        let mut random = Random::new(self.options.seed);
        let variables = space.variables.clone();
        let mut inverter = invert::Inverter::default();
        let stop =
            loop_from_starts(&mut space, &self.options, query.hint, &mut random, &mut newton, &mut inverter);
        match stop {
            Stop::Spent => Answer::Unknown(Reason::Budget(NAME)),
            Stop::Found(point) => self.answer(terms, &conditions, &variables, &point),
        }
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

/// Walks from one starting point after the other, until it finds a solution or the budget is used up.
fn loop_from_starts(
    space: &mut Space,
    options: &Options,
    hint: &Model,
    random: &mut Random,
    newton: &mut newton::Newton,
    inverter: &mut invert::Inverter,
) -> Stop {
    if space.fields.is_empty() {
        return space.score(&Vec::new()).err().unwrap_or(Stop::Spent);
    }
    for number in 0.. {
        let mut start = start(space, number, hint, random);
        if options.polytope && !space.polytope.contains(&space.fields, &start) {
            start = space.polytope.enter(&space.fields, start.clone(), random).unwrap_or(start);
        }
        let mut search = Search { space, options, random, newton, inverter };
        if let Err(stop) = search.walk(start) {
            return stop;
        }
    }
    Stop::Spent
}

/// Where to begin for the n-th time: at the hint, at small numbers, at constants of the conditions, anywhere.
fn start(space: &Space, number: usize, hint: &Model, random: &mut Random) -> Point {
    let mut point: Point = space.variables.iter().map(|&symbol| hint.get(symbol)).collect();
    if number == 0 {
        return point;
    }
    for field in &space.fields {
        let bits = match number % 6 {
            1 => 0,
            2 => field.bits(1.0),
            3 => field.bits(random.normal() * 10.0),
            4 => moves::step(field, field.read(&point), &space.constants, random),
            5 if field.kind == Kind::Float => field.bits(random.normal() * 1000.0),
            5 => random.next() >> random.below(64),
            _ => {
                let constant = random.pick(&space.constants).unwrap_or(1);
                if random.one_in(2) { constant } else { field.bits(random.below(20) as f64) }
            }
        };
        field.write(&mut point, bits & coax_term::mask(field.width));
    }
    point
}
