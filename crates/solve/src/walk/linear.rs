//! The linear conditions: sums of fields times constants, compared with a constant. Together they are a polytope, in which all
//! solutions lie; the walk stays in it.
//!
//! A sum of integers counts as linear only if it cannot wrap: not for any values of its fields, or not for those that the bounds among
//! the conditions leave. Sums of floats are rounded, so that what is computed here is only nearly right; evaluation decides.

use super::field::{Field, Kind};
use super::random::Random;
use super::space::Point;
use coax_term::{Binary, Node, Term, Terms, Unary, fold, mask};
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

/// Bounds on a field.
type Bounds = (f64, f64);

/// A sum of more fields is left to the rest of the walk.
const MOST_FIELDS: usize = 64;
/// How often other fields are adjusted to one that changed.
const MOST_ADJUSTMENTS: usize = 16;

impl Polytope {
    /// The polytope of some conditions.
    pub(super) fn new(terms: &Terms, conditions: &[Term], fields: &[Field]) -> Polytope {
        let mut reader = Reader {
            terms,
            field_of: fields.iter().enumerate().map(|(number, field)| (field.term, number)).collect(),
            fields,
            bounds: fields.iter().map(widest).collect(),
        };
        // Conditions on one field first: what they leave may keep the sums of others from wrapping.
        for &condition in conditions {
            if let Some(linear) = reader.condition(condition) {
                reader.learn(&linear);
            }
        }
        let read: Vec<Option<Linear>> =
            conditions.iter().map(|&condition| reader.condition(condition)).collect();
        let is_linear = read.iter().map(Option::is_some).collect();
        let conditions: Vec<Linear> = read.into_iter().flatten().collect();
        let mut by_field = vec![Vec::new(); fields.len()];
        for (number, linear) in conditions.iter().enumerate() {
            linear.fields().for_each(|field| by_field[field].push(number));
        }
        Polytope { conditions, by_field, is_linear }
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

    /// A point inside, from one outside: violated conditions are made to hold one after the other. None if they keep violating each other.
    pub(super) fn enter(&self, fields: &[Field], mut point: Point, random: &mut Random) -> Option<Point> {
        for _ in 0..8 * (self.conditions.len() + 4) {
            let is_violated = |linear: &&Linear| !linear.holds(linear.value(fields, &point));
            let violated: Vec<&Linear> = self.conditions.iter().filter(is_violated).collect();
            let Some(linear) = random.pick(&violated) else { return Some(point) };
            let own: Vec<usize> = linear.fields().collect();
            let field = random.pick(&own)?;
            linear.solve_for(field, linear.value(fields, &point), fields, &mut point);
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
    use coax_term::Terms;

    fn shape(terms: &mut Terms, conditions: &[&str]) -> Shape {
        let conditions: Vec<Term> =
            conditions.iter().map(|text| terms.parse(text).expect("a condition")).collect();
        Shape::new(terms, &conditions)
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
        let mut point = polytope.enter(fields, vec![7; 3], &mut random).expect("there is a way");
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
