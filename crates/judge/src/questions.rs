//! Questions as they come up when a program is tested: a small generational search (Godefroid, Levin and Molnar, 2008) that
//! writes down what it asks.

use anyhow::Result;
use coax_execute::{Event, EventKind, Input, Limits, SymbolicModule, Symbols, Variant};
use coax_program::Program;
use coax_solve::questions::{Questions, Step};
use coax_solve::{Answer, Budget, Layer, Query};
use coax_term::{Algebra, Import, Model, Term, Terms};
use std::collections::VecDeque;

/// How many questions are asked of one path: from all over it, if it has more decisions.
const QUESTIONS_OF_A_PATH: usize = 200;
/// What the search itself spends on each.
const EFFORT: u64 = 100_000;

/// The questions of a search that starts from an input, of which the first `symbolic` bytes of standard input are symbols.
pub fn record(
    program: &Program,
    input: &Input,
    symbolic: u64,
    questions: usize,
    layer: &mut dyn Layer,
) -> Result<Questions> {
    let limits = Limits::default();
    let module = SymbolicModule::new(program, Variant::Light, &limits)?;
    let symbols = Symbols { stdin: symbolic, ..Symbols::NONE };
    let mut recorded = Questions::default();
    let mut queue = VecDeque::from([(input.clone(), 0)]);
    let mut asked = 0;
    crate::on_large_stacks(|| {
        while let Some((input, first)) = queue.pop_front() {
            let run = module.run(&input, symbols, &limits)?;
            let mut import = Import::default();
            let events = run.path().events.iter().filter(|event| event.constrains());
            let path: Vec<(Term, bool)> = events
                .map(|event| {
                    (import.apply(&mut recorded.terms, run.terms(), event.condition), is_decision(event))
                })
                .collect();
            module.recycle(run);
            let hint = hint(&input, &recorded.terms);
            recorded.steps.push(Step::Path(hint.clone()));
            let step = path.len().saturating_sub(first).div_ceil(QUESTIONS_OF_A_PATH).max(1);
            let mut assumptions = Vec::new();
            for (place, &(condition, is_decision)) in path.iter().enumerate() {
                if place >= first && (place - first) % step == 0 && is_decision {
                    if asked == questions {
                        return Ok(recorded);
                    }
                    asked += 1;
                    let goal = recorded.terms.not(condition);
                    recorded.steps.push(Step::Ask(goal));
                    let query = Query { assumptions: &assumptions, goal, hint: &hint };
                    let answer = layer.solve(&mut recorded.terms, &query, &mut Budget::effort(EFFORT));
                    if let Answer::Sat(model) = answer {
                        queue.push_back((changed(&input, &recorded.terms, &model), place + 1));
                    }
                }
                assumptions.push(condition);
                recorded.steps.push(Step::Assume(condition));
            }
        }
        Ok(recorded)
    })
}

/// Whether the program could have gone another way.
fn is_decision(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Concretised { .. } | EventKind::Assumption { .. })
}

/// The name of a byte of standard input.
fn name(index: usize) -> String {
    format!("stdin[{index}]")
}

/// The values of an input.
fn hint(input: &Input, terms: &Terms) -> Model {
    let symbol = |(index, &byte): (usize, &u8)| Some((terms.find_symbol(&name(index))?, u64::from(byte)));
    input.stdin.0.iter().enumerate().filter_map(symbol).collect()
}

/// The input with the values of a model.
fn changed(input: &Input, terms: &Terms, model: &Model) -> Input {
    let mut input = input.clone();
    for (index, byte) in input.stdin.0.iter_mut().enumerate() {
        let value = terms.find_symbol(&name(index)).and_then(|symbol| model.given(symbol));
        *byte = value.map_or(*byte, |value| value as u8);
    }
    input
}
