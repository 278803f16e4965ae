//! What code may change that is not its own: memory and globals.

use super::graph::{CallPlace, Graph};
use coax_execute::semantics::memory::Access;
use coax_program::calls::CallGraph;
use coax_program::ir::{Block, Body, Op, Terminator};
use coax_program::ops::is_call;
use coax_program::{Func, Program};
use std::collections::BTreeSet;

/// What code may change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    pub(super) memory: bool,
    pub(super) globals: BTreeSet<u32>,
}

impl Effects {
    /// All that there is.
    fn all(program: &Program) -> Effects {
        Effects { memory: true, globals: (0..program.globals.len() as u32).collect() }
    }

    /// Whether something is left behind; what a function does to the stack is not.
    pub(super) fn is_any(&self, graph: &Graph<'_>) -> bool {
        self.memory || self.globals.iter().any(|global| Some(*global) != graph.stack_pointer)
    }

    /// Whether nothing is changed.
    pub(super) fn is_none(&self) -> bool {
        !self.memory && self.globals.is_empty()
    }

    fn add(&mut self, other: &Effects) {
        self.memory |= other.memory;
        self.globals.extend(&other.globals);
    }

    /// What calls of each function may change.
    pub(super) fn of_functions(program: &Program, calls: &CallGraph) -> Vec<Effects> {
        let own = |(func, function): (Func, &coax_program::Function)| match function.defined() {
            // The host may write where it was told to.
            None => Effects { memory: true, globals: BTreeSet::new() },
            Some(_) if calls.calls[func].iter().any(|call| call.open) => Effects::all(program),
            Some(defined) => {
                let mut effects = Effects::default();
                defined.body.insts.iter().for_each(|(_, inst)| effects.add_op(&inst.op));
                effects
            }
        };
        let mut effects: Vec<Effects> = program.functions.iter().map(own).collect();
        let mut waiting: Vec<Func> = program.functions.ids().collect();
        while let Some(func) = waiting.pop() {
            for &caller in &calls.callers[func] {
                let mut more = effects[caller.0 as usize].clone();
                more.add(&effects[func.0 as usize]);
                if more != effects[caller.0 as usize] {
                    effects[caller.0 as usize] = more;
                    waiting.push(caller);
                }
            }
        }
        effects
    }

    /// What these blocks of a function may change.
    pub(super) fn of_blocks(graph: &Graph<'_>, func: Func, blocks: &[Block]) -> Effects {
        let body: &Body = graph.body(func);
        let mut effects = Effects::default();
        for &block in blocks {
            let data = &body.blocks[block];
            for (before, inst) in data.insts().enumerate() {
                let op = &body.insts[inst].op;
                effects.add_op(op);
                if is_call(op) {
                    effects.add(&Effects::of_call(graph, CallPlace { caller: func, block, before }));
                }
            }
            // Who throws does not leave the stack as it was.
            if !data.end.handlers().is_empty() {
                effects.globals.extend(graph.stack_pointer);
            }
            if let Terminator::TailCall { .. } = data.end {
                effects.add(&Effects::all(graph.program));
            }
        }
        effects
    }

    /// What a call may change.
    pub(super) fn of_call(graph: &Graph<'_>, place: CallPlace) -> Effects {
        let callees = graph.callees(place);
        if callees.is_empty() {
            return Effects::all(graph.program).without_stack(graph);
        }
        let mut effects = Effects::default();
        callees.iter().for_each(|callee| effects.add(&graph.effects[callee.0 as usize]));
        effects.without_stack(graph)
    }

    /// Every function leaves the stack as it found it; what it does to it by itself is another matter (`alloca` in a loop).
    fn without_stack(mut self, graph: &Graph<'_>) -> Effects {
        if let Some(global) = graph.stack_pointer {
            self.globals.remove(&global);
        }
        self
    }

    fn add_op(&mut self, op: &Op) {
        match op {
            Op::GlobalSet { global_index } => {
                self.globals.insert(*global_index);
            }
            Op::MemoryCopy { .. } | Op::MemoryFill { .. } | Op::MemoryInit { .. } => self.memory = true,
            op => self.memory |= Access::of(op).is_some_and(|access| access.store),
        }
    }
}
