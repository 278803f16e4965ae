//! If-then-else. Of conditions it is logic; of extended terms it is an extended, narrower one.

use crate::fold::mask;
use crate::{Algebra, Binary, Node, Term, Terms};

impl Terms {
    pub(crate) fn simplify_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        let width = self.width_of(then);
        if then == otherwise {
            return Some(then);
        }
        match self.node(condition) {
            Node::Const { bits, .. } => return Some(if bits != 0 { then } else { otherwise }),
            Node::Unary(_, inner) if self.as_not(condition).is_some() => {
                return Some(self.ite(inner, otherwise, then));
            }
            _ => {}
        }
        if let Node::Ite(inner, x, _) = self.node(then)
            && inner == condition
        {
            return Some(self.ite(condition, x, otherwise));
        }
        if let Node::Ite(inner, _, y) = self.node(otherwise)
            && inner == condition
        {
            return Some(self.ite(condition, then, y));
        }
        if width == 1 {
            return self.simplify_ite_condition(condition, then, otherwise);
        }
        match (self.as_constant(then), self.as_constant(otherwise)) {
            (Some(x), Some(0)) if x == mask(width) => Some(self.sign_extend(condition, width)),
            (Some(0), Some(y)) if y == mask(width) => {
                let negation = self.not(condition);
                Some(self.sign_extend(negation, width))
            }
            (Some(1), Some(0)) => Some(self.zero_extend(condition, width)),
            (Some(0), Some(1)) => {
                let negation = self.not(condition);
                Some(self.zero_extend(negation, width))
            }
            _ => self.simplify_ite_extended(condition, then, otherwise),
        }
    }

    fn simplify_ite_condition(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        match (self.as_constant(then), self.as_constant(otherwise)) {
            (Some(1), Some(_)) => Some(condition),
            (Some(_), Some(_)) => Some(self.not(condition)),
            (Some(1), None) => Some(self.or(condition, otherwise)),
            (Some(_), None) => {
                let negation = self.not(condition);
                Some(self.and(negation, otherwise))
            }
            (None, Some(0)) => Some(self.and(condition, then)),
            (None, Some(_)) => {
                let negation = self.not(condition);
                Some(self.or(negation, then))
            }
            (None, None) if then == condition => Some(self.or(condition, otherwise)),
            (None, None) if otherwise == condition => Some(self.and(condition, then)),
            (None, None) if self.are_complements(then, otherwise) => {
                Some(self.binary(Binary::Eq, condition, then))
            }
            (None, None) => None,
        }
    }

    /// Both arms zero-extended from the same width, or one and the other a constant that fits.
    fn simplify_ite_extended(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        let width = self.width_of(then);
        let inner = self.as_zero_extend(then).or_else(|| self.as_zero_extend(otherwise))?;
        let narrow = self.width_of(inner);
        let x = self.without_extension(then, narrow)?;
        let y = self.without_extension(otherwise, narrow)?;
        let choice = self.ite(condition, x, y);
        Some(self.zero_extend(choice, width))
    }

    fn without_extension(&mut self, term: Term, width: u8) -> Option<Term> {
        match self.node(term) {
            Node::ZeroExtend { term, .. } if self.width_of(term) == width => Some(term),
            Node::Const { bits, .. } if bits <= mask(width) => Some(self.constant(width, bits)),
            _ => None,
        }
    }
}
