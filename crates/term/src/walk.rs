//! Going through terms without recursion: a path's terms can be a million operands deep.

use crate::{Node, Symbol, Term, Terms};
use std::collections::BTreeSet;

/// A set of terms of one arena. Takes a bit per term of the arena up to the greatest one in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct TermSet(Vec<u64>);

impl TermSet {
    /// Whether the term was not there yet.
    pub(crate) fn insert(&mut self, term: Term) -> bool {
        let (word, bit) = (term.index() / 64, 1 << (term.index() % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    #[inline]
    pub(crate) fn contains(&self, term: Term) -> bool {
        self.0.get(term.index() / 64).is_some_and(|word| word >> (term.index() % 64) & 1 != 0)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// The terms that a walk has come to. Most walks are short, and a path has many in one large arena: a few are a list.
#[derive(Default)]
struct Visited {
    few: Vec<Term>,
    many: TermSet,
}

impl Visited {
    /// From so many terms on they are a set.
    const MANY: usize = 32;

    /// Whether the term was not there yet.
    fn insert(&mut self, term: Term) -> bool {
        match self.few.len() {
            Self::MANY => self.many.insert(term),
            _ if self.few.contains(&term) => false,
            _ => {
                self.few.push(term);
                if self.few.len() == Self::MANY {
                    self.few.iter().for_each(|&term| {
                        self.many.insert(term);
                    });
                }
                true
            }
        }
    }
}

/// The terms that some consist of; see [`Terms::in_post_order`].
pub struct PostOrder<'a> {
    terms: &'a Terms,
    roots: std::slice::Iter<'a, Term>,
    visited: Visited,
    /// A term is pushed once to visit its operands and, below them, once more to be put in order.
    stack: Vec<(Term, bool)>,
}

impl Iterator for PostOrder<'_> {
    type Item = Term;

    fn next(&mut self) -> Option<Term> {
        loop {
            let (term, operands_done) = match self.stack.pop() {
                Some(top) => top,
                None => (*self.roots.next()?, false),
            };
            if operands_done {
                return Some(term);
            }
            if self.visited.insert(term) {
                self.stack.push((term, true));
                let from = self.stack.len();
                self.terms.operands(self.terms.node(term), |operand| self.stack.push((operand, false)));
                self.stack[from..].reverse();
            }
        }
    }
}

impl Terms {
    /// How many terms some consist of, themselves included, but at most so many; it takes no longer than to count these, however deep the terms are.
    pub fn count_parts(&self, roots: &[Term], most: usize) -> usize {
        let (mut seen, mut open) = (BTreeSet::new(), Vec::new());
        for &root in roots {
            open.push(root);
            while seen.len() < most
                && let Some(next) = open.pop()
            {
                if seen.insert(next) {
                    self.operands(self.node(next), |operand| open.push(operand));
                }
            }
        }
        seen.len()
    }

    /// Calls the function with each operand of a node, in order.
    #[inline]
    pub fn operands(&self, node: Node, mut each: impl FnMut(Term)) {
        match node {
            Node::Const { .. } | Node::Symbol(_) => {}
            Node::Unary(_, a)
            | Node::Extract { term: a, .. }
            | Node::ZeroExtend { term: a, .. }
            | Node::SignExtend { term: a, .. } => each(a),
            Node::Binary(_, a, b) | Node::Concat(a, b) => {
                each(a);
                each(b);
            }
            Node::Ite(a, b, c) => {
                each(a);
                each(b);
                each(c);
            }
            Node::Lookup { index, table } => {
                each(index);
                self.table_entries(table).iter().for_each(|entry| each(entry.1));
            }
            Node::Apply { arguments, .. } => self.arguments(arguments).iter().copied().for_each(each),
        }
    }

    /// Every term that these consist of, once, operands before what is made of them, in an order that depends only
    /// on the structure.
    pub fn post_order(&self, roots: &[Term]) -> Vec<Term> {
        self.in_post_order(roots).collect()
    }

    /// The same one by one, for those who may not want to see them all.
    pub fn in_post_order<'a>(&'a self, roots: &'a [Term]) -> PostOrder<'a> {
        PostOrder { terms: self, roots: roots.iter(), visited: Visited::default(), stack: Vec::new() }
    }

    /// Whether a function is applied somewhere in these terms.
    pub fn has_application(&self, roots: &[Term]) -> bool {
        self.in_post_order(roots).any(|term| matches!(self.node(term), Node::Apply { .. }))
    }

    /// The symbols in a term, in the order of their first appearance.
    pub fn symbols_of(&self, term: Term) -> Vec<Symbol> {
        let symbol = |t| match self.node(t) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        };
        self.post_order(&[term]).into_iter().filter_map(symbol).collect()
    }

    /// How many different terms a term consists of.
    pub fn size(&self, term: Term) -> usize {
        self.post_order(&[term]).len()
    }

    /// Whether a term of this arena and one of another have the same structure. Exact, unlike the comparison of hashes.
    pub fn same(&self, term: Term, other: &Terms, theirs: Term) -> bool {
        // Which of their terms each of ours was compared with: in both arenas a structure has one term.
        let mut compared: Vec<Option<Term>> = vec![None; term.index() + 1];
        let mut stack = vec![(term, theirs)];
        let (mut ours, mut others) = (Vec::new(), Vec::new());
        while let Some((a, b)) = stack.pop() {
            if let Some(before) = compared[a.index()] {
                if before != b {
                    return false;
                }
                continue;
            }
            compared[a.index()] = Some(b);
            let (x, y) = (self.node(a), other.node(b));
            if self.hash(a) != other.hash(b) || !self.same_head(x, other, y) {
                return false;
            }
            self.operands(x, |operand| ours.push(operand));
            other.operands(y, |operand| others.push(operand));
            if ours.len() != others.len() {
                return false;
            }
            stack.extend(ours.drain(..).zip(others.drain(..)));
        }
        true
    }

    /// Whether two nodes are the same but for their operands.
    fn same_head(&self, node: Node, other: &Terms, theirs: Node) -> bool {
        match (node, theirs) {
            (Node::Const { width: w, bits: a }, Node::Const { width: v, bits: b }) => w == v && a == b,
            (Node::Symbol(a), Node::Symbol(b)) => {
                self.symbol_name(a) == other.symbol_name(b) && self.symbol_width(a) == other.symbol_width(b)
            }
            (Node::Unary(a, _), Node::Unary(b, _)) => a == b,
            (Node::Binary(a, ..), Node::Binary(b, ..)) => a == b,
            (Node::Ite(..), Node::Ite(..)) | (Node::Concat(..), Node::Concat(..)) => true,
            (Node::Extract { low: a, width: w, .. }, Node::Extract { low: b, width: v, .. }) => {
                a == b && w == v
            }
            (Node::ZeroExtend { width: w, .. }, Node::ZeroExtend { width: v, .. })
            | (Node::SignExtend { width: w, .. }, Node::SignExtend { width: v, .. }) => w == v,
            (Node::Lookup { table: a, .. }, Node::Lookup { table: b, .. }) => {
                let keys = |terms: &Terms, table| -> Vec<u64> {
                    terms.table_entries(table).iter().map(|entry| entry.0).collect()
                };
                keys(self, a) == keys(other, b)
            }
            (Node::Apply { function: f, .. }, Node::Apply { function: g, .. }) => {
                self.function_name(f) == other.function_name(g)
                    && self.function_width(f) == other.function_width(g)
            }
            _ => false,
        }
    }
}
