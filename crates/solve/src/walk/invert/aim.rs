//! What a side of a comparison should be so that it holds: the very value that decides, or one somewhat beyond.

use super::super::moves::{from_ordinal, ordinal};
use super::Undo;
use coax_term::{Binary, Term, fold, mask};

impl Undo<'_, '_> {
    /// One side of a comparison, with a value for which it holds, or does not, while the other side stays.
    pub(super) fn compare(&mut self, op: Binary, a: Term, b: Term, holds: bool) -> Option<(Term, u64)> {
        let width = self.terms.width_of(a);
        let (is_first, other) = self.choose(a, b);
        let side = if is_first { a } else { b };
        if matches!(op, Binary::Eq | Binary::FEq) {
            let value = if holds { other } else { self.random.next() & mask(width) };
            let is_zero = op == Binary::FEq && value << (65 - width) == 0;
            let sign = if is_zero && self.random.one_in(2) { 1 << (width - 1) } else { 0 };
            return Some((side, value ^ sign));
        }
        let is_strict = matches!(op, Binary::Ult | Binary::Slt | Binary::FLt);
        let below = is_first == holds;
        let least = u64::from(is_strict == holds);
        let value = match op {
            Binary::FLt | Binary::FLe => self.beyond_float(width, other, below, least),
            _ => {
                let is_signed = matches!(op, Binary::Slt | Binary::Sle);
                self.beyond_integer(width, other, below, least, is_signed)?
            }
        };
        Some((side, value))
    }

    fn beyond_float(&mut self, width: u8, other: u64, below: bool, least: u64) -> u64 {
        let sign = if below { -1.0 } else { 1.0 };
        if self.random.one_in(3) {
            return from_ordinal(
                width,
                ordinal(width, other) + if below { -(least as i64) } else { least as i64 },
            );
        }
        let scale = 10f64.powf(-9.0 + 12.0 * self.random.unit());
        let distance = sign * self.random.normal().abs() * scale;
        let number = float(width, other);
        let distance = if self.random.one_in(2) { distance * number.abs() } else { distance };
        float_bits(width, number + distance)
    }

    /// None if there is no number beyond.
    fn beyond_integer(
        &mut self,
        width: u8,
        other: u64,
        below: bool,
        least: u64,
        is_signed: bool,
    ) -> Option<u64> {
        // Signed numbers in the order of unsigned ones.
        let flip = if is_signed { 1 << (width - 1) } else { 0 };
        let rank = other ^ flip;
        let room = if below { rank } else { mask(width) - rank };
        let extra = match self.random.below(4) {
            0 => 0,
            1 => self.random.below(16) as u64,
            _ => self.random.next() >> self.random.below(64),
        };
        let distance = if extra >= room { least } else { (least + extra).min(room) };
        let value = if below { rank.checked_sub(distance)? } else { rank.checked_add(distance)? };
        (value <= mask(width)).then_some(value ^ flip)
    }
}

/// The bits as a number.
pub(super) fn float(width: u8, bits: u64) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

/// The nearest bits to a number.
pub(super) fn float_bits(width: u8, number: f64) -> u64 {
    if width == 32 { u64::from((number as f32).to_bits()) } else { number.to_bits() }
}

/// The bits as a signed number.
pub(super) fn signed(width: u8, bits: u64) -> i64 {
    fold::signed(width, bits)
}
