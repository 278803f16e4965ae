//! Reads at places that depend on the input, of a buffer whose length is a symbol, too.
//!
//! Behind its end is what memory has there: zeros, mostly. With another length that would be part of the input. So what such a read gives is true of inputs
//! of this length only, and the length is as good as replaced by its value. (Whether a read can leave the buffer does not matter: it would be another question for each
//! length, and the same decisions must mean the same.)

use super::input::byte_name;
use super::lengths::lengthy;
use crate::Input;
use coax_term::{Node, Symbol, Term, Terms};
use std::collections::BTreeMap;

/// The buffers among the parameters of a run whose lengths are symbols.
pub struct Ends {
    buffers: Vec<Buffer>,
    /// Which of these their bytes belong to.
    owners: BTreeMap<Symbol, usize>,
    seen: Vec<bool>,
    stack: Vec<Term>,
}

struct Buffer {
    length: Length,
    is_looked_up: bool,
}

/// The length of a buffer, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// The symbol that it is.
    pub name: String,
    /// In bits.
    pub width: u8,
    /// What it is in this run.
    pub value: u64,
}

impl Ends {
    /// Those of a run of this input.
    pub fn new(terms: &Terms, input: &Input) -> Ends {
        let mut ends =
            Ends { buffers: Vec::new(), owners: BTreeMap::new(), seen: Vec::new(), stack: Vec::new() };
        for part in lengthy(input).into_iter().filter(|part| part.is_parameter) {
            let Some(symbol) = terms.find_symbol(&part.length) else { continue };
            let bytes = (0..part.bytes).filter_map(|at| terms.find_symbol(&byte_name(&part.source, at)));
            ends.owners.extend(bytes.map(|byte| (byte, ends.buffers.len())));
            let (width, value) = (terms.symbol_width(symbol), part.bytes / part.element.max(1));
            let length = Length { name: part.length, width, value };
            ends.buffers.push(Buffer { length, is_looked_up: false });
        }
        ends
    }

    /// The lengths of buffers that something was read of, at a place that depends on the input, by which a condition goes, and none before.
    pub fn looked_up_by(&mut self, terms: &Terms, condition: Term) -> Vec<Length> {
        let mut lengths = Vec::new();
        if self.owners.is_empty() {
            return lengths;
        }
        self.seen.resize(terms.len(), false);
        self.stack.push(condition);
        while let Some(term) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[term.index()], true) {
                continue;
            }
            let node = terms.node(term);
            if let Node::Lookup { table, .. } = node
                && let Some(number) = self.buffer_in(terms, terms.table_entries(table))
                && !std::mem::replace(&mut self.buffers[number].is_looked_up, true)
            {
                lengths.push(self.buffers[number].length.clone());
            }
            terms.operands(node, |operand| self.stack.push(operand));
        }
        lengths
    }

    /// The buffer that a table has bytes of.
    fn buffer_in(&self, terms: &Terms, entries: &[(u64, Term)]) -> Option<usize> {
        entries.iter().find_map(|&(_, term)| match terms.node(term) {
            Node::Symbol(symbol) => self.owners.get(&symbol).copied(),
            _ => None,
        })
    }
}
