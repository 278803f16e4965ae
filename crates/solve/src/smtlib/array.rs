//! Arrays: chains of stores over an array of which nothing is known, which is a function of one argument.
//!
//! A `select` goes down the chain and becomes an `ite` for every `store` on the way. Arrays are equal if they are at every index where
//! they can differ; where that cannot be said with finitely many terms, the equality is unsupported.

use super::sort::{Array, Sort};
use coax_term::{Algebra, Function, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Arrays with indices of at most so many bits are compared at every index.
const COMPARED_EVERYWHERE: u8 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Unknown(Function),
    Everywhere(Term),
    Store { base: Array, index: Term, value: Term },
    Ite { condition: Term, then: Array, otherwise: Array },
}

/// All arrays of a script. An array consists of earlier ones only.
#[derive(Debug, Default)]
pub(super) struct Arrays(Vec<(Node, Sort)>);

impl Arrays {
    fn push(&mut self, node: Node, sort: Sort) -> Array {
        self.0.push((node, sort));
        Array(self.0.len() - 1)
    }

    pub(super) fn sort(&self, array: Array) -> Sort {
        self.0[array.0].1
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
        self.push(Node::Store { base, index, value }, self.sort(base))
    }

    pub(super) fn ite(&mut self, condition: Term, then: Array, otherwise: Array) -> Array {
        self.push(Node::Ite { condition, then, otherwise }, self.sort(then))
    }

    /// The function that an array of which nothing is known is.
    pub(super) fn function(&self, array: Array) -> Option<Function> {
        match self.0[array.0].0 {
            Node::Unknown(function) => Some(function),
            _ => None,
        }
    }

    /// What an array consists of, earlier ones first.
    fn parts(&self, array: Array) -> BTreeSet<Array> {
        let mut parts = BTreeSet::new();
        let mut waiting = vec![array];
        while let Some(next) = waiting.pop() {
            if parts.insert(next) {
                match self.0[next.0].0 {
                    Node::Unknown(_) | Node::Everywhere(_) => {}
                    Node::Store { base, .. } => waiting.push(base),
                    Node::Ite { then, otherwise, .. } => waiting.extend([then, otherwise]),
                }
            }
        }
        parts
    }

    /// The element at an index.
    pub(super) fn select(&self, terms: &mut Terms, array: Array, index: Term) -> Term {
        let mut elements: BTreeMap<Array, Term> = BTreeMap::new();
        for part in self.parts(array) {
            let element = match self.0[part.0].0 {
                Node::Unknown(function) => terms.apply(function, &[index]),
                Node::Everywhere(value) => value,
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
    pub(super) fn equal(&self, terms: &mut Terms, a: Array, b: Array) -> Option<Term> {
        let mut places: BTreeSet<Term> = BTreeSet::new();
        let mut bases: Vec<Node> = Vec::new();
        for part in self.parts(a).into_iter().chain(self.parts(b)) {
            match self.0[part.0].0 {
                Node::Store { index, .. } => drop(places.insert(index)),
                base @ (Node::Unknown(_) | Node::Everywhere(_)) => bases.push(base),
                Node::Ite { .. } => {}
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
}
