//! A value of a running program.

use super::store::{ExnId, FuncId};
use coax_term::{Algebra, Term, Terms};
use wasmparser::{AbstractHeapType, HeapType, ValType};

/// A value; numbers are terms, constant ones if they do not depend on the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer or the bits of a float, 32 or 64 wide.
    Number(Term),
    /// A vector: constants of 64 bits, the lower first.
    Vector([Term; 2]),
    /// A function, or null.
    Func(Option<FuncId>),
    /// Something of the host's, by its number, or null.
    Extern(Option<u32>),
    /// An exception, or null.
    Exn(Option<ExnId>),
}

impl Value {
    /// The term of a number.
    pub(super) fn number(self) -> Term {
        match self {
            Value::Number(term) => term,
            other => unreachable!("validated code has a number here, not {other:?}"),
        }
    }

    /// The halves of a vector.
    pub(super) fn vector(self) -> [Term; 2] {
        match self {
            Value::Vector(halves) => halves,
            other => unreachable!("validated code has a vector here, not {other:?}"),
        }
    }

    /// Whether it is a null reference.
    pub(super) fn is_null(self) -> bool {
        matches!(self, Value::Func(None) | Value::Extern(None) | Value::Exn(None))
    }

    /// A null reference of a type.
    pub fn null(ty: HeapType) -> Value {
        match ty {
            HeapType::Abstract { ty: AbstractHeapType::Extern | AbstractHeapType::NoExtern, .. } => {
                Value::Extern(None)
            }
            HeapType::Abstract { ty: AbstractHeapType::Exn | AbstractHeapType::NoExn, .. } => {
                Value::Exn(None)
            }
            _ => Value::Func(None),
        }
    }

    /// The bits of a vector, lane 0 in the lowest.
    pub fn from_vector(terms: &mut Terms, bits: u128) -> Value {
        Value::Vector([terms.constant(64, bits as u64), terms.constant(64, (bits >> 64) as u64)])
    }

    /// Whether it can be where this type is expected.
    pub(super) fn fits(self, terms: &Terms, ty: ValType) -> bool {
        match (self, ty) {
            (Value::Number(term), ValType::I32 | ValType::F32) => terms.width_of(term) == 32,
            (Value::Number(term), ValType::I64 | ValType::F64) => terms.width_of(term) == 64,
            (Value::Vector(_), ValType::V128) => true,
            (Value::Func(_) | Value::Extern(_) | Value::Exn(_), ValType::Ref(ty)) => {
                std::mem::discriminant(&self) == std::mem::discriminant(&Value::null(ty.heap_type()))
            }
            _ => false,
        }
    }
}
