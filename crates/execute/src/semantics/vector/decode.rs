//! Which computation each SIMD operator is.

use super::Vectorial;
use super::lane::{Lane1, Lane2};
use coax_term::{Binary, Unary};
use wasmparser::Operator;

impl Vectorial {
    /// The computation that an operator does; `None` if it is no SIMD computation, accesses memory, or is
    /// [fused](super::Fused).
    pub fn of(op: &Operator<'_>) -> Option<Vectorial> {
        moves(op)
            .or_else(|| integers(op))
            .or_else(|| floats(op))
            .or_else(|| comparisons(op))
            .or_else(|| relaxed(op))
    }
}

fn map1(width: u8, lane: Lane1) -> Vectorial {
    Vectorial::Map1 { width, lane }
}

fn map2(width: u8, lane: Lane2) -> Vectorial {
    Vectorial::Map2 { width, lane }
}

fn binary(width: u8, op: Binary) -> Vectorial {
    map2(width, Lane2::Binary(op))
}

fn unary(width: u8, op: Unary) -> Vectorial {
    map1(width, Lane1::Unary(op))
}

/// What moves lanes or bits and computes nothing.
fn moves(op: &Operator<'_>) -> Option<Vectorial> {
    use Operator as O;
    use Vectorial as V;
    let extract = |width, lane: &u8, signed| V::ExtractLane { width, lane: *lane, signed };
    let replace = |width, lane: &u8| V::ReplaceLane { width, lane: *lane };
    Some(match op {
        O::V128Const { value } => V::Constant(u128::from_le_bytes(*value.bytes())),
        O::I8x16Shuffle { lanes } => V::Shuffle(*lanes),
        O::I8x16Swizzle => V::Swizzle,
        O::I8x16Splat => V::Splat { width: 8 },
        O::I16x8Splat => V::Splat { width: 16 },
        O::I32x4Splat | O::F32x4Splat => V::Splat { width: 32 },
        O::I64x2Splat | O::F64x2Splat => V::Splat { width: 64 },
        O::I8x16ExtractLaneS { lane } => extract(8, lane, true),
        O::I8x16ExtractLaneU { lane } => extract(8, lane, false),
        O::I16x8ExtractLaneS { lane } => extract(16, lane, true),
        O::I16x8ExtractLaneU { lane } => extract(16, lane, false),
        O::I32x4ExtractLane { lane } | O::F32x4ExtractLane { lane } => extract(32, lane, false),
        O::I64x2ExtractLane { lane } | O::F64x2ExtractLane { lane } => extract(64, lane, false),
        O::I8x16ReplaceLane { lane } => replace(8, lane),
        O::I16x8ReplaceLane { lane } => replace(16, lane),
        O::I32x4ReplaceLane { lane } | O::F32x4ReplaceLane { lane } => replace(32, lane),
        O::I64x2ReplaceLane { lane } | O::F64x2ReplaceLane { lane } => replace(64, lane),
        O::V128Not => unary(64, Unary::Not),
        O::V128And => binary(64, Binary::And),
        O::V128AndNot => map2(64, Lane2::AndNot),
        O::V128Or => binary(64, Binary::Or),
        O::V128Xor => binary(64, Binary::Xor),
        O::V128Bitselect => V::Bitselect,
        O::V128AnyTrue => V::AnyTrue,
        O::I8x16AllTrue => V::AllTrue { width: 8 },
        O::I16x8AllTrue => V::AllTrue { width: 16 },
        O::I32x4AllTrue => V::AllTrue { width: 32 },
        O::I64x2AllTrue => V::AllTrue { width: 64 },
        O::I8x16Bitmask => V::Bitmask { width: 8 },
        O::I16x8Bitmask => V::Bitmask { width: 16 },
        O::I32x4Bitmask => V::Bitmask { width: 32 },
        O::I64x2Bitmask => V::Bitmask { width: 64 },
        _ => return None,
    })
}

fn integers(op: &Operator<'_>) -> Option<Vectorial> {
    use Operator as O;
    use Vectorial as V;
    let shift = |width, op| V::Shift { width, op };
    let saturating = |width, op, signed| map2(width, Lane2::Saturating { op, signed });
    let narrow = |width, signed| V::Narrow { width, signed };
    let extend = |width, high, signed| V::Extend { width, high, signed };
    let multiply = |width, high, signed| V::ExtendMultiply { width, high, signed };
    let pairwise = |width, signed| V::AddPairwise { width, signed };
    Some(match op {
        O::I8x16Abs => map1(8, Lane1::Absolute),
        O::I16x8Abs => map1(16, Lane1::Absolute),
        O::I32x4Abs => map1(32, Lane1::Absolute),
        O::I64x2Abs => map1(64, Lane1::Absolute),
        O::I8x16Neg => map1(8, Lane1::Negate),
        O::I16x8Neg => map1(16, Lane1::Negate),
        O::I32x4Neg => map1(32, Lane1::Negate),
        O::I64x2Neg => map1(64, Lane1::Negate),
        O::I8x16Popcnt => unary(8, Unary::Popcnt),
        O::I8x16Shl => shift(8, Binary::Shl),
        O::I16x8Shl => shift(16, Binary::Shl),
        O::I32x4Shl => shift(32, Binary::Shl),
        O::I64x2Shl => shift(64, Binary::Shl),
        O::I8x16ShrS => shift(8, Binary::AShr),
        O::I16x8ShrS => shift(16, Binary::AShr),
        O::I32x4ShrS => shift(32, Binary::AShr),
        O::I64x2ShrS => shift(64, Binary::AShr),
        O::I8x16ShrU => shift(8, Binary::LShr),
        O::I16x8ShrU => shift(16, Binary::LShr),
        O::I32x4ShrU => shift(32, Binary::LShr),
        O::I64x2ShrU => shift(64, Binary::LShr),
        O::I8x16Add => binary(8, Binary::Add),
        O::I16x8Add => binary(16, Binary::Add),
        O::I32x4Add => binary(32, Binary::Add),
        O::I64x2Add => binary(64, Binary::Add),
        O::I8x16Sub => binary(8, Binary::Sub),
        O::I16x8Sub => binary(16, Binary::Sub),
        O::I32x4Sub => binary(32, Binary::Sub),
        O::I64x2Sub => binary(64, Binary::Sub),
        O::I16x8Mul => binary(16, Binary::Mul),
        O::I32x4Mul => binary(32, Binary::Mul),
        O::I64x2Mul => binary(64, Binary::Mul),
        O::I8x16AddSatS => saturating(8, Binary::Add, true),
        O::I8x16AddSatU => saturating(8, Binary::Add, false),
        O::I8x16SubSatS => saturating(8, Binary::Sub, true),
        O::I8x16SubSatU => saturating(8, Binary::Sub, false),
        O::I16x8AddSatS => saturating(16, Binary::Add, true),
        O::I16x8AddSatU => saturating(16, Binary::Add, false),
        O::I16x8SubSatS => saturating(16, Binary::Sub, true),
        O::I16x8SubSatU => saturating(16, Binary::Sub, false),
        O::I8x16MinS => map2(8, Lane2::First(Binary::Slt)),
        O::I8x16MinU => map2(8, Lane2::First(Binary::Ult)),
        O::I8x16MaxS => map2(8, Lane2::Second(Binary::Slt)),
        O::I8x16MaxU => map2(8, Lane2::Second(Binary::Ult)),
        O::I16x8MinS => map2(16, Lane2::First(Binary::Slt)),
        O::I16x8MinU => map2(16, Lane2::First(Binary::Ult)),
        O::I16x8MaxS => map2(16, Lane2::Second(Binary::Slt)),
        O::I16x8MaxU => map2(16, Lane2::Second(Binary::Ult)),
        O::I32x4MinS => map2(32, Lane2::First(Binary::Slt)),
        O::I32x4MinU => map2(32, Lane2::First(Binary::Ult)),
        O::I32x4MaxS => map2(32, Lane2::Second(Binary::Slt)),
        O::I32x4MaxU => map2(32, Lane2::Second(Binary::Ult)),
        O::I8x16AvgrU => map2(8, Lane2::Average),
        O::I16x8AvgrU => map2(16, Lane2::Average),
        O::I16x8Q15MulrSatS => map2(16, Lane2::MultiplyQ15),
        O::I8x16NarrowI16x8S => narrow(8, true),
        O::I8x16NarrowI16x8U => narrow(8, false),
        O::I16x8NarrowI32x4S => narrow(16, true),
        O::I16x8NarrowI32x4U => narrow(16, false),
        O::I16x8ExtendLowI8x16S => extend(8, false, true),
        O::I16x8ExtendHighI8x16S => extend(8, true, true),
        O::I16x8ExtendLowI8x16U => extend(8, false, false),
        O::I16x8ExtendHighI8x16U => extend(8, true, false),
        O::I32x4ExtendLowI16x8S => extend(16, false, true),
        O::I32x4ExtendHighI16x8S => extend(16, true, true),
        O::I32x4ExtendLowI16x8U => extend(16, false, false),
        O::I32x4ExtendHighI16x8U => extend(16, true, false),
        O::I64x2ExtendLowI32x4S => extend(32, false, true),
        O::I64x2ExtendHighI32x4S => extend(32, true, true),
        O::I64x2ExtendLowI32x4U => extend(32, false, false),
        O::I64x2ExtendHighI32x4U => extend(32, true, false),
        O::I16x8ExtMulLowI8x16S => multiply(8, false, true),
        O::I16x8ExtMulHighI8x16S => multiply(8, true, true),
        O::I16x8ExtMulLowI8x16U => multiply(8, false, false),
        O::I16x8ExtMulHighI8x16U => multiply(8, true, false),
        O::I32x4ExtMulLowI16x8S => multiply(16, false, true),
        O::I32x4ExtMulHighI16x8S => multiply(16, true, true),
        O::I32x4ExtMulLowI16x8U => multiply(16, false, false),
        O::I32x4ExtMulHighI16x8U => multiply(16, true, false),
        O::I64x2ExtMulLowI32x4S => multiply(32, false, true),
        O::I64x2ExtMulHighI32x4S => multiply(32, true, true),
        O::I64x2ExtMulLowI32x4U => multiply(32, false, false),
        O::I64x2ExtMulHighI32x4U => multiply(32, true, false),
        O::I16x8ExtAddPairwiseI8x16S => pairwise(8, true),
        O::I16x8ExtAddPairwiseI8x16U => pairwise(8, false),
        O::I32x4ExtAddPairwiseI16x8S => pairwise(16, true),
        O::I32x4ExtAddPairwiseI16x8U => pairwise(16, false),
        O::I32x4DotI16x8S => V::Dot { width: 16 },
        _ => return None,
    })
}

fn floats(op: &Operator<'_>) -> Option<Vectorial> {
    use Operator as O;
    use Vectorial as V;
    Some(match op {
        O::F32x4Ceil => unary(32, Unary::FCeil),
        O::F64x2Ceil => unary(64, Unary::FCeil),
        O::F32x4Floor => unary(32, Unary::FFloor),
        O::F64x2Floor => unary(64, Unary::FFloor),
        O::F32x4Trunc => unary(32, Unary::FTrunc),
        O::F64x2Trunc => unary(64, Unary::FTrunc),
        O::F32x4Nearest => unary(32, Unary::FNearest),
        O::F64x2Nearest => unary(64, Unary::FNearest),
        O::F32x4Sqrt => unary(32, Unary::FSqrt),
        O::F64x2Sqrt => unary(64, Unary::FSqrt),
        O::F32x4Abs => map1(32, Lane1::FloatAbsolute),
        O::F64x2Abs => map1(64, Lane1::FloatAbsolute),
        O::F32x4Neg => map1(32, Lane1::FloatNegate),
        O::F64x2Neg => map1(64, Lane1::FloatNegate),
        O::F32x4Add => binary(32, Binary::FAdd),
        O::F64x2Add => binary(64, Binary::FAdd),
        O::F32x4Sub => binary(32, Binary::FSub),
        O::F64x2Sub => binary(64, Binary::FSub),
        O::F32x4Mul => binary(32, Binary::FMul),
        O::F64x2Mul => binary(64, Binary::FMul),
        O::F32x4Div => binary(32, Binary::FDiv),
        O::F64x2Div => binary(64, Binary::FDiv),
        O::F32x4Min => binary(32, Binary::FMin),
        O::F64x2Min => binary(64, Binary::FMin),
        O::F32x4Max => binary(32, Binary::FMax),
        O::F64x2Max => binary(64, Binary::FMax),
        O::F32x4PMin => map2(32, Lane2::SecondExchanged(Binary::FLt)),
        O::F64x2PMin => map2(64, Lane2::SecondExchanged(Binary::FLt)),
        O::F32x4PMax => map2(32, Lane2::Second(Binary::FLt)),
        O::F64x2PMax => map2(64, Lane2::Second(Binary::FLt)),
        O::I32x4TruncSatF32x4S => unary(32, Unary::FToSigned32),
        O::I32x4TruncSatF32x4U => unary(32, Unary::FToUnsigned32),
        O::F32x4ConvertI32x4S => unary(32, Unary::SignedToF32),
        O::F32x4ConvertI32x4U => unary(32, Unary::UnsignedToF32),
        O::I32x4TruncSatF64x2SZero => V::ConvertDown(Unary::FToSigned32),
        O::I32x4TruncSatF64x2UZero => V::ConvertDown(Unary::FToUnsigned32),
        O::F32x4DemoteF64x2Zero => V::ConvertDown(Unary::FDemote),
        O::F64x2ConvertLowI32x4S => V::ConvertUp(Unary::SignedToF64),
        O::F64x2ConvertLowI32x4U => V::ConvertUp(Unary::UnsignedToF64),
        O::F64x2PromoteLowF32x4 => V::ConvertUp(Unary::FPromote),
        _ => return None,
    })
}

fn comparisons(op: &Operator<'_>) -> Option<Vectorial> {
    use Operator as O;
    let compare = |width, op| map2(width, Lane2::Compare(op));
    let exchanged = |width, op| map2(width, Lane2::CompareExchanged(op));
    let not = |width, op| map2(width, Lane2::CompareNot(op));
    Some(match op {
        O::I8x16Eq => compare(8, Binary::Eq),
        O::I8x16Ne => not(8, Binary::Eq),
        O::I8x16LtS => compare(8, Binary::Slt),
        O::I8x16LtU => compare(8, Binary::Ult),
        O::I8x16GtS => exchanged(8, Binary::Slt),
        O::I8x16GtU => exchanged(8, Binary::Ult),
        O::I8x16LeS => compare(8, Binary::Sle),
        O::I8x16LeU => compare(8, Binary::Ule),
        O::I8x16GeS => exchanged(8, Binary::Sle),
        O::I8x16GeU => exchanged(8, Binary::Ule),
        O::I16x8Eq => compare(16, Binary::Eq),
        O::I16x8Ne => not(16, Binary::Eq),
        O::I16x8LtS => compare(16, Binary::Slt),
        O::I16x8LtU => compare(16, Binary::Ult),
        O::I16x8GtS => exchanged(16, Binary::Slt),
        O::I16x8GtU => exchanged(16, Binary::Ult),
        O::I16x8LeS => compare(16, Binary::Sle),
        O::I16x8LeU => compare(16, Binary::Ule),
        O::I16x8GeS => exchanged(16, Binary::Sle),
        O::I16x8GeU => exchanged(16, Binary::Ule),
        O::I32x4Eq => compare(32, Binary::Eq),
        O::I32x4Ne => not(32, Binary::Eq),
        O::I32x4LtS => compare(32, Binary::Slt),
        O::I32x4LtU => compare(32, Binary::Ult),
        O::I32x4GtS => exchanged(32, Binary::Slt),
        O::I32x4GtU => exchanged(32, Binary::Ult),
        O::I32x4LeS => compare(32, Binary::Sle),
        O::I32x4LeU => compare(32, Binary::Ule),
        O::I32x4GeS => exchanged(32, Binary::Sle),
        O::I32x4GeU => exchanged(32, Binary::Ule),
        O::I64x2Eq => compare(64, Binary::Eq),
        O::I64x2Ne => not(64, Binary::Eq),
        O::I64x2LtS => compare(64, Binary::Slt),
        O::I64x2GtS => exchanged(64, Binary::Slt),
        O::I64x2LeS => compare(64, Binary::Sle),
        O::I64x2GeS => exchanged(64, Binary::Sle),
        O::F32x4Eq => compare(32, Binary::FEq),
        O::F32x4Ne => not(32, Binary::FEq),
        O::F32x4Lt => compare(32, Binary::FLt),
        O::F32x4Gt => exchanged(32, Binary::FLt),
        O::F32x4Le => compare(32, Binary::FLe),
        O::F32x4Ge => exchanged(32, Binary::FLe),
        O::F64x2Eq => compare(64, Binary::FEq),
        O::F64x2Ne => not(64, Binary::FEq),
        O::F64x2Lt => compare(64, Binary::FLt),
        O::F64x2Gt => exchanged(64, Binary::FLt),
        O::F64x2Le => compare(64, Binary::FLe),
        O::F64x2Ge => exchanged(64, Binary::FLe),
        _ => return None,
    })
}

/// What wasmtime's deterministic mode makes of the relaxed operators.
fn relaxed(op: &Operator<'_>) -> Option<Vectorial> {
    use Operator as O;
    use Vectorial as V;
    Some(match op {
        O::I8x16RelaxedSwizzle => V::Swizzle,
        O::I32x4RelaxedTruncF32x4S => unary(32, Unary::FToSigned32),
        O::I32x4RelaxedTruncF32x4U => unary(32, Unary::FToUnsigned32),
        O::I32x4RelaxedTruncF64x2SZero => V::ConvertDown(Unary::FToSigned32),
        O::I32x4RelaxedTruncF64x2UZero => V::ConvertDown(Unary::FToUnsigned32),
        O::I8x16RelaxedLaneselect
        | O::I16x8RelaxedLaneselect
        | O::I32x4RelaxedLaneselect
        | O::I64x2RelaxedLaneselect => V::Bitselect,
        O::F32x4RelaxedMin => binary(32, Binary::FMin),
        O::F32x4RelaxedMax => binary(32, Binary::FMax),
        O::F64x2RelaxedMin => binary(64, Binary::FMin),
        O::F64x2RelaxedMax => binary(64, Binary::FMax),
        O::I16x8RelaxedQ15mulrS => map2(16, Lane2::MultiplyQ15),
        O::I16x8RelaxedDotI8x16I7x16S => V::Dot { width: 8 },
        O::I32x4RelaxedDotI8x16I7x16AddS => V::DotAdd,
        _ => return None,
    })
}
