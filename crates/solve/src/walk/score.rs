//! How badly conditions are violated (Korel, 1990; Dinges and Agha, 2014): a number that is 0 if and only if they hold, and smaller
//! the nearer they are to that.
//!
//! Every condition has two: how far it is from holding, and how far from not holding. So no negation need be pushed inwards, and
//! terms that are shared are scored once. "And" adds, "or" takes the least, a choice takes the cheaper arm with its condition.

use coax_term::{Binary, Node, Term, Terms, Unary, fold};
use std::collections::BTreeMap;

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

/// A choice inside a comparison is taken apart only so often: choices of choices would be exponentially many.
const MOST_ARMS: usize = 32;

/// What is not a number is further away than any number.
const NOT_A_NUMBER: f64 = 1000.0;

impl Scores {
    pub(super) fn new(terms: &Terms, conditions: &[Term]) -> Scores {
        let mut builder = ScoresBuilder {
            terms,
            part_of: BTreeMap::new(),
            root_of: BTreeMap::new(),
            scores: Scores {
                parts: Vec::new(),
                distances: Vec::new(),
                comparisons: Vec::new(),
                conditions: Vec::new(),
                roots: Vec::new(),
            },
        };
        for &condition in conditions {
            let part = builder.condition(condition);
            builder.scores.conditions.push(part);
        }
        let mut scores = builder.scores;
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
        while let Some((part, wanted)) = stack.pop() {
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

struct ScoresBuilder<'a> {
    terms: &'a Terms,
    part_of: BTreeMap<Term, u32>,
    root_of: BTreeMap<Term, u32>,
    scores: Scores,
}

impl ScoresBuilder<'_> {
    fn push(&mut self, part: Part) -> u32 {
        self.scores.parts.push(part);
        self.scores.parts.len() as u32 - 1
    }

    fn root(&mut self, term: Term) -> u32 {
        let roots = &mut self.scores.roots;
        *self.root_of.entry(term).or_insert_with(|| {
            roots.push(term);
            roots.len() as u32 - 1
        })
    }

    /// The part of a condition; operands first, without recursion.
    fn condition(&mut self, condition: Term) -> u32 {
        let mut stack = vec![condition];
        while let Some(&top) = stack.last() {
            if self.part_of.contains_key(&top) {
                stack.pop();
                continue;
            }
            let operands = self.conditions_below(top);
            let before = stack.len();
            stack.extend(operands.iter().filter(|operand| !self.part_of.contains_key(operand)));
            if stack.len() == before {
                let part = self.part(top);
                self.part_of.insert(top, part);
                stack.pop();
            }
        }
        self.part_of[&condition]
    }

    /// The conditions that a condition is made of.
    fn conditions_below(&self, condition: Term) -> Vec<Term> {
        match self.terms.node(condition) {
            Node::Unary(Unary::Not, a) => vec![a],
            Node::Binary(Binary::And | Binary::Or | Binary::Xor, a, b) => vec![a, b],
            Node::Binary(op, a, b) if op.is_comparison() => {
                let mut below = Vec::new();
                if op == Binary::Eq && self.terms.width_of(a) == 1 {
                    return vec![a, b];
                }
                self.choices(a, b, &mut |condition| below.push(condition));
                below
            }
            Node::Ite(c, a, b) => vec![c, a, b],
            _ => vec![],
        }
    }

    fn part(&mut self, condition: Term) -> u32 {
        let of = |term: Term| self.part_of[&term];
        let part = match self.terms.node(condition) {
            Node::Const { bits, .. } => Part::Constant(bits != 0),
            Node::Unary(Unary::Not, a) => Part::Not(of(a)),
            Node::Binary(Binary::And, a, b) => Part::And(of(a), of(b)),
            Node::Binary(Binary::Or, a, b) => Part::Or(of(a), of(b)),
            Node::Binary(Binary::Xor, a, b) => Part::Differ(of(a), of(b)),
            Node::Binary(Binary::Eq, a, b) if self.terms.width_of(a) == 1 => {
                let differ = Part::Differ(of(a), of(b));
                let differ = self.push(differ);
                Part::Not(differ)
            }
            Node::Binary(op, a, b) if op.is_comparison() => {
                let mut arms = MOST_ARMS;
                return self.compare(op, a, b, &mut arms);
            }
            Node::Ite(c, a, b) => Part::Choice(of(c), of(a), of(b)),
            _ => Part::Opaque(self.root(condition)),
        };
        self.push(part)
    }

    /// The conditions of choices at the top of a comparison's operands.
    fn choices(&self, a: Term, b: Term, each: &mut dyn FnMut(Term)) {
        let mut stack = vec![a, b];
        let mut arms = MOST_ARMS;
        while let Some(term) = stack.pop() {
            if let Node::Ite(c, then, otherwise) = self.terms.node(term)
                && arms > 0
            {
                arms -= 1;
                each(c);
                stack.extend([then, otherwise]);
            }
        }
    }

    /// A comparison, choices at the top of its operands taken apart. Recursion is bounded by the number of arms.
    fn compare(&mut self, op: Binary, a: Term, b: Term, arms: &mut usize) -> u32 {
        let choice = [a, b].into_iter().enumerate().find_map(|(side, term)| match self.terms.node(term) {
            Node::Ite(c, then, otherwise) => Some((side, *self.part_of.get(&c)?, then, otherwise)),
            _ => None,
        });
        if let Some((side, c, then, otherwise)) = choice
            && *arms > 0
        {
            *arms -= 1;
            let (first, second) = if side == 0 {
                (self.compare(op, then, b, arms), self.compare(op, otherwise, b, arms))
            } else {
                (self.compare(op, a, then, arms), self.compare(op, a, otherwise, arms))
            };
            return self.push(Part::Choice(c, first, second));
        }
        let at = [self.root(a), self.root(b)];
        let by_bits = op == Binary::Eq && (self.is_made_of_bits(a) || self.is_made_of_bits(b));
        let width = self.terms.width_of(a);
        self.scores.comparisons.push(Comparison { op, left: a, right: b, width, at, by_bits });
        let number = self.scores.comparisons.len() as u32 - 1;
        self.push(Part::Comparison(number))
    }

    /// Whether the outermost operator that computes something works on bits.
    fn is_made_of_bits(&self, mut term: Term) -> bool {
        loop {
            match self.terms.node(term) {
                Node::ZeroExtend { term: inner, .. } | Node::SignExtend { term: inner, .. } => term = inner,
                Node::Binary(op, ..) => {
                    use Binary::*;
                    return matches!(op, And | Or | Xor | Shl | LShr | AShr | Rotl | Rotr);
                }
                Node::Extract { .. } | Node::Unary(Unary::Not, _) => return true,
                _ => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::{self, Library, Problem};
    use crate::walk::random::Random;
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
