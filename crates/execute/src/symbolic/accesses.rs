//! Accesses whose place or length is a term: what could they access that they should not? They are no decisions, so they are not on the path; who
//! knows what the program may access asks. And reads that show which state an automaton is in.

use coax_term::{Node, Symbol, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// How many of one operator's accesses are kept from the first on; later ones as they double.
const FIRST: u32 = 8;
/// How many are kept of all.
const MOST: usize = 4096;
/// How many parts of a place are looked at.
const PARTS: usize = 16;

/// An access whose place or length is a term; or an address that is put into a global, which may be the stack pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolicAccess {
    /// Byte offset of the operator in the plain module.
    pub at: u32,
    /// How many events the path had before; the access was inside the memory.
    pub events: usize,
    /// The address of its first byte, 64 bits wide, and its value.
    pub address: (Term, u64),
    /// How many bytes it accesses, 64 bits wide.
    pub bytes: Term,
    /// The global that the address is put into. Nothing is accessed then, and the operator is not known.
    pub global: Option<u32>,
}

/// A read of a table at a place that was itself looked up in one: so automata go from state to state whose states are in no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Byte offset of the operator in the plain module.
    pub at: u32,
    /// How many events the path had before.
    pub events: usize,
    /// What was read.
    pub address: u64,
}

/// The accesses of a run, as far as they are kept.
#[derive(Debug, Default)]
pub(crate) struct Accesses {
    kept: Vec<SymbolicAccess>,
    counts: BTreeMap<u32, u32>,
    transitions: Vec<Transition>,
    /// What was read by these, and by whom: once is enough.
    read: BTreeSet<(u32, u64)>,
    looked_up: Vec<LookedUp>,
    /// Which of these there were: once is enough.
    known: BTreeSet<(Symbol, u64)>,
}

/// A read at a place that is a term, which may have found a symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookedUp {
    /// Byte offset of the operator in the plain module.
    pub at: u32,
    /// How many events the path had before.
    pub events: usize,
    pub symbol: Symbol,
    /// How many bytes behind the symbol's place is nothing more that may have been read.
    pub beyond: u64,
}

impl Accesses {
    /// Whether the next access of this operator is kept.
    pub(super) fn wants(&mut self, at: u32) -> bool {
        let count = self.counts.entry(at).or_default();
        *count += 1;
        self.kept.len() < MOST && (*count <= FIRST || count.is_power_of_two())
    }

    pub(super) fn push(&mut self, access: SymbolicAccess) {
        self.kept.push(access);
    }

    /// A table was read at a place that is a term.
    pub(super) fn note_transition(&mut self, terms: &Terms, place: Term, transition: Transition) {
        let key = (transition.at, transition.address);
        if self.transitions.len() < MOST && !self.read.contains(&key) && is_looked_up(terms, place) {
            self.read.insert(key);
            self.transitions.push(transition);
        }
    }

    /// A symbol may have been read, at a place that is a term.
    pub(super) fn may_have_read(&mut self, looked_up: LookedUp) {
        if self.looked_up.len() < MOST && self.known.insert((looked_up.symbol, looked_up.beyond)) {
            self.looked_up.push(looked_up);
        }
    }

    pub(super) fn clear(&mut self) {
        self.looked_up.clear();
        self.known.clear();
        self.kept.clear();
        self.counts.clear();
        self.transitions.clear();
        self.read.clear();
    }

    pub(crate) fn kept(&self) -> &[SymbolicAccess] {
        &self.kept
    }

    pub(super) fn looked_up(&self) -> &[LookedUp] {
        &self.looked_up
    }

    pub(crate) fn transitions(&self) -> &[Transition] {
        &self.transitions
    }
}

/// Whether a place was looked up in a table, but for what compilers make of an index: a look at its outermost parts shows it.
fn is_looked_up(terms: &Terms, place: Term) -> bool {
    let mut parts = vec![place];
    for number in 0..PARTS {
        let Some(&part) = parts.get(number) else { return false };
        let node = terms.node(part);
        if let Node::Lookup { .. } = node {
            return true;
        }
        terms.operands(node, |operand| parts.push(operand));
    }
    false
}
