//! The bit-blaster against brute force and against the meaning of every operator.

#[path = "../../term/tests/support/mod.rs"]
mod support;

use coax_solve::{Answer, Blast, Budget, Layer, Query, Reason};
use coax_term::{Algebra, Binary, Evaluator, Model, Symbol, Term, Terms, Unary, fold};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use support::{Expr, Random, Shape};

fn ask(blast: &mut Blast, terms: &mut Terms, assumptions: &[Term], goal: Term) -> Answer {
    let query = Query { assumptions, goal, hint: &Model::new() };
    blast.solve(terms, &query, &mut Budget::unlimited())
}

/// The model, which must make all conditions hold.
fn model_of(terms: &Terms, answer: &Answer, conditions: &[Term]) -> Option<Model> {
    let Answer::Sat(model) = answer else { return None };
    let mut evaluator = Evaluator::new();
    for &condition in conditions {
        assert_eq!(evaluator.eval(terms, model, condition), 1, "{condition:?} of {model:?}");
    }
    Some(model.clone())
}

fn symbol(terms: &Terms, name: &str) -> Symbol {
    terms.find_symbol(name).expect("a symbol of the test")
}

#[test]
fn random_conditions_against_all_inputs() {
    let mut random = Random(7);
    let shapes: [(&[u8], u8); 4] = [(&[3, 2], 5), (&[4, 4], 8), (&[1, 1, 3], 4), (&[8], 32)];
    let mut terms = Terms::new();
    let mut solvers = [Blast::new(), Blast::new(), Blast::with_small_conflicts(0)];
    let (mut satisfiable, mut contradictory) = (0, 0);
    for round in 0..3_000 {
        if round % 50 == 0 {
            terms.clear();
        }
        let (symbols, widest) = shapes[round / 50 % shapes.len()];
        let shape = Shape { symbols, widest };
        let exprs: Vec<Expr> = (0..3).map(|_| Expr::random(&mut random, &shape, 1, 4)).collect();
        let conditions: Vec<Term> = exprs.iter().map(|expr| expr.build(&mut terms)).collect();
        let answer = ask(&mut solvers[round % 3], &mut terms, &conditions[..2], conditions[2]);
        let bits: u8 = symbols.iter().sum();
        let holds = |packed: u64, of: &dyn Fn(usize) -> bool| {
            let mut rest = packed;
            let values: Vec<u64> = symbols
                .iter()
                .map(|&width| {
                    let value = rest & fold::mask(width);
                    rest >>= width;
                    value
                })
                .collect();
            (0..3).filter(|&at| of(at)).all(|at| exprs[at].value(&values) == 1)
        };
        match &answer {
            Answer::Sat(_) => {
                satisfiable += 1;
                model_of(&terms, &answer, &conditions);
            }
            Answer::Unsat(core) => {
                contradictory += 1;
                assert!(core.iter().all(|term| conditions[..2].contains(term)));
                let in_core = |at: usize| at == 2 || core.contains(&conditions[at]);
                assert!(!(0..1u64 << bits).any(|packed| holds(packed, &in_core)), "round {round}: {exprs:?}");
            }
            Answer::Unknown(reason) => panic!("round {round}: {reason}"),
        }
    }
    assert!(satisfiable > 300 && contradictory > 300, "{satisfiable} and {contradictory}");
}

/// Asks for the value of an operator when its operands are fixed by assumptions, several times.
fn judge(
    terms: &mut Terms,
    blast: &mut Blast,
    operands: &[Term],
    result: Term,
    rounds: &mut dyn Iterator<Item = Vec<u64>>,
    meaning: &dyn Fn(&[u64]) -> u64,
) {
    let out = terms.symbol(&format!("out{}", terms.width_of(result)), terms.width_of(result));
    let goal = terms.eq(result, out);
    for values in rounds {
        let mut fixed = Vec::new();
        for (&operand, &value) in operands.iter().zip(&values) {
            let value = terms.constant(terms.width_of(operand), value);
            fixed.push(terms.eq(operand, value));
        }
        let answer = ask(blast, terms, &fixed, goal);
        let Answer::Sat(model) = &answer else { panic!("{values:?}: {answer:?}") };
        let name = format!("out{}", terms.width_of(result));
        assert_eq!(
            model.get(symbol(terms, &name)),
            meaning(&values),
            "{:?} of {values:x?}",
            terms.node(result)
        );
    }
}

#[test]
fn every_operator_at_every_width() {
    let mut random = Random(8);
    for width in 1..=64 {
        let mut terms = Terms::new();
        let mut blast = Blast::new();
        let (a, b) = (terms.symbol("a", width), terms.symbol("b", width));
        for op in Binary::INTEGER.into_iter().chain(Binary::INTEGER_COMPARISONS) {
            let result = terms.binary(op, a, b);
            let mut rounds: Vec<Vec<u64>> =
                (0..3).map(|_| vec![random.number(width), random.number(width)]).collect();
            rounds.push(vec![random.number(width), 0]);
            rounds.push(vec![random.number(width), random.below(u64::from(width)) & fold::mask(width)]);
            let meaning = |values: &[u64]| fold::binary(op, width, values[0], values[1]);
            judge(&mut terms, &mut blast, &[a, b], result, &mut rounds.into_iter(), &meaning);
            // One operand a constant: other circuits.
            let constant = random.number(width);
            let second = terms.constant(width, constant);
            let result = terms.binary(op, a, second);
            let meaning = |values: &[u64]| fold::binary(op, width, values[0], constant);
            let rounds: Vec<Vec<u64>> = (0..2).map(|_| vec![random.number(width)]).collect();
            judge(&mut terms, &mut blast, &[a], result, &mut rounds.into_iter(), &meaning);
        }
        for op in [Unary::Not, Unary::Clz, Unary::Ctz, Unary::Popcnt] {
            let result = terms.unary(op, a);
            let rounds: Vec<Vec<u64>> = (0..3).map(|_| vec![random.number(width)]).collect();
            let meaning = |values: &[u64]| fold::unary(op, width, values[0]);
            judge(&mut terms, &mut blast, &[a], result, &mut rounds.into_iter(), &meaning);
        }
    }
}

#[test]
fn large_tables_through_symbolic_indices() {
    let mut random = Random(9);
    let mut terms = Terms::new();
    let mut blast = Blast::new();
    let index = terms.symbol("index", 32);
    let values: Vec<u64> = (0..1000).map(|_| random.number(16)).collect();
    let entries = values.iter().enumerate();
    let entries: Vec<(u64, Term)> =
        entries.map(|(at, &value)| (0x1000 + 4 * at as u64, terms.constant(16, value))).collect();
    let table = terms.table(entries);
    let found = terms.lookup(index, table);
    for wanted in [values[17], values[999], values[500]] {
        let constant = terms.constant(16, wanted);
        let goal = terms.eq(found, constant);
        let answer = ask(&mut blast, &mut terms, &[], goal);
        assert!(model_of(&terms, &answer, &[goal]).is_some(), "{wanted}");
    }
    let absent =
        (0..=u64::from(u16::MAX)).find(|value| *value != 0 && !values.contains(value)).expect("some");
    let constant = terms.constant(16, absent);
    let goal = terms.eq(found, constant);
    assert_eq!(ask(&mut blast, &mut terms, &[], goal), Answer::Unsat(vec![]));
}

#[test]
fn functions_are_functions() {
    for blast in [Blast::new(), Blast::with_small_conflicts(0)] {
        check_functions(blast);
    }
}

fn check_functions(mut blast: Blast) {
    let mut terms = Terms::new();
    let f = terms.function("f", 8);
    let (x, y) = (terms.symbol("x", 8), terms.symbol("y", 8));
    let (fx, fy) = (terms.apply(f, &[x]), terms.apply(f, &[y]));
    let same = terms.eq(x, y);
    let equal = terms.eq(fx, fy);
    let differ = terms.not(equal);
    assert_eq!(ask(&mut blast, &mut terms, &[same], differ), Answer::Unsat(vec![same]));

    // f(f(f(x))) = x and f(f(f(f(f(x))))) = x, so f(x) = x.
    let chain: Vec<Term> =
        std::iter::successors(Some(x), |&last| Some(terms.apply(f, &[last]))).take(6).collect();
    let conditions = [terms.eq(chain[3], x), terms.eq(chain[5], x)];
    let fixed = terms.eq(chain[1], x);
    let goal = terms.not(fixed);
    assert!(matches!(ask(&mut blast, &mut terms, &conditions, goal), Answer::Unsat(_)));
    let answer = ask(&mut blast, &mut terms, &conditions, fixed);
    assert!(model_of(&terms, &answer, &[conditions[0], conditions[1], fixed]).is_some());

    // Many applications, all different, and x through a product.
    let mut all = Vec::new();
    for at in 0..20 {
        let constant = terms.constant(8, at);
        let sum = terms.binary(Binary::Add, x, constant);
        let product = terms.binary(Binary::Mul, sum, y);
        let applied = terms.apply(f, &[product]);
        let constant = terms.constant(8, 3 * at);
        all.push(terms.eq(applied, constant));
    }
    let answer = ask(&mut blast, &mut terms, &all[1..], all[0]);
    assert!(model_of(&terms, &answer, &all).is_some(), "{answer:?}");
}

#[test]
fn the_model_says_only_what_was_asked() {
    let mut terms = Terms::new();
    let mut blast = Blast::new();
    let (x, y) = (terms.symbol("x", 8), terms.symbol("y", 8));
    let five = terms.constant(8, 5);
    let goals = [terms.eq(x, five), terms.eq(y, five)];
    for (goal, name) in goals.into_iter().zip(["x", "y"]) {
        let Answer::Sat(model) = ask(&mut blast, &mut terms, &[], goal) else { panic!("satisfiable") };
        assert_eq!(model.iter().collect::<Vec<_>>(), [(symbol(&terms, name), 5)]);
    }
    // Bits that do not matter are those of the hint.
    let low = terms.extract(x, 0, 4);
    let one = terms.constant(4, 1);
    let goal = terms.eq(low, one);
    let hint: Model = [(symbol(&terms, "x"), 0xab)].into_iter().collect();
    let query = Query { assumptions: &[], goal, hint: &hint };
    let Answer::Sat(model) = Blast::new().solve(&mut terms, &query, &mut Budget::unlimited()) else {
        panic!("satisfiable")
    };
    assert_eq!(model.get(symbol(&terms, "x")), 0xa1);
}

/// Factors of a product of two primes, 60 bits: more than the budgets of the tests below.
fn hard(terms: &mut Terms) -> (Vec<Term>, Term) {
    let (x, y) = (terms.symbol("p", 64), terms.symbol("q", 64));
    let product = terms.binary(Binary::Mul, x, y);
    let wanted = terms.constant(64, 1_073_741_789 * 1_073_741_783);
    let bound = terms.constant(64, 1 << 31);
    let one = terms.constant(64, 1);
    let assumptions = vec![
        terms.binary(Binary::Ult, x, bound),
        terms.binary(Binary::Ult, y, bound),
        terms.binary(Binary::Ult, one, x),
        terms.binary(Binary::Ult, one, y),
    ];
    (assumptions, terms.eq(product, wanted))
}

#[test]
fn budgets_end_the_search() {
    let mut terms = Terms::new();
    let (assumptions, goal) = hard(&mut terms);
    let hint = Model::new();
    let query = Query { assumptions: &assumptions, goal, hint: &hint };
    let mut blast = Blast::new();
    let cancelled = Arc::new(AtomicBool::new(true));
    let budgets = [
        Budget::effort(20_000),
        Budget::effort(3),
        Budget::unlimited().within(Duration::from_millis(5)),
        Budget::unlimited().until(cancelled),
    ];
    for mut budget in budgets {
        let answer = blast.solve(&mut terms, &query, &mut budget);
        assert!(matches!(answer, Answer::Unknown(Reason::Budget(_))), "{answer:?}");
    }
    // The same effort ends at the same place.
    let left: Vec<u64> = (0..2)
        .map(|_| {
            let mut budget = Budget::effort(30_000);
            let answer = Blast::new().solve(&mut terms, &query, &mut budget);
            assert!(matches!(answer, Answer::Unknown(_)));
            budget.left()
        })
        .collect();
    assert_eq!(left[0], left[1]);
}
