//! What a path already says: conditions that were decided, terms that equal constants, their bits and bounds. The rest of the question is made simpler by it.
//!
//! Assumptions are taken in one after the other. Each is made simpler by the facts so far, taken apart if it is a conjunction, and
//! becomes facts itself. What is left of all of them, the members, holds exactly where the assumptions hold. A symbol that
//! has one value is in one member only, which says so: whatever else it was in is made again without it, and is no more connected through
//! it. A goal that becomes false is impossible; the facts that made it so are the core.

mod bounds;
mod facts;
mod masks;
mod reasons;
mod rewriter;
#[cfg(test)]
mod tests;

use crate::{Answer, Budget, Layer, Query};
use bounds::{Change, Limit};
use coax_term::{Algebra, Binary, Identity, Node, Term, Terms, Unary, mask};
use facts::Bits;
use masks::Masks;
use reasons::{Reason, Reasons};
use rewriter::Rewriter;

/// How often members are made again because a member that was made again became a fact.
const MOST_ROUNDS: usize = 4;
/// How many sets of reasons are kept; then the path is taken in anew.
const MOST_REASONS: usize = 4_000_000;

/// The name in [`crate::Reason::Budget`].
const NAME: &str = "what the path says";

/// The layer.
pub struct Known {
    next: Box<dyn Layer>,
    identity: Option<Identity>,
    masks: Masks,
    path: Path,
}

/// What is known of some assumptions.
#[derive(Default)]
struct Path {
    assumptions: Vec<Term>,
    members: Vec<Member>,
    /// All facts.
    facts: Rewriter,
    /// Facts about symbols only: those that members are made again with. Others may come from the very member.
    values: Rewriter,
    reasons: Reasons,
    /// Whether symbols got values that members may still mention.
    has_new_values: bool,
    /// Assumptions that contradict each other.
    contradiction: Option<Reason>,
    /// Terms, bits of them and the reason, to be taken in as facts.
    learnt: Vec<(Term, Bits, Reason)>,
}

/// What is left of an assumption.
#[derive(Clone, Copy)]
struct Member {
    condition: Term,
    /// The assumptions that it follows from.
    reason: Reason,
    /// It says which value a symbol has.
    is_definition: bool,
}

impl Known {
    /// Hands on what is left of a question.
    pub fn new(next: Box<dyn Layer>) -> Known {
        Known { next, identity: None, masks: Masks::default(), path: Path::default() }
    }
}

impl Path {
    fn clear(&mut self) {
        self.assumptions.clear();
        self.members.clear();
        self.facts.clear();
        self.values.clear();
        self.reasons.clear();
        self.has_new_values = false;
        self.contradiction = None;
    }

    fn assume(&mut self, terms: &mut Terms, masks: &mut Masks, assumption: Term, budget: &Budget) {
        let why = self.reasons.assumption(self.assumptions.len());
        self.assumptions.push(assumption);
        let (left, because) = self.facts.rewrite(terms, masks, &mut self.reasons, assumption, budget);
        let reason = self.reasons.unite(why, because);
        self.add_members(terms, masks, left, reason);
    }

    /// The parts of a condition that holds, as members and as facts.
    fn add_members(&mut self, terms: &mut Terms, masks: &mut Masks, condition: Term, reason: Reason) {
        let mut parts = vec![condition];
        while let Some(condition) = parts.pop() {
            match terms.node(condition) {
                Node::Const { bits: 0, .. } => {
                    self.contradiction.get_or_insert(reason);
                }
                Node::Const { .. } => {}
                Node::Binary(Binary::And, a, b) => parts.extend([b, a]),
                _ => {
                    if let Some([a, b]) = neither(terms, condition) {
                        parts.extend([terms.not(b), terms.not(a)]);
                        continue;
                    }
                    let is_definition = self.learn(terms, masks, condition, reason);
                    if !is_definition {
                        self.members.push(Member { condition, reason, is_definition });
                    }
                }
            }
        }
    }

    /// Takes a condition that holds in as a fact, with what follows from it. Whether it only says which value a symbol has.
    fn learn(&mut self, terms: &mut Terms, masks: &mut Masks, condition: Term, reason: Reason) -> bool {
        let mut is_definition = false;
        self.learnt.push((condition, Bits::all(1, 1), reason));
        while let Some((term, new, reason)) = self.learnt.pop() {
            let width = terms.width_of(term);
            let (old, why) = match self.facts.fact(term) {
                Some((constant, why)) => (Bits::all(width, terms.as_constant(constant).unwrap_or(0)), why),
                None => self.facts.bits(term),
            };
            let old = terms.as_constant(term).map_or(old, |value| Bits::all(width, value));
            let both = self.reasons.unite(reason, why);
            if (old.value ^ new.value) & old.mask & new.mask != 0 {
                self.contradiction.get_or_insert(both);
            }
            if new.mask & !old.mask == 0 {
                continue;
            }
            let bits = Bits::some(old.mask | new.mask, old.value | new.value);
            if bits.mask == mask(width) {
                is_definition |= self.add_fact(terms, masks, term, bits.value, both) == Some(condition);
            } else {
                self.facts.add_bits(terms, masks, term, bits, both);
            }
            let learnt = &mut self.learnt;
            facts::consequences(terms, term, bits, &mut |term, bits| learnt.push((term, bits, both)));
            for limit in bounds::limits(terms, term, bits.value != 0) {
                self.learn_limit(terms, masks, &limit, both);
            }
        }
        is_definition
    }

    fn learn_limit(&mut self, terms: &Terms, masks: &mut Masks, limit: &Limit, reason: Reason) {
        match self.facts.add_limit(terms, masks, &mut self.reasons, limit, reason) {
            Change::None | Change::Fewer => {}
            Change::One(value, why) => {
                let bits = Bits::all(terms.width_of(limit.term), value);
                self.learnt.push((limit.term, bits, why));
            }
            Change::Contradiction(why) => {
                self.contradiction.get_or_insert(why);
            }
        }
    }

    /// A term has a value. For a symbol, the member that says so.
    fn add_fact(
        &mut self,
        terms: &mut Terms,
        masks: &mut Masks,
        term: Term,
        value: u64,
        reason: Reason,
    ) -> Option<Term> {
        let constant = terms.constant(terms.width_of(term), value);
        self.facts.add_fact(terms, masks, term, constant, reason);
        if !matches!(terms.node(term), Node::Symbol(_)) {
            return None;
        }
        self.values.add_fact(terms, masks, term, constant, reason);
        self.has_new_values = true;
        let condition = terms.eq(term, constant);
        self.members.push(Member { condition, reason, is_definition: true });
        Some(condition)
    }

    /// Makes the members again that mention symbols whose values are known by now.
    fn renew(&mut self, terms: &mut Terms, masks: &mut Masks, budget: &Budget) {
        for _ in 0..MOST_ROUNDS {
            if !std::mem::take(&mut self.has_new_values) {
                return;
            }
            for member in std::mem::take(&mut self.members) {
                // Members stay right, only not as simple as they could be.
                if member.is_definition || budget.is_late() {
                    self.members.push(member);
                    continue;
                }
                let (left, why) =
                    self.values.rewrite(terms, masks, &mut self.reasons, member.condition, budget);
                if left == member.condition {
                    self.members.push(member);
                } else {
                    let reason = self.reasons.unite(member.reason, why);
                    self.add_members(terms, masks, left, reason);
                }
            }
            if budget.is_late() {
                self.has_new_values = true;
                return;
            }
        }
    }

    /// The assumptions that these are reasons for.
    fn core(&mut self, reasons: impl IntoIterator<Item = Reason>) -> Vec<Term> {
        let numbers = self.reasons.assumptions(reasons);
        numbers.into_iter().map(|number| self.assumptions[number as usize]).collect()
    }
}

/// The conditions neither of which holds, if the condition says just that.
fn neither(terms: &Terms, condition: Term) -> Option<[Term; 2]> {
    let Node::Unary(Unary::Not, either) = terms.node(condition) else { return None };
    match terms.node(either) {
        Node::Binary(Binary::Or, a, b) => Some([a, b]),
        _ => None,
    }
}

impl Layer for Known {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        let (masks, path) = (&mut self.masks, &mut self.path);
        let is_other = self.identity.replace(terms.identity()) != Some(terms.identity());
        if is_other {
            masks.clear();
        }
        let is_full = path.reasons.len() > MOST_REASONS;
        if is_other || is_full || !query.assumptions.starts_with(&path.assumptions) {
            path.clear();
        }
        for &assumption in &query.assumptions[path.assumptions.len()..] {
            if budget.is_late() {
                return Answer::Unknown(crate::Reason::Budget(NAME));
            }
            path.assume(terms, masks, assumption, budget);
        }
        path.renew(terms, masks, budget);
        if let Some(reason) = path.contradiction {
            return Answer::Unsat(path.core([reason]));
        }
        let (goal, why) = path.facts.rewrite(terms, masks, &mut path.reasons, query.goal, budget);
        if terms.as_constant(goal) == Some(0) {
            return Answer::Unsat(path.core([why]));
        }
        let assumptions: Vec<Term> = path.members.iter().map(|member| member.condition).collect();
        match self.next.solve(terms, &Query { assumptions: &assumptions, goal, hint: query.hint }, budget) {
            Answer::Unsat(mut core) => {
                core.sort_unstable();
                let is_in = |member: &&Member| core.binary_search(&member.condition).is_ok();
                let reasons = path.members.iter().filter(is_in).map(|member| member.reason);
                let reasons: Vec<Reason> = reasons.chain([why]).collect();
                Answer::Unsat(path.core(reasons))
            }
            other => other,
        }
    }
}
