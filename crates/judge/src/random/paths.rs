//! Paths: what the reference interpreter says of one input must hold of others.
//!
//! It runs each function with symbols for arguments. The run itself must do what wasmtime does. Its path then predicts
//! runs on other arguments: as long as the conditions hold the events are the same; at the first that does not, the other
//! run decides differently at the same operator; and if all hold, it ends in the same way with what the terms of the results say.

use super::generate::Random;
use super::observe::{Compiled, Instantiated, Outcome};
use super::reference::{Ran, Reference, State, number};
use super::{Tally, VECTORS};
use crate::machine::{Failure, Fault, Value};
use coax_execute::reference::Stop;
use coax_execute::{Event, EventKind};
use coax_term::{Evaluator, Term};
use wasmtime::Engine;

/// Compares all runs of one module; the error says what differs.
pub(super) fn compare(engine: &Engine, seed: u64, wasm: &[u8], tally: &mut Tally) -> Result<(), String> {
    let plain = Compiled::plain(engine, wasm).map_err(|error| format!("wasmtime refuses it: {error:#}"))?;
    let reference = Reference::new(wasm, plain.imports())?;
    let mut random = Random::new(seed);
    for function in plain.functions() {
        let mut vectors: Vec<Vec<Value>> = (0..VECTORS).map(|_| function.arguments(&mut random)).collect();
        vectors.extend(neighbours(&vectors));
        let mut runs = Vec::new();
        for args in &vectors {
            let failed = |what: String| format!("`{}` with {args:?}: {what}", function.name);
            match run(&plain, &reference, &function.name, args, tally).map_err(failed)? {
                Started::Ran(known) => runs.push((args, known)),
                Started::Limited => {}
                Started::Dead => return Ok(()),
            }
        }
        for (args, known) in &runs {
            // What is no symbol is a constant of the terms.
            for (others, other) in runs.iter().filter(|(others, _)| constants(args) == constants(others)) {
                if let Err(what) = predict(known, other, others) {
                    return Err(format!("`{}` with {args:?}, then {others:?}: {what}", function.name));
                }
            }
        }
    }
    Ok(())
}

/// The first arguments, each number changed a little: those often take nearly the same path.
fn neighbours(vectors: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let Some(first) = vectors.first() else { return Vec::new() };
    let changed = |place: usize| {
        let mut args = first.clone();
        args[place] = match args[place] {
            Value::I32(bits) => Value::I32(bits.wrapping_add(1)),
            Value::I64(bits) => Value::I64(bits.wrapping_add(1)),
            Value::F32(bits) => Value::F32(bits ^ 1 << 31),
            Value::F64(bits) => Value::F64(bits ^ 1 << 63),
            other => other,
        };
        args
    };
    (0..first.len()).filter(|&place| number(first[place]).is_some()).map(changed).collect()
}

/// The arguments that are no numbers, and so no symbols.
fn constants(args: &[Value]) -> Vec<Value> {
    args.iter().copied().filter(|&arg| number(arg).is_none()).collect()
}

/// A run that was judged.
struct Known {
    ran: Ran,
    state: State,
}

enum Started {
    Ran(Box<Known>),
    /// A limit ended the run, so there is nothing to compare.
    Limited,
    /// The module cannot be instantiated.
    Dead,
}

/// Runs on both sides; both must do the same, and the path must be true.
fn run(
    plain: &Compiled,
    reference: &Reference,
    name: &str,
    args: &[Value],
    tally: &mut Tally,
) -> Result<Started, String> {
    let mut live = match plain.instantiate() {
        Instantiated::Live(live) => live,
        Instantiated::Dead(expected) => {
            tally.dead_modules = 1;
            return match reference.run(name, args) {
                _ if expected.is_out_of_fuel() => Ok(Started::Dead),
                Err(failure) if same_fault(&expected, &failure) => Ok(Started::Dead),
                Err(failure) => Err(format!("instantiation: {expected}, reference: {failure}")),
                Ok(_) => Err(format!("instantiation: {expected}, reference: it started")),
            };
        }
    };
    let expected = live.call(name, args);
    if expected.is_out_of_fuel() {
        tally.out_of_fuel += 1;
        return Ok(Started::Limited);
    }
    let mut ran =
        reference.run(name, args).map_err(|failure| format!("instantiated, reference: {failure}"))?;
    if expected.is_stack_exhausted() || ran.ended == Err(Stop::StackExhausted) {
        tally.out_of_stack += 1;
        return Ok(Started::Limited);
    }
    let actual = ran.outcome();
    let same = match (&expected, &actual) {
        (Outcome::Returned(expected), Ok(actual)) => expected == actual,
        (expected, Err(failure)) => same_fault(expected, failure),
        _ => false,
    };
    if !same {
        return Err(format!("{expected}, reference: {actual:?}"));
    }
    if live.calls() != ran.calls {
        return Err("imports were called differently".into());
    }
    let state = ran.state();
    if let Some((name, _)) = state.globals.iter().find(|(name, ours)| live.global(name) != Some(ours.plain)) {
        return Err(format!("global `{name}` differs"));
    }
    if let Some((name, _)) = state.memories.iter().find(|(name, ours)| live.memory(name) != Some(&ours.bytes))
    {
        return Err(format!("the bytes of memory `{name}` differ"));
    }
    for event in ran.interpreter.path().events.clone() {
        if ran.interpreter.value(event.condition) != 1 {
            return Err(format!("the condition of {event:?} does not hold"));
        }
    }
    tally.count(&expected);
    Ok(Started::Ran(Box::new(Known { ran, state })))
}

fn same_fault(expected: &Outcome, failure: &Failure) -> bool {
    match (expected, failure) {
        (Outcome::Faulted(Ok(Fault::Trap(expected))), Failure::Trap(actual)) => expected == actual,
        (Outcome::Faulted(Ok(Fault::Exception)), Failure::Exception) => true,
        _ => false,
    }
}

/// Whether a known run's path and terms are right about a run on other arguments.
fn predict(known: &Known, other: &Known, args: &[Value]) -> Result<(), String> {
    let (terms, model) = (known.ran.interpreter.terms(), known.ran.model(args));
    let mut evaluator = Evaluator::new();
    let mut eval = |term| evaluator.eval(terms, &model, term);
    let events = &known.ran.interpreter.path().events;
    let others = &other.ran.interpreter.path().events;
    for (place, event) in events.iter().enumerate() {
        let Some(theirs) = others.get(place) else {
            return Err(format!("event {place} {event:?} should have happened"));
        };
        let holds = eval(event.condition) == 1;
        if event.at != theirs.at || !alike(event, theirs, holds) {
            return Err(format!("event {place} {event:?}, holds: {holds}, but {theirs:?}"));
        }
        let same_condition = terms.same(event.condition, other.ran.interpreter.terms(), theirs.condition);
        if holds != same_condition {
            return Err(format!("event {place} {event:?}: the same term: {same_condition}"));
        }
        if !holds && event.constrains() {
            return Ok(());
        }
    }
    if events.len() != others.len() {
        return Err(format!("events go on after all {} that were predicted", events.len()));
    }
    predict_end(known, other, args, &mut eval)
}

/// Whether two runs on the same path end as the terms of one, evaluated on the arguments of the other, say.
fn predict_end(
    known: &Known,
    other: &Known,
    args: &[Value],
    eval: &mut dyn FnMut(Term) -> u64,
) -> Result<(), String> {
    match (&known.ran.ended, &other.ran.ended) {
        (Err(Stop::Exception(_)), Err(Stop::Exception(_))) => {}
        (Err(expected), Err(actual)) if expected == actual => {}
        (Ok(_), Ok(_)) => {
            let expected: Vec<u64> = known.ran.terms().into_iter().map(&mut *eval).collect();
            let (theirs, model) = (other.ran.interpreter.terms(), other.ran.model(args));
            let actual: Vec<u64> =
                other.ran.terms().into_iter().map(|term| theirs.eval(term, &model)).collect();
            if expected != actual {
                return Err(format!("{expected:?} was predicted, not {actual:?}"));
            }
        }
        (expected, actual) => return Err(format!("{expected:?} was predicted, not {actual:?}")),
    }
    for (name, global) in &known.state.globals {
        let actual = other.state.globals.get(name).and_then(|global| number(global.plain));
        if global.term.map(&mut *eval) != actual.map(|(_, bits)| bits) {
            return Err(format!("global `{name}` was predicted to be another"));
        }
    }
    for (name, cells) in &known.state.memories {
        let mut bytes = cells.bytes.clone();
        for &(address, term) in &cells.terms {
            bytes[address as usize] = eval(term) as u8;
        }
        if other.state.memories.get(name).is_none_or(|actual| actual.bytes != bytes) {
            return Err(format!("other bytes of memory `{name}` were predicted"));
        }
    }
    Ok(())
}

/// Whether two events are the same, or decide the same thing differently.
fn alike(event: &Event, other: &Event, same: bool) -> bool {
    match (event.kind, other.kind) {
        (EventKind::Branch { direction }, EventKind::Branch { direction: other })
        | (EventKind::Select { direction }, EventKind::Select { direction: other }) => {
            (direction == other) == same
        }
        (EventKind::Trap { kind, trapped }, EventKind::Trap { kind: other_kind, trapped: other }) => {
            kind == other_kind && (trapped == other) == same
        }
        (
            EventKind::Concretised { value, reason, .. },
            EventKind::Concretised { value: other, reason: other_reason, .. },
        ) => reason == other_reason && (value == other) == same,
        _ => false,
    }
}
