//! What SMT-LIB has no operators for: counting bits, and rotation by a term.

use super::number;
use super::write::Writer;
use crate::{Binary, Term, Unary};

impl Writer<'_> {
    pub(super) fn count(&mut self, op: Unary, a: Term) -> String {
        let width = self.terms.width_of(a);
        let bits = self.bits(a);
        let a = self.define(&format!("(_ BitVec {width})"), &bits);
        let bit = |at: u8| format!("((_ extract {at} {at}) {a})");
        if op == Unary::Popcnt {
            return (0..width).fold(number(width, 0), |sum, at| {
                let bit =
                    if width == 1 { bit(at) } else { format!("((_ zero_extend {}) {})", width - 1, bit(at)) };
                format!("(bvadd {sum} {bit})")
            });
        }
        // The bit that is looked at first is written last, outermost.
        (0..width).rev().fold(number(width, width.into()), |rest, count| {
            let at = if op == Unary::Clz { width - 1 - count } else { count };
            format!("(ite (= {} #b1) {} {rest})", bit(at), number(width, count.into()))
        })
    }

    pub(super) fn rotate(&mut self, op: Binary, a: Term, b: Term) -> String {
        let width = self.terms.width_of(a);
        let sort = format!("(_ BitVec {width})");
        let (bits, count) = (self.bits(a), self.bits(b));
        let bits = self.define(&sort, &bits);
        let whole = number(width, width.into());
        let count = self.define(&sort, &format!("(bvurem {count} {whole})"));
        let back = format!("(bvsub {whole} {count})");
        let (left, right) = if op == Binary::Rotl { (count, back) } else { (back, count) };
        format!("(bvor (bvshl {bits} {left}) (bvlshr {bits} {right}))")
    }
}
