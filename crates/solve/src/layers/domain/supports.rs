//! Which bytes a term is about, if they are few.

use crate::{Budget, Looks};
use coax_term::{Identity, Node, Symbol, Term, Terms};
use std::collections::BTreeMap;

/// Terms of more symbols are about "many".
pub(super) const MOST_SYMBOLS: usize = 8;

const UNKNOWN: u32 = 0;
/// More than a few symbols, one that is no byte, or an unknown function.
const MANY: u32 = 1;
const EMPTY: u32 = 2;

/// The sets of symbols of the terms of an arena. A set has a number; most terms share a few of them.
#[derive(Debug, Default)]
pub(super) struct Supports {
    identity: Option<Identity>,
    of_term: Vec<u32>,
    sets: Vec<Box<[Symbol]>>,
    numbers: BTreeMap<Box<[Symbol]>, u32>,
    unions: BTreeMap<(u32, u32), u32>,
    stack: Vec<Term>,
}

impl Supports {
    /// The symbols of a term, in order; none if they are many or not all bytes, or time runs out.
    pub(super) fn of(&mut self, terms: &Terms, term: Term, budget: &Budget) -> Option<&[Symbol]> {
        if self.identity.replace(terms.identity()) != Some(terms.identity()) {
            *self = Supports { identity: self.identity, ..Supports::default() };
            self.sets = vec![[].into(), [].into(), [].into()];
            self.numbers.insert([].into(), EMPTY);
        }
        if self.of_term.len() < terms.len() {
            self.of_term.resize(terms.len(), UNKNOWN);
        }
        let mut looks = Looks::default();
        self.stack.clear();
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            looks.look(budget).ok()?;
            if self.of_term[top.index()] == UNKNOWN {
                let waiting = self.stack.len();
                let mut set = EMPTY;
                let node = terms.node(top);
                match node {
                    Node::Symbol(symbol) if terms.symbol_width(symbol) <= 8 => set = self.number(&[symbol]),
                    Node::Symbol(_) | Node::Apply { .. } => set = MANY,
                    _ => terms.operands(node, |operand| match self.of_term[operand.index()] {
                        UNKNOWN => self.stack.push(operand),
                        other => set = self.union(set, other),
                    }),
                }
                if self.stack.len() > waiting {
                    continue;
                }
                self.of_term[top.index()] = set;
            }
            self.stack.pop();
        }
        match self.of_term[term.index()] {
            MANY => None,
            set => Some(&self.sets[set as usize]),
        }
    }

    fn number(&mut self, set: &[Symbol]) -> u32 {
        if set.len() > MOST_SYMBOLS {
            return MANY;
        }
        if let Some(&number) = self.numbers.get(set) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.into());
        self.numbers.insert(set.into(), number);
        number
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        match (a.min(b), a.max(b)) {
            (MANY, _) => MANY,
            (EMPTY, other) => other,
            (a, b) if a == b => a,
            (a, b) => {
                if let Some(&union) = self.unions.get(&(a, b)) {
                    return union;
                }
                let mut set = [&*self.sets[a as usize], &*self.sets[b as usize]].concat();
                set.sort_unstable();
                set.dedup();
                let union = self.number(&set);
                self.unions.insert((a, b), union);
                union
            }
        }
    }
}
