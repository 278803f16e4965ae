//! What is handed on holds exactly where the question does: on random paths, by trying all values.

use super::Known;
use crate::problems::queries::{RandomPath, Theory};
use crate::random::Random;
use crate::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Algebra, Evaluator, Model, Term, Terms, mask};
use std::sync::{Arc, Mutex};

/// The conditions of the last question that came.
#[derive(Clone, Default)]
struct Last(Arc<Mutex<Option<Vec<Term>>>>);

impl Layer for Last {
    fn solve(&mut self, _: &mut Terms, query: &Query<'_>, _: &mut Budget) -> Answer {
        *self.0.lock().unwrap() = Some(query.conditions().collect());
        Answer::Unknown(Reason::NotFound("nobody"))
    }
}

/// At which of all values all conditions hold.
fn solutions(path: &RandomPath, conditions: &[Term]) -> Vec<bool> {
    let symbols = path.symbols();
    let widths: Vec<u8> = symbols.iter().map(|&symbol| path.terms.symbol_width(symbol)).collect();
    let mut evaluator = Evaluator::new();
    let at = |mut point: u64| {
        let mut model = Model::new();
        for (&symbol, &width) in symbols.iter().zip(&widths) {
            model.set(symbol, point & mask(width));
            point >>= width;
        }
        evaluator.reset();
        conditions.iter().all(|&condition| evaluator.eval(&path.terms, &model, condition) == 1)
    };
    (0..1 << widths.iter().sum::<u8>()).map(at).collect()
}

/// Something that says a lot: a part of the values, or a value of a term that there is, is that of the hint.
fn equality(path: &mut RandomPath, random: &mut Random) -> Term {
    let index = random.below(path.terms.len());
    let term = path.terms.term_at(index);
    let value = path.terms.eval(term, &path.hint);
    let constant = path.terms.constant(path.terms.width_of(term), value);
    path.terms.eq(term, constant)
}

#[test]
fn what_is_handed_on_holds_where_the_question_does() {
    let last = Last::default();
    let mut known = Known::new(Box::new(last.clone()));
    let (mut proved, mut smaller) = (0, 0);
    for seed in 1..700 {
        let theory = if seed % 5 == 0 { Theory::Floats } else { Theory::BitVectors };
        let mut path = RandomPath::new(theory, seed, if seed % 2 == 0 { &[4, 4, 2] } else { &[3, 1, 5] });
        let mut random = Random::new(seed);
        for _ in 0..8 {
            let goal = path.goal(3);
            if random.one_in(3) {
                let equality = equality(&mut path, &mut random);
                path.assumptions.push(equality);
            }
            let query = Query { assumptions: &path.assumptions, goal, hint: &path.hint };
            let asked: Vec<Term> = query.conditions().collect();
            *last.0.lock().unwrap() = None;
            let answer = known.solve(&mut path.terms, &query, &mut Budget::unlimited());
            if let Answer::Unsat(mut core) = answer {
                proved += 1;
                assert!(core.iter().all(|term| path.assumptions.contains(term)), "seed {seed}");
                core.push(goal);
                assert!(!solutions(&path, &core).contains(&true), "seed {seed}: wrongly unsatisfiable");
            } else {
                let left = last.0.lock().unwrap().take().expect("someone is asked");
                smaller += usize::from(left != asked);
                assert_eq!(solutions(&path, &left), solutions(&path, &asked), "seed {seed}");
            }
            path.go_on(goal);
        }
    }
    assert!(proved > 500 && smaller > 1000, "{proved} proved, {smaller} made smaller");
}
