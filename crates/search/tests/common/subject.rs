//! What is searched, and somebody who listens.

use coax_execute::{Limits, PlainModule, SymbolicEngine, Symbols};
use coax_program::{Func, Program};
use coax_search::{Approach, Kept, Observer, Standing, Subject};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Says nothing.
pub struct Silent;

impl Observer for Silent {
    fn found(&mut self, _: &Arc<Kept>) {}
    fn dropped(&mut self, _: &Arc<Kept>) {}
    fn progress(&mut self, _: &Standing<'_>) {}
}

/// A program whose functions are all to be covered, and of which these are unknown.
pub fn subject(program: &Program, unknown: impl IntoIterator<Item = Func>) -> Subject<'_> {
    let limits = Limits { fuel: 1_000_000, ..Limits::default() };
    let engine = SymbolicEngine::new(&limits).expect("an engine");
    let approach = Approach::new(program, &engine, &unknown.into_iter().collect(), &BTreeSet::new())
        .expect("it can be instrumented");
    Subject {
        program,
        engine,
        approach: Arc::new(approach),
        plain: Arc::new(PlainModule::new(program, &limits).expect("it can be compiled")),
        symbols: Symbols::default(),
        in_scope: vec![true; program.functions.len()],
        targets: Vec::new(),
        toward: None,
        is_own: &|_| true,
        limits,
    }
}
