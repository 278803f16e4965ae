//! Control flow that carries data: constructs with parameters and results, branches with values, calls.
//!
//! Every branch back to a loop is counted, so that runs end.

use super::code::{COUNTERS, Code, Frame, Kind};
use super::shape::{SLOTS, Signature, any_scalar, some};
use wasm_encoder::{Instruction, ValType};

/// Constructs inside each other.
const MAX_DEPTH: usize = 7;
/// One in so many branches that stand outside of all constructs does leave the function.
const LEFT_EARLY: usize = 10;
/// A switch may have so many cases.
const MAX_CASES: usize = 20;

/// A label: how far out it is, what a branch to it carries, and whether that goes back.
#[derive(Clone)]
struct Label {
    depth: u32,
    types: Vec<ValType>,
    backward: bool,
}

impl Code<'_> {
    pub(super) fn is_deep(&self) -> bool {
        self.frames.len() > MAX_DEPTH
    }

    /// A signature whose parameters are then on the stack.
    fn construct(&mut self) -> Signature {
        let signature = Signature { params: some(&mut self.random, 4), results: some(&mut self.random, 4) };
        self.need(&signature.params);
        signature
    }

    pub(super) fn block(&mut self) {
        if self.is_deep() {
            return;
        }
        let signature = self.construct();
        self.open(&Instruction::Block, signature, Kind::Forward);
        self.statements();
        self.close();
    }

    /// An `if`, with or without `else`.
    pub(super) fn conditional_block(&mut self) {
        if self.is_deep() {
            return;
        }
        let mut signature =
            Signature { params: some(&mut self.random, 4), results: some(&mut self.random, 4) };
        let one_sided = self.one_in(2);
        if one_sided {
            signature.results.clone_from(&signature.params);
        }
        let mut needed = signature.params.clone();
        needed.push(ValType::I32);
        self.need(&needed);
        let params = signature.params.clone();
        self.open(&Instruction::If, signature, Kind::Forward);
        self.statements();
        if !one_sided {
            self.otherwise(&params);
            self.statements();
        }
        self.close();
    }

    /// A loop that branches to its head go back to.
    pub(super) fn looped(&mut self) {
        if self.is_deep() {
            return;
        }
        let signature = self.construct();
        let label = Label { depth: 0, types: signature.params.clone(), backward: true };
        self.open(&Instruction::Loop, signature, Kind::Backward);
        self.statements();
        self.branch_if_to(&label);
        self.close();
    }

    /// A loop whose counter runs to a limit, which may be symbolic.
    pub(super) fn counted_loop(&mut self) {
        if self.is_deep() || self.counters_in_use == COUNTERS {
            return;
        }
        let counter = self.counter(self.counters_in_use);
        self.set_constant(counter, 0);
        let signature = self.construct();
        let params = signature.params.clone();
        self.counters_in_use += 1;
        self.open(&Instruction::Loop, signature, Kind::Backward);
        self.statements();
        self.counters_in_use -= 1;
        self.need(&params);
        self.get(counter);
        self.i32(1);
        self.apply(&Instruction::I32Add, 2, &[ValType::I32]);
        self.apply(&Instruction::LocalTee(counter), 1, &[ValType::I32]);
        if self.one_in(3) {
            self.masked(3);
        } else {
            let limit = 2 + self.random.below(3) as i32;
            self.i32(limit);
        }
        self.apply(&Instruction::I32LtS, 2, &[ValType::I32]);
        self.apply(&Instruction::BrIf(0), 1, &[]);
        self.close();
    }

    /// A local that is a constant in every other round of a loop.
    pub(super) fn alternate(&mut self) {
        if self.is_deep() {
            return;
        }
        let ty = any_scalar(&mut self.random);
        let local = self.local(ty);
        let counter = self.counter(self.counters_in_use.saturating_sub(1));
        self.get(counter);
        self.i32(1);
        self.apply(&Instruction::I32And, 2, &[ValType::I32]);
        self.open(&Instruction::If, Signature::default(), Kind::Forward);
        self.constant(ty);
        self.set(local);
        self.otherwise(&[]);
        self.expression(ty);
        self.set(local);
        self.close();
    }

    fn label(&mut self) -> Label {
        let mut depth = self.random.below(self.frames.len());
        // What leaves the function ends the run, or much of it.
        if depth + 1 == self.frames.len() && !self.one_in(4) {
            depth = self.random.below(self.frames.len());
        }
        self.labels().swap_remove(depth)
    }

    /// The labels from the innermost out.
    fn labels(&self) -> Vec<Label> {
        let label = |(depth, frame): (u32, &Frame)| Label {
            depth,
            types: frame.label.clone(),
            backward: frame.kind == Kind::Backward,
        };
        (0..).zip(self.frames.iter().rev()).map(label).collect()
    }

    pub(super) fn branch_if(&mut self) {
        if self.frames.len() == 1 && !self.one_in(LEFT_EARLY) {
            return self.push_value();
        }
        let label = self.label();
        self.branch_if_to(&label);
    }

    fn branch_if_to(&mut self, label: &Label) {
        let mut needed = label.types.clone();
        needed.push(ValType::I32);
        self.need(&needed);
        if label.backward {
            self.i32(0);
            self.count_round();
            self.apply(&Instruction::Select, 3, &[ValType::I32]);
        }
        self.apply(&Instruction::BrIf(label.depth), 1, &[]);
    }

    /// Blocks inside each other, and a switch in the innermost that goes to the ends of any.
    pub(super) fn switch(&mut self) {
        let blocks = 2 + self.random.below(3);
        if self.frames.len() + blocks > MAX_DEPTH {
            return;
        }
        let results = some(&mut self.random, 3);
        for _ in 0..blocks {
            self.open(&Instruction::Block, Signature::giving(&results), Kind::Forward);
        }
        self.need(&results);
        self.masked(15);
        let cases: Vec<u32> =
            (0..1 + self.random.below(MAX_CASES)).map(|_| self.random.below(blocks) as u32).collect();
        let default = self.random.below(blocks) as u32;
        self.apply(&Instruction::BrTable(cases.into(), default), 1, &[]);
        self.die();
        for _ in 0..blocks {
            self.close();
            self.statements();
        }
    }

    /// A statement that control does not come out of, if there is one here.
    pub(super) fn leave(&mut self) {
        if self.frames.len() == 1 {
            return self.push_value();
        }
        match self.random.below(7) {
            0 => self.branch(),
            1 => self.branch_table(),
            2 => self.return_values(),
            3 => self.throw(),
            4 => self.throw_reference(),
            5 => self.tail_call(),
            _ if self.hazard() => {
                self.apply(&Instruction::Unreachable, 0, &[]);
                self.die();
            }
            _ => self.branch_if(),
        }
    }

    fn push_value(&mut self) {
        self.any_expression();
    }

    fn branch(&mut self) {
        let label = self.label();
        if label.backward {
            return self.branch_if_to(&label);
        }
        self.need(&label.types);
        self.apply(&Instruction::Br(label.depth), 0, &[]);
        self.die();
    }

    /// A switch to any labels that take the same; the default does not go back, so that runs can end.
    fn branch_table(&mut self) {
        let default = self.label();
        if default.backward {
            return self.branch_if_to(&default);
        }
        let fitting: Vec<Label> =
            self.labels().into_iter().filter(|label| label.types == default.types).collect();
        let mut cases = Vec::new();
        let mut backward = false;
        for _ in 0..self.random.below(MAX_CASES) {
            let label = &fitting[self.random.below(fitting.len())];
            cases.push(label.depth);
            backward |= label.backward;
        }
        self.need(&default.types);
        self.masked(15);
        if backward {
            self.i32(-1);
            self.count_round();
            self.apply(&Instruction::Select, 3, &[ValType::I32]);
        }
        self.apply(&Instruction::BrTable(cases.into(), default.depth), 1, &[]);
        self.die();
    }

    fn return_values(&mut self) {
        let results = &self.shape.signature(self.function).results;
        self.need(results);
        self.apply(&Instruction::Return, 0, &[]);
        self.die();
    }

    /// What follows when control has left: valid, never run.
    pub(super) fn dead_code(&mut self) {
        match self.random.below(5) {
            0 => self.statement(),
            // On an empty stack, operands of any type are there.
            1 if self.own_stack().is_empty() => self.apply(&Instruction::I32Add, 0, &[ValType::I32]),
            2 if self.own_stack().is_empty() => {
                self.apply(&Instruction::F64Sqrt, 0, &[ValType::F64]);
                self.statement();
            }
            3 => {
                self.apply(&Instruction::Unreachable, 0, &[]);
                self.die();
            }
            _ => {}
        }
    }

    /// The index of a table slot that holds a function of that signature.
    pub(super) fn slot(&mut self, group: usize) {
        if self.hazard() {
            self.masked(31);
            return;
        }
        self.masked(SLOTS as i32 - 1);
        self.i32((group as u32 * SLOTS) as i32);
        self.apply(&Instruction::I32Add, 2, &[ValType::I32]);
    }

    pub(super) fn call(&mut self) {
        if self.function == 0 {
            return self.push_value();
        }
        let function = self.random.below(self.shape.functions.len());
        let Signature { params, results } = self.shape.signature(function);
        self.need(params);
        self.apply(&Instruction::Call(self.shape.index(function)), params.len(), results);
    }

    pub(super) fn call_indirect(&mut self) {
        if self.function == 0 {
            return self.push_value();
        }
        let group = self.random.below(self.shape.own_signatures);
        let signature = &self.shape.signatures[group];
        self.need(&signature.params);
        self.slot(group);
        let instruction =
            Instruction::CallIndirect { type_index: self.shape.type_index(signature), table_index: 0 };
        self.apply(&instruction, signature.params.len() + 1, &signature.results);
    }

    /// A call instead of a return, direct or not, if a function has the same results.
    pub(super) fn tail_call(&mut self) {
        let own = &self.shape.signature(self.function).results;
        let groups = 0..self.shape.own_signatures;
        let fitting: Vec<usize> =
            groups.filter(|&group| self.shape.signatures[group].results == *own).collect();
        let group = self.random.pick(&fitting);
        let functions = self.shape.functions_with(group);
        if self.function == 0 {
            return;
        }
        let signature = &self.shape.signatures[group];
        self.need(&signature.params);
        let instruction = if self.one_in(2) {
            Instruction::ReturnCall(self.random.pick(&functions))
        } else {
            self.slot(group);
            Instruction::ReturnCallIndirect { type_index: self.shape.type_index(signature), table_index: 0 }
        };
        self.apply(&instruction, 0, &[]);
        self.die();
    }
}
