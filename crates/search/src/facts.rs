//! What is true of a program however often and in which order its functions are called (docs/decisions/0013-facts.md).
//!
//! ```text
//! roots ── Flow: block by block, values only become more ──▶ Facts: what values may be, which code is executed, whom indirect calls reach
//! ```
//!
//! Numbers are followed without assuming anything: constants that all callers pass, what functions give back, globals. What is loaded from memory is any, except
//! from variables that nothing writes, if that is trusted ([`Constants`]).

mod calling;
mod compute;
mod constants;
mod flow;
mod numbers;

pub(crate) use constants::Constants;
pub(crate) use numbers::Numbers;

use crate::backward::Goal;
use coax_program::calls::CallGraph;
use coax_program::ir::{Block, Value};
use coax_program::{Func, Program};
use flow::{Called, Flow};
use std::collections::{BTreeMap, BTreeSet};

/// What is true of a program.
pub(crate) struct Facts<'p> {
    program: &'p Program,
    called: Vec<Option<Box<Called>>>,
    reached: BTreeMap<(Func, u32), BTreeSet<Func>>,
}

impl<'p> Facts<'p> {
    /// What is true if the program is entered by these functions, and memory holds these constants; none if it cannot be said.
    pub(crate) fn of(
        program: &'p Program,
        calls: &CallGraph,
        roots: &[Func],
        stack_pointer: Option<u32>,
        constants: &Constants,
    ) -> Option<Facts<'p>> {
        let mut flow = Flow::new(program, calls, stack_pointer, constants);
        flow.follow(roots).ok()?;
        let Flow { mut called, reached, .. } = flow;
        called.iter_mut().flatten().for_each(|called| called.forget_the_way());
        Some(Facts { program, called, reached })
    }

    /// Whether a place may be come to.
    pub(crate) fn may_reach(&self, goal: Goal) -> bool {
        let Some(defined) = self.program.functions[goal.func()].defined() else { return true };
        let Some(called) = &self.called[goal.func().0 as usize] else { return false };
        let has_passed = |block: Block, before: usize| {
            called.passed[block.0 as usize].is_some_and(|passed| passed >= before)
        };
        match goal {
            Goal::Point(_, block, before) => has_passed(block, before),
            Goal::Direction(_, block, direction) => {
                let data = &defined.body.blocks[block];
                has_passed(block, data.insts().len() + 1) && called.may_take(&data.end, direction)
            }
            Goal::Trap(_, block, inst) => {
                let place = defined.body.blocks[block].insts().position(|it| it == inst);
                place.is_none_or(|before| has_passed(block, before))
            }
        }
    }

    /// How many instructions of a block are executed, if any way leads to it.
    pub(crate) fn passed(&self, func: Func, block: Block) -> Option<usize> {
        self.called[func.0 as usize].as_ref()?.passed[block.0 as usize]
    }

    /// What a value may be, if not everything.
    pub(crate) fn numbers(&self, func: Func, value: Value, width: u8) -> Option<Numbers> {
        let called = self.called[func.0 as usize].as_ref()?;
        let numbers = &called.values[value.0 as usize];
        (*numbers != Numbers::all(width)).then(|| numbers.clone())
    }

    /// Whether a call, after so many instructions of a block and at this byte of the module, is executed and may reach a function.
    pub(crate) fn may_call(
        &self,
        (caller, block, before): (Func, Block, usize),
        at: u32,
        callee: Func,
    ) -> bool {
        self.may_reach(Goal::Point(caller, block, before))
            && self.reached.get(&(caller, at)).is_none_or(|reached| reached.contains(&callee))
    }
}
