//! How the planner sees each operator.

use crate::path::Concretisation;
use wasmparser::Operator;

/// What has to be done about an operator other than control, locals and calls.
pub(crate) enum Class {
    /// A scalar operator with so many operands, that may trap or not.
    Scalar { operands: usize, traps: bool },
    /// A scalar load of so many bytes.
    Load(u8),
    /// A scalar store of so many bytes.
    Store(u8),
    /// A load into a vector.
    VectorLoad(u8),
    /// A store of a vector or part of one.
    VectorStore(u8),
    /// All operands must be numbers; results are.
    Opaque(Concretisation),
}

/// The class of an operator.
pub(crate) fn classify(op: &Operator<'_>) -> Class {
    use Operator::*;
    match op {
        I32Eqz | I64Eqz | I32Clz | I32Ctz | I32Popcnt | I64Clz | I64Ctz | I64Popcnt | F32Abs | F32Neg
        | F32Ceil | F32Floor | F32Trunc | F32Nearest | F32Sqrt | F64Abs | F64Neg | F64Ceil | F64Floor
        | F64Trunc | F64Nearest | F64Sqrt | I32WrapI64 | I64ExtendI32S | I64ExtendI32U | F32ConvertI32S
        | F32ConvertI32U | F32ConvertI64S | F32ConvertI64U | F32DemoteF64 | F64ConvertI32S
        | F64ConvertI32U | F64ConvertI64S | F64ConvertI64U | F64PromoteF32 | I32ReinterpretF32
        | I64ReinterpretF64 | F32ReinterpretI32 | F64ReinterpretI64 | I32Extend8S | I32Extend16S
        | I64Extend8S | I64Extend16S | I64Extend32S | I32TruncSatF32S | I32TruncSatF32U | I32TruncSatF64S
        | I32TruncSatF64U | I64TruncSatF32S | I64TruncSatF32U | I64TruncSatF64S | I64TruncSatF64U => {
            Class::Scalar { operands: 1, traps: false }
        }
        I32TruncF32S | I32TruncF32U | I32TruncF64S | I32TruncF64U | I64TruncF32S | I64TruncF32U
        | I64TruncF64S | I64TruncF64U => Class::Scalar { operands: 1, traps: true },
        I32DivS | I32DivU | I32RemS | I32RemU | I64DivS | I64DivU | I64RemS | I64RemU => {
            Class::Scalar { operands: 2, traps: true }
        }
        I32Eq | I32Ne | I32LtS | I32LtU | I32GtS | I32GtU | I32LeS | I32LeU | I32GeS | I32GeU | I64Eq
        | I64Ne | I64LtS | I64LtU | I64GtS | I64GtU | I64LeS | I64LeU | I64GeS | I64GeU | F32Eq | F32Ne
        | F32Lt | F32Gt | F32Le | F32Ge | F64Eq | F64Ne | F64Lt | F64Gt | F64Le | F64Ge | I32Add | I32Sub
        | I32Mul | I32And | I32Or | I32Xor | I32Shl | I32ShrS | I32ShrU | I32Rotl | I32Rotr | I64Add
        | I64Sub | I64Mul | I64And | I64Or | I64Xor | I64Shl | I64ShrS | I64ShrU | I64Rotl | I64Rotr
        | F32Add | F32Sub | F32Mul | F32Div | F32Min | F32Max | F32Copysign | F64Add | F64Sub | F64Mul
        | F64Div | F64Min | F64Max | F64Copysign => Class::Scalar { operands: 2, traps: false },

        I32Load8S { .. } | I32Load8U { .. } | I64Load8S { .. } | I64Load8U { .. } => Class::Load(1),
        I32Load16S { .. } | I32Load16U { .. } | I64Load16S { .. } | I64Load16U { .. } => Class::Load(2),
        I32Load { .. } | F32Load { .. } | I64Load32S { .. } | I64Load32U { .. } => Class::Load(4),
        I64Load { .. } | F64Load { .. } => Class::Load(8),
        I32Store8 { .. } | I64Store8 { .. } => Class::Store(1),
        I32Store16 { .. } | I64Store16 { .. } => Class::Store(2),
        I32Store { .. } | F32Store { .. } | I64Store32 { .. } => Class::Store(4),
        I64Store { .. } | F64Store { .. } => Class::Store(8),

        V128Load { .. } => Class::VectorLoad(16),
        V128Load8x8S { .. }
        | V128Load8x8U { .. }
        | V128Load16x4S { .. }
        | V128Load16x4U { .. }
        | V128Load32x2S { .. }
        | V128Load32x2U { .. }
        | V128Load64Splat { .. }
        | V128Load64Zero { .. }
        | V128Load64Lane { .. } => Class::VectorLoad(8),
        V128Load32Splat { .. } | V128Load32Zero { .. } | V128Load32Lane { .. } => Class::VectorLoad(4),
        V128Load16Splat { .. } | V128Load16Lane { .. } => Class::VectorLoad(2),
        V128Load8Splat { .. } | V128Load8Lane { .. } => Class::VectorLoad(1),
        V128Store { .. } => Class::VectorStore(16),
        V128Store64Lane { .. } => Class::VectorStore(8),
        V128Store32Lane { .. } => Class::VectorStore(4),
        V128Store16Lane { .. } => Class::VectorStore(2),
        V128Store8Lane { .. } => Class::VectorStore(1),

        MemoryGrow { .. } | TableGrow { .. } => Class::Opaque(Concretisation::Grow),
        MemoryCopy { .. } | MemoryInit { .. } | MemoryFill { .. } => Class::Opaque(Concretisation::Bulk),
        TableGet { .. } | TableSet { .. } | TableCopy { .. } | TableInit { .. } | TableFill { .. } => {
            Class::Opaque(Concretisation::Table)
        }
        Throw { .. } => Class::Opaque(Concretisation::Exception),
        _ => Class::Opaque(Concretisation::Simd),
    }
}
