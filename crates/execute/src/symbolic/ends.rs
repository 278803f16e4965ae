//! Reads at places that depend on the input and may be behind the end of a buffer whose length is a symbol, too.
//!
//! What is there is what memory has behind the buffer: zeros, mostly. With another length it would be part of the input. So what such a read gives is true of inputs
//! of this length only, and the length is as good as replaced by its value.

use super::input::byte_name;
use super::lengths::lengthy;
use crate::Input;
use coax_term::{Node, Symbol, Term, Terms};
use std::collections::BTreeMap;

/// The buffers among the parameters of a run whose lengths are symbols.
pub struct Ends {
    buffers: Vec<Buffer>,
    /// The bytes of these that are symbols: of which buffer, and which.
    owners: BTreeMap<Symbol, (usize, u64)>,
    seen: Vec<bool>,
    stack: Vec<Term>,
}

struct Buffer {
    length: Length,
    bytes: u64,
    is_crossed: bool,
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
            let byte = |index| terms.find_symbol(&byte_name(&part.source, index)).map(|it| (it, index));
            let number = ends.buffers.len();
            ends.owners
                .extend((0..part.bytes).filter_map(byte).map(|(symbol, index)| (symbol, (number, index))));
            let (width, value) = (terms.symbol_width(symbol), part.bytes / part.element.max(1));
            let length = Length { name: part.length, width, value };
            ends.buffers.push(Buffer { length, bytes: part.bytes, is_crossed: false });
        }
        ends
    }

    /// The lengths of buffers behind whose end something may have been read that a condition depends on, and none before did.
    pub fn crossed_by(&mut self, terms: &Terms, condition: Term) -> Vec<Length> {
        let mut crossed = Vec::new();
        if self.owners.is_empty() {
            return crossed;
        }
        self.seen.resize(terms.len(), false);
        self.stack.push(condition);
        while let Some(term) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[term.index()], true) {
                continue;
            }
            let node = terms.node(term);
            if let Node::Lookup { index, table } = node
                && let Some((number, end)) = self.end_in(terms, terms.table_entries(table))
                && terms.range(index).high >= end
                && !std::mem::replace(&mut self.buffers[number].is_crossed, true)
            {
                crossed.push(self.buffers[number].length.clone());
            }
            terms.operands(node, |operand| self.stack.push(operand));
        }
        crossed
    }

    /// The buffer that a table has bytes of, and the key of what is behind its end.
    fn end_in(&self, terms: &Terms, entries: &[(u64, Term)]) -> Option<(usize, u64)> {
        let owner = |&(key, term): &(u64, Term)| match terms.node(term) {
            Node::Symbol(symbol) => self.owners.get(&symbol).map(|&(number, index)| (key, number, index)),
            _ => None,
        };
        let (key, number, index) = entries.iter().find_map(owner)?;
        Some((number, key.wrapping_sub(index).wrapping_add(self.buffers[number].bytes)))
    }
}
