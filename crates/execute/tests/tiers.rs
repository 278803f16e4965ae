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
fn stack_that_only_quick_code_needs_does_not_count() {
    // Each value lives from one block to the next: quick code has a place in the frame for each, optimised code one for all.
    let next = |local: u32| {
        format!(
            "(local.set {local} (i64.add (local.get {}) (i64.const 3)))
            (if (i64.eq (local.get {local}) (i64.const 1)) (then (unreachable)))",
            local - 1
        )
    };
    let (locals, chain) = ("i64 ".repeat(400), (2..400).map(next).collect::<String>());
    let function = format!(
        r#"(func $f (export "f") (param i32) (result i32) (local {locals})
        (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
        {chain}
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
fn fuel_lasts_as_long_in_both() {
    // Bulk operators cost as much as they move.
    let function = r#"(func (export "f") (param i32) (result i32)
        (loop $again
          (memory.fill (i32.const 0) (local.get 0) (i32.const 60000))
          (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        (i32.const 7))"#;
    let program = large(function);
    let limits = |fuel| Limits { fuel, ..Limits::default() };
    let outcomes = |tier| {
        let module = light(&engine().only(tier), &program);
        // Instrumented code gets 16 times as much.
        [37_000, 38_000].map(|fuel| found(&module, &call("f", &[10]), &limits(fuel)))
    };
    let quick = outcomes(Tier::Quick);
    assert!(matches!(quick[0].0, Outcome::OutOfFuel(_)), "{:?}", quick[0]);
    assert_eq!(quick[1].0, Outcome::Returned(vec![Value::I32(7)]));
    assert_eq!(quick[1], outcomes(Tier::Optimised)[1]);
    assert!(matches!(outcomes(Tier::Optimised)[0].0, Outcome::OutOfFuel(_)));
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
fn what_another_version_of_the_compiler_has_written_is_not_trusted() {
    let program = large(DECIDES);
    let directory = tempfile::tempdir().expect("a directory");
    let start = || light(&engine().only(Tier::Optimised).with_cache(directory.path()), &program);
    start();
    let [file] = &files(directory.path())[..] else { panic!("one module, one file") };
    let whole = std::fs::read(file).expect("a file");
    // What wasmtime writes begins, behind our hash, with its target; its version is a string before that.
    let target =
        whole.windows(6).position(|bytes| bytes == b"x86_64" || bytes == b"aarch6").expect("a target");
    let mut other = whole.clone();
    other[target - 2] ^= 1;
    let hash = blake3::hash(&other[blake3::OUT_LEN..]);
    other[..blake3::OUT_LEN].copy_from_slice(hash.as_bytes());
    std::fs::write(file, &other).expect("writable");
    let module = start();
    let (outcome, ..) = found(&module, &call("f", &[5]), &Limits::default());
    assert_eq!(outcome, Outcome::Returned(vec![Value::I32(1)]));
    assert!(std::fs::read(file).expect("a file") == whole, "it was not written again");
}
