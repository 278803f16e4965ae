//! What the decisions of a path have fixed.
//!
//! A length that was replaced by its value, or a byte that was found to be a letter, is a number from then on, though its terms stay terms: an allocator
//! computes with them as long as the program runs. What consists of nothing else is decided already, and nobody need ask about it.

use coax_term::{Binary, Node, Term, Terms};
use std::collections::BTreeSet;

/// No more parts of a term are looked at: most that are not decided show it at once.
const MOST_PARTS: usize = 256;

/// The terms that have only one value on a path.
#[derive(Default)]
pub(super) struct Fixed(BTreeSet<Term>);

impl Fixed {
    /// Whether a term has only one value.
    pub(super) fn decides(&mut self, terms: &Terms, whole: Term) -> bool {
        // What is done has been gone through with all of its parts.
        let mut left = vec![(whole, false)];
        let mut parts = 0;
        while let Some((term, is_done)) = left.pop() {
            if is_done {
                self.0.insert(term);
                continue;
            }
            if terms.as_constant(term).is_some() || self.0.contains(&term) {
                continue;
            }
            let node = terms.node(term);
            parts += 1;
            if parts > MOST_PARTS || matches!(node, Node::Symbol(_) | Node::Apply { .. }) {
                return false;
            }
            left.push((term, true));
            let from = left.len();
            terms.operands(node, |operand| left.push((operand, false)));
            // The index of a table comes before its entries.
            left[from..].reverse();
        }
        true
    }

    /// From now on a condition holds.
    pub(super) fn add(&mut self, terms: &Terms, condition: Term) {
        self.0.insert(condition);
        if let Node::Binary(Binary::Eq, one, other) = terms.node(condition) {
            if terms.as_constant(one).is_some() {
                self.fix(terms, other);
            }
            if terms.as_constant(other).is_some() {
                self.fix(terms, one);
            }
        }
    }

    /// A term has only one value, and with it what it is made of, as far as nothing else gives the same.
    fn fix(&mut self, terms: &Terms, whole: Term) {
        let mut left = vec![whole];
        while let Some(term) = left.pop() {
            if !self.0.insert(term) {
                continue;
            }
            match terms.node(term) {
                Node::ZeroExtend { term, .. } | Node::SignExtend { term, .. } => left.push(term),
                Node::Concat(high, low) => left.extend([low, high]),
                Node::Binary(Binary::Add | Binary::Sub | Binary::Xor, one, other) => {
                    if self.decides(terms, one) {
                        left.push(other);
                    } else if self.decides(terms, other) {
                        left.push(one);
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends_on_numbers_only_is_decided() {
        let mut terms = Terms::new();
        let mut condition = |text: &str| terms.parse(text).expect("a condition");
        let length = condition("(eq length:32 4:32)");
        let chunk = condition("(eq (and (add length 11:32) 0xfffffff8:32) 8:32)");
        let [fits, other] = [condition("(ult (add length 2:32) 11:32)"), condition("(ult x:32 length)")];
        let behind = condition("(ult (add (and (add length 11:32) 0xfffffff8:32) 100:32) 4096:32)");
        let mut fixed = Fixed::default();
        assert!(!fixed.decides(&terms, fits));
        fixed.add(&terms, chunk);
        assert!(!fixed.decides(&terms, fits) && fixed.decides(&terms, behind), "only the chunk is known");
        fixed.add(&terms, length);
        assert!(fixed.decides(&terms, fits) && !fixed.decides(&terms, other));
        fixed.add(&terms, other);
        assert!(fixed.decides(&terms, other));
    }

    #[test]
    fn a_sum_and_one_part_decide_the_other() {
        let mut terms = Terms::new();
        let mut condition = |text: &str| terms.parse(text).expect("a condition");
        let place = condition("(eq (add (add 100:32 first:32) (zext 32 (concat high:8 low:8))) 108:32)");
        let [first, low] = [condition("(eq first 4:32)"), condition("(eq low 3:8)")];
        let mut fixed = Fixed::default();
        fixed.add(&terms, place);
        assert!(!fixed.decides(&terms, low));
        let mut fixed = Fixed::default();
        fixed.add(&terms, first);
        fixed.add(&terms, place);
        assert!(fixed.decides(&terms, low));
    }
}
