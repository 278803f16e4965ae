//! The arena: nodes, what is known of each, and the table that finds the node there already is.
//!
//! Invariant: a node is made only by `intern`, once its operands exist, so the order of the arena is an order of evaluation.

use crate::consing::{Index, mix};
use crate::lookup::Tables;
use crate::names::Names;
use crate::values::ValueSets;
use crate::{Algebra, Node, Range, Symbol, Term};
use std::sync::atomic::{AtomicU64, Ordering};

/// An arena of terms. [`Algebra`] has the constructors.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    identity: Own,
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    index: Index,
    pub(crate) symbols: Names,
    symbol_terms: Vec<Term>,
    pub(crate) functions: Names,
    pub(crate) arguments: Vec<Term>,
    pub(crate) tables: Tables,
    pub(crate) value_sets: ValueSets,
}

/// Which arena, since it was last empty: terms of one identity never change their meaning. Who remembers something of terms
/// remembers the identity with it, and forgets when it is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64);

impl Default for Identity {
    /// One that no other arena has or had.
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Identity(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The identity of an arena; a copy of the arena has another.
#[derive(Debug, Default)]
struct Own(Identity);

impl Clone for Own {
    fn clone(&self) -> Own {
        Own::default()
    }
}

/// What is known of a term since it was made.
#[derive(Clone, Copy, Debug)]
struct Facts {
    hash: u64,
    range: Range,
    width: u8,
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// Forgets everything but keeps the memory; the time depends only on the number of terms.
    pub fn clear(&mut self) {
        self.identity = Own::default();
        self.index.clear(self.facts.iter().map(|facts| facts.hash));
        self.nodes.clear();
        self.facts.clear();
        self.symbols.clear();
        self.symbol_terms.clear();
        self.functions.clear();
        self.arguments.clear();
        self.tables.clear();
        self.value_sets.clear();
    }

    /// Which arena this is, since it was last empty.
    pub fn identity(&self) -> Identity {
        self.identity.0
    }

    /// All terms, operands before what is made of them.
    pub fn all(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.len()).map(Term::at)
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term at a position.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn term_at(&self, index: usize) -> Term {
        assert!(index < self.len(), "term {index} of {}", self.len());
        Term::at(index)
    }

    /// What a term is made of.
    #[inline]
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// A hash of the term's structure: the same in every arena.
    #[inline]
    pub fn hash(&self, term: Term) -> u64 {
        self.facts[term.index()].hash
    }

    /// Values the term can at most have.
    #[inline]
    pub fn range(&self, term: Term) -> Range {
        self.facts[term.index()].range
    }

    /// The number of bits of a term.
    #[inline]
    pub fn width_of(&self, term: Term) -> u8 {
        self.facts[term.index()].width
    }

    /// The value of a constant.
    #[inline]
    pub fn as_constant(&self, term: Term) -> Option<u64> {
        match self.nodes[term.index()] {
            Node::Const { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// An unknown value with a name.
    ///
    /// # Panics
    /// If the name was given another width before: a name means one thing.
    pub fn symbol(&mut self, name: &str, width: u8) -> Term {
        let id = self.symbols.intern(name, width);
        if id == self.symbol_terms.len() {
            let term = self.intern(Node::Symbol(Symbol(id as u32)));
            self.symbol_terms.push(term);
        }
        self.symbol_terms[id]
    }

    /// The symbol with a name, if there is one.
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.find(name).map(|id| Symbol(id as u32))
    }

    /// The name of a symbol.
    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol.index())
    }

    /// The width of a symbol.
    pub fn symbol_width(&self, symbol: Symbol) -> u8 {
        self.symbols.width(symbol.index())
    }

    /// The symbol as a term.
    pub fn symbol_term(&self, symbol: Symbol) -> Term {
        self.symbol_terms[symbol.index()]
    }

    /// All symbols, in the order of creation.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.symbols.len() as u32).map(Symbol)
    }

    /// A condition that always holds.
    pub fn truth(&mut self) -> Term {
        self.constant(1, 1)
    }

    /// A condition that never holds.
    pub fn falsity(&mut self) -> Term {
        self.constant(1, 0)
    }

    /// The term of this node, new or not. Only for constructors: nothing is simplified, save that what can have only
    /// one value is that constant.
    ///
    /// Inlined into each constructor, which knows the kind of its nodes: a program's every operator comes here.
    #[inline(always)]
    pub(crate) fn intern(&mut self, node: Node) -> Term {
        let hash = self.hash_node(&node);
        if let Some(found) = self.index.find(hash, |id| self.is_node(id, &node)) {
            return Term::at(found);
        }
        let width = self.width_of_node(&node);
        debug_assert!((1..=64).contains(&width), "{node:?} has width {width}");
        let range = self.range_of_node(&node, width);
        if let Some(bits) = range.only()
            && !matches!(node, Node::Const { .. })
        {
            return self.constant(width, bits);
        }
        let id = self.nodes.len();
        self.nodes.push(node);
        self.facts.push(Facts { hash, range, width });
        self.index.insert(id, hash);
        Term::at(id)
    }

    #[inline(always)]
    fn is_node(&self, id: usize, node: &Node) -> bool {
        match (&self.nodes[id], node) {
            (Node::Apply { function: f, arguments: a }, Node::Apply { function: g, arguments: b }) => {
                f == g && self.arguments(*a) == self.arguments(*b)
            }
            (one, other) => one == other,
        }
    }

    #[inline(always)]
    fn width_of_node(&self, node: &Node) -> u8 {
        match *node {
            Node::Const { width, .. }
            | Node::Extract { width, .. }
            | Node::ZeroExtend { width, .. }
            | Node::SignExtend { width, .. } => width,
            Node::Symbol(symbol) => self.symbol_width(symbol),
            Node::Unary(op, a) => op.result_width(self.width_of(a)),
            Node::Binary(op, a, _) => op.result_width(self.width_of(a)),
            Node::Ite(_, then, _) => self.width_of(then),
            Node::Concat(high, low) => self.width_of(high) + self.width_of(low),
            Node::Lookup { table, .. } => self.table_width(table),
            Node::Apply { function, .. } => self.function_width(function),
        }
    }

    #[inline(always)]
    fn hash_node(&self, node: &Node) -> u64 {
        // The first word tells the kinds of nodes, their operators and numbers apart.
        let head = |kind: u64, detail: u64| kind << 32 | detail;
        match *node {
            Node::Const { width, bits } => mix(head(1, u64::from(width)), bits),
            Node::Symbol(symbol) => mix(head(2, 0), self.symbols.hash(symbol.index())),
            Node::Unary(op, a) => mix(head(3, op as u64), self.hash(a)),
            Node::Binary(op, a, b) => mix(mix(head(4, op as u64), self.hash(a)), self.hash(b)),
            Node::Ite(c, a, b) => mix(mix(mix(head(5, 0), self.hash(c)), self.hash(a)), self.hash(b)),
            Node::Extract { low, width, term } => {
                mix(head(6, u64::from(low) << 8 | u64::from(width)), self.hash(term))
            }
            Node::ZeroExtend { width, term } => mix(head(7, u64::from(width)), self.hash(term)),
            Node::SignExtend { width, term } => mix(head(8, u64::from(width)), self.hash(term)),
            Node::Concat(high, low) => mix(mix(head(9, 0), self.hash(high)), self.hash(low)),
            Node::Lookup { index, table } => mix(mix(head(10, 0), self.hash(index)), self.table_hash(table)),
            Node::Apply { function, arguments } => {
                let start = mix(head(11, u64::from(arguments.count)), self.functions.hash(function.index()));
                self.arguments(arguments).iter().fold(start, |hash, &a| mix(hash, self.hash(a)))
            }
        }
    }
}
