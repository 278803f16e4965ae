//! Modules that call WASI: they are valid, each function is called in every way, and both engines do the same with them.

use coax_execute::{Path, Variant, instrument};
use coax_judge::random::{self, Judgement, Sabotage, Source, Subject, Tally};
use coax_program::Program;
use coax_term::Terms;
use std::collections::{BTreeMap, BTreeSet};
use wasmparser::{ElementItems, Operator, Parser, Payload, TypeRef, Validator};

fn modules(count: u64) -> impl Iterator<Item = Vec<u8>> {
    let module = |seed| Source::Services.module(seed, Source::Services.size(seed));
    (0..count).map(move |seed| module(seed).expect("there is a module for each seed"))
}

#[test]
fn every_module_is_valid_and_can_be_instrumented() {
    for (seed, wasm) in modules(300).enumerate() {
        let validated = Validator::new_with_features(coax_program::FEATURES).validate_all(&wasm);
        assert!(validated.is_ok(), "seed {seed}: {:?}", validated.err());
        let program = Program::parse(wasm).expect("a valid module");
        assert!(instrument(&program, Variant::Cells).is_ok(), "seed {seed}");
    }
}

/// How a module can come to an imported function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Call,
    TailCall,
    Table,
}

/// The imported functions of a module, and the ways in which they are called; whether there is a start function.
fn ways(wasm: &[u8]) -> (BTreeMap<String, BTreeSet<Way>>, bool) {
    let (mut imports, mut ways, mut starts) = (Vec::new(), BTreeMap::<String, BTreeSet<Way>>::new(), false);
    for payload in Parser::new(0).parse_all(wasm) {
        let mut note = |function: u32, way| {
            if let Some(name) = imports.get(function as usize) {
                ways.entry(String::clone(name)).or_default().insert(way);
            }
        };
        match payload.expect("a module") {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.expect("an import");
                    assert!(matches!(import.ty, TypeRef::Func(_)));
                    imports.push(import.name.to_string());
                }
            }
            Payload::StartSection { .. } => starts = true,
            Payload::ElementSection(section) => {
                for element in section {
                    let element = element.expect("a segment");
                    let is_active = matches!(element.kind, wasmparser::ElementKind::Active { .. });
                    if let (true, ElementItems::Functions(functions)) = (is_active, element.items) {
                        functions
                            .into_iter()
                            .for_each(|function| note(function.expect("a number"), Way::Table));
                    }
                }
            }
            Payload::CodeSectionEntry(body) => {
                for operator in body.get_operators_reader().expect("operators") {
                    match operator.expect("an operator") {
                        Operator::Call { function_index } => note(function_index, Way::Call),
                        Operator::ReturnCall { function_index } => note(function_index, Way::TailCall),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    (ways, starts)
}

#[test]
fn every_function_is_called_in_every_way() {
    let mut all = BTreeMap::<String, BTreeSet<Way>>::new();
    let mut starts = 0;
    for wasm in modules(1_500) {
        let (ways, has_start) = ways(&wasm);
        starts += usize::from(has_start);
        ways.into_iter().for_each(|(name, ways)| all.entry(name).or_default().extend(ways));
    }
    assert!(all.len() == 46 && starts > 200, "{} functions, {starts} start functions", all.len());
    let incomplete: Vec<_> = all.iter().filter(|(_, ways)| ways.len() < 3).collect();
    assert!(incomplete.is_empty(), "{incomplete:?}");
}

/// Judges so many runs at least, of which most must return.
fn assert_no_difference(subject: Subject) {
    let tally = random::campaign(Judgement { source: Source::Services, subject }, 300, 7, &mut |_| {});
    let tally = tally.expect("wasmtime works here");
    let differences: Vec<_> = tally.differences.iter().map(|found| (found.seed, &found.what)).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(tally.returned * 2 > tally.runs && tally.events > tally.runs * 8, "{tally:?}");
}

#[test]
fn both_engines_record_the_same_events() {
    assert_no_difference(Subject::Events);
}

#[test]
fn paths_are_right_about_other_inputs() {
    assert_no_difference(Subject::Mutants);
}

fn sabotaged(path: fn(&mut Path, &mut Terms)) -> Tally {
    let subject = Subject::Sabotaged(Sabotage { path, ..Sabotage::NONE });
    random::campaign(Judgement { source: Source::Services, subject }, 50, 7, &mut |_| {})
        .expect("wasmtime works here")
}

#[test]
fn a_concretisation_less_is_noticed() {
    use coax_execute::EventKind;
    let tally = sabotaged(|path, _| {
        let is_it = |kind: &EventKind| matches!(kind, EventKind::Concretised { .. });
        if let Some(place) = path.events.iter().rposition(|event| is_it(&event.kind)) {
            path.events.remove(place);
        }
    });
    assert!(!tally.differences.is_empty(), "{tally:?}");
}
