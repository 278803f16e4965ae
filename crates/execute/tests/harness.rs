//! What programs ask for by the functions of test harnesses: all engines give the same, and it is recorded, named and replayable.

mod common;

use coax_execute::{
    Answer, Argument, Asked, Bound, Content, Data, Input, IoFault, Limits, NumberKind, Outcome, Path,
    PlainModule, Request, Room, SymbolicModule, Symbols, TrapKind, Value, Variant, Verdict, reference,
    reference_run,
};
use coax_term::Terms;
use common::program;
use std::sync::Arc;

const STEPS: u64 = 100_000;

/// What happened, in all engines.
struct Ran {
    outcome: Outcome,
    asked: Asked,
    /// The events, as text.
    path: String,
}

/// Runs a program in all engines, which must agree; then once more on what it asked for.
fn run(text: &str, input: &Input) -> Ran {
    run_with(text, input, Symbols::default())
}

/// The same with these symbols.
fn run_with(text: &str, input: &Input, symbols: Symbols) -> Ran {
    let program = Arc::new(program(text));
    let limits = Limits::default();
    let plain_module = PlainModule::new(&program, &limits).expect("a module");
    let plain = plain_module.run(input, &limits).expect("runs");
    let covered = plain_module.run_with_coverage(input, &limits).expect("runs");
    assert_eq!(covered.asked, plain.asked);
    let write = |path: &Path, terms: &Terms| path.write(terms);
    let reference = reference_run(&program, input, symbols, &limits, STEPS).expect("interpreted");
    let path = write(reference.path(), reference.terms());
    assert_eq!(reference.asked, plain.asked);
    for variant in [Variant::Light, Variant::Calls, Variant::Cells] {
        let module = SymbolicModule::new(&program, variant, &limits).expect("instrumented");
        let symbolic = module.run(input, symbols, &limits).expect("runs");
        assert_eq!(write(symbolic.path(), symbolic.terms()), path);
        assert_eq!(symbolic.asked, plain.asked);
        let model = symbolic.model(input);
        for event in &symbolic.path().events {
            assert_eq!(symbolic.terms().eval(event.condition, &model), 1, "{event:?} holds");
        }
        assert_eq!(module.outcome(symbolic).verdict(), plain.outcome.verdict());
    }
    match (&reference.ending, &plain.outcome) {
        (Ok(values), Outcome::Returned(expected)) => assert_eq!(values, expected),
        (Err(reference::Stop::Trap { kind, .. }), Outcome::Trapped(trap)) => assert_eq!(*kind, trap.kind),
        (Err(reference::Stop::Discarded), Outcome::Discarded { .. }) => {}
        (Err(reference::Stop::Exited(code)), Outcome::Exited(expected)) => assert_eq!(code, expected),
        (reference, plain) => panic!("{reference:?} instead of {plain:?}"),
    }
    let recorded = Input { values: plain.asked.requests.clone(), ..input.clone() };
    let again = plain_module.run(&recorded, &limits).expect("runs");
    assert_eq!((&again.outcome, &again.asked), (&plain.outcome, &plain.asked));
    Ran { outcome: plain.outcome, asked: plain.asked, path }
}

fn number(name: &str, kind: NumberKind, bits: u64) -> Request {
    Request { name: name.into(), value: Answer::Number(kind.number(bits)) }
}

fn bytes(name: &str, bytes: &[u8]) -> Request {
    Request { name: name.into(), value: Answer::Bytes(Data(bytes.to_vec())) }
}

/// Runs with these answers.
fn run_on(text: &str, values: Vec<Request>) -> Ran {
    run(text, &Input { values, ..Input::default() })
}

const KLEE: &str = r#"(module
  (import "env" "klee_make_symbolic" (func $make (param i32 i32 i32)))
  (import "env" "klee_range" (func $range (param i32 i32 i32) (result i32)))
  (import "env" "klee_assume" (func $assume (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 8) "buffer\00") (data (i32.const 16) "n\00")
  (func (export "f") (result i32) (local $n i32)
    (call $make (i32.const 100) (i32.const 4) (i32.const 8))
    (local.set $n (call $range (i32.const -3) (i32.const 5) (i32.const 16)))
    (call $assume (i32.ne (i32.load8_u (i32.const 101)) (i32.const 7)))
    (if (i32.eq (i32.load8_u (i32.const 103)) (i32.const 65)) (then (return (i32.const 1))))
    (i32.lt_s (local.get $n) (i32.const 0))))"#;

#[test]
fn klee() {
    let ran = run_on(KLEE, vec![]);
    assert_eq!(ran.outcome, Outcome::Returned(vec![Value::I32(0)]));
    assert_eq!(ran.asked.requests, [bytes("buffer", &[0; 4]), number("n", NumberKind::I32, 0)]);
    assert!(ran.path.contains("symbol buffer[3]:8"), "{}", ran.path);
    assert!(ran.path.contains("assumption"), "{}", ran.path);
    let last = run_on(KLEE, vec![bytes("buffer", b"xyzA")]);
    assert_eq!(last.outcome, Outcome::Returned(vec![Value::I32(1)]));
    let excluded = run_on(KLEE, vec![bytes("buffer", b"x\x07")]);
    assert_eq!(excluded.outcome.verdict(), Verdict::Discarded);
    let assumptions = |ran: &Ran| ran.path.lines().filter(|line| line.contains("assumption")).count();
    assert_eq!(assumptions(&excluded), assumptions(&ran), "{}", excluded.path);
    assert!(excluded.path.contains("symbol buffer[1]:8"), "{}", excluded.path);
    let outside = run_on(KLEE, vec![bytes("buffer", b""), number("n", NumberKind::I32, 5)]);
    assert_eq!(outside.outcome.verdict(), Verdict::Discarded);
    let below = run_on(KLEE, vec![bytes("buffer", b""), number("n", NumberKind::I32, -3_i64 as u64)]);
    assert_eq!(below.outcome, Outcome::Returned(vec![Value::I32(1)]));
}

#[test]
fn numbers_are_as_narrow_as_their_types() {
    let types = [
        ("bool", "i32", NumberKind::Bool),
        ("char", "i32", NumberKind::I8),
        ("uchar", "i32", NumberKind::U8),
        ("short", "i32", NumberKind::I16),
        ("ushort", "i32", NumberKind::U16),
        ("int", "i32", NumberKind::I32),
        ("uint", "i32", NumberKind::U32),
        ("long", "i32", NumberKind::I32),
        ("longlong", "i64", NumberKind::I64),
        ("ulonglong", "i64", NumberKind::U64),
        ("float", "f32", NumberKind::F32),
        ("double", "f64", NumberKind::F64),
        ("size_t", "i32", NumberKind::U32),
    ];
    for (name, ty, kind) in types {
        let compared = match ty {
            "i32" => "(i32.lt_s (call $ask) (i32.const 0))",
            "i64" => "(i64.lt_s (call $ask) (i64.const 0))",
            "f32" => "(f32.lt (call $ask) (f32.const 0))",
            _ => "(f64.lt (call $ask) (f64.const 0))",
        };
        let text = format!(
            r#"(module (import "env" "__VERIFIER_nondet_{name}" (func $ask (result {ty})))
               (func (export "f") (result i32) (if {compared} (then (return (i32.const 1)))) (i32.const 0)))"#
        );
        let ran = run_on(&text, vec![]);
        assert_eq!(ran.asked.requests, [number(&format!("nondet_{name}#1"), kind, 0)], "{name}");
        // The highest bit is the sign of what has one.
        let top = 1u64 << (kind.width().expect("a width") - 1);
        let float = matches!(kind, NumberKind::F32 | NumberKind::F64);
        let negative = if float { top | top >> 2 } else { top };
        let signed = !matches!(kind, NumberKind::Bool | NumberKind::U8 | NumberKind::U16);
        let ran = run_on(&text, vec![number("", kind, negative)]);
        assert_eq!(ran.outcome, Outcome::Returned(vec![Value::I32(signed.into())]), "{name}");
    }
}

#[test]
fn what_a_program_asserts() {
    let text = r#"(module (import "owi" "i32_symbol" (func $x (result i32))) (import "owi" "assert" (func $assert (param i32)))
      (func (export "f") (call $assert (i32.ne (i32.mul (call $x) (i32.const 3)) (i32.const 21)))))"#;
    let ran = run_on(text, vec![]);
    assert_eq!(ran.outcome, Outcome::Returned(vec![]));
    assert!(ran.path.contains("assertion") && ran.path.contains("yes"), "{}", ran.path);
    let failed = run_on(text, vec![number("", NumberKind::I32, 7)]);
    assert_eq!(failed.outcome.verdict(), Verdict::Trapped(TrapKind::Assertion));
}

#[test]
fn a_harness_function_can_be_called_in_every_way() {
    let text = r#"(module (type $t (func (result i32)))
      (import "env" "nondet_int" (func $ask (result i32)))
      (table funcref (elem $ask))
      (func $tail (result i32) (return_call $ask))
      (func $tail_indirect (result i32) (return_call_indirect (type $t) (i32.const 0)))
      (func (export "f") (result i32)
        (if (i32.eq (call_indirect (type $t) (i32.const 0)) (i32.const 1)) (then (return (i32.const 1))))
        (if (i32.eq (call $tail) (i32.const 2)) (then (return (i32.const 2))))
        (if (i32.eq (call $tail_indirect) (i32.const 3)) (then (return (i32.const 3))))
        (i32.const 0)))"#;
    let ran = run_on(text, vec![]);
    assert_eq!(ran.path.lines().filter(|line| line.starts_with("branch")).count(), 3, "{}", ran.path);
    let answers =
        |last| (0..3).map(move |place| number("", NumberKind::I32, if place == 2 { last } else { 0 }));
    assert_eq!(run_on(text, answers(3).collect()).outcome, Outcome::Returned(vec![Value::I32(3)]));
}

#[test]
fn names_that_are_used_twice_are_told_apart() {
    let text = r#"(module (import "env" "coax_i32" (func $ask (param i32) (result i32)))
      (memory (export "memory") 1) (data (i32.const 8) "x")
      (func (export "f") (result i32) (i32.sub (call $ask (i32.const 8)) (call $ask (i32.const 8)))))"#;
    let ran = run_on(text, vec![number("x", NumberKind::I32, 5), number("x#2", NumberKind::I32, 3)]);
    assert_eq!(ran.outcome, Outcome::Returned(vec![Value::I32(2)]));
    assert_eq!(ran.asked.repeated, ["x"]);
    assert_eq!(ran.asked.requests[1].name, "x#2");
}

#[test]
fn an_object_that_does_not_fit_is_refused() {
    let ran = run_on(
        r#"(module (import "env" "klee_make_symbolic" (func $make (param i32 i32 i32)))
          (memory (export "memory") 1)
          (func (export "f") (call $make (i32.const 65530) (i32.const 10) (i32.const 0))))"#,
        vec![],
    );
    let Outcome::Trapped(trap) = ran.outcome else { panic!("it traps") };
    assert_eq!(
        trap.reason.as_deref(),
        Some("10 symbolic bytes at 0xfffa do not fit the memory, which has 65536")
    );
}

#[test]
fn imports_that_nobody_has() {
    let text = r#"(module (import "net" "receive" (func $receive (param i32) (result i32)))
      (import "net" "close" (func $close))
      (func (export "f") (result i32) (call $close) (i32.eq (call $receive (i32.const 1)) (i32.const 9))))"#;
    let nobody = common::try_run(&program(text), &Input::default(), &Limits::default()).expect_err("nobody");
    assert!(nobody.to_string().contains("`net.receive`, `net.close`"), "{nobody}");
    let stubs = |receive: &str| Input {
        stubs: [("receive".into(), receive.into()), ("net.close".into(), "unknown".into())].into(),
        ..Input::default()
    };
    assert_eq!(run(text, &stubs("9")).outcome, Outcome::Returned(vec![Value::I32(1)]));
    let unknown = run(text, &Input { values: vec![number("", NumberKind::I32, 9)], ..stubs("unknown") });
    assert_eq!(unknown.outcome, Outcome::Returned(vec![Value::I32(1)]));
    assert_eq!(unknown.asked.requests, [number("receive#1", NumberKind::I32, 9)]);
    let bad = common::try_run(&program(text), &stubs("nine"), &Limits::default()).expect_err("no number");
    assert!(
        bad.to_string().starts_with("the stub for `net.receive` does not fit: `nine` is no i32"),
        "{bad}"
    );
    let extra = Input { stubs: [("send".into(), "1".into())].into(), ..Input::default() };
    let extra = common::try_run(&program(text), &extra, &Limits::default()).expect_err("no such import");
    assert!(extra.to_string().starts_with("the program does not import `send`"), "{extra}");
}

#[test]
fn several_inputs_of_one_name_stay_apart() {
    let text = r#"(module (import "env" "coax_i32" (func $ask (param i32) (result i32)))
      (import "env" "coax_bytes" (func $bytes (param i32 i32 i32)))
      (memory (export "memory") 1) (data (i32.const 8) "x\00") (data (i32.const 16) "x[0]\00")
      (func (export "f") (param i32) (result i32)
        (call $bytes (i32.const 100) (i32.const 2) (i32.const 8))
        (if (i32.eq (local.get 0) (i32.const 1)) (then (return (i32.const 1))))
        (if (i32.eq (i32.load8_u (i32.const 100)) (i32.const 2)) (then (return (i32.const 2))))
        (if (i32.eq (call $ask (i32.const 16)) (i32.const 3)) (then (return (i32.const 3))))
        (i32.const 0)))"#;
    let param = Argument { name: Some("x".into()), ..Value::I32(0).into() };
    let ran = run(text, &Input { params: vec![param], ..Input::default() });
    for symbol in ["symbol x:32", "symbol x#2[0]:8", "symbol x[0]#2:32"] {
        assert!(ran.path.lines().any(|line| line == symbol), "{symbol}: {}", ran.path);
    }
}

#[test]
fn whether_reads_and_writes_go_wrong_can_be_a_symbol() {
    // Reads into a buffer of four bytes, then writes it: the error numbers of both, and how much was read.
    let text = r#"(module
      (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
      (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 1) (data (i32.const 0) "\40\00\00\00\04\00\00\00")
      (func (export "f") (result i32 i32 i32)
        (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 32))
        (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 36))
        (i32.load (i32.const 32))))"#;
    let symbols = Symbols { faults: true, ..Symbols::default() };
    let outcome = |faults: &[(u64, IoFault)]| {
        let faults = faults.iter().copied().collect();
        let ran = run_with(text, &Input { stdin: "abcd".into(), faults, ..Input::default() }, symbols);
        assert!(ran.path.contains("io-fault[1]") && ran.path.contains("io-fault[2]"), "{}", ran.path);
        match ran.outcome {
            Outcome::Returned(values) => {
                values.iter().map(|value| format!("{value}")).collect::<Vec<_>>().join(" ")
            }
            other => panic!("{other:?}"),
        }
    };
    const IO: i32 = 29;
    const NO_SPACE: i32 = 51;
    assert_eq!(outcome(&[]), "i32 0 i32 0 i32 4");
    assert_eq!(outcome(&[(1, IoFault::Short)]), "i32 0 i32 0 i32 2");
    assert_eq!(outcome(&[(1, IoFault::Io)]), format!("i32 {IO} i32 0 i32 0"));
    assert_eq!(
        outcome(&[(1, IoFault::NoSpace), (2, IoFault::NoSpace)]),
        format!("i32 {IO} i32 {NO_SPACE} i32 0")
    );
}

#[test]
fn what_a_service_does_not_look_at_stays_open() {
    let text = r#"(module
      (import "env" "klee_int" (func $int (param i32) (result i32)))
      (import "env" "klee_is_symbolic" (func $is_symbolic (param i32) (result i32)))
      (import "env" "klee_prefer_cex" (func $prefer (param i32 i32)))
      (import "env" "klee_get_value_i32" (func $value (param i32) (result i32)))
      (import "owi" "i32_symbol_constant" (func $same (param i32) (result i32)))
      (memory (export "memory") 1) (data (i32.const 8) "x\00")
      (func (export "f") (result i32) (local $x i32)
        (local.set $x (call $int (i32.const 8)))
        (drop (call $is_symbolic (local.get $x)))
        (call $prefer (i32.const 8) (i32.gt_s (local.get $x) (i32.const 10)))
        (if (i32.eq (call $same (local.get $x)) (i32.const 77)) (then (return (i32.const 1))))
        (call $value (local.get $x))))"#;
    let ran = run_on(text, vec![]);
    let is_event = |line: &&str| !["coax ", "symbol ", "end "].iter().any(|other| line.starts_with(other));
    let kinds: Vec<&str> =
        ran.path.lines().filter(is_event).filter_map(|line| line.split_whitespace().next()).collect();
    // The comparison with 77, then the value.
    assert_eq!(kinds, ["branch", "concretised"], "{}", ran.path);
}

#[test]
fn the_byte_that_ends_a_name_decides_it() {
    let text = r#"(module
      (import "env" "coax_bytes" (func $bytes (param i32 i32 i32)))
      (import "env" "coax_i32" (func $int (param i32) (result i32)))
      (memory (export "memory") 1) (data (i32.const 8) "b\00")
      (func (export "f") (result i32)
        (call $bytes (i32.const 100) (i32.const 4) (i32.const 8))
        (call $int (i32.const 100))))"#;
    let ran = run_on(text, vec![bytes("b", b"q")]);
    assert_eq!(ran.asked.requests[1].name, "q");
    for byte in ["symbol b[0]:8", "symbol b[1]:8"] {
        assert!(ran.path.contains(byte), "{}", ran.path);
    }
    assert!(run_on(text, vec![]).path.contains("symbol b[0]:8"));
}

#[test]
fn a_number_may_be_called_as_a_length() {
    let text = r#"(module
      (import "env" "coax_u32" (func $number (param i32) (result i32)))
      (import "env" "coax_bytes" (func $bytes (param i32 i32 i32)))
      (memory (export "memory") 1) (data (i32.const 8) "buf.length\00") (data (i32.const 32) "buf\00")
      (func (export "f") (result i32) (local $n i32)
        (local.set $n (call $number (i32.const 8)))
        (call $bytes (i32.const 100) (i32.const 8) (i32.const 32))
        (i32.add (i32.eq (local.get $n) (i32.const 5)) (i32.load8_u (i32.const 100)))
        (if (result i32) (then (i32.const 1)) (else (i32.const 0)))))"#;
    let ran = run_on(text, vec![number("buf.length", NumberKind::U32, 5)]);
    assert_eq!(ran.outcome, Outcome::Returned(vec![Value::I32(1)]));
}

#[test]
fn programs_that_only_start_and_export_nothing_run() {
    let text = r#"(module
      (import "symbolic" "i8_symbol" (func $symbol (result i32)))
      (import "symbolic" "assert" (func $assert (param i32)))
      (import "symbolic" "cov_label_set" (func $label (param i32 i32)))
      (memory 1) (data (i32.const 8) "here\00")
      (func $start
        (call $label (i32.const 1) (i32.const 8))
        (call $assert (i32.ne (call $symbol) (i32.const 200))))
      (start $start))"#;
    let ran = run_on(text, vec![]);
    assert_eq!(ran.outcome, Outcome::Returned(vec![]));
    assert_eq!(ran.asked.labels, ["here"]);
    assert_eq!(ran.asked.requests, [number("i8_symbol#1", NumberKind::U8, 0)]);
    let failed = run_on(text, vec![number("", NumberKind::U8, 200)]);
    assert!(matches!(failed.outcome, Outcome::Trapped(_)), "{:?}", failed.outcome);
}

#[test]
fn parameters_may_be_called_as_what_is_around_them() {
    let text = r#"(module (memory (export "memory") 1)
      (func (export "f") (param i32 i32) (result i32)
        (i32.eq (i32.load8_u (local.get 0)) (local.get 1))))"#;
    let named = |name: &str, content: Content| Argument { name: Some(name.into()), ..Argument::new(content) };
    let params = vec![
        named("stdin", Content::Bytes(Room::default(), "ab".into())),
        named("arg1", Content::Number(NumberKind::I32.number(97))),
    ];
    let ran = run(text, &Input { params, args: vec!["x".into()], ..Input::default() });
    assert_eq!(ran.outcome, Outcome::Returned(vec![Value::I32(1)]));
}

#[test]
fn what_the_host_keeps_is_paid_for() {
    let forever = |call: &str| {
        format!(
            r#"(module
              (import "env" "klee_make_symbolic" (func $make (param i32 i32 i32)))
              (import "env" "coax_scope" (func $scope (param i32 i32)))
              (import "env" "coax_cover" (func $cover (param i32)))
              (memory (export "memory") 200)
              (func (export "f") (loop $again {call} (br $again))))"#
        )
    };
    let limits = Limits { fuel: 100_000_000, ..Limits::default() };
    for call in [
        "(call $make (i32.const 0) (i32.const 8000000) (i32.const 0))",
        "(call $scope (i32.const 0) (i32.const 4096))",
    ] {
        let run = common::try_run(&program(&forever(call)), &Input::default(), &limits).expect("runs");
        assert_eq!(run.outcome.verdict(), Verdict::OutOfFuel, "{call}");
        let kept: usize = run
            .asked
            .requests
            .iter()
            .map(|request| match &request.value {
                Answer::Bytes(data) => data.0.len(),
                _ => 0,
            })
            .sum();
        assert!(kept < 10_000_000, "{kept}");
    }
    // A symbolic run notices before it makes more symbols than it may have.
    let program = program(&forever("(call $make (i32.const 0) (i32.const 8000000) (i32.const 0))"));
    let limits = Limits { terms: 1000, ..Limits::default() };
    let module = SymbolicModule::new(&program, Variant::Light, &limits).expect("instrumented");
    let run = module.run(&Input::default(), Symbols::default(), &limits).expect("runs");
    assert_eq!(run.bounds.hits(Bound::Terms), 1);
    assert!(run.terms().len() < 2000);
}
