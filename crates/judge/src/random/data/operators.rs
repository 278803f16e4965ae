//! The operators to choose from: every scalar one, the vector ones that move numbers in and out of vectors, and all loads
//! and stores.

use wasm_encoder::{Instruction, MemArg, ValType};

/// An operator that computes a value from values.
pub(super) struct Operator {
    pub(super) instruction: Instruction<'static>,
    pub(super) operands: &'static [ValType],
    pub(super) result: ValType,
}

macro_rules! operators {
    ($($result:ident <- $operands:tt: $($name:ident $(($immediate:expr))?)+;)*) => {
        &[$($(Operator {
            instruction: Instruction::$name $(($immediate))?,
            operands: {
                use ValType::*;
                &$operands
            },
            result: ValType::$result,
        },)+)*]
    };
}

/// The scalar operators.
pub(super) static SCALAR: &[Operator] = operators! {
    I32 <- [I32]: I32Eqz I32Clz I32Ctz I32Popcnt I32Extend8S I32Extend16S;
    I32 <- [I32, I32]: I32Eq I32Ne I32LtS I32LtU I32GtS I32GtU I32LeS I32LeU I32GeS I32GeU I32Add I32Sub I32Mul I32DivS
        I32DivU I32RemS I32RemU I32And I32Or I32Xor I32Shl I32ShrS I32ShrU I32Rotl I32Rotr;
    I32 <- [I64]: I64Eqz I32WrapI64;
    I32 <- [I64, I64]: I64Eq I64Ne I64LtS I64LtU I64GtS I64GtU I64LeS I64LeU I64GeS I64GeU;
    I32 <- [F32]: I32TruncF32S I32TruncF32U I32TruncSatF32S I32TruncSatF32U I32ReinterpretF32;
    I32 <- [F64]: I32TruncF64S I32TruncF64U I32TruncSatF64S I32TruncSatF64U;
    I32 <- [F32, F32]: F32Eq F32Ne F32Lt F32Gt F32Le F32Ge;
    I32 <- [F64, F64]: F64Eq F64Ne F64Lt F64Gt F64Le F64Ge;
    I64 <- [I64]: I64Clz I64Ctz I64Popcnt I64Extend8S I64Extend16S I64Extend32S;
    I64 <- [I64, I64]: I64Add I64Sub I64Mul I64DivS I64DivU I64RemS I64RemU I64And I64Or I64Xor I64Shl I64ShrS I64ShrU
        I64Rotl I64Rotr;
    I64 <- [I32]: I64ExtendI32S I64ExtendI32U;
    I64 <- [F32]: I64TruncF32S I64TruncF32U I64TruncSatF32S I64TruncSatF32U;
    I64 <- [F64]: I64TruncF64S I64TruncF64U I64TruncSatF64S I64TruncSatF64U I64ReinterpretF64;
    F32 <- [F32]: F32Abs F32Neg F32Ceil F32Floor F32Trunc F32Nearest F32Sqrt;
    F32 <- [F32, F32]: F32Add F32Sub F32Mul F32Div F32Min F32Max F32Copysign;
    F32 <- [I32]: F32ConvertI32S F32ConvertI32U F32ReinterpretI32;
    F32 <- [I64]: F32ConvertI64S F32ConvertI64U;
    F32 <- [F64]: F32DemoteF64;
    F64 <- [F64]: F64Abs F64Neg F64Ceil F64Floor F64Trunc F64Nearest F64Sqrt;
    F64 <- [F64, F64]: F64Add F64Sub F64Mul F64Div F64Min F64Max F64Copysign;
    F64 <- [I32]: F64ConvertI32S F64ConvertI32U;
    F64 <- [I64]: F64ConvertI64S F64ConvertI64U F64ReinterpretI64;
    F64 <- [F32]: F64PromoteF32;
};

/// Vector operators: into vectors, between them and back.
pub(super) static VECTOR: &[Operator] = operators! {
    V128 <- [I32]: I8x16Splat I16x8Splat I32x4Splat;
    V128 <- [I64]: I64x2Splat;
    V128 <- [F32]: F32x4Splat;
    V128 <- [F64]: F64x2Splat;
    V128 <- [V128, I32]: I8x16ReplaceLane(5) I16x8ReplaceLane(7) I32x4ReplaceLane(1) I8x16Shl I64x2ShrU;
    V128 <- [V128, I64]: I64x2ReplaceLane(1);
    V128 <- [V128, F32]: F32x4ReplaceLane(2);
    V128 <- [V128, F64]: F64x2ReplaceLane(0);
    V128 <- [V128]: V128Not I16x8ExtendLowI8x16U I32x4Neg F32x4ConvertI32x4S;
    V128 <- [V128, V128]: V128And V128Xor I8x16Add I16x8Mul I32x4Sub I64x2Add F32x4Add F64x2Mul I8x16LtU I32x4Eq
        I8x16Swizzle I8x16Shuffle([0, 16, 1, 17, 30, 15, 8, 23, 24, 9, 5, 5, 21, 21, 31, 2]);
    V128 <- [V128, V128, V128]: V128Bitselect;
    I32 <- [V128]: V128AnyTrue I16x8AllTrue I8x16Bitmask I32x4Bitmask I8x16ExtractLaneS(0) I8x16ExtractLaneU(15)
        I16x8ExtractLaneS(3) I16x8ExtractLaneU(6) I32x4ExtractLane(2);
    I64 <- [V128]: I64x2ExtractLane(0) I64x2ExtractLane(1);
    F32 <- [V128]: F32x4ExtractLane(0) F32x4ExtractLane(3);
    F64 <- [V128]: F64x2ExtractLane(1);
};

/// A load or store: the type of its value, the logarithm of its width in bytes, and how it is written.
pub(super) type Access = (ValType, u32, fn(MemArg) -> Instruction<'static>);

macro_rules! accesses {
    ($($ty:ident $width:literal: $($name:ident)+;)*) => {
        &[$($((ValType::$ty, $width, Instruction::$name),)+)*]
    };
}

/// Every load of a whole value.
pub(super) static LOADS: &[Access] = accesses! {
    I32 0: I32Load8S I32Load8U;
    I32 1: I32Load16S I32Load16U;
    I32 2: I32Load;
    I64 0: I64Load8S I64Load8U;
    I64 1: I64Load16S I64Load16U;
    I64 2: I64Load32S I64Load32U;
    I64 3: I64Load;
    F32 2: F32Load;
    F64 3: F64Load;
    V128 0: V128Load8Splat;
    V128 1: V128Load16Splat;
    V128 2: V128Load32Splat V128Load32Zero;
    V128 3: V128Load64Splat V128Load64Zero V128Load8x8S V128Load8x8U V128Load16x4S V128Load16x4U V128Load32x2S
        V128Load32x2U;
    V128 4: V128Load;
};

/// Every store of a whole value.
pub(super) static STORES: &[Access] = accesses! {
    I32 0: I32Store8;
    I32 1: I32Store16;
    I32 2: I32Store;
    I64 0: I64Store8;
    I64 1: I64Store16;
    I64 2: I64Store32;
    I64 3: I64Store;
    F32 2: F32Store;
    F64 3: F64Store;
    V128 4: V128Store;
};

/// A load or store of one lane: the logarithm of its width, and how it is written.
pub(super) type LaneAccess = (u32, fn(MemArg) -> Instruction<'static>);

/// Loads into one lane.
pub(super) static LANE_LOADS: &[LaneAccess] = &[
    (0, |memarg| Instruction::V128Load8Lane { memarg, lane: 9 }),
    (1, |memarg| Instruction::V128Load16Lane { memarg, lane: 2 }),
    (2, |memarg| Instruction::V128Load32Lane { memarg, lane: 3 }),
    (3, |memarg| Instruction::V128Load64Lane { memarg, lane: 1 }),
];

/// Stores of one lane.
pub(super) static LANE_STORES: &[LaneAccess] = &[
    (0, |memarg| Instruction::V128Store8Lane { memarg, lane: 14 }),
    (1, |memarg| Instruction::V128Store16Lane { memarg, lane: 0 }),
    (2, |memarg| Instruction::V128Store32Lane { memarg, lane: 1 }),
    (3, |memarg| Instruction::V128Store64Lane { memarg, lane: 0 }),
];
