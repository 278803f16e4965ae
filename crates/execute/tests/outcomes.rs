//! One program for each way to end.

mod common;

use coax_execute::{Argument, Bound, Entry, Error, Input, Limits, Outcome, TrapKind, Value, Verdict};
use common::*;

#[test]
fn values_come_back_exactly() {
    let identity = r#"(module (func (export "f") (param i32 i64 f32 f64 v128 funcref) (result i32 i64 f32 f64 v128 funcref)
        local.get 0 local.get 1 local.get 2 local.get 3 local.get 4 local.get 5))"#;
    let json = r#"[{"i32": -1}, {"i64": 9223372036854775807}, {"f32": "nan:0xffa00001"}, {"f64": -0.0},
                   {"v128": "0x000102030405060708090a0b0c0d0e0f"}, {"ref": "null"}]"#;
    let params: Vec<Value> = serde_json::from_str(json).expect("values");
    let run = run(identity, &Input { params: Argument::list(&params), ..Input::default() });
    assert_eq!(run.outcome, Outcome::Returned(params));
}

#[test]
fn new_nans_are_canonical() {
    let divide =
        r#"(module (func (export "f") (param f64 f64) (result f64) local.get 0 local.get 1 f64.div))"#;
    let params = Argument::list(&[Value::F64(0), Value::F64(1 << 63)]);
    let run = run(divide, &Input { params, ..Input::default() });
    assert_eq!(run.outcome, Outcome::Returned(vec![Value::F64(0x7ff8_0000_0000_0000)]));
}

const TRAPS: &str = r#"(module
    (memory 1) (table 2 funcref) (elem (i32.const 0) $one) (type $none (func)) (type $one (func (param i32)))
    (func $one (type $one))
    (func (export "unreachable") unreachable)
    (func (export "memory") (drop (i32.load (i32.const 65533))))
    (func (export "table") (call_indirect (type $none) (i32.const 2)))
    (func (export "null") (call_indirect (type $none) (i32.const 1)))
    (func (export "type") (call_indirect (type $none) (i32.const 0)))
    (func (export "zero") (drop (i32.div_s (i32.const 1) (i32.const 0))))
    (func (export "overflow") (drop (i32.div_s (i32.const 0x80000000) (i32.const -1))))
    (func (export "conversion") (drop (i32.trunc_f32_s (f32.const nan)))))"#;

#[test]
fn each_kind_of_trap() {
    let program = program(TRAPS);
    for (entry, kind) in [
        ("unreachable", TrapKind::Unreachable),
        ("memory", TrapKind::MemoryOutOfBounds),
        ("table", TrapKind::TableOutOfBounds),
        ("null", TrapKind::NullIndirectCall),
        ("type", TrapKind::IndirectCallTypeMismatch),
        ("zero", TrapKind::IntegerDivideByZero),
        ("overflow", TrapKind::IntegerOverflow),
        ("conversion", TrapKind::InvalidConversion),
    ] {
        let run = try_run(&program, &call(entry, &[]), &Limits::default()).expect(entry);
        assert_eq!(trap_kind(&run), kind, "{entry}");
        assert!(run.outcome.verdict().is_failure());
        let Outcome::Trapped(trap) = &run.outcome else { unreachable!() };
        let site = trap.site.expect("a trap of the program's own code has a site");
        let [frame] = &trap.backtrace[..] else { panic!("one frame was expected: {:?}", trap.backtrace) };
        assert_eq!(Some(program.sites[site].offset), frame.offset);
        assert_eq!(program.find_function(entry), Some(frame.func));
    }
}

#[test]
fn a_backtrace_has_the_calls() {
    let text = r#"(module
        (func $inner (param i32) nop (drop (i32.rem_u (i32.const 1) (local.get 0))))
        (func $middle nop nop (call $inner (i32.const 0)))
        (func (export "outer") nop nop nop call $middle))"#;
    let program = program(text);
    let run = try_run(&program, &call("outer", &[]), &Limits::default()).expect("it runs");
    let Outcome::Trapped(trap) = run.outcome else { panic!("{:?}", run.outcome) };
    let functions: Vec<u32> = trap.backtrace.iter().map(|frame| frame.func.0).collect();
    assert_eq!(functions, [0, 1, 2]);
    // The offsets of the callers are those of their calls.
    for frame in &trap.backtrace {
        let site = program.site_at(frame.offset.expect("known")).expect("a site");
        assert_eq!(program.sites[site].func, frame.func);
    }
}

#[test]
fn a_trap_at_instantiation_is_an_outcome() {
    let start =
        r#"(module (func $start (if (i32.const 1) (then unreachable))) (start $start) (func (export "f")))"#;
    let trapped = run(start, &Input::default());
    assert_eq!(trap_kind(&trapped), TrapKind::Unreachable);
    let covered = trapped.coverage.expect("asked for").counts(&program(start), |_| true);
    assert_eq!((covered.branches.covered, covered.functions.covered), (1, 1), "the start function did run");

    let segment = r#"(module (memory 1) (data (i32.const 65536) "x") (func (export "f")))"#;
    let segment = run(segment, &Input::default());
    assert_eq!(trap_kind(&segment), TrapKind::MemoryOutOfBounds);
}

#[test]
fn a_library_is_initialised_first() {
    let text = r#"(module (global $ready (mut i32) (i32.const 0))
        (func (export "_initialize") (global.set $ready (i32.const 7)))
        (func (export "f") (result i32) global.get $ready))"#;
    assert_eq!(returned(&run(text, &Input::default())), 7);

    let failing = r#"(module (func (export "_initialize") unreachable) (func (export "f")))"#;
    assert_eq!(trap_kind(&run(failing, &Input::default())), TrapKind::Unreachable);
}

#[test]
fn every_exit_code_is_an_outcome() {
    let text = r#"(module (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (func (export "_start") (call $exit (i32.const CODE)) unreachable))"#;
    for code in [0, 1, 125, 126, 255, u32::MAX] {
        let run = run(&text.replace("CODE", &code.to_string()), &Input::default());
        assert_eq!(run.outcome, Outcome::Exited(code));
        assert!(!run.outcome.verdict().is_failure());
    }
}

#[test]
fn an_uncaught_exception_is_an_outcome() {
    let text =
        r#"(module (tag $e (param i32 f64)) (func (export "f") (throw $e (i32.const 5) (f64.const 0.5))))"#;
    let run = run(text, &Input::default());
    let Outcome::UncaughtException(exception) = &run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(exception.payload, [Value::I32(5), Value::F64(0.5f64.to_bits())]);
    assert_eq!(run.outcome.verdict(), Verdict::UncaughtException);
}

#[test]
fn a_caught_exception_is_not() {
    let text = r#"(module (tag $e (param i32)) (func $thrower (throw $e (i32.const 5)))
        (func (export "f") (result i32) (block $h (result i32) (try_table (catch $e $h) call $thrower) i32.const 0)))"#;
    assert_eq!(returned(&run(text, &Input::default())), 5);
}

#[test]
fn newer_features_run() {
    let tail = r#"(module (func $count (export "f") (param i32) (result i32)
        (if (result i32) (local.get 0) (then (return_call $count (i32.sub (local.get 0) (i32.const 1)))) (else (i32.const 42)))))"#;
    assert_eq!(returned(&run(tail, &call("f", &[3_000_000]))), 42);
    let memories = r#"(module (memory $a 1) (memory $b i64 1) (data (memory $b) (i64.const 8) "\2a")
        (func (export "f") (result i32) (i32.store $a (i32.const 0) (i32.load $b (i64.const 8))) (i32.load $a (i32.const 0))))"#;
    assert_eq!(returned(&run(memories, &Input::default())), 42);
}

#[test]
fn the_entry_is_found_or_asked_for() {
    let find = |text: &str, name: Option<&str>| Entry::find(&program(text), name);
    let start = r#"(module (func (export "f")) (func (export "_start")))"#;
    assert_eq!(find(start, None).expect("_start").export, "_start");
    let only =
        r#"(module (func (export "__wasm_call_ctors")) (func (export "f")) (memory (export "memory") 1))"#;
    assert_eq!(find(only, None).expect("the only one").export, "f");
    let several = r#"(module (func (export "f")) (func (export "g")))"#;
    let message = find(several, None).expect_err("two").to_string();
    assert!(message.contains("`f`, `g`"), "{message}");
    let message = find(several, Some("h")).expect_err("none").to_string();
    assert!(message.contains("no function `h`") && message.contains("`f`, `g`"), "{message}");
    let hidden = r#"(module (func $hidden) (func (export "f")))"#;
    let found = find(hidden, Some("hidden")).expect("any function can be the entry");
    assert_eq!((found.export.as_str(), found.is_exported), ("hidden", false));
    let renamed = r#"(module (func $inside (export "outside")))"#;
    assert_eq!(find(renamed, Some("inside")).expect("by symbol").export, "outside");
}

#[test]
fn wrong_parameters_are_explained() {
    let text = r#"(module (func (export "f") (param i32 f32)))"#;
    let message =
        try_run(&program(text), &call("f", &[1]), &Limits::default()).expect_err("one too few").to_string();
    assert!(message.contains("`f` takes (i32, f32), but was given (i32 1)"), "{message}");
}

#[test]
fn unknown_imports_are_all_named() {
    let text = r#"(module (import "env" "mystery" (func)) (import "env" "table" (table 1 funcref))
        (import "wasi_snapshot_preview1" "sched_yield" (func (result i32)))
        (import "wasi_snapshot_preview1" "no_such_call" (func)) (func (export "f")))"#;
    let message =
        try_run(&program(text), &Input::default(), &Limits::default()).expect_err("unknown").to_string();
    assert!(
        message.contains("`env.mystery`, `env.table`, `wasi_snapshot_preview1.no_such_call`"),
        "{message}"
    );
    let wrong =
        r#"(module (import "wasi_snapshot_preview1" "sched_yield" (func (result i64))) (func (export "f")))"#;
    let error = try_run(&program(wrong), &Input::default(), &Limits::default()).expect_err("wrong type");
    assert!(matches!(error, Error::BadImport(_)), "{error}");
}

#[test]
fn runs_do_not_see_each_other() {
    let text = r#"(module (memory 1) (func (export "f") (result i32)
        (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1))) (i32.load (i32.const 0))))"#;
    let program = program(text);
    let module = coax_execute::PlainModule::new(&program, &Limits::default()).expect("it compiles");
    let runs: Vec<_> = std::thread::scope(|scope| {
        let run = || module.run_with_coverage(&Input::default(), &Limits::default()).expect("it runs");
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for run in runs {
        assert_eq!(returned(&run), 1);
        assert_eq!(run.bounds.hits(Bound::Memory), 0);
    }
}

#[test]
fn constructors_run_before_a_function_of_a_command() {
    // Each says how often constructors ran.
    let text = r#"(module (global $ran (mut i32) (i32.const 0))
        (func $ctors (export "__wasm_call_ctors") (global.set $ran (i32.add (global.get $ran) (i32.const 1))))
        (func (export "_start") call $ctors (if (i32.ne (global.get $ran) (i32.const 1)) (then unreachable)))
        MORE (func (export "f") (result i32) (global.get $ran)))"#;
    let of = |more: &str| returned(&run(&text.replace("MORE", more), &call("f", &[])));
    assert_eq!(of(""), 1);
    assert_eq!(of(r#"(func (export "_initialize") call $ctors call $ctors)"#), 2, "a library does it itself");
    assert_eq!(of("(start $ctors)"), 1, "they ran already");
    let whole = run(&text.replace("MORE", ""), &Input::default());
    assert_eq!(whole.outcome.verdict(), Verdict::Returned(vec![]));
}

#[test]
fn main_means_the_whole_command() {
    let text = r#"(module (func $main (param i32 i32) (result i32) i32.const 1) (func (export "_start")))"#;
    assert_eq!(Entry::find(&program(text), Some("main")).expect("a command").export, "_start");
    let library = r#"(module (func (export "f")) (func (export "main")))"#;
    assert_eq!(Entry::find(&program(library), Some("main")).expect("it is exported").export, "main");
}
