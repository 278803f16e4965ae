//! The algebra of plain numbers: what an operator does when nothing is symbolic.

use crate::{Algebra, Binary, Unary, fold};

/// A number with its width; bits above the width are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// How many bits.
    pub width: u8,
    /// The value.
    pub bits: u64,
}

/// Computes at once. It has no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Concrete;

impl Algebra for Concrete {
    type Value = Bits;

    #[inline]
    fn width(&self, value: Bits) -> u8 {
        value.width
    }

    #[inline]
    fn constant(&mut self, width: u8, bits: u64) -> Bits {
        debug_assert!(bits <= fold::mask(width));
        Bits { width, bits }
    }

    #[inline]
    fn unary(&mut self, op: Unary, a: Bits) -> Bits {
        Bits { width: op.result_width(a.width), bits: fold::unary(op, a.width, a.bits) }
    }

    #[inline]
    fn binary(&mut self, op: Binary, a: Bits, b: Bits) -> Bits {
        debug_assert_eq!(a.width, b.width);
        Bits { width: op.result_width(a.width), bits: fold::binary(op, a.width, a.bits, b.bits) }
    }

    #[inline]
    fn ite(&mut self, condition: Bits, then: Bits, otherwise: Bits) -> Bits {
        debug_assert!(condition.width == 1 && then.width == otherwise.width);
        if condition.bits != 0 { then } else { otherwise }
    }

    #[inline]
    fn extract(&mut self, a: Bits, low: u8, width: u8) -> Bits {
        debug_assert!(low + width <= a.width);
        Bits { width, bits: fold::extract(a.bits, low, width) }
    }

    #[inline]
    fn zero_extend(&mut self, a: Bits, width: u8) -> Bits {
        debug_assert!(a.width <= width);
        Bits { width, bits: a.bits }
    }

    #[inline]
    fn sign_extend(&mut self, a: Bits, width: u8) -> Bits {
        debug_assert!(a.width <= width);
        Bits { width, bits: fold::sign_extend(a.width, a.bits, width) }
    }

    #[inline]
    fn concat(&mut self, high: Bits, low: Bits) -> Bits {
        debug_assert!(high.width + low.width <= 64);
        Bits { width: high.width + low.width, bits: fold::concat(high.bits, low.bits, low.width) }
    }
}
