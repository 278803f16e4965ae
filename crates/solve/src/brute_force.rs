//! Tests of the layers that need no solver, on random questions that are small enough to try all values.

use crate::problems::queries::{RandomPath, Theory};
use crate::{Answer, Budget, Layer, Nothing, Query, Stack};
use coax_term::{Evaluator, Model, Symbol, Term, Terms, mask};

/// Whether some values make all conditions hold.
fn is_satisfiable(terms: &Terms, symbols: &[Symbol], conditions: &[Term]) -> bool {
    let widths: Vec<u8> = symbols.iter().map(|&symbol| terms.symbol_width(symbol)).collect();
    let mut evaluator = Evaluator::new();
    (0..1_u64 << widths.iter().sum::<u8>()).any(|mut point| {
        let mut model = Model::new();
        for (&symbol, &width) in symbols.iter().zip(&widths) {
            model.set(symbol, point & mask(width));
            point >>= width;
        }
        evaluator.reset();
        conditions.iter().all(|&condition| evaluator.eval(terms, &model, condition) == 1)
    })
}

/// All questions along a random path; how many were answered, and how many not.
fn judge_path(stack: &mut Stack, seed: u64, widths: &[u8]) -> (usize, usize) {
    let theory = if seed.is_multiple_of(5) { Theory::Floats } else { Theory::BitVectors };
    let mut path = RandomPath::new(theory, seed, widths);
    let symbols = path.symbols();
    let (mut answered, mut open) = (0, 0);
    for _ in 0..8 {
        let goal = path.goal(3);
        let query = Query { assumptions: &path.assumptions, goal, hint: &path.hint };
        match stack.solve(&mut path.terms, &query, &mut Budget::unlimited()) {
            Answer::Sat(model) => {
                answered += 1;
                for condition in query.conditions() {
                    assert_eq!(path.terms.eval(condition, &model), 1, "seed {seed}");
                }
            }
            Answer::Unsat(mut core) => {
                answered += 1;
                assert!(
                    core.iter().all(|term| path.assumptions.contains(term)),
                    "seed {seed}: a core of others"
                );
                core.push(goal);
                assert!(!is_satisfiable(&path.terms, &symbols, &core), "seed {seed}: wrongly unsatisfiable");
            }
            Answer::Unknown(_) => open += 1,
        }
        path.go_on(goal);
    }
    for (name, counts) in stack.counts() {
        assert_eq!(counts.wrong, 0, "seed {seed}: {name} gave a wrong model");
    }
    (answered, open)
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut stack = Stack::above(Box::new(Nothing));
    let (mut answered, mut open) = (0, 0);
    for seed in 1..1200 {
        let widths: &[u8] = match seed % 4 {
            0 => &[8],
            1 => &[5, 5],
            2 => &[3, 4, 4],
            _ => &[8, 3],
        };
        let (yes, no) = judge_path(&mut stack, seed, widths);
        answered += yes;
        open += no;
    }
    // All of these are about few values.
    assert!(answered > 30 * open, "{answered} answered, {open} left open");
}

#[test]
fn larger_symbols_get_no_wrong_answers() {
    let mut stack = Stack::above(Box::new(Nothing));
    let mut answered = 0;
    for seed in 1..300 {
        answered += judge_path(&mut stack, seed, if seed % 2 == 0 { &[12] } else { &[9, 2] }).0;
    }
    assert!(answered > 0);
}
