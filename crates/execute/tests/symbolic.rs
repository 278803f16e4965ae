//! Symbolic runs: what is recorded of small programs.

use coax_execute::{
    Bound, CallKind, EventKind, Input, Limits, PlainModule, Setup, SymbolicEngine, Symbols, Value, Variant,
};
use coax_program::Program;

/// Runs an exported function with symbolic parameters; the conditions, each of which must hold on the input.
fn events(wat: &str, params: &[Value]) -> Vec<String> {
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module = engine.module(&program, Variant::Light).expect("instrumentable");
    let input = Input { params: coax_execute::Argument::list(params), ..Input::default() };
    let run = module.run(&input, Symbols::default(), &Limits::default()).expect("runs");
    let model = run.model(&input);
    let mut shown = Vec::new();
    for event in &run.path().events {
        assert_eq!(run.terms().eval(event.condition, &model), 1, "{event:?} does not hold");
        let what = match event.kind {
            EventKind::Branch { direction } => format!("branch {direction}"),
            EventKind::Select { direction } => format!("select {direction}"),
            EventKind::World { direction, .. } => format!("answer {direction}"),
            EventKind::Assumption { held } => format!("assumption {held}"),
            EventKind::Assertion { held } => format!("assertion {held}"),
            EventKind::Trap { kind, trapped } => format!("trap {kind} {trapped}"),
            EventKind::Concretised { value, reason, .. } => format!("{reason:?} {value}"),
        };
        shown.push(what);
    }
    shown
}

#[test]
fn branches_on_parameters_are_recorded() {
    let wat = r#"(module (func (export "f") (param i32 i32) (result i32)
        (if (i32.lt_s (local.get 0) (i32.const 10)) (then (return (i32.const 1))))
        (if (i32.eq (i32.mul (local.get 1) (i32.const 3)) (i32.const 12)) (then (return (i32.const 2))))
        (i32.const 3)))"#;
    assert_eq!(events(wat, &[Value::I32(5), Value::I32(0)]), ["branch 1"]);
    assert_eq!(events(wat, &[Value::I32(50), Value::I32(4)]), ["branch 0", "branch 1"]);
}

#[test]
fn terms_go_through_memory_calls_and_loops() {
    let wat = r#"(module (memory 1)
        (func $get (param i32) (result i32) (i32.load8_u (local.get 0)))
        (func (export "f") (param i32) (result i32) (local $i i32) (local $sum i32)
          (i32.store (i32.const 100) (local.get 0))
          (loop $again
            (local.set $sum (i32.add (local.get $sum) (call $get (i32.add (i32.const 100) (local.get $i)))))
            (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 4))))
          (if (i32.eq (local.get $sum) (i32.const 10)) (then (unreachable)))
          (i32.load (i32.and (local.get $sum) (i32.const 12)))))"#;
    assert_eq!(events(wat, &[Value::I32(0x0101_0101)]), ["branch 0"]);
    assert_eq!(events(wat, &[Value::I32(0x0102_0304)]), ["branch 1"]);
}

#[test]
fn traps_are_recorded_before_they_happen() {
    let wat = r#"(module (memory 1) (func (export "f") (param i32 i32) (result i32)
        (i32.div_s (i32.load (local.get 0)) (local.get 1))))"#;
    let bounds = "trap memory access out of bounds";
    assert_eq!(
        events(wat, &[Value::I32(4), Value::I32(2)]),
        [&format!("{bounds} false"), "Address 4", "trap integer divide by zero false"]
    );
    assert_eq!(events(wat, &[Value::I32(-4), Value::I32(2)]), [format!("{bounds} true")]);
}

/// The calls of a run: name or number of the function, and how it began or ended.
fn calls(wat: &str, params: &[Value]) -> Vec<String> {
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module = engine.module(&program, Variant::Calls).expect("instrumentable");
    let input = Input {
        entry: Some("main".into()),
        params: coax_execute::Argument::list(params),
        ..Input::default()
    };
    let run = module.run(&input, Symbols::default(), &Limits::default()).expect("runs");
    let data = |data: &[Option<coax_execute::Datum>]| -> String {
        let one = |datum: &Option<coax_execute::Datum>| match datum {
            Some(datum) if datum.term.is_some() => format!("{}*", datum.bits),
            Some(datum) => datum.bits.to_string(),
            None => "_".into(),
        };
        data.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    let shown = run.calls().iter().map(|call| {
        let name = &program.functions[call.func].name;
        match &call.kind {
            CallKind::Entered(args) => format!("{name}({})", data(args)),
            CallKind::Returned(results) => format!("{name} = {}", data(results)),
            CallKind::Replaced => format!("{name} ->"),
            CallKind::Left => format!("{name} !"),
        }
    });
    shown.collect()
}

#[test]
fn calls_are_told_with_arguments_and_results() {
    let wat = r#"(module
        (func $twice (param i32 i64) (result i32) (i32.mul (local.get 0) (i32.const 2)))
        (func $tail (param i32) (result i32) (return_call $twice (local.get 0) (i64.const 3)))
        (func (export "main") (param i32) (result i32)
          (i32.add (call $twice (i32.const 4) (i64.const 5)) (call $tail (local.get 0)))))"#;
    let expected = [
        "main(7*)",
        "twice(4 5)",
        "twice = 8",
        "tail(7*)",
        "tail ->",
        "twice(7* 3)",
        "twice = 14*",
        "main = 22*",
    ];
    assert_eq!(calls(wat, &[Value::I32(7)]), expected);
}

#[test]
fn calls_end_by_exceptions_and_traps_too() {
    let wat = r#"(module (tag $t (param i32))
        (func $throw (param i32) (if (local.get 0) (then (throw $t (local.get 0)))))
        (func $middle (param i32) (call $throw (local.get 0)))
        (func $trap (unreachable))
        (func (export "main") (param i32) (local $n i32)
          (loop $again
            (block $caught (result i32)
              (try_table (catch $t $caught) (call $middle (local.get 0)))
              (i32.const 0))
            drop
            (local.set $n (i32.add (local.get $n) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get $n) (i32.const 2))))
          (call $trap)))"#;
    let round = ["middle(1*)", "throw(1*)", "throw !", "middle !"];
    let expected = [&["main(1*)"], &round[..], &round[..], &["trap()", "trap !", "main !"]].concat();
    assert_eq!(calls(wat, &[Value::I32(1)]), expected);
}

#[test]
fn nothing_is_recorded_after_a_trap_that_only_the_operator_knows() {
    let wat = r#"(module (table 1 externref) (func (export "f") (param f64) (result i64)
        (drop (table.get 0 (i32.const 8))) (i64.trunc_f64_s (local.get 0))))"#;
    assert_eq!(events(wat, &[Value::F64(0)]), [""; 0]);
}

#[test]
fn a_vector_store_is_not_undone_by_the_replay_of_a_store_before_it() {
    // The parameter makes the bytes symbolic, the stores overwrite them with numbers, the vector last.
    let wat = r#"(module (memory 1) (func (export "f") (param i64) (result i64)
        (i64.store (i32.const 0) (local.get 0))
        (i32.store (i32.const 2) (i32.const 1))
        (v128.store (i32.const 0) (v128.const i64x2 7 8))
        (i64.load (i32.const 0))))"#;
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module = engine.module(&program, Variant::Light).expect("instrumentable");
    let input = Input { params: vec![Value::I64(-1).into()], ..Input::default() };
    let run = module.run(&input, Symbols::default(), &Limits::default()).expect("runs");
    assert_eq!(module.outcome(run), coax_execute::Outcome::Returned(vec![Value::I64(7)]));
}

#[test]
fn a_function_called_on_what_it_found_does_the_same_again() {
    let wat = r#"(module (memory 1) (global $g (mut i32) (i32.const 3))
        (func $f (param i32 i32) (result i32)
          (i32.store (local.get 0) (i32.add (i32.load (local.get 0)) (global.get $g)))
          (i32.mul (i32.load (local.get 0)) (local.get 1)))
        (func (export "main") (param i32) (result i32)
          (drop (memory.grow (i32.const 1)))
          (i32.store (i32.const 70000) (i32.const 40))
          (global.set $g (i32.const 5))
          (i32.add (call $f (i32.const 70000) (local.get 0)) (i32.const 1))))"#;
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module = engine.module(&program, Variant::Calls).expect("instrumentable");
    let func = program.find_function("f").expect("it is there");
    let input = Input { entry: Some("main".into()), params: vec![Value::I32(2).into()], ..Input::default() };
    let setup = Setup { watch: [func].into(), ..Setup::default() };
    let run = module.run_with(&input, Symbols::default(), &Limits::default(), setup).expect("runs");
    let image = run.images.get(&func).cloned().expect("it was called");
    assert_eq!(image.memory.get(70000), 40);
    assert_eq!(image.globals.values().collect::<Vec<_>>(), [&Value::I32(5)]);
    let returned = |calls: &[coax_execute::CallEvent]| {
        let results = calls.iter().find_map(|call| match &call.kind {
            CallKind::Returned(results) if call.func == func => Some(results.clone()),
            _ => None,
        });
        results.expect("it returned")[0].expect("a number").bits
    };
    assert_eq!(returned(run.calls()), 90);

    let params = [Value::I32(70000), Value::I32(2)];
    let direct = |image| {
        let setup = Setup { image, ..Setup::default() };
        module.call(func, &params, Symbols::NONE, &Limits::default(), setup).expect("runs")
    };
    assert_eq!(returned(direct(Some(&image)).calls()), 90);
    // Without the image it is another memory, too small for the address.
    assert!(matches!(module.outcome(direct(None)), coax_execute::Outcome::Trapped(_)));
}

#[test]
fn a_program_that_calls_the_host_for_ever_does_so_as_often_as_without_terms() {
    let wat = r#"(module
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 1) (data (i32.const 0) "\10\00\00\00\01\00\00\00")
        (func (export "_start") (loop
            (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))) (br 0))))"#;
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let limits = Limits { fuel: 100 * Limits::HOST_CALL_FUEL, ..Limits::default() };
    let engine = SymbolicEngine::new(&limits).expect("an engine");
    let module = engine.module(&program, Variant::Light).expect("instrumentable");
    let run = module.run(&Input::default(), Symbols::default(), &limits).expect("runs");
    let plain = PlainModule::new(&program, &limits).expect("it can be compiled");
    let plain = plain.run(&Input::default(), &limits).expect("runs");
    assert_eq!((run.bounds.hits(Bound::Fuel), plain.bounds.hits(Bound::Fuel)), (1, 1));
    // It must come as far as the plain module, and not much further.
    let (bytes, least) = (run.stdout.len(), plain.stdout.len());
    assert!((least..=least + least / 10).contains(&bytes), "{bytes}, {least} without terms");
}

#[test]
fn a_function_without_room_for_the_instrumentation_is_refused_by_name() {
    let locals = "i32 ".repeat(49_999);
    let wat = format!(r#"(module (func $vast (export "f") (local {locals})))"#);
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let refused = coax_execute::instrument(&program, Variant::Light).expect_err("there is no room");
    assert!(refused.to_string().starts_with("function `vast` is too large to be instrumented."), "{refused}");
}

/// A function that catches, with this code before its `throw`; 16 holds the parameter, and at last it is asked whether `value` is 9.
fn throwing(before: &str, value: &str) -> String {
    format!(
        r#"(module (memory 1) (tag $e)
          (func (export "f") (param i32) (result i32) (local $x i32)
            (i32.store (i32.const 16) (local.get 0))
            (block $out (try_table (catch_all $out)
              (block $again (result exnref) (try_table (catch_all_ref $again) (throw $e)) (unreachable))
              {before} (throw_ref)))
            (if (result i32) (i32.eq {value} (i32.const 9)) (then (i32.const 1)) (else (i32.const 2)))))"#
    )
}

#[test]
fn what_happens_right_before_a_throw_is_not_forgotten() {
    let overwritten = throwing("(i32.store (i32.const 16) (i32.const 9))", "(i32.load (i32.const 16))");
    assert_eq!(events(&overwritten, &[Value::I32(5)]), [""; 0]);
    let loaded = throwing("(local.set $x (i32.load (i32.const 16)))", "(local.get $x)");
    assert_eq!(events(&loaded, &[Value::I32(5)]), ["branch 0"]);
}

#[test]
fn what_start_functions_and_constructors_read_is_symbolic() {
    let read = r#"(drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))"#;
    for reader in [format!("(func $s {read}) (start $s)"), format!(r#"(func (export "_initialize") {read})"#)]
    {
        let wat = format!(
            r#"(module (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
              (memory (export "memory") 1) (data (i32.const 0) "\64\00\00\00\04\00\00\00") {reader}
              (func (export "f") (result i32) (if (result i32)
                (i32.eq (i32.load8_u (i32.const 100)) (i32.const 97)) (then (i32.const 1)) (else (i32.const 2)))))"#
        );
        let program = Program::parse(wat::parse_str(&wat).expect("valid text")).expect("a valid module");
        let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
        let module = engine.module(&program, Variant::Light).expect("instrumentable");
        let stdin = coax_execute::Data(b"abcd".to_vec());
        let input = Input { entry: Some("f".into()), stdin, ..Input::default() };
        let run = module.run(&input, Symbols::default(), &Limits::default()).expect("runs");
        let branches =
            run.path().events.iter().filter(|event| matches!(event.kind, EventKind::Branch { .. }));
        assert_eq!(branches.count(), 1, "{wat}");
    }
}

#[test]
fn the_values_of_a_switch_reach_labels_of_several_depths() {
    let wat = r#"(module (func (export "f") (param $a i32) (param $b i32)
        (i32.const 0)
        (block $outer (param i32) (result i32 i32)
          (block $inner (result i32 i32)
            (br_table $inner $outer (local.get $b) (local.get $a) (i32.const 0)))
          (i32.xor))
        (i32.lt_s)
        (if (then (nop)))))"#;
    assert_eq!(events(wat, &[Value::I32(1), Value::I32(0)]), ["branch 1"]);
    assert_eq!(events(wat, &[Value::I32(-1), Value::I32(0)]), ["branch 0"]);
}

#[test]
fn a_start_function_may_leave_by_a_tail_call_that_exits() {
    let wat = r#"(module (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (memory (export "memory") 1) (func $start (return_call $exit (i32.const 3))) (start $start) (func (export "f")))"#;
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let (input, limits) = (Input { entry: Some("f".into()), ..Input::default() }, Limits::default());
    let plain = coax_execute::PlainModule::new(&program, &limits).expect("compilable").run(&input, &limits);
    assert_eq!(plain.expect("runs").outcome, coax_execute::Outcome::Exited(3));
    for variant in [Variant::Light, Variant::Calls, Variant::Cells] {
        let engine = SymbolicEngine::new(&limits).expect("an engine");
        let module = engine.module(&program, variant).expect("instrumentable");
        let run = module.run(&input, Symbols::default(), &limits).expect("runs");
        assert_eq!(module.outcome_of(&run), coax_execute::Outcome::Exited(3), "{variant:?}");
    }
}
