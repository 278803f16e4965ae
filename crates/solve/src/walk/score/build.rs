//! Takes conditions apart into what is scored: comparisons, and how they are connected.

use super::{Comparison, Part, Scores};
use coax_term::{Binary, Node, Term, Terms, Unary};
use std::collections::BTreeMap;

/// A choice inside a comparison is taken apart only so often: choices of choices would be exponentially many.
const MOST_ARMS: usize = 32;

/// The parts of some conditions.
pub(super) fn scores(terms: &Terms, conditions: &[Term]) -> Scores {
    let mut builder = ScoresBuilder {
        terms,
        part_of: BTreeMap::new(),
        root_of: BTreeMap::new(),
        scores: Scores {
            parts: Vec::new(),
            distances: Vec::new(),
            comparisons: Vec::new(),
            conditions: Vec::new(),
            roots: Vec::new(),
        },
    };
    for &condition in conditions {
        let part = builder.condition(condition);
        builder.scores.conditions.push(part);
    }
    builder.scores
}

struct ScoresBuilder<'a> {
    terms: &'a Terms,
    part_of: BTreeMap<Term, u32>,
    root_of: BTreeMap<Term, u32>,
    scores: Scores,
}

impl ScoresBuilder<'_> {
    fn push(&mut self, part: Part) -> u32 {
        self.scores.parts.push(part);
        self.scores.parts.len() as u32 - 1
    }

    fn root(&mut self, term: Term) -> u32 {
        let roots = &mut self.scores.roots;
        *self.root_of.entry(term).or_insert_with(|| {
            roots.push(term);
            roots.len() as u32 - 1
        })
    }

    /// The part of a condition; operands first, without recursion.
    fn condition(&mut self, condition: Term) -> u32 {
        let mut stack = vec![condition];
        while let Some(&top) = stack.last() {
            if self.part_of.contains_key(&top) {
                stack.pop();
                continue;
            }
            let operands = self.conditions_below(top);
            let before = stack.len();
            stack.extend(operands.iter().filter(|operand| !self.part_of.contains_key(operand)));
            if stack.len() == before {
                let part = self.part(top);
                self.part_of.insert(top, part);
                stack.pop();
            }
        }
        self.part_of[&condition]
    }

    /// The conditions that a condition is made of.
    fn conditions_below(&self, condition: Term) -> Vec<Term> {
        match self.terms.node(condition) {
            Node::Unary(Unary::Not, a) => vec![a],
            Node::Binary(Binary::And | Binary::Or | Binary::Xor, a, b) => vec![a, b],
            Node::Binary(op, a, b) if op.is_comparison() => {
                let mut below = Vec::new();
                if op == Binary::Eq && self.terms.width_of(a) == 1 {
                    return vec![a, b];
                }
                self.choices(a, b, &mut |condition| below.push(condition));
                below
            }
            Node::Ite(c, a, b) => vec![c, a, b],
            _ => vec![],
        }
    }

    fn part(&mut self, condition: Term) -> u32 {
        let of = |term: Term| self.part_of[&term];
        let part = match self.terms.node(condition) {
            Node::Const { bits, .. } => Part::Constant(bits != 0),
            Node::Unary(Unary::Not, a) => Part::Not(of(a)),
            Node::Binary(Binary::And, a, b) => Part::And(of(a), of(b)),
            Node::Binary(Binary::Or, a, b) => Part::Or(of(a), of(b)),
            Node::Binary(Binary::Xor, a, b) => Part::Differ(of(a), of(b)),
            Node::Binary(Binary::Eq, a, b) if self.terms.width_of(a) == 1 => {
                let differ = Part::Differ(of(a), of(b));
                let differ = self.push(differ);
                Part::Not(differ)
            }
            Node::Binary(op, a, b) if op.is_comparison() => {
                let mut arms = MOST_ARMS;
                return self.compare(op, a, b, &mut arms);
            }
            Node::Ite(c, a, b) => Part::Choice(of(c), of(a), of(b)),
            _ => Part::Opaque(self.root(condition)),
        };
        self.push(part)
    }

    /// The conditions of choices at the top of a comparison's operands.
    fn choices(&self, a: Term, b: Term, each: &mut dyn FnMut(Term)) {
        let mut stack = vec![a, b];
        let mut arms = MOST_ARMS;
        while let Some(term) = stack.pop() {
            if let Node::Ite(c, then, otherwise) = self.terms.node(term)
                && arms > 0
            {
                arms -= 1;
                each(c);
                stack.extend([then, otherwise]);
            }
        }
    }

    /// A comparison, choices at the top of its operands taken apart. Recursion is bounded by the number of arms.
    fn compare(&mut self, op: Binary, a: Term, b: Term, arms: &mut usize) -> u32 {
        let choice = [a, b].into_iter().enumerate().find_map(|(side, term)| match self.terms.node(term) {
            Node::Ite(c, then, otherwise) => Some((side, *self.part_of.get(&c)?, then, otherwise)),
            _ => None,
        });
        if let Some((side, c, then, otherwise)) = choice
            && *arms > 0
        {
            *arms -= 1;
            let (first, second) = if side == 0 {
                (self.compare(op, then, b, arms), self.compare(op, otherwise, b, arms))
            } else {
                (self.compare(op, a, then, arms), self.compare(op, a, otherwise, arms))
            };
            return self.push(Part::Choice(c, first, second));
        }
        let at = [self.root(a), self.root(b)];
        let by_bits = op == Binary::Eq && (self.is_made_of_bits(a) || self.is_made_of_bits(b));
        let width = self.terms.width_of(a);
        self.scores.comparisons.push(Comparison { op, left: a, right: b, width, at, by_bits });
        let number = self.scores.comparisons.len() as u32 - 1;
        self.push(Part::Comparison(number))
    }

    /// Whether the outermost operator that computes something works on bits.
    fn is_made_of_bits(&self, mut term: Term) -> bool {
        loop {
            match self.terms.node(term) {
                Node::ZeroExtend { term: inner, .. } | Node::SignExtend { term: inner, .. } => term = inner,
                Node::Binary(op, ..) => {
                    use Binary::*;
                    return matches!(op, And | Or | Xor | Shl | LShr | AShr | Rotl | Rotr);
                }
                Node::Extract { .. } | Node::Unary(Unary::Not, _) => return true,
                _ => return false,
            }
        }
    }
}
