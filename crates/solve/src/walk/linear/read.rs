//! Reads conditions as linear ones, where they are.

use super::{Linear, Relation, Sum};
use crate::walk::field::{Field, Kind};
use crate::{Budget, Spent};
use coax_term::{Binary, Node, Term, Terms, Unary, fold, mask};
use std::collections::BTreeMap;

/// Bounds on a field.
type Bounds = (f64, f64);

/// A sum of more fields is left to the rest of the walk.
const MOST_FIELDS: usize = 64;

/// Conditions as linear ones; none of one that is not.
pub(super) fn conditions(
    terms: &Terms,
    conditions: &[Term],
    fields: &[Field],
    budget: &Budget,
) -> Result<Vec<Option<Linear>>, Spent> {
    let mut reader = Reader {
        terms,
        field_of: fields
            .iter()
            .enumerate()
            .filter_map(|(number, field)| Some((field.term?, number)))
            .collect(),
        fields,
        bounds: fields.iter().map(widest).collect(),
    };
    // Conditions on one field first: what they leave may keep the sums of others from wrapping.
    for &condition in conditions {
        if let Some(linear) = reader.in_time(condition, budget)? {
            reader.learn(&linear);
        }
    }
    conditions.iter().map(|&condition| reader.in_time(condition, budget)).collect()
}

/// All numbers of a field.
fn widest(field: &Field) -> Bounds {
    match field.kind {
        Kind::Float => (f64::NEG_INFINITY, f64::INFINITY),
        Kind::Signed => {
            let sign = 1 << (field.width - 1);
            (fold::signed(field.width, sign) as f64, (sign - 1) as f64)
        }
        Kind::Unsigned => (0.0, mask(field.width) as f64),
    }
}

/// Reads conditions as linear ones.
struct Reader<'a> {
    terms: &'a Terms,
    field_of: BTreeMap<Term, usize>,
    fields: &'a [Field],
    bounds: Vec<Bounds>,
}

/// What the bits of a term mean in a sum.
#[derive(Clone, Copy, PartialEq)]
enum Meaning {
    Float,
    Signed,
    Unsigned,
}

impl Reader<'_> {
    fn in_time(&self, condition: Term, budget: &Budget) -> Result<Option<Linear>, Spent> {
        if budget.is_late() { Err(Spent) } else { Ok(self.condition(condition)) }
    }

    fn condition(&self, condition: Term) -> Option<Linear> {
        let (comparison, holds) = match self.terms.node(condition) {
            Node::Unary(Unary::Not, inner) => (inner, false),
            _ => (condition, true),
        };
        let Node::Binary(op, a, b) = self.terms.node(comparison) else { return None };
        let meanings: &[Meaning] = match op {
            Binary::FEq | Binary::FLt | Binary::FLe => &[Meaning::Float],
            Binary::Slt | Binary::Sle => &[Meaning::Signed],
            Binary::Ult | Binary::Ule => &[Meaning::Unsigned],
            Binary::Eq => &[Meaning::Signed, Meaning::Unsigned],
            _ => return None,
        };
        let is_float = meanings == [Meaning::Float];
        let relation = match (op, holds) {
            (Binary::Eq | Binary::FEq, true) => Relation::Equal,
            (Binary::Eq | Binary::FEq, false) => return None,
            // Not less: true also if something is not a number, but then it is no sum to reason about.
            (Binary::Slt | Binary::Ult | Binary::FLt, holds) => Relation::AtMost { strict: holds },
            (_, holds) => Relation::AtMost { strict: !holds },
        };
        let (less, more) = if holds { (a, b) } else { (b, a) };
        meanings.iter().find_map(|&meaning| {
            let mut sum = self.sum(less, meaning)?;
            sum.add(&self.sum(more, meaning)?, -1.0);
            let is_useful = !sum.coefficients.is_empty() && sum.coefficients.len() <= MOST_FIELDS;
            let is_finite = sum.coefficients.values().all(|c| c.is_finite()) && sum.constant.is_finite();
            (is_useful && is_finite).then_some(Linear { sum, relation, is_float })
        })
    }

    /// A term as a sum. Operands are read before what is made of them, without recursion.
    fn sum(&self, term: Term, meaning: Meaning) -> Option<Sum> {
        let mut read: BTreeMap<Term, Sum> = BTreeMap::new();
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if read.contains_key(&top) {
                stack.pop();
                continue;
            }
            let missing: Vec<Term> = self.operands(top, meaning)?.filter(|a| !read.contains_key(a)).collect();
            if missing.is_empty() {
                let sum = self.combine(top, meaning, &read)?;
                read.insert(top, sum);
                stack.pop();
            } else if stack.len() > MOST_FIELDS {
                return None;
            }
            stack.extend(missing);
        }
        read.remove(&term)
    }

    /// The terms whose sums a term's sum consists of; none if it is not linear.
    fn operands(&self, term: Term, meaning: Meaning) -> Option<std::vec::IntoIter<Term>> {
        use Binary::*;
        let is_float = meaning == Meaning::Float;
        let operands = match self.terms.node(term) {
            Node::Const { .. } => vec![],
            _ if self.field_of.contains_key(&term) => vec![],
            Node::Binary(FAdd | FSub | FMul, a, b) if is_float => vec![a, b],
            Node::Binary(FDiv, a, b) if is_float && self.terms.as_constant(b).is_some() => vec![a, b],
            Node::Binary(Add | Sub | Mul, a, b) if !is_float => vec![a, b],
            Node::Binary(Shl, a, b) if !is_float && self.terms.as_constant(b).is_some() => vec![a],
            Node::ZeroExtend { term, .. } if !is_float => vec![term],
            Node::SignExtend { term, .. } if meaning == Meaning::Signed => vec![term],
            _ => return None,
        };
        Some(operands.into_iter())
    }

    fn combine(&self, term: Term, meaning: Meaning, read: &BTreeMap<Term, Sum>) -> Option<Sum> {
        let width = self.terms.width_of(term);
        if let Some(&field) = self.field_of.get(&term) {
            return self.field(field, meaning);
        }
        let sum = match self.terms.node(term) {
            Node::Const { bits, .. } => {
                let constant = match meaning {
                    Meaning::Float if width == 32 => f64::from(f32::from_bits(bits as u32)),
                    Meaning::Float => f64::from_bits(bits),
                    Meaning::Signed => fold::signed(width, bits) as f64,
                    Meaning::Unsigned => bits as f64,
                };
                return Some(Sum { constant, ..Sum::default() });
            }
            // Zeros above: the number must not have been negative.
            Node::ZeroExtend { term: inner, .. } => {
                let sum = read[&inner].clone();
                let is_positive = meaning == Meaning::Unsigned || self.range(&sum).0 >= 0.0;
                return is_positive.then_some(sum);
            }
            Node::SignExtend { term: inner, .. } => return Some(read[&inner].clone()),
            Node::Binary(Binary::Shl, a, count) => {
                let count = self.terms.as_constant(count)?;
                read[&a].times((count < 63).then(|| (1u64 << count) as f64)?)
            }
            Node::Binary(op, a, b) => {
                let (x, y) = (&read[&a], &read[&b]);
                match op {
                    Binary::Add | Binary::FAdd => x.plus(y, 1.0),
                    Binary::Sub | Binary::FSub => x.plus(y, -1.0),
                    Binary::FDiv => x.times(1.0 / y.constant),
                    _ if y.coefficients.is_empty() => x.times(y.constant),
                    _ if x.coefficients.is_empty() => y.times(x.constant),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let (low, high) = self.range(&sum);
        let fits = match meaning {
            Meaning::Float => true,
            Meaning::Unsigned => low >= 0.0 && high <= mask(width) as f64,
            Meaning::Signed => {
                let limit = (1u64 << (width - 1)) as f64;
                low >= -limit && high < limit
            }
        };
        fits.then_some(sum)
    }

    /// A field as a sum: if its bits mean what they should, or would mean the same.
    fn field(&self, field: usize, meaning: Meaning) -> Option<Sum> {
        let view = &self.fields[field];
        let half = (mask(view.width) >> 1) as f64;
        let (low, high) = self.bounds[field];
        let agrees = match (meaning, view.kind) {
            (Meaning::Float, kind) => kind == Kind::Float,
            (_, Kind::Float) => false,
            (Meaning::Signed, Kind::Signed) | (Meaning::Unsigned, Kind::Unsigned) => true,
            _ => low >= 0.0 && high <= half,
        };
        let sum = Sum { coefficients: [(field, 1.0)].into(), constant: 0.0 };
        agrees.then_some(sum)
    }

    /// Between which numbers a sum is.
    fn range(&self, sum: &Sum) -> Bounds {
        sum.coefficients.iter().fold((sum.constant, sum.constant), |(low, high), (&field, &coefficient)| {
            let (a, b) = self.bounds[field];
            let (x, y) = (a * coefficient, b * coefficient);
            (low + x.min(y), high + x.max(y))
        })
    }

    /// Takes the bounds of a condition on one field.
    fn learn(&mut self, linear: &Linear) {
        let (&field, &coefficient) = match linear.sum.coefficients.iter().next() {
            Some(entry) if linear.sum.coefficients.len() == 1 => entry,
            _ => return,
        };
        let limit = -linear.sum.constant / coefficient;
        let (low, high) = &mut self.bounds[field];
        if linear.relation == Relation::Equal || coefficient > 0.0 {
            *high = high.min(limit);
        }
        if linear.relation == Relation::Equal || coefficient < 0.0 {
            *low = low.max(limit);
        }
    }
}
