//! The table: its slots get other functions, mostly such that indirect calls still find their signature there.

use super::code::Code;
use super::shape::{FUNC, SLOTS};
use super::weighted;
use wasm_encoder::{Instruction, ValType};

/// Operators on the table, with weights.
static CHANGES: &[(usize, Change)] = &[
    (3, |code, group| code.set_slot(group)),
    (4, |code, group| code.init_slots(group)),
    (2, |code, group| code.copy_slots(group)),
    (2, |code, group| code.fill_slots(group)),
    (1, |code, _| code.grow_table()),
];

type Change = fn(&mut Code<'_>, usize);

/// One in so many uses of a segment drops it first: what is taken from it then traps, unless it is nothing.
pub(super) const DROPPED: usize = 60;

impl Code<'_> {
    pub(super) fn change_table(&mut self) {
        let group = self.random.below(self.shape.signatures.len());
        let change = weighted(&mut self.random, CHANGES);
        change(self, group);
    }

    /// A function of that signature.
    fn function_of(&mut self, group: usize) {
        let functions = self.shape.functions_with(group);
        let function = self.random.pick(&functions);
        self.apply(&Instruction::RefFunc(function), 0, &[FUNC]);
    }

    fn set_slot(&mut self, group: usize) {
        self.slot(group);
        self.function_of(group);
        self.apply(&Instruction::TableSet(0), 2, &[]);
    }

    /// One of the first slots of a signature, as a target: as many follow as `few` may say.
    fn first_slots(&mut self, group: usize) {
        if self.hazard() {
            return self.expression(ValType::I32);
        }
        self.masked(SLOTS as i32 / 2 - 1);
        self.i32((group as u32 * SLOTS) as i32);
        self.apply(&Instruction::I32Add, 2, &[ValType::I32]);
    }

    /// A number of slots, at most half of those that a signature has.
    fn few(&mut self) {
        if self.hazard() {
            self.expression(ValType::I32);
        } else if self.one_in(2) {
            self.i32(SLOTS as i32 / 2);
        } else {
            self.masked(SLOTS as i32 / 2 - 1);
        }
    }

    /// Each signature has a segment with functions, as many as slots.
    fn init_slots(&mut self, group: usize) {
        let elem_index = group as u32;
        if self.one_in(DROPPED) {
            self.apply(&Instruction::ElemDrop(elem_index), 0, &[]);
        }
        self.first_slots(group);
        // The last element with one more behind it is outside.
        let source = self.random.pick(&[SLOTS as i32 / 2 - 1, SLOTS as i32 / 2 - 1, SLOTS as i32 - 1]);
        self.masked(source);
        self.few();
        self.apply(&Instruction::TableInit { elem_index, table: 0 }, 3, &[]);
    }

    fn copy_slots(&mut self, group: usize) {
        self.first_slots(group);
        self.first_slots(group);
        self.few();
        self.apply(&Instruction::TableCopy { src_table: 0, dst_table: 0 }, 3, &[]);
    }

    fn fill_slots(&mut self, group: usize) {
        self.first_slots(group);
        self.function_of(group);
        self.few();
        self.apply(&Instruction::TableFill(0), 3, &[]);
    }

    /// What there is then is on the stack.
    fn grow_table(&mut self) {
        if self.one_in(2) {
            let functions = self.shape.functions_with(0);
            self.apply(&Instruction::RefFunc(functions[0]), 0, &[FUNC]);
            self.masked(3);
            self.apply(&Instruction::TableGrow(0), 2, &[ValType::I32]);
        } else {
            self.apply(&Instruction::TableSize(0), 0, &[ValType::I32]);
        }
    }
}
