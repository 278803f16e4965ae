//! The module of a plan: a memory, a function for each chunk, and one for each stage that calls its chunks.

use super::operator;
use super::plan::{Plan, Step};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ExportKind, ExportSection, Function, FunctionSection, Instruction,
    MemArg, MemorySection, MemoryType, Module, TypeSection, ValType,
};

/// The name of the memory.
pub(super) const MEMORY: &str = "memory";

/// The name of the function of a stage.
pub(super) fn stage_name(stage: usize) -> String {
    format!("stage{stage}")
}

const PAGE: u64 = 1 << 16;
/// Locals besides those of steps, for operators that need an operand, or what they made of it, more than once.
const SCRATCH: u32 = 2;

/// The module.
pub(super) fn module(plan: &Plan) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], []);
    let (mut functions, mut code, mut exports) =
        (FunctionSection::new(), CodeSection::new(), ExportSection::new());
    let mut count = 0;
    let mut add = |function: Function| {
        functions.function(0);
        code.function(&function);
        count += 1;
        count - 1
    };
    for (number, chunks) in plan.stages.iter().enumerate() {
        let chunks: Vec<u32> = chunks.iter().map(|chunk| add(chunk_code(plan, chunk))).collect();
        let mut stage = Function::new([]);
        chunks.into_iter().for_each(|chunk| {
            stage.instruction(&Instruction::Call(chunk));
        });
        stage.instruction(&Instruction::End);
        exports.export(&stage_name(number), ExportKind::Func, add(stage));
    }
    exports.export(MEMORY, ExportKind::Memory, 0);
    let bytes = 8 * (u64::from(plan.slot_count) + plan.arrays.len() as u64);
    let mut memories = MemorySection::new();
    let minimum = bytes.div_ceil(PAGE).max(1);
    memories.memory(MemoryType {
        minimum,
        maximum: Some(minimum),
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut data = DataSection::new();
    let offset = ConstExpr::i32_const((8 * plan.slot_count).cast_signed());
    let words: Vec<u8> = plan.arrays.iter().flat_map(|word| word.to_le_bytes()).collect();
    data.active(0, &offset, words);
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&exports);
    module.section(&code).section(&data);
    module.finish()
}

/// The function that computes the steps of a chunk.
fn chunk_code(plan: &Plan, chunk: &[u32]) -> Function {
    let locals = chunk.len() as u32 + SCRATCH;
    let mut body = Body { plan, chunk, function: Function::new([(locals, ValType::I64)]) };
    for (local, &step) in chunk.iter().enumerate() {
        let slot = plan.slots[step as usize];
        if slot.is_some() {
            body.add(Instruction::I32Const(0));
        }
        operator::write(&mut body, &plan.steps[step as usize]);
        match slot {
            Some(slot) => {
                body.add(Instruction::LocalTee(local as u32));
                body.add(Instruction::I64Store(word_at(8 * u64::from(slot))));
            }
            None => body.add(Instruction::LocalSet(local as u32)),
        }
    }
    body.add(Instruction::End);
    body.function
}

/// A word of the memory.
pub(super) fn word_at(offset: u64) -> MemArg {
    MemArg { offset, align: 3, memory_index: 0 }
}

/// The code of a chunk, as far as it is written.
pub(super) struct Body<'a> {
    pub(super) plan: &'a Plan,
    chunk: &'a [u32],
    function: Function,
}

impl Body<'_> {
    /// One more instruction.
    pub(super) fn add(&mut self, instruction: Instruction<'_>) {
        self.function.instruction(&instruction);
    }

    /// Pushes a number.
    pub(super) fn number(&mut self, number: u64) {
        self.add(Instruction::I64Const(number.cast_signed()));
    }

    /// Pushes the value of a step.
    pub(super) fn value(&mut self, step: u32) {
        if let Step::Constant(bits) = self.plan.steps[step as usize] {
            return self.number(bits);
        }
        match (self.chunk.binary_search(&step), self.plan.slots[step as usize]) {
            (Ok(local), _) => self.add(Instruction::LocalGet(local as u32)),
            (Err(_), slot) => {
                // Whatever another chunk computes has a slot: the plan gave it one.
                self.add(Instruction::I32Const(0));
                self.add(Instruction::I64Load(word_at(8 * u64::from(slot.unwrap_or(0)))));
            }
        }
    }

    /// One of the locals that no step has.
    pub(super) fn scratch(&self, number: u32) -> u32 {
        self.chunk.len() as u32 + number
    }
}
