//! Whether a run that left memory may have gone through a pointer that its entry was given: what is supposed of that pointer matters to no other failure.
//!
//! ```text
//! the operator that trapped: its address ──▶ parameters of the function ──▶ what the calls on the way gave it ──▶ parameters of the entry
//! ```
//!
//! What goes through memory is not followed: a pointer that is kept there, or told to another function, may come back from anywhere.

use crate::origins::is_computation;
use coax_execute::semantics::memory::Access;
use coax_execute::{BACKTRACE_FRAMES, Outcome, TraceFrame};
use coax_program::ir::{Body, Def, InstData, Op, Terminator, Value};
use coax_program::{Func, Program};
use std::collections::BTreeSet;

/// What a value is made from.
#[derive(Default)]
struct Made {
    /// Parameters of the function.
    params: BTreeSet<u32>,
    /// Whether something of it was in memory, in a global, or is the result of a call.
    from_elsewhere: bool,
}

/// Whether a run that trapped may have gone there through this parameter of its entry, which has so many. As long as nothing shows otherwise, it may.
pub fn may_be_through(program: &Program, outcome: &Outcome, (param, of): (usize, usize)) -> bool {
    let Some(entry) = outcome.backtrace().last() else { return true };
    // Of a deep recursion the outermost calls are not known.
    if outcome.backtrace().len() >= BACKTRACE_FRAMES.get() / 2 {
        return true;
    }
    // What is returned in memory, or in several parts, is given in parameters that the source does not have.
    if program.signature(entry.func).params.len() != of {
        return true;
    }
    let Some(Made { params, from_elsewhere }) = address(program, outcome.backtrace()) else { return true };
    params.contains(&(param as u32)) || from_elsewhere && is_told(program, entry.func, param as u32)
}

/// What the address of the access that the innermost call trapped at is made from, in parameters of the outermost.
fn address(program: &Program, frames: &[TraceFrame]) -> Option<Made> {
    let mut all = Made::default();
    let mut wanted: Option<BTreeSet<u32>> = None;
    for frame in frames {
        let body = &program.functions[frame.func].defined()?.body;
        let offset = frame.offset?;
        let inst = body.insts.values().find(|inst| inst.offset == offset)?;
        let args = body.list(inst.args);
        let values: Vec<Value> = match &wanted {
            None => args[..addresses(inst)?].to_vec(),
            Some(params) => {
                params.iter().map(|&param| args.get(param as usize).copied()).collect::<Option<_>>()?
            }
        };
        let made = made_from(body, values);
        all.from_elsewhere |= made.from_elsewhere;
        wanted = Some(made.params);
    }
    all.params = wanted?;
    Some(all)
}

/// How many of its operands, the first ones, say where an operator accesses memory.
fn addresses(inst: &InstData) -> Option<usize> {
    match inst.op {
        Op::MemoryCopy { .. } => Some(2),
        Op::MemoryFill { .. } | Op::MemoryInit { .. } => Some(1),
        _ => Access::of(&inst.op).map(|_| 1),
    }
}

fn made_from(body: &Body, mut waiting: Vec<Value>) -> Made {
    let mut made = Made::default();
    let mut seen = BTreeSet::new();
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        match body.values[value].def {
            Def::Param(Body::ENTRY, number) => drop(made.params.insert(number)),
            Def::Param(block, number) => {
                let ends = body.blocks.values().map(|block| &block.end);
                // What a handler is given comes with the exception.
                let is_handler = |end: &Terminator| end.handlers().iter().any(|handler| handler.to == block);
                made.from_elsewhere |= ends.clone().any(is_handler);
                let edges = ends.flat_map(|end| end.edges()).filter(|edge| edge.to == block);
                waiting.extend(edges.map(|edge| body.list(edge.args)[number as usize]));
            }
            Def::Result(inst, _) => {
                let inst = &body.insts[inst];
                let is_computed = is_computation(&inst.op) && !matches!(inst.op, Op::GlobalGet { .. });
                match (is_computed, Access::of(&inst.op)) {
                    (true, _) => waiting.extend(body.list(inst.args)),
                    (false, access) => {
                        made.from_elsewhere = true;
                        // What a parameter leads to may lead on.
                        waiting.extend(access.and_then(|_| body.list(inst.args).first()));
                    }
                }
            }
        }
    }
    made
}

/// Whether a function keeps a parameter somewhere, or tells another function.
fn is_told(program: &Program, func: Func, param: u32) -> bool {
    let Some(defined) = program.functions[func].defined() else { return true };
    let body = &defined.body;
    let holds = |value: &Value| made_from(body, vec![*value]).params.contains(&param);
    let tells = |inst: &InstData| {
        let args = body.list(inst.args);
        match Access::of(&inst.op) {
            Some(_) => args.iter().skip(1).any(holds),
            None => {
                let is_call = !is_computation(&inst.op);
                (is_call || body.list(inst.results).is_empty()) && args.iter().any(holds)
            }
        }
    };
    let is_tail_call = |end: &Terminator| matches!(end, Terminator::TailCall { .. });
    body.insts.values().any(tells) || body.blocks.values().any(|block| is_tail_call(&block.end))
}
