//! How badly conditions are violated (Korel, 1990; Dinges and Agha, 2014): a number that is 0 if and only if they hold, and smaller
//! the nearer they are to that.
//!
//! Every condition has two: how far it is from holding, and how far from not holding. So no negation need be pushed inwards, and
//! terms that are shared are scored once. "And" adds, "or" takes the least, a choice takes the cheaper arm with its condition.

mod build;

use coax_term::{Binary, Term, Terms, fold};

/// A comparison of two terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub(super) op: Binary,
    pub(super) left: Term,
    pub(super) right: Term,
    pub(super) width: u8,
    /// Where the values of both are.
    at: [u32; 2],
    /// Equal if all bits are: counted by bits, since the operands are made of bits.
    by_bits: bool,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Constant(bool),
    /// A condition that is known only as a value.
    Opaque(u32),
    Comparison(u32),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
    /// Whether two conditions differ.
    Differ(u32, u32),
    Choice(u32, u32, u32),
}

/// How far from holding, and from not holding.
#[derive(Clone, Copy, Debug, Default)]
struct Distance {
    from_true: f64,
    from_false: f64,
}

/// The scores of some conditions, to be computed again and again.
#[derive(Debug)]
pub(super) struct Scores {
    parts: Vec<Part>,
    distances: Vec<Distance>,
    pub(super) comparisons: Vec<Comparison>,
    /// The part of each condition.
    conditions: Vec<u32>,
    /// The terms whose values are needed.
    pub(super) roots: Vec<Term>,
}

/// What is not a number is further away than any number.
const NOT_A_NUMBER: f64 = 1000.0;

impl Scores {
    pub(super) fn new(terms: &Terms, conditions: &[Term]) -> Scores {
        let mut scores = build::scores(terms, conditions);
        scores.distances = vec![Distance::default(); scores.parts.len()];
        scores
    }

    /// Computes all scores from the values of the roots; the sum over all conditions.
    pub(super) fn compute(&mut self, values: &[u64]) -> f64 {
        for (number, &part) in self.parts.iter().enumerate() {
            let of = |part: u32| self.distances[part as usize];
            let holds = |holds: bool| Distance {
                from_true: f64::from(u8::from(!holds)),
                from_false: f64::from(u8::from(holds)),
            };
            let distance = match part {
                Part::Constant(value) => holds(value),
                Part::Opaque(at) => holds(values[at as usize] != 0),
                Part::Comparison(number) => self.comparisons[number as usize].distance(values),
                Part::Not(a) => Distance { from_true: of(a).from_false, from_false: of(a).from_true },
                Part::And(a, b) => Distance {
                    from_true: of(a).from_true + of(b).from_true,
                    from_false: of(a).from_false.min(of(b).from_false),
                },
                Part::Or(a, b) => Distance {
                    from_true: of(a).from_true.min(of(b).from_true),
                    from_false: of(a).from_false + of(b).from_false,
                },
                Part::Differ(a, b) => Distance {
                    from_true: (of(a).from_true + of(b).from_false).min(of(a).from_false + of(b).from_true),
                    from_false: (of(a).from_true + of(b).from_true).min(of(a).from_false + of(b).from_false),
                },
                Part::Choice(c, a, b) => Distance {
                    from_true: (of(c).from_true + of(a).from_true).min(of(c).from_false + of(b).from_true),
                    from_false: (of(c).from_true + of(a).from_false).min(of(c).from_false + of(b).from_false),
                },
            };
            self.distances[number] = distance;
        }
        self.conditions.iter().map(|&part| self.distances[part as usize].from_true).sum()
    }

    /// The score of one condition, as last computed.
    pub(super) fn of(&self, condition: usize) -> f64 {
        self.distances[self.conditions[condition] as usize].from_true
    }

    /// The comparisons on which a condition depends now, and whether each should hold: of "or" and choices the nearer side.
    pub(super) fn active(&self, condition: usize, each: &mut dyn FnMut(usize, bool)) {
        let mut stack = vec![(self.conditions[condition], true)];
        // Parts that are shared are visited as often as they are used: not forever.
        let mut visits = 4 * self.parts.len();
        while let Some((part, wanted)) = stack.pop() {
            visits -= 1;
            if visits == 0 {
                return;
            }
            let score = |part: u32, wanted: bool| {
                let distance = self.distances[part as usize];
                if wanted { distance.from_true } else { distance.from_false }
            };
            match self.parts[part as usize] {
                Part::Constant(_) | Part::Opaque(_) => {}
                Part::Comparison(number) => each(number as usize, wanted),
                Part::Not(a) => stack.push((a, !wanted)),
                Part::And(a, b) if wanted => stack.extend([(a, true), (b, true)]),
                Part::Or(a, b) if !wanted => stack.extend([(a, false), (b, false)]),
                Part::And(a, b) | Part::Or(a, b) => {
                    let nearer = if score(a, wanted) <= score(b, wanted) { a } else { b };
                    stack.push((nearer, wanted));
                }
                Part::Differ(a, b) => {
                    let first = score(a, true) + score(b, !wanted);
                    let is_first = first <= score(a, false) + score(b, wanted);
                    stack.extend(if is_first {
                        [(a, true), (b, !wanted)]
                    } else {
                        [(a, false), (b, wanted)]
                    });
                }
                Part::Choice(c, a, b) => {
                    let is_first = score(c, true) + score(a, wanted) <= score(c, false) + score(b, wanted);
                    stack.extend(if is_first { [(c, true), (a, wanted)] } else { [(c, false), (b, wanted)] });
                }
            }
        }
    }
}

impl Comparison {
    /// The values of both sides.
    pub(super) fn values(&self, values: &[u64]) -> [u64; 2] {
        self.at.map(|at| values[at as usize])
    }

    /// Whether it holds.
    pub(super) fn holds(&self, values: &[u64]) -> bool {
        let [left, right] = self.values(values);
        fold::binary(self.op, self.width, left, right) != 0
    }

    /// Left minus right, as numbers.
    pub(super) fn difference(&self, values: &[u64]) -> f64 {
        let [left, right] = self.values(values);
        match self.op {
            Binary::FEq | Binary::FLt | Binary::FLe => {
                let (left, right) = (float(self.width, left), float(self.width, right));
                // Infinities of one sign are equal.
                if left == right { 0.0 } else { left - right }
            }
            Binary::Slt | Binary::Sle => {
                (i128::from(fold::signed(self.width, left)) - i128::from(fold::signed(self.width, right)))
                    as f64
            }
            Binary::Ult | Binary::Ule => (i128::from(left) - i128::from(right)) as f64,
            // The shorter way around.
            _ => fold::signed(self.width, left.wrapping_sub(right) & coax_term::mask(self.width)) as f64,
        }
    }

    pub(super) fn is_float(&self) -> bool {
        matches!(self.op, Binary::FEq | Binary::FLt | Binary::FLe)
    }

    fn distance(&self, values: &[u64]) -> Distance {
        let difference = self.difference(values);
        let holds = self.holds(values);
        let far = if difference.is_nan() {
            NOT_A_NUMBER
        } else if self.by_bits {
            let [left, right] = self.values(values);
            f64::from((left ^ right).count_ones())
        } else {
            difference.abs().ln_1p()
        };
        // An order that is violated by nothing is violated.
        let least = if self.is_float() { 0.01 } else { 0.7 };
        match (self.op, holds) {
            (Binary::Eq | Binary::FEq, true) => Distance { from_true: 0.0, from_false: 1.0 },
            (Binary::Eq | Binary::FEq, false) => {
                Distance { from_true: far.max(f64::MIN_POSITIVE), from_false: 0.0 }
            }
            (_, true) => Distance { from_true: 0.0, from_false: far + least },
            (_, false) => Distance { from_true: far + least, from_false: 0.0 },
        }
    }
}

fn float(width: u8, bits: u64) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::{self, Library, Problem};
    use crate::random::Random;
    use coax_term::{Evaluator, Model};

    /// Compares the scores with evaluation, at points near the solution and far away.
    fn check(problem: &Problem, random: &mut Random) {
        let Problem { terms, conditions, solution, .. } = problem;
        let mut scores = Scores::new(terms, conditions);
        for round in 0..40 {
            let mut model = Model::new();
            for (symbol, value) in solution.iter() {
                let any = random.next() >> random.below(64);
                model.set(symbol, if random.below(40) >= round { value } else { any });
            }
            let mut library = Library::new(terms);
            let mut evaluator = Evaluator::new();
            let mut value = |term| evaluator.eval_with(terms, &model, &mut library, term).unwrap_or(0);
            let values: Vec<u64> = scores.roots.iter().map(|&root| value(root)).collect();
            let sum = scores.compute(&values);
            let holds: Vec<bool> = conditions.iter().map(|&condition| value(condition) == 1).collect();
            for (number, &holds) in holds.iter().enumerate() {
                assert_eq!(scores.of(number) == 0.0, holds, "condition {number} of {}", problem.name);
                let mut all = true;
                scores.active(number, &mut |comparison, wanted| {
                    all &= scores.comparisons[comparison].holds(&values) == wanted;
                });
                assert!(
                    all || !holds,
                    "condition {number} of {} holds; what it depends on does not",
                    problem.name
                );
            }
            assert!(!sum.is_nan() && (sum == 0.0) == holds.iter().all(|&holds| holds));
        }
    }

    #[test]
    fn a_score_is_zero_exactly_where_the_condition_holds() {
        let mut random = Random::new(1);
        problems::all().iter().for_each(|problem| check(problem, &mut random));
        (0..300).for_each(|seed| check(&problems::random(seed), &mut random));
    }
}
