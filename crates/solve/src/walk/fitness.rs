//! How far values are from making conditions hold, for those who walk themselves.

use super::score::Scores;
use coax_term::{Evaluator, Functions, Model, Term, Terms};

/// Conditions whose violation is to be measured again and again.
pub struct Fitness {
    scores: Scores,
    values: Vec<u64>,
    evaluator: Evaluator,
}

impl Fitness {
    /// Of these conditions, all together.
    pub fn new(terms: &Terms, conditions: &[Term]) -> Fitness {
        Fitness { scores: Scores::new(terms, conditions), values: Vec::new(), evaluator: Evaluator::new() }
    }

    /// Zero if and only if all conditions hold with these values, and smaller the nearer they are to that. None if that depends on a function's value that is not known.
    pub fn of(&mut self, terms: &Terms, model: &Model, functions: &mut dyn Functions) -> Option<f64> {
        self.evaluator.reset();
        self.values.clear();
        for &root in &self.scores.roots {
            self.values.push(self.evaluator.eval_with(terms, model, functions, root)?);
        }
        Some(self.scores.compute(&self.values))
    }
}
