//! Whether an access next to address 0 went through a null pointer, or through a pointer to something and an index that leads there.
//!
//! The second depends on where that something lies, so it is told by moving it: through a null pointer a run accesses the same address wherever its objects
//! are. What cannot be moved (variables, the stack) is recognised in the code, where the address is made from it.

use super::stack::{FIRST_ADDRESS, Layout};
use crate::semantics::memory::Access;
use coax_program::ir::{Body, Def, Op, Value};
use coax_program::{Func, Program};
use std::collections::BTreeSet;

/// Whether the address that an operator accesses is made from that of a variable or of a place on the stack.
pub(crate) fn is_made_from_variable(program: &Program, func: Func, offset: u32) -> bool {
    let Some(layout) = Layout::of(program) else { return false };
    let Some(defined) = program.functions[func].defined() else { return false };
    let body = &defined.body;
    let accesses = body.insts.values().filter(|inst| inst.offset == offset && Access::of(&inst.op).is_some());
    accesses
        .filter_map(|inst| body.list(inst.args).first())
        .any(|&address| from_variable(body, address, layout))
}

fn from_variable(body: &Body, address: Value, layout: Layout) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![address]);
    while let Some(value) = waiting.pop() {
        let Def::Result(inst, _) = body.values[value].def else { continue };
        if !seen.insert(value) {
            continue;
        }
        let inst = &body.insts[inst];
        let args = body.list(inst.args);
        match inst.op {
            Op::I32Const { value } if (FIRST_ADDRESS..layout.heap_base).contains(&(value as u32)) => {
                return true;
            }
            Op::GlobalGet { global_index } if global_index == layout.stack_pointer => return true,
            Op::I32Add => waiting.extend(args),
            Op::I32Sub => waiting.extend(args.first()),
            _ => {}
        }
    }
    false
}
