//! Operators on ranges of memory whose length is beyond all bounds: wasmtime takes fuel for each byte before it looks at the bounds, so such a run seems to have no end.
//!
//! Modules that are ours anyway look before that whether the length is more than the whole memory has, and trap. The plain module stays as it is: where it is out of fuel
//! at such an operator, the counting module says whether that is a trap.

use crate::ending::{Ending, RawFrame, are_same_calls};
use crate::outcome::TrapKind;
use coax_program::ir::Op;
use coax_program::{Func, Program};
use wasm_encoder::{BlockType, Instruction, MemArg};
use wasmparser::Operator;

/// A page has so many bytes, if a memory does not say otherwise: the exponent.
const PAGE_BITS: u32 = 16;

/// The memory that an operator writes a range of.
pub(crate) fn memory_written(operator: &Operator<'_>) -> Option<u32> {
    match *operator {
        Operator::MemoryCopy { dst_mem: mem, .. }
        | Operator::MemoryFill { mem }
        | Operator::MemoryInit { mem, .. } => Some(mem),
        _ => None,
    }
}

/// Traps if a length, in a local, is more than a memory of the program has, which has another index in the new module; nothing if it has lengths of 64 bits.
pub(crate) fn check_length(
    program: &Program,
    (memory, index): (u32, u32),
    length: u32,
) -> Option<[Instruction<'static>; 12]> {
    let ty = program.memories.get(memory as usize).filter(|memory| !memory.ty.memory64)?.ty;
    // No memory has so many bytes.
    let nowhere = MemArg { offset: u32::MAX.into(), align: 0, memory_index: index };
    Some([
        Instruction::LocalGet(length),
        Instruction::I64ExtendI32U,
        Instruction::MemorySize(index),
        Instruction::I64ExtendI32U,
        Instruction::I64Const(ty.page_size_log2.unwrap_or(PAGE_BITS).into()),
        Instruction::I64Shl,
        Instruction::I64GtU,
        Instruction::If(BlockType::Empty),
        Instruction::I32Const(-1),
        Instruction::I32Load8U(nowhere),
        Instruction::Drop,
        Instruction::End,
    ])
}

/// Whether the innermost call of a run was at an operator on a range of memory.
pub(crate) fn is_at_range(program: &Program, frames: &[RawFrame]) -> bool {
    let Some(RawFrame { func, offset: Some(offset), .. }) = frames.first() else { return false };
    let defined = program.functions.get(Func(*func)).and_then(|function| function.defined());
    let mut insts = defined.into_iter().flat_map(|defined| defined.body.insts.values());
    insts.any(|inst| {
        let is_range =
            matches!(inst.op, Op::MemoryCopy { .. } | Op::MemoryFill { .. } | Op::MemoryInit { .. });
        is_range && inst.offset == *offset
    })
}

/// The ending of a plain run that was out of fuel at an operator on a range, as the counting module has it.
pub(crate) fn trap_behind(plain: &[RawFrame], counting: &Ending) -> Option<Ending> {
    let kind = TrapKind::MemoryOutOfBounds;
    let is_same = matches!(counting, Ending::Trapped { kind: other, frames, .. }
        if *other == kind && are_same_calls(plain, frames));
    is_same.then(|| Ending::Trapped { kind, reason: None, frames: plain.to_vec() })
}
