//! All layers, in order: the list in docs/decisions/0006-solver.md as code.

use crate::layers::{cache::Cache, check::Check, domain::Domain, guess::Guess, slice::Slice};
use crate::tally::Counted;
use crate::{Answer, Budget, Counts, Layer, Query, Reason, Tally};
use coax_term::Terms;
use std::sync::Arc;

/// The whole stack.
pub struct Stack {
    top: Box<dyn Layer>,
    tallies: Vec<Arc<Tally>>,
}

impl Stack {
    /// The layers that need no solver, above this one.
    pub fn above(last: Box<dyn Layer>) -> Stack {
        let mut tallies = Vec::new();
        let mut counted = |name, next: Box<dyn Layer>| -> Box<dyn Layer> {
            let tally = Tally::new(name);
            tallies.push(tally.clone());
            Box::new(Counted { next, tally })
        };
        let last = counted("solvers", last);
        let guess = counted("guess", Box::new(Guess::new(last)));
        let domain = counted("domain", Box::new(Domain::new(guess)));
        let cache = counted("cache", Box::new(Cache::new(domain)));
        let slice = counted("slice", Box::new(Slice::new(cache)));
        let all = Tally::new("stack");
        tallies.push(all.clone());
        let checked = Box::new(Check::new(slice, all.clone()));
        tallies.reverse();
        Stack { top: Box::new(Counted { next: checked, tally: all }), tallies }
    }

    /// What each layer, with all below it, was asked and answered, from the top.
    pub fn counts(&self) -> Vec<(&'static str, Counts)> {
        self.tallies.iter().map(|tally| (tally.name, tally.counts())).collect()
    }
}

impl Layer for Stack {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        self.top.solve(terms, query, budget)
    }
}

/// Knows nothing: what stands below when there is no solver.
pub struct Nothing;

impl Layer for Nothing {
    fn solve(&mut self, _: &mut Terms, _: &Query<'_>, _: &mut Budget) -> Answer {
        Answer::Unknown(Reason::NoSolver("what the other layers leave".into()))
    }
}
