//! Compiled terms have the values that evaluation says, however few or many variables change between two runs.

mod support;

use coax_term::{
    Algebra, Binary, Compiler, Evaluator, Function, Functions, Interpreter, Model, Symbol, Term, Terms,
};
use support::{Expr, Random, Shape};

/// Every function adds its number and its arguments.
struct Sums;

impl Functions for Sums {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        Some(arguments.iter().fold(function.index() as u64 + 1, |sum, &a| sum.wrapping_add(a)))
    }
}

fn check(terms: &Terms, roots: &[Term], random: &mut Random, runs: usize) {
    let variables: Vec<Symbol> = terms.symbols().collect();
    let mut compiled = Interpreter.compile(terms, roots, &variables).expect("all symbols are variables");
    let mut values: Vec<u64> = vec![0; variables.len()];
    let mut out = vec![0; roots.len()];
    for run in 0..runs {
        let changes = [0, 1, 1, 1, 2, variables.len()][run % 6];
        for _ in 0..changes {
            let variable = random.below(variables.len() as u64) as usize;
            values[variable] = random.number(terms.symbol_width(variables[variable]));
        }
        compiled.run(&mut Sums, &values, &mut out);
        let model: Model = variables.iter().copied().zip(values.iter().copied()).collect();
        let mut evaluator = Evaluator::new();
        for (&root, &value) in roots.iter().zip(&out) {
            assert_eq!(
                Some(value),
                evaluator.eval_with(terms, &model, &mut Sums, root),
                "{root:?} in run {run}"
            );
        }
    }
}

#[test]
fn random_terms_have_their_values() {
    let mut random = Random(7);
    let shape = Shape { symbols: &[8, 32, 64, 1], widest: 64 };
    for _ in 0..300 {
        let mut terms = Terms::new();
        let roots: Vec<Term> = [1, 32, 64]
            .map(|width| Expr::random(&mut random, &shape, width, 5).build(&mut terms))
            .into_iter()
            .collect();
        if terms.symbols().next().is_some() {
            check(&terms, &roots, &mut random, 24);
        }
    }
}

#[test]
fn functions_and_floats_have_their_values() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", 64), terms.symbol("y", 64));
    let (f, g) = (terms.function("f", 64), terms.function("g", 32));
    let sum = terms.binary(Binary::FAdd, x, y);
    let inner = terms.apply(f, &[sum, x]);
    let outer = terms.apply(g, &[inner]);
    let less = terms.binary(Binary::FLt, inner, y);
    let half = terms.extract(y, 16, 32);
    let chosen = terms.ite(less, outer, half);
    check(&terms, &[inner, outer, chosen], &mut Random(3), 600);
}

#[test]
fn a_symbol_that_is_no_variable_is_not_compiled() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", 8), terms.symbol("y", 8));
    let sum = terms.binary(Binary::Add, x, y);
    let first = terms.find_symbol("x").expect("it was made");
    assert!(Interpreter.compile(&terms, &[sum], &[first]).is_none());
}

#[test]
fn who_may_not_go_on_compiles_nothing() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", 8), terms.symbol("y", 8));
    let sum = terms.binary(Binary::Add, x, y);
    let variables: Vec<Symbol> = terms.symbols().collect();
    let compile = |times: u32| {
        let mut left = times;
        let goes_on = &mut || left.checked_sub(1).map(|less| left = less).is_some();
        let is_compiled = Interpreter.compile_while(&terms, &[sum], &variables, goes_on).is_some();
        (is_compiled, left)
    };
    // It asks for the order of the terms, for the steps, and for what depends on each variable.
    assert_eq!([0, 1, 2, 3, 4, 5].map(|times| compile(times).0), [false, false, false, false, true, true]);
    assert_eq!(compile(5), (true, 1));
}
