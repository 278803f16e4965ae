//! Which functions can be carried out by all their ways at once (`symbolic/joining.rs`).

use crate::semantics::Scalar;
use crate::semantics::memory::{Access, Accessed};
use coax_program::entity::Id;
use coax_program::ir::{Body, Op, Terminator, Value};
use coax_program::{Func, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is needed to carry out functions whose ways are joined.
#[derive(Debug, Default)]
pub(crate) struct Joined {
    /// Their code, and that of all that they call.
    pub(crate) bodies: BTreeMap<Func, Body>,
    /// Those whose results are nothing but conditions wherever they are called: how many numbers they may give does not matter.
    pub(crate) conditions: BTreeSet<Func>,
    /// Where the program's own data are.
    pub(crate) data: Vec<Range<u64>>,
}

impl Joined {
    pub(super) fn new(program: &Program, functions: &BTreeSet<Func>) -> Joined {
        let called = program.calls().reachable(functions.iter().copied());
        let one = |func: Func| Some((func, body(program, func)?.clone()));
        let range = |(at, bytes): (u64, &[u8])| at..at.saturating_add(bytes.len() as u64);
        Joined {
            bodies: called.into_iter().filter_map(one).collect(),
            conditions: conditions(program, functions.clone()),
            data: program.first_data().unwrap_or_default().into_iter().map(range).collect(),
        }
    }
}

/// Those of some functions whose results are only compared, everywhere in the program: `strncmp(a, b, n) == 0`.
fn conditions(program: &Program, mut functions: BTreeSet<Func>) -> BTreeSet<Func> {
    if functions.is_empty() {
        return functions;
    }
    let mut used: BTreeSet<Func> = program.address_taken.iter().copied().collect();
    for body in program.functions.ids().filter_map(|func| body(program, func)) {
        let called = body.insts.values().filter_map(|inst| match inst.op {
            Op::Call { function_index } => Some((*body.list(inst.results).first()?, Func(function_index))),
            _ => None,
        });
        let called: BTreeMap<Value, Func> = called.filter(|(_, func)| functions.contains(func)).collect();
        let mut is_used = |values: &[Value]| used.extend(values.iter().filter_map(|value| called.get(value)));
        for inst in body.insts.values().filter(|_| !called.is_empty()) {
            let args = body.list(inst.args);
            match inst.op {
                Op::Select | Op::TypedSelect { .. } => is_used(&args[..2]),
                ref op if Scalar::of(op).is_some_and(Scalar::compares) => {}
                _ => is_used(args),
            }
        }
        for block in body.blocks.values() {
            block.end.edges().iter().for_each(|edge| is_used(body.list(edge.args)));
            if !matches!(block.end, Terminator::Branch { .. }) {
                is_used(body.operands(&block.end));
            }
        }
        let ends = body.blocks.values().filter_map(|block| match block.end {
            Terminator::TailCall { op: Op::ReturnCall { function_index }, .. } => Some(Func(function_index)),
            _ => None,
        });
        used.extend(ends);
    }
    functions.retain(|func| !used.contains(func));
    functions
}

/// Longer functions have too many ways.
const MOST_BLOCKS: usize = 64;

/// The functions that decide something, give one number, and otherwise do nothing but compute and read the first memory; what they call is
/// like that, too. Those whose decisions matter, because they are to be covered, are none of them.
pub fn joinable(program: &Program, matters: impl Fn(Func) -> bool) -> BTreeSet<Func> {
    // Functions that only compute and read, whether they decide anything or not.
    let mut pure: Vec<bool> =
        program.functions.ids().map(|func| gives_a_number(program, func) && !matters(func)).collect();
    let mut others: Vec<Func> = Vec::new();
    let mut callers: BTreeMap<Func, Vec<Func>> = BTreeMap::new();
    for func in program.functions.ids() {
        let body = if pure[func.index()] { body(program, func) } else { None };
        let callees = body.and_then(callees_if_only_reads);
        pure[func.index()] = callees.is_some();
        match callees {
            Some(callees) => {
                callees.into_iter().for_each(|callee| callers.entry(callee).or_default().push(func))
            }
            None => others.push(func),
        }
    }
    // Who calls one that is not like that is not, either.
    while let Some(other) = others.pop() {
        for caller in callers.remove(&other).unwrap_or_default() {
            if std::mem::replace(&mut pure[caller.index()], false) {
                others.push(caller);
            }
        }
    }
    let decides = |body: &Body| {
        let mut ends = body.blocks.values().map(|block| &block.end);
        ends.any(|end| matches!(end, Terminator::Branch { .. }))
    };
    let is_one = |func: &Func| pure[func.index()] && body(program, *func).is_some_and(decides);
    program.functions.ids().filter(is_one).collect()
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

/// The functions that a body calls, if otherwise it only computes and reads.
fn callees_if_only_reads(body: &Body) -> Option<Vec<Func>> {
    let mut callees = Vec::new();
    let mut is_fine = |op: &Op| match op {
        Op::Select | Op::TypedSelect { .. } => true,
        Op::Call { function_index } | Op::ReturnCall { function_index } => {
            callees.push(Func(*function_index));
            true
        }
        _ => Scalar::of(op).is_some() || Access::of(op).is_some_and(reads_a_number),
    };
    let only_reads = body.insts.values().all(|inst| is_fine(&inst.op))
        && body.blocks.values().all(|block| match &block.end {
            Terminator::TailCall { op, .. } => is_fine(op),
            Terminator::Invoke { .. } | Terminator::Throw { .. } => false,
            _ => true,
        });
    only_reads.then_some(callees)
}

fn reads_a_number(access: Access) -> bool {
    !access.store && access.memarg.memory == 0 && matches!(access.value, Accessed::Scalar { .. })
}
