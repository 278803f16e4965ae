//! What follows from a term's value for its operands, as far as it is certain and takes one look.

use coax_term::{Algebra, Binary, Node, Term, Terms, Unary, mask};

/// Tells of operands (and of related terms) which values they have if a term has this one.
pub(super) fn consequences(terms: &mut Terms, term: Term, value: u64, each: &mut dyn FnMut(Term, u64)) {
    let width = terms.width_of(term);
    match terms.node(term) {
        Node::Unary(Unary::Not, a) => each(a, !value & mask(width)),
        Node::Binary(op, a, b) => binary(terms, term, (op, a, b), value, each),
        Node::Concat(high, low) => {
            let low_width = terms.width_of(low);
            each(high, value >> low_width);
            each(low, value & mask(low_width));
        }
        Node::ZeroExtend { term: a, .. } | Node::SignExtend { term: a, .. } => {
            each(a, value & mask(terms.width_of(a)));
        }
        Node::Ite(condition, then, otherwise) => {
            if !terms.range(then).contains(value) {
                each(condition, 0);
                each(otherwise, value);
            } else if !terms.range(otherwise).contains(value) {
                each(condition, 1);
                each(then, value);
            }
        }
        // A value that one entry can have, and that no entry's absence gives.
        Node::Lookup { index, table } if value != 0 => {
            let mut keys = terms.table_entries(table).iter().filter(|e| terms.range(e.1).contains(value));
            if let (Some(&(key, entry)), None) = (keys.next(), keys.next()) {
                each(index, key);
                each(entry, value);
            }
        }
        _ => {}
    }
}

fn binary(
    terms: &mut Terms,
    term: Term,
    (op, a, b): (Binary, Term, Term),
    value: u64,
    each: &mut dyn FnMut(Term, u64),
) {
    let width = terms.width_of(a);
    let constant = terms.as_constant(b);
    match (op, constant) {
        (Binary::And, _) if value == mask(width) => [a, b].map(|operand| each(operand, value)),
        (Binary::Or, _) if value == 0 => [a, b].map(|operand| each(operand, 0)),
        (Binary::Eq, Some(constant)) if value == 1 => return each(a, constant),
        (Binary::Xor, Some(constant)) => return each(a, value ^ constant),
        (Binary::Add, Some(constant)) => return each(a, value.wrapping_sub(constant) & mask(width)),
        _ => return comparison(terms, term, (op, a, b), value, each),
    };
}

/// Of a comparison: its negation, and what it implies of other comparisons of the same operands.
fn comparison(
    terms: &mut Terms,
    term: Term,
    (op, a, b): (Binary, Term, Term),
    value: u64,
    each: &mut dyn FnMut(Term, u64),
) {
    if !op.is_comparison() {
        return;
    }
    let opposite = terms.not(term);
    if terms.node(opposite) != Node::Unary(Unary::Not, term) {
        each(opposite, 1 - value);
    }
    let weaker = match op {
        Binary::Ult => Binary::Ule,
        Binary::Slt => Binary::Sle,
        _ => return,
    };
    let has_constant = [a, b].iter().any(|&operand| terms.as_constant(operand).is_some());
    if value == 1 && !has_constant {
        let (weaker, equal) = (terms.binary(weaker, a, b), terms.eq(a, b));
        each(weaker, 1);
        each(equal, 0);
    }
}
