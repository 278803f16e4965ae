//! Quick code and optimised code: what a run finds does not depend on whose code ran.
//!
//! Random modules are compared in `coax-judge`.

mod common;

use coax_execute::{Input, Limits, Outcome, SymbolicEngine, SymbolicModule, Symbols, Tier, Value, Variant};
use coax_program::Program;
use common::{call, program};
use std::path::{Path, PathBuf};

/// A program with this function, and so much more code that it is large.
fn large(function: &str) -> Program {
    let step = "(local.set 0 (i32.mul (i32.add (local.get 0) (i32.const 1000000)) (i32.const 1000003)))";
    let filler = format!("(func (param i32) (result i32) {} (local.get 0))", step.repeat(100));
    program(&format!("(module (memory 1 2000) {function} {})", filler.repeat(30)))
}

fn engine() -> SymbolicEngine {
    SymbolicEngine::new(&Limits::default()).expect("an engine")
}

fn light<'p>(engine: &SymbolicEngine, program: &'p Program) -> SymbolicModule<'p> {
    engine.module(program, Variant::Light).expect("instrumentable")
}

/// Outcome, conditions, bounds.
fn found(module: &SymbolicModule<'_>, input: &Input, limits: &Limits) -> (Outcome, Vec<String>, bool) {
    // The usual limits allow more stack than a thread of a test has.
    std::thread::scope(|scope| {
        let run = || module.run(input, Symbols::default(), limits).expect("runs");
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, run);
        let run = thread.expect("a thread").join().expect("no panic");
        let conditions =
            run.path().events.iter().map(|event| run.terms().display(event.condition).to_string());
        let (conditions, bounded) = (conditions.collect(), !run.bounds.is_empty());
        (module.outcome(run), conditions, bounded)
    })
}

const DECIDES: &str = r#"(func $f (export "f") (param i32) (result i32)
    (if (i32.lt_s (local.get 0) (i32.const 10)) (then (return (i32.const 1))))
    (i32.div_u (i32.const 100) (i32.sub (local.get 0) (i32.const 12))))"#;

#[test]
fn a_large_module_starts_on_quick_code_and_goes_on_in_optimised_code() {
    let program = large(DECIDES);
    let module = light(&engine(), &program);
    let optimised = light(&engine().only(Tier::Optimised), &program);
    assert_eq!((module.starts_on(), optimised.starts_on()), (Tier::Quick, Tier::Optimised));
    for param in [5, 12, 20] {
        let input = call("f", &[param]);
        assert_eq!(found(&module, &input, &Limits::default()), found(&optimised, &input, &Limits::default()));
    }
    module.finish_compiling().expect("it can be compiled");
    assert_eq!(module.tier(), Tier::Optimised);
    assert_eq!(
        found(&module, &call("f", &[20]), &Limits::default()).0,
        Outcome::Returned(vec![Value::I32(12)])
    );
}

#[test]
fn a_small_module_is_optimised_at_once() {
    assert_eq!(light(&engine(), &program(&format!("(module {DECIDES})"))).starts_on(), Tier::Optimised);
}

#[test]
fn a_module_that_the_quick_compiler_does_not_know_is_optimised_at_once() {
    let tail = r#"(func $g (result i32) (i32.const 7)) (func (export "f") (result i32) (return_call $g))"#;
    let throw = r#"(tag $t) (func (export "f") (result i32)
        (block $h (try_table (catch $t $h) (throw $t))) (i32.const 7))"#;
    for function in [tail, throw] {
        let program = large(function);
        for engine in [engine(), engine().only(Tier::Quick)] {
            let module = light(&engine, &program);
            assert_eq!(module.starts_on(), Tier::Optimised);
            let (outcome, ..) = found(&module, &call("f", &[]), &Limits::default());
            assert_eq!(outcome, Outcome::Returned(vec![Value::I32(7)]));
        }
    }
}

#[test]
fn stack_that_only_quick_code_needs_does_not_count() {
    // Winch keeps each local in the frame, Cranelift only what lives across the call.
    let locals = "i64 ".repeat(500);
    let function = format!(
        r#"(func $f (export "f") (param i32) (result i32) (local {locals})
        (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
        (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1)))))"#
    );
    let program = large(&function);
    let (input, limits) = (call("f", &[5_000]), Limits { stack_bytes: 2 << 20, ..Limits::default() });
    let engine = || SymbolicEngine::new(&limits).expect("an engine");
    let quick = light(&engine().only(Tier::Quick), &program);
    assert!(matches!(found(&quick, &input, &limits).0, Outcome::StackExhausted(_)));
    let module = light(&engine(), &program);
    assert_eq!(
        found(&module, &input, &limits),
        found(&light(&engine().only(Tier::Optimised), &program), &input, &limits)
    );
    assert_eq!(module.tier(), Tier::Optimised, "it was needed");
}

#[test]
fn a_run_that_lasts_is_done_again_in_optimised_code() {
    // 128 GB, for which Winch takes no fuel: without an end, it would return.
    let function = r#"(func (export "f") (param i32) (result i32) (local $n i32)
        (drop (memory.grow (i32.const 1000)))
        (loop $again
          (memory.fill (i32.const 0) (local.get $n) (i32.const 64000000))
          (br_if $again (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 2000))))
        (local.get $n))"#;
    let limits = Limits { fuel: 10_000_000, ..Limits::default() };
    let (program, input) = (large(function), call("f", &[0]));
    let module = light(&SymbolicEngine::new(&limits).expect("an engine"), &program);
    assert_eq!(module.starts_on(), Tier::Quick);
    let (outcome, _, bounded) = found(&module, &input, &limits);
    assert!(matches!(outcome, Outcome::OutOfFuel(_)) && bounded, "{outcome:?}");
    assert_eq!(module.tier(), Tier::Optimised);
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn both_kinds_of_code_are_kept_and_the_best_is_taken() {
    let program = large(DECIDES);
    let directory = tempfile::tempdir().expect("a directory");
    let start = || light(&engine().with_cache(directory.path()), &program);
    let module = start();
    assert_eq!(module.starts_on(), Tier::Quick);
    module.finish_compiling().expect("it can be compiled");
    assert_eq!(files(directory.path()).len(), 2);
    assert_eq!(start().starts_on(), Tier::Optimised);
}

#[test]
fn what_another_compiler_has_written_is_not_trusted() {
    let program = large(DECIDES);
    let directory = tempfile::tempdir().expect("a directory");
    let start = |tier| light(&engine().only(tier).with_cache(directory.path()), &program);
    start(Tier::Quick);
    let [quick] = &files(directory.path())[..] else { panic!("one module, one file") };
    start(Tier::Optimised);
    let both = files(directory.path());
    let [optimised] = both.iter().filter(|file| *file != quick).collect::<Vec<_>>()[..] else {
        panic!("two modules, two files")
    };
    // As if a version of coax with another compiler had chosen the same name.
    let whole = std::fs::read(optimised).expect("a file");
    std::fs::copy(quick, optimised).expect("writable");
    let module = start(Tier::Optimised);
    assert_eq!(
        found(&module, &call("f", &[5]), &Limits::default()).0,
        Outcome::Returned(vec![Value::I32(1)])
    );
    assert_eq!(std::fs::read(optimised).expect("a file"), whole, "it was not written again");
}
