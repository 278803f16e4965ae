//! The code of each operator, on words whose bits above the width are zero: what `coax_term::fold` says, in wasm.
//!
//! Floats are exact as wasm's are IEEE's, and the engine makes every NaN that is computed the canonical one.

use super::plan::Step;
use super::write::{Body, word_at};
use coax_term::{Binary, Unary, mask};
use wasm_encoder::{BlockType, Instruction as I, ValType};

/// Pushes the value of a step.
pub(super) fn write(body: &mut Body<'_>, step: &Step) {
    match *step {
        Step::Given | Step::Constant(_) => unreachable!("it is not computed"),
        Step::Unary(op, width, a) => unary(body, op, width, a),
        Step::Binary(op, width, a, b) => binary(body, op, width, a, b),
        Step::Ite(condition, a, b) => {
            body.value(a);
            body.value(b);
            body.value(condition);
            body.add(I::I32WrapI64);
            body.add(I::Select);
        }
        Step::Extract { low, width, of } => {
            body.value(of);
            body.number(low.into());
            body.add(I::I64ShrU);
            cut(body, width);
        }
        Step::SignExtend { from, to, of } => {
            signed(body, from, of);
            cut(body, to);
        }
        Step::Concat { low_width, high, low } => {
            body.value(high);
            body.number(low_width.into());
            body.add(I::I64Shl);
            body.value(low);
            body.add(I::I64Or);
        }
        Step::Array { index, start, first, count } => {
            let place = body.scratch(0);
            body.value(index);
            body.number(first);
            body.add(I::I64Sub);
            body.add(I::LocalTee(place));
            body.number(count);
            body.add(I::I64LtU);
            body.add(I::If(BlockType::Result(ValType::I64)));
            body.add(I::LocalGet(place));
            body.add(I::I32WrapI64);
            body.add(I::I32Const(3));
            body.add(I::I32Shl);
            body.add(I::I64Load(word_at(8 * (u64::from(body.plan.slot_count) + start as u64))));
            body.add(I::Else);
            body.number(0);
            body.add(I::End);
        }
        Step::Choices { index, ref entries } => {
            let found = body.scratch(0);
            body.number(0);
            body.add(I::LocalSet(found));
            for &(key, value) in entries {
                body.value(value);
                body.add(I::LocalGet(found));
                body.value(index);
                body.number(key);
                body.add(I::I64Eq);
                body.add(I::Select);
                body.add(I::LocalSet(found));
            }
            body.add(I::LocalGet(found));
        }
    }
}

/// Makes the bits above the width zero.
fn cut(body: &mut Body<'_>, width: u8) {
    if width < 64 {
        body.number(mask(width));
        body.add(I::I64And);
    }
}

/// Pushes a value with copies of its sign above.
fn signed(body: &mut Body<'_>, width: u8, step: u32) {
    body.value(step);
    if width < 64 {
        body.number(64 - u64::from(width));
        body.add(I::I64Shl);
        body.number(64 - u64::from(width));
        body.add(I::I64ShrS);
    }
}

/// Pushes a value as a float.
fn float(body: &mut Body<'_>, width: u8, step: u32) {
    body.value(step);
    if width == 32 {
        body.add(I::I32WrapI64);
        body.add(I::F32ReinterpretI32);
    } else {
        body.add(I::F64ReinterpretI64);
    }
}

/// Makes a float the word of its bits.
fn bits(body: &mut Body<'_>, width: u8) {
    if width == 32 {
        body.add(I::I32ReinterpretF32);
        body.add(I::I64ExtendI32U);
    } else {
        body.add(I::I64ReinterpretF64);
    }
}

fn unary(body: &mut Body<'_>, op: Unary, width: u8, a: u32) {
    let is_32 = width == 32;
    let by_width = |narrow: I<'static>, wide: I<'static>| if is_32 { narrow } else { wide };
    match op {
        Unary::Not => {
            body.value(a);
            body.number(mask(width));
            body.add(I::I64Xor);
        }
        Unary::Clz => {
            body.value(a);
            body.add(I::I64Clz);
            body.number(64 - u64::from(width));
            body.add(I::I64Sub);
        }
        Unary::Ctz => {
            body.value(a);
            if width < 64 {
                body.number(1 << width);
                body.add(I::I64Or);
            }
            body.add(I::I64Ctz);
        }
        Unary::Popcnt => {
            body.value(a);
            body.add(I::I64Popcnt);
        }
        Unary::FSqrt | Unary::FCeil | Unary::FFloor | Unary::FTrunc | Unary::FNearest => {
            float(body, width, a);
            body.add(match op {
                Unary::FSqrt => by_width(I::F32Sqrt, I::F64Sqrt),
                Unary::FCeil => by_width(I::F32Ceil, I::F64Ceil),
                Unary::FFloor => by_width(I::F32Floor, I::F64Floor),
                Unary::FTrunc => by_width(I::F32Trunc, I::F64Trunc),
                _ => by_width(I::F32Nearest, I::F64Nearest),
            });
            bits(body, width);
        }
        Unary::FPromote => {
            float(body, 32, a);
            body.add(I::F64PromoteF32);
            bits(body, 64);
        }
        Unary::FDemote => {
            float(body, 64, a);
            body.add(I::F32DemoteF64);
            bits(body, 32);
        }
        Unary::SignedToF32 | Unary::SignedToF64 => {
            signed(body, width, a);
            let is_single = op == Unary::SignedToF32;
            body.add(if is_single { I::F32ConvertI64S } else { I::F64ConvertI64S });
            bits(body, if is_single { 32 } else { 64 });
        }
        Unary::UnsignedToF32 | Unary::UnsignedToF64 => {
            body.value(a);
            let is_single = op == Unary::UnsignedToF32;
            body.add(if is_single { I::F32ConvertI64U } else { I::F64ConvertI64U });
            bits(body, if is_single { 32 } else { 64 });
        }
        Unary::FToSigned32 | Unary::FToUnsigned32 => {
            float(body, width, a);
            body.add(match op {
                Unary::FToSigned32 => by_width(I::I32TruncSatF32S, I::I32TruncSatF64S),
                _ => by_width(I::I32TruncSatF32U, I::I32TruncSatF64U),
            });
            body.add(I::I64ExtendI32U);
        }
        Unary::FToSigned64 | Unary::FToUnsigned64 => {
            float(body, width, a);
            body.add(match op {
                Unary::FToSigned64 => by_width(I::I64TruncSatF32S, I::I64TruncSatF64S),
                _ => by_width(I::I64TruncSatF32U, I::I64TruncSatF64U),
            });
        }
    }
}

fn binary(body: &mut Body<'_>, op: Binary, width: u8, a: u32, b: u32) {
    let plain = |body: &mut Body<'_>, instruction| {
        body.value(a);
        body.value(b);
        body.add(instruction);
    };
    match op {
        Binary::Add | Binary::Sub | Binary::Mul => {
            let instruction = match op {
                Binary::Add => I::I64Add,
                Binary::Sub => I::I64Sub,
                _ => I::I64Mul,
            };
            plain(body, instruction);
            cut(body, width);
        }
        Binary::And => plain(body, I::I64And),
        Binary::Or => plain(body, I::I64Or),
        Binary::Xor => plain(body, I::I64Xor),
        Binary::UDiv | Binary::URem | Binary::SDiv | Binary::SRem => divide(body, op, width, a, b),
        Binary::Shl | Binary::LShr | Binary::AShr => shift(body, op, width, a, b),
        Binary::Rotl | Binary::Rotr => rotate(body, op, width, a, b),
        Binary::Eq | Binary::Ult | Binary::Ule => {
            let instruction = match op {
                Binary::Eq => I::I64Eq,
                Binary::Ult => I::I64LtU,
                _ => I::I64LeU,
            };
            plain(body, instruction);
            body.add(I::I64ExtendI32U);
        }
        Binary::Slt | Binary::Sle => {
            signed(body, width, a);
            signed(body, width, b);
            body.add(if op == Binary::Slt { I::I64LtS } else { I::I64LeS });
            body.add(I::I64ExtendI32U);
        }
        _ => float_binary(body, op, width, a, b),
    }
}

fn float_binary(body: &mut Body<'_>, op: Binary, width: u8, a: u32, b: u32) {
    float(body, width, a);
    float(body, width, b);
    let [narrow, wide] = match op {
        Binary::FAdd => [I::F32Add, I::F64Add],
        Binary::FSub => [I::F32Sub, I::F64Sub],
        Binary::FMul => [I::F32Mul, I::F64Mul],
        Binary::FDiv => [I::F32Div, I::F64Div],
        Binary::FMin => [I::F32Min, I::F64Min],
        Binary::FMax => [I::F32Max, I::F64Max],
        Binary::FEq => [I::F32Eq, I::F64Eq],
        Binary::FLt => [I::F32Lt, I::F64Lt],
        Binary::FLe => [I::F32Le, I::F64Le],
        _ => unreachable!("{op:?} is no float operator"),
    };
    body.add(if width == 32 { narrow } else { wide });
    if op.is_comparison() { body.add(I::I64ExtendI32U) } else { bits(body, width) }
}

/// wasm traps where terms have a value: by zero, and the smallest number by -1.
fn divide(body: &mut Body<'_>, op: Binary, width: u8, a: u32, b: u32) {
    body.value(b);
    body.add(I::I64Eqz);
    body.add(I::If(BlockType::Result(ValType::I64)));
    match op {
        Binary::UDiv => body.number(mask(width)),
        Binary::SDiv => {
            body.number(1);
            body.number(mask(width));
            signed(body, width, a);
            body.number(0);
            body.add(I::I64LtS);
            body.add(I::Select);
        }
        _ => body.value(a),
    }
    body.add(I::Else);
    match op {
        Binary::UDiv | Binary::URem => {
            body.value(a);
            body.value(b);
            body.add(if op == Binary::UDiv { I::I64DivU } else { I::I64RemU });
        }
        Binary::SRem => {
            signed(body, width, a);
            signed(body, width, b);
            body.add(I::I64RemS);
        }
        _ => {
            body.value(b);
            body.number(mask(width));
            body.add(I::I64Eq);
            body.add(I::If(BlockType::Result(ValType::I64)));
            body.number(0);
            body.value(a);
            body.add(I::I64Sub);
            body.add(I::Else);
            signed(body, width, a);
            signed(body, width, b);
            body.add(I::I64DivS);
            body.add(I::End);
        }
    }
    cut(body, width);
    body.add(I::End);
}

/// wasm takes counts modulo 64, terms take them as they are.
fn shift(body: &mut Body<'_>, op: Binary, width: u8, a: u32, b: u32) {
    if op == Binary::AShr {
        let most = u64::from(width) - 1;
        signed(body, width, a);
        body.value(b);
        body.number(most);
        body.value(b);
        body.number(most);
        body.add(I::I64LtU);
        body.add(I::Select);
        body.add(I::I64ShrS);
        return cut(body, width);
    }
    body.value(a);
    body.value(b);
    body.add(if op == Binary::Shl { I::I64Shl } else { I::I64ShrU });
    cut(body, width);
    body.number(0);
    body.value(b);
    body.number(width.into());
    body.add(I::I64LtU);
    body.add(I::Select);
}

fn rotate(body: &mut Body<'_>, op: Binary, width: u8, a: u32, b: u32) {
    if width == 64 {
        body.value(a);
        body.value(b);
        return body.add(if op == Binary::Rotl { I::I64Rotl } else { I::I64Rotr });
    }
    // So far one way, and the rest of the width the other way: neither is 64.
    let count = body.scratch(0);
    body.value(b);
    body.number(width.into());
    body.add(I::I64RemU);
    body.add(I::LocalSet(count));
    let [forth, back] = match op {
        Binary::Rotl => [I::I64Shl, I::I64ShrU],
        _ => [I::I64ShrU, I::I64Shl],
    };
    body.value(a);
    body.add(I::LocalGet(count));
    body.add(forth);
    body.value(a);
    body.number(width.into());
    body.add(I::LocalGet(count));
    body.add(I::I64Sub);
    body.add(back);
    body.add(I::I64Or);
    cut(body, width);
}
