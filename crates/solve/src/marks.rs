//! Sets of terms that are emptied in no time, for walks that every question makes.

use coax_term::{Node, Term, Terms};
use std::ops::ControlFlow;

/// A set of terms of one arena.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// The walk that marked each term last.
    walks: Vec<u32>,
    walk: u32,
    /// Terms that a walk has still to visit.
    stack: Vec<Term>,
}

impl Marks {
    /// Empties the set.
    pub(crate) fn clear(&mut self) {
        self.walk = self.walk.wrapping_add(1);
        if self.walk == 0 {
            self.walks.fill(0);
            self.walk = 1;
        }
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
        if self.walks.len() <= term.index() {
            self.walks.resize(term.index() + 1, 0);
        }
        std::mem::replace(&mut self.walks[term.index()], self.walk) != self.walk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_set_is_empty() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", 8), terms.symbol("y", 8));
        let mut marks = Marks { walk: u32::MAX - 1, ..Marks::default() };
        for _ in 0..4 {
            marks.clear();
            assert!(marks.insert(y) && marks.insert(x));
            assert!(!marks.insert(y) && !marks.insert(x));
        }
    }
}
