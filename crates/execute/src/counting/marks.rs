//! What makes it possible that an instance is made new again (`lasting.rs`): which parts of its memory the program has written, and how
//! large the memory seems to be.
//!
//! Behind the counts there is a byte for each part of the program's memory. Before a store its address is copied into a local of ours and
//! the byte of that part is set. A store that begins in one part may end in the next: who restores one restores a little more.
//!
//! Memory cannot be made smaller. Therefore it may have pages in the end that the program does not know of, as many as a global of ours says:
//! it grows into those first. Usually there are none.

use coax_program::{Extern, Program};
use wasm_encoder::{BlockType, Function, Instruction, MemArg, ValType};
use wasmparser::{Operator, Parser, Payload};

/// A part has so many bytes, as a power of two.
pub(crate) const PART_BITS: u32 = 12;
/// How many parts there can be.
pub(crate) const PARTS: usize = 1 << (32 - PART_BITS);
/// The most bytes that a store writes.
pub(crate) const MOST_STORED: usize = 16;

/// The locals that it needs.
pub(super) const LOCALS: [(u32, ValType); 5] =
    [(3, ValType::I32), (1, ValType::I64), (1, ValType::F32), (1, ValType::F64), (1, ValType::V128)];
/// How many these are.
pub(super) const LOCAL_COUNT: u32 = 7;

/// Whether an instance can be made new again: all that changes is in one memory of its own and in globals that hold numbers.
pub(super) fn can_be_renewed(program: &Program) -> bool {
    let is_imported = |import: &coax_program::Import| match import.kind {
        Extern::Memory(_) => true,
        Extern::Global(global) => program.globals[global as usize].ty.mutable,
        _ => false,
    };
    let is_usual = matches!(&program.memories[..], [memory] if !memory.ty.memory64 && !memory.ty.shared && memory.ty.page_size_log2.is_none());
    let has_numbers = program
        .globals
        .iter()
        .all(|global| !(global.ty.mutable && global.ty.content_type.is_reference_type()));
    is_usual && has_numbers && !program.imports.iter().any(is_imported) && !changes_more(program)
}

/// Whether a function changes tables or drops segments.
fn changes_more(program: &Program) -> bool {
    let bodies = Parser::new(0).parse_all(&program.wasm).filter_map(|payload| match payload {
        Ok(Payload::CodeSectionEntry(body)) => Some(body),
        _ => None,
    });
    let mut operators = bodies.filter_map(|body| body.get_operators_reader().ok()).flatten().flatten();
    operators.any(|operator| {
        matches!(
            operator,
            Operator::TableSet { .. }
                | Operator::TableFill { .. }
                | Operator::TableCopy { .. }
                | Operator::TableInit { .. }
                | Operator::TableGrow { .. }
                | Operator::ElemDrop { .. }
                | Operator::MemoryInit { .. }
                | Operator::DataDrop { .. }
        )
    })
}

/// Writes what marks parts.
pub(super) struct Marks {
    /// The counting memory, and where in it the marks begin.
    pub(super) memory: u32,
    pub(super) begin: u64,
    /// The first of the locals.
    pub(super) locals: u32,
    /// The program's memory, and the global that says how many of its pages are hidden.
    pub(super) program_memory: u32,
    pub(super) hidden: u32,
}

impl Marks {
    /// What is done instead of an operator, if it is about the size of memory.
    pub(super) fn replace(&self, operator: &Operator<'_>) -> Option<Vec<Instruction<'static>>> {
        let (size, hidden) =
            (Instruction::MemorySize(self.program_memory), Instruction::GlobalGet(self.hidden));
        let set_hidden = Instruction::GlobalSet(self.hidden);
        let (pages, before) = (self.locals + COUNT, self.locals + VALUE_I32);
        let number = BlockType::Result(ValType::I32);
        match operator {
            Operator::MemorySize { .. } => Some(vec![size, hidden, Instruction::I32Sub]),
            Operator::MemoryGrow { .. } => Some(vec![
                Instruction::LocalTee(pages),
                hidden.clone(),
                Instruction::I32LeU,
                Instruction::If(number),
                size,
                hidden.clone(),
                Instruction::I32Sub,
                hidden.clone(),
                Instruction::LocalGet(pages),
                Instruction::I32Sub,
                set_hidden.clone(),
                Instruction::Else,
                Instruction::LocalGet(pages),
                hidden.clone(),
                Instruction::I32Sub,
                Instruction::MemoryGrow(self.program_memory),
                Instruction::LocalTee(before),
                Instruction::I32Const(-1),
                Instruction::I32Eq,
                Instruction::If(number),
                Instruction::I32Const(-1),
                Instruction::Else,
                Instruction::LocalGet(before),
                hidden,
                Instruction::I32Sub,
                Instruction::I32Const(0),
                set_hidden,
                Instruction::End,
                Instruction::End,
            ]),
            _ => None,
        }
    }

    /// Marks what an operator is about to write, if it writes: what it takes is on the stack.
    pub(super) fn mark(&self, operator: &Operator<'_>, code: &mut Function) {
        match *operator {
            Operator::I32Store { memarg }
            | Operator::I32Store8 { memarg }
            | Operator::I32Store16 { memarg } => {
                self.store(memarg.offset, VALUE_I32, code);
            }
            Operator::I64Store { memarg }
            | Operator::I64Store8 { memarg }
            | Operator::I64Store16 { memarg }
            | Operator::I64Store32 { memarg } => self.store(memarg.offset, VALUE_I64, code),
            Operator::F32Store { memarg } => self.store(memarg.offset, VALUE_F32, code),
            Operator::F64Store { memarg } => self.store(memarg.offset, VALUE_F64, code),
            Operator::V128Store { memarg }
            | Operator::V128Store8Lane { memarg, .. }
            | Operator::V128Store16Lane { memarg, .. }
            | Operator::V128Store32Lane { memarg, .. }
            | Operator::V128Store64Lane { memarg, .. } => self.store(memarg.offset, VALUE_V128, code),
            Operator::MemoryFill { .. } | Operator::MemoryCopy { .. } => self.range(code),
            _ => {}
        }
    }

    /// The address and the value are on the stack.
    fn store(&self, offset: u64, value: u32, code: &mut Function) {
        let (address, value) = (self.locals + ADDRESS, self.locals + value);
        let place = MemArg { offset: self.begin, align: 0, memory_index: self.memory };
        // An address that wraps around marks something else: the store traps then.
        let mark = [
            Instruction::LocalSet(value),
            Instruction::LocalTee(address),
            Instruction::LocalGet(address),
            Instruction::I32Const(offset as u32 as i32),
            Instruction::I32Add,
            Instruction::I32Const(PART_BITS as i32),
            Instruction::I32ShrU,
            Instruction::I32Const(1),
            Instruction::I32Store8(place),
            Instruction::LocalGet(value),
        ];
        mark.iter().for_each(|instruction| {
            code.instruction(instruction);
        });
    }

    /// An address, something, and a number of bytes are on the stack.
    fn range(&self, code: &mut Function) {
        let local = |number: u32| self.locals + number;
        let shift = [Instruction::I32Const(PART_BITS as i32), Instruction::I32ShrU];
        let first = [Instruction::LocalGet(local(ADDRESS)), shift[0].clone(), shift[1].clone()];
        code.instruction(&Instruction::LocalSet(local(COUNT)));
        code.instruction(&Instruction::LocalSet(local(VALUE_I32)));
        code.instruction(&Instruction::LocalSet(local(ADDRESS)));
        // An end that wraps around makes this trap, as the operator would, for the same reason.
        first.iter().for_each(|instruction| {
            code.instruction(instruction);
        });
        let fill = [
            Instruction::I32Const(self.begin as i32),
            Instruction::I32Add,
            Instruction::I32Const(1),
            Instruction::LocalGet(local(ADDRESS)),
            Instruction::LocalGet(local(COUNT)),
            Instruction::I32Add,
            shift[0].clone(),
            shift[1].clone(),
        ];
        fill.iter().chain(&first).for_each(|instruction| {
            code.instruction(instruction);
        });
        let rest = [
            Instruction::I32Sub,
            Instruction::I32Const(1),
            Instruction::I32Add,
            Instruction::MemoryFill(self.memory),
            Instruction::LocalGet(local(ADDRESS)),
            Instruction::LocalGet(local(VALUE_I32)),
            Instruction::LocalGet(local(COUNT)),
        ];
        rest.iter().for_each(|instruction| {
            code.instruction(instruction);
        });
    }
}

/// The locals by what is in them, as [`LOCALS`] has them.
const ADDRESS: u32 = 0;
pub(crate) const COUNT: u32 = 1;
const VALUE_I32: u32 = 2;
const VALUE_I64: u32 = 3;
const VALUE_F32: u32 = 4;
const VALUE_F64: u32 = 5;
const VALUE_V128: u32 = 6;
