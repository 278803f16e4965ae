//! How runs with terms are made: which functions are unknown, so that their calls are not followed (`docs/decisions/0010-higher-order.md`).

use coax_execute::{Detail, Error, SymbolicEngine, SymbolicModule, Unknown};
use coax_program::{Func, Program};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A program that is instrumented so that calls of unknown functions can be suspended.
pub struct Approach<'p> {
    pub(crate) symbolic: SymbolicModule<'p>,
    pub(crate) unknown: Unknown,
    pub(crate) treatment: Arc<Treatment>,
}

/// How calls are treated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Treatment {
    /// The functions whose calls are not followed.
    pub(crate) unknown: BTreeSet<Func>,
    /// Those whose ways are joined.
    pub(crate) joined: BTreeSet<Func>,
}

impl<'p> Approach<'p> {
    /// The first functions are unknown, the ways of the others are joined.
    pub fn new(
        program: &'p Program,
        engine: &SymbolicEngine,
        functions: &BTreeSet<Func>,
        joined: &BTreeSet<Func>,
    ) -> Result<Approach<'p>, Error> {
        // Nor are those joined that call an unknown function.
        let calls = program.calls();
        let is_known = |func: &Func| calls.reachable([*func]).is_disjoint(functions);
        let followed = joined.iter().copied().filter(is_known);
        let detail = Detail::closely(program, functions.iter().copied()).joining(followed);
        Ok(Approach {
            symbolic: engine.module(program, detail)?,
            unknown: Unknown::new(program, functions.iter().copied()),
            treatment: Arc::new(Treatment { unknown: functions.clone(), joined: joined.clone() }),
        })
    }

    /// The program, instrumented.
    pub fn symbolic(&self) -> &SymbolicModule<'p> {
        &self.symbolic
    }

    /// The unknown functions.
    pub(crate) fn functions(&self) -> &BTreeSet<Func> {
        &self.treatment.unknown
    }
}

/// What is made of calls whose code solvers cannot reason about (Godefroid, PLDI 2011).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Imprecision {
    /// They are applications of unknown functions; tests come from proofs that hold for all functions that agree with the samples.
    #[default]
    HigherOrder,
    /// What they return is replaced by its value, and what they were given keeps its value if a decision depends on what they return.
    Delayed,
    /// What they return is replaced by its value, and what they were given keeps its value.
    Sound,
    /// What they return is replaced by its value.
    Unsound,
}
