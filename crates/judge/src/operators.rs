//! Every scalar and SIMD operator, as `coax_execute::semantics` has it, against wasmtime.
//!
//! An operator is computed four ways from the same operands: on plain numbers, by terms of constants, by terms
//! of symbols that are then evaluated, and by terms of both mixed. Results and traps must be wasmtime's.

mod catalogue;
mod meaning;
mod operands;

use crate::machine::{self, Fault, Trap, Value, default_value, fault, value_from, value_into};
use crate::random::Random;
use catalogue::Computation;
use meaning::{Judged, Way};
use wasmtime::{Engine, Func, Instance, Module, Store, Val};

/// What came of the comparison.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Operators, with each lane that they may name.
    pub operators: usize,
    /// Tuples of operands, over all operators.
    pub tuples: u64,
    /// Of these, how many trapped.
    pub traps: u64,
    /// What differs: operator, operands, both results.
    pub differences: Vec<String>,
}

/// A comparison that has found so many differences needs no more.
const MAX_DIFFERENCES: usize = 100;

/// What an operator did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Returned(Value),
    Trapped(Trap),
}

/// Compares each operator on at least so many tuples of operands.
pub fn judge(tuples: usize, seed: u64) -> anyhow::Result<Tally> {
    let computations = catalogue::computations();
    let mut tally = Tally { operators: computations.len(), ..Tally::default() };
    let engine = machine::engine().map_err(|error| anyhow::anyhow!("{error:#}"))?;
    let mut oracle = Oracle::new(&engine, &computations).map_err(|error| anyhow::anyhow!("{error:#}"))?;
    let mut random = Random::new(seed);
    for (number, computation) in computations.iter().enumerate() {
        if tally.differences.len() >= MAX_DIFFERENCES {
            break;
        }
        let Some(mut judged) = Judged::new(computation) else {
            tally.differences.push(format!("{} has no meaning", computation.name));
            continue;
        };
        for operands in operands::tuples(&computation.params, tuples, &mut random) {
            let expected = oracle.outcome(number, &operands)?;
            tally.tuples += 1;
            tally.traps += u64::from(matches!(expected, Outcome::Trapped(_)));
            for way in Way::ALL {
                let actual = judged.outcome(way, &operands, &mut random);
                if actual.is_some_and(|actual| actual != expected) {
                    tally.differences.push(format!(
                        "{} of {operands:?}: {expected:?}, {way:?}: {actual:?}",
                        computation.name
                    ));
                }
            }
        }
    }
    Ok(tally)
}

/// wasmtime, with a function for each operator.
struct Oracle {
    store: Store<()>,
    functions: Vec<Func>,
}

impl Oracle {
    fn new(engine: &Engine, computations: &[Computation]) -> wasmtime::Result<Oracle> {
        let module = Module::new(engine, catalogue::module(computations))?;
        let mut store = Store::new(engine, ());
        let instance = Instance::new(&mut store, &module, &[])?;
        let exports: Vec<String> = module.exports().map(|export| export.name().to_string()).collect();
        let functions = exports.iter().filter_map(|name| instance.get_func(&mut store, name)).collect();
        Ok(Oracle { store, functions })
    }

    fn outcome(&mut self, number: usize, operands: &[Value]) -> anyhow::Result<Outcome> {
        let error = |error: wasmtime::Error| anyhow::anyhow!("{error:#}");
        let function = self.functions[number];
        self.store.set_fuel(u64::MAX).map_err(error)?;
        let ty = function.ty(&self.store);
        let mut args = Vec::new();
        for (&operand, ty) in operands.iter().zip(ty.params()) {
            args.push(value_into(&mut self.store, operand, &ty).map_err(error)?);
        }
        let mut results: Vec<Val> = ty.results().map(|ty| default_value(&ty)).collect();
        match function.call(&mut self.store, &args, &mut results) {
            Ok(()) => Ok(Outcome::Returned(value_from(&mut self.store, &results[0]))),
            Err(stopped) => match fault(&stopped, &mut self.store) {
                Some(Fault::Trap(trap)) => Ok(Outcome::Trapped(trap)),
                _ => Err(error(stopped)),
            },
        }
    }
}
