//! One program for each limit: none hangs, none takes the machine down, all say what happened.

mod common;

use coax_execute::{Bound, Data, Error, Input, Limits, Outcome, Verdict};
use common::*;
use std::time::Duration;

const FOR_EVER: &str = r#"(module (func $spin (loop br 0)) (func (export "f") call $spin))"#;

#[test]
fn fuel_ends_an_endless_loop() {
    let limits = Limits { fuel: 100_000, ..Limits::default() };
    let run = run_within(FOR_EVER, &Input::default(), &limits);
    let Outcome::OutOfFuel(frames) = &run.outcome else { panic!("{:?}", run.outcome) };
    let functions: Vec<u32> = frames.iter().map(|frame| frame.func.0).collect();
    assert_eq!(functions, [0, 1], "it says where the time went");
    assert_eq!(run.bounds.hits(Bound::Fuel), 1);
    assert_eq!(run.fuel_used, 100_000);
}

#[test]
fn fuel_is_the_same_each_time() {
    let text = r#"(module (func (export "f") (param i32) (loop
        (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))"#;
    let used = |count| run(text, &call("f", &[count])).fuel_used;
    assert_eq!(used(1000), used(1000));
    assert!(used(2000) > used(1000));
}

#[test]
fn calls_of_the_host_cost_fuel() {
    let text = r#"(module (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
        (memory (export "memory") 1) (func (export "_start") (loop (drop (call $yield)) (br 0))))"#;
    let limits = Limits { fuel: 100 * Limits::HOST_CALL_FUEL, ..Limits::default() };
    assert_eq!(run_within(text, &Input::default(), &limits).outcome.verdict(), Verdict::OutOfFuel);
}

#[test]
fn time_ends_what_fuel_does_not() {
    let limits = Limits { fuel: u64::MAX, time: Some(Duration::from_millis(20)), ..Limits::default() };
    let run = run_within_time(FOR_EVER, &limits);
    assert_eq!(run.outcome.verdict(), Verdict::OutOfTime);
    assert_eq!(run.bounds.hits(Bound::Time), 1);
}

/// Runs without comparing fuel, which depends on the machine if time ends the run.
fn run_within_time(text: &str, limits: &Limits) -> coax_execute::Run {
    let program = program(text);
    let module = coax_execute::PlainModule::new(&program, limits).expect("it compiles");
    module.run_with_coverage(&Input::default(), limits).expect("it runs")
}

#[test]
fn one_runs_time_is_not_anothers() {
    // The quick time-outs move the epoch that the long run shares with them.
    let text = r#"(module (func (export "f") (param i32) (result i32) (local i32) (loop
        (br_if 0 (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 1))) (local.get 0)))) (local.get 1)))"#;
    let program = program(text);
    let module = coax_execute::PlainModule::new(&program, &Limits::default()).expect("it compiles");
    let limited =
        |millis| Limits { fuel: u64::MAX, time: Some(Duration::from_millis(millis)), ..Limits::default() };
    std::thread::scope(|scope| {
        let long =
            scope.spawn(|| module.run(&call("f", &[100_000_000]), &limited(600_000)).expect("it runs"));
        for _ in 0..5 {
            let short = module.run(&call("f", &[-1]), &limited(1)).expect("it runs");
            assert_eq!(short.outcome.verdict(), Verdict::OutOfTime);
        }
        assert_eq!(returned(&long.join().expect("no panic")), 100_000_000);
    });
}

const RECURSE: &str = r#"(module (func $f (export "f") (param i32) (result i32)
    (if (result i32) (local.get 0)
        (then (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1)))))
        (else (i32.const 0)))))"#;

#[test]
fn the_stack_ends_endless_recursion() {
    let run = run(RECURSE, &call("f", &[-1]));
    let Outcome::StackExhausted(frames) = &run.outcome else { panic!("{:?}", run.outcome) };
    assert!(frames.len() >= 10 && frames.iter().all(|frame| frame.func.0 == 0));
    assert_eq!(run.bounds.hits(Bound::Stack), 1);
}

#[test]
fn more_stack_allows_deeper_recursion() {
    let depth = 100_000;
    let small = Limits { stack_bytes: 1 << 20, ..Limits::default() };
    let program = program(RECURSE);
    let module = coax_execute::PlainModule::new(&program, &small).expect("it compiles");
    let run = |limits| module.run_with_coverage(&call("f", &[depth]), limits).expect("it runs");
    assert_eq!(run(&small).outcome.verdict(), Verdict::StackExhausted);
    assert_eq!(returned(&run(&Limits { stack_bytes: 64 << 20, ..Limits::default() })), depth);
}

#[test]
fn coverage_survives_a_nearly_full_stack() {
    // Wherever the plain run just fits, the counting run, whose frames are larger, must fit too.
    let limits = Limits { stack_bytes: 1 << 20, ..Limits::default() };
    let program = program(RECURSE);
    let module = coax_execute::PlainModule::new(&program, &limits).expect("it compiles");
    let fits = |depth: i32| {
        let run = module.run_with_coverage(&call("f", &[depth]), &limits).expect("both runs agree");
        run.outcome.verdict() != Verdict::StackExhausted
    };
    let (mut low, mut high) = (0, 1 << 20);
    while low + 1 < high {
        let middle = i32::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    assert!(low > 1000, "{low}");
}

#[test]
fn memory_past_the_limit_is_refused() {
    let text = r#"(module (memory 1) (memory 1) (func (export "f") (result i32)
        (drop (memory.grow 1 (i32.const 1)))
        (loop (br_if 0 (i32.ne (memory.grow 0 (i32.const 1)) (i32.const -1)))) (memory.size 0)))"#;
    let limits = Limits { memory_bytes: 10 << 16, ..Limits::default() };
    let run = run_within(text, &Input::default(), &limits);
    assert_eq!(returned(&run), 8, "both memories count: 8 pages and 2");
    assert_eq!(run.bounds.hits(Bound::Memory), 1);
}

#[test]
fn the_programs_own_maximum_is_no_limit_of_ours() {
    let text = r#"(module (memory 1 2) (func (export "f") (result i32) (memory.grow (i32.const 2))))"#;
    let run = run(text, &Input::default());
    assert_eq!(returned(&run), -1);
    assert!(run.bounds.is_empty());
}

#[test]
fn tables_past_the_limit_are_refused() {
    let text = r#"(module (table 1 funcref) (func (export "f") (result i32) (table.grow (ref.null func) (i32.const 1000))))"#;
    let limits = Limits { table_elements: 1000, ..Limits::default() };
    let run = run_within(text, &Input::default(), &limits);
    assert_eq!(returned(&run), -1);
    assert_eq!(run.bounds.hits(Bound::Table), 1);
}

#[test]
fn a_program_that_starts_too_large_is_an_error() {
    for (text, what) in [
        (
            r#"(module (memory 100) (func (export "f")))"#,
            "starts with 6553600 bytes of memory, the limit is 65536",
        ),
        (
            r#"(module (table 101 funcref) (func (export "f")))"#,
            "starts with 101 table elements, the limit is 100",
        ),
    ] {
        let limits = Limits { memory_bytes: 1 << 16, table_elements: 100, ..Limits::default() };
        let error = try_run(&program(text), &Input::default(), &limits).expect_err(text);
        assert!(matches!(error, Error::TooSmall { .. }) && error.to_string().contains(what), "{error}");
    }
}

/// Writes 1000 bytes to standard output `n` times; returns the last error number.
const WRITER: &str = r#"(module
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1) (data (i32.const 0) "\10\00\00\00\e8\03\00\00")
    (func (export "f") (param $n i32) (result i32) (local $errno i32) (loop
        (local.set $errno (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
        (br_if 0 (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
        (local.get $errno)))"#;

#[test]
fn output_past_the_limit_is_dropped_unnoticed() {
    let limits = Limits { captured_bytes: 2500, ..Limits::default() };
    let run = run_within(WRITER, &call("f", &[5]), &limits);
    assert_eq!((returned(&run), run.stdout.len()), (0, 2500));
    assert_eq!(run.bounds.hits(Bound::Captured), 1);
}

#[test]
fn writing_past_the_limit_fails() {
    const NO_SPACE: i32 = 51;
    let limits = Limits { written_bytes: 2500, ..Limits::default() };
    let run = run_within(WRITER, &call("f", &[5]), &limits);
    assert_eq!((returned(&run), run.stdout.len()), (NO_SPACE, 2000));
    assert_eq!(run.bounds.hits(Bound::Written), 3);
}

#[test]
fn what_is_in_files_has_a_limit_of_its_own() {
    const NO_SPACE: i32 = 51;
    let text = r#"(module
        (import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 1) (data (i32.const 0) "\10\00\00\00\e8\03\00\00") (data (i32.const 16) "abc")
        (func (export "f") (param $fd i32) (result i32) (local $errno i32)
            (if (local.get $fd) (then (drop (call $open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 3) (i32.const 1)
                (i64.const 64) (i64.const 0) (i32.const 0) (i32.const 12))) (local.set $fd (i32.load (i32.const 12)))))
            (if (i32.eqz (local.get $fd)) (then (local.set $fd (i32.const 1))))
            (drop (call $write (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 8)))
            (drop (call $write (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 8)))
            (call $write (local.get $fd) (i32.const 0) (i32.const 1) (i32.const 8))))"#;
    // A directory's entry takes 4096 bytes.
    let limits = Limits { file_bytes: 4096 + 2500, ..Limits::default() };
    let to = |file: i32| run_within(text, &call("f", &[file]), &limits);
    assert_eq!(returned(&to(1)), NO_SPACE);
    assert_eq!(to(1).bounds.hits(Bound::Written), 1);
    assert_eq!((returned(&to(0)), to(0).stdout.len()), (0, 3000));
}

#[test]
fn large_input_is_no_problem() {
    let text = r#"(module
        (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 2) (data (i32.const 0) "\10\00\00\00\00\80\00\00")
        (func (export "f") (result i32) (local $sum i32) (loop
            (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
            (local.set $sum (i32.add (local.get $sum) (i32.load (i32.const 8))))
            (br_if 0 (i32.load (i32.const 8))))
            (local.get $sum)))"#;
    let input = Input { stdin: Data(vec![b'x'; 10_000_000]), ..Input::default() };
    assert_eq!(returned(&run(text, &input)), 10_000_000);
}
