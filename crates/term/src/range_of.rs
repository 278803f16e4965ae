//! The range of a node from the ranges of its operands, in constant time. Judged by `tests/simplify.rs`.
//!
//! Where an operator wraps around, what survives is the residue modulo a power of two.

use crate::fold::{self, mask};
use crate::range::gcd;
use crate::{Binary, Node, Range, Terms, Unary};

impl Terms {
    #[inline(always)]
    pub(crate) fn range_of_node(&self, node: &Node, width: u8) -> Range {
        match *node {
            Node::Const { bits, .. } => Range::single(bits),
            Node::Symbol(_) | Node::Apply { .. } => Range::full(width),
            Node::Unary(op, a) => unary(op, self.range(a), width),
            Node::Binary(op, a, b) => binary(op, self.range(a), self.range(b), width),
            Node::Ite(_, then, otherwise) => self.range(then).join(self.range(otherwise)),
            Node::Extract { low, term, .. } => extract(self.range(term), low, width),
            Node::ZeroExtend { term, .. } => self.range(term),
            Node::SignExtend { term, .. } => sign_extend(self.range(term), self.width_of(term), width),
            Node::Concat(high, low) => concat(self.range(high), self.range(low), self.width_of(low)),
            Node::Lookup { index, table } => {
                let values = self.table_range(table);
                if self.covers(table, self.range(index)) { values } else { values.join(Range::single(0)) }
            }
        }
    }
}

#[inline(always)]
fn unary(op: Unary, a: Range, width: u8) -> Range {
    match op {
        Unary::Not => Range { low: mask(width) - a.high, high: mask(width) - a.low, step: a.step },
        Unary::Clz => Range::between(fold::unary(op, width, a.high), fold::unary(op, width, a.low)),
        Unary::Ctz | Unary::Popcnt => Range::between(0, u64::from(width)),
        _ => Range::full(width),
    }
}

#[inline(always)]
fn binary(op: Binary, a: Range, b: Range, width: u8) -> Range {
    use Binary::*;
    match op {
        Add => add(a, b, width),
        Sub => sub(a, b, width),
        Mul => mul(a, b, width),
        UDiv => udiv(a, b, width),
        URem => urem(a, b),
        And => {
            let high = a.high.min(b.high).min(a.possible_bits() & b.possible_bits());
            Range::stepping(0, high, (a.zeros_below() | b.zeros_below()).wrapping_add(1))
        }
        Or | Xor => {
            let high = a.possible_bits() | b.possible_bits();
            let step = (a.zeros_below() & b.zeros_below()).wrapping_add(1);
            let low = if op == Or { a.low.max(b.low) } else { 0 };
            Range::stepping(low, high, step)
        }
        LShr => lshr(a, b, width),
        Shl if b.low >= u64::from(width) => Range::single(0),
        Shl => Range::congruent(
            0,
            1 << (a.zeros_below().count_ones() + b.low as u32).min(u32::from(width) - 1),
            width,
        ),
        SDiv | SRem | AShr | Rotl | Rotr | FAdd | FSub | FMul | FDiv | FMin | FMax => Range::full(width),
        Eq | Ult | Ule | Slt | Sle | FEq | FLt | FLe => Range::full(1),
    }
}

#[inline]
fn add(a: Range, b: Range, width: u8) -> Range {
    let wraps = |x: u64, y: u64| x > mask(width) - y;
    let step = gcd(a.step, b.step);
    let (low, high) = (a.low.wrapping_add(b.low) & mask(width), a.high.wrapping_add(b.high) & mask(width));
    if wraps(a.low, b.low) == wraps(a.high, b.high) {
        Range { low, high, step }
    } else {
        Range::congruent(low, step & step.wrapping_neg(), width)
    }
}

#[inline]
fn sub(a: Range, b: Range, width: u8) -> Range {
    let step = gcd(a.step, b.step);
    let (low, high) = (a.low.wrapping_sub(b.high) & mask(width), a.high.wrapping_sub(b.low) & mask(width));
    if (a.low < b.high) == (a.high < b.low) {
        Range { low, high, step }
    } else {
        Range::congruent(low, step & step.wrapping_neg(), width)
    }
}

#[inline]
fn mul(a: Range, b: Range, width: u8) -> Range {
    match a.high.checked_mul(b.high) {
        Some(high) if high <= mask(width) => {
            // No smaller product overflows either.
            let step = gcd(gcd(a.step * b.low, b.step * a.low), a.step * b.step);
            Range { low: a.low * b.low, high, step }
        }
        _ if a.step == 0 || b.step == 0 => {
            let step = (a.low.wrapping_mul(b.step)).wrapping_add(b.low.wrapping_mul(a.step));
            let modulus = step & step.wrapping_neg();
            Range::congruent(a.low.wrapping_mul(b.low), modulus, width)
        }
        _ => {
            let zeros = a.zeros_below().count_ones() + b.zeros_below().count_ones();
            Range::congruent(0, 1u64.checked_shl(zeros).unwrap_or(0), width)
        }
    }
}

fn udiv(a: Range, b: Range, width: u8) -> Range {
    if b.low == 0 {
        return Range::full(width);
    }
    if b.step == 0 && a.low.is_multiple_of(b.low) && a.step.is_multiple_of(b.low) {
        return Range { low: a.low / b.low, high: a.high / b.low, step: a.step / b.low };
    }
    Range::between(a.low / b.high, a.high / b.low)
}

fn urem(a: Range, b: Range) -> Range {
    if a.high < b.low || b.high == 0 {
        return a;
    }
    if b.low == 0 {
        return Range::between(0, a.high);
    }
    if b.step == 0 {
        let step = gcd(a.step, b.low);
        return Range::stepping(a.low % step.max(1), b.low - 1, step).max_high(a.high);
    }
    Range::between(0, a.high.min(b.high - 1))
}

fn lshr(a: Range, b: Range, width: u8) -> Range {
    let bits = u64::from(width);
    let high = if b.low >= bits { 0 } else { a.high >> b.low };
    let low = if b.high >= bits { 0 } else { a.low >> b.high };
    Range::between(low, high)
}

#[inline]
pub(crate) fn extract(a: Range, low: u8, width: u8) -> Range {
    // A step that leaves the lower bits alone never carries out of them.
    let exact = a.step >> low << low == a.step;
    let shifted = if exact {
        Range { low: a.low >> low, high: a.high >> low, step: a.step >> low }
    } else {
        Range::between(a.low >> low, a.high >> low)
    };
    if width == 64 || shifted.low >> width == shifted.high >> width {
        return Range {
            low: shifted.low & mask(width),
            high: shifted.high & mask(width),
            step: shifted.step,
        };
    }
    Range::congruent(shifted.low, shifted.modulus(), width)
}

#[inline]
fn sign_extend(a: Range, from: u8, to: u8) -> Range {
    let sign = 1 << (from - 1);
    let (low, high) = (fold::sign_extend(from, a.low, to), fold::sign_extend(from, a.high, to));
    if a.high < sign || a.low >= sign {
        return Range { low, high, step: a.step };
    }
    // The least value is the least that is not negative, the greatest a negative one.
    let modulus = a.modulus().min(sign);
    Range::congruent(low, modulus, to)
}

#[inline]
fn concat(high: Range, low: Range, low_width: u8) -> Range {
    Range {
        low: fold::concat(high.low, low.low, low_width),
        high: fold::concat(high.high, low.high, low_width),
        step: gcd(high.step << low_width, low.step),
    }
}

impl Range {
    /// Without values above a limit that is known otherwise.
    fn max_high(self, limit: u64) -> Range {
        if limit < self.low { self } else { Range::stepping(self.low, self.high.min(limit), self.step) }
    }
}
