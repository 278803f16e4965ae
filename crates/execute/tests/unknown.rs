//! Unknown functions: what their calls show, and what the rest of the run makes of it.

use coax_execute::{
    Called, Detail, Input, Limits, Observed, Setup, SymbolicEngine, SymbolicRun, Symbols, Unknown, Value,
    Variant,
};
use coax_program::{Func, Program};

/// A run in which these functions are unknown.
fn run(wat: &str, unknown: &[u32], params: &[i32]) -> (SymbolicRun, Observed) {
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let functions: Vec<Func> = unknown.iter().map(|&func| Func(func)).collect();
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module =
        engine.module(&program, Detail::closely(&program, functions.clone())).expect("instrumentable");
    let params = params.iter().map(|&param| Value::I32(param).into()).collect();
    let input = Input { entry: Some("main".into()), params, ..Input::default() };
    let (director, observed) = Unknown::new(&program, functions).director();
    let setup = Setup { director: Some(director), ..Setup::default() };
    let run = module.run_with(&input, Symbols::default(), &Limits::default(), setup).expect("it runs");
    let observed = observed.lock().expect("no panic").clone();
    (run, observed)
}

/// What a call has shown: the functions that terms have, and their values.
fn shown(call: &Called) -> Vec<(&str, u64)> {
    call.outputs.iter().map(|output| (output.function.as_str(), output.value)).collect()
}

fn conditions(run: &SymbolicRun) -> Vec<String> {
    let shown = |event: &coax_execute::Event| run.terms().display(event.condition).to_string();
    run.path().events.iter().map(shown).collect()
}

/// A function that mixes, one that reads and writes memory, and one that asks how much memory there is.
const MODULE: &str = r#"(module (memory 1) (data (i32.const 16) "\01\02\03")
    (func $mix (param i32) (result i32)
      (local.set 0 (i32.mul (local.get 0) (i32.const 0x9e3779b1)))
      (i32.xor (local.get 0) (i32.shr_u (local.get 0) (i32.const 15))))
    (func $twice (param i32) (result i32)
      (i32.store8 (i32.const 8) (i32.add (local.get 0) (i32.const 1)))
      (call $mix (call $mix (i32.add (local.get 0) (i32.load8_u (i32.const 16))))))
    (func $grows (param i32) (result i32) (drop (memory.grow (i32.const 0))) (local.get 0))
    (func (export "main") (param i32 i32) (result i32)
      (if (i32.eq (local.get 0) (call $mix (local.get 1))) (then (return (i32.const 1))))
      (if (i32.eq (call $twice (local.get 1)) (i32.load8_u (i32.const 8))) (then (return (i32.const 2))))
      (if (i32.eq (call $grows (local.get 1)) (i32.const 5)) (then (return (i32.const 3))))
      (drop (call $mix (i32.const 7)))
      (i32.const 0)))"#;

fn mix(value: u32) -> u64 {
    let value = value.wrapping_mul(0x9e37_79b1);
    u64::from(value ^ (value >> 15))
}

#[test]
fn calls_become_applications_and_samples() {
    let (run, observed) = run(MODULE, &[0], &[33, 42]);
    assert_eq!(conditions(&run)[0], "(not (eq (apply mix:32 param1) param0))");
    let first = &observed.calls[0];
    assert_eq!(
        (first.shape.as_str(), &first.arguments[..], shown(first)),
        ("mix", &[42][..], vec![("mix", mix(42))])
    );
    assert_eq!((first.events, first.may_differ, first.terms.len()), (0, false, 1));
    let last = observed.calls.last().expect("four calls");
    assert_eq!(
        (&last.arguments[..], shown(last)),
        (&[7][..], vec![("mix", mix(7))]),
        "calls without terms show values, too"
    );
    assert!(last.terms.is_empty());
    assert!(observed.refused.is_empty());
}

#[test]
fn what_an_unknown_function_writes_is_its_result_too() {
    let (run, observed) = run(MODULE, &[0, 1], &[33, 42]);
    assert_eq!(
        conditions(&run)[1],
        "(not (eq (apply twice:32 param1) (zext 32 (apply twice>@0x8:8 param1))))"
    );
    let names: Vec<&str> = observed.calls.iter().flat_map(|call| shown(call)).map(|(name, _)| name).collect();
    assert_eq!(names, ["mix", "twice", "twice>@0x8", "mix"], "calls within an unknown call are not seen");
}

#[test]
fn a_call_that_is_no_function_fixes_what_it_was_given() {
    let (run, observed) = run(MODULE, &[2], &[33, 42]);
    assert_eq!(observed.refused.len(), 1);
    assert!(conditions(&run).contains(&"(eq param1 42:32)".to_owned()), "{:?}", conditions(&run));
}

#[test]
fn the_rest_of_the_program_is_as_without_unknown_functions() {
    let program = Program::parse(wat::parse_str(MODULE).expect("valid text")).expect("a valid module");
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let input = Input {
        entry: Some("main".into()),
        params: vec![Value::I32(33).into(), Value::I32(42).into()],
        ..Input::default()
    };
    let path = |detail: Detail| {
        let module = engine.module(&program, detail).expect("instrumentable");
        conditions(&module.run(&input, Symbols::default(), &Limits::default()).expect("it runs"))
    };
    let light = path(Variant::Light.into());
    assert_eq!(path(Detail::closely(&program, [Func(1)])), light);
    assert_eq!(path(Variant::Cells.into()), light);
}

#[test]
fn an_unknown_function_can_be_called_at_other_arguments() {
    let program = Program::parse(wat::parse_str(MODULE).expect("valid text")).expect("a valid module");
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module = engine.module(&program, Detail::closely(&program, [Func(0)])).expect("instrumentable");
    let params = vec![Value::I32(33).into(), Value::I32(42).into()];
    let input = Input { entry: Some("main".into()), params, ..Input::default() };
    let unknown = Unknown::new(&program, [Func(0)]);
    let (director, _) = unknown.director();
    let setup = Setup { director: Some(director), watch: [Func(0)].into(), ..Setup::default() };
    let run = module.run_with(&input, Symbols::default(), &Limits::default(), setup).expect("it runs");
    let image = run.images.get(&Func(0)).cloned().expect("the function was called");
    let observed = unknown
        .call(&program, &module, &image, ("mix", &[1234]), (&Limits::default(), None))
        .expect("it can be called");
    let shown: Vec<_> = observed.calls.iter().map(|call| (&call.arguments[..], shown(call))).collect();
    assert_eq!(shown, [(&[1234][..], vec![("mix", mix(1234))])]);
}
