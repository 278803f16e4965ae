//! The call graph.
//!
//! An indirect call may reach the functions of its type that its table can hold: those its element
//! segments put there, or, where the table may be changed from outside or by the code, any function
//! whose address is taken.

use crate::entity::{Arena, Id};
use crate::ir::{Body, Def, Inst, Op, Terminator, Value};
use crate::ops;
use crate::program::{Func, Program};
use crate::site::Site;
use std::collections::BTreeSet;

/// Who calls whom, and where.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// The calls in each function, in the order of the code.
    pub calls: Arena<Func, Vec<Call>>,
    /// The functions that may call each function, ascending.
    pub callers: Arena<Func, Vec<Func>>,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Where it is.
    pub site: Site,
    /// The functions it may reach, ascending; more than one or none only if it is indirect.
    pub callees: Vec<Func>,
    /// Whether it goes through a table.
    pub indirect: bool,
    /// Whether further functions, unknown here, may be reached: the table is open to the outside.
    pub open: bool,
    /// Whether it replaces its caller.
    pub tail: bool,
}

impl CallGraph {
    /// The call graph of a program.
    pub fn of(program: &Program) -> Self {
        let mut callers: Arena<Func, Vec<Func>> = program.functions.ids().map(|_| Vec::new()).collect();
        let mut calls = Arena::new();
        for (func, function) in program.functions.iter() {
            let found = function.defined().map_or_else(Vec::new, |defined| calls_in(program, &defined.body));
            for &callee in found.iter().flat_map(|call| &call.callees) {
                if callers[callee].last() != Some(&func) {
                    callers[callee].push(func);
                }
            }
            calls.push(found);
        }
        CallGraph { calls, callers }
    }

    /// The functions that may be called from these, directly or not, and these themselves; all others never run, whatever the input is.
    pub fn reachable(&self, from: impl IntoIterator<Item = Func>) -> BTreeSet<Func> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<Func> = from.into_iter().collect();
        while let Some(func) = waiting.pop() {
            if reached.insert(func) {
                waiting.extend(self.calls[func].iter().flat_map(|call| &call.callees));
            }
        }
        reached
    }

    /// The functions that may be called from this one, each once, ascending.
    pub fn callees(&self, func: Func) -> Vec<Func> {
        let mut callees: Vec<Func> = self.calls[func].iter().flat_map(|call| call.callees.clone()).collect();
        callees.sort_unstable();
        callees.dedup();
        callees
    }
}

fn calls_in(program: &Program, body: &Body) -> Vec<Call> {
    let mut calls = Vec::new();
    for data in body.blocks.values() {
        for inst in data.insts() {
            let data = &body.insts[inst];
            if ops::is_call(&data.op) {
                calls.extend(call(program, body, &data.op, body.list(data.args), data.offset));
            }
        }
        if let Terminator::TailCall { op, args } = &data.end {
            calls.extend(call(program, body, op, body.list(*args), data.end_offset));
        }
    }
    calls.sort_by_key(|call| call.site);
    calls
}

fn call(program: &Program, body: &Body, op: &Op, args: &[Value], offset: u32) -> Option<Call> {
    let site = program.site_at(offset)?;
    let tail = ops::is_tail_call(op);
    Some(match *op {
        Op::Call { function_index } | Op::ReturnCall { function_index } => {
            Call { site, callees: vec![Func(function_index)], indirect: false, open: false, tail }
        }
        Op::CallIndirect { type_index, table_index } | Op::ReturnCallIndirect { type_index, table_index } => {
            let table = &program.tables[table_index as usize];
            let constant = args.last().and_then(|&index| constant(body, index));
            let candidates: Vec<Func> = match constant {
                Some(slot) if table.complete => table.slots.get(&slot).copied().into_iter().collect(),
                _ if table.complete => table.slots.values().copied().collect(),
                _ => program.address_taken.clone(),
            };
            let wanted = &program.types[type_index as usize];
            let mut callees: Vec<Func> =
                candidates.into_iter().filter(|&func| program.signature(func) == wanted).collect();
            callees.sort_unstable();
            callees.dedup();
            Call { site, callees, indirect: true, open: !table.complete, tail }
        }
        _ => return None,
    })
}

/// The value, if it is a constant.
fn constant(body: &Body, value: Value) -> Option<u64> {
    let Def::Result(inst, _) = body.values[value].def else { return None };
    match body.insts[Inst::new(inst.index())].op {
        Op::I32Const { value } => Some(u64::from(value as u32)),
        Op::I64Const { value } => Some(value as u64),
        _ => None,
    }
}
