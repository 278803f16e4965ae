//! Calls of random modules under directors: see [`crate::hooks`].

use super::generate::Random;
use super::observe::Compiled;
use super::{Tally, VECTORS};
use super::{events, services};
use crate::hooks::Judge;
use coax_execute::{Input, Symbols};
use coax_program::Program;
use wasmtime::Engine;

/// Tries all hooks on runs of one module; the error says what differs.
pub(super) fn compare(engine: &Engine, seed: u64, wasm: &[u8], tally: &mut Tally) -> Result<(), String> {
    let plain = Compiled::plain(engine, wasm).map_err(|error| format!("wasmtime refuses it: {error:#}"))?;
    let program = Program::parse(wasm.to_vec()).map_err(|error| error.to_string())?;
    let limits = match program.imports.is_empty() {
        true => events::limits(),
        false if services::are_all_known(&program) => services::limits(),
        // What else a module imports is for the campaigns on concrete values.
        false => return Ok(()),
    };
    let judge = Judge::new(events::symbolic_engine(), &program, limits);
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
            let world =
                if program.imports.is_empty() { Input::default() } else { services::world(&mut random) };
            let input = Input { entry: Some(function.name.clone()), params, ..world };
            match judge.run(&input, Symbols::default(), &mut random, &mut tally.hooks) {
                Ok(true) => tally.runs += 1,
                Ok(false) => tally.out_of_fuel += 1,
                Err(what) => return Err(format!("`{}` with {args:?}: {what}", function.name)),
            }
        }
    }
    Ok(())
}
