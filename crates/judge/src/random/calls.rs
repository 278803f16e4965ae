//! Calls of random modules under directors: see [`crate::hooks`].

use super::events;
use super::generate::Random;
use super::observe::Compiled;
use super::{Tally, VECTORS};
use crate::hooks::Judge;
use coax_execute::{Input, Symbols};
use coax_program::Program;
use wasmtime::Engine;

/// Tries all hooks on runs of one module; the error says what differs.
pub(super) fn compare(engine: &Engine, seed: u64, wasm: &[u8], tally: &mut Tally) -> Result<(), String> {
    let plain = Compiled::plain(engine, wasm).map_err(|error| format!("wasmtime refuses it: {error:#}"))?;
    if !plain.imports().is_empty() {
        return Ok(());
    }
    let program = Program::parse(wasm.to_vec()).map_err(|error| error.to_string())?;
    let judge = Judge::new(events::symbolic_engine(), &program, events::limits());
    let judge = judge.map_err(|error| error.to_string())?;
    let mut random = Random::new(seed);
    for function in plain.functions() {
        for _ in 0..VECTORS {
            let args = function.arguments(&mut random);
            let Some(params) =
                args.iter().map(|&arg| events::param(arg).map(Into::into)).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            let input = Input { entry: Some(function.name.clone()), params, ..Input::default() };
            match judge.run(&input, Symbols::default(), &mut random, &mut tally.hooks) {
                Ok(true) => tally.runs += 1,
                Ok(false) => tally.out_of_fuel += 1,
                Err(what) => return Err(format!("`{}` with {args:?}: {what}", function.name)),
            }
        }
    }
    Ok(())
}
