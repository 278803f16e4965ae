//! Writes an instrumented function: its own operators in their order, and between them what the plan says.

use super::Variant;
use super::layout::{HostFunction, Layout, SegmentIndex};
use super::plan::{BoundaryCode, Flags, Notes, Plan, Source};
use super::rewrite::{Reencoded, Rewriter};
use super::segment::{BEYOND, Beyond, CELLS, COPY, COPY_OUT, OVERWRITE, SKIP};
use crate::bulk;
use wasm_encoder::reencode::Reencode;
use wasm_encoder::{BlockType, BranchHint, Function, Instruction, MemArg};
use wasmparser::{FunctionBody, Operator, ValType};

/// The most values that one call of a boundary passes; more are stashed before.
pub(super) const MOST_VALUES: usize = 12;

/// An instrumented function.
pub(crate) struct Written {
    pub(crate) code: Function,
    /// Its checks, all unlikely.
    pub(crate) hints: Vec<BranchHint>,
    /// For each operator, in order: where its code starts in the body, and its offset in the plain module.
    pub(crate) offsets: Vec<(u32, u32)>,
}

/// Writes a function.
pub(super) fn write(
    rewriter: &mut Rewriter<'_>,
    (func, variant): (u32, Variant),
    type_index: u32,
    plan: &Plan,
    body: &FunctionBody<'_>,
) -> Reencoded<Written> {
    let mut locals = Vec::new();
    for local in body.get_locals_reader()? {
        let (count, ty) = local?;
        locals.push((count, rewriter.val_type(ty)?));
    }
    locals.push((2, wasm_encoder::ValType::I64));
    for &ty in &plan.temps {
        locals.push((1, rewriter.val_type(ty)?));
    }
    let layout = rewriter.layout;
    let code = Function::new(locals);
    let mut writer = Writer { layout, plan, func, variant, code, hints: Vec::new(), offsets: Vec::new() };
    if plan.body_is_block {
        writer.put(Instruction::Block(layout.results_block(type_index)));
    }
    for (notes, operator) in plan.notes.iter().zip(body.get_operators_reader()?.into_iter_with_offsets()) {
        let (operator, offset) = operator?;
        writer.operator(rewriter, notes, operator, offset as u32)?;
    }
    if plan.body_is_block {
        writer.put(Instruction::End);
    }
    let Writer { code, hints, offsets, .. } = writer;
    Ok(Written { code, hints, offsets })
}

struct Writer<'a> {
    layout: &'a Layout,
    plan: &'a Plan,
    func: u32,
    variant: Variant,
    code: Function,
    hints: Vec<BranchHint>,
    offsets: Vec<(u32, u32)>,
}

impl Writer<'_> {
    fn put(&mut self, instruction: Instruction<'_>) {
        self.code.instruction(&instruction);
    }

    fn sym(&self) -> u32 {
        self.plan.locals
    }

    fn flags(&self) -> u32 {
        self.plan.locals + 1
    }

    fn operator(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        notes: &Notes,
        operator: Operator<'_>,
        offset: u32,
    ) -> Reencoded<()> {
        if notes.dead {
            return Ok(());
        }
        self.offsets.push((self.code.byte_len() as u32, offset));
        if let Some(boundary) = notes.before {
            self.boundary(boundary);
            if boundary == 0 {
                self.skipping();
            }
        }
        if let Some(beyond) = notes.beyond {
            self.beyond(beyond, offset);
        }
        if let Some(flags) = notes.flags {
            self.look_at(flags, &operator);
        }
        match operator {
            Operator::MemoryGrow { mem: 0 } => self.grow(notes.bulk[0].0),
            _ => {
                let told = bulk_kind(&operator);
                if let Some(kind) = told.filter(|&kind| kind != OVERWRITE) {
                    self.tell(kind, &notes.bulk, offset);
                }
                if self.layout.may_call_host(&operator) {
                    self.put(Instruction::I64Const(offset.into()));
                    self.put(Instruction::GlobalSet(self.layout.place_global));
                }
                if let (Some(memory), [.., (length, _)]) = (bulk::memory_written(&operator), &notes.bulk[..])
                {
                    let memory = (memory, self.layout.memory(memory));
                    let check = bulk::check_length(rewriter.program, memory, *length);
                    check.into_iter().flatten().for_each(|instruction| self.put(instruction));
                }
                let dropped = dropped_segment(&operator);
                let instruction = rewriter.instruction(operator)?;
                self.put(instruction);
                if told == Some(OVERWRITE) {
                    // Only now it is known that it did not trap.
                    self.tell(OVERWRITE, &notes.bulk, offset);
                }
                if let Some(global) = dropped.and_then(|segment| self.layout.segment_global(segment)) {
                    self.put(Instruction::I64Const(0));
                    self.put(Instruction::GlobalSet(global));
                }
            }
        }
        self.keep(notes);
        if let Some(boundary) = notes.after {
            self.boundary(boundary);
        }
        if notes.dead_end {
            self.put(Instruction::Unreachable);
        }
        Ok(())
    }

    /// Keeps results in locals; they stay on the stack. (One result may be kept in several.)
    fn keep(&mut self, notes: &Notes) {
        let Some(lowest) = notes.keep.iter().map(|&(result, _)| result).min() else { return };
        let mut kept = notes.keep.clone();
        kept.sort_unstable();
        kept.dedup();
        if lowest + 1 == notes.results.len() {
            kept.iter().for_each(|&(_, local)| self.put(Instruction::LocalTee(local)));
            return;
        }
        let by_result: Vec<&[(usize, u32)]> = kept.chunk_by(|one, other| one.0 == other.0).collect();
        for locals in by_result.iter().rev() {
            self.put(Instruction::LocalSet(locals[0].1));
        }
        for locals in by_result {
            self.put(Instruction::LocalGet(locals[0].1));
            locals[1..].iter().for_each(|&(_, local)| self.put(Instruction::LocalTee(local)));
        }
    }

    /// Adds the flags of the bytes that an access is about to touch.
    fn look_at(&mut self, flags: Flags, operator: &Operator<'_>) {
        let offset = coax_program::ops::memarg(operator).map_or(0, |memarg| memarg.offset);
        let at = |offset| MemArg { offset, align: 0, memory_index: self.layout.flags_memory };
        let loads = match flags.bytes {
            1 => vec![Instruction::I64Load8U(at(offset))],
            2 => vec![Instruction::I64Load16U(at(offset))],
            4 => vec![Instruction::I64Load32U(at(offset))],
            8 => vec![Instruction::I64Load(at(offset))],
            // The last bytes first: if they are out of bounds the access is. (So it is if they cannot even be named.)
            _ => match offset.checked_add(8).filter(|&last| last <= self.largest_offset()) {
                Some(last) => vec![Instruction::I64Load(at(last)), Instruction::I64Load(at(offset))],
                None => vec![Instruction::I64Load(at(offset))],
            },
        };
        let mut first = flags.first;
        for load in loads {
            self.put(Instruction::LocalGet(flags.address));
            self.put(load);
            if !std::mem::take(&mut first) {
                self.put(Instruction::LocalGet(self.flags()));
                self.put(Instruction::I64Or);
            }
            self.put(Instruction::LocalSet(self.flags()));
        }
    }

    /// The largest offset that an access to the first memory can have.
    fn largest_offset(&self) -> u64 {
        match self.layout.address_types[0] {
            ValType::I64 => u64::MAX,
            _ => u32::MAX.into(),
        }
    }

    /// A call of the host, if there is a reason for it.
    fn boundary(&mut self, number: usize) {
        let code = &self.plan.code[number];
        if !code.is_needed() {
            return;
        }
        let conditional = !code.always;
        if conditional {
            self.condition(code);
            self.unlikely_if();
        }
        let direct = code.values.len().min(MOST_VALUES);
        for &source in &code.values[direct..] {
            self.value(source);
            self.put(Instruction::Call(self.layout.host(HostFunction::Stash)));
        }
        self.put(Instruction::LocalGet(self.sym()));
        self.put(Instruction::I64Const((i64::from(self.func) << 32) | number as i64));
        for &source in &code.values[..direct] {
            self.value(source);
        }
        self.put(Instruction::Call(self.layout.host(HostFunction::Boundary(direct))));
        self.put(Instruction::LocalSet(self.sym()));
        if conditional {
            self.put(Instruction::End);
        }
    }

    /// Where a function begins: returns what the host supplies, if it says so.
    fn skipping(&mut self) {
        let Some(results) = &self.plan.supplied else { return };
        self.put(Instruction::LocalGet(self.sym()));
        self.put(Instruction::I64Const(SKIP as i64));
        self.put(Instruction::I64Eq);
        self.unlikely_if();
        for (index, &ty) in (0..).zip(results) {
            self.put(Instruction::I64Const(index));
            self.put(Instruction::Call(self.layout.host(HostFunction::Supplied)));
            self.put_from_i64(ty);
        }
        self.put(Instruction::Return);
        self.put(Instruction::End);
    }

    fn unlikely_if(&mut self) {
        let branch_func_offset = self.code.byte_len() as u32;
        self.hints.push(BranchHint { branch_func_offset, branch_hint_value: 0 });
        self.put(Instruction::If(BlockType::Empty));
    }

    fn condition(&mut self, code: &BoundaryCode) {
        let mut parts = 0;
        let mut part = |writer: &mut Self, instructions: &[Instruction<'static>]| {
            for instruction in instructions {
                writer.put(instruction.clone());
            }
            if parts > 0 {
                writer.put(Instruction::I64Or);
            }
            parts += 1;
        };
        if code.frame {
            part(self, &[Instruction::LocalGet(self.sym())]);
        } else if code.mask != 0 {
            let mask = Instruction::I64Const(i64::from(code.mask));
            part(self, &[Instruction::LocalGet(self.sym()), mask, Instruction::I64And]);
        }
        if code.flags {
            part(self, &[Instruction::LocalGet(self.flags())]);
        }
        if code.taint != 0 {
            let taint = Instruction::GlobalGet(self.layout.taint_global);
            part(self, &[taint, Instruction::I64Const(code.taint as i64), Instruction::I64And]);
        }
        self.put(Instruction::I64Const(0));
        self.put(Instruction::I64Ne);
    }

    /// A value's bits as an i64.
    fn value(&mut self, source: Source) {
        let ty = match source {
            Source::Local(local, ty) => {
                self.put(Instruction::LocalGet(local));
                ty
            }
            Source::Global(global, ty) => {
                self.put(Instruction::GlobalGet(global));
                ty
            }
            Source::TableSize(table) => {
                self.put(Instruction::TableSize(table));
                self.layout.table_index_type(table)
            }
            Source::SegmentSize(segment) => {
                self.put(match self.layout.segment_global(segment) {
                    Some(global) => Instruction::GlobalGet(global),
                    None => Instruction::I64Const(0),
                });
                ValType::I64
            }
            Source::MemorySize(memory) => {
                self.put(Instruction::MemorySize(self.layout.memory(memory)));
                self.as_i64(self.layout.address_types[memory as usize]);
                self.put(Instruction::I64Const(16));
                self.put(Instruction::I64Shl);
                ValType::I64
            }
        };
        self.as_i64(ty);
    }

    fn as_i64(&mut self, ty: ValType) {
        match ty {
            ValType::I32 => self.put(Instruction::I64ExtendI32U),
            ValType::F32 => {
                self.put(Instruction::I32ReinterpretF32);
                self.put(Instruction::I64ExtendI32U);
            }
            ValType::F64 => self.put(Instruction::I64ReinterpretF64),
            _ => {}
        }
    }

    fn put_from_i64(&mut self, ty: ValType) {
        match ty {
            ValType::I32 => self.put(Instruction::I32WrapI64),
            ValType::F32 => {
                self.put(Instruction::I32WrapI64);
                self.put(Instruction::F32ReinterpretI32);
            }
            ValType::F64 => self.put(Instruction::F64ReinterpretI64),
            _ => {}
        }
    }

    /// Tells the host, if any memory is symbolic or all of it is looked at.
    fn tell(&mut self, kind: i64, operands: &[(u32, ValType)], offset: u32) {
        let conditional = !self.variant.sees_cells();
        if conditional {
            self.put(Instruction::GlobalGet(self.layout.taint_global));
            self.put(Instruction::I64Const(CELLS as i64));
            self.put(Instruction::I64And);
            self.put(Instruction::I64Const(0));
            self.put(Instruction::I64Ne);
            self.unlikely_if();
        }
        self.put(Instruction::I64Const((i64::from(offset) << 8) | kind));
        for &(operand, ty) in operands {
            self.put(Instruction::LocalGet(operand));
            self.as_i64(ty);
        }
        for _ in operands.len()..3 {
            self.put(Instruction::I64Const(0));
        }
        self.put(Instruction::Call(self.layout.host(HostFunction::Bulk)));
        if conditional {
            self.put(Instruction::End);
        }
    }

    /// Tells the host what it would not see otherwise.
    fn beyond(&mut self, beyond: Beyond, offset: u32) {
        self.put(Instruction::I64Const((i64::from(offset) << 8) | BEYOND));
        self.put(Instruction::I64Const(beyond.number()));
        self.put(Instruction::I64Const(0));
        self.put(Instruction::I64Const(0));
        self.put(Instruction::Call(self.layout.host(HostFunction::Bulk)));
    }

    /// `memory.grow`, for the flags first: as large as the memory is going to be.
    fn grow(&mut self, delta: u32) {
        let (main, flags) = (0, self.layout.flags_memory);
        let ty = self.layout.address_types[0];
        let is_32 = ty == ValType::I32;
        let block_type = if is_32 { wasm_encoder::ValType::I32 } else { wasm_encoder::ValType::I64 };
        let minus_one = if is_32 { Instruction::I32Const(-1) } else { Instruction::I64Const(-1) };
        let equals = if is_32 { Instruction::I32Eq } else { Instruction::I64Eq };
        self.put(Instruction::Drop);
        self.put(Instruction::Block(BlockType::Result(block_type)));
        self.put(Instruction::MemorySize(main));
        self.as_i64(ty);
        self.put(Instruction::LocalGet(delta));
        self.as_i64(ty);
        self.put(Instruction::I64Add);
        self.put(Instruction::MemorySize(flags));
        self.as_i64(ty);
        self.put(Instruction::I64Sub);
        self.put(Instruction::LocalTee(self.flags()));
        self.put(Instruction::I64Const(0));
        self.put(Instruction::I64GtS);
        self.put(Instruction::LocalGet(self.flags()));
        self.put(Instruction::I64Const(0xffff_ffff));
        self.put(Instruction::I64LeU);
        self.put(Instruction::I32And);
        self.put(Instruction::If(BlockType::Empty));
        self.put(Instruction::LocalGet(self.flags()));
        if is_32 {
            self.put(Instruction::I32WrapI64);
        }
        self.put(Instruction::MemoryGrow(flags));
        self.put(minus_one.clone());
        self.put(equals);
        self.put(Instruction::If(BlockType::Empty));
        self.put(minus_one);
        self.put(Instruction::Br(2));
        self.put(Instruction::End);
        self.put(Instruction::End);
        self.put(Instruction::LocalGet(delta));
        self.put(Instruction::MemoryGrow(main));
        self.put(Instruction::End);
    }
}

/// What the host is told of `memory.copy`, `fill` and `init`.
fn bulk_kind(operator: &Operator<'_>) -> Option<i64> {
    match *operator {
        Operator::MemoryCopy { dst_mem: 0, src_mem: 0 } => Some(COPY),
        Operator::MemoryCopy { src_mem: 0, .. } => Some(COPY_OUT),
        Operator::MemoryCopy { dst_mem: 0, .. }
        | Operator::MemoryFill { mem: 0 }
        | Operator::MemoryInit { mem: 0, .. } => Some(OVERWRITE),
        _ => None,
    }
}

/// The segment that is dropped.
fn dropped_segment(operator: &Operator<'_>) -> Option<SegmentIndex> {
    match *operator {
        Operator::DataDrop { data_index } => Some(SegmentIndex::Data(data_index)),
        Operator::ElemDrop { elem_index } => Some(SegmentIndex::Element(elem_index)),
        _ => None,
    }
}
