//! Who is asked what no cheap layer answers, in which order, with how much of the budget: by the shape of the question.
//!
//! Comparisons of sums and products that are decided by their form are no question any more (`ring.rs`). The bit-blaster decides integers, and
//! floats that go through few operators. Where floats are multiplied or divided the concolic walk is asked first: it finds values in
//! milliseconds or not at all. What both leave is a child process's. The measurements are in docs/decisions/0006-solver.md.

use crate::layers::check::Check;
use crate::layers::restrict::Restrict;
use crate::marks::Marks;
use crate::ring::{self, Reduced};
use crate::tally::Counted;
use crate::{Answer, Budget, Layer, Looks, Query, Reason, Tally};
use coax_term::{Binary, Node, Terms, Unary};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What the walk may cost before others are asked, and after them.
const WALK_FIRST: u64 = 200_000;
/// The part of the budget, its effort and its time, that the bit-blaster may use if a child comes after it: one in so many.
const PART: u64 = 2;

/// Solvers, each of which answers some questions.
pub(crate) struct Portfolio {
    blast: Box<dyn Layer>,
    walk: Box<dyn Layer>,
    child: Option<Box<dyn Layer>>,
    restrict: Restrict,
    marks: Marks,
}

impl Portfolio {
    /// These solvers; the models of each are checked and counted in a tally of its own.
    pub(crate) fn new(
        blast: Box<dyn Layer>,
        walk: Box<dyn Layer>,
        child: Option<Box<dyn Layer>>,
        tallies: &mut Vec<Arc<Tally>>,
    ) -> Portfolio {
        let mut checked = |name, layer: Box<dyn Layer>| -> Box<dyn Layer> {
            let tally = Tally::new(name);
            tallies.push(tally.clone());
            let next = Box::new(Check::new(layer, tally.clone()));
            Box::new(Counted { next, tally })
        };
        let child = child.map(|child| checked("child", child));
        let (walk, blast) = (checked("walk", walk), checked("blast", blast));
        Portfolio { blast, walk, child, restrict: Restrict::default(), marks: Marks::default() }
    }

    /// What decides who is asked.
    fn shape(&mut self, terms: &Terms, query: &Query<'_>, budget: &Budget) -> Shape {
        let mut shape = Shape::default();
        let mut looks = Looks::default();
        self.marks.visit(terms, query.conditions(), |node| {
            match node {
                Node::Unary(op, _) => shape.floats |= op >= Unary::FSqrt,
                Node::Binary(Binary::Mul, ..) => shape.products = true,
                Node::Binary(op, ..) => shape.floats |= op >= Binary::FAdd && !op.is_comparison(),
                _ => {}
            }
            shape.size += 1;
            if looks.is_late(budget) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        shape
    }

    fn ask(&mut self, terms: &mut Terms, query: &Query<'_>, is_float: bool, budget: &mut Budget) -> Answer {
        let mut reason = Reason::Budget("the solver stack");
        for place in 0..2 {
            if budget.is_over() {
                break;
            }
            let is_walk = (place == 0) == is_float;
            let left = budget.left();
            let effort = match (is_walk, &self.child) {
                (true, _) => WALK_FIRST,
                (false, Some(_)) => left / PART,
                // What nobody else could use.
                (false, None) if is_float => left,
                (false, None) => left.saturating_sub(WALK_FIRST).max(left / PART),
            };
            let layer = if is_walk { &mut self.walk } else { &mut self.blast };
            let mut part = budget.part(effort);
            if let (false, Some(_), Some(time)) = (is_walk, &self.child, budget.time_left()) {
                part = part.within(time / PART as u32);
            }
            let answer = layer.solve(terms, query, &mut part);
            budget.settle(effort, &part);
            match answer {
                // What the walk says when it finds nothing is no reason while someone else has another.
                Answer::Unknown(_) if is_walk => {}
                Answer::Unknown(other) => reason = other,
                answer => return answer,
            }
        }
        let Some(child) = self.child.as_mut().filter(|_| !budget.is_over()) else {
            return Answer::Unknown(reason);
        };
        match child.solve(terms, query, budget) {
            Answer::Unknown(Reason::NoSolver(_)) => {
                // It will not come: from now on the others get its part.
                self.child = None;
                Answer::Unknown(reason)
            }
            answer => answer,
        }
    }
}

/// What a question consists of.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    /// Float arithmetic, more than comparisons.
    floats: bool,
    /// Products of integers.
    products: bool,
    /// How many terms.
    size: usize,
}

impl Layer for Portfolio {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        match self.decide(terms, query, budget) {
            // Values of others are not part of an answer: it may be put together with those to other questions.
            Answer::Sat(model) => Answer::Sat(self.restrict.apply(terms, query, &model)),
            answer => answer,
        }
    }
}

impl Portfolio {
    /// Asks about what is left of the question once comparisons of sums and products are decided.
    fn decide(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        let shape = self.shape(terms, query, budget);
        let is_for_ring = shape.products && shape.size <= ring::MOST_TERMS;
        let reduced = if is_for_ring { ring::reduce(terms, query) } else { None };
        let Some(Reduced { assumptions, goal }) = reduced else {
            return self.ask(terms, query, shape.floats, budget);
        };
        let originals = || query.assumptions.iter().copied().zip(assumptions.iter().copied());
        let false_ones = originals().find(|&(_, now)| terms.as_constant(now) == Some(0));
        if terms.as_constant(goal) == Some(0) || false_ones.is_some() {
            return Answer::Unsat(false_ones.map(|(original, _)| original).into_iter().collect());
        }
        let now = Query { assumptions: &assumptions, goal, hint: query.hint };
        match self.ask(terms, &now, shape.floats, budget) {
            Answer::Unsat(core) => {
                Answer::Unsat(originals().filter(|(_, now)| core.contains(now)).map(|(own, _)| own).collect())
            }
            answer => answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blast, Nothing};
    use coax_term::{Algebra, Model};
    use std::sync::Mutex;
    use std::time::Duration;

    #[test]
    fn an_answer_is_about_the_symbols_of_the_question_only() {
        let mut terms = Terms::new();
        let [x, other] = ["x", "other"].map(|name| terms.symbol(name, 32));
        let (square, wanted) = (terms.binary(Binary::Mul, x, x), terms.constant(32, 49));
        let goal = terms.eq(square, wanted);
        let [x, other] = [x, other].map(|term| terms.symbols_of(term)[0]);
        let hint: Model = [(x, 1), (other, 1)].into_iter().collect();
        let query = Query { assumptions: &[], goal, hint: &hint };
        let mut portfolio = Portfolio::new(Box::new(Blast::new()), Box::new(Nothing), None, &mut Vec::new());
        let answer = portfolio.solve(&mut terms, &query, &mut Budget::unlimited());
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        assert_eq!((model.given(x).is_some(), model.given(other)), (true, None));
    }

    /// Notes what it is offered, takes it and gives up.
    struct Spendthrift(Arc<Mutex<Vec<u64>>>, Reason);

    impl Layer for Spendthrift {
        fn solve(&mut self, _: &mut Terms, _: &Query<'_>, budget: &mut Budget) -> Answer {
            self.0.lock().unwrap().push(budget.left());
            let _ = budget.spend(budget.left());
            Answer::Unknown(self.1.clone())
        }
    }

    #[test]
    fn what_a_child_does_not_use_is_for_the_others() {
        let mut terms = Terms::new();
        let (integers, floats) = ("(ult x:64 y:64)", "(flt (fadd x:64 y:64) x)");
        let [integers, floats] = [integers, floats].map(|text| terms.parse(text).expect("a condition"));
        let given = Arc::new(Mutex::new(Vec::new()));
        let spends = |reason: Reason| Box::new(Spendthrift(given.clone(), reason)) as Box<dyn Layer>;
        let gives_up = || spends(Reason::Budget("someone"));
        let mut ask = |portfolio: &mut Portfolio, goal| {
            let query = Query { assumptions: &[], goal, hint: &Model::new() };
            portfolio.solve(&mut terms, &query, &mut Budget::effort(1_000_000));
            std::mem::take(&mut *given.lock().unwrap())
        };
        let mut with = Portfolio::new(gives_up(), gives_up(), Some(gives_up()), &mut Vec::new());
        assert_eq!(ask(&mut with, integers), [500_000, 200_000, 300_000]);
        assert_eq!(ask(&mut with, floats), [200_000, 400_000, 400_000]);
        let absent = Some(spends(Reason::NoSolver("this".into())));
        let mut without = Portfolio::new(gives_up(), gives_up(), absent, &mut Vec::new());
        assert_eq!(ask(&mut without, integers), [500_000, 200_000, 300_000]);
        assert_eq!(ask(&mut without, integers), [800_000, 200_000]);
        assert_eq!(ask(&mut without, floats), [200_000, 800_000]);
    }

    /// Notes how much time it is offered.
    struct Timed(Arc<Mutex<Vec<Duration>>>);

    impl Layer for Timed {
        fn solve(&mut self, _: &mut Terms, _: &Query<'_>, budget: &mut Budget) -> Answer {
            self.0.lock().unwrap().extend(budget.time_left());
            Answer::Unknown(Reason::Budget("someone"))
        }
    }

    #[test]
    fn the_bit_blaster_leaves_time_for_the_child() {
        let mut terms = Terms::new();
        let goal = terms.parse("(ult x:64 y:64)").expect("a condition");
        let times = Arc::new(Mutex::new(Vec::new()));
        let timed = || Box::new(Timed(times.clone())) as Box<dyn Layer>;
        let query = Query { assumptions: &[], goal, hint: &Model::new() };
        let budget = || Budget::unlimited().within(Duration::from_secs(4_000));
        Portfolio::new(timed(), timed(), Some(timed()), &mut Vec::new()).solve(
            &mut terms,
            &query,
            &mut budget(),
        );
        Portfolio::new(timed(), timed(), None, &mut Vec::new()).solve(&mut terms, &query, &mut budget());
        let is_half: Vec<bool> =
            times.lock().unwrap().iter().map(|&time| time <= Duration::from_secs(2_000)).collect();
        assert_eq!(is_half, [true, false, false, false, false]);
    }

    #[test]
    fn a_contradiction_of_products_names_the_assumption() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, 64));
        let goal = terms.binary(Binary::Ult, x, y);
        let (sum, difference) = (terms.binary(Binary::Add, x, y), terms.binary(Binary::Sub, x, y));
        let product = terms.binary(Binary::Mul, sum, difference);
        let [xx, yy] = [x, y].map(|term| terms.binary(Binary::Mul, term, term));
        let squares = terms.binary(Binary::Sub, xx, yy);
        let same = terms.eq(product, squares);
        let differ = terms.not(same);
        let query = Query { assumptions: &[same, differ], goal, hint: &Model::new() };
        let mut portfolio = Portfolio::new(Box::new(Nothing), Box::new(Nothing), None, &mut Vec::new());
        let answer = portfolio.solve(&mut terms, &query, &mut Budget::unlimited());
        assert_eq!(answer, Answer::Unsat(vec![differ]));
    }
}
