//! Equations as definitions: which input must be set to what for one to hold, whatever the other side is.

use coax_term::{Algebra, Binary, Node, Symbol, Term, Terms, Unary};

/// Symbols, and the terms that they are set to.
pub(super) type Definitions = Vec<(Symbol, Term)>;

/// What to set so that a condition holds for all values of the functions in it; what must hold besides.
pub(super) struct Defined {
    pub definitions: Definitions,
    pub conditions: Vec<Term>,
}

/// The ways to make a condition hold by setting symbols that occur on one side of it only.
pub(super) fn ways(terms: &mut Terms, condition: Term) -> Vec<Defined> {
    let (is_wanted, condition) = match terms.node(condition) {
        Node::Unary(Unary::Not, inner) => (false, inner),
        _ => (true, condition),
    };
    let Node::Binary(operator, left, right) = terms.node(condition) else { return Vec::new() };
    // A value of the other side with which the condition holds, whatever that is.
    let witness = |terms: &mut Terms, other: Term| match (operator, is_wanted) {
        (Binary::Eq, true) | (Binary::Ule | Binary::Sle, true) | (Binary::Ult | Binary::Slt, false) => {
            Some(other)
        }
        (Binary::Eq, false) => {
            let one = terms.constant(terms.width_of(other), 1);
            Some(terms.binary(Binary::Add, other, one))
        }
        _ => None,
    };
    let mut ways = Vec::new();
    for (side, other) in [(left, right), (right, left)] {
        let Some(value) = witness(terms, other) else { continue };
        let mut defined = Defined { definitions: Vec::new(), conditions: Vec::new() };
        let is_solved = solve(terms, side, value, &mut defined);
        if is_solved && !defined.definitions.is_empty() && is_apart(terms, &defined) {
            ways.push(defined);
        }
    }
    ways
}

/// Whether no symbol is set twice, or to something that depends on one that is set.
fn is_apart(terms: &Terms, Defined { definitions, .. }: &Defined) -> bool {
    let mut set: Vec<Symbol> = definitions.iter().map(|(symbol, _)| *symbol).collect();
    set.sort_unstable();
    let is_once = set.windows(2).all(|pair| pair[0] != pair[1]);
    let values: Vec<Term> = definitions.iter().map(|(_, value)| *value).collect();
    let depends = terms.post_order(&values).into_iter().any(|term| match terms.node(term) {
        Node::Symbol(symbol) => set.binary_search(&symbol).is_ok(),
        _ => false,
    });
    is_once && !depends
}

/// Sets what is in a term so that it has a value; false if that is not possible for every value.
fn solve(terms: &mut Terms, term: Term, value: Term, into: &mut Defined) -> bool {
    match terms.node(term) {
        Node::Symbol(symbol) => {
            into.definitions.push((symbol, value));
            true
        }
        Node::Const { .. } => {
            into.conditions.push(terms.binary(Binary::Eq, term, value));
            true
        }
        Node::Unary(Unary::Not, inner) => {
            let value = terms.unary(Unary::Not, value);
            solve(terms, inner, value, into)
        }
        Node::Concat(high, low) => {
            let width = terms.width_of(low);
            let upper = terms.extract(value, width, terms.width_of(high));
            let lower = terms.extract(value, 0, width);
            solve(terms, high, upper, into) && solve(terms, low, lower, into)
        }
        Node::ZeroExtend { term: inner, .. } | Node::SignExtend { term: inner, .. } => {
            let lower = terms.extract(value, 0, terms.width_of(inner));
            let again = match terms.node(term) {
                Node::ZeroExtend { width, .. } => terms.zero_extend(lower, width),
                _ => terms.sign_extend(lower, terms.width_of(term)),
            };
            into.conditions.push(terms.binary(Binary::Eq, again, value));
            solve(terms, inner, lower, into)
        }
        Node::Binary(operator, left, right) => {
            let (inner, constant, is_left) = match (terms.node(left), terms.node(right)) {
                (_, Node::Const { .. }) => (left, right, true),
                (Node::Const { .. }, _) => (right, left, false),
                _ => return false,
            };
            let value = match operator {
                Binary::Xor => terms.binary(Binary::Xor, value, constant),
                Binary::Add => terms.binary(Binary::Sub, value, constant),
                Binary::Sub if is_left => terms.binary(Binary::Add, value, constant),
                Binary::Sub => terms.binary(Binary::Sub, constant, value),
                Binary::Rotl if is_left => terms.binary(Binary::Rotr, value, constant),
                Binary::Rotr if is_left => terms.binary(Binary::Rotl, value, constant),
                _ => return false,
            };
            solve(terms, inner, value, into)
        }
        _ => false,
    }
}
