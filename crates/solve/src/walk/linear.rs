//! The linear conditions: sums of fields times constants, compared with a constant. Together they are a polytope, in which all
//! solutions lie; the walk stays in it.
//!
//! A sum of integers counts as linear only if it cannot wrap: not for any values of its fields, or not for those that the bounds among
//! the conditions leave. Sums of floats are rounded, so that what is computed here is only nearly right; evaluation decides.

mod read;

use super::field::{Field, Kind};
use super::space::Point;
use crate::random::Random;
use crate::{Budget, Spent};
use coax_term::{Term, Terms};
use std::collections::BTreeMap;

/// How a sum is to be to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    /// At most; if strict, less.
    AtMost {
        strict: bool,
    },
}

/// `sum of coefficient * field + constant`, and how that is to be to zero.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    pub(super) sum: Sum,
    pub(super) relation: Relation,
    is_float: bool,
}

/// A sum of fields times coefficients, and a constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sum {
    coefficients: BTreeMap<usize, f64>,
    constant: f64,
}

/// The linear conditions among some.
#[derive(Debug, Default)]
pub(super) struct Polytope {
    pub(super) conditions: Vec<Linear>,
    /// By field, the conditions with it.
    by_field: Vec<Vec<usize>>,
    /// Of all conditions, whether each is linear.
    pub(super) is_linear: Vec<bool>,
}

/// How often other fields are adjusted to one that changed.
const MOST_ADJUSTMENTS: usize = 16;

impl Polytope {
    /// The polytope of some conditions.
    pub(super) fn new(
        terms: &Terms,
        conditions: &[Term],
        fields: &[Field],
        budget: &Budget,
    ) -> Result<Polytope, Spent> {
        let read = read::conditions(terms, conditions, fields, budget)?;
        let is_linear = read.iter().map(Option::is_some).collect();
        let conditions: Vec<Linear> = read.into_iter().flatten().collect();
        let mut by_field = vec![Vec::new(); fields.len()];
        for (number, linear) in conditions.iter().enumerate() {
            linear.fields().for_each(|field| by_field[field].push(number));
        }
        Ok(Polytope { conditions, by_field, is_linear })
    }

    /// Whether a point is inside, as far as that can be said here.
    pub(super) fn contains(&self, fields: &[Field], point: &Point) -> bool {
        self.conditions.iter().all(|linear| linear.holds(linear.value(fields, point)))
    }

    /// The conditions on integers, of all conditions: those that a solver of bit-vectors is good at.
    pub(super) fn integer_conditions(&self, all: &[Term]) -> Vec<Term> {
        let linear =
            all.iter().zip(&self.is_linear).filter(|(_, is_linear)| **is_linear).map(|(&term, _)| term);
        let conditions = linear.zip(&self.conditions).filter(|(_, linear)| !linear.is_float);
        conditions.map(|(term, _)| term).collect()
    }

    /// After a field changed, changes others so that the conditions with it hold again, and so on. Whether the point is inside.
    pub(super) fn adjust(
        &self,
        fields: &[Field],
        point: &mut Point,
        changed: usize,
        random: &mut Random,
    ) -> bool {
        let mut pending = vec![changed];
        let mut left = MOST_ADJUSTMENTS;
        while let Some(field) = pending.pop() {
            for &number in &self.by_field[field] {
                let linear = &self.conditions[number];
                let value = linear.value(fields, point);
                if linear.holds(value) {
                    continue;
                }
                let others: Vec<usize> = linear.fields().filter(|&f| f != field && f != changed).collect();
                let Some(other) = random.pick(&others).filter(|_| left > 0) else { return false };
                left -= 1;
                linear.solve_for(other, value, fields, point);
                pending.push(other);
            }
        }
        true
    }

    /// A point inside, from one outside: violated conditions are made to hold one after the other. None if they keep violating each other, or
    /// if it is said, of a number of conditions that are to be looked at, that they cost too much.
    pub(super) fn enter(
        &self,
        fields: &[Field],
        mut point: Point,
        random: &mut Random,
        may_look: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Point> {
        // Fields may have variables in common.
        let mut by_variable = vec![Vec::new(); point.len()];
        for (number, linear) in self.conditions.iter().enumerate() {
            let variables = linear.fields().flat_map(|field| fields[field].variables());
            variables.for_each(|variable| by_variable[variable].push(number));
        }
        let is_violated = |number: usize, point: &Point| {
            let linear = &self.conditions[number];
            !linear.holds(linear.value(fields, point))
        };
        let all = 0..self.conditions.len();
        let mut violated: Vec<usize> = all.filter(|&number| is_violated(number, &point)).collect();
        let mut looked = self.conditions.len();
        for _ in 0..8 * (self.conditions.len() + 4) {
            let Some(number) = random.pick(&violated) else { return Some(point) };
            if !may_look(std::mem::take(&mut looked)) {
                return None;
            }
            let linear = &self.conditions[number];
            let own: Vec<usize> = linear.fields().collect();
            let field = random.pick(&own)?;
            linear.solve_for(field, linear.value(fields, &point), fields, &mut point);
            for &number in fields[field].variables().flat_map(|variable| &by_variable[variable]) {
                looked += 1;
                match (violated.binary_search(&number), is_violated(number, &point)) {
                    (Ok(place), false) => {
                        violated.remove(place);
                    }
                    (Err(place), true) => violated.insert(place, number),
                    _ => {}
                }
            }
        }
        None
    }
}

impl Linear {
    fn fields(&self) -> impl Iterator<Item = usize> + '_ {
        self.sum.coefficients.keys().copied()
    }

    fn value(&self, fields: &[Field], point: &Point) -> f64 {
        let number = |field: usize| fields[field].number(fields[field].read(point));
        let products = self.sum.coefficients.iter().map(|(&field, coefficient)| coefficient * number(field));
        products.sum::<f64>() + self.sum.constant
    }

    fn holds(&self, value: f64) -> bool {
        // Sums of floats round; whether such an equation holds is for evaluation to say.
        let tolerance = if self.is_float { 1e-12 * (1.0 + self.sum.constant.abs()) } else { 0.0 };
        match self.relation {
            Relation::Equal => value.abs() <= tolerance,
            Relation::AtMost { strict: false } => value <= 0.0,
            Relation::AtMost { strict: true } => value < 0.0,
        }
    }

    /// Gives a field the value for which the condition just holds.
    fn solve_for(&self, field: usize, value: f64, fields: &[Field], point: &mut Point) {
        let view = &fields[field];
        let coefficient = self.sum.coefficients[&field];
        let least = match (self.relation, self.is_float) {
            (Relation::AtMost { strict: true }, true) => 1e-9 * (1.0 + value.abs()),
            (Relation::AtMost { strict: true }, false) => 1.0,
            _ => 0.0,
        };
        let exact = view.number(view.read(point)) - (value + least) / coefficient;
        let number = match (view.kind, self.relation) {
            (Kind::Float, _) | (_, Relation::Equal) => exact,
            _ if coefficient > 0.0 => exact.floor(),
            _ => exact.ceil(),
        };
        view.write(point, view.bits(number));
    }
}

impl Sum {
    fn add(&mut self, other: &Sum, factor: f64) {
        for (&field, coefficient) in &other.coefficients {
            let own = self.coefficients.entry(field).or_insert(0.0);
            *own += factor * coefficient;
            if *own == 0.0 {
                self.coefficients.remove(&field);
            }
        }
        self.constant += factor * other.constant;
    }

    fn plus(&self, other: &Sum, factor: f64) -> Sum {
        let mut sum = self.clone();
        sum.add(other, factor);
        sum
    }

    fn times(&self, factor: f64) -> Sum {
        let mut product = Sum::default();
        product.add(self, factor);
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::space::Shape;
    use coax_term::{Algebra, Terms};

    fn shape(terms: &mut Terms, conditions: &[&str]) -> Shape {
        let conditions: Vec<Term> =
            conditions.iter().map(|text| terms.parse(text).expect("a condition")).collect();
        Shape::new(terms, &conditions, &Budget::unlimited()).expect("time enough")
    }

    #[test]
    fn a_sum_that_can_wrap_is_not_linear() {
        let mut terms = Terms::new();
        let wraps = shape(&mut terms, &["(slt (add x:32 y:32) 100:32)"]);
        assert_eq!(wraps.polytope.is_linear, [false]);
        let mut terms = Terms::new();
        let bounded = [
            "(slt x:32 50:32)",
            "(sle 0:32 x)",
            "(slt y:32 50:32)",
            "(sle 4294967000:32 y)",
            "(slt (add x y) 60:32)",
        ];
        assert_eq!(shape(&mut terms, &bounded).polytope.is_linear, [true; 5]);
    }

    #[test]
    fn a_product_of_fields_is_not_linear_and_one_with_a_constant_is() {
        let mut terms = Terms::new();
        let texts =
            ["(flt (fmul x:64 y:64) x)", "(flt (fmul x 4613937818241073152:64) y)", "(feq (fsub x y) x)"];
        assert_eq!(shape(&mut terms, &texts).polytope.is_linear, [false, true, true]);
    }

    #[test]
    fn the_way_in_changes_fields_that_share_bytes() {
        let mut terms = Terms::new();
        let shape = shape(&mut terms, &["(ult 1000:16 (concat b:8 a:8))", "(ult (concat c:8 b) 515:16)"]);
        let Shape { polytope, fields, .. } = &shape;
        assert_eq!((polytope.conditions.len(), fields.len()), (2, 2));
        // The first condition makes b 3, which with c = 2 is too much for the second; c = 1 would do.
        let ways = [[1, 0, 2], [1, 0, 1]].map(|[b, a, c]| {
            let value = |&symbol: &coax_term::Symbol| match terms.symbol_name(symbol) {
                "a" => a,
                "b" => b,
                _ => c,
            };
            let point = shape.variables.iter().map(value).collect();
            polytope.enter(fields, point, &mut Random::new(1), &mut |_| true)
        });
        let is_inside = |way: &Option<Point>| way.as_ref().map(|point| polytope.contains(fields, point));
        assert_eq!([is_inside(&ways[0]), is_inside(&ways[1])], [None, Some(true)]);
    }

    #[test]
    fn who_may_not_look_any_further_does_not_find_the_way_in() {
        let mut terms = Terms::new();
        let shape = shape(&mut terms, &["(ult x:8 y:8)", "(ult y z:8)", "(ult z x)"]);
        let mut asked = Vec::new();
        let may_look = &mut |conditions| {
            asked.push(conditions);
            asked.len() < 3
        };
        let way = shape.polytope.enter(&shape.fields, vec![0; 3], &mut Random::new(1), may_look);
        // All conditions, then those with the field that was changed.
        assert_eq!((way, asked), (None, vec![3, 2, 2]));
    }

    #[test]
    fn who_is_late_gets_no_shape() {
        let mut terms = Terms::new();
        let mut condition = terms.parse("(ult x:32 y:32)").expect("a condition");
        for number in 0..600 {
            let more = terms.parse(&format!("(ult z{number}:32 y)")).expect("a condition");
            condition = terms.and(condition, more);
        }
        let late = Budget::unlimited().within(std::time::Duration::ZERO);
        assert_eq!(Shape::new(&terms, &[condition], &late).map(|_| ()), Err(Spent));
    }

    #[test]
    fn points_enter_the_polytope_and_stay_when_a_field_changes() {
        let mut terms = Terms::new();
        let texts = [
            "(slt x:32 500:32)",
            "(sle 0:32 x)",
            "(slt y:32 500:32)",
            "(sle 0:32 y)",
            "(eq (add x y) 321:32)",
            "(slt (mul y 3:32) z:32)",
        ];
        let shape = shape(&mut terms, &texts);
        assert_eq!(shape.polytope.is_linear, [true; 6]);
        let mut random = Random::new(2);
        let Shape { polytope, fields, .. } = &shape;
        let conditions: Vec<Term> =
            texts.iter().map(|text| terms.parse(text).expect("a condition")).collect();
        let holds = |point: &Point| {
            let model = shape.variables.iter().copied().zip(point.iter().copied()).collect();
            conditions.iter().all(|&condition| terms.eval(condition, &model) == 1)
        };
        let mut point =
            polytope.enter(fields, vec![7; 3], &mut random, &mut |_| true).expect("there is a way");
        assert!(holds(&point));
        let mut moved = 0;
        for _ in 0..300 {
            let field = random.below(fields.len());
            let mut next = point.clone();
            fields[field].write(&mut next, random.next() & 0x1ff);
            if polytope.adjust(fields, &mut next, field, &mut random) {
                assert!(holds(&next), "{next:?}");
                (point, moved) = (next, moved + 1);
            }
        }
        assert!(moved > 100, "{moved}");
    }
}
