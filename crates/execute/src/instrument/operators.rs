//! How the planner sees each operator.

use super::Context;
use super::segment::Beyond;
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

/// Whether an operator changes a table.
pub(super) fn changes_table(op: &Operator<'_>) -> bool {
    use Operator::*;
    matches!(op, TableSet { .. } | TableGrow { .. } | TableFill { .. } | TableCopy { .. } | TableInit { .. })
}

/// What an operator does that is neither an access to the first memory nor to a global that is a number.
pub(super) fn beyond(op: &Operator<'_>, context: &Context) -> Option<Beyond> {
    use Operator::*;
    match *op {
        CallIndirect { .. } | ReturnCallIndirect { .. } | TableGet { .. } | TableSize { .. }
            if context.changes_tables =>
        {
            Some(Beyond::Table)
        }
        _ if changes_table(op) => Some(Beyond::Table),
        MemoryGrow { mem: 0 } => Some(Beyond::Grow),
        MemoryGrow { .. } => Some(Beyond::OtherMemory),
        MemorySize { mem } | MemoryFill { mem } if mem != 0 => Some(Beyond::OtherMemory),
        MemoryCopy { dst_mem, src_mem } if (dst_mem, src_mem) != (0, 0) => Some(Beyond::OtherMemory),
        MemoryInit { mem, .. } if mem != 0 => Some(Beyond::OtherMemory),
        MemoryInit { .. } if context.drops_segments => Some(Beyond::Segment),
        DataDrop { .. } | ElemDrop { .. } => Some(Beyond::Segment),
        GlobalGet { global_index } | GlobalSet { global_index } if context.is_opaque(global_index) => {
            Some(Beyond::OtherGlobal)
        }
        _ => Access::of(op).filter(|access| access.memarg.memory != 0).map(|_| Beyond::OtherMemory),
    }
}
