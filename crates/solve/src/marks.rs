//! Sets of terms, and of other small numbers, that are emptied in no time, for walks that every question makes.

use coax_term::{Node, Term, Terms};
use std::ops::ControlFlow;

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    /// The walk that marked each number last.
    walks: Vec<u32>,
    walk: u32,
}

impl Numbers {
    /// Empties the set, and makes room for numbers below this.
    pub(crate) fn clear(&mut self, below: usize) {
        self.walks.resize(self.walks.len().max(below), 0);
        self.walk = self.walk.wrapping_add(1);
        if self.walk == 0 {
            self.walks.fill(0);
            self.walk = 1;
        }
    }

    /// Whether the number was not there yet. The set must have been emptied once before.
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        if self.walks.len() <= number {
            self.walks.resize(number + 1, 0);
        }
        std::mem::replace(&mut self.walks[number], self.walk) != self.walk
    }
}

/// A set of terms of one arena.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    numbers: Numbers,
    /// Terms that a walk has still to visit.
    stack: Vec<Term>,
}

impl Marks {
    /// Empties the set.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear(0);
    }

    /// Visits what these terms consist of, each term once, in any order, until someone has seen enough.
    pub(crate) fn visit(
        &mut self,
        terms: &Terms,
        roots: impl IntoIterator<Item = Term>,
        mut each: impl FnMut(Node) -> ControlFlow<()>,
    ) {
        self.clear();
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.extend(roots);
        while let Some(term) = stack.pop() {
            if !self.insert(term) {
                continue;
            }
            let node = terms.node(term);
            if each(node).is_break() {
                break;
            }
            terms.operands(node, |operand| stack.push(operand));
        }
        self.stack = stack;
    }

    /// Whether the term was not there yet. The set must have been emptied once before.
    pub(crate) fn insert(&mut self, term: Term) -> bool {
        self.numbers.insert(term.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_set_is_empty() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", 8), terms.symbol("y", 8));
        let numbers = Numbers { walk: u32::MAX - 1, ..Numbers::default() };
        let mut marks = Marks { numbers, ..Marks::default() };
        for _ in 0..4 {
            marks.clear();
            assert!(marks.insert(y) && marks.insert(x));
            assert!(!marks.insert(y) && !marks.insert(x));
        }
    }
}
