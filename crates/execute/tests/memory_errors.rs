//! Memory errors of hand-written modules, where every address is known: each error is found, with its kind and its words, and what is allowed
//! is not called an error.

mod common;

use coax_execute::{Limits, MemoryChecks, Outcome, PlainModule, Run, TrapKind, Verdict};
use common::*;

/// An allocator that hands out memory from 2048 on, in steps of 16 bytes with 16 between, and never reuses it; a stack of 1024 bytes that
/// comes first; then data.
const ALLOCATOR: &str = r#"
    (memory (export "memory") 1)
    (global $__stack_pointer (mut i32) (i32.const 1024))
    (global $next (mut i32) (i32.const 2048))
    (data (i32.const 1024) "data")
    (func $malloc (param $size i32) (result i32)
        (local $block i32)
        (local.set $block (global.get $next))
        (global.set $next (i32.and (i32.add (i32.add (local.get $block) (local.get $size)) (i32.const 31)) (i32.const -16)))
        ;; A header, as allocators have it.
        (i32.store (i32.sub (local.get $block) (i32.const 4)) (local.get $size))
        (local.get $block))
    (func $free (param i32)
        (if (local.get 0) (then (i32.store (local.get 0) (i32.const 0x1bad)))))
    (func $calloc (param i32 i32) (result i32)
        (local i32)
        (local.set 2 (call $malloc (i32.mul (local.get 0) (local.get 1))))
        (memory.fill (local.get 2) (i32.const 0) (i32.mul (local.get 0) (local.get 1)))
        (local.get 2))
    (func $realloc (param i32 i32) (result i32)
        (local i32)
        (local.set 2 (call $malloc (local.get 1)))
        (memory.copy (local.get 2) (local.get 0) (local.get 1))
        (call $free (local.get 0))
        (local.get 2))
    (func $posix_memalign (param i32 i32 i32) (result i32)
        (i32.store (local.get 0) (call $malloc (local.get 2)))
        (i32.const 0))
    (func $malloc_usable_size (param i32) (result i32)
        (i32.load (i32.sub (local.get 0) (i32.const 4)))
        (i32.add (i32.const 8)))
    (func $sbrk (param i32) (result i32)
        (local i32)
        (local.set 1 (global.get $next))
        (global.set $next (i32.add (global.get $next) (i32.const 1024)))
        (local.get 1))
"#;

fn checked(body: &str, param: i32, checks: MemoryChecks) -> Run {
    let text = format!(
        "(module {ALLOCATOR} (func $f (export \"f\") (param $x i32) (result i32) (local $p i32) {body}))"
    );
    let program = program(&text);
    let limits = Limits::default();
    let module = PlainModule::new(&program, &limits).expect("it compiles").with_checks(checks);
    module.run(&call("f", &[param]), &limits).expect("it runs")
}

/// The error of a function with a parameter `$x` and a local `$p`.
fn error_of(body: &str, param: i32) -> Option<(TrapKind, String)> {
    match checked(body, param, MemoryChecks::default()).outcome {
        Outcome::Trapped(trap) => Some((trap.kind, trap.reason.unwrap_or_default())),
        Outcome::Returned(_) => None,
        other => panic!("it should have returned or met an error, not {other:?}"),
    }
}

fn error(kind: TrapKind, text: &str) -> Option<(TrapKind, String)> {
    Some((kind, text.to_owned()))
}

#[test]
fn an_access_is_inside_or_outside_of_its_block() {
    let load = "(i32.load (i32.add (call $malloc (i32.const 13)) (local.get $x)))";
    for inside in [0, 1, 4, 8, 9] {
        assert_eq!(error_of(load, inside), None, "{inside}");
    }
    use TrapKind::HeapBufferOverflow as Overflow;
    // It begins inside, and its last bytes are outside.
    assert_eq!(error_of(load, 10), error(Overflow, "4 bytes read, just behind a block of 13 bytes"));
    assert_eq!(error_of(load, 13), error(Overflow, "4 bytes read, just behind a block of 13 bytes"));
    assert_eq!(
        error_of(load, 15),
        error(Overflow, "4 bytes read, 2 bytes behind the end of a block of 13 bytes")
    );
    assert_eq!(
        error_of(load, 40_000),
        error(Overflow, "4 bytes read, 39987 bytes behind the end of a block of 13 bytes")
    );
    assert_eq!(error_of(load, -1), error(Overflow, "4 bytes read, 1 byte before a block of 13 bytes"));
    assert_eq!(error_of(load, -4), error(Overflow, "4 bytes read, 4 bytes before a block of 13 bytes"));
    // Below the heap there is what the program has besides.
    assert_eq!(error_of(load, -100), None);
}

#[test]
fn every_width_is_checked() {
    for (access, bytes) in [
        ("(drop (i32.load8_u (local.get $p)))", 1),
        ("(drop (i64.load16_s (local.get $p)))", 2),
        ("(drop (f32.load (local.get $p)))", 4),
        ("(drop (f64.load (local.get $p)))", 8),
        ("(drop (v128.load (local.get $p)))", 16),
        ("(drop (v128.load32_lane 1 (local.get $p) (v128.const i32x4 0 0 0 0)))", 4),
        ("(i32.store8 (local.get $p) (i32.const 1))", 1),
        ("(i64.store32 (local.get $p) (i64.const 1))", 4),
        ("(f32.store (local.get $p) (f32.const 1))", 4),
        ("(f64.store (local.get $p) (f64.const 1))", 8),
        ("(v128.store (local.get $p) (v128.const i32x4 0 0 0 0))", 16),
        ("(v128.store64_lane 1 (local.get $p) (v128.const i32x4 0 0 0 0))", 8),
    ] {
        let body = format!(
            "(local.set $p (i32.add (call $malloc (i32.const 32)) (local.get $x))) {access} (i32.const 0)"
        );
        for start in 0..=32 {
            let is_outside = start + bytes > 32;
            assert_eq!(error_of(&body, start).is_some(), is_outside, "{access} at {start}");
        }
    }
}

#[test]
fn ranges_are_checked() {
    for operator in [
        "(memory.fill (local.get $p) (i32.const 1) (local.get $x))",
        "(memory.copy (local.get $p) (i32.const 1024) (local.get $x))",
        "(memory.copy (i32.const 60000) (local.get $p) (local.get $x))",
    ] {
        let body = format!(
            "(drop (call $sbrk (i32.const 0))) (local.set $p (call $malloc (i32.const 100))) {operator} (i32.const 0)"
        );
        // What is copied to the end of the memory is on the heap: that is the error of the last one.
        let goes_far = operator.contains("60000");
        for length in [0, 1, 8, 50, 56, 57, 99, 100, 101, 200] {
            let is_outside = length > 100 || (goes_far && length > 0);
            assert_eq!(error_of(&body, length).is_some(), is_outside, "{operator} of {length}");
        }
    }
}

#[test]
fn freed_blocks_are_not_accessed_or_freed_again() {
    let body = |after: &str| {
        format!(
            "(local.set $p (call $malloc (i32.const 16))) (call $free (local.get $p)) {after} (i32.const 0)"
        )
    };
    assert_eq!(error_of(&body(""), 0), None);
    assert_eq!(
        error_of(&body("(drop (i32.load offset=8 (local.get $p)))"), 0),
        error(TrapKind::UseAfterFree, "4 bytes read, 8 bytes behind the start of a freed block of 16 bytes")
    );
    assert_eq!(
        error_of(&body("(call $free (local.get $p))"), 0),
        error(TrapKind::DoubleFree, "a block of 16 bytes is freed again")
    );
    assert_eq!(
        error_of(&body("(drop (call $realloc (local.get $p) (i32.const 20)))"), 0),
        error(TrapKind::DoubleFree, "a block of 16 bytes is freed again")
    );
    assert_eq!(
        error_of(&body("(call $free (i32.add (local.get $p) (i32.const 4)))"), 0),
        error(
            TrapKind::InvalidFree,
            "a pointer 4 bytes behind the start of a freed block of 16 bytes is freed"
        )
    );
    assert_eq!(error_of(&body("(call $free (i32.const 0))"), 0), None);
    assert_eq!(
        error_of(&body("(call $free (i32.const 1024))"), 0),
        error(TrapKind::InvalidFree, "address 0x400, which is not on the heap, is freed")
    );
}

#[test]
fn all_functions_of_an_allocator_are_known() {
    for (block, size) in [
        ("(call $malloc (i32.const 24))", 24),
        ("(call $calloc (i32.const 4) (i32.const 6))", 24),
        ("(call $realloc (call $malloc (i32.const 24)) (i32.const 20))", 20),
        (
            "(if (result i32) (call $posix_memalign (i32.const 1028) (i32.const 16) (i32.const 24)) (then (i32.const 0)) (else (i32.load (i32.const 1028))))",
            24,
        ),
    ] {
        let body = format!("(i32.load8_u (i32.add {block} (local.get $x)))");
        assert_eq!(error_of(&body, size - 1), None, "{block}");
        let (kind, _) = error_of(&body, size).expect(block);
        assert_eq!(kind, TrapKind::HeapBufferOverflow, "{block}");
    }
    let usable =
        "(local.set $p (call $malloc (i32.const 24))) (drop (call $malloc_usable_size (local.get $p)))
        (i32.load8_u (i32.add (local.get $p) (local.get $x)))";
    assert_eq!(error_of(usable, 31), None);
    assert!(error_of(usable, 32).is_some());
}

#[test]
fn what_the_program_takes_itself_is_its_own() {
    let sbrk = "(drop (call $malloc (i32.const 8))) (i32.load (i32.add (call $sbrk (i32.const 100)) (local.get $x)))";
    assert_eq!(error_of(sbrk, 0), None);
    assert_eq!(error_of(sbrk, 96), None);
    let grow = "(drop (call $malloc (i32.const 8))) (i32.load (i32.mul (memory.grow (local.get $x)) (i32.const 65536)))";
    assert_eq!(error_of(grow, 1), None);
}

#[test]
fn null_is_below_the_first_address_and_outside_of_the_live_stack() {
    let at = |stack_pointer: i32| {
        format!("(global.set $__stack_pointer (i32.const {stack_pointer})) (i32.load (local.get $x))")
    };
    use TrapKind::NullDereference as Null;
    assert_eq!(error_of(&at(1024), 0), error(Null, "4 bytes read at address 0"));
    assert_eq!(error_of(&at(1024), 60), error(Null, "4 bytes read at address 60"));
    // Functions that call no others use 128 bytes below the stack pointer.
    assert_eq!(error_of(&at(1024), 895), error(Null, "4 bytes read at address 895"));
    assert_eq!(error_of(&at(1024), 896), None);
    assert_eq!(error_of(&at(64), 0), None);
    assert_eq!(error_of(&at(1024), 1024), None);
}

#[test]
fn a_stack_pointer_below_the_stack_is_an_overflow() {
    let body =
        "(global.set $__stack_pointer (i32.sub (global.get $__stack_pointer) (local.get $x))) (i32.const 0)";
    assert_eq!(error_of(body, 1024), None);
    assert_eq!(error_of(body, 1040), error(TrapKind::StackOverflow, "16 bytes below its end"));
    // A stack elsewhere, as of a coroutine, is none of our business.
    assert_eq!(error_of(body, -5000), None);
}

#[test]
fn a_leak_is_a_block_that_nothing_points_to() {
    let leaks = |body: &str| {
        let run = checked(body, 0, MemoryChecks { leaks: true, ..MemoryChecks::default() });
        matches!(run.outcome.verdict(), Verdict::Trapped(TrapKind::Leak))
    };
    assert!(leaks("(drop (call $malloc (i32.const 8))) (i32.const 0)"));
    assert!(!leaks("(call $malloc (i32.const 8))"));
    assert!(!leaks("(call $free (call $malloc (i32.const 8))) (i32.const 0)"));
    // A variable points to a block that points to another.
    let list = "(local.set $p (call $malloc (i32.const 8))) (i32.store (i32.const 1028) (local.get $p))
        (i32.store offset=4 (local.get $p) (call $malloc (i32.const 8))) (i32.const 0)";
    assert!(!leaks(list));
    assert!(leaks(&format!("{list} (i32.store (i32.const 1028) (i32.const 0))")));
}

#[test]
fn an_allocator_that_is_not_understood_is_not_judged() {
    // It gives the same block again and again.
    let text = r#"(module (memory 1)
        (func $malloc (param i32) (result i32) (i32.const 4096))
        (func $free (param i32))
        (func (export "f") (param i32) (result i32)
            (drop (call $malloc (i32.const 8))) (drop (call $malloc (i32.const 8)))
            (i32.load (i32.const 5000))))"#;
    let program = program(text);
    let limits = Limits::default();
    let module =
        PlainModule::new(&program, &limits).expect("it compiles").with_checks(MemoryChecks::default());
    let run = module.run(&call("f", &[0]), &limits).expect("it runs");
    assert_eq!(returned(&run), 0);
}

#[test]
fn an_allocator_with_other_names_can_be_named() {
    let text = r#"(module (memory 1)
        (func $give (param i32) (result i32) (i32.const 4096))
        (func (export "f") (param i32) (result i32) (i32.load8_u (i32.add (call $give (i32.const 8)) (local.get 0)))))"#;
    let program = program(text);
    let limits = Limits::default();
    let run = |names: &[(&str, &str)], param: i32| {
        let allocator = names.iter().map(|(name, own)| (name.to_string(), own.to_string())).collect();
        let checks = MemoryChecks { allocator, leaks: false };
        let module = PlainModule::new(&program, &limits).expect("it compiles").with_checks(checks);
        module.run(&call("f", &[param]), &limits)
    };
    assert_eq!(returned(&run(&[], 8).expect("it runs")), 0);
    let named = &[("malloc", "give")];
    assert_eq!(returned(&run(named, 7).expect("it runs")), 0);
    assert_eq!(trap_kind(&run(named, 8).expect("it runs")), TrapKind::HeapBufferOverflow);
    for (wrong, part) in [
        (("malloc", "nothing"), "no function"),
        (("free", "give"), "other parameters"),
        (("mallok", "give"), "no function of an allocator"),
    ] {
        let error = run(&[wrong], 0).expect_err("it does not fit").to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn the_plain_run_is_as_it_was() {
    let run = checked(
        "(i32.store (i32.add (call $malloc (i32.const 8)) (local.get $x)) (i32.const 5)) (i32.const 7)",
        8,
        MemoryChecks::default(),
    );
    assert_eq!(trap_kind(&run), TrapKind::HeapBufferOverflow);
    assert_eq!(run.plain.to_string(), "returned i32 7");
    let backtrace = run.outcome.backtrace();
    assert_eq!(backtrace.len(), 1, "{backtrace:?}");
}

/// A loop, a switch and a select, some of which come after an access behind a block if the parameter is 9.
const BEFORE_AND_AFTER: &str = r#"
    (local.set $p (call $malloc (i32.const 9)))
    (block $out (loop $again
        (br_if $out (i32.eqz (local.get $x)))
        (block $b (block $a (br_table $a $b (i32.and (local.get $x) (i32.const 1)))) (nop))
        (i32.store8 (i32.add (local.get $p) (local.get $x)) (i32.const 1))
        (local.set $x (i32.sub (local.get $x) (i32.const 1)))
        (br $again)))
    (call $free (local.get $p))
    (select (i32.const 5) (i32.const 6) (local.get $x))"#;

#[test]
fn what_is_covered_ends_at_the_error() {
    let text = format!(
        "(module {ALLOCATOR} (func $f (export \"f\") (param $x i32) (result i32) (local $p i32) {BEFORE_AND_AFTER}))"
    );
    let program = program(&text);
    let limits = Limits::default();
    let module = |checks: Option<MemoryChecks>| {
        let module = PlainModule::new(&program, &limits).expect("it compiles");
        checks.into_iter().fold(module, PlainModule::with_checks)
    };
    let (plain, checked) = (module(None), module(Some(MemoryChecks::default())));
    let run = |module: &PlainModule<'_>, param| {
        module.run_with_coverage(&call("f", &[param]), &limits).expect("it runs")
    };
    for param in 0..9 {
        let (plain, checked) = (run(&plain, param), run(&checked, param));
        assert_eq!(plain.counts, checked.counts, "without an error both modules count the same: {param}");
        assert_eq!(plain.coverage, checked.coverage);
        assert_eq!(checked.regardless, None);
    }
    let (plain, checked) = (run(&plain, 9), run(&checked, 9));
    assert_eq!(checked.outcome.verdict(), Verdict::Trapped(TrapKind::HeapBufferOverflow));
    assert_eq!(checked.regardless, plain.coverage, "the plain module goes on");
    let covered = |run: &Run| run.coverage.as_ref().map(|it| it.counts(&program, |_| true).branches.covered);
    // Once round the loop: neither its end nor the other case of the switch, nor what `free` decides.
    assert_eq!((covered(&plain), covered(&checked)), (Some(5), Some(2)));
}

#[test]
fn what_was_there_before_is_no_leak() {
    let leaks = MemoryChecks { leaks: true, ..MemoryChecks::default() };
    let text = format!(
        "(module {ALLOCATOR}
            (func (export \"_initialize\") (drop (call $malloc (i32.const 5))))
            (func $f (export \"f\") (param $x i32) (if (local.get $x) (then (drop (call $malloc (i32.const 6)))))))"
    );
    let program = program(&text);
    let limits = Limits::default();
    let module = PlainModule::new(&program, &limits).expect("it compiles").with_checks(leaks);
    let verdict = |param| module.run(&call("f", &[param]), &limits).expect("it runs").outcome.verdict();
    assert_eq!(verdict(0), Verdict::Returned(Vec::new()));
    assert_eq!(verdict(1), Verdict::Trapped(TrapKind::Leak));
}
