//! Arrays: chains of stores over an array of which nothing is known, which is a function of one argument.
//!
//! A `select` goes down the chain and becomes an `ite` for every `store` on the way. Arrays are equal if they are at every index where
//! they can differ; where that cannot be said with finitely many terms, the equality is unsupported. But an array that is
//! asserted to equal another before it is used anywhere simply is that other one.

use super::sort::{Array, Sort};
use coax_term::{Algebra, Evaluator, Function, Model, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Arrays with indices of at most so many bits are compared at every index.
const COMPARED_EVERYWHERE: u8 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Unknown(Function),
    Everywhere(Term),
    Store {
        base: Array,
        index: Term,
        value: Term,
    },
    Ite {
        condition: Term,
        then: Array,
        otherwise: Array,
    },
    /// The same as another: so it was asserted.
    Same(Array),
}

/// All arrays of a script.
#[derive(Debug, Default)]
pub(super) struct Arrays(Vec<Known>);

#[derive(Clone, Copy, Debug)]
struct Known {
    node: Node,
    sort: Sort,
    /// Whether a term or another array was made of it.
    is_used: bool,
}

impl Arrays {
    fn push(&mut self, node: Node, sort: Sort) -> Array {
        self.0.push(Known { node, sort, is_used: false });
        Array(self.0.len() - 1)
    }

    pub(super) fn sort(&self, array: Array) -> Sort {
        self.0[array.0].sort
    }

    /// The widths of an array's indices and elements.
    pub(super) fn widths(&self, array: Array) -> (u8, u8) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            _ => unreachable!("arrays are made with sorts of arrays"),
        }
    }

    pub(super) fn unknown(&mut self, function: Function, sort: Sort) -> Array {
        self.push(Node::Unknown(function), sort)
    }

    pub(super) fn everywhere(&mut self, value: Term, sort: Sort) -> Array {
        self.push(Node::Everywhere(value), sort)
    }

    pub(super) fn store(&mut self, base: Array, index: Term, value: Term) -> Array {
        self.0[base.0].is_used = true;
        self.push(Node::Store { base, index, value }, self.sort(base))
    }

    pub(super) fn ite(&mut self, condition: Term, then: Array, otherwise: Array) -> Array {
        self.0[then.0].is_used = true;
        self.0[otherwise.0].is_used = true;
        self.push(Node::Ite { condition, then, otherwise }, self.sort(then))
    }

    /// Makes an array of which nothing is known the same as another; false if something was made of it already.
    pub(super) fn define(&mut self, array: Array, other: Array) -> bool {
        let Known { node, sort, is_used } = self.0[array.0];
        let can_be = matches!(node, Node::Unknown(_)) && !is_used && sort == self.sort(other);
        if !can_be || self.parts(other).contains(&array) {
            return false;
        }
        self.0[other.0].is_used = true;
        self.0[array.0].node = Node::Same(other);
        true
    }

    /// Makes it an array of which nothing is known again. What was made of it since is forgotten, too.
    pub(super) fn forget_definition(&mut self, array: Array, function: Function) {
        self.0[array.0].node = Node::Unknown(function);
        self.0[array.0].is_used = false;
    }

    /// The function that an array of which nothing is known is.
    pub(super) fn function(&self, array: Array) -> Option<Function> {
        match self.0[array.0].node {
            Node::Unknown(function) => Some(function),
            _ => None,
        }
    }

    /// What an array consists of, each after what it consists of.
    fn parts(&self, array: Array) -> Vec<Array> {
        let mut seen = BTreeSet::new();
        let mut order = Vec::new();
        let mut waiting = vec![(array, false)];
        while let Some((next, is_done)) = waiting.pop() {
            if is_done {
                order.push(next);
            } else if seen.insert(next) {
                waiting.push((next, true));
                match self.0[next.0].node {
                    Node::Unknown(_) | Node::Everywhere(_) => {}
                    Node::Store { base: part, .. } | Node::Same(part) => waiting.push((part, false)),
                    Node::Ite { then, otherwise, .. } => waiting.extend([(then, false), (otherwise, false)]),
                }
            }
        }
        order
    }

    /// The parts, for terms that are made of them.
    fn used_parts(&mut self, array: Array) -> Vec<Array> {
        let parts = self.parts(array);
        parts.iter().for_each(|part| self.0[part.0].is_used = true);
        parts
    }

    /// The element at an index.
    pub(super) fn select(&mut self, terms: &mut Terms, array: Array, index: Term) -> Term {
        let mut elements: BTreeMap<Array, Term> = BTreeMap::new();
        for part in self.used_parts(array) {
            let element = match self.0[part.0].node {
                Node::Unknown(function) => terms.apply(function, &[index]),
                Node::Everywhere(value) => value,
                Node::Same(other) => elements[&other],
                Node::Store { base, index: stored, value } => {
                    let is_here = terms.eq(stored, index);
                    terms.ite(is_here, value, elements[&base])
                }
                Node::Ite { condition, then, otherwise } => {
                    terms.ite(condition, elements[&then], elements[&otherwise])
                }
            };
            elements.insert(part, element);
        }
        elements[&array]
    }

    /// Whether two arrays are equal; none if there is no such term.
    pub(super) fn equal(&mut self, terms: &mut Terms, a: Array, b: Array) -> Option<Term> {
        let mut places: BTreeSet<Term> = BTreeSet::new();
        let mut bases: Vec<Node> = Vec::new();
        for part in self.used_parts(a).into_iter().chain(self.used_parts(b)) {
            match self.0[part.0].node {
                Node::Store { index, .. } => drop(places.insert(index)),
                base @ (Node::Unknown(_) | Node::Everywhere(_)) => bases.push(base),
                Node::Ite { .. } | Node::Same(_) => {}
            }
        }
        let (width, _) = self.widths(a);
        // Outside of the places where something was stored both are what they were made of.
        let have_one_base = bases.iter().all(|base| *base == bases[0]);
        if !have_one_base {
            if width > COMPARED_EVERYWHERE {
                return None;
            }
            places = (0..1u64 << width).map(|index| terms.constant(width, index)).collect();
        }
        let mut equal = terms.truth();
        for place in places {
            let (x, y) = (self.select(terms, a, place), self.select(terms, b, place));
            let here = terms.eq(x, y);
            equal = terms.and(equal, here);
        }
        Some(equal)
    }

    /// An array's elements under a model: what they are in general, and the others by their indices.
    pub(super) fn elements(&self, terms: &Terms, model: &Model, array: Array) -> (u64, BTreeMap<u64, u64>) {
        let mut evaluator = Evaluator::new();
        let mut eval = |term| evaluator.eval(terms, model, term);
        let mut stored: Vec<(u64, u64)> = Vec::new();
        let mut at = array;
        loop {
            let (in_general, others) = match self.0[at.0].node {
                Node::Store { base, index, value } => {
                    stored.push((eval(index), eval(value)));
                    at = base;
                    continue;
                }
                Node::Ite { condition, then, otherwise } => {
                    at = if eval(condition) == 1 { then } else { otherwise };
                    continue;
                }
                Node::Same(other) => {
                    at = other;
                    continue;
                }
                Node::Everywhere(value) => (eval(value), BTreeMap::new()),
                Node::Unknown(function) => {
                    let known = model.applications().filter(|&(of, ..)| of == function);
                    (0, known.map(|(_, at, value)| (at[0], value)).collect())
                }
            };
            let mut elements: BTreeMap<u64, u64> = others;
            // What was stored first is found last.
            elements.extend(stored.into_iter().rev());
            return (in_general, elements);
        }
    }
}
