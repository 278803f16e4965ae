//! Coverage against the SSA: the directions that `coax-execute` counts in the wasm itself must be those
//! that the lowered SSA takes.

use super::generate::Random;
use super::observe::{Compiled, FUEL, Instantiated};
use super::{Tally, VECTORS};
use crate::lower::{self, Layout};
use crate::machine::Value;
use crate::transform;
use coax_execute::{Coverage, Input, Limits, Outcome, PlainModule};
use coax_program::Program;
use wasmtime::Engine;

/// Compares the directions of all runs of one module; the error says what differs.
pub(super) fn compare(engine: &Engine, seed: u64, wasm: &[u8], tally: &mut Tally) -> Result<(), String> {
    let broken = |error: &dyn std::fmt::Display| format!("not run: {error}");
    let program = transform::accept(wasm).map_err(|error| broken(&error))?;
    let layout = Layout::new(&program);
    let recording = lower::lower_recording(&program, &layout).map_err(|error| broken(&error))?;
    let recording = Compiled::transformed(engine, &recording).map_err(|error| broken(&error))?;
    let limits = Limits { fuel: FUEL, ..Limits::default() };
    let plain = PlainModule::new(&program, &limits).map_err(|error| broken(&error))?;
    let mut random = Random::new(seed);
    for function in recording.functions() {
        for _ in 0..VECTORS {
            let args = function.arguments(&mut random);
            let params =
                args.iter().map(parameter).collect::<Option<Vec<_>>>().ok_or("a reference parameter")?;
            let input = Input { entry: Some(function.name.clone()), params, ..Input::default() };
            let run = plain.run_with_coverage(&input, &limits).map_err(|error| broken(&error))?;
            if let Outcome::OutOfFuel(_) = run.outcome {
                tally.out_of_fuel += 1;
                continue;
            }
            if let Outcome::StackExhausted(_) = run.outcome {
                tally.out_of_stack += 1;
                continue;
            }
            let coverage = run.coverage.ok_or("a run with coverage has none")?;
            let Instantiated::Live(mut live) = recording.instantiate() else {
                return Err("a module without a start function was not instantiated".into());
            };
            let outcome = live.call(&function.name, &args);
            let notes = live.memory(Layout::MEMORY).ok_or("the notes are not exported")?;
            if let Some(what) = difference(&program, &layout, &coverage, notes) {
                return Err(format!("`{}` with {args:?}: {what}", function.name));
            }
            tally.count(&outcome);
        }
    }
    Ok(())
}

fn parameter(value: &Value) -> Option<coax_execute::Value> {
    use coax_execute::Value as Parameter;
    Some(match *value {
        Value::I32(value) => Parameter::I32(value as i32),
        Value::I64(value) => Parameter::I64(value as i64),
        Value::F32(bits) => Parameter::F32(bits),
        Value::F64(bits) => Parameter::F64(bits),
        Value::V128(value) => Parameter::V128(value),
        Value::Null | Value::Extern(_) | Value::Func | Value::Exn => return None,
    })
}

fn difference(program: &Program, layout: &Layout, coverage: &Coverage, notes: &[u8]) -> Option<String> {
    for site in program.sites.ids() {
        let counted = coverage.directions(site);
        let start = layout.site(site) as usize;
        let noted: Vec<bool> = notes[start..start + counted.len()].iter().map(|&note| note != 0).collect();
        if counted != noted {
            return Some(format!("{site} covers {counted:?}, the SSA took {noted:?}"));
        }
    }
    let mut defined = program.functions.iter().filter(|(_, function)| function.defined().is_some());
    let noted = |func| notes[layout.function(func) as usize] != 0;
    let (func, _) = defined.find(|(func, _)| coverage.entered(*func) != noted(*func))?;
    Some(format!("whether {func} was entered"))
}
