//! The values that a term can have, if they are few: for reads and writes through addresses that depend on the input.
//!
//! Sets of values go up the term as far as they stay small; where they do not, the range of the term still may tell.
//! The work is bounded: an address may be a term of any size.

use crate::{Binary, Node, Range, Term, Terms, fold};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How deep to look into a term.
const DEPTH: u32 = 24;
/// How many values to compute in all.
const WORK: usize = 1 << 16;
/// How many values an operand may have; an operator may make fewer of them.
const OPERAND_VALUES: usize = 1 << 10;

type Values = Option<Rc<[u64]>>;

impl Terms {
    /// Values that the term can at most have, by size; none if they may be more than the limit.
    pub fn possible_values(&self, term: Term, limit: usize) -> Option<Vec<u64>> {
        if self.range_is_exact(term) {
            return enumerate(self.range(term), limit);
        }
        let mut search = Search { terms: self, known: BTreeMap::new(), work: WORK };
        let found = search.values(term, DEPTH).filter(|values| values.len() <= limit);
        found.map(|values| values.to_vec()).or_else(|| enumerate(self.range(term), limit))
    }
}

impl Terms {
    /// Whether a closer look would find nothing that the range does not tell: an unknown value with constants added,
    /// multiplied, put beside. (If it is said wrongly, a few values more are found than need be.)
    fn range_is_exact(&self, term: Term) -> bool {
        let mut term = term;
        for _ in 0..DEPTH {
            let inner = match self.node(term) {
                Node::Const { .. } | Node::Symbol(_) | Node::Apply { .. } => return true,
                Node::Extract { term, .. } => {
                    return matches!(self.node(term), Node::Symbol(_) | Node::Apply { .. });
                }
                Node::ZeroExtend { term, .. } => term,
                Node::Concat(a, b) | Node::Binary(Binary::Add | Binary::Mul, a, b) => {
                    match (self.as_constant(a), self.as_constant(b)) {
                        (_, Some(_)) => a,
                        (Some(_), _) => b,
                        _ => return false,
                    }
                }
                _ => return false,
            };
            if self.range(inner).count() != self.range(term).count() {
                return false;
            }
            term = inner;
        }
        false
    }
}

fn enumerate(range: Range, limit: usize) -> Option<Vec<u64>> {
    range.count().is_some_and(|count| count <= limit as u64).then(|| range.values().collect())
}

struct Search<'a> {
    terms: &'a Terms,
    known: BTreeMap<Term, Values>,
    work: usize,
}

impl Search<'_> {
    fn values(&mut self, term: Term, depth: u32) -> Values {
        let range = self.terms.range(term);
        if let Some(value) = range.only() {
            return Some(Rc::new([value]));
        }
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let may_look = depth > 0 && !self.terms.range_is_exact(term) && self.spend(1).is_some();
        let found = if may_look { self.compute(term, depth - 1) } else { None };
        let found = found.map(|mut values| {
            values.retain(|&value| range.contains(value));
            values.sort_unstable();
            values.dedup();
            values
        });
        // A range can be the better answer: it may know of a relation between the operands.
        let few = found.as_ref().map_or(OPERAND_VALUES, Vec::len);
        let values = enumerate(range, few).or(found).filter(|values| values.len() <= OPERAND_VALUES);
        let values: Values = values.map(Rc::from);
        self.known.insert(term, values.clone());
        values
    }

    /// From the operands, in any order, perhaps several times the same.
    fn compute(&mut self, term: Term, depth: u32) -> Option<Vec<u64>> {
        let terms = self.terms;
        match terms.node(term) {
            Node::Const { bits, .. } => Some(vec![bits]),
            Node::Symbol(_) | Node::Apply { .. } => None,
            Node::Unary(op, a) => self.map(a, depth, |x| fold::unary(op, terms.width_of(a), x)),
            Node::Extract { low, width, term: a } => self.map(a, depth, |x| fold::extract(x, low, width)),
            Node::ZeroExtend { term: a, .. } => self.map(a, depth, |x| x),
            Node::SignExtend { width, term: a } => {
                self.map(a, depth, |x| fold::sign_extend(terms.width_of(a), x, width))
            }
            Node::Concat(a, b) => self.pairs(a, b, depth, |x, y| fold::concat(x, y, terms.width_of(b))),
            Node::Binary(Binary::And, a, b) => {
                self.pairs(a, b, depth, |x, y| x & y).or_else(|| submasks(terms.as_constant(b)?))
            }
            Node::Binary(op, a, b) => {
                self.pairs(a, b, depth, |x, y| fold::binary(op, terms.width_of(a), x, y))
            }
            Node::Ite(_, then, otherwise) => {
                let mut values = self.values(then, depth)?.to_vec();
                values.extend_from_slice(&self.values(otherwise, depth)?);
                self.spend(values.len())?;
                Some(values)
            }
            Node::Lookup { index, table } => {
                let keys = self.values(index, depth);
                let covered = match &keys {
                    Some(keys) => keys.iter().all(|&key| terms.table_get(table, key).is_some()),
                    None => terms.covers(table, terms.range(index)),
                };
                let mut values = if covered { vec![] } else { vec![0] };
                for &(key, value) in terms.table_entries(table) {
                    if keys.as_ref().is_none_or(|keys| keys.binary_search(&key).is_ok()) {
                        values.extend_from_slice(&self.values(value, depth)?);
                        self.spend(1 + values.len() / 16)?;
                    }
                }
                Some(values)
            }
        }
    }

    fn map(&mut self, a: Term, depth: u32, operator: impl Fn(u64) -> u64) -> Option<Vec<u64>> {
        let values = self.values(a, depth)?;
        self.spend(values.len())?;
        Some(values.iter().map(|&x| operator(x)).collect())
    }

    fn pairs(
        &mut self,
        a: Term,
        b: Term,
        depth: u32,
        operator: impl Fn(u64, u64) -> u64,
    ) -> Option<Vec<u64>> {
        let first = self.values(a, depth)?;
        let second = self.values(b, depth)?;
        self.spend(first.len() * second.len())?;
        Some(
            first
                .iter()
                .flat_map(|&x| second.iter().map(move |&y| (x, y)))
                .map(|(x, y)| operator(x, y))
                .collect(),
        )
    }

    fn spend(&mut self, values: usize) -> Option<()> {
        self.work = self.work.checked_sub(values)?;
        Some(())
    }
}

/// Every number whose bits are all in the mask, if they are few.
fn submasks(mask: u64) -> Option<Vec<u64>> {
    let few = 1usize.checked_shl(mask.count_ones()).is_some_and(|count| count <= OPERAND_VALUES);
    few.then(|| {
        let after = |&value: &u64| (value != mask).then(|| (value | !mask).wrapping_add(1) & mask);
        std::iter::successors(Some(0), after).collect()
    })
}
