//! The rules by which constructors simplify. Judged by `tests/simplify.rs` on every input of small widths.
//!
//! A rule gives the simpler term, made by constructors again, or none if it does not fit. It looks only at the structure of
//! the operands and at what follows from it (width, range), and a node is interned only where no rule fits: so making a term again
//! from its own operands gives the same term. Rules call constructors on narrower or plainly smaller terms, never down
//! a chain of unknown length: terms can be a million operands deep.
//!
//! Normal forms: a constant operand is the second one; constants are added last; bits are moved and masked by extract,
//! concat and extensions rather than by shifts, masks, or multiplication and division by powers of two; extensions are
//! outside of concat; floats are only folded.

mod arithmetic;
mod bitwise;
mod choice;
mod compare;
mod equal;
mod join;
mod pieces;
mod shift;

use crate::{Binary, Node, Term, Terms, Unary};

impl Terms {
    pub(crate) fn simplify_binary(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::*;
        match op {
            Add => self.simplify_add(a, b),
            Sub => self.simplify_sub(a, b),
            Mul => self.simplify_mul(a, b),
            UDiv | SDiv | URem | SRem => self.simplify_division(op, a, b),
            And => self.simplify_and(a, b),
            Or | Xor => self.simplify_or_xor(op, a, b),
            Shl | LShr | AShr | Rotl | Rotr => self.simplify_shift(op, a, b),
            Eq => self.simplify_eq(a, b),
            Ult | Ule => self.simplify_unsigned(op, a, b),
            Slt | Sle => self.simplify_signed(op, a, b),
            FAdd | FSub | FMul | FDiv | FMin | FMax | FEq | FLt | FLe => None,
        }
    }

    /// The operands, if the term is this operator.
    #[inline]
    fn as_binary(&self, op: Binary, term: Term) -> Option<(Term, Term)> {
        match self.node(term) {
            Node::Binary(found, a, b) if found == op => Some((a, b)),
            _ => None,
        }
    }

    /// Term and constant, if the term is this operator with a constant second operand.
    #[inline]
    fn with_constant(&self, op: Binary, term: Term) -> Option<(Term, u64)> {
        let (a, b) = self.as_binary(op, term)?;
        Some((a, self.as_constant(b)?))
    }

    #[inline]
    fn as_not(&self, term: Term) -> Option<Term> {
        match self.node(term) {
            Node::Unary(Unary::Not, a) => Some(a),
            _ => None,
        }
    }

    #[inline]
    fn as_zero_extend(&self, term: Term) -> Option<Term> {
        match self.node(term) {
            Node::ZeroExtend { term, .. } => Some(term),
            _ => None,
        }
    }

    #[inline]
    fn as_sign_extend(&self, term: Term) -> Option<Term> {
        match self.node(term) {
            Node::SignExtend { term, .. } => Some(term),
            _ => None,
        }
    }

    #[inline]
    fn as_concat(&self, term: Term) -> Option<(Term, Term)> {
        match self.node(term) {
            Node::Concat(high, low) => Some((high, low)),
            _ => None,
        }
    }

    /// Whether one is the other with all bits flipped.
    #[inline]
    fn are_complements(&self, a: Term, b: Term) -> bool {
        self.as_not(a) == Some(b) || self.as_not(b) == Some(a)
    }
}
