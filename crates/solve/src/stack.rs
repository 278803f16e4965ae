//! All layers, in order: the list in docs/decisions/0006-solver.md as code.

use crate::layers::{cache::Cache, check::Check, domain::Domain, guess::Guess};
use crate::layers::{known::Known, patience::Patience, slice::Slice};
use crate::opaque::{Opaque, Shared};
use crate::portfolio::Portfolio;
use crate::tally::Counted;
use crate::{
    Answer, Blast, Budget, Child, ChildOptions, Counts, Layer, Query, Reason, Tally, Walk, WalkOptions,
};
use coax_term::{Compiler, Function, Functions, Terms};
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

/// Knows no value of any function.
#[derive(Clone, Copy)]
struct Unknown;

impl Functions for Unknown {
    fn apply(&mut self, _: Function, _: &[u64]) -> Option<u64> {
        None
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
            None => Box::new(Unknown),
        };
        let new_walk = |functions| {
            let walk = Walk::new(options.walk.clone(), functions);
            match options.compiler {
                Some(compiler) => walk.with_compiler(compiler()),
                None => walk,
            }
        };
        let walk = Box::new(new_walk(functions));
        let portfolio = Portfolio::new(Box::new(Blast::new()), walk, child, &mut tallies);
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
        let slice = counted("slice", Box::new(Slice::new(whole)));
        let known = counted("known", Box::new(Known::new(slice)));
        let all = Tally::new("stack");
        tallies.push(all.clone());
        let checked = Box::new(Check::new(known, all.clone()));
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
