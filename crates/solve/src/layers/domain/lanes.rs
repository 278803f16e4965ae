//! Terms evaluated at many combinations of values at once; each term once.

use super::values::Values;
use coax_term::{Node, Symbol, Term, Terms, fold};
use std::collections::BTreeMap;

/// How many combinations there are at most.
const MOST_LANES: usize = 4_096;
/// How many values are kept: then all are forgotten.
const MOST_VALUES: usize = 4_000_000;

/// Combinations of values of some symbols, one a lane, and the values of terms in each.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    count: usize,
    /// The values of each symbol.
    symbols: BTreeMap<Symbol, Vec<u64>>,
    columns: BTreeMap<Term, Vec<u64>>,
    /// The lanes that are left.
    alive: Vec<u32>,
}

impl Lanes {
    /// All combinations of these values; none if there are too many.
    pub(super) fn new(domains: &[(Symbol, Values)]) -> Option<Lanes> {
        let mut count = 1_usize;
        for (_, values) in domains {
            count = count.checked_mul(values.len()).filter(|&count| count <= MOST_LANES)?;
        }
        let mut stride = count;
        let mut symbols = BTreeMap::new();
        for (symbol, values) in domains {
            let values: Vec<u64> = values.iter().collect();
            stride /= values.len().max(1);
            let column = (0..count).map(|lane| values[lane / stride % values.len()]).collect();
            symbols.insert(*symbol, column);
        }
        Some(Lanes { count, symbols, columns: BTreeMap::new(), alive: (0..count as u32).collect() })
    }

    /// The values in a lane.
    pub(super) fn values(&self, lane: u32) -> impl Iterator<Item = (Symbol, u64)> + '_ {
        self.symbols.iter().map(move |(&symbol, column)| (symbol, column[lane as usize]))
    }

    pub(super) fn has(&self, symbol: Symbol) -> bool {
        self.symbols.contains_key(&symbol)
    }

    /// Which of the lanes that are left make a condition hold; its symbols must be among ours. The second number says how many
    /// values were computed.
    pub(super) fn holding(&mut self, terms: &Terms, condition: Term) -> (Vec<u32>, usize) {
        let computed = self.compute(terms, condition);
        let column = &self.columns[&condition];
        (self.alive.iter().copied().filter(|&lane| column[lane as usize] != 0).collect(), computed)
    }

    /// Keeps these lanes.
    pub(super) fn keep(&mut self, alive: Vec<u32>) {
        self.alive = alive;
        // Lanes that are gone are computed in vain: few left ones make new lanes.
        if self.alive.len() < self.count / 4 {
            let left = |column: &Vec<u64>| self.alive.iter().map(|&lane| column[lane as usize]).collect();
            self.symbols = self.symbols.iter().map(|(&symbol, column)| (symbol, left(column))).collect();
            self.columns = self.columns.iter().map(|(&term, column)| (term, left(column))).collect();
            self.count = self.alive.len();
            self.alive = (0..self.count as u32).collect();
        }
    }

    /// How many values are kept.
    pub(super) fn size(&self) -> usize {
        self.columns.len() * self.count
    }

    /// Makes the column of a term; how many values were computed for it.
    fn compute(&mut self, terms: &Terms, root: Term) -> usize {
        if self.columns.len() * self.count > MOST_VALUES {
            self.columns.clear();
        }
        let before = self.columns.len();
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if !self.columns.contains_key(&term) {
                let waiting = stack.len();
                let node = terms.node(term);
                terms.operands(node, |operand| {
                    // Constants in tables are looked up there.
                    let is_needed =
                        terms.as_constant(operand).is_none() || !matches!(node, Node::Lookup { .. });
                    if is_needed && !self.columns.contains_key(&operand) {
                        stack.push(operand);
                    }
                });
                if stack.len() > waiting {
                    continue;
                }
                let column = self.column(terms, node);
                self.columns.insert(term, column);
            }
            stack.pop();
        }
        (self.columns.len() - before) * self.count
    }

    /// The values of a node whose operands have theirs.
    fn column(&self, terms: &Terms, node: Node) -> Vec<u64> {
        let of = |term: Term| self.columns[&term].iter();
        match node {
            Node::Const { bits, .. } => vec![bits; self.count],
            Node::Symbol(symbol) => self.symbols[&symbol].clone(),
            Node::Unary(op, a) => {
                let width = terms.width_of(a);
                of(a).map(|&a| fold::unary(op, width, a)).collect()
            }
            Node::Binary(op, a, b) => {
                let width = terms.width_of(a);
                of(a).zip(of(b)).map(|(&a, &b)| fold::binary(op, width, a, b)).collect()
            }
            Node::Ite(c, a, b) => {
                let arms = of(a).zip(of(b));
                of(c).zip(arms).map(|(&c, (&a, &b))| if c != 0 { a } else { b }).collect()
            }
            Node::Extract { low, width, term } => of(term).map(|&a| fold::extract(a, low, width)).collect(),
            Node::ZeroExtend { term, .. } => of(term).copied().collect(),
            Node::SignExtend { width, term } => {
                let from = terms.width_of(term);
                of(term).map(|&a| fold::sign_extend(from, a, width)).collect()
            }
            Node::Concat(high, low) => {
                let width = terms.width_of(low);
                of(high).zip(of(low)).map(|(&high, &low)| fold::concat(high, low, width)).collect()
            }
            Node::Lookup { index, table } => {
                let entry = |(lane, &key): (usize, &u64)| {
                    let Some(entry) = terms.table_get(table, key) else { return 0 };
                    terms.as_constant(entry).unwrap_or_else(|| self.columns[&entry][lane])
                };
                of(index).enumerate().map(entry).collect()
            }
            // Who is asked has no unknown functions: `supports.rs` says so.
            Node::Apply { .. } => vec![0; self.count],
        }
    }
}
