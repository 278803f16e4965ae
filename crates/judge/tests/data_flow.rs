//! The modules dense in data flow are what they are meant to be: valid, full of every operator, and mostly free of traps.

use coax_judge::random::{self, Judgement, Source, Subject};
use coax_judge::transform;
use std::collections::BTreeSet;
use wasmparser::{Operator, Parser, Payload, Validator};

fn modules() -> impl Iterator<Item = Vec<u8>> {
    let module = |seed| Source::Data.module(seed, Source::Data.size(seed));
    (0..500).map(move |seed| module(seed).expect("there is a module for each seed"))
}

#[test]
fn every_module_is_valid() {
    for (seed, wasm) in modules().enumerate() {
        let validated = Validator::new_with_features(coax_program::FEATURES).validate_all(&wasm);
        assert!(validated.is_ok(), "seed {seed}: {:?}", validated.err());
    }
}

/// The proposals all of whose operators must occur, but for `MISSING`.
const PROPOSALS: [&str; 7] = [
    "mvp",
    "sign_extension",
    "saturating_float_to_int",
    "bulk_memory",
    "exceptions",
    "tail_call",
    "reference_types",
];

/// Operators of these proposals that do nothing, or that nothing accepts.
const MISSING: [&str; 2] = ["Nop", "TypedSelectMulti"];

/// Some of the vector operators.
const VECTOR: [&str; 9] = [
    "V128Load",
    "V128Store",
    "V128Load32Zero",
    "V128Load16Lane",
    "V128Store8Lane",
    "I64x2Splat",
    "F32x4Splat",
    "I8x16ExtractLaneS",
    "I32x4ReplaceLane",
];

/// Each operator with the proposal it came with.
fn operators() -> Vec<(&'static str, &'static str)> {
    macro_rules! list {
        ($(@$proposal:ident $op:ident $({ $($argument:ident: $ty:ty),* })? => $visit:ident ($($annotation:tt)*))*) => {
            vec![$((stringify!($proposal), stringify!($op))),*]
        };
    }
    wasmparser::for_each_operator!(list)
}

fn name(operator: &Operator<'_>) -> String {
    let debug = format!("{operator:?}");
    debug.split([' ', '(']).next().unwrap_or_default().to_string()
}

/// The names of the operators of each function of a module.
fn bodies(wasm: &[u8]) -> Vec<Vec<String>> {
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::CodeSectionEntry(body) = payload.expect("a module") {
            let operators = body.get_operators_reader().expect("operators").into_iter();
            bodies.push(operators.map(|operator| name(&operator.expect("an operator"))).collect());
        }
    }
    bodies
}

#[test]
fn every_operator_occurs() {
    let seen: BTreeSet<String> = modules().flat_map(|wasm| bodies(&wasm)).flatten().collect();
    let wanted = operators().into_iter().filter(|(proposal, _)| PROPOSALS.contains(proposal));
    let wanted = wanted.map(|(_, operator)| operator).filter(|operator| !MISSING.contains(operator));
    let absent: Vec<&str> = wanted.chain(VECTOR).filter(|operator| !seen.contains(*operator)).collect();
    assert!(absent.is_empty(), "{absent:?}");
}

/// What an access did must be known before control leaves by an exception, though no operator between needs it.
#[test]
fn exceptions_come_right_after_loads_and_stores() {
    let mut seen = BTreeSet::new();
    for body in modules().flat_map(|wasm| bodies(&wasm)) {
        let mut access = None;
        for operator in &body {
            match operator.as_str() {
                "Throw" | "ThrowRef" => seen.extend(access.take().map(|access| (access, operator.clone()))),
                "LocalGet" | "LocalSet" => {}
                _ if operator.ends_with("Const") => {}
                _ if operator.contains("Store") => access = Some("store"),
                _ if operator.contains("Load") => access = Some("load"),
                _ => access = None,
            }
        }
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn most_runs_return_and_nearly_all_end() {
    let judgement = Judgement { source: Source::Data, subject: Subject::Transformed(transform::plain) };
    let tally = random::campaign(judgement, 2_000, 7, &mut |_| {}).expect("wasmtime works here");
    assert!(tally.differences.is_empty(), "{:?}", tally.differences);
    assert!(tally.returned * 4 > tally.runs * 3, "{tally:?}");
    assert!((tally.out_of_fuel + tally.out_of_stack) * 10 < tally.runs, "{tally:?}");
    assert!(tally.faulted.len() >= 5, "each kind of trap happens now and then: {tally:?}");
}

#[test]
fn runs_record_many_events() {
    let judgement = Judgement { source: Source::Data, subject: Subject::Events };
    let tally = random::campaign(judgement, 500, 7, &mut |_| {}).expect("wasmtime works here");
    let differences: Vec<_> = tally.differences.iter().map(|found| (found.seed, &found.what)).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(tally.events >= tally.runs * 15, "{} events in {} runs", tally.events, tally.runs);
}

#[test]
fn instrumented_data_flow_is_the_same() {
    let judgement =
        Judgement { source: Source::Data, subject: Subject::Transformed(transform::instrumented) };
    let tally = random::campaign(judgement, 1_000, 7, &mut |_| {}).expect("wasmtime works here");
    let differences: Vec<_> = tally.differences.iter().map(|found| (found.seed, &found.what)).collect();
    assert!(differences.is_empty(), "{differences:#?}");
}
