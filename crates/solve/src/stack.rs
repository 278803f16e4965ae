//! All layers, in order: the list in docs/decisions/0006-solver.md as code.

use crate::layers::{cache::Cache, check::Check, domain::Domain, guess::Guess};
use crate::layers::{known::Known, patience::Patience, shared::SharedLayer, slice::Slice};
use crate::opaque::{Opaque, Shared};
use crate::portfolio::Portfolio;
use crate::tally::Counted;
use crate::{
    Answer, Blast, Budget, Child, ChildOptions, Counts, Layer, Query, Reason, Tally, Walk, WalkOptions,
};
use coax_term::{Compiler, Functions, NoFunctions, Terms};
use std::sync::Arc;

/// The whole stack.
pub struct Stack {
    top: Box<dyn Layer>,
    tallies: Vec<Arc<Tally>>,
}

/// What the stack consists of.
pub struct StackOptions {
    /// The solver that runs as a process of its own; none if there is to be none. The default: whichever is found.
    pub child: Option<ChildOptions>,
    /// The concolic walk.
    pub walk: WalkOptions,
    /// Who knows values of functions that terms leave unknown: a solution has these, where it knows them. The default: nobody.
    pub functions: Option<Box<dyn Functions + Send>>,
    /// Makes what compiles terms for the walk. The default: nothing, terms are interpreted.
    pub compiler: Option<fn() -> Box<dyn Compiler + Send>>,
}

impl Default for StackOptions {
    fn default() -> StackOptions {
        StackOptions {
            child: Some(ChildOptions::default()),
            walk: WalkOptions::default(),
            functions: None,
            compiler: None,
        }
    }
}

impl Stack {
    /// All layers.
    pub fn new(options: StackOptions) -> Stack {
        let mut tallies = Vec::new();
        let child = options.child.map(|child| Box::new(Child::new(child)) as Box<dyn Layer>);
        let known = options.functions.map(Shared::new);
        let functions: Box<dyn Functions + Send> = match &known {
            Some(functions) => Box::new(functions.clone()),
            None => Box::new(NoFunctions),
        };
        let blast = SharedLayer::new(Box::new(Blast::new()));
        let new_walk = |functions| {
            let walk = Walk::new(options.walk.clone(), functions).with_linear(Box::new(blast.clone()));
            match options.compiler {
                Some(compiler) => walk.with_compiler(compiler()),
                None => walk,
            }
        };
        let walk = Box::new(new_walk(functions));
        let portfolio = Portfolio::new(Box::new(blast.clone()), walk, child, &mut tallies);
        let opaque = known.map(|known| (new_walk(Box::new(known.clone())), known));
        Stack::with(Box::new(portfolio), tallies, opaque)
    }

    /// The layers that need no solver, above this one.
    pub fn above(last: Box<dyn Layer>) -> Stack {
        Stack::with(last, Vec::new(), None)
    }

    /// The layers that need no solver, above one that has these tallies.
    fn with(last: Box<dyn Layer>, mut tallies: Vec<Arc<Tally>>, opaque: Option<(Walk, Shared)>) -> Stack {
        let mut counted = |name, next: Box<dyn Layer>| -> Box<dyn Layer> {
            let tally = Tally::new(name);
            tallies.push(tally.clone());
            Box::new(Counted { next, tally })
        };
        let last = counted("solvers", Box::new(Patience::new(last)));
        let guess = counted("guess", Box::new(Guess::new(last)));
        let domain = counted("domain", Box::new(Domain::new(guess)));
        let cache = counted("cache", Box::new(Cache::new(domain)));
        let whole = match opaque {
            Some((walk, functions)) => counted("opaque", Box::new(Opaque::new(cache, walk, functions))),
            None => cache,
        };
        // Asked about the whole question, too, should it have been taken apart and put together wrongly.
        let whole = SharedLayer::new(whole);
        let slice = counted("slice", Box::new(Slice::new(Box::new(whole.clone()))));
        let known = counted("known", Box::new(Known::new(slice)));
        let all = Tally::new("stack");
        tallies.push(all.clone());
        let checked = Box::new(Check::new(known, all.clone()).or_ask(Box::new(whole)));
        tallies.reverse();
        Stack { top: Box::new(Counted { next: checked, tally: all }), tallies }
    }

    /// Where each layer, from the top, counts what it and all below it were asked and answered.
    pub fn tallies(&self) -> &[Arc<Tally>] {
        &self.tallies
    }

    /// The counts of all layers now, from the top.
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

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::{Model, Term};

    #[test]
    fn what_functions_were_in_another_answer_is_not_told() {
        let mut terms = Terms::new();
        let mut condition = |text: &str| terms.parse(text).expect("a condition");
        // Nobody can guess the first; it is then remembered, and fits the second, which does not ask for the function.
        let first = condition("(and (ult 5:8 (apply f:8 3:8)) (eq x:32 77:32))");
        let [small, second] = [condition("(ule (apply f 3:8) 5:8)"), condition("(eq x 77:32)")];
        let mut stack = Stack::new(StackOptions { child: None, ..StackOptions::default() });
        let mut ask = |assumptions: &[Term], goal| {
            let query = Query { assumptions, goal, hint: &Model::new() };
            match stack.solve(&mut terms, &query, &mut Budget::effort(100_000)) {
                Answer::Sat(model) => query.conditions().all(|condition| terms.eval(condition, &model) == 1),
                _ => false,
            }
        };
        assert!(ask(&[], first) && ask(&[small], second));
        let wrong: Vec<u64> = stack.counts().into_iter().map(|(_, counts)| counts.wrong).collect();
        assert_eq!(wrong, vec![0; wrong.len()]);
    }

    #[test]
    fn a_remembered_answer_says_all_that_it_needs_of_functions() {
        let mut terms = Terms::new();
        let goal = terms.parse("(eq (apply f:8 3:8) (apply f 4:8))").expect("a condition");
        let f = terms.find_function("f").expect("a function");
        let mut stack = Stack::new(StackOptions { child: None, ..StackOptions::default() });
        // With the first hint nothing need be said: both are 0. The second gives only one of them another value.
        let mut other = Model::new();
        other.set_at(f, &[3], 1);
        for hint in [Model::new(), other] {
            let query = Query { assumptions: &[], goal, hint: &hint };
            let answer = stack.solve(&mut terms, &query, &mut Budget::effort(100_000));
            let Answer::Sat(model) = answer else { panic!("{answer:?}") };
            assert_eq!(terms.eval(goal, &model), 1);
        }
        let (_, counts) = stack.counts()[0];
        assert_eq!((counts.asked, counts.wrong), (2, 0));
    }
}
