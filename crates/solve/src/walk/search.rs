//! Adaptive search with tabu (Codognet and Diaz, 2001, as Dinges and Agha, 2014, use it): the field in the most violated conditions is
//! changed; one that does not help rests for some steps; when all rest, everything is shaken.

use super::invert::Inverter;
use super::newton::Newton;
use super::space::{Point, Shape, Space, Stop};
use super::{Options, moves};
use crate::random::Random;

/// A walk through a space.
pub(super) struct Search<'s, 'a> {
    pub(super) space: &'s mut Space<'a>,
    pub(super) options: &'s Options,
    pub(super) random: &'s mut Random,
    pub(super) newton: &'s mut Newton,
    pub(super) inverter: &'s mut Inverter,
}

/// What is known of the point where the walk is.
struct Place {
    point: Point,
    score: f64,
    /// By condition.
    scores: Vec<f64>,
    /// Whether all linear conditions hold.
    is_inside: bool,
}

/// A comparison that does not hold as wanted.
#[derive(Clone, Copy)]
struct Violated {
    number: usize,
    wanted: bool,
    /// Of its sides, as numbers.
    difference: f64,
}

/// Newton's method from a point that is not the best so far: once in so many times.
const RARELY: usize = 8;

/// How many random steps to try before one stays in the polytope.
const MOST_SAMPLES: usize = 4;

impl Search<'_, '_> {
    /// Walks from a point for as many steps as the options say.
    pub(super) fn walk(&mut self, start: Point) -> Result<(), Stop> {
        let mut here = self.look(start)?;
        let mut best = (here.score, here.point.clone());
        // The score of the point from which Newton's method was last tried.
        let mut tried = f64::INFINITY;
        let mut tabu = vec![0usize; self.space.shape.fields.len()];
        if tabu.is_empty() {
            return Ok(());
        }
        let rest = self.options.tabu.min(tabu.len().div_ceil(2));
        for _ in 0..self.options.steps * here.scores.len() {
            if tabu.iter().all(|&rest| rest > 0) {
                here = self.shake(here, &best, &mut tried)?;
                tabu.fill(0);
                if here.score < best.0 {
                    best = (here.score, here.point.clone());
                }
            }
            let Some(field) = self.worst_field(&here, &tabu) else {
                tabu.fill(1);
                continue;
            };
            let found = self.best_neighbour(&here, field)?;
            if found.0 < here.score {
                here = self.look(found.1)?;
                tabu.iter_mut().for_each(|rest| *rest = rest.saturating_sub(1));
                if here.score < best.0 {
                    best = (here.score, here.point.clone());
                }
            } else {
                tabu[field] = rest;
            }
        }
        Ok(())
    }

    fn look(&mut self, point: Point) -> Result<Place, Stop> {
        let score = self.space.score(&point)?;
        let scores: Vec<f64> =
            (0..self.space.shape.fields_of.len()).map(|c| self.space.scores.of(c)).collect();
        let is_inside = scores
            .iter()
            .zip(&self.space.shape.polytope.is_linear)
            .all(|(&score, linear)| !linear || score == 0.0);
        Ok(Place { point, score, scores, is_inside })
    }

    /// The field with the greatest error that does not rest; any of the greatest.
    fn worst_field(&mut self, here: &Place, tabu: &[usize]) -> Option<usize> {
        let mut errors = vec![0.0; tabu.len()];
        for (fields, score) in self.space.shape.fields_of.iter().zip(&here.scores) {
            fields.iter().for_each(|&field| errors[field] += score);
        }
        let greatest = (0..tabu.len()).filter(|&f| tabu[f] == 0 && errors[f] > 0.0).map(|f| errors[f]);
        let greatest = greatest.reduce(f64::max)?;
        let worst: Vec<usize> = (0..tabu.len()).filter(|&f| tabu[f] == 0 && errors[f] == greatest).collect();
        self.random.pick(&worst)
    }

    /// The best of some points that differ from here in one field, or that an inversion leads to.
    fn best_neighbour(&mut self, here: &Place, field: usize) -> Result<(f64, Point), Stop> {
        let mut best = (f64::INFINITY, here.point.clone());
        let comparison = if self.options.bisection { self.violated(here, Some(field))? } else { None };
        for _ in 0..self.options.neighbours {
            let Some(point) = self.step_inside(here, field) else { continue };
            self.try_point(point.clone(), &mut best)?;
            if let Some(violated) = comparison
                && let Some(guess) = self.bisect(here, field, &point, violated)
            {
                self.try_point(guess, &mut best)?;
            }
        }
        if self.options.inversion {
            for _ in 0..2 {
                if let Some(point) = self.inverted(here)? {
                    self.try_point(point, &mut best)?;
                }
            }
        }
        Ok(best)
    }

    /// A random step of a field that does not leave the polytope, other fields adjusted to it; none if there is none.
    fn step_inside(&mut self, here: &Place, field: usize) -> Option<Point> {
        (0..MOST_SAMPLES).find_map(|_| {
            let mut point = here.point.clone();
            let view = &self.space.shape.fields[field];
            let bits = moves::step(view, view.read(&point), &self.space.shape.constants, self.random);
            view.write(&mut point, bits);
            self.is_kept_inside(here, &mut point, field).then_some(point)
        })
    }

    /// Adjusts other fields to one that changed; whether the point is then inside, if it was before.
    fn is_kept_inside(&mut self, here: &Place, point: &mut Point, field: usize) -> bool {
        let Shape { polytope, fields, .. } = self.space.shape;
        !self.options.polytope || !here.is_inside || polytope.adjust(fields, point, field, self.random)
    }

    fn try_point(&mut self, point: Point, best: &mut (f64, Point)) -> Result<(), Stop> {
        let score = self.space.score(&point)?;
        if score < best.0 {
            *best = (score, point);
        }
        Ok(())
    }

    /// A comparison that does not hold as it should, of a condition with the field, or of any.
    fn violated(&mut self, here: &Place, field: Option<usize>) -> Result<Option<Violated>, Stop> {
        self.space.score(&here.point)?;
        let space = &*self.space;
        let mut candidates = Vec::new();
        for condition in 0..here.scores.len() {
            let concerned = field.is_none_or(|field| space.shape.fields_of[condition].contains(&field));
            if here.scores[condition] > 0.0 && concerned {
                space.scores.active(condition, &mut |number, wanted| {
                    let comparison = &space.scores.comparisons[number];
                    if comparison.holds(&space.values) != wanted {
                        let difference = comparison.difference(&space.values);
                        candidates.push(Violated { number, wanted, difference });
                    }
                });
            }
        }
        Ok(self.random.pick(&candidates))
    }

    /// Where a comparison's difference would be zero, were it a linear function between here and the point that was just scored.
    fn bisect(&mut self, here: &Place, field: usize, other: &Point, violated: Violated) -> Option<Point> {
        let before = violated.difference;
        let there = self.space.scores.comparisons[violated.number].difference(&self.space.values);
        let view = &self.space.shape.fields[field];
        let (x, y) = (view.number(view.read(&here.point)), view.number(view.read(other)));
        let slope = if there == before { self.random.normal() } else { -before / (there - before) };
        let guess = x + slope * (y - x);
        if !guess.is_finite() {
            return None;
        }
        let mut point = here.point.clone();
        view.write(&mut point, view.bits(guess));
        self.is_kept_inside(here, &mut point, field).then_some(point)
    }

    /// A point at which some violated comparison holds, found by undoing operators.
    fn inverted(&mut self, here: &Place) -> Result<Option<Point>, Stop> {
        let Some(Violated { number, wanted, .. }) = self.violated(here, None)? else { return Ok(None) };
        self.inverter.point(self.space, &here.point, number, wanted, self.random)
    }

    /// Away from a place where no field helps: by Newton's method from the best point so far, by an inversion whatever it
    /// breaks, or by random steps of several fields.
    fn shake(&mut self, here: Place, best: &(f64, Point), tried: &mut f64) -> Result<Place, Stop> {
        // From the same point it would lead to the same one.
        let is_new = best.0 < *tried;
        if self.options.newton && (is_new || self.random.one_in(RARELY)) {
            let from = if is_new { best.1.clone() } else { here.point.clone() };
            *tried = tried.min(best.0);
            let point = self.newton.improve(self.space, from, self.random)?;
            let place = self.look(point)?;
            if place.score < here.score {
                return Ok(place);
            }
        }
        if self.options.inversion
            && !self.random.one_in(3)
            && let Some(point) = self.inverted(&here)?
        {
            return self.look(point);
        }
        let mut point = here.point;
        let all = self.random.one_in(2);
        for field in 0..self.space.shape.fields.len() {
            if all || self.random.one_in(3) {
                let view = &self.space.shape.fields[field];
                let bits = moves::step(view, view.read(&point), &self.space.shape.constants, self.random);
                view.write(&mut point, bits);
            }
        }
        self.look(point)
    }
}
