//! Newton's method for several comparisons at once, in the form that also works where there are more or fewer of them than fields, or
//! where they contradict (Levenberg, 1944; Marquardt, 1963). Derivatives are taken from values.
//!
//! A sum of squares that should be zero, or small, is many equations in one: each base should be zero. Near a solution the result is
//! rounded to few digits, and then moved by single floats, until equations hold exactly.

mod algebra;
mod finish;
mod squares;

use super::field::Kind;
use super::space::{Point, Space, Stop};
use crate::random::Random;
use algebra::damped_step;
use coax_term::{Binary, Term, Terms};
use finish::finish;
use squares::sum_of_squares;

/// So many fields at once; of more, some are chosen at random.
const MOST_FIELDS: usize = 24;
const MOST_STEPS: usize = 40;

/// What the method knows of the comparisons.
#[derive(Debug)]
pub(super) struct Newton {
    /// By comparison, the bases of its squares with their weights, if it is a sum of squares: where their values are.
    squares: Vec<Option<Vec<(usize, f64)>>>,
    /// The widths of the bases are the comparison's.
    pub(super) bases: Vec<Term>,
}

impl Newton {
    pub(super) fn new(terms: &Terms, scores: &super::score::Scores) -> Newton {
        let mut newton = Newton { squares: Vec::new(), bases: Vec::new() };
        for comparison in &scores.comparisons {
            let is_zero =
                |term| terms.as_constant(term).is_some_and(|bits| bits << (65 - comparison.width) == 0);
            let sum = match comparison.op {
                Binary::FEq if is_zero(comparison.right) => Some(comparison.left),
                Binary::FEq if is_zero(comparison.left) => Some(comparison.right),
                Binary::FLt | Binary::FLe if terms.as_constant(comparison.right).is_some() => {
                    Some(comparison.left)
                }
                _ => None,
            };
            let squares = sum.and_then(|sum| sum_of_squares(terms, sum));
            let squares = squares.map(|squares| {
                let place = |(base, weight): (Term, f64)| {
                    newton.bases.push(base);
                    (scores.roots.len() + newton.bases.len() - 1, weight)
                };
                squares.into_iter().map(place).collect()
            });
            newton.squares.push(squares);
        }
        newton
    }

    /// A point that is at least as good.
    pub(super) fn improve(
        &mut self,
        space: &mut Space,
        start: Point,
        random: &mut Random,
    ) -> Result<Point, Stop> {
        let margin = [1e-3, 1e-9, 0.0][random.below(3)];
        let mut best = (space.score(&start)?, start.clone());
        let end = self.solve(space, start, margin, random)?;
        let score = space.score(&end)?;
        if score < best.0 {
            best = (score, end.clone());
        }
        let finished = finish(space, end, score, random)?;
        Ok(if finished.0 < best.0 { finished.1 } else { best.1 })
    }

    /// What should be zero at the point that was last scored.
    fn residuals(&self, space: &Space, margin: f64, into: &mut Vec<f64>) {
        into.clear();
        for condition in 0..space.shape.fields_of.len() {
            space.scores.active(condition, &mut |number, wanted| {
                let comparison = &space.scores.comparisons[number];
                let difference = comparison.difference(&space.values);
                let is_equality = matches!(comparison.op, Binary::Eq | Binary::FEq);
                let holds = comparison.holds(&space.values);
                if let (Some(squares), true) = (&self.squares[number], wanted) {
                    if holds {
                        into.extend(squares.iter().map(|_| 0.0));
                        return;
                    }
                    let value = |at: usize| {
                        let bits = space.values[at];
                        if comparison.width == 32 {
                            f64::from(f32::from_bits(bits as u32))
                        } else {
                            f64::from_bits(bits)
                        }
                    };
                    into.extend(squares.iter().map(|&(at, weight)| value(at) * weight));
                } else if is_equality {
                    into.push(if wanted { difference } else { 0.0 });
                } else {
                    let beyond = if wanted { difference } else { -difference };
                    let margin = if comparison.is_float() { margin * (1.0 + beyond.abs()) } else { 1.0 };
                    into.push((beyond + margin).max(0.0));
                }
            });
        }
    }

    fn solve(
        &self,
        space: &mut Space,
        start: Point,
        margin: f64,
        random: &mut Random,
    ) -> Result<Point, Stop> {
        let mut fields: Vec<usize> =
            (0..space.shape.fields.len()).filter(|&f| space.shape.fields[f].width >= 8).collect();
        while fields.len() > MOST_FIELDS {
            fields.swap_remove(random.below(fields.len()));
        }
        let mut point = start;
        let mut damping = 1e-3;
        let (mut residuals, mut moved) = (Vec::new(), Vec::new());
        let mut last_gain = 0;
        for step in 0..MOST_STEPS {
            space.score(&point)?;
            self.residuals(space, margin, &mut residuals);
            let cost = squared(&residuals);
            if !cost.is_finite() || cost == 0.0 {
                break;
            }
            let Some(jacobian) = self.jacobian(space, &point, &fields, margin, &residuals)? else { break };
            let mut improved = false;
            for _ in 0..6 {
                space.owe((fields.len() * fields.len() * (fields.len() + residuals.len())) as u64 / 32)?;
                let Some(delta) = damped_step(&jacobian, &residuals, fields.len(), damping) else { break };
                let mut next = point.clone();
                for (&field, change) in fields.iter().zip(&delta) {
                    let view = &space.shape.fields[field];
                    view.write(&mut next, view.bits(view.number(view.read(&point)) + change));
                }
                space.score(&next)?;
                self.residuals(space, margin, &mut moved);
                let new_cost = squared(&moved);
                if new_cost < cost {
                    (point, improved) = (next, true);
                    damping = (damping / 8.0).max(1e-14);
                    if new_cost < 0.999 * cost {
                        last_gain = step;
                    }
                    break;
                }
                damping *= 6.0;
            }
            if !improved || step > last_gain + 4 {
                break;
            }
        }
        Ok(point)
    }

    /// By field, how the residuals change with it. None if something is not a number.
    fn jacobian(
        &self,
        space: &mut Space,
        point: &Point,
        fields: &[usize],
        margin: f64,
        residuals: &[f64],
    ) -> Result<Option<Vec<Vec<f64>>>, Stop> {
        let mut columns = Vec::new();
        let mut moved = Vec::new();
        for &field in fields {
            let view = &space.shape.fields[field];
            let x = view.number(view.read(point));
            let width = match (view.kind, view.width) {
                (Kind::Float, 32) => x.abs().max(1e-3) * 1e-3,
                (Kind::Float, _) => x.abs().max(1e-4) * 1e-7,
                _ => (x.abs() * 1e-6).round().max(1.0),
            };
            let mut next = point.clone();
            view.write(&mut next, view.bits(x + width));
            let width = view.number(view.read(&next)) - x;
            space.score(&next)?;
            self.residuals(space, margin, &mut moved);
            // Another side of an "or" may have become the nearer one: there is no derivative.
            let column: Vec<f64> = if moved.len() == residuals.len() && width != 0.0 {
                moved.iter().zip(residuals).map(|(after, before)| (after - before) / width).collect()
            } else {
                vec![0.0; residuals.len()]
            };
            if column.iter().any(|slope| !slope.is_finite()) {
                return Ok(None);
            }
            columns.push(column);
        }
        Ok(Some(columns))
    }
}

fn squared(residuals: &[f64]) -> f64 {
    residuals.iter().map(|r| r * r).sum()
}
