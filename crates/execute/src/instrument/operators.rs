//! How the planner sees each operator.

use crate::path::Concretisation;
use crate::semantics::Scalar;
use crate::semantics::memory::{Access, Accessed};
use coax_program::ops;
use wasmparser::Operator;

/// What has to be done about an operator other than control, locals and calls.
pub(super) enum Class {
    /// A scalar operator, that may trap or not.
    Scalar { scalar: Scalar, traps: bool },
    /// A load or store of a number.
    Number(Access),
    /// A load or store of a vector or part of one.
    Vector(Access),
    /// All operands must be numbers; results are.
    Opaque(Concretisation),
}

/// The class of an operator.
pub(super) fn classify(op: &Operator<'_>) -> Class {
    use Operator::*;
    if let Some(scalar) = Scalar::of(op) {
        return Class::Scalar { scalar, traps: ops::may_trap(op) };
    }
    match Access::of(op) {
        Some(access) if access.value == Accessed::Vector => return Class::Vector(access),
        Some(access) => return Class::Number(access),
        None => {}
    }
    Class::Opaque(match op {
        MemoryGrow { .. } | TableGrow { .. } => Concretisation::Grow,
        MemoryCopy { .. } | MemoryInit { .. } | MemoryFill { .. } => Concretisation::Bulk,
        TableGet { .. } | TableSet { .. } | TableCopy { .. } | TableInit { .. } | TableFill { .. } => {
            Concretisation::Table
        }
        Throw { .. } => Concretisation::Exception,
        _ => Concretisation::Simd,
    })
}
