//! What is true of a program however often and in which order its functions are called (docs/decisions/0013-facts.md).
//!
//! ```text
//! roots, or Past ── Flow: block by block, values only become more ──▶ Facts: what values may be, which code is executed, whom indirect calls reach
//! ```
//!
//! Numbers are followed without assuming anything: constants that all callers pass, what functions give back, globals. What is loaded from memory is any, except
//! from variables that nothing writes, if that is trusted ([`Constants`]). If the program is always given the same arguments, what it does before it reads
//! its input is known, and only the rest is followed ([`Past`]).

mod calling;
mod compute;
mod constants;
mod flow;
mod numbers;
mod past;

pub(crate) use numbers::Numbers;
pub use past::Past;

use crate::backward::Goal;
use coax_program::calls::CallGraph;
use coax_program::ir::{Block, Value};
use coax_program::{Func, Program};
use constants::{Code, Constants};
use flow::{Called, Flow};
use std::collections::{BTreeMap, BTreeSet};

/// What is assumed of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trust {
    /// No write leaves the variable or block that its address was made from: static variables that nothing writes stay as they are.
    pub writes: bool,
    /// All that the program is given beside symbols is what its [`Past`] is of.
    pub start: bool,
}

/// What is true of a program.
pub(crate) struct Facts<'p> {
    program: &'p Program,
    called: Vec<Option<Box<Called>>>,
    reached: BTreeMap<(Func, u32), BTreeSet<Func>>,
}

/// How often it is looked which variables nothing writes: the more are known, the less code is executed.
const ROUNDS: u32 = 3;

impl<'p> Facts<'p> {
    /// What is true if the program is entered by these functions, or has this past; none if it cannot be said.
    pub(crate) fn of(
        program: &'p Program,
        calls: &CallGraph,
        roots: &[Func],
        stack_pointer: Option<u32>,
        trusts_writes: bool,
        past: Option<&Past>,
    ) -> Option<Facts<'p>> {
        let follow = |constants: &Constants| {
            let mut flow = Flow::new(program, calls, stack_pointer, constants);
            let followed = match past {
                Some(past) => flow.follow_from(past),
                None => flow.follow(roots),
            };
            followed.ok()?;
            Some((flow.called, flow.reached))
        };
        let mut constants = match trusts_writes {
            true => Constants::of(program, calls, &Code::callable(calls, roots), None),
            false => Constants::default(),
        };
        let mut found = follow(&constants)?;
        for _ in 0..if trusts_writes && past.is_some() { ROUNDS } else { 0 } {
            let more = constants.and(Constants::of(program, calls, &Code::executed(&found.0), past));
            if more == constants {
                break;
            }
            constants = more;
            found = follow(&constants)?;
        }
        let (mut called, mut reached) = found;
        called.iter_mut().flatten().for_each(|called| called.forget_the_way());
        if let Some(past) = past {
            for (func, done) in &past.functions {
                called[func.0 as usize].iter_mut().for_each(|called| called.add_past(done));
            }
            for (place, callees) in &past.reached {
                // Calls that are not followed any more may reach any function.
                reached.entry(*place).and_modify(|reached| reached.extend(callees));
            }
        }
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
