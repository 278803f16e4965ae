//! What is true of a program however often and in which order its functions are called (docs/decisions/0013-facts.md).
//!
//! ```text
//! roots ── Flow: block by block, values only become more ──▶ Facts: what values may be, which code is executed, whom indirect calls reach
//! ```
//!
//! Numbers alone are followed without assuming anything: constants that all callers pass, what functions give back, globals. What memory holds can only be
//! said if an address leads to nothing but the variable that it was made from.

mod access;
mod calling;
mod compute;
mod contents;
mod flow;
mod known;
mod world;

pub(crate) use known::Numbers;

use crate::backward::Goal;
use coax_program::calls::CallGraph;
use coax_program::ir::{Block, Value};
use coax_program::{Func, Program};
use flow::{Called, Flow};
use std::collections::{BTreeMap, BTreeSet};
use world::World;

/// What is true of a program.
pub(crate) struct Facts<'p> {
    world: World<'p>,
    called: Vec<Option<Box<Called>>>,
    reached: BTreeMap<(Func, u32), BTreeSet<Func>>,
}

impl<'p> Facts<'p> {
    /// What is true if the program is entered by these functions; none if it cannot be said.
    pub(crate) fn of(
        program: &'p Program,
        calls: &CallGraph,
        roots: &[Func],
        stack_pointer: Option<u32>,
        trusts_addresses: bool,
    ) -> Option<Facts<'p>> {
        let world = match trusts_addresses {
            true => World::of_addresses(program)?,
            false => World::of_numbers(program),
        };
        let mut flow = Flow::new(&world, calls, stack_pointer);
        flow.follow(roots).ok()?;
        let Flow { called, reached, .. } = flow;
        Some(Facts { world, called, reached })
    }

    /// Whether a place may be come to.
    pub(crate) fn may_reach(&self, goal: Goal) -> bool {
        let program = self.world.program;
        let Some(defined) = program.functions[goal.func()].defined() else { return true };
        let Some(called) = &self.called[goal.func().0 as usize] else { return false };
        let has_passed = |block: Block, before: usize| {
            called.passed[block.0 as usize].is_some_and(|passed| passed >= before)
        };
        match goal {
            Goal::Point(_, block, before) => has_passed(block, before),
            Goal::Direction(_, block, direction) => {
                let data = &defined.body.blocks[block];
                has_passed(block, data.insts().len() + 1)
                    && called.may_take(&self.world, &data.end, direction)
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
        let numbers = self.world.hull(&called.values[value.0 as usize], width);
        (numbers != Numbers::all(width)).then_some(numbers)
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
