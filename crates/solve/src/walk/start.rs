//! Where walks begin: at the hint, at small numbers, at constants of the conditions, anywhere; inside the polytope of the linear
//! conditions, if a way into it is found.

use super::NAME;
use super::field::Kind;
use super::moves;
use super::space::{Point, Shape};
use crate::random::Random;
use crate::{Answer, Budget, Layer, Query, Reason};
use coax_term::{Model, Term, Terms, mask};

/// One starting point after the other.
pub(super) struct Starts<'a> {
    pub(super) shape: &'a Shape,
    /// Whether to begin inside the polytope.
    pub(super) polytope: bool,
    /// Points to begin with, the last one first.
    pub(super) first: Vec<Point>,
    pub(super) number: usize,
}

/// What part of the budget the linear conditions may cost, and what part the way from the hint to where they hold.
const SHARE: u64 = 8;
/// How many linear conditions are looked at in a unit of effort.
const CONDITIONS_PER_EFFORT: usize = 8;

/// What it costs to look at some linear conditions, and to change a field for one of them.
pub(super) fn cost(conditions: usize) -> u64 {
    1 + (conditions / CONDITIONS_PER_EFFORT) as u64
}

impl Starts<'_> {
    /// Takes the hint, and if it is needed a point of the polytope that another layer finds. The reason if there is none.
    pub(super) fn begin(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        conditions: &[Term],
        linear: Option<&mut (dyn Layer + 'static)>,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<(), Reason> {
        let hint = self.point_of(query.hint);
        let given = budget.left() / SHARE;
        let mut part = budget.part(given);
        let way = self.inside(hint.clone(), random, &mut |conditions| {
            part.spend(cost(conditions)).is_ok() && !part.is_over()
        });
        budget.settle(given, &part);
        self.first.push(way.clone().unwrap_or(hint));
        let integers = self.shape.polytope.integer_conditions(conditions);
        if let (None, Some(layer), Some((&goal, assumptions))) = (way, linear, integers.split_last()) {
            let given = budget.left() / SHARE;
            let mut part = budget.part(given);
            let answer = layer.solve(terms, &Query { assumptions, goal, hint: query.hint }, &mut part);
            budget.settle(given, &part);
            match answer {
                Answer::Sat(model) => {
                    let mut all = query.hint.clone();
                    model.iter().for_each(|(symbol, value)| all.set(symbol, value));
                    self.first.push(self.point_of(&all));
                }
                Answer::Unsat(_) => return Err(Reason::NotFound(NAME)),
                Answer::Unknown(_) => {}
            }
        }
        Ok(())
    }

    fn point_of(&self, model: &Model) -> Point {
        self.shape.variables.iter().map(|&symbol| model.get(symbol)).collect()
    }

    /// A point of the polytope near another one.
    fn inside(
        &self,
        point: Point,
        random: &mut Random,
        may_look: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Point> {
        let Shape { polytope, fields, .. } = self.shape;
        if !self.polytope || polytope.contains(fields, &point) {
            return Some(point);
        }
        polytope.enter(fields, point, random, may_look)
    }

    /// Where to begin next; in the polytope, if the way to it may be looked for as far as it takes.
    pub(super) fn next(&mut self, random: &mut Random, may_look: &mut dyn FnMut(usize) -> bool) -> Point {
        if let Some(point) = self.first.pop() {
            return point;
        }
        self.number += 1;
        let mut point = vec![0; self.shape.variables.len()];
        for field in &self.shape.fields {
            let bits = match self.number % 6 {
                1 => 0,
                2 => field.bits(1.0),
                3 => field.bits(random.normal() * 10.0),
                4 => moves::step(field, field.read(&point), &self.shape.constants, random),
                5 if field.kind == Kind::Float => field.bits(random.normal() * 1000.0),
                5 => random.next() >> random.below(64),
                _ => {
                    let constant = random.pick(&self.shape.constants).unwrap_or(1);
                    if random.one_in(2) { constant } else { field.bits(random.below(20) as f64) }
                }
            };
            field.write(&mut point, bits & mask(field.width));
        }
        self.inside(point.clone(), random, may_look).unwrap_or(point)
    }
}
