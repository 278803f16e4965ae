//! Evaluates every model that comes from below, at the values of the hint for what it does not mention.

use crate::{Answer, Budget, Layer, Query, Reason, Tally};
use coax_term::{Evaluator, Model, Terms};
use std::sync::Arc;

/// Lets no wrong model pass: it is counted, and the answer is unknown.
pub struct Check {
    next: Box<dyn Layer>,
    tally: Arc<Tally>,
    evaluator: Evaluator,
}

impl Check {
    /// Checks the models of this layer, and counts wrong ones there.
    pub fn new(next: Box<dyn Layer>, tally: Arc<Tally>) -> Check {
        Check { next, tally, evaluator: Evaluator::new() }
    }
}

impl Layer for Check {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        let found = match self.next.solve(terms, query, budget) {
            Answer::Sat(found) => found,
            other => return other,
        };
        let model = completed(query.hint, found);
        self.evaluator.reset();
        match query.conditions().find(|&condition| self.evaluator.eval(terms, &model, condition) == 0) {
            None => Answer::Sat(model),
            Some(wrong) => {
                self.tally.add_wrong();
                let text =
                    format!("{} gave values that do not make t{} hold", self.tally.name, wrong.index());
                Answer::Unknown(Reason::Failed(text))
            }
        }
    }
}

/// The values of a model, and those of a hint for symbols and functions that it does not mention.
pub(crate) fn completed(hint: &Model, found: Model) -> Model {
    let mut model = hint.clone();
    model.overlay(&found);
    model
}
