//! Random modules with dense data flow.
//!
//! Nearly every value depends on the arguments: arithmetic of all number types over a few locals, loads and stores through
//! masked addresses into a few cells, selects, switches, branches, short loops, calls, exceptions, bulk operators, some
//! SIMD. Operators that trap are mostly kept from it. So runs have many events of every kind, which the other
//! generators seldom give.

mod expression;

use super::generate::Random;
use wasm_encoder::{
    BlockType, Catch, CodeSection, ConstExpr, DataSection, ElementSection, Elements, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, GlobalType, Instruction as I, MemorySection,
    MemoryType, Module, RefType, TableSection, TableType, TagKind, TagSection, TagType, TypeSection, ValType,
};

/// The most statements that a function may have.
pub(super) const MAX_STATEMENTS: usize = 40;

/// The types of the parameters; there are globals of the same types.
const TYPES: [ValType; 4] = [ValType::I32, ValType::I64, ValType::F32, ValType::F64];
const LOCALS_PER_TYPE: u32 = 3;
const FUNCTIONS: u32 = 3;
const MAX_DEPTH: u32 = 4;
/// The type of all functions, and that of the tag.
const FUNCTION_TYPE: u32 = 0;
const TAG_TYPE: u32 = 1;
/// Where the locals that count loops begin.
const COUNTERS: u32 = TYPES.len() as u32 * (1 + LOCALS_PER_TYPE);

/// A module whose functions have at most so many statements.
pub(super) fn module(seed: u64, statements: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let memory64 = random.below(4) == 0;
    let mut types = TypeSection::new();
    types.ty().function(TYPES, [ValType::I32]);
    types.ty().function([ValType::I32], []);
    let (mut functions, mut exports, mut code) =
        (FunctionSection::new(), ExportSection::new(), CodeSection::new());
    for index in 0..FUNCTIONS {
        functions.function(FUNCTION_TYPE);
        exports.export(&format!("f{index}"), ExportKind::Func, index);
        code.function(&Code::function(&mut random, index, statements, memory64));
    }
    let mut memories = MemorySection::new();
    for (index, memory64) in (0..).zip([memory64, false]) {
        let (minimum, maximum) = (1, Some(3));
        memories.memory(MemoryType { minimum, maximum, memory64, shared: false, page_size_log2: None });
        exports.export(&format!("memory{index}"), ExportKind::Memory, index);
    }
    let mut globals = GlobalSection::new();
    let values = [
        ConstExpr::i32_const(7),
        ConstExpr::i64_const(-7),
        ConstExpr::f32_const(1.5_f32.into()),
        ConstExpr::f64_const((-0.25_f64).into()),
    ];
    for (index, (val_type, value)) in (0..).zip(TYPES.into_iter().zip(values)) {
        globals.global(GlobalType { val_type, mutable: true, shared: false }, &value);
        exports.export(&format!("global{index}"), ExportKind::Global, index);
    }
    let mut tags = TagSection::new();
    tags.tag(TagType { kind: TagKind::Exception, func_type_idx: TAG_TYPE });
    let mut tables = TableSection::new();
    let minimum = u64::from(FUNCTIONS);
    let element_type = RefType::FUNCREF;
    tables.table(TableType { element_type, minimum, maximum: None, table64: false, shared: false });
    let mut elements = ElementSection::new();
    let all: Vec<u32> = (0..FUNCTIONS).collect();
    elements.active(None, &ConstExpr::i32_const(0), Elements::Functions(all.into()));
    let mut data = DataSection::new();
    let start = if memory64 { ConstExpr::i64_const(0) } else { ConstExpr::i32_const(0) };
    data.active(0, &start, (0..64).map(|_| random.next() as u8));
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&tables).section(&memories).section(&tags);
    module.section(&globals).section(&exports).section(&elements).section(&code).section(&data);
    module.finish()
}

/// A function that is being made.
struct Code<'r> {
    random: &'r mut Random,
    code: Function,
    /// The function's number; it calls only those after it, so that runs end.
    index: u32,
    /// How many more statements it may have.
    budget: usize,
    /// How many statements the current one is inside of.
    depth: u32,
    /// Whether addresses of memory 0 have 64 bits.
    memory64: bool,
}

impl<'r> Code<'r> {
    fn function(random: &'r mut Random, index: u32, statements: usize, memory64: bool) -> Function {
        let mut locals = TYPES.map(|ty| (LOCALS_PER_TYPE, ty)).to_vec();
        locals.push((MAX_DEPTH + 1, ValType::I32));
        let code = Function::new(locals);
        let budget = 1 + random.below(statements.max(1));
        let mut function = Code { random, code, index, budget, depth: 0, memory64 };
        while function.budget > 0 {
            function.statement();
        }
        function.expression(ValType::I32, 2);
        function.emit(I::End);
        function.code
    }

    fn emit(&mut self, instruction: I<'_>) {
        self.code.instruction(&instruction);
    }

    fn some_type(&mut self) -> ValType {
        // Integers are what most programs compute with.
        self.random.pick(&[
            ValType::I32,
            ValType::I32,
            ValType::I64,
            ValType::I64,
            ValType::F32,
            ValType::F64,
        ])
    }

    /// A parameter or local of a type.
    fn local(&mut self, ty: ValType) -> u32 {
        let place = TYPES.iter().position(|&one| one == ty).expect("one of the types") as u32;
        match self.random.below(1 + LOCALS_PER_TYPE as usize) as u32 {
            0 => place,
            local => TYPES.len() as u32 + place * LOCALS_PER_TYPE + local - 1,
        }
    }

    fn set_local(&mut self, ty: ValType) {
        let local = self.local(ty);
        self.emit(I::LocalSet(local));
    }

    fn statements(&mut self) {
        self.depth += 1;
        for _ in 0..self.random.below(4) {
            if self.budget > 0 {
                self.statement();
            }
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        let nested = self.depth < MAX_DEPTH;
        match self.random.below(20) {
            0..=4 => {
                let ty = self.some_type();
                self.expression(ty, 3);
                self.set_local(ty);
            }
            5 => {
                let global = self.random.below(TYPES.len());
                self.expression(TYPES[global], 3);
                self.emit(I::GlobalSet(global as u32));
            }
            6..=8 => self.store(),
            9..=10 if nested => self.branch(),
            11 if nested => self.switch(),
            12 if nested => self.repeat(),
            13 if nested => self.catching(),
            14 => self.bulk(),
            15 if self.index + 1 < FUNCTIONS => self.call(),
            16 => self.vector(),
            17 if self.depth > 0 => {
                self.expression(ValType::I32, 2);
                self.emit(I::If(BlockType::Empty));
                self.expression(ValType::I32, 2);
                self.emit(I::Return);
                self.emit(I::End);
            }
            18 => self.grow(),
            _ => {
                self.expression(ValType::I32, 3);
                self.set_local(ValType::I32);
            }
        }
    }

    fn branch(&mut self) {
        self.expression(ValType::I32, 3);
        self.emit(I::If(BlockType::Empty));
        self.statements();
        if self.random.below(2) == 0 {
            self.emit(I::Else);
            self.statements();
        }
        self.emit(I::End);
    }

    /// Some cases, each of which goes on into the next or leaves.
    fn switch(&mut self) {
        let targets = 2 + self.random.below(3) as u32;
        for _ in 0..=targets {
            self.emit(I::Block(BlockType::Empty));
        }
        self.masked(15);
        let cases: Vec<u32> =
            (0..self.random.below(12)).map(|_| self.random.below(targets as usize) as u32).collect();
        let default = self.random.below(targets as usize) as u32;
        self.emit(I::BrTable(cases.into(), default));
        self.emit(I::End);
        for place in 1..=targets {
            self.statements();
            if self.random.below(2) == 0 {
                self.emit(I::Br(targets - place));
            }
            self.emit(I::End);
        }
    }

    /// A loop of at most three rounds, often as many as an argument says.
    fn repeat(&mut self) {
        let counter = COUNTERS + self.depth;
        match self.random.below(2) {
            0 => self.emit(I::I32Const(3)),
            _ => self.masked(3),
        }
        self.emit(I::LocalSet(counter));
        self.emit(I::Block(BlockType::Empty));
        self.emit(I::Loop(BlockType::Empty));
        for instruction in [I::LocalGet(counter), I::I32Eqz, I::BrIf(1)] {
            self.emit(instruction);
        }
        self.statements();
        for instruction in [I::LocalGet(counter), I::I32Const(1), I::I32Sub, I::LocalSet(counter), I::Br(0)] {
            self.emit(instruction);
        }
        self.emit(I::End);
        self.emit(I::End);
    }

    /// An exception that may be thrown, with a payload that becomes a local.
    fn catching(&mut self) {
        self.emit(I::Block(BlockType::Result(ValType::I32)));
        self.emit(I::TryTable(BlockType::Empty, vec![Catch::One { tag: 0, label: 0 }].into()));
        self.statements();
        self.expression(ValType::I32, 2);
        self.emit(I::If(BlockType::Empty));
        self.expression(ValType::I32, 2);
        self.emit(I::Throw(0));
        self.emit(I::End);
        self.emit(I::End);
        self.expression(ValType::I32, 1);
        self.emit(I::End);
        self.set_local(ValType::I32);
    }

    fn call(&mut self) {
        for ty in TYPES {
            self.expression(ty, 2);
        }
        let callee = self.index + 1;
        if callee + 1 < FUNCTIONS && self.random.below(2) == 0 {
            self.masked(1);
            self.emit(I::I32Const(callee as i32));
            self.emit(I::I32Add);
            self.emit(I::CallIndirect { type_index: FUNCTION_TYPE, table_index: 0 });
        } else {
            self.emit(I::Call(callee));
        }
        self.set_local(ValType::I32);
    }

    /// Bytes filled or copied, often beside each other.
    fn bulk(&mut self) {
        let mem = self.random.below(2) as u32;
        let copy = self.random.below(2) == 0;
        self.masked_for(mem, 63);
        if copy {
            self.masked_for(mem, 63);
        } else {
            self.expression(ValType::I32, 2);
        }
        self.masked_for(mem, 7);
        self.emit(if copy { I::MemoryCopy { src_mem: mem, dst_mem: mem } } else { I::MemoryFill(mem) });
    }

    fn grow(&mut self) {
        let mem = self.random.below(2) as u32;
        self.masked_for(mem, 1);
        self.emit(I::MemoryGrow(mem));
        if mem == 0 && self.memory64 {
            self.emit(I::I32WrapI64);
        }
        self.set_local(ValType::I32);
    }

    /// A vector stored or loaded.
    fn vector(&mut self) {
        let memarg = self.address();
        if self.random.below(2) == 0 {
            self.expression(ValType::I64, 2);
            self.emit(I::I64x2Splat);
            self.emit(I::V128Store(memarg));
        } else {
            self.emit(I::V128Load(memarg));
            self.emit(I::I32x4ExtractLane(2));
            self.set_local(ValType::I32);
        }
    }
}
