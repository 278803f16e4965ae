//! Coverage against the SSA: the directions that `coax-execute` counts in the wasm itself must be those
//! that the lowered SSA takes, on runs that end alike.

use super::generate::Random;
use super::observe::{self, Compiled, FUEL, Instantiated};
use super::{Tally, VECTORS};
use crate::lower::{self, Layout};
use crate::machine::{Fault, Trap, Value};
use crate::transform;
use coax_execute::{Coverage, Input, Limits, Outcome, PlainModule, Reference, TrapKind};
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
            let params = args.iter().map(|arg| outside(arg).into()).collect();
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
            let recorded = live.call(&function.name, &args);
            if recorded.is_stack_exhausted() {
                tally.out_of_stack += 1;
                continue;
            }
            if !ends_alike(&run.outcome, &recorded) {
                let what = format!("{}, recording: {recorded}", run.outcome.verdict());
                return Err(format!("`{}` with {args:?}: {what}", function.name));
            }
            let notes = live.memory(Layout::MEMORY).ok_or("the notes are not exported")?;
            if let Some(what) = difference(&program, &layout, &coverage, notes) {
                return Err(format!("`{}` with {args:?}: {what}", function.name));
            }
            tally.count(&recorded);
        }
    }
    Ok(())
}

/// A value as the plain run takes and gives it.
fn outside(value: &Value) -> coax_execute::Value {
    use coax_execute::Value as Outside;
    match *value {
        Value::I32(value) => Outside::I32(value as i32),
        Value::I64(value) => Outside::I64(value as i64),
        Value::F32(bits) => Outside::F32(bits),
        Value::F64(bits) => Outside::F64(bits),
        Value::V128(value) => Outside::V128(value),
        Value::Null => Outside::Ref(Reference::Null),
        Value::Extern(_) | Value::Func | Value::Exn => Outside::Ref(Reference::NonNull),
    }
}

/// Whether the plain run and the recording one ended in the same way.
fn ends_alike(plain: &Outcome, recorded: &observe::Outcome) -> bool {
    match (plain, recorded) {
        (Outcome::Returned(values), observe::Outcome::Returned(others)) => {
            values.iter().copied().eq(others.iter().map(outside))
        }
        (Outcome::Trapped(trap), observe::Outcome::Faulted(Ok(Fault::Trap(other)))) => {
            Some(trap.kind) == kind(*other)
        }
        (Outcome::UncaughtException(_), observe::Outcome::Faulted(Ok(Fault::Exception))) => true,
        _ => false,
    }
}

/// What the plain run calls a trap; it calls an exhausted stack none.
fn kind(trap: Trap) -> Option<TrapKind> {
    Some(match trap {
        Trap::Unreachable => TrapKind::Unreachable,
        Trap::MemoryOutOfBounds => TrapKind::MemoryOutOfBounds,
        Trap::TableOutOfBounds => TrapKind::TableOutOfBounds,
        Trap::UninitializedElement => TrapKind::NullIndirectCall,
        Trap::IndirectCallTypeMismatch => TrapKind::IndirectCallTypeMismatch,
        Trap::IntegerDivideByZero => TrapKind::IntegerDivideByZero,
        Trap::IntegerOverflow => TrapKind::IntegerOverflow,
        Trap::InvalidConversion => TrapKind::InvalidConversion,
        Trap::NullReference => TrapKind::NullReference,
        Trap::StackExhausted => return None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_endings_are_noticed() {
        let plain = Outcome::Returned(vec![coax_execute::Value::I32(-1)]);
        let trap = |trap| observe::Outcome::Faulted(Ok(Fault::Trap(trap)));
        let returned = observe::Outcome::Returned;
        assert!(ends_alike(&plain, &returned(vec![Value::I32(u32::MAX)])));
        assert!(!ends_alike(&plain, &returned(vec![Value::I32(1)])));
        assert!(!ends_alike(&plain, &returned(Vec::new())));
        assert!(!ends_alike(&plain, &trap(Trap::Unreachable)));
        let unreachable = coax_execute::Trap {
            kind: TrapKind::Unreachable,
            reason: None,
            site: None,
            backtrace: Vec::new(),
        };
        let plain = Outcome::Trapped(unreachable);
        assert!(ends_alike(&plain, &trap(Trap::Unreachable)));
        assert!(!ends_alike(&plain, &trap(Trap::MemoryOutOfBounds)));
        assert!(!ends_alike(&plain, &returned(Vec::new())));
    }
}
