//! Shifts and rotations by constants are pieces side by side.

use crate::fold::mask;
use crate::{Algebra, Binary, Term, Terms};

impl Terms {
    pub(super) fn simplify_shift(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let width = self.width_of(a);
        if let Some(bits) = self.as_constant(a) {
            let unchanged = bits == 0 || (bits == mask(width) && !matches!(op, Binary::Shl | Binary::LShr));
            return unchanged.then_some(a);
        }
        let count = self.as_constant(b)?;
        if count == 0 {
            return Some(a);
        }
        let is_whole = count >= u64::from(width);
        match op {
            Binary::Shl | Binary::LShr if is_whole => Some(self.constant(width, 0)),
            Binary::Shl => {
                let bits = self.extract(a, 0, width - count as u8);
                let zeros = self.constant(count as u8, 0);
                Some(self.concat(bits, zeros))
            }
            Binary::LShr => {
                let bits = self.extract(a, count as u8, width - count as u8);
                Some(self.zero_extend(bits, width))
            }
            Binary::AShr => {
                let count = count.min(u64::from(width) - 1) as u8;
                let bits = self.extract(a, count, width - count);
                Some(self.sign_extend(bits, width))
            }
            Binary::Rotl => Some(self.rotate_left(a, (count % u64::from(width)) as u8)),
            Binary::Rotr => Some(self.rotate_left(a, width - (count % u64::from(width)) as u8)),
            _ => None,
        }
    }

    fn rotate_left(&mut self, a: Term, count: u8) -> Term {
        let width = self.width_of(a);
        if count == 0 || count == width {
            return a;
        }
        let (high, low) = (self.extract(a, 0, width - count), self.extract(a, width - count, count));
        self.concat(high, low)
    }
}
