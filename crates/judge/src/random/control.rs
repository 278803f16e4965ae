//! Random modules with dense control flow.
//!
//! wasm-smith knows every operator, but the functions it makes branch little. These modules are the
//! opposite: only i32s, but blocks with parameters and results, loops, branches to any label, tables,
//! exceptions, calls, tail calls and dead code, all over the same few locals. What the code computes
//! goes into a global, so that a wrong value anywhere is seen at the end.

use super::generate::Random;
use wasm_encoder::{
    BlockType, Catch, CodeSection, ConstExpr, ExportKind, ExportSection, Function, FunctionSection,
    GlobalSection, GlobalType, Instruction, Module, TagKind, TagSection, TagType, TypeSection, ValType,
};

/// Types `[i32^p] -> [i32^r]` for all p and r below this.
const ARITIES: usize = 4;
/// Tag t has t parameters.
const TAGS: u32 = 3;
const LOCALS: usize = 5;
const MAX_DEPTH: usize = 7;
const TRACE_GLOBAL: u32 = 0;

/// The most statements that a function may have.
pub(super) const MAX_STATEMENTS: usize = 150;

/// A module whose functions have at most so many statements.
pub(super) fn module(seed: u64, statements: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let signatures: Vec<Signature> = (0..1 + random.below(4)).map(|_| Signature::any(&mut random)).collect();
    let mut types = TypeSection::new();
    for index in 0..ARITIES * ARITIES {
        let i32s = |count| std::iter::repeat_n(ValType::I32, count);
        types.ty().function(i32s(index / ARITIES), i32s(index % ARITIES));
    }
    let (mut functions, mut exports, mut code) =
        (FunctionSection::new(), ExportSection::new(), CodeSection::new());
    for (index, signature) in signatures.iter().enumerate() {
        functions.function(signature.type_index());
        exports.export(&format!("f{index}"), ExportKind::Func, index as u32);
        code.function(&Code::function(&mut random, &signatures, *signature, statements));
    }
    let mut tags = TagSection::new();
    for tag in 0..TAGS {
        let func_type_idx = Signature { params: tag as usize, results: 0 }.type_index();
        tags.tag(TagType { kind: TagKind::Exception, func_type_idx });
    }
    let mut globals = GlobalSection::new();
    let ty = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    globals.global(ty, &ConstExpr::i32_const(0));
    exports.export("trace", ExportKind::Global, TRACE_GLOBAL);
    let mut module = Module::new();
    module
        .section(&types)
        .section(&functions)
        .section(&tags)
        .section(&globals)
        .section(&exports)
        .section(&code);
    module.finish()
}

/// How many i32s go in and come out.
#[derive(Clone, Copy)]
struct Signature {
    params: usize,
    results: usize,
}

impl Signature {
    const NONE: Signature = Signature { params: 0, results: 0 };

    fn any(random: &mut Random) -> Self {
        Signature { params: random.below(ARITIES), results: random.below(ARITIES) }
    }

    fn type_index(self) -> u32 {
        (self.params * ARITIES + self.results) as u32
    }
}

/// An open construct.
struct Frame {
    signature: Signature,
    /// How many values a branch to its label takes; `None` for a label that takes an exception.
    arity: Option<usize>,
    /// Values on the stack that belong to it.
    height: usize,
}

struct Code<'a> {
    random: &'a mut Random,
    functions: &'a [Signature],
    own: Signature,
    out: Function,
    frames: Vec<Frame>,
    /// Statements that may still be made.
    budget: usize,
}

impl<'a> Code<'a> {
    fn function(
        random: &'a mut Random,
        functions: &'a [Signature],
        own: Signature,
        statements: usize,
    ) -> Function {
        let locals = [(LOCALS as u32, ValType::I32), (1, ValType::Ref(wasm_encoder::RefType::EXNREF))];
        let budget = random.pick(&[20, 60, MAX_STATEMENTS]).min(statements);
        let out = Function::new(locals);
        let mut code = Code { random, functions, own, out, frames: Vec::new(), budget };
        code.frames.push(Frame { signature: own, arity: Some(own.results), height: 0 });
        code.statements();
        code.close();
        code.out
    }

    fn emit(&mut self, instruction: &Instruction<'_>) {
        self.out.instruction(instruction);
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("inside a function")
    }

    fn local(&mut self) -> u32 {
        self.random.below(self.own.params + LOCALS) as u32
    }

    fn exception_local(&self) -> u32 {
        (self.own.params + LOCALS) as u32
    }

    /// Statements until the construct has had enough of them (a function: all), or control cannot go on.
    fn statements(&mut self) {
        while self.budget > 0 && (self.frames.len() == 1 || self.random.below(10) != 0) {
            self.budget -= 1;
            if !self.statement() {
                return self.dead_code();
            }
        }
    }

    /// One statement; false if control does not come out of it.
    fn statement(&mut self) -> bool {
        match self.random.below(25) {
            0..=3 => self.push(),
            4..=5 => self.binary(),
            6..=8 => {
                let local = self.local();
                self.pop_into(&Instruction::LocalSet(local));
            }
            9 => {
                let local = self.local();
                self.need(1);
                self.emit(&Instruction::LocalTee(local));
            }
            10..=11 => self.trace(),
            12..=15 => self.construct(),
            16 => self.catch_reference(),
            17..=18 => self.branch_if(),
            19 => self.call(),
            20 => self.select(),
            _ if self.frames.len() > 1 => return !self.leave(),
            _ => self.trace(),
        }
        true
    }

    fn push(&mut self) {
        let instruction = match self.random.below(3) {
            0 => Instruction::I32Const(self.random.below(4) as i32),
            _ => Instruction::LocalGet(self.local()),
        };
        self.emit(&instruction);
        self.frame().height += 1;
    }

    /// Makes sure that there are so many values on the stack.
    fn need(&mut self, count: usize) {
        while self.frame().height < count {
            self.push();
        }
    }

    fn pop_into(&mut self, consumer: &Instruction<'_>) {
        self.need(1);
        self.emit(consumer);
        self.frame().height -= 1;
    }

    fn binary(&mut self) {
        use Instruction::*;
        self.need(2);
        let instruction = self.random.pick(&[0, 1, 2, 3, 4]);
        self.emit(&[I32Add, I32Sub, I32Xor, I32LtS, I32Eq][instruction]);
        self.frame().height -= 1;
    }

    /// trace = trace * 31 + value
    fn trace(&mut self) {
        for instruction in
            [Instruction::GlobalGet(TRACE_GLOBAL), Instruction::I32Const(31), Instruction::I32Mul]
        {
            self.emit(&instruction);
        }
        let local = self.local();
        self.emit(&Instruction::LocalGet(local));
        self.emit(&Instruction::I32Add);
        self.emit(&Instruction::GlobalSet(TRACE_GLOBAL));
    }

    fn construct(&mut self) {
        if self.frames.len() > MAX_DEPTH {
            return self.trace();
        }
        let signature = Signature::any(self.random);
        let ty = BlockType::FunctionType(signature.type_index());
        let kind = self.random.below(4);
        self.need(signature.params + usize::from(kind == 1));
        match kind {
            0 => self.open(&Instruction::Loop(ty), signature, signature.params),
            1 => {
                self.frame().height -= 1;
                self.open(&Instruction::If(ty), signature, signature.results);
            }
            2 => self.open(&Instruction::Block(ty), signature, signature.results),
            _ => {
                let catches = self.catches();
                self.open(&Instruction::TryTable(ty, catches.into()), signature, signature.results);
            }
        }
        self.statements();
        if kind == 1 && (signature.params != signature.results || self.random.below(2) == 0) {
            self.balance();
            self.emit(&Instruction::Else);
            self.frame().height = signature.params;
            self.statements();
        }
        self.close();
    }

    fn open(&mut self, instruction: &Instruction<'_>, signature: Signature, arity: usize) {
        self.emit(instruction);
        self.frame().height -= signature.params;
        self.frames.push(Frame { signature, arity: Some(arity), height: signature.params });
    }

    /// Leaves exactly the results of the construct on the stack.
    fn balance(&mut self) {
        let results = self.frame().signature.results;
        self.need(results);
        while self.frame().height > results {
            match self.frame().height {
                1 => self.pop_into(&Instruction::Drop),
                _ => self.binary(),
            }
        }
    }

    fn close(&mut self) {
        self.balance();
        self.emit(&Instruction::End);
        let frame = self.frames.pop().expect("inside a function");
        if let Some(outer) = self.frames.last_mut() {
            outer.height += frame.signature.results;
        }
    }

    /// Handlers whose labels, counted from here, take what is thrown.
    fn catches(&mut self) -> Vec<Catch> {
        let mut catches = Vec::new();
        for (label, frame) in self.frames.iter().rev().enumerate() {
            let label = label as u32;
            let Some(arity) = frame.arity else { continue };
            if self.random.below(2) == 0 && (arity as u32) < TAGS {
                let all = arity == 0 && self.random.below(2) == 0;
                catches.push(if all {
                    Catch::All { label }
                } else {
                    Catch::One { tag: arity as u32, label }
                });
            }
        }
        catches
    }

    /// Catches an exception as a value, and may throw it again.
    fn catch_reference(&mut self) {
        if self.frames.len() + 2 > MAX_DEPTH {
            return self.trace();
        }
        let exception = self.exception_local();
        self.open(&Instruction::Block(BlockType::Empty), Signature::NONE, 0);
        let reference = ValType::Ref(wasm_encoder::RefType::EXNREF);
        self.open(&Instruction::Block(BlockType::Result(reference)), Signature::NONE, 0);
        self.frame().arity = None;
        let catch = Instruction::TryTable(BlockType::Empty, vec![Catch::AllRef { label: 0 }].into());
        self.open(&catch, Signature::NONE, 0);
        self.statements();
        self.close();
        self.emit(&Instruction::Br(1));
        self.close();
        self.emit(&Instruction::LocalSet(exception));
        self.trace();
        if self.random.below(2) == 0 {
            self.emit(&Instruction::LocalGet(exception));
            self.emit(&Instruction::ThrowRef);
        }
        self.close();
    }

    /// A label and how many values it takes.
    fn label(&mut self) -> (u32, usize) {
        let labels = self.frames.iter().rev().enumerate();
        let labels: Vec<(u32, usize)> =
            labels.filter_map(|(depth, frame)| Some((depth as u32, frame.arity?))).collect();
        self.random.pick(&labels)
    }

    fn branch_if(&mut self) {
        let (depth, arity) = self.label();
        self.need(arity + 1);
        self.emit(&Instruction::BrIf(depth));
        self.frame().height -= 1;
    }

    fn select(&mut self) {
        self.need(3);
        self.emit(&Instruction::Select);
        self.frame().height -= 2;
    }

    fn call(&mut self) {
        let callee = self.random.below(self.functions.len());
        let Signature { params, results } = self.functions[callee];
        self.need(params);
        self.emit(&Instruction::Call(callee as u32));
        let frame = self.frame();
        frame.height = frame.height - params + results;
    }

    /// A statement that control does not come out of; false if none was found.
    fn leave(&mut self) -> bool {
        match self.random.below(6) {
            0 => {
                let (depth, arity) = self.label();
                self.need(arity);
                self.emit(&Instruction::Br(depth));
            }
            1 => self.branch_table(),
            2 => {
                self.need(self.own.results);
                self.emit(&Instruction::Return);
            }
            3 => {
                let tag = self.random.below(TAGS as usize);
                self.need(tag);
                self.emit(&Instruction::Throw(tag as u32));
            }
            4 => return self.tail_call(),
            _ => return false,
        }
        true
    }

    fn branch_table(&mut self) {
        let (default, arity) = self.label();
        let labels = self.frames.iter().rev().enumerate();
        let fitting: Vec<u32> = labels
            .filter_map(|(depth, frame)| (frame.arity == Some(arity)).then_some(depth as u32))
            .collect();
        let cases: Vec<u32> = (0..self.random.below(6)).map(|_| self.random.pick(&fitting)).collect();
        self.need(arity + 1);
        self.emit(&Instruction::BrTable(cases.into(), default));
    }

    fn tail_call(&mut self) -> bool {
        let callee = self.random.below(self.functions.len());
        if self.functions[callee].results != self.own.results {
            return false;
        }
        self.need(self.functions[callee].params);
        self.emit(&Instruction::ReturnCall(callee as u32));
        true
    }

    /// What follows when control has left: valid, never run.
    fn dead_code(&mut self) {
        self.frame().height = 0;
        match self.random.below(4) {
            0 => self.construct(),
            1 => {
                self.emit(&Instruction::I32Add);
                self.frame().height = 1;
            }
            _ => {}
        }
    }
}
