//! What must be in memory before the entry function is called: blocks of bytes, pointers between them, and which bytes are symbols.
//!
//! A plan is made from an input alone, so it is the same in every engine; only addresses are not known yet.

use super::Room;
use super::rule::PlannedRule;
use crate::Value;
use crate::semantics::events::Recorder;
use coax_term::{Algebra, Term, Terms};

/// The blocks that pointers among the parameters lead to, and the parameters themselves.
#[derive(Debug, Default)]
pub(crate) struct ParameterPlan {
    pub(super) blocks: Vec<Block>,
    pub(super) params: Vec<PlannedParam>,
    /// Whether addresses have 64 bits.
    pub(super) is_wide: bool,
    /// Whether the last block ends with the memory.
    pub(super) is_tight: bool,
    /// For messages.
    pub(super) function: String,
    /// The symbols that are lengths.
    pub(super) lengths: Vec<PlannedLength>,
    /// What a caller cannot do otherwise.
    pub(super) rules: Vec<PlannedRule>,
}

/// A symbol that says how many elements something has.
#[derive(Clone, Debug)]
pub(crate) struct PlannedLength {
    /// The symbol.
    pub(crate) name: String,
    /// What the bytes are called that it counts.
    pub(crate) source: String,
    /// How many of them are an element.
    pub(crate) element: u64,
    /// How many elements are there at least, whatever the number says.
    pub(crate) least: u64,
}

/// A piece of memory of its own.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    pub(super) room: Room,
    /// Where in it the addresses of other blocks are.
    pub(super) pointers: Vec<(usize, usize)>,
    pub(super) symbols: Vec<(usize, PlannedSymbol)>,
}

/// A part of the input that is a symbol.
#[derive(Clone, Debug)]
pub(crate) struct PlannedSymbol {
    pub(crate) name: String,
    /// How many bits.
    pub(crate) width: u8,
    /// Whether fewer bits than those of their place are extended by their sign.
    pub(crate) signed: bool,
    /// Its bits in this input.
    pub(crate) bits: u64,
}

impl PlannedSymbol {
    /// Its term in a place of so many bits.
    pub(crate) fn term(&self, terms: &mut Terms, width: u8) -> Term {
        let symbol = terms.symbol(&self.name, self.width);
        self.extended(terms, symbol, width)
    }

    /// The symbol, made as wide as its place.
    pub(crate) fn extended(&self, terms: &mut Terms, symbol: Term, width: u8) -> Term {
        match self.signed {
            _ if self.width >= width => symbol,
            true => terms.sign_extend(symbol, width),
            false => terms.zero_extend(symbol, width),
        }
    }
}

/// A parameter.
#[derive(Debug)]
pub(super) enum PlannedParam {
    Number(Value, Option<PlannedSymbol>),
    /// The address of a block.
    Address(usize),
}

impl ParameterPlan {
    /// How many bytes an address has in memory.
    pub(super) fn pointer_bytes(&self) -> usize {
        if self.is_wide { 8 } else { 4 }
    }

    /// Whether the program's allocator is needed.
    pub(crate) fn wants_heap(&self) -> bool {
        self.blocks.iter().any(|block| block.room == Room::Heap)
    }

    /// Whether something has to be put into memory.
    pub(crate) fn uses_memory(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Whether the first parameter leads to an object in which there is nothing yet: where a function writes a result that is no number.
    pub(crate) fn begins_with_room(&self) -> bool {
        let is_empty = |block: &Block| block.pointers.is_empty() && block.symbols.is_empty();
        matches!(self.params.first(), Some(PlannedParam::Address(0)))
            && self.blocks.first().is_some_and(is_empty)
    }

    /// The symbols that are lengths.
    pub(crate) fn lengths(&self) -> &[PlannedLength] {
        &self.lengths
    }

    /// Why an input that has this plan does not count, if it does not: no caller can make it.
    pub(crate) fn broken_rule(&self) -> Option<String> {
        self.rules.iter().find_map(PlannedRule::broken)
    }

    /// Records what the parameters must be, as the program's own assumptions; up to the first that does not hold.
    pub(crate) fn record_rules(&self, recorder: &mut Recorder<'_>) {
        for rule in &self.rules {
            let held = rule.broken().is_none();
            if let Some(truth) = rule.term(recorder.terms) {
                recorder.condition(truth, false, held);
            }
            if !held {
                return;
            }
        }
    }

    /// All symbols.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = &PlannedSymbol> {
        let params = self.params.iter().filter_map(|param| match param {
            PlannedParam::Number(_, symbol) => symbol.as_ref(),
            PlannedParam::Address(_) => None,
        });
        let cells = self.blocks.iter().flat_map(|block| block.symbols.iter().map(|(_, symbol)| symbol));
        params.chain(cells)
    }

    /// The symbols of the parameters that are numbers, by position.
    pub(crate) fn param_symbols(&self) -> impl Iterator<Item = Option<&PlannedSymbol>> {
        self.params.iter().map(|param| match param {
            PlannedParam::Number(_, symbol) => symbol.as_ref(),
            PlannedParam::Address(_) => None,
        })
    }
}
