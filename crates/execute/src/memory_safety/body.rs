//! The body of a function of the checking module: before operators that access memory there is a look into the shadow.

use super::helpers::Write;
use super::host::Import;
use super::shadow::GRANULE_BITS;
use super::stack::Layout;
use crate::semantics::memory;
use wasm_encoder::{Function, Instruction, MemArg, ValType};
use wasmparser::Operator;

/// Flags of an access, for the host.
pub(super) mod flags {
    pub(crate) const WRITE: i32 = 1;
    pub(crate) const READS_WORDS: i32 = 2;
}

/// Locals of ours, by the first.
#[derive(Clone, Copy)]
pub(super) struct Scratch(pub(super) u32);

impl Scratch {
    pub(super) const TYPES: [(u32, ValType); 5] =
        [(4, ValType::I32), (1, ValType::I64), (1, ValType::F32), (1, ValType::F64), (1, ValType::V128)];
    pub(super) const COUNT: u32 = 8;

    /// For addresses and lengths.
    fn number(self, place: u32) -> u32 {
        self.0 + place
    }

    /// For what is above an address on the stack.
    fn value(self, ty: ValType) -> u32 {
        self.0
            + match ty {
                ValType::I64 => 4,
                ValType::F32 => 5,
                ValType::F64 => 6,
                ValType::V128 => 7,
                _ => 3,
            }
    }
}

/// A body being written.
pub(super) struct Body {
    pub(super) code: Function,
    pub(super) scratch: Scratch,
    pub(super) write: Write,
    pub(super) layout: Option<Layout>,
    /// Whether the function may read bytes beside those that it is about.
    pub(super) reads_words: bool,
}

impl Body {
    fn emit(&mut self, instructions: &[Instruction<'_>]) {
        for instruction in instructions {
            self.code.instruction(instruction);
        }
    }

    fn flags(&self, more: i32) -> i32 {
        more | if self.reads_words { flags::READS_WORDS } else { 0 }
    }

    /// Checks what an operator is about to do; its operands are on the stack, and stay there.
    pub(super) fn before(&mut self, operator: &Operator<'_>) {
        if let Some(access) = memory::Access::of(operator).filter(|access| access.memarg.memory == 0) {
            return self.check_access(operator, access);
        }
        match *operator {
            Operator::MemoryCopy { dst_mem, src_mem } => {
                self.check_ranges(&[(0, flags::WRITE, dst_mem), (1, 0, src_mem)]);
            }
            Operator::MemoryFill { mem } | Operator::MemoryInit { mem, .. } => {
                self.check_ranges(&[(0, flags::WRITE, mem)]);
            }
            Operator::GlobalSet { global_index } => {
                if let Some(layout) = self.layout.filter(|layout| layout.stack_pointer == global_index) {
                    self.check_stack(layout);
                }
            }
            _ => {}
        }
    }

    fn check_access(&mut self, operator: &Operator<'_>, access: memory::Access) {
        let address = self.scratch.number(0);
        let above = operand_above(operator, access);
        let value = above.map(|ty| self.scratch.value(ty));
        if let Some(value) = value {
            self.emit(&[Instruction::LocalSet(value)]);
        }
        self.emit(&[Instruction::LocalTee(address)]);
        let offset = access.memarg.offset as i32;
        if offset != 0 {
            self.emit(&[Instruction::I32Const(offset), Instruction::I32Add]);
        }
        let shadow = MemArg { offset: self.write.base, align: 0, memory_index: self.write.shadow };
        // The shadow of all that is accessed, and perhaps of a little more.
        let look = match access.bytes {
            1 => Instruction::I32Load8U(shadow),
            2..=8 => Instruction::I32Load16U(shadow),
            _ => Instruction::I32Load(shadow),
        };
        let write = if access.store { flags::WRITE } else { 0 };
        self.emit(&[
            Instruction::I32Const(GRANULE_BITS as i32),
            Instruction::I32ShrU,
            look,
            Instruction::If(wasm_encoder::BlockType::Empty),
            Instruction::LocalGet(address),
            Instruction::I32Const(offset),
            Instruction::I32Const(access.bytes.into()),
            Instruction::I32Const(self.flags(write)),
            Instruction::Call(self.write.first_helper),
            Instruction::End,
            Instruction::LocalGet(address),
        ]);
        if let Some(value) = value {
            self.emit(&[Instruction::LocalGet(value)]);
        }
    }

    /// Checks ranges that begin at these operands of three and are as long as the last, if they are in the first memory.
    fn check_ranges(&mut self, ranges: &[(u32, i32, u32)]) {
        let numbers: Vec<u32> = (0..3).map(|place| self.scratch.number(place)).collect();
        for &number in numbers.iter().rev() {
            self.emit(&[Instruction::LocalSet(number)]);
        }
        for &(place, flags, _) in ranges.iter().filter(|(.., memory)| *memory == 0) {
            self.emit(&[
                Instruction::LocalGet(numbers[place as usize]),
                Instruction::LocalGet(numbers[2]),
                Instruction::I32Const(self.flags(flags)),
                Instruction::Call(self.write.first_helper + 1),
            ]);
        }
        for &number in &numbers {
            self.emit(&[Instruction::LocalGet(number)]);
        }
    }

    fn check_stack(&mut self, layout: Layout) {
        let pointer = self.scratch.number(0);
        self.emit(&[
            Instruction::LocalTee(pointer),
            Instruction::I32Const(layout.lowest as i32),
            Instruction::I32Sub,
            Instruction::I32Const((layout.top - layout.lowest) as i32),
            Instruction::I32GtU,
            Instruction::If(wasm_encoder::BlockType::Empty),
            Instruction::LocalGet(pointer),
            Instruction::Call(self.write.import(Import::Moved)),
            Instruction::End,
            Instruction::LocalGet(pointer),
        ]);
    }

    /// Tells the host that there is more memory; how much there was, or -1, is on the stack, and stays there.
    pub(super) fn after_growth(&mut self) {
        let before = self.scratch.number(0);
        self.emit(&[Instruction::LocalSet(before)]);
        self.write.tell_growth(&mut self.code, before);
        self.emit(&[Instruction::LocalGet(before)]);
    }
}

/// The type of what is on the stack above an access' address.
fn operand_above(operator: &Operator<'_>, access: memory::Access) -> Option<ValType> {
    let is_lane = matches!(
        operator,
        Operator::V128Load8Lane { .. }
            | Operator::V128Load16Lane { .. }
            | Operator::V128Load32Lane { .. }
            | Operator::V128Load64Lane { .. }
    );
    match (operator, access.value) {
        _ if is_lane => Some(ValType::V128),
        _ if !access.store => None,
        (Operator::F32Store { .. }, _) => Some(ValType::F32),
        (Operator::F64Store { .. }, _) => Some(ValType::F64),
        (_, memory::Accessed::Vector) => Some(ValType::V128),
        (_, memory::Accessed::Scalar { width: 64, .. }) => Some(ValType::I64),
        _ => Some(ValType::I32),
    }
}
