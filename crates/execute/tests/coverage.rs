//! Coverage against directions counted by hand.

mod common;

use coax_execute::{Coverage, Error, Input, Limits, Outcome, PlainModule};
use coax_program::{Program, SiteKind};
use common::*;

/// Runs on each parameter; the directions of each site with a choice, over all runs.
fn directions(text: &str, params: &[i32]) -> Vec<(SiteKind, Vec<bool>)> {
    let program = program(text);
    let coverage = covered(&program, params);
    let sites = program.sites.iter().filter(|(_, data)| data.kind.directions() > 0);
    sites.map(|(site, data)| (data.kind, coverage.directions(site).to_vec())).collect()
}

fn covered(program: &Program, params: &[i32]) -> Coverage {
    let limits = Limits::default();
    let module = PlainModule::new(program, &limits).expect("it compiles");
    let mut coverage = Coverage::new(program);
    for &param in params {
        let run = module.run_with_coverage(&call("f", &[param]), &limits).expect("both runs agree");
        coverage.merge(&run.coverage.expect("asked for"));
    }
    coverage
}

#[test]
fn an_if_and_a_branch() {
    let text = r#"(module (func (export "f") (param i32)
        (if (local.get 0) (then) (else nop))
        (block (br_if 0 (i32.eq (local.get 0) (i32.const 7))))))"#;
    let both = |first: [bool; 2], second: [bool; 2]| {
        vec![(SiteKind::Branch, first.to_vec()), (SiteKind::Branch, second.to_vec())]
    };
    assert_eq!(directions(text, &[0]), both([true, false], [true, false]));
    assert_eq!(directions(text, &[5]), both([false, true], [true, false]));
    assert_eq!(directions(text, &[7]), both([false, true], [false, true]));
    assert_eq!(directions(text, &[0, 7]), both([true, true], [true, true]));
    assert_eq!(directions(text, &[]), both([false, false], [false, false]));
}

#[test]
fn any_condition_but_zero_is_true() {
    let text = r#"(module (func (export "f") (param i32) (if (local.get 0) (then))))"#;
    for condition in [1, -1, 2, i32::MIN, 256] {
        assert_eq!(directions(text, &[condition]), [(SiteKind::Branch, vec![false, true])], "{condition}");
    }
}

#[test]
fn a_table_counts_its_distinct_targets() {
    // Indices 0 and 2 lead to $a, 1 to $b, 3 to $c; any other to $b as well.
    let text = r#"(module (func (export "f") (param i32)
        (block $c (block $b (block $a (br_table $a $b $a $c $b (local.get 0))) return) return)))"#;
    let taken = |param: i32| directions(text, &[param]).remove(0).1;
    for (param, direction) in [(0, 0), (1, 1), (2, 0), (3, 2), (4, 1), (-1, 1), (i32::MIN, 1)] {
        let mut expected = vec![false; 3];
        expected[direction] = true;
        assert_eq!(taken(param), expected, "{param}");
    }
}

#[test]
fn the_default_comes_last_if_no_index_leads_there() {
    let text = r#"(module (func (export "f") (param i32)
        (block $default (block $a (br_table $a $a $default (local.get 0))))))"#;
    assert_eq!(directions(text, &[1]), [(SiteKind::Switch(2), vec![true, false])]);
    assert_eq!(directions(text, &[2]), [(SiteKind::Switch(2), vec![false, true])]);
    let empty = r#"(module (func (export "f") (param i32) (block (br_table 0 (local.get 0)))))"#;
    assert_eq!(directions(empty, &[9]), [(SiteKind::Switch(1), vec![true])]);
}

#[test]
fn selects_are_counted_apart() {
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (select (i32.const 1) (i32.const 2) (local.get 0))
        (drop (select (result funcref) (ref.null func) (ref.null func) (local.get 0)))))"#;
    let program = program(text);
    let counts = covered(&program, &[0]).counts(&program, |_| true);
    assert_eq!((counts.selects.covered, counts.selects.total), (2, 4));
    assert_eq!((counts.branches.covered, counts.branches.total), (0, 0));
    assert_eq!(directions(text, &[3]), vec![(SiteKind::Select, vec![false, true]); 2]);
}

#[test]
fn dead_code_has_no_directions() {
    let text = r#"(module (func (export "f") (param i32)
        (if (local.get 0) (then)) return (if (local.get 0) (then)) (drop (select (i32.const 1) (i32.const 2) (local.get 0)))))"#;
    assert_eq!(directions(text, &[1]), [(SiteKind::Branch, vec![false, true])]);
}

#[test]
fn functions_are_counted_when_entered() {
    let text = r#"(module (import "wasi_snapshot_preview1" "sched_yield" (func (result i32)))
        (func $called) (func $not_called)
        (func (export "f") (param i32) (if (local.get 0) (then (call $called)))))"#;
    let program = program(text);
    let entered = |param| {
        let coverage = covered(&program, &[param]);
        program.functions.ids().map(|func| coverage.entered(func)).collect::<Vec<_>>()
    };
    assert_eq!(entered(0), [false, false, false, true]);
    assert_eq!(entered(1), [false, true, false, true]);
    let counts = covered(&program, &[1]).counts(&program, |_| true);
    assert_eq!((counts.functions.covered, counts.functions.total), (2, 3), "imports have no code");
}

#[test]
fn what_happened_before_a_trap_counts() {
    let text = r#"(module (func (export "f") (param i32)
        (if (local.get 0) (then (if (i32.eqz (local.get 0)) (then)) (drop (i32.div_u (i32.const 1) (i32.const 0)))
            (if (local.get 0) (then))))))"#;
    let run = run(text, &call("f", &[1]));
    assert!(matches!(run.outcome, Outcome::Trapped(_)));
    let taken: Vec<_> = directions(text, &[1]).into_iter().map(|(_, taken)| taken).collect();
    assert_eq!(taken, [[false, true], [true, false], [false, false]]);
}

#[test]
fn the_programs_own_memories_stay_as_they_are() {
    // Memory 0 is imported by no one, 1 is 64-bit; sizes, segments, copies and exports must still mean the same.
    let text = r#"(module (memory $a (export "memory") 1 3) (memory $b i64 2) (data $d (memory $b) (i64.const 5) "\2a")
        (data $passive "\07")
        (func (export "f") (param i32) (result i32)
            (memory.copy $a $b (i32.const 9) (i64.const 5) (i32.const 1))
            (memory.init $a $passive (i32.const 10) (i32.const 0) (i32.const 1))
            (memory.fill $b (i64.const 0) (local.get 0) (i64.const 1))
            (if (local.get 0) (then (drop (memory.grow $a (i32.const 1)))))
            (i32.add (i32.add (i32.load8_u $a (i32.const 9)) (i32.mul (i32.const 1000) (memory.size $a)))
                     (i32.add (i32.load8_u $b (i64.const 0)) (i32.wrap_i64 (memory.size $b))))))"#;
    assert_eq!(returned(&run(text, &call("f", &[100]))), 42 + 2000 + 100 + 2);
}

#[test]
fn modules_with_hardly_anything_in_them_count_too() {
    let text = r#"(module (func (export "f")))"#;
    let run = run(text, &Input::default());
    let counts = run.coverage.expect("asked for").counts(&program(text), |_| true);
    assert_eq!((counts.functions.covered, counts.functions.total), (1, 1));
}

#[test]
fn scope_selects_functions() {
    let text = r#"(module (func $g (param i32) (if (local.get 0) (then)))
        (func (export "f") (param i32) (if (local.get 0) (then)) (call $g (local.get 0))))"#;
    let program = program(text);
    let coverage = covered(&program, &[1]);
    assert_eq!(coverage.counts(&program, |_| true).branches.total, 4);
    let only_g = coverage.counts(&program, |func| func.0 == 0);
    assert_eq!((only_g.branches.covered, only_g.branches.total, only_g.functions.total), (1, 2, 1));
}

#[test]
fn merging_says_what_is_new() {
    let text = r#"(module (func (export "f") (param i32) (if (local.get 0) (then))))"#;
    let program = program(text);
    let (zero, one) = (covered(&program, &[0]), covered(&program, &[1]));
    let mut all = Coverage::new(&program);
    assert!(all.merge(&zero));
    assert!(!all.merge(&zero));
    assert!(all.merge(&one));
    assert_eq!(all, covered(&program, &[0, 1]));
}

/// Which of the calls that may end a run without a trace returned, in the order of the code.
#[test]
fn calls_that_may_exit_or_throw_say_that_they_returned() {
    let text = r#"(module
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
        (memory (export "memory") 1) (tag $tag)
        (func $leave (param i32) (if (i32.gt_s (local.get 0) (i32.const 5)) (then (call $exit (i32.const 0)))))
        (func $throw (param i32) (if (i32.gt_s (local.get 0) (i32.const 3)) (then (throw $tag))))
        (func (export "f") (param i32)
            (drop (call $yield))
            (call $leave (local.get 0))
            (block $caught (try_table (catch $tag $caught) (call $throw (local.get 0))))))"#;
    let program = program(text);
    assert_eq!(program.ends().sites().count(), 3);
    let returned = |param: i32| {
        let coverage = covered(&program, &[param]);
        program.ends().sites().map(|call| coverage.returned(call)).collect::<Vec<_>>()
    };
    // The call of `exit` itself, that of `leave`, and that of `throw`.
    assert_eq!(returned(1), [false, true, true]);
    assert_eq!(returned(4), [false, true, false]);
    assert_eq!(returned(6), [false, false, false]);
}

#[test]
fn what_has_no_room_for_counting_is_named() {
    let locals = format!(r#"(module (func $crowded (export "f") (local {})))"#, "i32 ".repeat(50_000));
    let memories = format!(r#"(module {} (func (export "f")))"#, "(memory 0)".repeat(100));
    for (text, part) in [
        (&locals, "function `crowded` has 50000 local variables"),
        (&memories, "the module has 100 memories"),
    ] {
        let program = program(text);
        let limits = Limits::default();
        let module = PlainModule::new(&program, &limits).expect("it compiles");
        let input = Input::default();
        assert!(module.run(&input, &limits).is_ok(), "without coverage it runs");
        let error = module.run_with_coverage(&input, &limits).expect_err(part);
        assert!(matches!(error, Error::NoCoverage(_)) && error.to_string().contains(part), "{error}");
    }
}
