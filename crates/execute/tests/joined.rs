//! Functions whose ways are joined: what they give holds for every input, and they decide nothing.

use coax_execute::{
    Detail, Event, EventKind, Input, Limits, SymbolicEngine, SymbolicModule, SymbolicRun, Symbols, Value,
    Variant, joinable,
};
use coax_program::{Extern, Func, Program};
use coax_term::Evaluator;
use std::collections::BTreeSet;

/// The bytes of the parameter are in memory; a function reads them, and the program asks whether it gives a number.
const MODULE: &str = r#"(module (memory 1) (data (i32.const 16) "aB\00c")
    (func $compare (param $one i32) (param $other i32) (param $left i32) (result i32)
      (loop $on
        (if (i32.eqz (local.get $left)) (then (return (i32.const 0))))
        (if (i32.ne (i32.load8_u (local.get $one)) (i32.load8_u (local.get $other)))
          (then (return (i32.sub (i32.load8_u (local.get $one)) (i32.load8_u (local.get $other))))))
        (local.set $one (i32.add (local.get $one) (i32.const 1)))
        (local.set $other (i32.add (local.get $other) (i32.const 1)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br $on))
      (unreachable))
    (func $small (param i32) (result i32)
      (if (i32.lt_u (i32.sub (local.get 0) (i32.const 65)) (i32.const 26))
        (then (return (i32.or (local.get 0) (i32.const 32)))))
      (local.get 0))
    (func $alike (param $one i32) (param $other i32) (result i32)
      (loop $on
        (if (i32.ne (call $small (i32.load8_u (local.get $one))) (call $small (i32.load8_u (local.get $other))))
          (then (return (i32.const 0))))
        (if (i32.eqz (i32.load8_u (local.get $other))) (then (return (i32.const 1))))
        (local.set $one (i32.add (local.get $one) (i32.const 1)))
        (local.set $other (i32.add (local.get $other) (i32.const 1)))
        (br $on))
      (unreachable))
    (func $length (param $from i32) (result i32) (local $at i32)
      (local.set $at (local.get $from))
      (loop $on
        (if (i32.load8_u (local.get $at))
          (then (local.set $at (i32.add (local.get $at) (i32.const 1))) (br $on))))
      (i32.sub (local.get $at) (local.get $from)))
    (func $divide (param i32) (result i32)
      (if (result i32) (i32.gt_u (local.get 0) (i32.const 5))
        (then (i32.div_u (i32.const 100) (local.get 0))) (else (i32.const 0))))
    (func $keeps (param i32) (result i32)
      (if (local.get 0) (then (i32.store (i32.const 32) (local.get 0)))) (i32.const 0))
    (func $remember (param i32) (i32.store (i32.const 0) (local.get 0)) (i32.store (i32.const 4) (i32.const 0)))
    (func $answer (param i32) (result i32)
      (if (local.get 0) (then (return (i32.const 1)))) (i32.const 0))
    (func (export "compare") (param i32) (result i32) (call $remember (local.get 0))
      (if (call $compare (i32.const 0) (i32.const 16) (i32.const 4)) (then (return (i32.const 1)))) (i32.const 0))
    (func (export "less") (param i32) (result i32) (call $remember (local.get 0))
      (if (i32.lt_s (call $compare (i32.const 0) (i32.const 16) (i32.const 2)) (i32.const -3))
        (then (return (i32.const 1)))) (i32.const 0))
    (func (export "alike") (param i32) (result i32) (call $remember (local.get 0))
      (if (call $alike (i32.const 0) (i32.const 16)) (then (return (i32.const 1)))) (i32.const 0))
    (func (export "length") (param i32) (result i32) (call $remember (local.get 0))
      (if (i32.eq (call $length (i32.const 0)) (i32.const 2)) (then (return (i32.const 1)))) (i32.const 0))
    (func (export "divide") (param i32) (result i32)
      (if (i32.gt_u (call $divide (local.get 0)) (i32.const 12)) (then (return (i32.const 1)))) (i32.const 0))
    (func $guarded (param $at i32) (param $wanted i32) (result i32)
      (if (i32.eqz (local.get $wanted)) (then (return (i32.const 0))))
      (i32.eq (i32.load8_u (local.get $at)) (i32.const 97)))
    (func (export "guarded") (param i32) (result i32)
      (if (call $guarded (i32.and (local.get 0) (i32.const 0xfffc)) (i32.and (local.get 0) (i32.const 1)))
        (then (return (i32.const 1)))) (i32.const 0))
    (func (export "behind") (param i32) (result i32) (call $remember (local.get 0))
      (if (call $compare (i32.const 2) (i32.const 16) (i32.const 4)) (then (return (i32.const 1)))) (i32.const 0))
    (func $scaled (param i32) (result i32)
      (if (i32.lt_u (local.get 0) (i32.const 0x40000))
        (then (return (i32.load8_u (i32.shr_u (local.get 0) (i32.const 4)))))) (i32.const 1))
    (func (export "scaled") (param i32) (result i32)
      (if (call $scaled (local.get 0)) (then (return (i32.const 1)))) (i32.const 0))
    (func $compared (param i32) (result i32)
      (if (i32.eq (local.get 0) (i32.const 65)) (then (return (i32.const 3))))
      (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const -7))))
      (if (i32.gt_u (local.get 0) (i32.const 100)) (then (return (i32.const 11))))
      (i32.const 0))
    (func $returned (param i32) (result i32)
      (if (i32.eq (local.get 0) (i32.const 65)) (then (return (i32.const 3))))
      (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const -7))))
      (if (i32.gt_u (local.get 0) (i32.const 100)) (then (return (i32.const 11))))
      (i32.const 0))
    (func $handed_on (param i32) (result i32)
      (if (i32.eq (local.get 0) (i32.const 65)) (then (return (i32.const 3))))
      (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const -7))))
      (if (i32.gt_u (local.get 0) (i32.const 100)) (then (return (i32.const 11))))
      (i32.const 0))
    (func (export "compared") (param i32) (result i32)
      (if (i32.lt_s (i32.const 2) (call $compared (local.get 0))) (then (return (i32.const 1)))) (i32.const 0))
    (func (export "returned") (param i32) (result i32)
      (if (i32.lt_s (i32.const 2) (call $returned (local.get 0))) (then (return (i32.const 1)))) (i32.const 0))
    (func (export "handed_on") (param i32) (result i32)
      (if (i32.lt_s (i32.const 2) (call $handed_on (local.get 0))) (then (return (i32.const 1)))) (i32.const 0))
    (func (export "returns") (param i32) (result i32) (call $returned (local.get 0)))
    (func (export "hands_on") (param i32) (result i32)
      (block (result i32) (br_if 0 (call $handed_on (local.get 0)) (local.get 0)) (drop) (i32.const 0)))
    (func (export "where") (param i32) (result i32)
      (if (call $compare (i32.and (local.get 0) (i32.const 0xfffc)) (i32.const 17) (i32.const 1))
        (then (return (i32.const 1)))) (i32.const 0)))"#;

fn program() -> Program {
    Program::parse(wat::parse_str(MODULE).expect("valid text")).expect("a valid module")
}

/// Runs of the exported functions, with the ways of all others joined.
struct Joined<'p>(SymbolicModule<'p>);

impl<'p> Joined<'p> {
    fn new(program: &'p Program) -> Joined<'p> {
        let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
        let detail =
            Detail::from(Variant::Light).joining(joinable(program, |func| is_exported(program, func)));
        Joined(engine.module(program, detail).expect("instrumentable"))
    }

    fn run(&self, entry: &str, param: u32) -> (SymbolicRun, Input) {
        let params = vec![Value::I32(param as i32).into()];
        let input = Input { entry: Some(entry.into()), params, ..Input::default() };
        (self.0.run(&input, Symbols::default(), &Limits::default()).expect("it runs"), input)
    }
}

fn is_exported(program: &Program, func: Func) -> bool {
    program.exports.iter().any(|export| export.kind == Extern::Func(func))
}

/// The directions of the branches of a path.
fn directions(run: &SymbolicRun) -> Vec<u32> {
    let direction = |event: &Event| match event.kind {
        EventKind::Branch { direction } => Some(direction),
        _ => None,
    };
    run.path().events.iter().filter_map(direction).collect()
}

/// Parameters of which many are nearly what the functions look for.
fn params() -> Vec<u32> {
    let bytes = [0, b'A', b'a', b'B', b'b', b'c', 0xff];
    let all = |place: usize| bytes.into_iter().map(move |byte| u32::from(byte) << (8 * place));
    let pairs = all(0).flat_map(|low| all(1).map(move |high| low | high));
    let behind = [0, u32::from(b'c') << 24, u32::from(b'c') << 16, 0x0101_0000];
    pairs.flat_map(|pair| behind.map(|behind| pair | behind)).chain(0..40).collect()
}

/// A call whose ways are joined leaves one decision, whose condition says of every other input which way it goes.
#[track_caller]
fn decides_once_and_rightly(entry: &str) {
    let program = program();
    let joined = Joined::new(&program);
    let runs: Vec<(SymbolicRun, Input)> =
        params().into_iter().map(|param| joined.run(entry, param)).collect();
    let mut ways = BTreeSet::new();
    for (known, _) in runs.iter() {
        let [way] = directions(known)[..] else { panic!("{entry}: {:?}", known.path().events) };
        ways.insert(way);
        let condition = known.path().events[0].condition;
        for (other, input) in &runs {
            let holds = Evaluator::new().eval(known.terms(), &known.model(input), condition) == 1;
            assert_eq!(holds, directions(other) == [way], "{entry}: {input:?}");
        }
    }
    assert_eq!(ways.len(), 2, "{entry}: both ways are there");
}

/// The first condition of a path that fails on another input is the first decision in which that one differs.
#[track_caller]
fn predicts(entry: &str) {
    let program = program();
    let joined = Joined::new(&program);
    let more = [0x1000, 0x1001, 0x41_0000, 0x41_0005, 0xffff_fffd];
    let runs: Vec<(SymbolicRun, Input)> =
        params().into_iter().chain(more).map(|param| joined.run(entry, param)).collect();
    for ((known, _), (other, input)) in runs.iter().flat_map(|one| runs.iter().map(move |other| (one, other)))
    {
        let mut theirs = other.path().events.iter();
        for event in &known.path().events {
            let holds = Evaluator::new().eval(known.terms(), &known.model(input), event.condition) == 1;
            let same = theirs.next();
            assert_eq!(same.map(|it| it.at), Some(event.at), "{entry}: {input:?}, {event:?}");
            assert_eq!(
                same.map(|it| it.kind).is_some_and(|it| alike(&it, &event.kind)),
                holds,
                "{entry}: {input:?}, {event:?}"
            );
            if !holds {
                break;
            }
        }
    }
}

/// Whether two events are the same decision; terms are of other arenas.
fn alike(one: &EventKind, other: &EventKind) -> bool {
    match (one, other) {
        (EventKind::Concretised { value, .. }, EventKind::Concretised { value: other, .. }) => value == other,
        _ => one == other,
    }
}

#[test]
fn conditions_say_where_other_inputs_go() {
    for entry in [
        "compare",
        "less",
        "alike",
        "length",
        "divide",
        "guarded",
        "scaled",
        "behind",
        "where",
        "compared",
        "returned",
        "handed_on",
    ] {
        predicts(entry);
    }
}

#[test]
fn bytes_are_compared_at_once() {
    decides_once_and_rightly("compare");
    decides_once_and_rightly("less");
}

#[test]
fn how_many_numbers_come_out_does_not_matter_if_they_are_only_compared() {
    decides_once_and_rightly("compared");
    let program = program();
    for entry in ["returned", "handed_on"] {
        let (run, _) = Joined::new(&program).run(entry, 0);
        assert_eq!(
            directions(&run),
            [0, 0, 0],
            "{entry}: somebody wants to know which of four numbers it is"
        );
    }
}

#[test]
fn functions_that_call_others_are_joined_too() {
    decides_once_and_rightly("alike");
}

#[test]
fn what_cannot_be_joined_runs_as_usual() {
    let program = program();
    let joined = Joined::new(&program);
    // A length is one of many numbers; a division may trap.
    let (length, _) = joined.run("length", 0x0042_4141);
    assert_eq!(directions(&length), [1, 1, 1, 0]);
    let (divide, _) = joined.run("divide", 7);
    assert_eq!(directions(&divide)[0], 1);
    assert!(directions(&divide).len() > 1);
}

#[test]
fn a_place_that_depends_on_the_input_is_taken_as_it_is() {
    let program = program();
    let (run, _) = Joined::new(&program).run("where", 0x0742);
    let is_place = |event: &&Event| matches!(event.kind, EventKind::Concretised { .. });
    let places = run.path().events.iter().filter(is_place).count();
    assert!(places > 0, "{:?}", run.path().events);
    assert_eq!(directions(&run), [] as [u32; 0], "what is there is a number");
}

#[test]
fn what_is_decided_before_a_place_is_taken_is_a_decision() {
    let program = program();
    let joined = Joined::new(&program);
    let (wanted, _) = joined.run("guarded", 17);
    assert_eq!(directions(&wanted), [0], "the place has its say only behind the guard");
    let (unwanted, _) = joined.run("guarded", 16);
    assert_eq!(directions(&unwanted), [1]);
    assert_eq!(unwanted.path().events.len(), 1, "nothing was read");
}

#[test]
fn what_may_be_behind_a_block_is_followed() {
    let program = program();
    let (run, _) = Joined::new(&program).run("behind", 0);
    assert_eq!(directions(&run), [1, 1], "the first byte decides, then what came of it");
    let (run, _) = Joined::new(&program).run("behind", 0x4261_0000);
    assert_eq!(directions(&run), [0, 0], "behind the parameter are numbers");
}

#[test]
fn only_functions_that_compute_and_read_are_joined() {
    let program = program();
    let names = joinable(&program, |func| is_exported(&program, func));
    let names: Vec<&str> = names.into_iter().map(|func| program.functions[func].name.as_str()).collect();
    let expected = ["compare", "small", "alike", "length", "divide", "answer", "guarded", "scaled"];
    assert_eq!(names, [&expected[..], &["compared", "returned", "handed_on"]].concat());
    let without = joinable(&program, |func| program.functions[func].name == "small");
    assert!(without.iter().all(|&func| program.functions[func].name != "alike"), "it calls what matters");
}
