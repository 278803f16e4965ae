//! A host that has few addresses to spare: without room for the pool of instances, and even for one memory of full size.
//!
//! The limit is that of a process, so each test runs this file once more, in a process of its own.
#![cfg(unix)]

mod common;

use coax_execute::{Limits, Outcome, SymbolicEngine, Symbols, Value, Variant};
use common::{call, program};
use std::process::Command;

/// Grows its memory, writes what it was given to the end, and decides.
const PROGRAM: &str = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
    (drop (memory.grow (i32.const 100)))
    (i32.store (i32.const 6000000) (local.get 0))
    (if (i32.eq (i32.load (i32.const 6000000)) (i32.const 7)) (then (return (i32.const 1))))
    (i32.load (i32.const -4))))"#;

/// What the tests below do with few addresses.
#[test]
#[ignore = "the other tests run it, in processes with few addresses"]
fn a_program_runs() {
    let program = program(PROGRAM);
    for param in [7, 8] {
        let input = call("f", &[param]);
        let plain = common::try_run(&program, &input, &Limits::default()).expect("it can be run").outcome;
        match param {
            7 => assert_eq!(plain, Outcome::Returned(vec![Value::I32(1)])),
            _ => assert!(matches!(plain, Outcome::Trapped(_)), "{plain:?}"),
        }
        let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
        let module = engine.module(&program, Variant::Light).expect("instrumentable");
        let run = module.run(&input, Symbols::default(), &Limits::default()).expect("it can be run");
        assert_eq!(run.path().events.len(), 1);
        assert_eq!(module.outcome(run), plain);
    }
}

/// Runs the test above in a process that can have so many addresses.
fn run_with(kilobytes: u64) {
    let tests = std::env::current_exe().expect("this test is a file");
    let output = Command::new("sh")
        .args(["-c", &format!(r#"ulimit -v {kilobytes} && exec "$0" --exact a_program_runs --ignored"#)])
        .arg(tests)
        // Fewer threads, fewer stacks.
        .env("RAYON_NUM_THREADS", "2")
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn there_is_no_room_for_the_pool() {
    run_with(24 << 20);
}

#[test]
fn there_is_no_room_for_memories_of_full_size() {
    run_with(2 << 20);
}
