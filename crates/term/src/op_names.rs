//! The operators' names in text.

use crate::{Binary, Unary};

/// In the order of the enumeration.
const UNARY: [(&str, Unary); 19] = [
    ("not", Unary::Not),
    ("clz", Unary::Clz),
    ("ctz", Unary::Ctz),
    ("popcnt", Unary::Popcnt),
    ("fsqrt", Unary::FSqrt),
    ("fceil", Unary::FCeil),
    ("ffloor", Unary::FFloor),
    ("ftrunc", Unary::FTrunc),
    ("fnearest", Unary::FNearest),
    ("fpromote", Unary::FPromote),
    ("fdemote", Unary::FDemote),
    ("signed_to_f32", Unary::SignedToF32),
    ("signed_to_f64", Unary::SignedToF64),
    ("unsigned_to_f32", Unary::UnsignedToF32),
    ("unsigned_to_f64", Unary::UnsignedToF64),
    ("f_to_signed32", Unary::FToSigned32),
    ("f_to_signed64", Unary::FToSigned64),
    ("f_to_unsigned32", Unary::FToUnsigned32),
    ("f_to_unsigned64", Unary::FToUnsigned64),
];

/// In the order of the enumeration.
const BINARY: [(&str, Binary); 29] = [
    ("add", Binary::Add),
    ("sub", Binary::Sub),
    ("mul", Binary::Mul),
    ("udiv", Binary::UDiv),
    ("sdiv", Binary::SDiv),
    ("urem", Binary::URem),
    ("srem", Binary::SRem),
    ("and", Binary::And),
    ("or", Binary::Or),
    ("xor", Binary::Xor),
    ("shl", Binary::Shl),
    ("lshr", Binary::LShr),
    ("ashr", Binary::AShr),
    ("rotl", Binary::Rotl),
    ("rotr", Binary::Rotr),
    ("eq", Binary::Eq),
    ("ult", Binary::Ult),
    ("ule", Binary::Ule),
    ("slt", Binary::Slt),
    ("sle", Binary::Sle),
    ("fadd", Binary::FAdd),
    ("fsub", Binary::FSub),
    ("fmul", Binary::FMul),
    ("fdiv", Binary::FDiv),
    ("fmin", Binary::FMin),
    ("fmax", Binary::FMax),
    ("feq", Binary::FEq),
    ("flt", Binary::FLt),
    ("fle", Binary::FLe),
];

impl Unary {
    /// All operators with one operand.
    pub fn all() -> impl Iterator<Item = Unary> {
        UNARY.iter().map(|entry| entry.1)
    }

    /// The name in text.
    pub fn name(self) -> &'static str {
        UNARY[self as usize].0
    }

    /// The operator with this name.
    pub fn from_name(name: &str) -> Option<Unary> {
        UNARY.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// Whether it takes an operand of this width.
    pub fn accepts(self, width: u8) -> bool {
        use Unary::*;
        match self {
            Not | Clz | Ctz | Popcnt => true,
            FPromote => width == 32,
            FDemote => width == 64,
            _ => width == 32 || width == 64,
        }
    }
}

impl Binary {
    /// All operators with two operands.
    pub fn all() -> impl Iterator<Item = Binary> {
        BINARY.iter().map(|entry| entry.1)
    }

    /// The name in text.
    pub fn name(self) -> &'static str {
        BINARY[self as usize].0
    }

    /// The operator with this name.
    pub fn from_name(name: &str) -> Option<Binary> {
        BINARY.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// Whether it takes operands of this width.
    pub fn accepts(self, width: u8) -> bool {
        self < Binary::FAdd || width == 32 || width == 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_order() {
        assert!(UNARY.iter().enumerate().all(|(at, entry)| entry.1 as usize == at));
        assert!(BINARY.iter().enumerate().all(|(at, entry)| entry.1 as usize == at));
    }
}
