//! Sums and products in a normal form: polynomials modulo 2^w over terms that are neither. Comparisons whose sides are the same polynomial,
//! or differ by what is never zero, are decided here; a search would have to try all values to see that.
//!
//! The terms themselves stay as they are: a product taken apart is worse for the bit-blaster. What is too big counts as a term of its
//! own, and polynomials that are zero everywhere without having the form of zero are not noticed.

use crate::Query;
use coax_term::{Binary, Node, Substitution, Term, Terms, Unary, mask};
use std::collections::BTreeMap;
use std::rc::Rc;

/// More summands are too many.
const MOST_SUMMANDS: usize = 48;
/// More factors of one summand are too many.
const MOST_FACTORS: usize = 6;
/// Of conditions with more terms than this nothing is decided.
pub(crate) const MOST_TERMS: usize = 4_000;

/// Coefficients by factors, which are in order; none is 0. A factor of fewer bits counts as widened by zeros, of one of more only the lowest
/// bits count.
type Polynomial = BTreeMap<Vec<Term>, u64>;

/// The conditions of a question, after comparisons were decided.
pub(crate) struct Reduced {
    /// In the order of the question's.
    pub(crate) assumptions: Vec<Term>,
    pub(crate) goal: Term,
}

/// Decides comparisons in a question; none if there is nothing to decide.
pub(crate) fn reduce(terms: &mut Terms, query: &Query<'_>) -> Option<Reduced> {
    let conditions: Vec<Term> = query.conditions().collect();
    let order = terms.post_order(&conditions);
    let mut polynomials = Polynomials::default();
    let mut substitution = Substitution::default();
    let mut is_changed = false;
    for &term in &order {
        polynomials.add(terms, term);
        if let Some(value) = polynomials.decide(terms, term) {
            let value = if value { terms.truth() } else { terms.falsity() };
            substitution.put(term, value);
            is_changed = true;
        }
    }
    if !is_changed {
        return None;
    }
    let mut replaced = |condition| substitution.apply(terms, condition, &mut |_| None);
    let assumptions = query.assumptions.iter().map(|&assumption| replaced(assumption)).collect();
    Some(Reduced { assumptions, goal: replaced(query.goal) })
}

/// The polynomials of terms that are sums or products; others are factors of their own.
#[derive(Default)]
struct Polynomials(BTreeMap<Term, Rc<Polynomial>>);

impl Polynomials {
    /// Finds the polynomial of a term whose operands were added.
    fn add(&mut self, terms: &Terms, term: Term) {
        let width = terms.width_of(term);
        let polynomial = match terms.node(term) {
            Node::Const { bits, .. } => Some(constant(bits)),
            Node::Unary(Unary::Not, a) if width > 1 => sum(&constant(mask(width)), &self.of(a), u64::MAX),
            Node::Binary(Binary::Add, a, b) => sum(&self.of(a), &self.of(b), 1),
            Node::Binary(Binary::Sub, a, b) => sum(&self.of(a), &self.of(b), u64::MAX),
            Node::Binary(Binary::Mul, a, b) => product(&self.of(a), &self.of(b)),
            Node::Binary(Binary::Shl, a, b) => match terms.as_constant(b) {
                Some(by) if by < u64::from(width) => sum(&Polynomial::new(), &self.of(a), 1 << by),
                _ => None,
            },
            Node::Extract { low: 0, term: a, .. } => Some((*self.of(a)).clone()),
            Node::ZeroExtend { term: a, .. } => Some(factor(a)),
            Node::Concat(high, low) => {
                let below = terms.as_constant(low).map_or_else(|| factor(low), constant);
                sum(&below, &self.of(high), 1 << terms.width_of(low))
            }
            _ => None,
        };
        if let Some(mut polynomial) = polynomial {
            polynomial.retain(|_, coefficient| {
                *coefficient &= mask(width);
                *coefficient != 0
            });
            self.0.insert(term, Rc::new(polynomial));
        }
    }

    fn of(&self, term: Term) -> Rc<Polynomial> {
        self.0.get(&term).cloned().unwrap_or_else(|| Rc::new(factor(term)))
    }

    /// What a comparison always is, if that shows.
    fn decide(&self, terms: &Terms, term: Term) -> Option<bool> {
        let Node::Binary(op, a, b) = terms.node(term) else { return None };
        let if_equal = match op {
            Binary::Eq | Binary::Ule | Binary::Sle => true,
            Binary::Ult | Binary::Slt => false,
            _ => return None,
        };
        if terms.as_constant(a).is_some() && terms.as_constant(b).is_some() {
            return None;
        }
        let width = terms.width_of(a);
        let mut difference = sum(&self.of(a), &self.of(b), u64::MAX)?;
        let alone = difference.remove(&Vec::new()).unwrap_or(0) & mask(width);
        // Every summand but the constant is a multiple of a power of two; no sum of them is what is not.
        let lowest = difference.values().fold(0, |all, coefficient| all | coefficient) & mask(width);
        let possible = if lowest == 0 { 0 } else { mask(width) << lowest.trailing_zeros() };
        if lowest == 0 && alone == 0 {
            return Some(if_equal);
        }
        (op == Binary::Eq && alone & !possible != 0).then_some(false)
    }
}

fn constant(bits: u64) -> Polynomial {
    if bits == 0 { Polynomial::new() } else { [(Vec::new(), bits)].into() }
}

fn factor(term: Term) -> Polynomial {
    [(vec![term], 1)].into()
}

/// One and a multiple of the other; none if that is too big.
fn sum(one: &Polynomial, other: &Polynomial, times: u64) -> Option<Polynomial> {
    let mut sum = one.clone();
    for (factors, coefficient) in other {
        let entry = sum.entry(factors.clone()).or_insert(0);
        *entry = entry.wrapping_add(coefficient.wrapping_mul(times));
    }
    (sum.len() <= MOST_SUMMANDS).then_some(sum)
}

/// None if it is too big.
fn product(one: &Polynomial, other: &Polynomial) -> Option<Polynomial> {
    let mut product = Polynomial::new();
    for (left, a) in one {
        for (right, b) in other {
            let mut factors = [&left[..], right].concat();
            if factors.len() > MOST_FACTORS {
                return None;
            }
            factors.sort_unstable();
            let entry = product.entry(factors).or_insert(0);
            *entry = entry.wrapping_add(a.wrapping_mul(*b));
        }
        if product.len() > MOST_SUMMANDS {
            return None;
        }
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use coax_term::{Algebra, Evaluator, Model};

    fn decided(terms: &mut Terms, condition: Term) -> Option<bool> {
        let query = Query { assumptions: &[], goal: condition, hint: &Model::new() };
        let goal = reduce(terms, &query)?.goal;
        terms.as_constant(goal).map(|bits| bits == 1)
    }

    #[test]
    fn laws_of_sums_and_products_are_decided() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, 32));
        let t = &mut terms;
        let sum = t.binary(Binary::Add, y, z);
        let one = t.binary(Binary::Mul, x, sum);
        let (first, second) = (t.binary(Binary::Mul, x, y), t.binary(Binary::Mul, x, z));
        let other = t.binary(Binary::Add, first, second);
        let (same, less) = (t.eq(one, other), t.binary(Binary::Ult, one, other));
        assert_eq!((decided(t, same), decided(t, less)), (Some(true), Some(false)));
        // The square of a sum, and that plus 5.
        let square = t.binary(Binary::Mul, sum, sum);
        let (yy, zz) = (t.binary(Binary::Mul, y, y), t.binary(Binary::Mul, z, z));
        let (yz, five) = (t.binary(Binary::Mul, y, z), t.constant(32, 5));
        let double = t.binary(Binary::Add, yz, yz);
        let squares = t.binary(Binary::Add, yy, zz);
        let all = t.binary(Binary::Add, squares, double);
        let more = t.binary(Binary::Add, all, five);
        let (same, never) = (t.eq(square, all), t.eq(square, more));
        assert_eq!((decided(t, same), decided(t, never)), (Some(true), Some(false)));
    }

    #[test]
    fn what_is_decided_is_so_for_all_values() {
        let mut decisions = [0, 0];
        for seed in 0..20_000 {
            let mut random = Random::new(seed);
            let mut terms = Terms::new();
            let width = 2 + random.below(3) as u8;
            let mut made: Vec<Term> = ["x", "y"].map(|name| terms.symbol(name, width)).to_vec();
            for _ in 0..8 {
                let (a, b) = (random.one_of(&made), random.one_of(&made));
                let number = terms.constant(width, random.next() & mask(width));
                made.push(match random.below(9) {
                    0 | 1 => terms.binary(Binary::Add, a, b),
                    2 => terms.binary(Binary::Sub, a, b),
                    3 | 4 => terms.binary(Binary::Mul, a, b),
                    5 => terms.binary(Binary::Mul, a, number),
                    6 => terms.unary(Unary::Not, a),
                    7 => {
                        let (low, high) = (terms.extract(a, 0, 1), terms.extract(b, 0, width - 1));
                        terms.concat(high, low)
                    }
                    _ => {
                        let wide = (terms.zero_extend(a, 2 * width), terms.sign_extend(b, 2 * width));
                        let product = terms.binary(Binary::Mul, wide.0, wide.1);
                        terms.extract(product, 0, width)
                    }
                });
            }
            let (a, b) = (made[made.len() - 1], random.one_of(&made[..made.len() - 1]));
            let op = random.one_of(&[Binary::Eq, Binary::Ult, Binary::Ule, Binary::Slt, Binary::Sle]);
            let condition = terms.binary(op, a, b);
            if terms.as_constant(condition).is_some() {
                continue;
            }
            let Some(value) = decided(&mut terms, condition) else { continue };
            decisions[usize::from(value)] += 1;
            let symbols: Vec<_> = terms.symbols().collect();
            let mut evaluator = Evaluator::new();
            for point in 0..1_u64 << (2 * width) {
                let values = [point & mask(width), point >> width];
                let model: Model = symbols.iter().copied().zip(values).collect();
                evaluator.reset();
                let is = evaluator.eval(&terms, &model, condition) == 1;
                assert_eq!(is, value, "seed {seed}, {values:?}");
            }
        }
        assert!(decisions.iter().all(|&count| count > 10), "{decisions:?}");
    }
}
