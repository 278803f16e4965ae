//! What of an arena has been written: a term is written once, however many questions it is part of.

use super::write::{Writer, Written};
use crate::{Node, Term, Terms};
use std::collections::BTreeSet;

/// The terms that a solver has been told of. It may be used for one arena, which may grow.
///
/// Declarations and definitions are meant to stay for the whole session: they should be written at the outermost level, or to a
/// solver with the option `:global-declarations`. Side conditions are different: see [`Session::side_condition`].
#[derive(Debug, Default)]
pub struct Session {
    /// By the terms' positions; none: not written yet.
    pub(super) written: Vec<Option<Written>>,
    pub(super) uses: Vec<u32>,
    pub(super) declared: BTreeSet<String>,
    /// How many names of our own there are.
    pub(super) names: usize,
}

impl Session {
    /// Nothing is written yet.
    pub fn new() -> Session {
        Session::default()
    }

    /// Declares and defines what has not been written of these terms, given with all their operands in
    /// [`Terms::post_order`].
    pub fn write(&mut self, terms: &Terms, order: &[Term], out: &mut String) {
        let size = order.iter().map(|term| term.index() + 1).max().unwrap_or(0).max(self.written.len());
        self.written.resize_with(size, || None);
        self.uses.resize(size, 0);
        let is_new = |term: &&Term| self.written[term.index()].is_none();
        let new: Vec<Term> = order.iter().filter(is_new).copied().collect();
        for &term in &new {
            terms.operands(terms.node(term), |operand| self.uses[operand.index()] += 1);
        }
        let mut writer = Writer { terms, session: self, out };
        new.iter().for_each(|&term| writer.declare(term));
        new.iter().for_each(|&term| writer.add(term));
    }

    /// A term of one bit that was written, as a `Bool`.
    pub fn condition(&self, terms: &Terms, term: Term) -> String {
        match (terms.as_constant(term), self.written(term)) {
            (Some(bit), _) => (bit == 1).to_string(),
            (None, Some(Written { text, is_bool: true, .. })) => text.clone(),
            (None, written) => format!("(= {} #b1)", written.map_or("", |written| &written.text)),
        }
    }

    /// A symbol or an application that was written, as it can be asked for with `get-value`; none for other terms.
    pub fn unknown(&self, terms: &Terms, term: Term) -> Option<&str> {
        let is_unknown = matches!(terms.node(term), Node::Symbol(_) | Node::Apply { .. });
        self.written(term).filter(|_| is_unknown).map(|written| written.text.as_str())
    }

    /// What must be asserted along with every condition that has this term in it: that a constant is the bits of a float. It holds
    /// for exactly one value of that constant, so it takes no solution away and adds none.
    pub fn side_condition(&self, term: Term) -> Option<String> {
        let written = self.written(term)?;
        let float = written.float.as_ref().filter(|_| !written.text.is_empty())?;
        Some(super::float::has_bits(float, &written.text))
    }

    /// How many names were given to expressions: a measure of what the solver has to remember.
    pub fn names(&self) -> usize {
        self.names
    }

    pub(super) fn written(&self, term: Term) -> Option<&Written> {
        self.written.get(term.index())?.as_ref()
    }
}
