//! The concolic walk, judged by trying all values and by evaluation.

#[path = "../../term/tests/support/mod.rs"]
mod support;

use coax_solve::{Answer, Budget, Layer, Query, Reason, Walk, WalkOptions};
use coax_term::{Algebra, Binary, Function, Functions, Model, NoFunctions, Term, Terms};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Expr, Random, Shape};

/// Every function squares its argument.
struct Squares;

impl Functions for Squares {
    fn apply(&mut self, _: Function, arguments: &[u64]) -> Option<u64> {
        Some(arguments.first()?.wrapping_mul(arguments[0]))
    }
}

fn walk(terms: &mut Terms, conditions: &[Term], functions: Box<dyn Functions + Send>, effort: u64) -> Answer {
    let (&goal, assumptions) = conditions.split_last().expect("a condition");
    let query = Query { assumptions, goal, hint: &Model::new() };
    Walk::new(WalkOptions::default(), functions).solve(terms, &query, &mut Budget::effort(effort))
}

fn parse(terms: &mut Terms, texts: &[&str]) -> Vec<Term> {
    texts.iter().map(|text| terms.parse(text).expect("a condition")).collect()
}

#[test]
fn it_finds_what_there_is_and_nothing_else() {
    let mut random = Random(11);
    let shape = Shape { symbols: &[6, 4, 1], widest: 16 };
    let (mut common, mut none) = (0, 0);
    for case in 0..400 {
        let mut terms = Terms::new();
        let conditions: Vec<Term> = (0..1 + random.below(3))
            .map(|_| Expr::random(&mut random, &shape, 1, 4).build(&mut terms))
            .collect();
        let symbols: Vec<_> = terms.symbols().collect();
        let points = 1u64 << symbols.iter().map(|&s| terms.symbol_width(s)).sum::<u8>();
        let solutions = (0..points).filter(|&point| {
            let mut rest = point;
            let mut model = Model::new();
            for &symbol in &symbols {
                let width = terms.symbol_width(symbol);
                model.set(symbol, rest & coax_term::mask(width));
                rest >>= width;
            }
            conditions.iter().all(|&condition| terms.eval(condition, &model) == 1)
        });
        let solutions = solutions.count() as u64;
        match walk(&mut terms, &conditions, Box::new(NoFunctions), 20_000) {
            Answer::Sat(model) => {
                assert!(
                    conditions.iter().all(|&c| terms.eval(c, &model) == 1),
                    "a wrong model in case {case}"
                );
            }
            Answer::Unsat(_) => panic!("the walk cannot know that, in case {case}"),
            Answer::Unknown(_) => assert!(solutions == 0, "{solutions} of {points} not found in case {case}"),
        }
        common += u32::from(solutions > 0 && solutions < points);
        none += u32::from(solutions == 0);
    }
    assert!(common > 100 && none > 20, "{common} with and {none} without solutions");
}

#[test]
fn the_same_seed_walks_the_same_way() {
    let texts = ["(eq (mul x:64 y:64) 998244353000000:64)", "(ult x y)", "(ult 1000:64 x)"];
    let run = |seed: u64| {
        let mut terms = Terms::new();
        let conditions = parse(&mut terms, &texts);
        let query = Query { assumptions: &conditions[1..], goal: conditions[0], hint: &Model::new() };
        let options = WalkOptions { seed, ..WalkOptions::default() };
        let mut budget = Budget::effort(300_000);
        let answer = Walk::new(options, Box::new(NoFunctions)).solve(&mut terms, &query, &mut budget);
        (answer, budget.left())
    };
    assert_eq!(run(3), run(3));
    assert!(matches!(run(3).0, Answer::Sat(_)));
    assert!((0..20).any(|seed| run(seed).0 != run(3).0), "seeds make no difference");
}

#[test]
fn it_stops_when_the_budget_is_spent() {
    let mut terms = Terms::new();
    let conditions = parse(&mut terms, &["(feq (fmul x:64 x) 13830554455654793216:64)"]);
    let answer = walk(&mut terms, &conditions, Box::new(NoFunctions), 5_000);
    assert!(matches!(answer, Answer::Unknown(Reason::Budget(_))), "{answer:?}");
}

#[test]
fn what_depends_on_no_symbol_is_decided_at_once() {
    let mut terms = Terms::new();
    let conditions = [terms.falsity()];
    let answer = walk(&mut terms, &conditions, Box::new(NoFunctions), u64::MAX);
    assert!(matches!(answer, Answer::Unknown(Reason::NotFound(_))));
    let conditions = parse(&mut terms, &["(eq (apply f:32 3:32) 9:32)"]);
    assert!(matches!(walk(&mut terms, &conditions, Box::new(Squares), u64::MAX), Answer::Sat(_)));
    let conditions = parse(&mut terms, &["(eq (apply f:32 3:32) 8:32)"]);
    assert!(matches!(walk(&mut terms, &conditions, Box::new(Squares), u64::MAX), Answer::Unknown(_)));
}

#[test]
fn models_say_the_values_of_functions() {
    let mut terms = Terms::new();
    let conditions = parse(
        &mut terms,
        &["(eq (apply f:32 (add x:32 1:32)) 1522756:32)", "(slt x 2000:32)", "(slt 0:32 x)"],
    );
    let Answer::Sat(model) = walk(&mut terms, &conditions, Box::new(Squares), 2_000_000) else {
        panic!("1233 is a solution");
    };
    assert!(conditions.iter().all(|&condition| terms.eval(condition, &model) == 1));
    let f = terms.find_function("f").expect("it was made");
    assert_eq!(model.given_at(f, &[1234]), Some(1_522_756));
}

#[test]
fn a_function_that_nobody_knows_solves_nothing() {
    let mut terms = Terms::new();
    let conditions = parse(&mut terms, &["(eq (apply f:32 x:32) 0:32)"]);
    let answer = walk(&mut terms, &conditions, Box::new(NoFunctions), 5_000);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
}

#[test]
fn terms_may_be_deep() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", 32), terms.symbol("y", 32));
    let mut deep = x;
    for _ in 0..50_000 {
        let product = terms.binary(Binary::Mul, deep, y);
        deep = terms.binary(Binary::Xor, product, x);
    }
    let constant = terms.constant(32, 12345);
    let conditions = [terms.binary(Binary::Eq, deep, constant), terms.binary(Binary::Slt, x, y)];
    let answer = walk(&mut terms, &conditions, Box::new(NoFunctions), 250_000);
    assert!(!matches!(answer, Answer::Unsat(_)));
    let too_little = walk(&mut terms, &conditions, Box::new(NoFunctions), 1_000);
    assert!(matches!(too_little, Answer::Unknown(Reason::Budget(_))));
}

/// Answers with nothing, and counts how often it was asked.
struct Counting(Arc<AtomicUsize>);

impl Layer for Counting {
    fn solve(&mut self, _: &mut Terms, _: &Query<'_>, _: &mut Budget) -> Answer {
        self.0.fetch_add(1, Ordering::Relaxed);
        Answer::Sat(Model::new())
    }
}

#[test]
fn another_layer_is_asked_for_the_linear_part_only_if_it_is_needed() {
    let texts = ["(ult x:8 200:8)", "(ult y:8 200:8)", "(eq (mul x y) 77:8)"];
    let mut terms = Terms::new();
    let easy = parse(&mut terms, &texts);
    let asked = Arc::new(AtomicUsize::new(0));
    let mut walk = Walk::new(WalkOptions::default(), Box::new(NoFunctions))
        .with_linear(Box::new(Counting(asked.clone())));
    let mut ask = |terms: &mut Terms, conditions: &[Term]| {
        let (&goal, assumptions) = conditions.split_last().expect("a condition");
        let query = Query { assumptions, goal, hint: &Model::new() };
        let answer = walk.solve(terms, &query, &mut Budget::effort(10_000));
        (answer, asked.load(Ordering::Relaxed))
    };
    assert!(matches!(ask(&mut terms, &easy), (Answer::Sat(_), 0)));
    // No way leads into an empty polytope.
    let mut hard =
        parse(&mut terms, &["(ult (add (zext 16 x) (zext 16 y)) 5:16)", "(ult 9:8 x)", "(ult 9:8 y)"]);
    hard.extend(easy);
    assert!(matches!(ask(&mut terms, &hard), (Answer::Unknown(_), 1)));
}
