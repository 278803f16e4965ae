//! A run by the reference interpreter does what the plain one does, shows each instruction, and has the path of the
//! instrumented one.

use coax_execute::reference::Stop;
use coax_execute::{
    Data, Input, Limits, Outcome, Path, PlainModule, SymbolicModule, Symbols, Value, Variant, reference_run,
    trace,
};
use coax_program::Program;
use coax_term::Terms;
use std::sync::Arc;

const STEPS: u64 = 100_000;

fn program(wat: &str) -> Arc<Program> {
    Arc::new(Program::parse(wat::parse_str(wat).unwrap()).unwrap())
}

/// Reads standard input, writes each byte one higher to standard output, and exits with how many there were.
const NEXT_LETTERS: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local $i i32)
    (i32.store (i32.const 0) (i32.const 64))
    (i32.store (i32.const 4) (i32.const 100))
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (loop $next
      (if (i32.lt_u (local.get $i) (i32.load (i32.const 8)))
        (then
          (i32.store8 offset=64 (local.get $i) (i32.add (i32.load8_u offset=64 (local.get $i)) (i32.const 1)))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $next))))
    (i32.store (i32.const 4) (local.get $i))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
    (call $exit (local.get $i))))"#;

#[test]
fn the_world_is_that_of_a_plain_run() {
    let program = program(NEXT_LETTERS);
    let input = Input { stdin: Data(b"HAL".to_vec()), ..Input::default() };
    let limits = Limits::default();
    let traced = trace(&program, &input, &limits, STEPS, &mut |_| {}).unwrap();
    let plain = PlainModule::new(&program, &limits).unwrap().run(&input, &limits).unwrap();
    assert_eq!(plain.outcome, Outcome::Exited(3));
    assert_eq!(traced.ending, Err(Stop::Exited(3)));
    assert_eq!(traced.stdout, b"IBM");
    assert_eq!((traced.stdout, traced.stderr), (plain.stdout, plain.stderr));
}

#[test]
fn each_instruction_is_shown_with_its_value() {
    let program = program(
        r#"(module (func (export "f") (param i32) (result i32)
             (i32.mul (i32.add (local.get 0) (i32.const 1)) (i32.const 3))))"#,
    );
    let input = Input { params: vec![Value::I32(4).into()], ..Input::default() };
    let mut values = Vec::new();
    let traced = trace(&program, &input, &Limits::default(), STEPS, &mut |step| {
        values.extend_from_slice(&step.results);
    });
    assert_eq!(traced.unwrap().ending, Ok(vec![Value::I32(15)]));
    assert_eq!(values, [1, 5, 3, 15].map(Value::I32));
}

/// Adds up every other byte of standard input while the one after it is below the limit.
const COMPARED_LETTERS: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "f") (param $limit i32) (result i32) (local $i i32)
    (i32.store (i32.const 0) (i32.const 64))
    (i32.store (i32.const 4) (i32.const 2))
    (loop $again
      (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
      (if (i32.load (i32.const 8))
        (then
          (local.set $i (i32.add (local.get $i) (i32.load8_u (i32.const 64))))
          (br_if $again (i32.lt_u (i32.load8_u (i32.const 65)) (local.get $limit))))))
    (i32.div_u (i32.const 1000) (local.get $i))))"#;

#[test]
fn both_engines_record_the_same_path_from_standard_input() {
    let program = program(COMPARED_LETTERS);
    let limits = Limits::default();
    let input =
        Input { params: vec![Value::I32(100).into()], stdin: Data(b"AbCdzz".to_vec()), ..Input::default() };
    let reference = reference_run(&program, &input, Symbols::default(), &limits, STEPS).unwrap();
    let module = SymbolicModule::new(&program, Variant::Light, &limits).unwrap();
    let run = module.run(&input, Symbols::default(), &limits).unwrap();
    let decisions = |path: &Path, terms: &Terms| -> Vec<(u32, String)> {
        path.events.iter().map(|event| (event.at, terms.display(event.condition).to_string())).collect()
    };
    let expected = decisions(reference.path(), reference.terms());
    assert!(expected.iter().any(|(_, condition)| condition.contains("stdin[3]")), "{expected:?}");
    assert!(expected.iter().any(|(_, condition)| condition.contains("param0")), "{expected:?}");
    assert_eq!(decisions(run.path(), run.terms()), expected);
    let Ok(values) = reference.ending else { panic!("it returns") };
    assert_eq!(module.outcome(run), Outcome::Returned(values));
}

#[test]
fn too_many_steps_end_the_run() {
    let program = program(r#"(module (func (export "f") (loop (br 0))))"#);
    let traced = trace(&program, &Input::default(), &Limits::default(), 1000, &mut |_| {}).unwrap();
    assert_eq!(traced.ending, Err(Stop::OutOfSteps));
}
