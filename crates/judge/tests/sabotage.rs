//! Proof that the campaign of events notices an engine that is wrong: on random modules, with the instrumented side spoilt.

use coax_execute::{Concretisation, Event, EventKind, Path};
use coax_judge::random::{self, Judgement, Sabotage, Source, Subject, Tally};
use coax_judge::transform::Transform;
use coax_term::{Algebra, Terms};
use wasmparser::{Operator, Parser, Payload};

fn campaign(source: Source, sabotage: Sabotage) -> Tally {
    let judgement = Judgement { source, subject: Subject::Sabotaged(sabotage) };
    random::campaign(judgement, 100, 7, &mut |_| {}).expect("wasmtime works here")
}

fn assert_module_noticed(module: Transform) {
    let tally = campaign(Source::Data, Sabotage { module, ..Sabotage::NONE });
    assert!(!tally.differences.is_empty(), "{tally:?}");
}

fn assert_path_noticed(path: fn(&mut Path, &mut Terms)) {
    let tally = campaign(Source::Control, Sabotage { path, ..Sabotage::NONE });
    assert!(!tally.differences.is_empty(), "{tally:?}");
}

#[test]
fn nothing_is_noticed_where_nothing_is_wrong() {
    for source in [Source::Control, Source::Data] {
        let tally = campaign(source, Sabotage::NONE);
        assert!(tally.differences.is_empty(), "{:?}", tally.differences[0].what);
    }
}

#[test]
fn another_direction_is_noticed() {
    assert_path_noticed(|path, _| {
        if let Some(EventKind::Branch { direction }) = path.events.last_mut().map(|event| &mut event.kind) {
            *direction ^= 1;
        }
    });
}

#[test]
fn an_event_less_is_noticed() {
    assert_path_noticed(|path, _| path.events.truncate(path.events.len().saturating_sub(1)));
}

#[test]
fn an_extra_concretisation_is_noticed() {
    assert_path_noticed(|path, terms| {
        let Some(symbol) = terms.find_symbol("param0") else { return };
        let term = terms.symbol_term(symbol);
        let zero = terms.constant(terms.width_of(term), 0);
        let condition = terms.eq(term, zero);
        let kind = EventKind::Concretised { term, value: 0, reason: Concretisation::Address };
        path.events.push(Event { at: 0, kind, condition });
    });
}

#[test]
fn a_condition_that_depends_on_too_much_is_noticed() {
    assert_path_noticed(|path, terms| {
        let Some(event) = path.events.last_mut() else { return };
        let more = terms.symbol("more", 1);
        event.condition = terms.or(event.condition, more);
    });
}

/// The module with the first operator of a kind replaced by another that is as long.
fn replace_first(wasm: &[u8], is_it: fn(&Operator<'_>) -> bool, code: u8) -> anyhow::Result<Vec<u8>> {
    let mut spoilt = wasm.to_vec();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::CodeSectionEntry(body) = payload? {
            for operator in body.get_operators_reader()?.into_iter_with_offsets() {
                let (operator, offset) = operator?;
                if is_it(&operator) {
                    spoilt[offset] = code;
                    return Ok(spoilt);
                }
            }
        }
    }
    Ok(spoilt)
}

#[test]
fn a_wrong_sum_is_noticed() {
    const I32_SUB: u8 = 0x6b;
    assert_module_noticed(|wasm| {
        replace_first(wasm, |operator| matches!(operator, Operator::I32Add), I32_SUB)
    });
}

#[test]
fn a_comparison_with_the_wrong_sign_is_noticed() {
    const I32_LT_U: u8 = 0x49;
    assert_module_noticed(|wasm| {
        replace_first(wasm, |operator| matches!(operator, Operator::I32LtS), I32_LT_U)
    });
}
