//! Inputs whose length is a symbol: what holds for them that no event says.
//!
//! A byte that a condition uses is there, and nothing is longer than it may be. Whoever solves conditions of a path adds these. Only what
//! comes before the place in question counts: an input that leaves the path earlier may be shorter.

use super::input::byte_name;
use crate::arguments::ParameterPlan;
use crate::world::{STDIN_SOURCE, file_source, length_name};
use crate::{Data, Input};
use coax_term::{Node, Symbol, Term, Terms};
use std::collections::BTreeMap;

/// Which bytes of inputs of variable length a path uses, and where first.
#[derive(Clone, Debug, Default)]
pub struct Lengths {
    sources: Vec<Source>,
}

#[derive(Clone, Debug)]
struct Source {
    /// The symbol that is the length, in elements.
    length: String,
    width: u8,
    /// How many bytes an element has.
    element: u64,
    /// How many elements are there at least, whatever the length is.
    least: u64,
    /// The number of the condition from which on a byte is the last one used so far; both rise.
    uses: Vec<(usize, u64)>,
    /// The last byte of a parameter that the run used for anything, whether that was decided about or not.
    read: Option<u64>,
}

impl Lengths {
    /// Those of a path with these conditions, of a run of this input.
    pub fn new(terms: &Terms, input: &Input, conditions: impl IntoIterator<Item = (usize, Term)>) -> Lengths {
        let mut owners: BTreeMap<Symbol, (usize, u64)> = BTreeMap::new();
        let (mut sources, mut are_parameters) = (Vec::new(), Vec::new());
        for Lengthy { length, source, element, bytes, least, is_parameter } in lengthy(input) {
            let Some(symbol) = terms.find_symbol(&length) else { continue };
            let own = (0..bytes.max(least * element)).filter_map(|index| {
                Some((terms.find_symbol(&byte_name(&source, index))?, (sources.len(), index)))
            });
            owners.extend(own);
            let width = terms.symbol_width(symbol);
            sources.push(Source { length, width, element, least, uses: Vec::new(), read: None });
            are_parameters.push(is_parameter);
        }
        let mut lengths = Lengths { sources };
        if !owners.is_empty() {
            lengths.find_uses(terms, &owners, conditions);
            owners.retain(|_, (source, _)| are_parameters[*source]);
            lengths.find_reads(terms, &owners);
        }
        lengths
    }

    /// The symbols that are lengths.
    pub fn symbols(&self, terms: &Terms) -> Vec<Symbol> {
        self.sources.iter().filter_map(|source| terms.find_symbol(&source.length)).collect()
    }

    fn find_uses(
        &mut self,
        terms: &Terms,
        owners: &BTreeMap<Symbol, (usize, u64)>,
        conditions: impl IntoIterator<Item = (usize, Term)>,
    ) {
        // What conditions share is looked at once.
        let mut seen = vec![false; terms.len()];
        let mut stack = Vec::new();
        for (place, condition) in conditions {
            stack.push(condition);
            while let Some(term) = stack.pop() {
                if std::mem::replace(&mut seen[term.index()], true) {
                    continue;
                }
                let node = terms.node(term);
                if let Node::Symbol(symbol) = node
                    && let Some(&(source, index)) = owners.get(&symbol)
                {
                    let uses = &mut self.sources[source].uses;
                    if uses.last().is_none_or(|&(_, last)| index > last) {
                        uses.push((place, index));
                    }
                }
                terms.operands(node, |operand| stack.push(operand));
            }
        }
    }

    /// Looks for what a run has used, in all of its terms.
    fn find_reads(&mut self, terms: &Terms, owners: &BTreeMap<Symbol, (usize, u64)>) {
        for term in terms.all() {
            terms.operands(terms.node(term), |operand| {
                if let Node::Symbol(symbol) = terms.node(operand)
                    && let Some(&(source, index)) = owners.get(&symbol)
                {
                    let read = &mut self.sources[source].read;
                    *read = (*read).max(Some(index));
                }
            });
        }
    }

    /// For each parameter of variable length: the condition that its last byte that was used is not there, and the number of the first
    /// condition that depends on that byte. An input for which those before hold, and this one, is read behind its end.
    pub fn too_short(&self, terms: &mut Terms) -> Vec<(usize, Term)> {
        let mut conditions = Vec::new();
        for Source { length, width, element, least, uses, read } in &self.sources {
            let Some(last) = read.filter(|last| last / element >= *least) else { continue };
            let first = uses.iter().find(|(_, index)| *index >= last);
            let length = terms.symbol(length, *width);
            let is_short = terms.is_at_most(length, last / element);
            conditions.push((first.map_or(usize::MAX, |(place, _)| *place), is_short));
        }
        conditions
    }

    /// What holds beside the first so many conditions, for inputs of at most so many bytes.
    pub fn conditions(&self, terms: &mut Terms, first: usize, longest: u64) -> Vec<Term> {
        let mut conditions = Vec::new();
        for Source { length, width, element, least, uses, .. } in &self.sources {
            let length = terms.symbol(length, *width);
            conditions.push(terms.is_at_most(length, longest / element));
            let used = uses.partition_point(|&(place, _)| place < first);
            let last = used.checked_sub(1).map(|place| uses[place]);
            if let Some((_, last)) = last.filter(|(_, last)| last / element >= *least) {
                conditions.push(terms.is_above(length, last / element));
            }
        }
        conditions.retain(|&condition| terms.as_constant(condition).is_none());
        conditions
    }
}

/// What holds beside all these conditions.
pub fn length_conditions(terms: &mut Terms, input: &Input, conditions: &[Term], longest: u64) -> Vec<Term> {
    Lengths::new(terms, input, conditions.iter().copied().enumerate()).conditions(
        terms,
        conditions.len(),
        longest,
    )
}

/// A part of the input whose length can be another one.
pub(super) struct Lengthy {
    /// The symbol that is its length, in elements.
    pub(super) length: String,
    /// What its bytes are called.
    pub(super) source: String,
    /// How many bytes an element has.
    pub(super) element: u64,
    /// How many bytes there are in this input, as its length says.
    pub(super) bytes: u64,
    /// How many elements are there in any case.
    pub(super) least: u64,
    /// Whether it is a parameter: nothing keeps a program from reading behind it.
    pub(super) is_parameter: bool,
}

/// All of them.
pub(super) fn lengthy(input: &Input) -> Vec<Lengthy> {
    let whole = |source: String, data: &Data| Lengthy {
        length: length_name(&source),
        source,
        element: 1,
        bytes: data.0.len() as u64,
        least: 0,
        is_parameter: false,
    };
    let files = input.files.iter().map(|(path, data)| whole(file_source(path), data));
    let stdin = whole(STDIN_SOURCE.to_owned(), &input.stdin);
    let plan = ParameterPlan::of_input(input);
    let values: BTreeMap<&str, u64> =
        plan.symbols().map(|symbol| (symbol.name.as_str(), symbol.bits)).collect();
    let params = plan.lengths().iter().map(|length| Lengthy {
        length: length.name.clone(),
        source: length.source.clone(),
        element: length.element.max(1),
        least: length.least,
        bytes: values.get(length.name.as_str()).copied().unwrap_or(0).saturating_mul(length.element),
        is_parameter: true,
    });
    files.chain([stdin]).chain(params).collect()
}
