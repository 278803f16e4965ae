//! The circuits of floats against the meaning of every operator, on special, near and random numbers.

#[path = "../../term/tests/support/mod.rs"]
mod support;

use coax_solve::{Answer, Blast, Budget, Layer, Query};
use coax_term::{Algebra, Binary, Model, Term, Terms, Unary, fold};
use support::Random;

const BINARY: [Binary; 9] = [
    Binary::FAdd,
    Binary::FSub,
    Binary::FMul,
    Binary::FDiv,
    Binary::FMin,
    Binary::FMax,
    Binary::FEq,
    Binary::FLt,
    Binary::FLe,
];

const ROUNDING: [Unary; 5] = [Unary::FSqrt, Unary::FCeil, Unary::FFloor, Unary::FTrunc, Unary::FNearest];
const TO_INTEGER: [Unary; 4] =
    [Unary::FToSigned32, Unary::FToSigned64, Unary::FToUnsigned32, Unary::FToUnsigned64];
const FROM_INTEGER: [Unary; 4] =
    [Unary::SignedToF32, Unary::SignedToF64, Unary::UnsignedToF32, Unary::UnsignedToF64];

/// A float that is often special: zero, infinity, NaN, subnormal, a power of two, an integer, a half, or next to one of these.
fn float(random: &mut Random, width: u8) -> u64 {
    let fraction = if width == 32 { 23 } else { 52 };
    let bias = if width == 32 { 127 } else { 1023 };
    let stored = fold::mask(width - 1) >> fraction;
    let of = |value: f64| if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    let magnitude = match random.below(12) {
        0 => random.pick(&[0, 1, stored << fraction, (stored << fraction) + 1, 1 << fraction]),
        1 => random.next() & fold::mask(fraction),
        2 => (1 << random.below(u64::from(fraction))) - random.below(2),
        3 => random.below(stored) << fraction,
        4 => of(random.below(200) as f64 / 2.0),
        5 => of(random.next() as f64 / 4.0 * 2f64.powi(-(random.below(63) as i32))),
        6 | 7 => (bias - 3 + random.below(70)) << fraction | random.number(fraction),
        8 => (bias - 40 + random.below(80)) << fraction | random.next() & fold::mask(fraction),
        9 => stored << fraction | random.number(fraction),
        _ => random.next(),
    };
    let near = magnitude.wrapping_add(random.pick(&[0, 0, 0, 1, u64::MAX]));
    (near & fold::mask(width - 1)) | random.below(2) << (width - 1)
}

/// Fixes operands by assumptions and compares the value that the model gives the result.
fn judge(
    terms: &mut Terms,
    operands: &[Term],
    result: Term,
    rounds: Vec<Vec<u64>>,
    meaning: &dyn Fn(&[u64]) -> u64,
) {
    let mut blast = Blast::new();
    let out = terms.symbol(&format!("out{}", terms.width_of(result)), terms.width_of(result));
    let goal = terms.eq(result, out);
    let out = terms.symbols_of(out)[0];
    for values in rounds {
        let mut fixed = Vec::new();
        for (&operand, &value) in operands.iter().zip(&values) {
            let value = terms.constant(terms.width_of(operand), value);
            fixed.push(terms.eq(operand, value));
        }
        let query = Query { assumptions: &fixed, goal, hint: &Model::new() };
        let answer = blast.solve(terms, &query, &mut Budget::unlimited());
        let Answer::Sat(model) = &answer else { panic!("{values:x?}: {answer:?}") };
        let (found, expected) = (model.get(out), meaning(&values));
        assert_eq!(found, expected, "{:?} of {values:x?}: {found:x} for {expected:x}", terms.node(result));
    }
}

#[test]
fn binary_operators() {
    let mut random = Random(11);
    for (width, rounds) in [(32, 300), (64, 120)] {
        for op in BINARY {
            let mut terms = Terms::new();
            let (a, b) = (terms.symbol("a", width), terms.symbol("b", width));
            let result = terms.binary(op, a, b);
            let rounds = (0..rounds).map(|_| {
                let first = float(&mut random, width);
                // Often one that cancels out, nearly.
                let second = match random.below(4) {
                    0 => first ^ random.below(2) << (width - 1) ^ random.below(4),
                    _ => float(&mut random, width),
                };
                vec![first, second]
            });
            judge(&mut terms, &[a, b], result, rounds.collect(), &|v| fold::binary(op, width, v[0], v[1]));
        }
    }
}

#[test]
fn unary_operators() {
    let mut random = Random(12);
    for width in [32, 64] {
        let resizing = if width == 32 { Unary::FPromote } else { Unary::FDemote };
        for op in ROUNDING.into_iter().chain(TO_INTEGER).chain([resizing]) {
            let mut terms = Terms::new();
            let a = terms.symbol("a", width);
            let result = terms.unary(op, a);
            let rounds = (0..250).map(|_| vec![float(&mut random, width)]).collect();
            judge(&mut terms, &[a], result, rounds, &|v| fold::unary(op, width, v[0]));
        }
        for op in FROM_INTEGER {
            let mut terms = Terms::new();
            let a = terms.symbol("a", width);
            let result = terms.unary(op, a);
            let rounds = (0..250).map(|_| vec![random.number(width)]).collect();
            judge(&mut terms, &[a], result, rounds, &|v| fold::unary(op, width, v[0]));
        }
    }
}

#[test]
fn small_searches() {
    let mut terms = Terms::new();
    let mut blast = Blast::new();
    let x = terms.symbol("x", 32);
    let of = |value: f32| u64::from(value.to_bits());
    let mut goals = Vec::new();
    for (op, constant, wanted) in [
        (Binary::FAdd, of(1.5), of(4.25)),
        (Binary::FSub, of(1e-3), of(7.0)),
        (Binary::FMul, of(3.0), of(10.5)),
        (Binary::FDiv, of(8.0), of(0.3)),
        (Binary::FMin, of(2.0), of(-1.0)),
    ] {
        let (constant, wanted) = (terms.constant(32, constant), terms.constant(32, wanted));
        let result = terms.binary(op, x, constant);
        goals.push((terms.binary(Binary::FEq, result, wanted), true));
    }
    let root = terms.unary(Unary::FSqrt, x);
    let wanted = terms.constant(32, of(1.5));
    goals.push((terms.eq(root, wanted), true));
    let wanted = terms.constant(32, of(-1.5));
    goals.push((terms.eq(root, wanted), false));
    let nearest = terms.unary(Unary::FNearest, x);
    let wanted = terms.constant(32, of(2.5));
    goals.push((terms.eq(nearest, wanted), false));
    for (goal, has_solution) in goals {
        let query = Query { assumptions: &[], goal, hint: &Model::new() };
        match blast.solve(&mut terms, &query, &mut Budget::unlimited()) {
            Answer::Sat(model) => {
                assert!(has_solution);
                assert_eq!(terms.eval(goal, &model), 1, "{:?}", terms.node(goal));
            }
            Answer::Unsat(_) => assert!(!has_solution, "{:?}", terms.node(goal)),
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }
}
