//! Trials, whose instance is made new again after each, against runs that have a new one each.

mod common;

use coax_execute::{Data, InShort, Input, Limits, PlainModule, with_stack};
use common::*;

/// Tries all inputs in several orders: each must do what it does alone, whatever ran before.
fn judge(text: &str, inputs: &[Input]) -> Vec<InShort> {
    let program = program(text);
    let limits = Limits { fuel: 100_000_000, stack_bytes: 1 << 20, ..Limits::default() };
    let module = PlainModule::new(&program, &limits).expect("it compiles");
    let alone: Vec<_> = inputs
        .iter()
        .map(|input| {
            let run = module.run_with_coverage(input, &limits).expect("it runs");
            let mut trials = module.trials(input).expect("there is such an entry");
            let trial = trials.run(input, &limits).expect("it runs");
            assert_eq!(trials.counts(), run.counts, "{input:?}");
            (trial, run.counts)
        })
        .collect();
    let mut trials = module.trials(&inputs[0]).expect("there is such an entry");
    let orders: [&dyn Fn(usize) -> usize; 3] = [&|i| i, &|i| inputs.len() - 1 - i, &|i| i * 7 % inputs.len()];
    for order in orders {
        for number in (0..inputs.len()).map(order) {
            let trial = trials.run(&inputs[number], &limits).expect("it runs");
            assert_eq!((trial, trials.counts()), (alone[number].0.clone(), &alone[number].1[..]), "{number}");
        }
    }
    alone.into_iter().map(|(trial, _)| trial.ending).collect()
}

fn numbers(params: impl IntoIterator<Item = i32>) -> Vec<Input> {
    params.into_iter().map(|param| call("f", &[param])).collect()
}

/// Everything that a program can change, each with its own parameter: then all of memory is looked at, so that what another run has left
/// takes other branches.
const CHANGES_ALL: &str = r#"(module
    (memory 2)
    (data (i32.const 4090) "as it was")
    (global $number (mut i64) (i64.const 5))
    (global $float (mut f64) (f64.const 0.5))
    (func (export "f") (param $what i32) (local $i i32) (local $sum i32)
        (block $done
            (block $8 (block $7 (block $6 (block $5 (block $4 (block $3 (block $2 (block $1
                (br_table $1 $2 $3 $4 $5 $6 $7 $8 (local.get $what)))
                (i64.store (i32.const 4092) (i64.const -1)) (br $done)) ;; from one part into the next
                (i32.store8 offset=70000 (i32.const 1) (i32.const 9)) (br $done))
                (memory.fill (i32.const 8000) (i32.const 7) (i32.const 60000)) (br $done))
                (memory.copy (i32.const 100000) (i32.const 4090) (i32.const 9)) (br $done))
                (global.set $number (i64.const 77)) (global.set $float (f64.const 1e9)) (br $done))
                (drop (memory.grow (i32.const 3))) (i32.store (i32.const 200000) (i32.const 1)) (br $done))
                (v128.store (i32.const 12280) (v128.const i64x2 3 4)) (unreachable))
            (drop (memory.grow (i32.const 1000))) (i32.store (i32.const 9000000) (i32.const 1)))
        (loop $all
            (local.set $sum (i32.add (local.get $sum) (i32.load8_u (local.get $i))))
            (br_if $all (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                (i32.mul (i32.const 131072) (i32.const 1)))))
        (if (i32.eq (local.get $sum) (i32.const 828)) (then) (else nop))
        (if (i64.eq (global.get $number) (i64.const 5)) (then))
        (if (f64.eq (global.get $float) (f64.const 0.5)) (then))
        (if (i32.eq (memory.size) (i32.const 2)) (then))))"#;

#[test]
fn what_a_run_leaves_behind_does_not_matter() {
    let endings = judge(CHANGES_ALL, &numbers(0..9));
    let finished = endings.iter().filter(|ending| **ending == InShort::Finished).count();
    assert_eq!(finished, endings.len() - 1, "one of them traps: {endings:?}");
}

#[test]
fn what_the_host_writes_is_taken_back() {
    let text = r#"(module
        (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 1)
        (func (export "f") (param i32)
            (i32.store (i32.const 0) (i32.const 20000)) (i32.store (i32.const 4) (i32.const 9000))
            (if (local.get 0) (then (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 40000)))))
            (if (i32.eqz (i32.load8_u (i32.const 20000))) (then))
            (if (i32.eqz (i32.load8_u (i32.const 28999))) (then))
            (if (i32.eqz (i32.load (i32.const 40000))) (then))))"#;
    let with = |param: i32, stdin: &[u8]| Input { stdin: Data(stdin.to_vec()), ..call("f", &[param]) };
    judge(text, &[with(1, &[b'a'; 9000]), with(0, b""), with(1, b"b"), with(0, b"")]);
}

#[test]
fn memory_grows_as_it_does_in_a_new_instance() {
    // More than is there already, and more than there may be.
    let text = r#"(module (memory 1 300)
        (func (export "f") (param $pages i32) (local $before i32)
            (local.set $before (memory.grow (local.get $pages)))
            (if (i32.eq (local.get $before) (i32.const -1)) (then (return)))
            (if (i32.eq (local.get $before) (i32.const 1)) (then))
            (if (i32.eq (memory.size) (i32.add (local.get $pages) (i32.const 1))) (then) (else (unreachable)))
            (i32.store8 (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 1)) (i32.const 1))
            (if (i32.ne (memory.grow (i32.const 2)) (i32.const -1)) (then
                (if (i32.load8_u (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 1))) (then (unreachable)))))))"#;
    let endings = judge(text, &numbers([0, 1, 5, 127, 128, 129, 200, 297, 298, 299, 300, -1, 3]));
    assert!(endings.iter().all(|ending| *ending == InShort::Finished), "{endings:?}");
}

#[test]
fn where_tables_change_every_trial_has_a_new_instance() {
    let text = r#"(module (table 2 funcref) (elem (i32.const 0) $no $yes) (elem declare func $yes) (type $t (func (result i32)))
        (func $no (result i32) (i32.const 0)) (func $yes (result i32) (i32.const 1))
        (func (export "f") (param i32)
            (if (local.get 0) (then (table.set (i32.const 0) (ref.func $yes))))
            (if (call_indirect (type $t) (i32.const 0)) (then))))"#;
    judge(text, &numbers([1, 0, 1, 0]));
}

#[test]
fn runs_on_a_large_stack_are_the_same() {
    let text = r#"(module (func $f (export "f") (param i32) (result i32)
        (if (result i32) (local.get 0)
            (then (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1)))))
            (else (i32.const 0)))))"#;
    let program = program(text);
    let limits = Limits { stack_bytes: 1 << 20, ..Limits::default() };
    let module = PlainModule::new(&program, &limits).expect("it compiles");
    let run = |depth: i32| module.run_with_coverage(&call("f", &[depth]), &limits).expect("it runs").outcome;
    let elsewhere = [0, 1_000, 1_000_000].map(run);
    let stack = 16 << 20;
    let here = std::thread::scope(|scope| {
        let work = || with_stack(stack, || [0, 1_000, 1_000_000].map(run));
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
        thread.expect("a thread can be started").join().expect("it does not panic")
    });
    assert_eq!(here.map(|outcome| outcome.verdict()), elsewhere.map(|outcome| outcome.verdict()));
}
