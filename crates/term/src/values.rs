//! The values that a term can have, if they are few: for reads and writes through addresses that depend on the input.
//!
//! Sets of values go up the term as far as they stay small; where they do not, the range of the term still may tell.
//! What is found depends on nothing but the term, so it is found once and remembered: looking at every address
//! of a long path takes time proportional to the terms of the path, and two arenas agree.

use crate::consing::{Index, mix};
use crate::{Binary, Node, Range, Term, Terms, fold};
use std::borrow::Cow;

/// A set of more values is not kept: then the range is all that is known.
const MOST: usize = 1 << 8;
/// How many combinations of its operands' values to compute for one term.
const WORK: usize = 1 << 14;
/// How many values to remember, of all sets together; sets can be found again.
const REMEMBERED: usize = 1 << 22;

impl Terms {
    /// Values that the term can at most have, by size; none if they may be more than the limit.
    pub fn possible_values(&mut self, term: Term, limit: usize) -> Option<Vec<u64>> {
        let mut sets = std::mem::take(&mut self.value_sets);
        sets.find(self, term);
        let found = match sets.set(term) {
            Some(values) => (values.len() <= limit).then(|| values.to_vec()),
            None => enumerate(self.range(term), limit),
        };
        self.value_sets = sets;
        found
    }
}

/// What is known of terms that were looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueSets {
    known: Vec<Known>,
    /// All sets, one after the other, each by size.
    values: Vec<u64>,
    /// Where each set ends.
    ends: Vec<usize>,
    /// Terms that wait for their operands.
    waiting: Vec<Term>,
    distinct: Distinct,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Known {
    #[default]
    Nothing,
    /// A closer look finds no fewer values than the range has.
    Range,
    /// The set with this number.
    Set(u32),
}

impl ValueSets {
    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.values.clear();
        self.ends.clear();
    }

    fn known(&self, term: Term) -> Known {
        self.known.get(term.index()).copied().unwrap_or_default()
    }

    /// The set of a term that was looked at, if it has one.
    fn set(&self, term: Term) -> Option<&[u64]> {
        let Known::Set(number) = self.known(term) else { return None };
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        Some(&self.values[start..self.ends[number]])
    }

    /// Looks at a term and whatever it consists of. Without recursion: that may be deep.
    fn find(&mut self, terms: &Terms, term: Term) {
        if self.values.len() > REMEMBERED {
            self.clear();
        }
        if self.known.len() <= term.index() {
            self.known.resize(term.index() + 1, Known::Nothing);
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.push(term);
        while let Some(&top) = waiting.last() {
            let before = waiting.len();
            if self.known(top) == Known::Nothing && !may_be_few(terms, top) {
                self.known[top.index()] = Known::Range;
            } else if self.known(top) == Known::Nothing {
                sources(terms, terms.node(top), |operand| {
                    if self.known(operand) == Known::Nothing {
                        waiting.push(operand);
                    }
                });
                if waiting.len() == before {
                    self.known[top.index()] = self.combine(terms, top);
                }
            }
            if waiting.len() == before {
                waiting.pop();
            }
        }
        self.waiting = waiting;
    }

    /// What follows for a term from what is known of its operands.
    fn combine(&mut self, terms: &Terms, term: Term) -> Known {
        if let Node::ZeroExtend { term: inner, .. } = terms.node(term) {
            return self.known(inner);
        }
        let mut distinct = std::mem::take(&mut self.distinct);
        distinct.start(terms.range(term));
        let found = self.collect(terms, term, &mut distinct);
        let known = match found {
            Some(()) => {
                distinct.values.sort_unstable();
                self.values.extend_from_slice(&distinct.values);
                self.ends.push(self.values.len());
                Known::Set(self.ends.len() as u32 - 1)
            }
            None => Known::Range,
        };
        self.distinct = distinct;
        known
    }

    /// Collects the values of a term; none if they are too many, or no fewer than its range has.
    fn collect(&self, terms: &Terms, term: Term, into: &mut Distinct) -> Option<()> {
        match terms.node(term) {
            // Of an extended term the set is the same.
            Node::ZeroExtend { .. } | Node::Const { .. } | Node::Symbol(_) | Node::Apply { .. } => None,
            Node::Unary(op, a) => self.map(terms, term, a, into, |x| fold::unary(op, terms.width_of(a), x)),
            Node::Extract { low, width, term: a } => {
                self.map(terms, term, a, into, |x| fold::extract(x, low, width))
            }
            Node::SignExtend { width, term: a } => {
                self.map(terms, term, a, into, |x| fold::sign_extend(terms.width_of(a), x, width))
            }
            Node::Concat(a, b) => {
                self.pairs(terms, term, [a, b], into, |x, y| fold::concat(x, y, terms.width_of(b)))
            }
            Node::Binary(op, a, b) => {
                let width = terms.width_of(a);
                self.pairs(terms, term, [a, b], into, |x, y| fold::binary(op, width, x, y)).or_else(|| {
                    let mask = terms.as_constant(b).filter(|_| op == Binary::And)?;
                    into.start(terms.range(term));
                    submasks(mask)?.try_for_each(|value| into.insert(value))
                })
            }
            Node::Ite(_, then, otherwise) => {
                into.insert_all(&self.few(terms, then)?)?;
                into.insert_all(&self.few(terms, otherwise)?)
            }
            Node::Lookup { index, table } => {
                let keys = self.few(terms, index);
                let entries = terms.table_entries(table);
                let is_key = |key: u64| keys.as_ref().is_none_or(|keys| keys.binary_search(&key).is_ok());
                let (mut useful, mut work) = (0, 0);
                for &(_, value) in entries.iter().filter(|entry| is_key(entry.0)) {
                    useful += 1;
                    if let Some(bits) = terms.as_constant(value) {
                        into.insert(bits)?;
                        continue;
                    }
                    let values = self.few(terms, value)?;
                    work += values.len();
                    if work > WORK {
                        return None;
                    }
                    into.insert_all(&values)?;
                }
                let is_covered = match keys {
                    Some(keys) => keys.len() == useful,
                    None => terms.covers(table, terms.range(index)),
                };
                if is_covered { Some(()) } else { into.insert(0) }
            }
        }
    }

    fn map(
        &self,
        terms: &Terms,
        term: Term,
        operand: Term,
        into: &mut Distinct,
        operator: impl Fn(u64) -> u64,
    ) -> Option<()> {
        self.is_worthwhile(terms, term, operand)?;
        self.few(terms, operand)?.iter().try_for_each(|&x| into.insert(operator(x)))
    }

    fn pairs(
        &self,
        terms: &Terms,
        term: Term,
        [a, b]: [Term; 2],
        into: &mut Distinct,
        operator: impl Fn(u64, u64) -> u64,
    ) -> Option<()> {
        match (terms.as_constant(a), terms.as_constant(b)) {
            (_, Some(y)) => self.map(terms, term, a, into, |x| operator(x, y)),
            (Some(x), _) => self.map(terms, term, b, into, |y| operator(x, y)),
            _ => {
                let (first, second) = (self.few(terms, a)?, self.few(terms, b)?);
                if first.len() * second.len() > WORK {
                    return None;
                }
                first.iter().try_for_each(|&x| second.iter().try_for_each(|&y| into.insert(operator(x, y))))
            }
        }
    }

    /// None if a term has, by its range, as many values as its only operand: then the range is taken to be exact.
    fn is_worthwhile(&self, terms: &Terms, term: Term, operand: Term) -> Option<()> {
        let is_set = self.set(operand).is_some();
        (is_set || terms.range(term).count() != terms.range(operand).count()).then_some(())
    }

    /// The values of a term that was looked at, if they are few.
    fn few(&self, terms: &Terms, term: Term) -> Option<Cow<'_, [u64]>> {
        match self.set(term) {
            Some(set) => Some(Cow::Borrowed(set)),
            None => enumerate(terms.range(term), MOST).map(Cow::Owned),
        }
    }
}

/// Whether looking at its operands may tell more of a term than its range.
fn may_be_few(terms: &Terms, term: Term) -> bool {
    let is_unknown = matches!(terms.node(term), Node::Symbol(_) | Node::Apply { .. });
    !is_unknown && terms.range(term).count().is_none_or(|count| count > 2)
}

/// The terms whose values the values of a node come from.
fn sources(terms: &Terms, node: Node, mut each: impl FnMut(Term)) {
    match node {
        Node::Ite(_, then, otherwise) => {
            each(then);
            each(otherwise);
        }
        node => terms.operands(node, each),
    }
}

fn enumerate(range: Range, limit: usize) -> Option<Vec<u64>> {
    range.count().is_some_and(|count| count <= limit as u64).then(|| range.values().collect())
}

/// Every number whose bits are all in the mask, if they are few.
fn submasks(mask: u64) -> Option<impl Iterator<Item = u64>> {
    let few = 1usize.checked_shl(mask.count_ones()).is_some_and(|count| count <= MOST);
    let after = move |&value: &u64| (value != mask).then(|| (value | !mask).wrapping_add(1) & mask);
    few.then(|| std::iter::successors(Some(0), after))
}

/// Different values of a range, fewer than there are in it.
#[derive(Clone, Debug, Default)]
struct Distinct {
    values: Vec<u64>,
    index: Index,
    range: Range,
    /// So many are too many.
    too_many: usize,
}

impl Distinct {
    fn start(&mut self, range: Range) {
        self.index.clear(self.values.iter().map(|&value| mix(0, value)));
        self.values.clear();
        let count = range.count().and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
        (self.range, self.too_many) = (range, count.min(MOST + 1));
    }

    fn insert_all(&mut self, values: &[u64]) -> Option<()> {
        values.iter().try_for_each(|&value| self.insert(value))
    }

    /// None if there are now too many. What is not in the range is no value.
    fn insert(&mut self, value: u64) -> Option<()> {
        let values = &mut self.values;
        let is_new = self.index.find(mix(0, value), |id| values[id] == value).is_none();
        if is_new && self.range.contains(value) {
            values.push(value);
            self.index.insert(values.len() - 1, mix(0, value));
        }
        (values.len() < self.too_many).then_some(())
    }
}
