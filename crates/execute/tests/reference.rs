//! What the reference interpreter records of a run, and that it is what the program did.

mod common;

use coax_execute::reference::{
    Context, Host, HostFunction, Interpreter, Item, Limits, NoHost, Step, Stop, Value,
};
use coax_execute::{Concretisation, EventKind, TrapKind};
use coax_program::Signature;
use coax_term::{Algebra, Term};
use std::sync::Arc;

/// A finished call of the function `f`, whose parameters were symbols.
struct Ran {
    interpreter: Interpreter,
    outcome: Result<Vec<Value>, Stop>,
}

/// Calls `f` with i32 symbols `p0`, `p1`… of these values.
fn run(text: &str, params: &[u32]) -> Ran {
    let mut interpreter = Interpreter::new(Limits::default());
    let program = Arc::new(common::program(text));
    let instance = interpreter.instantiate(program, &[], &mut NoHost).expect("it starts");
    let Some(Item::Func(function)) = interpreter.export(instance, "f") else { panic!("f is exported") };
    let args: Vec<Value> = (0..)
        .zip(params)
        .map(|(place, &value)| Value::Number(interpreter.input(&format!("p{place}"), 32, u64::from(value))))
        .collect();
    let outcome = interpreter.call(function, &args, &mut NoHost);
    Ran { interpreter, outcome }
}

impl Ran {
    /// The only result, as a term.
    fn result(&self) -> Term {
        match self.outcome.as_deref() {
            Ok([Value::Number(term)]) => *term,
            other => panic!("one number was expected, not {other:?}"),
        }
    }

    /// The only result, as a number.
    fn number(&mut self) -> u64 {
        let term = self.result();
        self.interpreter.value(term)
    }

    /// The only result when the first parameter is another, though the path is this one.
    fn number_if(&self, value: u64) -> u64 {
        let terms = self.interpreter.terms();
        let symbol = terms.find_symbol("p0").expect("there is a parameter");
        terms.eval(self.result(), &coax_term::Model::from_iter([(symbol, value)]))
    }

    /// The kinds of the events; every condition must be true in this run, and no constant.
    fn events(&mut self) -> Vec<EventKind> {
        let events = self.interpreter.path().events.clone();
        for event in &events {
            assert_eq!(self.interpreter.value(event.condition), 1, "{event:?}");
            assert_eq!(self.interpreter.terms().as_constant(event.condition), None, "{event:?}");
        }
        events.into_iter().map(|event| event.kind).collect()
    }

    /// The reasons of the concretisations.
    fn reasons(&mut self) -> Vec<Concretisation> {
        let reason = |kind| match kind {
            EventKind::Concretised { reason, .. } => Some(reason),
            _ => None,
        };
        self.events().into_iter().filter_map(reason).collect()
    }
}

fn held(kind: TrapKind) -> EventKind {
    EventKind::Trap { kind, trapped: false }
}

#[test]
fn branches_and_switches_are_events_with_their_directions() {
    let text = r#"(module (func (export "f") (param i32 i32) (result i32)
        (if (i32.lt_u (local.get 0) (i32.const 10)) (then
          (block $b (block $a (br_table $a $b $a (local.get 1))) (return (i32.const 1)))
          (return (i32.const 2))))
        (i32.const 3)))"#;
    let mut ran = run(text, &[5, 1]);
    assert_eq!(ran.number(), 2);
    assert_eq!(ran.events(), [EventKind::Branch { direction: 1 }, EventKind::Branch { direction: 1 }]);
    let mut ran = run(text, &[50, 1]);
    assert_eq!(ran.number(), 3);
    assert_eq!(ran.events(), [EventKind::Branch { direction: 0 }]);
}

#[test]
fn constants_decide_without_events() {
    let text = r#"(module (memory 1) (func (export "f") (result i32)
        (i32.store (i32.const 8) (i32.div_u (i32.const 7) (i32.const 2)))
        (if (result i32) (i32.load (i32.const 8)) (then (i32.const 1)) (else (i32.const 2)))))"#;
    let mut ran = run(text, &[]);
    assert_eq!(ran.number(), 1);
    assert_eq!(ran.events(), []);
}

#[test]
fn a_select_is_a_term_for_both_choices() {
    let text = r#"(module (func (export "f") (param i32) (result i32)
        (select (i32.const 10) (i32.const 20) (i32.gt_u (local.get 0) (i32.const 7)))))"#;
    let mut ran = run(text, &[9]);
    assert_eq!(ran.events(), [EventKind::Select { direction: 1 }]);
    assert!(!ran.interpreter.path().events[0].constrains());
    assert_eq!([ran.number_if(8), ran.number_if(7)], [10, 20]);
}

#[test]
fn a_select_of_references_is_concretised() {
    let text = r#"(module (table 1 funcref) (func (export "f") (param i32) (result i32)
        (ref.is_null (select (result funcref) (ref.null func) (ref.func 0) (local.get 0))))
        (elem declare func 0))"#;
    let mut ran = run(text, &[1]);
    assert_eq!(ran.number(), 1);
    assert_eq!(ran.reasons(), [Concretisation::Table]);
}

#[test]
fn traps_are_events_in_the_order_of_their_checks() {
    let text = r#"(module (func (export "f") (param i32 i32) (result i32)
        (i32.div_s (local.get 0) (local.get 1))))"#;
    let (zero, overflow) = (TrapKind::IntegerDivideByZero, TrapKind::IntegerOverflow);
    let mut ran = run(text, &[7, 2]);
    assert_eq!(ran.number(), 3);
    assert_eq!(ran.events(), [held(zero), held(overflow)]);
    let mut ran = run(text, &[7, 0]);
    assert_eq!(ran.events(), [EventKind::Trap { kind: zero, trapped: true }]);
    let at = ran.interpreter.path().events[0].at;
    assert_eq!(ran.outcome, Err(Stop::Trap { kind: zero, at: Some(at) }));
    let mut ran = run(text, &[1 << 31, u32::MAX]);
    assert_eq!(ran.events(), [held(zero), EventKind::Trap { kind: overflow, trapped: true }]);
}

#[test]
fn memory_keeps_terms() {
    let text = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        (i32.store (i32.const 100) (local.get 0))
        (memory.copy (i32.const 200) (i32.const 101) (i32.const 2))
        (i32.store8 (i32.const 201) (i32.const 0xff))
        (i32.load16_u (i32.const 200))))"#;
    let mut ran = run(text, &[0x1234_5678]);
    assert_eq!(ran.number(), 0xff56);
    assert_eq!(ran.number_if(0xabcd), 0xffab);
    assert_eq!(ran.events(), []);
    let text = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        (i32.store (i32.const 100) (local.get 0)) (i32.load (i32.const 100))))"#;
    let ran = run(text, &[1]);
    let terms = ran.interpreter.terms();
    let parameter = terms.find_symbol("p0").map(|symbol| terms.symbol_term(symbol));
    assert_eq!(Some(ran.result()), parameter, "bytes put together again are the value itself");
}

#[test]
fn an_address_with_few_values_stays_a_term() {
    let text = r#"(module (memory 1) (data (i32.const 16) "abcdefgh")
      (func (export "f") (param i32) (result i32)
        (i32.load8_u offset=16 (i32.and (local.get 0) (i32.const 7)))))"#;
    let mut ran = run(text, &[2]);
    assert_eq!(ran.events(), []);
    let letters: Vec<u64> = (0..8).map(|value| ran.number_if(value)).collect();
    assert_eq!(letters, (97..105).collect::<Vec<u64>>());
}

#[test]
fn an_address_with_many_values_is_checked_then_concretised() {
    let text = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        (i32.store offset=4 (local.get 0) (i32.const 77)) (i32.load offset=4 (local.get 0))))"#;
    let mut ran = run(text, &[1000]);
    assert_eq!(ran.number(), 77);
    let access = [held(TrapKind::MemoryOutOfBounds), ran.events()[1]];
    assert_eq!(ran.events(), [access[0], access[1], access[0], access[1]]);
    assert!(matches!(access[1], EventKind::Concretised { value: 1004, reason: Concretisation::Address, .. }));
    let mut ran = run(text, &[65532]);
    let trap = EventKind::Trap { kind: TrapKind::MemoryOutOfBounds, trapped: true };
    assert_eq!(ran.events(), [trap]);
}

#[test]
fn a_stored_byte_may_be_at_several_addresses() {
    let text = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        (i32.store8 offset=50 (i32.and (local.get 0) (i32.const 3)) (i32.const 9))
        (i32.load (i32.const 50))))"#;
    let mut ran = run(text, &[0]);
    assert_eq!(ran.events(), []);
    let values: Vec<u64> = (0..4).map(|value| ran.number_if(value)).collect();
    assert_eq!(values, [9, 9 << 8, 9 << 16, 9 << 24]);
}

#[test]
fn what_cannot_stay_a_term_is_concretised_for_a_reason() {
    let reasons = |text: &str, value: u32| run(text, &[value]).reasons();
    let cases: [(&str, Concretisation, usize); 8] = [
        ("(drop (memory.grow (local.get 0)))", Concretisation::Grow, 1),
        ("(memory.fill (local.get 0) (i32.const 1) (local.get 0))", Concretisation::Bulk, 2),
        ("(table.set (local.get 0) (ref.null func))", Concretisation::Table, 1),
        ("(call_indirect (local.get 0))", Concretisation::Table, 1),
        ("(throw 0 (local.get 0))", Concretisation::Exception, 1),
        ("(i32.store 1 (i32.const 0) (local.get 0))", Concretisation::OtherMemory, 1),
        ("(drop (i32x4.splat (local.get 0)))", Concretisation::Simd, 1),
        ("(i32.store (i32.const 3) (local.get 0)) (drop (v128.load (i32.const 0)))", Concretisation::Simd, 1),
    ];
    for (code, reason, count) in cases {
        let text = format!(
            "(module (memory 1) (memory 1) (table 5 funcref) (elem (i32.const 2) 0) (tag (param i32)) (func)
              (func (export \"f\") (param i32) {code}))"
        );
        assert_eq!(reasons(&text, 2), vec![reason; count], "{code}");
    }
}

#[test]
fn exceptions_are_caught_across_calls_and_tail_calls() {
    let text = r#"(module (tag $t (param i32)) (tag $u)
      (func $throw (param i32) (result i32) (throw $t (i32.add (local.get 0) (i32.const 1))))
      (func $tail (param i32) (result i32)
        (block $u (try_table (catch $u $u) (return_call $throw (local.get 0)))) (i32.const 0))
      (func (export "f") (param i32) (result i32)
        (block $caught (result i32)
          (try_table (result i32) (catch $t $caught) (call $tail (local.get 0))))))"#;
    let mut ran = run(text, &[41]);
    assert_eq!(ran.number(), 42);
    assert_eq!(ran.reasons(), [Concretisation::Exception]);
}

#[test]
fn recursion_ends_at_the_limit_and_loops_at_the_steps() {
    let text = r#"(module (func $f (export "f") (param i32) (result i32)
        (if (result i32) (local.get 0) (then (call $f (local.get 0))) (else (loop (br 0)) (i32.const 1)))))"#;
    assert_eq!(run(text, &[1]).outcome, Err(Stop::StackExhausted));
    let mut interpreter = Interpreter::new(Limits { steps: 1000, ..Limits::default() });
    let instance =
        interpreter.instantiate(Arc::new(common::program(text)), &[], &mut NoHost).expect("it starts");
    let Some(Item::Func(function)) = interpreter.export(instance, "f") else { panic!("f is exported") };
    let zero = Value::Number(interpreter.terms_mut().constant(32, 0));
    assert_eq!(interpreter.call(function, &[zero], &mut NoHost), Err(Stop::OutOfSteps));
    assert_eq!(interpreter.steps(), 1001);
}

/// A host with one function, which reads a byte of memory and returns a new input; it counts steps.
#[derive(Default)]
struct Asking {
    seen: Vec<u64>,
    steps: usize,
}

impl Host for Asking {
    fn call(&mut self, number: u32, args: &[Value], context: &mut Context<'_>) -> Result<Vec<Value>, Stop> {
        assert_eq!(number, 7);
        let address = context.concretise(args[0]);
        let byte = context.byte(address).ok_or(context.refuse())?;
        let value = context.interpreter().value(byte);
        self.seen.push(value);
        let answer = context.interpreter().input("answer", 32, 30);
        assert!(context.set_byte(address, byte) && !context.set_byte(65536, byte));
        Ok(vec![Value::Number(answer)])
    }

    fn executed(&mut self, _: &Step<'_>) {
        self.steps += 1;
    }
}

#[test]
fn host_functions_see_terms_and_give_new_inputs() {
    let text = r#"(module (import "host" "ask" (func $ask (param i32) (result i32))) (memory (export "memory") 1)
      (data (i32.const 5) "x")
      (func (export "f") (param i32) (result i32) (i32.mul (local.get 0) (call $ask (local.get 0)))))"#;
    let mut interpreter = Interpreter::new(Limits::default());
    let i32s = vec![wasmparser::ValType::I32];
    let signature = Signature { params: i32s.clone(), results: i32s };
    let ask = interpreter.add_function(HostFunction { number: 7, signature });
    let mut host = Asking::default();
    let program = Arc::new(common::program(text));
    let instance = interpreter.instantiate(program, &[ask], &mut host).expect("it starts");
    let Some(Item::Func(function)) = interpreter.export(instance, "f") else { panic!("f is exported") };
    let five = interpreter.input("five", 32, 5);
    let results = interpreter.call(function, &[Value::Number(five)], &mut host).expect("it returns");
    let [Value::Number(product)] = results[..] else { panic!("one number") };
    assert_eq!(interpreter.value(product), 150);
    assert_eq!(interpreter.terms().symbols_of(product).len(), 2, "the answer stays a term");
    assert_eq!((host.seen, host.steps), (vec![120], 2));
    assert!(matches!(
        interpreter.path().events[..],
        [coax_execute::Event {
            kind: EventKind::Concretised { reason: Concretisation::Import, value: 5, .. },
            ..
        }]
    ));
}
