//! The operators of terms: what each means is in `fold.rs`, once.

use serde::{Deserialize, Serialize};

/// An operator with one operand.
///
/// Float operators work on the bits of an IEEE number, 32 or 64 wide; a result that is not a number is always
/// the canonical NaN (quiet, positive, no payload).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
#[repr(u8)]
pub enum Unary {
    /// All bits flipped; of a condition (width 1), its negation.
    Not,
    /// How many leading bits are zero.
    Clz,
    /// How many trailing bits are zero.
    Ctz,
    /// How many bits are one.
    Popcnt,
    FSqrt,
    FCeil,
    FFloor,
    FTrunc,
    /// To the nearest integer, ties to even.
    FNearest,
    /// From 32 to 64 bits.
    FPromote,
    /// From 64 to 32 bits.
    FDemote,
    /// A signed integer (32 or 64 bits) as the nearest float.
    SignedToF32,
    SignedToF64,
    UnsignedToF32,
    UnsignedToF64,
    /// A float truncated to a signed integer; out of range: the nearest there is; NaN: 0.
    FToSigned32,
    FToSigned64,
    FToUnsigned32,
    FToUnsigned64,
}

/// An operator with two operands of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
#[repr(u8)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    /// By zero: all ones, as in SMT-LIB.
    UDiv,
    /// By zero: as in SMT-LIB, 1 for a negative dividend, else -1.
    SDiv,
    /// By zero: the dividend.
    URem,
    /// The sign is the dividend's; by zero: the dividend.
    SRem,
    And,
    Or,
    Xor,
    /// By the width or more: zero.
    Shl,
    /// By the width or more: zero.
    LShr,
    /// By the width or more: all sign bits.
    AShr,
    /// The count is taken modulo the width.
    Rotl,
    Rotr,
    /// Comparisons: the result is a condition, width 1.
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// wasm's: NaN if either is, -0 smaller than 0.
    FMin,
    FMax,
    /// IEEE comparisons: a condition, false if either is NaN.
    FEq,
    FLt,
    FLe,
}

impl Unary {
    /// The width of the result for an operand of this width.
    #[inline]
    pub fn result_width(self, operand: u8) -> u8 {
        use Unary::*;
        match self {
            Not | Clz | Ctz | Popcnt | FSqrt | FCeil | FFloor | FTrunc | FNearest => operand,
            FDemote | SignedToF32 | UnsignedToF32 | FToSigned32 | FToUnsigned32 => 32,
            FPromote | SignedToF64 | UnsignedToF64 | FToSigned64 | FToUnsigned64 => 64,
        }
    }
}

impl Binary {
    /// What integers are computed with.
    pub const INTEGER: [Binary; 15] = {
        use Binary::*;
        [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Rotl, Rotr]
    };
    /// What integers are compared with.
    pub const INTEGER_COMPARISONS: [Binary; 5] = {
        use Binary::*;
        [Eq, Ult, Ule, Slt, Sle]
    };

    /// The width of the result for operands of this width.
    #[inline]
    pub fn result_width(self, operand: u8) -> u8 {
        if self.is_comparison() { 1 } else { operand }
    }

    /// Whether the result is a condition.
    #[inline]
    pub fn is_comparison(self) -> bool {
        use Binary::*;
        matches!(self, Eq | Ult | Ule | Slt | Sle | FEq | FLt | FLe)
    }

    /// Whether the operands may change places.
    #[inline]
    pub fn is_commutative(self) -> bool {
        use Binary::*;
        matches!(self, Add | Mul | And | Or | Xor | Eq | FAdd | FMul | FMin | FMax | FEq)
    }
}
