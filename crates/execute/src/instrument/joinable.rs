//! Which functions can be carried out by all their ways at once (`symbolic/joining.rs`).

use crate::semantics::Scalar;
use crate::semantics::memory::{Access, Accessed};
use coax_program::calls::CallGraph;
use coax_program::ir::{Body, Def, Op, Terminator, Value};
use coax_program::{Func, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The code of functions whose ways are joined, and of those that they call.
pub(crate) type Joined = BTreeMap<Func, JoinedFunction>;

#[derive(Debug)]
pub(crate) struct JoinedFunction {
    pub(crate) body: Body,
    /// For each parameter that is part of an address, the first read there.
    pub(crate) reads_at: Vec<Option<FirstRead>>,
}

/// A read from memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstRead {
    pub(crate) access: Access,
    /// Byte offset of the operator in the module.
    pub(crate) at: u32,
}

/// What is needed to carry out these functions.
pub(super) fn code(program: &Program, functions: &BTreeSet<Func>) -> Joined {
    let called = CallGraph::of(program).reachable(functions.iter().copied());
    let joined = |func: Func| {
        let body = body(program, func)?.clone();
        Some((func, JoinedFunction { reads_at: reads_at(&body), body }))
    };
    called.into_iter().filter_map(joined).collect()
}

fn reads_at(body: &Body) -> Vec<Option<FirstRead>> {
    let mut reads = vec![None; body.list(body.blocks[Body::ENTRY].params).len()];
    for inst in body.insts.values() {
        let Some(access) = Access::of(&inst.op) else { continue };
        for param in params_in(body, body.list(inst.args)[0]) {
            reads[param].get_or_insert(FirstRead { access, at: inst.offset });
        }
    }
    reads
}

/// The parameters of the function that a value is computed from, without reading.
fn params_in(body: &Body, value: Value) -> BTreeSet<usize> {
    let (mut params, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::new(), vec![value]);
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        match body.values[value].def {
            Def::Param(Body::ENTRY, number) => {
                params.insert(number as usize);
            }
            Def::Param(block, number) => {
                let edges = body.blocks.values().flat_map(|block| block.end.edges());
                let here = edges.filter(|edge| edge.to == block);
                waiting.extend(here.map(|edge| body.list(edge.args)[number as usize]));
            }
            Def::Result(inst, _) if Scalar::of(&body.insts[inst].op).is_some() => {
                waiting.extend(body.list(body.insts[inst].args));
            }
            Def::Result(..) => {}
        }
    }
    params
}

/// Longer functions have too many ways.
const MOST_BLOCKS: usize = 64;

/// The functions that decide something, give one number, and otherwise do nothing but compute and read the first memory; what they call is
/// like that, too. Those whose decisions matter, because they are to be covered, are none of them.
pub fn joinable(program: &Program, matters: impl Fn(Func) -> bool) -> BTreeSet<Func> {
    // Functions that only compute and read, whether they decide anything or not.
    let could_be = |func: &Func| gives_a_number(program, *func) && !matters(*func);
    let mut pure: BTreeSet<Func> = program.functions.ids().filter(could_be).collect();
    loop {
        let is_pure = |func: &Func| body(program, *func).is_some_and(|body| only_reads(body, &pure));
        let fewer: BTreeSet<Func> = pure.iter().copied().filter(is_pure).collect();
        if fewer.len() == pure.len() {
            break;
        }
        pure = fewer;
    }
    let decides = |body: &Body| {
        let mut ends = body.blocks.values().map(|block| &block.end);
        ends.any(|end| matches!(end, Terminator::Branch { .. }))
    };
    pure.retain(|func| body(program, *func).is_some_and(decides));
    pure
}

fn body(program: &Program, func: Func) -> Option<&Body> {
    Some(&program.functions[func].defined()?.body)
}

fn gives_a_number(program: &Program, func: Func) -> bool {
    let signature = program.signature(func);
    let is_number = |ty| super::stack::is_scalar(ty);
    signature.results.len() == 1
        && signature.results.iter().chain(&signature.params).all(|&ty| is_number(ty))
        && body(program, func).is_some_and(|body| body.blocks.len() <= MOST_BLOCKS)
}

fn only_reads(body: &Body, pure: &BTreeSet<Func>) -> bool {
    let is_fine = |op: &Op| match op {
        Op::Select | Op::TypedSelect { .. } => true,
        Op::Call { function_index } | Op::ReturnCall { function_index } => {
            pure.contains(&Func(*function_index))
        }
        _ => Scalar::of(op).is_some() || Access::of(op).is_some_and(reads_a_number),
    };
    body.insts.values().all(|inst| is_fine(&inst.op))
        && body.blocks.values().all(|block| match &block.end {
            Terminator::TailCall { op, .. } => is_fine(op),
            Terminator::Invoke { .. } | Terminator::Throw { .. } => false,
            _ => true,
        })
}

fn reads_a_number(access: Access) -> bool {
    !access.store && access.memarg.memory == 0 && matches!(access.value, Accessed::Scalar { .. })
}
