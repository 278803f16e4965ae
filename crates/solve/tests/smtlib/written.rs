//! What is written as a script and read again is the same.

use crate::run_with;
use crate::support::{Expr, Random, Shape};
use coax_solve::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Algebra, Binary, Model, Term, Terms, Unary, smt};
use std::collections::BTreeMap;

/// Keeps the conditions that it is asked about.
#[derive(Default)]
struct Keeper(Option<(Terms, Vec<Term>)>);

impl Layer for Keeper {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, _: &mut Budget) -> Answer {
        self.0 = Some((terms.clone(), query.conditions().collect()));
        Answer::Unknown(Reason::NotFound("the keeper"))
    }
}

#[test]
fn what_is_written_is_read() {
    let mut random = Random(21);
    let shape = Shape { symbols: &[8, 32, 64, 1], widest: 64 };
    let (mut same, mut all) = (0, 0);
    for round in 0..600 {
        let mut terms = Terms::new();
        let term = Expr::random(&mut random, &shape, 1, 2 + round % 4).build(&mut terms);
        let script = smt::script(&terms, &[term]) + "(check-sat)\n";
        let mut keeper = Keeper::default();
        let (outcome, _) = run_with(&script, &mut keeper, None);
        assert!(outcome.is_ok(), "{outcome:?}\n{script}");
        let (read, conditions) = keeper.0.unwrap();
        for _ in 0..20 {
            let values: BTreeMap<String, u64> = terms
                .symbols()
                .map(|symbol| {
                    (terms.symbol_name(symbol).to_owned(), random.number(terms.symbol_width(symbol)))
                })
                .collect();
            let model = |terms: &Terms| -> Model {
                terms
                    .symbols()
                    .map(|symbol| (symbol, values.get(terms.symbol_name(symbol)).copied().unwrap_or(0)))
                    .collect()
            };
            let expected = terms.eval(term, &model(&terms)) == 1;
            let found = conditions.iter().all(|&condition| read.eval(condition, &model(&read)) == 1);
            assert_eq!(found, expected, "{script}");
        }
        same += usize::from(conditions.iter().any(|&condition| terms.same(term, &read, condition)));
        all += 1;
    }
    assert!(same * 10 > all * 8, "{same} of {all} are the same terms");
}

/// A number that floats find interesting.
fn float_bits(random: &mut Random, width: u8) -> u64 {
    let numbers = [0.0, -0.0, 1.0, 1.5, -2.5, 0.1, 3e9, -3e9, 1e19, 1e-310, f64::NAN, f64::INFINITY];
    let number = random.pick(&numbers);
    match random.below(3) {
        0 => random.number(width),
        _ if width == 32 => (number as f32).to_bits().into(),
        _ => number.to_bits(),
    }
}

/// Terms that need no bits of a computed float: those are constants of the script, which nobody could give values here.
#[test]
fn floats_that_are_written_are_read() {
    let mut random = Random(22);
    let unary = [Unary::FSqrt, Unary::FCeil, Unary::FFloor, Unary::FTrunc, Unary::FNearest];
    let binary = [Binary::FAdd, Binary::FSub, Binary::FMul, Binary::FDiv];
    let integers = [Unary::FToSigned32, Unary::FToSigned64, Unary::FToUnsigned32, Unary::FToUnsigned64];
    for _ in 0..300 {
        let t = &mut Terms::new();
        let width = random.pick(&[32, 64]);
        let (mut x, y) = (t.symbol("x", width), t.symbol("y", width));
        for _ in 0..random.below(4) {
            x = if random.below(2) == 0 {
                t.unary(random.pick(&unary), x)
            } else {
                t.binary(random.pick(&binary), x, y)
            };
        }
        let condition = match random.below(3) {
            0 => {
                let integer = t.unary(random.pick(&integers), x);
                let to = if t.width_of(integer) == 32 { Unary::SignedToF32 } else { Unary::UnsignedToF64 };
                let again = t.unary(to, integer);
                let other = t.width_of(again) != width;
                let again = if !other {
                    again
                } else if width == 32 {
                    t.unary(Unary::FDemote, again)
                } else {
                    t.unary(Unary::FPromote, again)
                };
                t.binary(random.pick(&[Binary::FLt, Binary::FEq, Binary::FLe]), again, y)
            }
            1 => {
                let least = t.binary(random.pick(&[Binary::FMin, Binary::FMax]), y, y);
                t.binary(Binary::FLe, x, least)
            }
            _ => t.binary(random.pick(&[Binary::FLt, Binary::FEq, Binary::FLe]), x, y),
        };
        let script = smt::script(t, &[condition]) + "(check-sat)\n";
        let mut keeper = Keeper::default();
        let (outcome, _) = run_with(&script, &mut keeper, None);
        assert!(outcome.is_ok(), "{outcome:?}\n{script}");
        let (read, conditions) = keeper.0.unwrap();
        for _ in 0..30 {
            let values = [("x", float_bits(&mut random, width)), ("y", float_bits(&mut random, width))];
            let model = |terms: &Terms| -> Model {
                values.iter().filter_map(|&(name, bits)| Some((terms.find_symbol(name)?, bits))).collect()
            };
            let expected = t.eval(condition, &model(t)) == 1;
            let found = conditions.iter().all(|&condition| read.eval(condition, &model(&read)) == 1);
            assert_eq!(found, expected, "{script}{values:x?}");
        }
    }
}
