//! What follows from bits of a term for bits of its operands, as far as it is certain and takes one look.

use coax_term::{Algebra, Binary, Node, Term, Terms, Unary, mask};

/// Some bits of a value: those of the mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) mask: u64,
    /// Other bits are 0.
    pub(super) value: u64,
}

impl Bits {
    /// All bits of a value of this width.
    pub(super) fn all(width: u8, value: u64) -> Bits {
        Bits { mask: mask(width), value: value & mask(width) }
    }

    /// The bits of a mask, as they are in a value.
    pub(super) fn some(mask: u64, value: u64) -> Bits {
        Bits { mask, value: value & mask }
    }

    /// So many bits from a place on, moved to the lowest place.
    pub(super) fn part(self, low: u8, width: u8) -> Bits {
        Bits::some(self.mask >> low & mask(width), self.value >> low)
    }

    /// The lowest bits, up to the first that is not known.
    fn lowest(self) -> u64 {
        self.mask & !self.mask.wrapping_add(1)
    }
}

/// Tells of operands (and of related terms) which bits they have if a term has these, of which there is at least one.
pub(super) fn consequences(terms: &mut Terms, term: Term, bits: Bits, each: &mut dyn FnMut(Term, Bits)) {
    let width = terms.width_of(term);
    let is_all = bits.mask == mask(width);
    match terms.node(term) {
        Node::Unary(Unary::Not, a) => each(a, Bits::some(bits.mask, !bits.value)),
        Node::Binary(op, a, b) if op.is_comparison() => comparison(terms, term, (op, a, b), bits.value, each),
        Node::Binary(op, a, b) => binary(terms, (op, a, b), bits, each),
        Node::Concat(high, low) => {
            let low_width = terms.width_of(low);
            each(high, bits.part(low_width, width - low_width));
            each(low, bits.part(0, low_width));
        }
        Node::Extract { low, term: a, .. } => {
            each(a, Bits { mask: bits.mask << low, value: bits.value << low });
        }
        Node::ZeroExtend { term: a, .. } | Node::SignExtend { term: a, .. } => {
            each(a, bits.part(0, terms.width_of(a)));
        }
        Node::Ite(condition, then, otherwise) if is_all => {
            if !terms.range(then).contains(bits.value) {
                each(condition, Bits::all(1, 0));
                each(otherwise, bits);
            } else if !terms.range(otherwise).contains(bits.value) {
                each(condition, Bits::all(1, 1));
                each(then, bits);
            }
        }
        // A value that one entry can have, and that no entry's absence gives.
        Node::Lookup { index, table } if is_all && bits.value != 0 => {
            let has_it = |entry: &&(u64, Term)| terms.range(entry.1).contains(bits.value);
            let mut keys = terms.table_entries(table).iter().filter(has_it);
            if let (Some(&(key, entry)), None) = (keys.next(), keys.next()) {
                each(index, Bits::all(terms.width_of(index), key));
                each(entry, bits);
            }
        }
        _ => {}
    }
}

fn binary(terms: &Terms, (op, a, b): (Binary, Term, Term), bits: Bits, each: &mut dyn FnMut(Term, Bits)) {
    let width = terms.width_of(a);
    let constant = terms.as_constant(b);
    match (op, constant) {
        // Where the constant decides, the other operand does not matter.
        (Binary::And, Some(constant)) => each(a, Bits::some(bits.mask & constant, bits.value)),
        (Binary::Or, Some(constant)) => each(a, Bits::some(bits.mask & !constant, bits.value)),
        (Binary::And, None) => [a, b].iter().for_each(|&t| each(t, Bits::some(bits.value, bits.value))),
        (Binary::Or, None) => [a, b].iter().for_each(|&t| each(t, Bits::some(bits.mask & !bits.value, 0))),
        (Binary::Xor, Some(constant)) => each(a, Bits::some(bits.mask, bits.value ^ constant)),
        (Binary::Add, Some(constant)) => {
            each(a, Bits::some(bits.lowest(), bits.value.wrapping_sub(constant)));
        }
        // A product that does not wrap.
        (Binary::Mul, Some(constant)) if constant != 0 && bits.mask == mask(width) => {
            let greatest = terms.range(a).high.checked_mul(constant);
            if greatest.is_some_and(|greatest| greatest <= mask(width)) {
                each(a, Bits::all(width, bits.value / constant));
            }
        }
        _ => {}
    }
}

/// Of a comparison: what it says if it is an equality, its negation, and what it implies of other comparisons of the same operands.
fn comparison(
    terms: &mut Terms,
    term: Term,
    (op, a, b): (Binary, Term, Term),
    value: u64,
    each: &mut dyn FnMut(Term, Bits),
) {
    let is = |holds| Bits::all(1, holds);
    let opposite = terms.not(term);
    if terms.node(opposite) != Node::Unary(Unary::Not, term) {
        each(opposite, is(1 - value));
    }
    let constant = terms.as_constant(b);
    let weaker = match (op, constant.or(terms.as_constant(a))) {
        (Binary::Eq, Some(_)) if value == 1 => {
            return if let Some(constant) = constant {
                each(a, Bits::all(terms.width_of(a), constant))
            };
        }
        (Binary::Ult, None) if value == 1 => Binary::Ule,
        (Binary::Slt, None) if value == 1 => Binary::Sle,
        _ => return,
    };
    let (weaker, equal) = (terms.binary(weaker, a, b), terms.eq(a, b));
    each(weaker, is(1));
    each(equal, is(0));
}
