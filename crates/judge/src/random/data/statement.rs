//! Statements: which there are, how often, and those that only move data.

use super::code::{Code, Kind};
use super::shape::{COUNTING_GLOBALS, SCALARS, Signature, any_scalar, any_type};
use super::weighted;
use wasm_encoder::{Instruction, ValType};

type Statement = fn(&mut Code<'_>);

/// All statements, with weights.
static STATEMENTS: &[(usize, Statement)] = &[
    // Locals, globals and the operand stack.
    (9, |code| code.assign()),
    (6, |code| code.assign_constant()),
    (6, |code| code.push()),
    (5, |code| code.sink()),
    (5, |code| code.reassign_under_value()),
    (3, |code| code.exchange_global()),
    (3, |code| code.select_on_stack()),
    (2, |code| code.push_is_null()),
    (2, |code| code.change_table()),
    (1, |code| code.straight_line()),
    (1, |code| code.many_inputs()),
    // Memory.
    (9, |code| code.store()),
    (4, |code| code.overlap()),
    (4, |code| code.load_before_store()),
    (1, |code| code.store_lane()),
    (2, |code| code.copy()),
    (2, |code| code.fill()),
    (2, |code| code.init()),
    (1, |code| code.grow()),
    // Control.
    (4, |code| code.block()),
    (4, |code| code.conditional_block()),
    (3, |code| code.looped()),
    (4, |code| code.counted_loop()),
    (2, |code| code.alternate()),
    (2, |code| code.switch()),
    (3, |code| code.try_block()),
    (2, |code| code.retry()),
    (5, |code| code.sheltered_call()),
    (3, |code| code.throw_to_caller()),
    (5, |code| code.branch_if()),
    (5, |code| code.call()),
    (3, |code| code.call_indirect()),
    (4, |code| code.leave()),
];

impl Code<'_> {
    /// Statements until the construct has had enough of them (a function: all), or control cannot go on.
    pub(super) fn statements(&mut self) {
        while self.budget > 0 && (self.frames.len() == 1 || !self.one_in(6)) {
            self.budget -= 1;
            self.statement();
            if self.is_dead() {
                return self.dead_code();
            }
            self.trim();
        }
    }

    pub(super) fn statement(&mut self) {
        if self.has_services() && self.one_in(3) {
            return self.service_statement();
        }
        let write = weighted(&mut self.random, STATEMENTS);
        write(self);
    }

    fn assign(&mut self) {
        let ty = self.any_expression();
        let local = self.local(ty);
        self.set(local);
    }

    /// What was symbolic is not any more.
    fn assign_constant(&mut self) {
        let ty = any_type(&mut self.random);
        self.constant(ty);
        let local = self.local(ty);
        self.set(local);
    }

    fn push(&mut self) {
        self.any_expression();
    }

    /// Takes the top value of the stack, if there is one, to somewhere else.
    pub(super) fn sink(&mut self) {
        let Some(&ty) = self.own_stack().last() else { return };
        match self.random.below(8) {
            0 => self.apply(&Instruction::Drop, 1, &[]),
            1..=2 if !matches!(ty, ValType::Ref(_)) => self.set_global(ty),
            3..=4 if !matches!(ty, ValType::Ref(_)) => self.store_top(ty),
            5 if self.own_stack().ends_with(&[ty, ty]) => self.fold(ty),
            _ => {
                let local = self.local(ty);
                self.set(local);
            }
        }
    }

    /// Makes one of the two top values, both of that type.
    fn fold(&mut self, ty: ValType) {
        let instruction = match ty {
            ValType::I32 => self.random.pick(&[0, 1, 2]),
            _ => 0,
        };
        let instruction = match (ty, instruction) {
            (ValType::I32, 0) => Instruction::I32Xor,
            (ValType::I32, 1) => Instruction::I32Sub,
            (ValType::I32, _) => Instruction::I32ShrU,
            (ValType::I64, _) => Instruction::I64Add,
            (ValType::F32, _) => Instruction::F32Sub,
            (ValType::F64, _) => Instruction::F64Add,
            (ValType::V128, _) => Instruction::V128Xor,
            (ValType::Ref(_), _) => return self.apply(&Instruction::Drop, 1, &[]),
        };
        self.apply(&instruction, 2, &[ty]);
    }

    fn mutable_global(&mut self, ty: ValType) -> u32 {
        let globals = (0..).zip(&self.shape.globals).skip(COUNTING_GLOBALS);
        let fitting: Vec<u32> =
            globals.filter(|(_, own)| own.mutable && own.ty == ty).map(|(index, _)| index).collect();
        self.random.pick(&fitting)
    }

    pub(super) fn set_global(&mut self, ty: ValType) {
        let global = self.mutable_global(ty);
        self.apply(&Instruction::GlobalSet(global), 1, &[]);
    }

    /// Sets a local whose old value is still on the stack.
    fn reassign_under_value(&mut self) {
        let ty = any_type(&mut self.random);
        let local = self.local(ty);
        self.get(local);
        match self.random.below(3) {
            0 => self.constant(ty),
            _ => self.expression(ty),
        }
        let last = if self.one_in(3) { Instruction::LocalTee(local) } else { Instruction::LocalSet(local) };
        let left: &[ValType] = if matches!(last, Instruction::LocalTee(_)) { &[ty] } else { &[] };
        self.apply(&last, 1, left);
    }

    /// Sets a global whose old value is still on the stack.
    fn exchange_global(&mut self) {
        let ty = any_type(&mut self.random);
        let global = self.mutable_global(ty);
        self.apply(&Instruction::GlobalGet(global), 0, &[ty]);
        self.expression(ty);
        self.apply(&Instruction::GlobalSet(global), 1, &[]);
    }

    fn select_on_stack(&mut self) {
        let ty = any_type(&mut self.random);
        self.need(&[ty, ty, ValType::I32]);
        self.choose(ty);
    }

    fn push_is_null(&mut self) {
        self.is_null();
    }

    /// A long segment: locals computed from locals, nothing else.
    fn straight_line(&mut self) {
        for _ in 0..15 + self.random.below(15) {
            let ty = any_scalar(&mut self.random);
            for _ in 0..2 {
                let local = self.local(ty);
                self.get(local);
            }
            self.fold(ty);
            let local = self.local(ty);
            self.set(local);
        }
    }

    /// A branch on everything that locals and hot cells hold: what an engine has wrong there shows.
    pub(super) fn account(&mut self) {
        self.many_inputs();
        self.fold_in_hot_cells();
        self.apply(&Instruction::I64Eqz, 1, &[ValType::I32]);
        self.open(&Instruction::If, Signature::default(), Kind::Forward);
        self.close();
    }

    /// A segment with every number that there is as input, all on the stack at once.
    fn many_inputs(&mut self) {
        let mut count = 0;
        for ty in SCALARS {
            for local in self.locals_of(ty) {
                self.bits_of(local, ty);
                count += 1;
            }
        }
        for _ in 1..count {
            let fold = self.random.below(3);
            let fold = &[Instruction::I64Xor, Instruction::I64Add, Instruction::I64Rotl][fold];
            self.apply(fold, 2, &[ValType::I64]);
        }
    }
}
