//! Hooks: what a director can do to the calls of a run.

use coax_execute::hooks::{Beyond, Byte, Call, Director, Effects, FrameRecord, Treatment};
use coax_execute::{
    Bound, CallKind, Datum, EventKind, Image, Input, Limits, Outcome, Pages, Setup, SymbolicEngine,
    SymbolicRun, Symbols, Value, Variant,
};
use coax_program::{Func, Program};
use coax_term::{Algebra, Terms};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A director made of two functions; what ended is kept.
struct Scripted<E> {
    enter: E,
    amend: fn(&mut FrameRecord, &mut Terms),
    ended: Arc<Mutex<Vec<FrameRecord>>>,
}

impl<E: FnMut(&Call, &mut Terms) -> Treatment + Send + Sync> Director for Scripted<E> {
    fn entering(&mut self, call: &Call, terms: &mut Terms) -> Treatment {
        (self.enter)(call, terms)
    }

    fn ended(&mut self, frame: &mut FrameRecord, terms: &mut Terms) {
        (self.amend)(frame, terms);
        self.ended.lock().expect("no panic before").push(frame.clone());
    }
}

struct Directed {
    run: SymbolicRun,
    frames: Vec<FrameRecord>,
}

impl Directed {
    /// The conditions of all events.
    fn conditions(&self) -> Vec<String> {
        let shown = |event: &coax_execute::Event| self.run.terms().display(event.condition).to_string();
        self.run.path().events.iter().map(shown).collect()
    }

    fn frame(&self, func: u32) -> &FrameRecord {
        self.frames.iter().find(|frame| frame.call.func == Func(func)).expect("it was called")
    }
}

fn direct(
    wat: &str,
    variant: Variant,
    param: i32,
    enter: impl FnMut(&Call, &mut Terms) -> Treatment + Send + Sync + 'static,
    amend: fn(&mut FrameRecord, &mut Terms),
) -> Result<(Directed, Outcome), coax_execute::Error> {
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module = engine.module(&program, variant).expect("instrumentable");
    let input =
        Input { entry: Some("main".into()), params: vec![Value::I32(param).into()], ..Input::default() };
    let ended = Arc::new(Mutex::new(Vec::new()));
    let director = || Scripted { enter, amend, ended: Arc::clone(&ended) };
    let setup = Setup { director: Some(Box::new(director())), ..Setup::default() };
    let run = module.run_with(&input, Symbols::default(), &Limits::default(), setup)?;
    // A second run only for its outcome, which takes the run apart.
    let frames = ended.lock().expect("no panic").clone();
    let plain = module.run(&input, Symbols::NONE, &Limits::default())?;
    Ok((Directed { run, frames }, module.outcome(plain)))
}

fn run_all(_: &Call, _: &mut Terms) -> Treatment {
    Treatment::Run
}

fn leave(_: &mut FrameRecord, _: &mut Terms) {}

fn datum(bits: u64) -> Datum {
    Datum { bits, term: None }
}

fn cells(cells: &[Byte]) -> Vec<(u64, u64, bool)> {
    cells.iter().map(|cell| (cell.address, cell.value.bits, cell.value.term.is_some())).collect()
}

/// `inner` reads 8, then writes 8 and 9; `outer` has written 8 before, and reads 9 after.
const NESTED: &str = r#"(module (memory 1) (global $g (mut i32) (i32.const 3)) (data (i32.const 8) "\05\06\07")
    (func $inner (param i32)
      (i32.store8 (i32.const 9) (i32.add (i32.load8_u (i32.const 8)) (local.get 0)))
      (i32.store8 (i32.const 8) (i32.const 1))
      (global.set $g (i32.add (global.get $g) (i32.const 1))))
    (func $outer (param i32) (result i32)
      (i32.store8 (i32.const 8) (local.get 0))
      (call $inner (i32.load8_u (i32.const 10)))
      (i32.add (i32.load8_u (i32.const 9)) (global.get $g)))
    (func (export "main") (param i32) (result i32) (call $outer (local.get 0))))"#;

#[test]
fn frames_tell_what_they_read_before_and_what_they_wrote() {
    let (directed, _) = direct(NESTED, Variant::Cells, 40, run_all, leave).expect("runs");
    let inner = directed.frame(0);
    assert_eq!(cells(&inner.cells_read), [(8, 40, true)]);
    assert_eq!(cells(&inner.effects.cells), [(9, 47, true), (8, 1, false)]);
    assert_eq!(inner.globals_read, [(0, datum(3))]);
    assert_eq!(inner.effects.globals, [(0, datum(4))]);
    let outer = directed.frame(1);
    assert_eq!(cells(&outer.cells_read), [(10, 7, false)], "8 was written before it was read");
    assert_eq!(cells(&outer.effects.cells), [(8, 1, false), (9, 47, true)]);
    assert_eq!(outer.globals_read, [(0, datum(3))]);
    assert!(outer.beyond.is_empty() && outer.memory_bytes == 1 << 16);
    let order: Vec<u32> = directed.frames.iter().map(|frame| frame.call.func.0).collect();
    assert_eq!(order, [0, 1, 2], "the innermost ends first");
}

#[test]
fn of_a_run_that_is_interrupted_no_open_call_is_told() {
    let wat = r#"(module (memory 1)
        (func $deeper (param i32) (result i32)
          (i32.store (i32.mul (local.get 0) (i32.const 4)) (local.get 0))
          (i32.add (call $deeper (i32.add (local.get 0) (i32.const 1))) (i32.const 1)))
        (func (export "main") (param i32) (result i32) (call $deeper (local.get 0))))"#;
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module = engine.module(&program, Variant::Cells).expect("instrumentable");
    let input = Input { entry: Some("main".into()), params: vec![Value::I32(0).into()], ..Input::default() };
    let (until, ended) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
    let interrupt = Arc::clone(&until);
    let enter = move |call: &Call, _: &mut Terms| {
        interrupt.store(call.number == 100, Ordering::Relaxed);
        Treatment::Run
    };
    let director = Box::new(Scripted { enter, amend: leave, ended: Arc::clone(&ended) });
    let setup = Setup { director: Some(director), until: Some(until), ..Setup::default() };
    let run = module.run_with(&input, Symbols::default(), &Limits::default(), setup).expect("it ends");
    assert_eq!(run.bounds.hits(Bound::Time), 1);
    assert!(ended.lock().expect("no panic").is_empty());
}

#[test]
fn what_is_not_in_cells_is_told_as_beyond() {
    let wat = r#"(module (memory 1 2) (memory 1) (table 2 funcref) (global $r (mut funcref) (ref.null func))
        (data $d "x") (type $t (func))
        (func $grow (drop (memory.grow (i32.const 1))))
        (func $other (drop (i32.load 1 (i32.const 0))))
        (func $table (table.set (i32.const 0) (ref.null func)))
        (func $reference (global.set $r (ref.null func)))
        (func $segment (data.drop $d))
        (func $fine (drop (i32.load (i32.const 0))))
        (func $through (call $table))
        (func (export "main") (param i32)
          (call $grow) (call $other) (call $table) (call $reference) (call $segment) (call $fine) (call $through)))"#;
    let (directed, _) = direct(wat, Variant::Cells, 0, run_all, leave).expect("runs");
    let beyond = |func| directed.frame(func).beyond.iter().copied().collect::<Vec<_>>();
    let expected = [Beyond::Grow, Beyond::OtherMemory, Beyond::Table, Beyond::OtherGlobal, Beyond::Segment];
    for (func, expected) in (0..).zip(expected) {
        assert_eq!(beyond(func), [expected]);
    }
    assert_eq!(beyond(5), []);
    assert_eq!(beyond(6), [Beyond::Table]);
    assert_eq!(beyond(7).len(), 5);
}

#[test]
fn a_skipped_call_has_the_effects_that_are_supplied() {
    let (directed, _) = direct(
        NESTED,
        Variant::Calls,
        40,
        |call, terms| match call.func {
            Func(0) => {
                let invented = terms.symbol("invented", 8);
                let value = Datum { bits: 9, term: Some(invented) };
                let globals = vec![(0, datum(100))];
                Treatment::Skip(Effects {
                    cells: vec![Byte { address: 9, value }],
                    globals,
                    ..Effects::default()
                })
            }
            _ => Treatment::Run,
        },
        leave,
    )
    .expect("runs");
    let last = directed.run.calls().last().expect("calls are told").clone();
    let CallKind::Returned(results) = last.kind else { panic!("main returns") };
    let result = results[0].expect("a number");
    assert_eq!(result.bits, 109);
    let term =
        directed.run.terms().display(result.term.expect("it depends on what was invented")).to_string();
    assert!(term.contains("invented"), "{term}");
}

#[test]
fn a_wish_that_cannot_be_granted_is_an_error() {
    let error = |variant, treatment: Treatment| {
        let enter = move |_: &Call, _: &mut Terms| treatment.clone();
        direct(NESTED, variant, 1, enter, leave).map(|_| ()).expect_err("refused").to_string()
    };
    let outside = Byte { address: 1 << 20, value: datum(0) };
    let outside = Effects { results: vec![Some(datum(0))], cells: vec![outside], ..Effects::default() };
    assert!(error(Variant::Calls, Treatment::Skip(Effects::default())).contains("results"));
    assert!(error(Variant::Calls, Treatment::Skip(outside)).contains("outside memory"));
    let global = |global| Effects {
        globals: vec![(global, datum(0))],
        results: vec![Some(datum(0))],
        ..Effects::default()
    };
    assert!(error(Variant::Calls, Treatment::Skip(global(1))).contains("global 1"));
    assert!(error(Variant::Calls, Treatment::Suspend).contains("sees cells"));
    assert!(error(Variant::Light, Treatment::Run).contains("sees calls"));
}

/// `hash` branches on its argument, and writes what it returns also to memory.
const HASH: &str = r#"(module (memory 1)
    (func $hash (param i32) (result i32) (local $h i32)
      (local.set $h (i32.mul (local.get 0) (i32.const 31)))
      (if (i32.gt_u (local.get $h) (i32.const 5)) (then (local.set $h (i32.sub (local.get $h) (i32.const 5)))))
      (i32.store8 (i32.const 100) (local.get $h))
      (local.get $h))
    (func (export "main") (param i32) (result i32)
      (i32.store8 (i32.const 100) (local.get 0))
      (if (i32.eq (call $hash (local.get 0)) (i32.const 57)) (then (return (i32.const 1))))
      (if (i32.eq (i32.load8_u (i32.const 100)) (i32.const 9)) (then (return (i32.const 2))))
      (i32.const 0)))"#;

#[test]
fn a_suspended_call_is_a_function_that_nobody_looks_into() {
    let suspend = |call: &Call, _: &mut Terms| match call.func {
        Func(0) => Treatment::Suspend,
        _ => Treatment::Run,
    };
    let amend = |frame: &mut FrameRecord, terms: &mut Terms| {
        let argument = frame.call.args.first().copied().flatten().and_then(|argument| argument.term);
        if let (Func(0), Some(argument)) = (frame.call.func, argument) {
            let hash = terms.function("hash", 32);
            let result = terms.apply(hash, &[argument]);
            frame.effects.results[0].as_mut().expect("a number").term = Some(result);
            let byte = terms.extract(result, 0, 8);
            frame.effects.cells[0].value.term = Some(byte);
        }
    };
    let (directed, outcome) = direct(HASH, Variant::Cells, 3, suspend, amend).expect("runs");
    assert_eq!(outcome, Outcome::Returned(vec![Value::I32(0)]));
    let conditions = directed.conditions();
    assert_eq!(conditions.len(), 2, "the branch in `hash` is no event: {conditions:?}");
    assert!(conditions.iter().all(|condition| condition.contains("hash")), "{conditions:?}");
    let frame = directed.frame(0);
    assert_eq!(frame.effects.cells.iter().map(|cell| cell.address).collect::<Vec<_>>(), [100]);
    assert_eq!(frame.ending, CallKind::Returned(vec![Some(datum(88))]), "what was observed had no term");
}

#[test]
fn what_a_suspended_call_does_before_it_uses_the_input_does_not_come_of_it() {
    // 10 is written before only, 11 before and after, 12 after only; 13 is what it is given, handed on before.
    let wat = r#"(module (memory 1) (global $before (mut i32) (i32.const 0)) (global $after (mut i32) (i32.const 0))
        (func $filled (if (i32.eqz (global.get $before)) (then (i32.store8 (i32.const 10) (i32.const 1)))))
        (func $hash (param i32) (result i32)
          (call $filled)
          (i32.store8 (i32.const 11) (i32.const 2))
          (i32.store8 (i32.const 13) (local.get 0))
          (global.set $before (i32.const 1))
          (local.set 0 (i32.mul (local.get 0) (i32.const 31)))
          (i32.store8 (i32.const 12) (local.get 0))
          (if (i32.gt_u (local.get 0) (i32.const 5)) (then (i32.store8 (i32.const 11) (i32.const 3))))
          (global.set $after (i32.const 1))
          (local.get 0))
        (func (export "main") (param i32) (result i32)
          (drop (call $hash (local.get 0)))
          (if (i32.eq (i32.load8_u (i32.const 13)) (i32.const 9)) (then (return (i32.const 2))))
          (i32.const 0)))"#;
    let suspend = |call: &Call, _: &mut Terms| match call.func {
        Func(1) => Treatment::Suspend,
        _ => Treatment::Run,
    };
    let (directed, _) = direct(wat, Variant::Cells, 3, suspend, leave).expect("runs");
    let frame = directed.frame(1);
    assert!(frame.has_used);
    let cells: Vec<u64> = frame.effects.cells.iter().map(|cell| cell.address).collect();
    assert_eq!(cells.split_at(frame.cells_before), (&[10, 13][..], &[11, 12][..]));
    assert_eq!(
        directed.conditions().len(),
        1,
        "what was handed on has its term: {:?}",
        directed.conditions()
    );
}

#[test]
fn what_a_suspended_call_is_given_must_fit() {
    let suspend = |call: &Call, _: &mut Terms| match call.func {
        Func(0) => Treatment::Suspend,
        _ => Treatment::Run,
    };
    let outside = |frame: &mut FrameRecord, _: &mut Terms| {
        frame.effects.cells.push(Byte { address: 1 << 30, value: datum(0) });
    };
    let wide = |frame: &mut FrameRecord, terms: &mut Terms| {
        if let Some(Some(result)) = frame.effects.results.first_mut() {
            result.term = Some(terms.symbol("wide", 64));
        }
    };
    let error = |amend| direct(HASH, Variant::Cells, 3, suspend, amend).map(|_| ()).expect_err("refused");
    assert!(error(outside).to_string().contains("outside memory"));
    assert!(error(wide).to_string().contains("width"));
}

#[test]
fn calls_are_told_when_they_end_in_every_variant_that_sees_calls() {
    for (variant, cells) in [(Variant::Calls, 0), (Variant::Cells, 2)] {
        let (directed, _) = direct(NESTED, variant, 40, run_all, leave).expect("runs");
        assert_eq!(directed.frames.len(), 3);
        assert_eq!(directed.frame(1).effects.cells.len(), cells, "all cells or none");
    }
}

#[test]
fn globals_that_are_read_are_told_with_the_terms_that_came_in() {
    let wat = r#"(module (global $g (mut i32) (i32.const 0))
        (func $reader (result i32) (global.get $g))
        (func (export "main") (param i32) (result i32) (global.set $g (local.get 0)) (call $reader)))"#;
    for treatment in [Treatment::Run, Treatment::Suspend, Treatment::Cut] {
        let enter = move |call: &Call, _: &mut Terms| match call.func {
            Func(0) => treatment.clone(),
            _ => Treatment::Run,
        };
        let (directed, _) = direct(wat, Variant::Cells, 7, enter, leave).expect("runs");
        let (_, value) = directed.frame(0).globals_read[0];
        let term = value.term.map(|term| directed.run.terms().display(term).to_string());
        assert_eq!((value.bits, term.as_deref()), (7, Some("param0")));
    }
}

#[test]
fn a_tail_call_tells_beyond_of_its_own_frame() {
    let wat = r#"(module (table 1 funcref) (elem declare func $last) (type $t (func))
        (func $last)
        (func $tail (return_call_indirect (type $t) (i32.const 0)))
        (func (export "main") (param i32) (table.set (i32.const 0) (ref.func $last)) (call $tail)))"#;
    let (directed, _) = direct(wat, Variant::Cells, 0, run_all, leave).expect("runs");
    let tail = directed.frame(1);
    assert_eq!(tail.ending, CallKind::Replaced);
    assert!(tail.beyond.contains(&Beyond::Table));
}

#[test]
fn an_image_is_the_state_after_the_constructors() {
    let wat = r#"(module (memory 1)
        (func (export "_initialize") (i32.store8 (i32.const 0) (i32.add (i32.load8_u (i32.const 0)) (i32.const 1))))
        (func (export "main") (param i32) (result i32) (i32.load8_u (i32.const 0))))"#;
    let program = Program::parse(wat::parse_str(wat).expect("valid text")).expect("a valid module");
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module = engine.module(&program, Variant::Calls).expect("instrumentable");
    let input = Input { entry: Some("main".into()), params: vec![Value::I32(0).into()], ..Input::default() };
    let run = |setup| module.run_with(&input, Symbols::NONE, &Limits::default(), setup);
    let first = run(Setup { watch: [Func(1)].into(), ..Setup::default() }).expect("runs");
    let image = first.images.get(&Func(1)).cloned().expect("main was called");
    let again = run(Setup { image: Some(&image), ..Setup::default() }).expect("runs");
    assert_eq!(module.outcome(again), module.outcome(first));
    let wrong = Image { globals: [(3, Value::I32(0))].into(), ..Image::default() };
    assert!(run(Setup { image: Some(&wrong), ..Setup::default() }).is_err(), "there is no such global");
}

#[test]
fn a_cut_call_speaks_of_its_own_symbols_only() {
    let wat = r#"(module (memory 1)
        (func $callee (param i32) (result i32)
          (if (i32.lt_u (i32.add (local.get 0) (i32.load8_u (i32.const 5))) (i32.const 50)) (then (return (i32.const 1))))
          (i32.store8 (i32.const 6) (local.get 0))
          (i32.mul (local.get 0) (i32.const 2)))
        (func (export "main") (param i32) (result i32)
          (i32.store8 (i32.const 5) (local.get 0))
          (if (i32.eq (call $callee (i32.add (local.get 0) (i32.const 7))) (i32.load8_u (i32.const 6)))
            (then (return (i32.const 3))))
          (i32.const 4)))"#;
    let cut = |call: &Call, _: &mut Terms| if call.number > 0 { Treatment::Cut } else { Treatment::Run };
    let (mut directed, _) = direct(wat, Variant::Calls, 90, cut, leave).expect("runs");
    let (whole, _) = direct(wat, Variant::Calls, 90, run_all, leave).expect("runs");
    let conditions = directed.conditions();
    assert_eq!(conditions.len(), 2);
    assert!(
        conditions[0].contains("call1.param0") && conditions[0].contains("call1.cell[5]"),
        "{conditions:?}"
    );
    assert!(
        conditions[1].contains("input.result0") && conditions[1].contains("input.cell[6]"),
        "{conditions:?}"
    );
    assert!(conditions.iter().all(|condition| !condition.contains(" param0")), "{conditions:?}");
    let events = directed.run.path().events.clone();
    let uncut: Vec<String> = events
        .iter()
        .map(|event| {
            assert!(matches!(event.kind, EventKind::Branch { .. }));
            let condition = directed.run.uncut(event.condition);
            directed.run.terms().display(condition).to_string()
        })
        .collect();
    assert_eq!(uncut, whole.conditions());
}

#[test]
fn a_frame_runs_alone_from_its_recorded_cells() {
    let program = Program::parse(wat::parse_str(NESTED).expect("valid text")).expect("a valid module");
    let (directed, _) = direct(NESTED, Variant::Cells, 40, run_all, leave).expect("runs");
    let record = directed.frame(1);
    let mut image =
        Image { memory: Pages::of(&vec![0xaa; record.memory_bytes as usize]), ..Image::default() };
    record.cells_read.iter().for_each(|cell| image.memory.set(cell.address, cell.value.bits as u8));
    record.globals_read.iter().for_each(|(global, value)| {
        image.globals.insert(*global, Value::I32(value.bits as i32));
    });
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine");
    let module = engine.module(&program, Variant::Calls).expect("instrumentable");
    let setup = Setup { image: Some(&image), ..Setup::default() };
    let run =
        module.call(Func(1), &[Value::I32(40)], Symbols::NONE, &Limits::default(), setup).expect("runs");
    assert_eq!(module.outcome(run), Outcome::Returned(vec![Value::I32(51)]));
}
