//! Loads and stores: how much they access, what becomes of the bits, and whether they are in bounds.
//!
//! Bytes go between memory and value with the lowest first. Addresses are as wide as the memory's (32 or 64 bits) until
//! [`effective`] adds the offset, in 64 bits.

use super::at_most;
use coax_term::{Algebra, Binary, Node, Term, Terms};
use wasmparser::{MemArg, Operator};

/// A load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which memory, and the offset that is added to the address.
    pub memarg: MemArg,
    /// How many bytes are read or written.
    pub bytes: u8,
    /// Whether they are written.
    pub store: bool,
    /// What is on the program's side.
    pub value: Accessed,
}

/// What a load makes of the bits, or a store takes them from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accessed {
    /// An integer or float of this width.
    Scalar {
        /// 32 or 64.
        width: u8,
        /// Whether a narrower load copies the sign bit.
        signed: bool,
    },
    /// A vector, see [`super::vector`].
    Vector,
}

impl Access {
    /// The access that an operator makes; `None` if it is neither load nor store.
    pub fn of(op: &Operator<'_>) -> Option<Access> {
        use Operator as O;
        let scalar = |memarg: &MemArg, bytes, store, width, signed| {
            Some(Access { memarg: *memarg, bytes, store, value: Accessed::Scalar { width, signed } })
        };
        let load = |memarg, bytes, width| scalar(memarg, bytes, false, width, false);
        let load_signed = |memarg, bytes, width| scalar(memarg, bytes, false, width, true);
        let store = |memarg, bytes, width| scalar(memarg, bytes, true, width, false);
        let vector = |memarg: &MemArg, bytes, store| {
            Some(Access { memarg: *memarg, bytes, store, value: Accessed::Vector })
        };
        match op {
            O::I32Load { memarg } | O::F32Load { memarg } => load(memarg, 4, 32),
            O::I64Load { memarg } | O::F64Load { memarg } => load(memarg, 8, 64),
            O::I32Load8U { memarg } => load(memarg, 1, 32),
            O::I32Load16U { memarg } => load(memarg, 2, 32),
            O::I64Load8U { memarg } => load(memarg, 1, 64),
            O::I64Load16U { memarg } => load(memarg, 2, 64),
            O::I64Load32U { memarg } => load(memarg, 4, 64),
            O::I32Load8S { memarg } => load_signed(memarg, 1, 32),
            O::I32Load16S { memarg } => load_signed(memarg, 2, 32),
            O::I64Load8S { memarg } => load_signed(memarg, 1, 64),
            O::I64Load16S { memarg } => load_signed(memarg, 2, 64),
            O::I64Load32S { memarg } => load_signed(memarg, 4, 64),
            O::I32Store { memarg } | O::F32Store { memarg } => store(memarg, 4, 32),
            O::I64Store { memarg } | O::F64Store { memarg } => store(memarg, 8, 64),
            O::I32Store8 { memarg } => store(memarg, 1, 32),
            O::I32Store16 { memarg } => store(memarg, 2, 32),
            O::I64Store8 { memarg } => store(memarg, 1, 64),
            O::I64Store16 { memarg } => store(memarg, 2, 64),
            O::I64Store32 { memarg } => store(memarg, 4, 64),
            O::V128Load { memarg } => vector(memarg, 16, false),
            O::V128Load8x8S { memarg }
            | O::V128Load8x8U { memarg }
            | O::V128Load16x4S { memarg }
            | O::V128Load16x4U { memarg }
            | O::V128Load32x2S { memarg }
            | O::V128Load32x2U { memarg }
            | O::V128Load64Splat { memarg }
            | O::V128Load64Zero { memarg }
            | O::V128Load64Lane { memarg, .. } => vector(memarg, 8, false),
            O::V128Load32Splat { memarg }
            | O::V128Load32Zero { memarg }
            | O::V128Load32Lane { memarg, .. } => vector(memarg, 4, false),
            O::V128Load16Splat { memarg } | O::V128Load16Lane { memarg, .. } => vector(memarg, 2, false),
            O::V128Load8Splat { memarg } | O::V128Load8Lane { memarg, .. } => vector(memarg, 1, false),
            O::V128Store { memarg } => vector(memarg, 16, true),
            O::V128Store64Lane { memarg, .. } => vector(memarg, 8, true),
            O::V128Store32Lane { memarg, .. } => vector(memarg, 4, true),
            O::V128Store16Lane { memarg, .. } => vector(memarg, 2, true),
            O::V128Store8Lane { memarg, .. } => vector(memarg, 1, true),
            _ => None,
        }
    }

    /// The value that a scalar load makes of the bits it read.
    #[inline]
    pub fn loaded<A: Algebra>(&self, alg: &mut A, bits: A::Value) -> A::Value {
        match self.value {
            Accessed::Scalar { width, signed: true } => alg.sign_extend(bits, width),
            Accessed::Scalar { width, signed: false } if alg.width(bits) < width => {
                alg.zero_extend(bits, width)
            }
            _ => bits,
        }
    }

    /// The bits that a scalar store writes of its value.
    #[inline]
    pub fn stored<A: Algebra>(&self, alg: &mut A, value: A::Value) -> A::Value {
        let width = self.bytes * 8;
        if alg.width(value) == width { value } else { alg.extract(value, 0, width) }
    }

    /// The condition that the access is inside a memory of `size` bytes.
    #[inline]
    pub fn in_bounds<A: Algebra>(&self, alg: &mut A, address: A::Value, size: u64) -> A::Value {
        in_bounds(alg, address, self.memarg.offset, u64::from(self.bytes), size)
    }

    /// The address of the first byte, 64 bits wide, of an access that is in bounds.
    #[inline]
    pub fn effective<A: Algebra>(&self, alg: &mut A, address: A::Value) -> A::Value {
        effective(alg, address, self.memarg.offset)
    }
}

/// The condition that `bytes` bytes from `address + offset` on are inside a memory of `size` bytes.
///
/// It compares the address with the last one that fits, so nothing can overflow.
#[inline]
pub fn in_bounds<A: Algebra>(alg: &mut A, address: A::Value, offset: u64, bytes: u64, size: u64) -> A::Value {
    let width = alg.width(address);
    let last = offset.checked_add(bytes).and_then(|end| size.checked_sub(end));
    match last {
        None => alg.constant(1, 0),
        Some(last) if last >= u64::MAX >> (64 - width) => alg.constant(1, 1),
        Some(last) => {
            let last = alg.constant(width, last);
            at_most(alg, address, last)
        }
    }
}

/// `address + offset`, 64 bits wide; it does not overflow if the access is in bounds.
#[inline]
pub fn effective<A: Algebra>(alg: &mut A, address: A::Value, offset: u64) -> A::Value {
    let address = to_64(alg, address);
    let offset = alg.constant(64, offset);
    alg.binary(Binary::Add, address, offset)
}

/// The condition that the `length` bytes or elements from `start` on are among `size`: for the operators on ranges
/// of memories, tables and segments. Widths may differ.
pub fn range_in_bounds<A: Algebra>(alg: &mut A, start: A::Value, length: A::Value, size: u64) -> A::Value {
    let start = to_64(alg, start);
    let length = to_64(alg, length);
    let size = alg.constant(64, size);
    let fits = at_most(alg, length, size);
    let last = alg.binary(Binary::Sub, size, length);
    let starts_early = at_most(alg, start, last);
    alg.and(fits, starts_early)
}

/// An address as a base, if it has one, and a number modulo 2^32.
pub fn split_address(terms: &Terms, address: Term) -> (Option<Term>, u32) {
    let (mut term, mut offset) = (address, 0_u32);
    loop {
        if let Some(bits) = terms.as_constant(term) {
            return (None, offset.wrapping_add(bits as u32));
        }
        match terms.node(term) {
            Node::ZeroExtend { term: inner, .. } if terms.width_of(inner) == 32 => term = inner,
            Node::Binary(Binary::Add, a, b) => match (terms.as_constant(a), terms.as_constant(b)) {
                (Some(bits), _) => (term, offset) = (b, offset.wrapping_add(bits as u32)),
                (_, Some(bits)) => (term, offset) = (a, offset.wrapping_add(bits as u32)),
                _ => return (Some(term), offset),
            },
            Node::Binary(Binary::Sub, a, b) => match terms.as_constant(b) {
                Some(bits) => (term, offset) = (a, offset.wrapping_sub(bits as u32)),
                None => return (Some(term), offset),
            },
            _ => return (Some(term), offset),
        }
    }
}

/// An address, index or length as 64 bits.
#[inline]
pub fn to_64<A: Algebra>(alg: &mut A, value: A::Value) -> A::Value {
    if alg.width(value) == 64 { value } else { alg.zero_extend(value, 64) }
}
