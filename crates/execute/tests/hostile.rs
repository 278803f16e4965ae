//! Programs that are made to use up the machine, or to be taken for coax's own parts: each ends, and says why.

use coax_execute::{
    Bound, Error, Input, Limits, Outcome, SymbolicModule, SymbolicRun, Symbols, Value, Variant,
};
use coax_program::Program;

fn program(wat: &str) -> Program {
    Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module")
}

fn run_within(wat: &str, variant: Variant, param: i32, limits: &Limits) -> SymbolicRun {
    let program = program(wat);
    let module = SymbolicModule::new(&program, variant, limits).expect("instrumentable");
    let input = Input { entry: Some("f".into()), params: vec![Value::I32(param).into()], ..Input::default() };
    module.run(&input, Symbols::default(), limits).expect("runs")
}

#[test]
fn terms_and_events_are_limited() {
    let limits = Limits { terms: 10_000, ..Limits::default() };
    let grows = r#"(module (func (export "f") (param i32) (loop
        (local.set 0 (i32.add (i32.mul (local.get 0) (local.get 0)) (i32.const 1))) (br 0))))"#;
    let decides = r#"(module (func (export "f") (param i32) (loop (br_if 0 (local.get 0)))))"#;
    for wat in [grows, decides] {
        let run = run_within(wat, Variant::Light, 3, &limits);
        assert_eq!(run.bounds.iter().collect::<Vec<_>>(), [(Bound::Terms, 1)]);
        // A frame counts too; and one segment more than the limit is replayed.
        let remembered = run.terms().len() + run.path().events.len();
        assert!((10_000..10_100).contains(&remembered), "{remembered}");
    }
}

#[test]
fn the_hosts_functions_are_not_for_programs() {
    let program = program(
        r#"(module (import "coax:host" "stash" (func $stash (param i64)))
        (func (export "f") (param i32) (call $stash (i64.const 1))))"#,
    );
    let refused = SymbolicModule::new(&program, Variant::Light, &Limits::default()).err();
    let Some(Error::UnknownImports(imports)) = refused else { panic!("{refused:?}") };
    assert_eq!(imports, ["`coax:host.stash`"], "as a plain run says it");
}

#[test]
fn exports_are_not_taken_for_coaxs_own() {
    // Each name is one of an instrumented module's, for something else.
    let wat = r#"(module (memory (export "coax:flags") (export "coax:memory") (export "coax:flags:coax:memory") 1)
        (global (export "coax:taint") (mut i64) (i64.const 5))
        (func $one (export "coax:function:1") (param i32) (result i32) (i32.const 1))
        (func $branch (export "f") (export "coax:function:0") (param i32) (result i32)
            (i32.store (i32.const 8) (local.get 0))
            (if (result i32) (i32.load (i32.const 8)) (then (i32.const 2)) (else (i32.const 3)))))"#;
    let program = program(wat);
    for variant in [Variant::Light, Variant::Calls, Variant::Cells] {
        let module = SymbolicModule::new(&program, variant, &Limits::default()).expect("instrumentable");
        for (entry, returned, events) in [("f", 2, 1), ("coax:function:0", 2, 1), ("coax:function:1", 1, 0)] {
            let input =
                Input { entry: Some(entry.into()), params: vec![Value::I32(7).into()], ..Input::default() };
            let run = module.run(&input, Symbols::default(), &Limits::default()).expect("runs");
            assert_eq!(run.path().events.len(), events, "{entry}");
            assert_eq!(module.outcome(run), Outcome::Returned(vec![Value::I32(returned)]), "{entry}");
        }
    }
}

#[test]
fn frames_that_an_exception_ended_are_forgotten() {
    // `$middle` has nothing symbolic itself; each call of `$leaf` has, and records neither events nor new terms.
    let wat = r#"(module (tag $e) (memory 1)
        (func $leaf (local i32) (local.set 0 (i32.load (i32.const 16))) (throw $e))
        (func $middle (local $i i32) (loop $again
            (block $caught (try_table (catch $e $caught) (call $leaf)))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get $i) (i32.const 3000)))))
        (func $loops (local $i i32)
            (loop $again
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (if (i32.gt_u (local.get $i) (i32.const 3000)) (then (return)))
                (try_table (catch $e $again) (call $leaf))))
        (func (export "f") (param i32) (i32.store (i32.const 16) (local.get 0))
            (call $middle) (call $loops)
            (if (i32.load (i32.const 16)) (then (nop)))))"#;
    for variant in [Variant::Light, Variant::Cells] {
        // The 12,006 events of 6,003 calls count as well, in variants that see them.
        let terms = if variant == Variant::Light { 100 } else { 12_200 };
        let run = run_within(wat, variant, 3, &Limits { terms, ..Limits::default() });
        assert!(run.bounds.is_empty(), "{variant:?}: {:?}", run.bounds);
        assert_eq!(run.path().events.len(), 1);
    }
}

#[test]
fn many_results_and_many_labels() {
    // Every label of the switch is passed as many values: together more than there are numbers of registers.
    let (values, labels) = (250, 270);
    let types = "i32 ".repeat(values);
    let blocks = "(block (type $many) ".repeat(labels);
    let wat = format!(
        r#"(module (type $many (func (result {types})))
        (func $source (param i32) (result {types}) {gets})
        (func (export "f") (param i32) (result i32)
            {blocks} (call $source (local.get 0)) (br_table {targets} (local.get 0)) {ends}
            (if (then (unreachable))) {drops} (i32.const 7)))"#,
        gets = "(local.get 0) ".repeat(values),
        targets = (0..labels).map(|label| format!("{label} ")).collect::<String>(),
        ends = ")".repeat(labels),
        drops = "(drop) ".repeat(values - 1),
    );
    let run = run_within(&wat, Variant::Light, 0, &Limits::default());
    // The switch, and the value that came through it.
    assert_eq!(run.path().events.len(), 2);
}

#[test]
fn what_one_local_gives_another_is_known_at_once() {
    // Each time round, a parameter comes one local further, against the order of the code.
    let locals = 50;
    let moves = (1..locals).map(|to| {
        let from = to - 1;
        let old = format!("(select (local.get {to}) (local.get {from}) (local.get {to}))");
        format!("(local.set {to} (i32.add (i32.mul (local.get {from}) (i32.const 3)) {old}))")
    });
    let moves: Vec<String> = moves.collect();
    let moves: String = moves.into_iter().rev().collect();
    let last = locals - 1;
    let wat = format!(
        r#"(module (func (export "f") (param i32) (result i32) (local {types} i32)
            (loop $again {moves}
                (br_if $again (i32.lt_u (local.tee {counter} (i32.add (local.get {counter}) (i32.const 1))) (i32.const 60))))
            (if (result i32) (local.get {last}) (then (i32.const 1)) (else (i32.const 2)))))"#,
        types = "i32 ".repeat(locals - 1),
        counter = locals,
    );
    let run = run_within(&wat, Variant::Light, 3, &Limits::default());
    let constraining = run.path().events.iter().filter(|event| event.constrains()).count();
    assert_eq!(constraining, 1, "the last local was symbolic when it decided");
}
