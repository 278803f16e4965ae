//! Terms made simpler by facts: a fact says which constant a term is, or some of its bits, and a term is made again where a part of
//! it is known.
//!
//! What was made stays valid until a fact comes that may be about a part of it. To see that without looking inside, each term
//! has a mask of its symbols (their numbers modulo 64): a term that contains another has all bits of its mask, and a greater index. Facts are
//! listed by the lowest bit of their term's mask.

use super::bounds::{Bound, Bounds, Change, Limit, Order};
use super::facts::Bits;
use super::masks::Masks;
use super::reasons::{Reason, Reasons};
use crate::{Budget, Looks};
use coax_term::{Algebra, Binary, Node, Term, Terms, mask};
use std::collections::BTreeMap;

/// What a term is known to be the same as, and why.
#[derive(Clone, Copy, Debug)]
struct Entry {
    same: Option<Term>,
    reason: Reason,
    time: u32,
    is_fact: bool,
}

/// Facts, and terms made simpler by them.
#[derive(Debug)]
pub(super) struct Rewriter {
    /// By term.
    entries: Vec<Entry>,
    /// Grows with each fact; entries from before `start` are forgotten.
    time: u32,
    start: u32,
    /// By lowest bit of the mask: the time and the term of each fact, save those after which one about an older term came.
    listed: [Vec<(u32, Term)>; 64],
    /// Of terms that are not known as a whole, the bits that are.
    bits: BTreeMap<Term, (Bits, Reason)>,
    bounds: Bounds,
    stack: Vec<Term>,
}

impl Default for Rewriter {
    fn default() -> Rewriter {
        let (entries, bits, bounds, stack) = Default::default();
        let listed = std::array::from_fn(|_| Vec::new());
        Rewriter { entries, time: 1, start: 1, listed, bits, bounds, stack }
    }
}

impl Rewriter {
    /// Forgets all facts.
    pub(super) fn clear(&mut self) {
        if self.time > u32::MAX / 2 {
            *self = Rewriter::default();
        }
        self.time += 1;
        self.start = self.time;
        self.listed.iter_mut().for_each(Vec::clear);
        self.bits.clear();
        self.bounds.clear();
    }

    fn resize(&mut self, terms: &Terms) {
        if self.entries.len() < terms.len() {
            let none = Entry { same: None, reason: Reason::default(), time: 0, is_fact: false };
            self.entries.resize(terms.len(), none);
        }
    }

    /// There is a new fact about a term.
    fn list(&mut self, terms: &Terms, masks: &mut Masks, term: Term) {
        self.resize(terms);
        masks.update(terms);
        self.time += 1;
        let list = &mut self.listed[masks.get(term).trailing_zeros() as usize % 64];
        while list.last().is_some_and(|last| last.1 >= term) {
            list.pop();
        }
        list.push((self.time, term));
    }

    /// Whether a fact that came after this time may be about a part of the term.
    fn is_stale(&self, masks: &Masks, term: Term, time: u32) -> bool {
        let mut mask = masks.get(term);
        while mask != 0 {
            let list = &self.listed[mask.trailing_zeros() as usize];
            // Of the later facts the first is about the oldest term.
            if list.last().is_some_and(|last| last.0 > time)
                && list[list.partition_point(|fact| fact.0 <= time)].1 <= term
            {
                return true;
            }
            mask &= mask - 1;
        }
        false
    }

    /// A term, which is no constant, is this constant.
    pub(super) fn add_fact(
        &mut self,
        terms: &Terms,
        masks: &mut Masks,
        term: Term,
        constant: Term,
        reason: Reason,
    ) {
        self.list(terms, masks, term);
        self.entries[term.index()] = Entry { same: Some(constant), reason, time: self.time, is_fact: true };
    }

    /// A term, which is no constant, has these bits, which are all that is known of it.
    pub(super) fn add_bits(
        &mut self,
        terms: &Terms,
        masks: &mut Masks,
        term: Term,
        bits: Bits,
        reason: Reason,
    ) {
        self.list(terms, masks, term);
        self.bits.insert(term, (bits, reason));
    }

    /// The bits that are known of a term which is not known as a whole.
    pub(super) fn bits(&self, term: Term) -> (Bits, Reason) {
        self.bits.get(&term).copied().unwrap_or_default()
    }

    /// A comparison of a term with a constant holds, or does not.
    pub(super) fn add_limit(
        &mut self,
        terms: &Terms,
        masks: &mut Masks,
        reasons: &mut Reasons,
        limit: &Limit,
        reason: Reason,
    ) -> Change {
        let bits = self.bits(limit.term);
        let change = self.bounds.learn(terms, reasons, limit, bits, reason);
        if !matches!(change, Change::None) {
            self.list(terms, masks, limit.term);
        }
        change
    }

    /// The value that a term has because of bits or bounds of its operands.
    fn by_operands(&self, terms: &Terms, reasons: &mut Reasons, term: Term) -> Option<(u64, Reason)> {
        if self.bits.is_empty() && self.bounds.is_empty() {
            return None;
        }
        let (operand, needed, low) = match terms.node(term) {
            Node::Extract { low, width, term } => (term, mask(width) << low, low),
            Node::Binary(Binary::And, a, b) => (a, terms.as_constant(b)?, 0),
            Node::Binary(op, a, b) if op.is_comparison() => return self.compared(terms, reasons, op, a, b),
            _ => return None,
        };
        let (bits, reason) = *self.bits.get(&operand)?;
        (bits.mask & needed == needed).then_some(((bits.value & needed) >> low, reason))
    }

    /// Whether a comparison holds, if what is known of its operands decides it.
    fn compared(
        &self,
        terms: &Terms,
        reasons: &mut Reasons,
        op: Binary,
        a: Term,
        b: Term,
    ) -> Option<(u64, Reason)> {
        let (of_a, of_b) = (self.bits(a), self.bits(b));
        let bounds = |order| (self.bounds.of(terms, a, order, of_a), self.bounds.of(terms, b, order, of_b));
        if op == Binary::Eq {
            let constant = terms.as_constant(b).map(|value| Bits::all(terms.width_of(b), value));
            let other = constant.unwrap_or(of_b.0);
            if (of_a.0.value ^ other.value) & of_a.0.mask & other.mask != 0 {
                return Some((0, reasons.unite(of_a.1, of_b.1)));
            }
            let apart = [Order::Unsigned, Order::Signed].into_iter().find_map(|order| {
                let ([a_least, a_greatest], [b_least, b_greatest]) = bounds(order);
                let pairs = [(a_greatest, b_least), (b_greatest, a_least)];
                pairs.into_iter().find(|(one, other)| one.0 < other.0)
            });
            return apart.map(|(one, other)| (0, reasons.unite(one.1, other.1)));
        }
        let (order, is_strict) = match op {
            Binary::Ult => (Order::Unsigned, true),
            Binary::Ule => (Order::Unsigned, false),
            Binary::Slt => (Order::Signed, true),
            Binary::Sle => (Order::Signed, false),
            _ => return None,
        };
        let before = |x: Bound, y: Bound| if is_strict { x.0 < y.0 } else { x.0 <= y.0 };
        let ([a_least, a_greatest], [b_least, b_greatest]) = bounds(order);
        if before(a_greatest, b_least) {
            return Some((1, reasons.unite(a_greatest.1, b_least.1)));
        }
        (!before(a_least, b_greatest)).then(|| (0, reasons.unite(a_least.1, b_greatest.1)))
    }

    /// The constant that a term is by a fact about just this term.
    pub(super) fn fact(&self, term: Term) -> Option<(Term, Reason)> {
        let entry = self.entries.get(term.index())?;
        if entry.time < self.start || !entry.is_fact {
            return None;
        }
        Some((entry.same?, entry.reason))
    }

    /// What is known of a term and still valid.
    fn valid(&self, masks: &Masks, term: Term) -> Option<(Term, Reason)> {
        if masks.get(term) == 0 {
            return Some((term, Reason::default()));
        }
        let entry = self.entries[term.index()];
        let same = entry.same.filter(|_| entry.time >= self.start)?;
        if !entry.is_fact && self.is_stale(masks, same, entry.time) {
            return None;
        }
        Some((same, entry.reason))
    }

    /// The term that is the same where all facts hold, and why. When time runs out, the term itself.
    pub(super) fn rewrite(
        &mut self,
        terms: &mut Terms,
        masks: &mut Masks,
        reasons: &mut Reasons,
        root: Term,
        budget: &Budget,
    ) -> (Term, Reason) {
        let mut looks = Looks::default();
        masks.update(terms);
        self.resize(terms);
        self.stack.clear();
        self.stack.push(root);
        while let Some(&term) = self.stack.last() {
            if looks.is_late(budget) {
                return (root, Reason::default());
            }
            if self.valid(masks, term).is_none() {
                let waiting = self.stack.len();
                let made = self.made(terms, masks, reasons, term);
                if self.stack.len() > waiting {
                    continue;
                }
                let (mut same, mut reason) = made;
                if let Some((value, why)) = self.by_operands(terms, reasons, same) {
                    reason = reasons.unite(reason, why);
                    same = terms.constant(terms.width_of(same), value);
                }
                masks.update(terms);
                self.resize(terms);
                if let Some((constant, why)) = self.fact(same) {
                    (same, reason) = (constant, reasons.unite(reason, why));
                }
                self.entries[term.index()] =
                    Entry { same: Some(same), reason, time: self.time, is_fact: false };
            }
            self.stack.pop();
        }
        self.valid(masks, root).unwrap_or((root, Reason::default()))
    }

    /// A term made of what its operands are the same as; puts the operands for which that is not known on the stack instead.
    fn made(
        &mut self,
        terms: &mut Terms,
        masks: &Masks,
        reasons: &mut Reasons,
        term: Term,
    ) -> (Term, Reason) {
        let node = terms.node(term);
        let nothing = (term, Reason::default());
        // Where one operand decides which of the others matter, only those are looked at, and are reasons.
        match node {
            Node::Ite(condition, then, otherwise) => {
                let Some((condition, why)) = self.need(masks, condition) else { return nothing };
                if let Some(holds) = terms.as_constant(condition) {
                    let chosen = if holds != 0 { then } else { otherwise };
                    let Some((same, reason)) = self.need(masks, chosen) else { return nothing };
                    return (same, reasons.unite(why, reason));
                }
            }
            Node::Lookup { index, table } => {
                let Some((index, why)) = self.need(masks, index) else { return nothing };
                if let Some(key) = terms.as_constant(index) {
                    let Some(entry) = terms.table_get(table, key) else {
                        return (terms.constant(terms.width_of(term), 0), why);
                    };
                    let Some((same, reason)) = self.need(masks, entry) else { return nothing };
                    return (same, reasons.unite(why, reason));
                }
            }
            Node::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let absorbing = if op == Binary::And { 0 } else { mask(terms.width_of(term)) };
                for operand in [a, b] {
                    let Some((same, why)) = self.need(masks, operand) else { return nothing };
                    if terms.as_constant(same) == Some(absorbing) {
                        return (same, why);
                    }
                }
            }
            _ => {}
        }
        let waiting = self.stack.len();
        let (mut is_changed, mut reason) = (false, Reason::default());
        terms.operands(node, |operand| match self.valid(masks, operand) {
            Some((same, why)) => {
                is_changed |= same != operand;
                reason = reasons.unite(reason, why);
            }
            None => self.stack.push(operand),
        });
        if self.stack.len() > waiting || !is_changed {
            return nothing;
        }
        let same = |operand: Term| self.valid(masks, operand).map_or(operand, |found| found.0);
        (terms.with_operands(term, same), reason)
    }

    /// What an operand is the same as; if that is not known, it is put on the stack.
    fn need(&mut self, masks: &Masks, operand: Term) -> Option<(Term, Reason)> {
        let known = self.valid(masks, operand);
        if known.is_none() {
            self.stack.push(operand);
        }
        known
    }
}
