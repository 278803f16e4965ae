//! The planner's view of the operand stack: for each value how a replay names it, and how code can get at it.

use super::planner::causes::Cause;
use super::segment::{Reg, Slot};
use wasmparser::ValType;

/// A value on the operand stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) ty: ValType,
    pub(super) what: What,
    /// Whether it may be symbolic.
    pub(super) may: bool,
    /// Whether it would be if certain locals were.
    pub(super) cause: Cause,
    pub(super) place: Place,
    /// Number of the operator, and of its result, that produced it.
    pub(super) producer: (usize, usize),
}

/// How a replay names a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum What {
    /// Its bits are these.
    Constant(u64),
    /// A register of the open segment.
    Reg(Reg),
    /// A local, as it was when the open segment started.
    Local(u32),
    /// From an earlier segment; its term is there.
    Slot(Slot),
    /// From an earlier segment or operator, and never symbolic; vectors and references too.
    Concrete,
}

/// How code can get at a value's bits later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    /// Not yet: its producer would have to keep it.
    Stack,
    /// In this local.
    Local(u32),
}

impl Entry {
    /// Whether it is a number, not a vector or a reference.
    pub(super) fn is_scalar(&self) -> bool {
        is_scalar(self.ty)
    }
}

/// Whether the type is that of numbers that terms are made for.
pub(super) fn is_scalar(ty: ValType) -> bool {
    matches!(ty, ValType::I32 | ValType::I64 | ValType::F32 | ValType::F64)
}

/// The number of bits of a scalar.
pub(super) fn width(ty: ValType) -> u8 {
    match ty {
        ValType::I32 | ValType::F32 => 32,
        _ => 64,
    }
}
