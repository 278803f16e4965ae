//! The code of one function while it is written: the types on the operand stack, the open constructs, the locals.
//!
//! Every instruction goes through `apply`, which keeps the types on the stack; what is written is valid because
//! each instruction finds its operands there.

use super::super::generate::Random;
use super::shape::{CALLS_LEFT, EXN, FUNC, SCALARS, Shape, Signature};
use wasm_encoder::{BlockType, Function, Instruction, ValType};

/// Locals of each scalar type: enough that a segment can have more inputs than registers.
const LOCALS_PER_SCALAR: usize = 4;
/// Counted loops inside each other.
pub(super) const COUNTERS: usize = 3;
/// One in so many functions begins with no more symbolic values than its parameters.
const SPARSE: usize = 6;
/// More values of one construct than this do not stay on the stack.
const MAX_HEIGHT: usize = 12;

/// An open construct.
pub(super) struct Frame {
    /// Where its part of the stack begins.
    base: usize,
    results: Vec<ValType>,
    /// What a branch to its label carries.
    pub(super) label: Vec<ValType>,
    pub(super) kind: Kind,
    /// Whether control cannot get here.
    dead: bool,
}

/// What a construct means for branches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A branch to it goes on behind it.
    Forward,
    /// A loop: a branch to it goes back, so it must be counted.
    Backward,
    /// A loop that counts its rounds itself: any branch may go back to it.
    SelfCounting,
    /// Like a block; something thrown in it is caught.
    Catching,
}

/// A function that is being written.
pub(super) struct Code<'a> {
    pub(super) random: Random,
    pub(super) shape: &'a Shape,
    pub(super) function: usize,
    out: Function,
    /// Types of the parameters, then of the locals that any code may set, then of counters and `rounds_left`.
    locals: Vec<ValType>,
    stack: Vec<ValType>,
    pub(super) frames: Vec<Frame>,
    /// Statements that may still be written.
    pub(super) budget: usize,
    /// Counters that open loops use.
    pub(super) counters_in_use: usize,
    /// How deep in an expression we are.
    pub(super) nesting: usize,
}

impl<'a> Code<'a> {
    /// A function of a module, with at most so many statements.
    pub(super) fn function(shape: &'a Shape, random: Random, function: usize, statements: usize) -> Function {
        let signature = shape.signature(function);
        let mut locals = signature.params.clone();
        for _ in 0..LOCALS_PER_SCALAR {
            locals.extend(SCALARS);
        }
        locals.extend([ValType::V128, ValType::V128, FUNC, EXN]);
        locals.extend([ValType::I32; COUNTERS + 1]);
        let declared = locals[signature.params.len()..].iter().copied();
        let mut code = Code {
            random,
            shape,
            function,
            out: Function::new_with_locals_types(declared),
            locals,
            stack: Vec::new(),
            frames: Vec::new(),
            budget: statements,
            counters_in_use: 0,
            nesting: 0,
        };
        code.enter(&Signature::giving(&signature.results), Kind::Forward);
        code.count_call();
        code.set_constant(code.rounds_left(), shape.rounds);
        if !code.parameters().is_empty() && !code.one_in(SPARSE) {
            code.spread_parameters();
        }
        code.begin_with_input();
        code.statements();
        if code.one_in(2) {
            code.account();
        }
        if code.random.below(4) == 0 {
            code.tail_call();
        }
        code.end_with_service();
        code.close();
        code.out
    }

    /// Writes an instruction that takes so many values and leaves these.
    pub(super) fn apply(&mut self, instruction: &Instruction<'_>, operands: usize, results: &[ValType]) {
        self.out.instruction(instruction);
        self.stack.truncate(self.stack.len() - operands);
        self.stack.extend(results);
    }

    pub(super) fn i32(&mut self, number: i32) {
        self.apply(&Instruction::I32Const(number), 0, &[ValType::I32]);
    }

    pub(super) fn get(&mut self, local: u32) {
        let ty = self.locals[local as usize];
        self.apply(&Instruction::LocalGet(local), 0, &[ty]);
    }

    pub(super) fn set(&mut self, local: u32) {
        self.apply(&Instruction::LocalSet(local), 1, &[]);
    }

    pub(super) fn set_constant(&mut self, local: u32, number: i32) {
        self.i32(number);
        self.set(local);
    }

    /// One in so many.
    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    /// Whether to leave out what keeps an operator from trapping.
    pub(super) fn hazard(&mut self) -> bool {
        self.one_in(self.shape.hazard)
    }

    /// A local of that type that may be set.
    pub(super) fn local(&mut self, ty: ValType) -> u32 {
        let fitting = self.locals_of(ty);
        self.random.pick(&fitting)
    }

    /// The locals of that type that may be set.
    pub(super) fn locals_of(&self, ty: ValType) -> Vec<u32> {
        let free = &self.locals[..self.counter(0) as usize];
        (0..).zip(free).filter(|&(_, own)| *own == ty).map(|(index, _)| index).collect()
    }

    /// The types of the parameters.
    pub(super) fn parameters(&self) -> &'a [ValType] {
        &self.shape.signature(self.function).params
    }

    /// A local of that type that is no parameter.
    pub(super) fn declared_local(&mut self, ty: ValType) -> u32 {
        let parameters = self.parameters().len() as u32;
        let fitting: Vec<u32> = self.locals_of(ty).into_iter().filter(|&local| local >= parameters).collect();
        self.random.pick(&fitting)
    }

    /// The counter of the loops that are so deep.
    pub(super) fn counter(&self, depth: usize) -> u32 {
        (self.locals.len() - 1 - COUNTERS + depth) as u32
    }

    fn rounds_left(&self) -> u32 {
        (self.locals.len() - 1) as u32
    }

    /// Ends the function if the run has made all its calls. The first function makes none, and so begins with code of interest.
    fn count_call(&mut self) {
        if self.function == 0 {
            return;
        }
        let left = Instruction::GlobalGet(CALLS_LEFT);
        self.apply(&left, 0, &[ValType::I32]);
        self.apply(&Instruction::I32Eqz, 1, &[ValType::I32]);
        self.open(&Instruction::If, Signature::default(), Kind::Forward);
        for ty in self.shape.signature(self.function).results.clone() {
            self.constant(ty);
        }
        self.apply(&Instruction::Return, 0, &[]);
        self.die();
        self.close();
        self.apply(&left, 0, &[ValType::I32]);
        self.i32(1);
        self.apply(&Instruction::I32Sub, 2, &[ValType::I32]);
        self.apply(&Instruction::GlobalSet(CALLS_LEFT), 1, &[]);
    }

    /// Leaves on the stack whether there may be another round of a loop.
    pub(super) fn count_round(&mut self) {
        let left = self.rounds_left();
        self.get(left);
        self.i32(1);
        self.apply(&Instruction::I32Sub, 2, &[ValType::I32]);
        self.apply(&Instruction::LocalTee(left), 1, &[ValType::I32]);
        self.i32(0);
        self.apply(&Instruction::I32GtS, 2, &[ValType::I32]);
    }

    /// The types on the stack that belong to the innermost construct.
    pub(super) fn own_stack(&self) -> &[ValType] {
        &self.stack[self.frame().base..]
    }

    fn frame(&self) -> &Frame {
        self.frames.last().expect("inside a function")
    }

    pub(super) fn is_dead(&self) -> bool {
        self.frame().dead
    }

    /// Notes that control does not come here.
    pub(super) fn die(&mut self) {
        let frame = self.frames.last_mut().expect("inside a function");
        frame.dead = true;
        self.stack.truncate(frame.base);
    }

    /// Makes sure that values of these types are on top of the stack, mostly with what is there already.
    pub(super) fn need(&mut self, types: &[ValType]) {
        let reusable = (0..=types.len()).rev().find(|&count| self.own_stack().ends_with(&types[..count]));
        let reused = if self.one_in(4) { 0 } else { reusable.unwrap_or(0) };
        for &ty in &types[reused..] {
            self.expression(ty);
        }
    }

    /// Begins a construct; its parameters are on the stack.
    pub(super) fn open(
        &mut self,
        begin: &dyn Fn(BlockType) -> Instruction<'static>,
        signature: Signature,
        kind: Kind,
    ) {
        let ty = match (&signature.params[..], &signature.results[..]) {
            ([], []) => BlockType::Empty,
            ([], &[result]) => BlockType::Result(result),
            _ => BlockType::FunctionType(self.shape.type_index(&signature)),
        };
        let condition = usize::from(matches!(begin(ty), Instruction::If(_)));
        self.apply(&begin(ty), condition, &[]);
        self.enter(&signature, kind);
    }

    fn enter(&mut self, signature: &Signature, kind: Kind) {
        let base = self.stack.len() - signature.params.len();
        let goes_back = matches!(kind, Kind::Backward | Kind::SelfCounting);
        let label = if goes_back { &signature.params } else { &signature.results };
        let (label, results) = (label.clone(), signature.results.clone());
        self.frames.push(Frame { base, results, label, kind, dead: false });
    }

    /// Begins the other half of an `if` with these parameters.
    pub(super) fn otherwise(&mut self, params: &[ValType]) {
        self.balance();
        self.die();
        self.apply(&Instruction::Else, 0, params);
        self.frames.last_mut().expect("inside a function").dead = false;
    }

    /// Ends the innermost construct.
    pub(super) fn close(&mut self) {
        self.balance();
        self.out.instruction(&Instruction::End);
        self.frames.pop();
    }

    /// Leaves exactly the results of the construct on its part of the stack.
    fn balance(&mut self) {
        let results = self.frame().results.clone();
        while !results.starts_with(self.own_stack()) {
            self.sink();
        }
        let there = self.own_stack().len();
        for &ty in &results[there..] {
            self.expression(ty);
        }
    }

    /// Takes values from a stack that has grown too high.
    pub(super) fn trim(&mut self) {
        while self.own_stack().len() > MAX_HEIGHT {
            self.sink();
        }
    }
}
