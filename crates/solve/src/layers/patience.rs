//! A goal that was too hard gets less effort the next time.
//!
//! The same condition comes again on many paths, each time under a few more assumptions. If it was not decided with so much effort, it is
//! seldom decided with the same effort later: after each failure it gets a half of what the last try took, down to a limit, and
//! after an answer all there is. Who offers more than before means it, and gets it. The reason that is given stays that of who gave up.

use crate::{Answer, Budget, Layer, Query};
use coax_term::{Identity, Term, Terms};
use std::collections::BTreeMap;

/// What a goal gets at least.
const LEAST: u64 = 5_000;
/// How many goals are remembered; then all are forgotten.
const MOST_GOALS: usize = 10_000;

/// The layer.
pub struct Patience {
    next: Box<dyn Layer>,
    identity: Option<Identity>,
    limits: BTreeMap<Term, Limit>,
}

/// What a goal that was not decided gets the next time.
#[derive(Clone, Copy)]
struct Limit {
    /// The most that was offered for it.
    offered: u64,
    /// What it gets unless more is offered.
    effort: u64,
}

impl Patience {
    /// Hands everything on, with less effort for what was too hard.
    pub fn new(next: Box<dyn Layer>) -> Patience {
        Patience { next, identity: None, limits: BTreeMap::new() }
    }
}

impl Layer for Patience {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        if self.identity.replace(terms.identity()) != Some(terms.identity()) || self.limits.len() > MOST_GOALS
        {
            self.limits.clear();
        }
        let offered = budget.left();
        let limit = self.limits.get(&query.goal).copied().filter(|limit| offered <= limit.offered);
        let effort = limit.map_or(offered, |limit| limit.effort.min(offered));
        let mut part = budget.part(effort);
        let answer = self.next.solve(terms, query, &mut part);
        budget.settle(effort, &part);
        match answer {
            Answer::Unknown(_) => {
                let spent = effort.saturating_sub(part.left());
                let offered = limit.map_or(offered, |limit| limit.offered.max(offered));
                self.limits.insert(query.goal, Limit { offered, effort: (spent / 2).max(LEAST) });
            }
            _ => {
                self.limits.remove(&query.goal);
            }
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;
    use coax_term::Model;
    use std::sync::{Arc, Mutex};

    /// Takes all the effort it gets, up to a bound, and gives up.
    struct Eager(Arc<Mutex<Vec<u64>>>);

    impl Layer for Eager {
        fn solve(&mut self, _: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
            self.0.lock().unwrap().push(budget.left());
            if query.assumptions.len() > 2 {
                return Answer::Unsat(Vec::new());
            }
            let _ = budget.spend(100_000);
            Answer::Unknown(Reason::Budget("someone"))
        }
    }

    #[test]
    fn a_goal_that_was_too_hard_gets_less_until_it_is_answered() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", 1), terms.symbol("y", 1));
        let given = Arc::new(Mutex::new(Vec::new()));
        let mut patience = Patience::new(Box::new(Eager(given.clone())));
        let hint = Model::new();
        let mut offer = |effort, goal, assumptions: &[Term]| {
            let query = Query { assumptions, goal, hint: &hint };
            patience.solve(&mut terms, &query, &mut Budget::effort(effort))
        };
        let mut ask = |goal, assumptions: &[Term]| offer(1_000_000, goal, assumptions);
        for _ in 0..3 {
            assert_eq!(ask(x, &[]), Answer::Unknown(Reason::Budget("someone")));
        }
        ask(y, &[]);
        ask(x, &[y, y, y]);
        ask(x, &[]);
        offer(2_000_000, x, &[]);
        offer(2_000_000, x, &[]);
        let expected = [1_000_000, 50_000, 25_000, 1_000_000, 12_500, 1_000_000, 2_000_000, 50_000];
        assert_eq!(*given.lock().unwrap(), expected);
    }
}
