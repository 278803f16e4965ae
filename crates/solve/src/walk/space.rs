//! The space in which the walk goes: its dimensions are the fields, its points the values of all symbols, and every point has a score.

use super::field::{self, Field};
use super::linear::Polytope;
use super::score::Scores;
use crate::{Budget, Looks, Spent};
use coax_term::{Compiled, Compiler, Functions, Interpreter, Node, Symbol, Term, Terms};
use std::collections::BTreeSet;

/// Why a walk ends.
#[derive(Debug)]
pub(super) enum Stop {
    /// At this point all conditions hold.
    Found(Point),
    /// The budget is used up.
    Spent,
}

/// The values of the variables.
pub(super) type Point = Vec<u64>;

/// What the space of some conditions looks like.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) variables: Vec<Symbol>,
    pub(super) fields: Vec<Field>,
    /// By condition, the fields that it depends on.
    pub(super) fields_of: Vec<Vec<usize>>,
    /// The linear conditions.
    pub(super) polytope: Polytope,
    /// Constants in the conditions, as bits.
    pub(super) constants: Vec<u64>,
    /// How many terms the conditions consist of.
    size: usize,
}

impl Shape {
    /// Takes a while where there are many terms.
    pub(super) fn new(terms: &Terms, conditions: &[Term], budget: &Budget) -> Result<Shape, Spent> {
        let mut looks = Looks::default();
        let (mut order, mut variables, mut constants) = (Vec::new(), Vec::new(), BTreeSet::new());
        for term in terms.in_post_order(conditions) {
            looks.look(budget)?;
            match terms.node(term) {
                Node::Symbol(symbol) => variables.push(symbol),
                Node::Const { width, bits } if width > 1 => {
                    constants.insert(bits);
                }
                _ => {}
            }
            order.push(term);
        }
        variables.sort_unstable();
        let fields = field::find(terms, &order, &variables, budget)?;
        let mut fields_with = vec![Vec::new(); variables.len()];
        for (number, field) in fields.iter().enumerate() {
            field.variables().for_each(|variable| fields_with[variable].push(number));
        }
        let mut fields_of = Vec::with_capacity(conditions.len());
        for condition in conditions {
            let mut fields = BTreeSet::new();
            for term in terms.in_post_order(std::slice::from_ref(condition)) {
                looks.look(budget)?;
                if let Node::Symbol(symbol) = terms.node(term)
                    && let Ok(variable) = variables.binary_search(&symbol)
                {
                    fields.extend(fields_with[variable].iter().copied());
                }
            }
            fields_of.push(fields.into_iter().collect());
        }
        Ok(Shape {
            fields_of,
            polytope: Polytope::new(terms, conditions, &fields, budget)?,
            variables,
            fields,
            constants: constants.into_iter().collect(),
            size: order.len(),
        })
    }
}

/// Conditions as functions of points, and the means to compute them.
pub(super) struct Space<'a> {
    pub(super) terms: &'a Terms,
    pub(super) functions: &'a mut dyn Functions,
    budget: &'a mut Budget,
    pub(super) shape: &'a Shape,
    pub(super) scores: Scores,
    compiled: Box<dyn Compiled>,
    /// The values of the scores' roots and then of others, at the point that was last scored.
    pub(super) values: Vec<u64>,
    /// What one evaluation costs, in a 16th of the budget's units.
    cost: u64,
    owed: u64,
}

impl<'a> Space<'a> {
    /// The space of some conditions. More terms, beyond those that the scores need, are computed at every point. None if there is no time for it.
    pub(super) fn new(
        terms: &'a Terms,
        shape: &'a Shape,
        scores: Scores,
        more: &[Term],
        compiler: Option<&mut dyn Compiler>,
        functions: &'a mut dyn Functions,
        budget: &'a mut Budget,
    ) -> Option<Space<'a>> {
        let mut roots = scores.roots.clone();
        roots.extend_from_slice(more);
        let compiled = compiler.and_then(|compiler| compiler.compile(terms, &roots, &shape.variables));
        let goes_on = &mut || !budget.is_late();
        let interpreted = || Interpreter.compile_while(terms, &roots, &shape.variables, goes_on);
        let compiled = compiled.or_else(interpreted)?;
        let values = vec![0; roots.len()];
        // Measured: a 16th of a microsecond evaluates and scores about a term.
        let cost = 2 + shape.size as u64 / 16;
        Some(Space { terms, functions, budget, shape, scores, compiled, values, cost, owed: 0 })
    }

    /// The score of a point: how badly all conditions together are violated.
    pub(super) fn score(&mut self, point: &Point) -> Result<f64, Stop> {
        self.owe(self.cost)?;
        self.compiled.run(self.functions, point, &mut self.values);
        let score = self.scores.compute(&self.values);
        if score == 0.0 {
            return Err(Stop::Found(point.clone()));
        }
        Ok(score)
    }

    /// Counts work, in the budget's units.
    pub(super) fn spend(&mut self, units: u64) -> Result<(), Stop> {
        self.owe(16 * units)
    }

    /// Counts work, in a 16th of the budget's units.
    pub(super) fn owe(&mut self, cost: u64) -> Result<(), Stop> {
        self.owed += cost;
        if self.owed >= 1 << 10 {
            let units = self.owed / 16;
            self.owed %= 16;
            self.budget.spend(units).map_err(|_| Stop::Spent)?;
            if self.budget.is_over() {
                return Err(Stop::Spent);
            }
        }
        Ok(())
    }

    /// What evaluating everything once costs.
    pub(super) fn cost(&self) -> u64 {
        self.cost
    }
}
