//! The least and the greatest value of terms, as unsigned and as signed numbers, from comparisons with constants.

use super::facts::Bits;
use super::reasons::{Reason, Reasons};
use coax_term::{Binary, Node, Term, Terms, mask};
use std::collections::BTreeMap;

/// How numbers are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    Unsigned,
    Signed,
}

impl Order {
    /// A number that is in the order of unsigned numbers as the value is in this order, and the other way round.
    fn turn(self, width: u8, value: u64) -> u64 {
        match self {
            Order::Unsigned => value,
            Order::Signed => value ^ 1 << (width - 1),
        }
    }
}

/// A limit of values, in the order's numbers, and why it is one.
pub(super) type Bound = (u64, Reason);

/// What is known of the size of terms.
#[derive(Debug, Default)]
pub(super) struct Bounds(BTreeMap<(Term, Order), [Bound; 2]>);

/// What comes of a new limit.
pub(super) enum Change {
    /// It says nothing new.
    None,
    /// There are fewer values.
    Fewer,
    /// There is only one.
    One(u64, Reason),
    /// There is none.
    Contradiction(Reason),
}

impl Bounds {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The least and the greatest value of a term, of which these bits are known.
    pub(super) fn of(&self, terms: &Terms, term: Term, order: Order, bits: (Bits, Reason)) -> [Bound; 2] {
        let width = terms.width_of(term);
        let (range, whole) = (terms.range(term), mask(width));
        // In signed order, a range that has both signs may be anything.
        let ends = [range.low, range.high].map(|end| order.turn(width, end));
        let ends = if ends[0] <= ends[1] { ends } else { [0, whole] };
        let mut bounds = ends.map(|end| (end, Reason::default()));
        let (bits, why) = bits;
        let known = order.turn(width, bits.value) & bits.mask;
        tighten(&mut bounds, [(known, why), (known | whole & !bits.mask, why)]);
        if let Some(&learnt) = self.0.get(&(term, order)) {
            tighten(&mut bounds, learnt);
        }
        bounds
    }

    /// Takes in a comparison that holds, if it is one with a constant, for a term that has these bounds without it.
    pub(super) fn learn(
        &mut self,
        terms: &Terms,
        reasons: &mut Reasons,
        limit: &Limit,
        bits: (Bits, Reason),
        reason: Reason,
    ) -> Change {
        let width = terms.width_of(limit.term);
        let old = self.of(terms, limit.term, limit.order, bits);
        let mut new = old;
        match limit.kind {
            Kind::Least(value) => tighten(&mut new, [(value, reason), (u64::MAX, reason)]),
            Kind::Greatest(value) => tighten(&mut new, [(0, reason), (value, reason)]),
            Kind::Not(value) if old[0].0 == old[1].0 && old[0].0 == value => new[0].0 = u64::MAX,
            Kind::Not(value) if old[0].0 == value => {
                new[0] = (value + 1, reasons.unite(old[0].1, reason));
            }
            Kind::Not(value) if old[1].0 == value => {
                new[1] = (value - 1, reasons.unite(old[1].1, reason));
            }
            Kind::Not(_) | Kind::Never => {}
        }
        let [least, greatest] = new;
        let why = reasons.unite(least.1, greatest.1);
        let why = reasons.unite(why, reason);
        if matches!(limit.kind, Kind::Never) || least.0 > greatest.0 {
            return Change::Contradiction(why);
        }
        if [least.0, greatest.0] == old.map(|bound| bound.0) {
            return Change::None;
        }
        self.0.insert((limit.term, limit.order), new);
        match least.0 == greatest.0 {
            true => Change::One(limit.order.turn(width, least.0), why),
            false => Change::Fewer,
        }
    }
}

fn tighten(bounds: &mut [Bound; 2], by: [Bound; 2]) {
    if by[0].0 > bounds[0].0 {
        bounds[0] = by[0];
    }
    if by[1].0 < bounds[1].0 {
        bounds[1] = by[1];
    }
}

/// What a comparison with a constant says of the other operand.
pub(super) struct Limit {
    pub(super) term: Term,
    order: Order,
    kind: Kind,
}

/// In the order's numbers.
enum Kind {
    Least(u64),
    Greatest(u64),
    Not(u64),
    /// No value is as small, or as great, as would be needed.
    Never,
}

/// What it says, in each order, that a comparison holds or does not.
pub(super) fn limits(terms: &Terms, comparison: Term, holds: bool) -> Vec<Limit> {
    let Node::Binary(op, a, b) = terms.node(comparison) else { return Vec::new() };
    let width = terms.width_of(a);
    let (order, is_strict) = match op {
        Binary::Ult => (Order::Unsigned, true),
        Binary::Ule => (Order::Unsigned, false),
        Binary::Slt => (Order::Signed, true),
        Binary::Sle => (Order::Signed, false),
        Binary::Eq if !holds => {
            let Some(value) = terms.as_constant(b) else { return Vec::new() };
            let not = |order: Order| Limit { term: a, order, kind: Kind::Not(order.turn(width, value)) };
            return [Order::Unsigned, Order::Signed].map(not).into();
        }
        _ => return Vec::new(),
    };
    // A comparison that does not hold is the other one with its operands exchanged.
    let (first, second, is_strict) = if holds { (a, b, is_strict) } else { (b, a, !is_strict) };
    let (term, kind) = match (terms.as_constant(first), terms.as_constant(second)) {
        (None, Some(value)) => {
            let value = order.turn(width, value).checked_sub(u64::from(is_strict));
            (first, value.map_or(Kind::Never, Kind::Greatest))
        }
        (Some(value), None) => {
            let value = order.turn(width, value).checked_add(u64::from(is_strict));
            (second, value.map_or(Kind::Never, Kind::Least))
        }
        _ => return Vec::new(),
    };
    vec![Limit { term, order, kind }]
}
