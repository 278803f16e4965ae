//! Events: the instrumented module and the reference interpreter must record the same path.
//!
//! Both run each function with symbols for its arguments. Compared are how the run ends and, event by event, place, decision
//! and the terms, by structure. (Evaluating a path on its own input would not notice a number that is taken for
//! symbolic; this does.) Written and read again, a path must be the same. What instrumented code tells the host beyond that
//! must not change a path: the seed chooses the variant.

use super::generate::Random;
use super::observe::{Compiled, FUEL, MAX_MEMORY_BYTES, MAX_TABLE_ELEMENTS};
use super::reference::Reference;
use super::{Sabotage, Tally, VECTORS};
use crate::machine::reference::trap;
use crate::machine::{Failure, Value};
use coax_execute::reference::Stop;
use coax_execute::{Event, Input, Limits, Outcome, Path, SymbolicEngine, SymbolicModule, Symbols, Variant};
use coax_program::Program;
use coax_term::Terms;
use std::sync::OnceLock;
use wasmtime::Engine;

/// Compares all runs of one module; the error says what differs.
pub(super) fn compare(
    engine: &Engine,
    seed: u64,
    wasm: &[u8],
    sabotage: Sabotage,
    tally: &mut Tally,
) -> Result<(), String> {
    let plain = Compiled::plain(engine, wasm).map_err(|error| format!("wasmtime refuses it: {error:#}"))?;
    if !plain.imports().is_empty() {
        // What a module imports is for the campaigns on concrete values.
        return Ok(());
    }
    let reference = Reference::new(wasm, plain.imports())?;
    let instrumented = (sabotage.module)(wasm).map_err(|error| error.to_string())?;
    let program = Program::parse(instrumented).map_err(|error| error.to_string())?;
    let variant = variant(seed);
    let module = symbolic_engine().module(&program, variant).map_err(|error| error.to_string())?;
    let mut random = Random::new(seed);
    for function in plain.functions() {
        for _ in 0..VECTORS {
            let args = function.arguments(&mut random);
            let compared = compare_run(&reference, &module, &function.name, &args, sabotage.path, tally);
            if let Err(what) = compared {
                return Err(format!("`{}` with {args:?}, variant {variant:?}: {what}", function.name));
            }
        }
    }
    Ok(())
}

/// The variant that a module with this seed is judged with.
pub(super) fn variant(seed: u64) -> Variant {
    // Not by the numbers that make the module, lest the variant depend on what it contains.
    Random::new(seed.rotate_left(32)).pick(&[Variant::Light, Variant::Calls, Variant::Cells])
}

pub(super) fn limits() -> Limits {
    let (memory_bytes, table_elements) = (MAX_MEMORY_BYTES as u64, MAX_TABLE_ELEMENTS as u64);
    // Terms grow with each operator: short runs say as much. The threads of campaigns have room for this much stack.
    Limits { fuel: FUEL / 8, memory_bytes, table_elements, stack_bytes: 1 << 20, ..Limits::default() }
}

pub(super) fn symbolic_engine() -> &'static SymbolicEngine {
    static ENGINE: OnceLock<SymbolicEngine> = OnceLock::new();
    ENGINE.get_or_init(|| SymbolicEngine::new(&limits()).expect("an engine with these limits"))
}

fn compare_run(
    reference: &Reference,
    module: &SymbolicModule<'_>,
    name: &str,
    args: &[Value],
    spoil: fn(&mut Path, &mut Terms),
    tally: &mut Tally,
) -> Result<(), String> {
    let Some(params) = args.iter().map(|&arg| param(arg).map(Into::into)).collect::<Option<Vec<_>>>() else {
        return Ok(());
    };
    let input = Input { entry: Some(name.into()), params, ..Input::default() };
    let run = match module.run(&input, Symbols::default(), &limits()) {
        Ok(run) => run,
        // The module does not even start.
        Err(coax_execute::Error::TooSmall { .. }) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    if !run.bounds.is_empty() {
        tally.out_of_fuel += 1;
        return Ok(());
    }
    let mut known = match reference.run(name, args) {
        Ok(known) => known,
        Err(_) => {
            tally.dead_modules = 1;
            return Ok(());
        }
    };
    let expected = known.outcome();
    if matches!(known.ended, Err(Stop::OutOfSteps | Stop::StackExhausted)) {
        tally.out_of_fuel += 1;
        return Ok(());
    }
    let (mut path, mut terms) = (run.path().clone(), run.terms().clone());
    spoil(&mut path, &mut terms);
    let expected_events = &known.interpreter.path().events;
    compare_events(expected_events, known.interpreter.terms(), &path.events, &terms)?;
    let text = read_again(&path, &terms)?;
    if known.interpreter.path().write(known.interpreter.terms()) != text {
        return Err("the terms have the same hashes, but are not the same".into());
    }
    let actual = module.outcome(run);
    if !agree(&expected, &actual) {
        return Err(format!("reference: {expected:?}, instrumented: {actual:?}"));
    }
    tally.runs += 1;
    tally.events += path.events.len() as u64;
    match expected {
        Ok(_) => tally.returned += 1,
        Err(failure) => *tally.faulted.entry(failure.to_string()).or_default() += 1,
    }
    Ok(())
}

/// A path that is written and read must be the same, node by node. Returns what was written.
pub(super) fn read_again(path: &Path, terms: &Terms) -> Result<String, String> {
    let text = path.write(terms);
    let (read, others) = Path::read(&text).map_err(|error| format!("written and read: {error}\n{text}"))?;
    compare_events(&path.events, terms, &read.events, &others)?;
    let is_same = |(one, other): (&Event, &Event)| terms.same(one.condition, &others, other.condition);
    if !path.events.iter().zip(&read.events).all(is_same) {
        return Err(format!("written and read, a condition has another structure:\n{text}"));
    }
    let again = read.write(&others);
    if again == text { Ok(text) } else { Err(format!("written, read and written:\n{text}\nand\n{again}")) }
}

/// What two engines recorded differently.
pub fn compare_events(left: &[Event], terms: &Terms, right: &[Event], others: &Terms) -> Result<(), String> {
    for (index, (one, other)) in left.iter().zip(right).enumerate() {
        if !one.same(terms, other, others) {
            let show = |event: &Event, terms: &Terms| {
                format!("{:#x} {:?} because {}", event.at, event.kind, terms.display(event.condition))
            };
            return Err(format!(
                "event {index}: reference: {}\ninstrumented: {}",
                show(one, terms),
                show(other, others)
            ));
        }
    }
    if left.len() == right.len() {
        return Ok(());
    }
    let index = left.len().min(right.len());
    let more = left.get(index).map(|event| (event, terms, "reference"));
    let (event, terms, who) = more
        .or_else(|| right.get(index).map(|event| (event, others, "instrumented")))
        .expect("one is longer");
    let condition = terms.display(event.condition);
    Err(format!(
        "reference: {} events, instrumented: {}; only {who}: {:#x} {:?} because {condition}",
        left.len(),
        right.len(),
        event.at,
        event.kind
    ))
}

pub(super) fn param(value: Value) -> Option<coax_execute::Value> {
    use coax_execute::{Reference, Value as V};
    Some(match value {
        Value::I32(bits) => V::I32(bits as i32),
        Value::I64(bits) => V::I64(bits as i64),
        Value::F32(bits) => V::F32(bits),
        Value::F64(bits) => V::F64(bits),
        Value::V128(bits) => V::V128(bits),
        Value::Null => V::Ref(Reference::Null),
        Value::Extern(_) | Value::Func | Value::Exn => return None,
    })
}

fn agree(expected: &Result<Vec<Value>, Failure>, actual: &Outcome) -> bool {
    match (expected, actual) {
        (Ok(expected), Outcome::Returned(actual)) => {
            expected.len() == actual.len()
                && expected
                    .iter()
                    .zip(actual)
                    .all(|(&expected, actual)| param(expected).is_none_or(|e| e == *actual))
        }
        (Err(Failure::Trap(expected)), Outcome::Trapped(actual)) => trap(actual.kind) == Some(*expected),
        (Err(Failure::Exception), Outcome::UncaughtException(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_execute::EventKind;
    use coax_term::Algebra;

    /// A branch at 7 because a byte is below a limit.
    fn branch(limit: u64) -> (Vec<Event>, Terms) {
        let mut terms = Terms::new();
        let (byte, limit) = (terms.symbol("x", 8), terms.constant(8, limit));
        let condition = terms.binary(coax_term::Binary::Ult, byte, limit);
        (vec![Event { at: 7, kind: EventKind::Branch { direction: 1 }, condition }], terms)
    }

    #[test]
    fn every_difference_is_noticed() {
        let (events, terms) = branch(10);
        let differs = |(others, other_terms): (Vec<Event>, Terms)| {
            compare_events(&events, &terms, &others, &other_terms).is_err()
        };
        assert!(!differs(branch(10)));
        assert!(differs(branch(11)), "another condition");
        assert!(differs((Vec::new(), Terms::new())), "an event less");
        let changed = |change: &dyn Fn(&mut Event)| {
            let (mut others, terms) = branch(10);
            change(&mut others[0]);
            (others, terms)
        };
        assert!(differs(changed(&|event| event.at = 8)), "another place");
        assert!(
            differs(changed(&|event| event.kind = EventKind::Branch { direction: 0 })),
            "another direction"
        );
        let (mut twice, terms) = branch(10);
        twice.extend_from_within(..);
        assert!(differs((twice, terms)), "an event more");
    }
}
