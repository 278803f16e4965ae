//! Evaluates every model that comes from below, at the values of the hint for what it does not mention.

use crate::{Answer, Budget, Layer, Query, Reason, Tally};
use coax_term::{Evaluator, Model, Term, Terms};
use std::sync::Arc;

/// Lets no wrong model pass: it is counted, and someone else is asked. Where there is nobody else, the answer is unknown.
pub struct Check {
    next: Box<dyn Layer>,
    instead: Option<Box<dyn Layer>>,
    tally: Arc<Tally>,
    evaluator: Evaluator,
}

impl Check {
    /// Checks the models of this layer, and counts wrong ones there.
    pub fn new(next: Box<dyn Layer>, tally: Arc<Tally>) -> Check {
        Check { next, instead: None, tally, evaluator: Evaluator::new() }
    }

    /// Asks this layer where the other one is wrong.
    #[must_use]
    pub fn or_ask(mut self, instead: Box<dyn Layer>) -> Check {
        self.instead = Some(instead);
        self
    }

    /// The answer with a complete model, or a condition that it does not make hold.
    fn checked(&mut self, terms: &Terms, query: &Query<'_>, answer: Answer) -> Result<Answer, Term> {
        let Answer::Sat(found) = answer else { return Ok(answer) };
        let model = completed(query.hint, found);
        self.evaluator.reset();
        match query.conditions().find(|&condition| self.evaluator.eval(terms, &model, condition) == 0) {
            None => Ok(Answer::Sat(model)),
            Some(wrong) => {
                self.tally.add_wrong();
                Err(wrong)
            }
        }
    }
}

impl Layer for Check {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        let answer = self.next.solve(terms, query, budget);
        let mut checked = self.checked(terms, query, answer);
        if checked.is_err()
            && !budget.is_over()
            && let Some(instead) = &mut self.instead
        {
            let answer = instead.solve(terms, query, budget);
            checked = self.checked(terms, query, answer);
        }
        checked.unwrap_or_else(|wrong| {
            let text = format!("{} gave values that do not make t{} hold", self.tally.name, wrong.index());
            Answer::Unknown(Reason::Failed(text))
        })
    }
}

/// The values of a model, and those of a hint for symbols and functions that it does not mention.
pub(crate) fn completed(hint: &Model, found: Model) -> Model {
    let mut model = hint.clone();
    model.overlay(&found);
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Has one answer to everything.
    struct Always(Answer);

    impl Layer for Always {
        fn solve(&mut self, _: &mut Terms, _: &Query<'_>, _: &mut Budget) -> Answer {
            self.0.clone()
        }
    }

    #[test]
    fn who_is_wrong_is_counted_and_another_is_asked() {
        let mut terms = Terms::new();
        let goal = terms.parse("(eq x:8 7:8)").expect("a condition");
        let x = terms.find_symbol("x").expect("a symbol");
        let [right, wrong] = [7, 8].map(|value| Answer::Sat([(x, value)].into_iter().collect()));
        let hint = Model::new();
        let query = Query { assumptions: &[], goal, hint: &hint };
        let mut ask = |answer: &Answer, instead: Option<&Answer>, effort| {
            let tally = Tally::new("someone");
            let check = Check::new(Box::new(Always(answer.clone())), tally.clone());
            let mut check = match instead {
                Some(instead) => check.or_ask(Box::new(Always(instead.clone()))),
                None => check,
            };
            let answer = check.solve(&mut terms, &query, &mut Budget::effort(effort));
            (answer, tally.counts().wrong)
        };
        let text = format!("someone gave values that do not make t{} hold", goal.index());
        let failed = Answer::Unknown(Reason::Failed(text));
        assert_eq!(ask(&right, Some(&wrong), 1), (right.clone(), 0));
        assert_eq!(ask(&wrong, Some(&right), 1), (right.clone(), 1));
        assert_eq!(ask(&wrong, Some(&wrong), 1), (failed.clone(), 2));
        assert_eq!(ask(&wrong, None, 1), (failed.clone(), 1));
        assert_eq!(ask(&wrong, Some(&right), 0), (failed, 1));
    }
}
