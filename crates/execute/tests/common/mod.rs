//! What all tests of this crate share: a program from text, and a run of it.
#![allow(dead_code, reason = "each test binary uses its own part")]

use coax_execute::{Error, Input, Limits, MemoryChecks, Outcome, PlainModule, Run, TrapKind, Value};
use coax_program::Program;

/// A program from its text.
pub fn program(text: &str) -> Program {
    let wasm = wat::parse_str(text).expect("the test's module is well-formed");
    Program::parse(wasm).expect("the test's module is valid")
}

/// Calls a function with i32 parameters.
pub fn call(entry: &str, params: &[i32]) -> Input {
    let params = params.iter().map(|&value| Value::I32(value).into()).collect();
    Input { entry: Some(entry.into()), params, ..Input::default() }
}

/// Runs with and without coverage and checks; all must do the same.
pub fn try_run(program: &Program, input: &Input, limits: &Limits) -> Result<Run, Error> {
    let module = PlainModule::new(program, limits)?;
    let run = module.run(input, limits)?;
    let covering = module.run_with_coverage(input, limits)?;
    assert_eq!(run.outcome, covering.outcome);
    assert_eq!(
        (run.stdout, run.stderr, run.fuel_used),
        (covering.stdout.clone(), covering.stderr.clone(), covering.fuel_used)
    );
    let module = module.with_checks(MemoryChecks::default());
    let checked = module.run(input, limits)?;
    assert_eq!(run.outcome, checked.outcome, "there is no memory error");
    Ok(covering)
}

/// Runs a module with limits.
pub fn run_within(text: &str, input: &Input, limits: &Limits) -> Run {
    try_run(&program(text), input, limits).expect("the program can be run")
}

/// Runs a module.
pub fn run(text: &str, input: &Input) -> Run {
    run_within(text, input, &Limits::default())
}

/// The only i32 that a run returned.
pub fn returned(run: &Run) -> i32 {
    match &run.outcome {
        Outcome::Returned(values) => match values[..] {
            [Value::I32(value)] => value,
            _ => panic!("one i32 was expected, not {values:?}"),
        },
        other => panic!("it should have returned, not {other:?}"),
    }
}

/// The kind of trap that ended a run.
pub fn trap_kind(run: &Run) -> TrapKind {
    match &run.outcome {
        Outcome::Trapped(trap) => trap.kind,
        other => panic!("it should have trapped, not {other:?}"),
    }
}
