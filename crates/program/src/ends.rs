//! The calls of a program that may end a run, or the function that they are in, without a trap: by `exit`, or by an exception.
//!
//! Who traps, or meets a limit, leaves a trace of the calls that were active. Those who exit or throw leave none: whether such a call returned has to be
//! noted when it does.

use crate::entity::Id;
use crate::ir::{Body, Op, Terminator};
use crate::program::{Code, Func, Program};
use crate::site::Site;
use std::collections::BTreeSet;

/// What ends a program by force: in WASI, and in test harnesses.
pub const EXITS: [&str; 4] = ["proc_exit", "exit", "_exit", "_Exit"];

/// The calls that may end a run, or the function that they are in.
#[derive(Clone, Debug, Default)]
pub struct Ends(BTreeSet<Site>);

/// Whom an operator calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Callee {
    Known(Func),
    /// Any function of this type whose address is taken, or, if the table is open, nobody knows whom.
    OfType(u32, bool),
}

impl Ends {
    /// Looks at a program.
    pub fn of(program: &Program) -> Ends {
        let calls = calls(program);
        let none = || vec![Vec::new(); program.functions.len()];
        let (mut callers, mut of_type) = (none(), vec![Vec::new(); program.types.len()]);
        let mut waiting = Vec::new();
        for &(func, _, callee) in &calls {
            match callee {
                Callee::Known(known) => callers[known.index()].push(func),
                Callee::OfType(_, true) => waiting.push(func),
                Callee::OfType(ty, false) => of_type[ty as usize].push(func),
            }
        }
        waiting.extend(program.functions.ids().filter(|&func| ends_itself(program, func)));
        let is_taken = taken(program);
        let mut ending = vec![false; program.functions.len()];
        let mut types = vec![false; program.types.len()];
        while let Some(func) = waiting.pop() {
            if std::mem::replace(&mut ending[func.index()], true) {
                continue;
            }
            waiting.append(&mut callers[func.index()]);
            if is_taken.contains(&func) {
                // Types may be there more than once.
                let signature = program.signature(func);
                let alike = program.types.iter().enumerate().filter(|(_, ty)| *ty == signature);
                for (ty, _) in alike {
                    types[ty] = true;
                    waiting.append(&mut of_type[ty]);
                }
            }
        }
        let may_end = |callee: &Callee| match *callee {
            Callee::Known(func) => ending[func.index()],
            Callee::OfType(ty, is_open) => is_open || types[ty as usize],
        };
        let all = calls.into_iter().filter(|(.., callee)| may_end(callee));
        Ends(all.filter_map(|(_, offset, _)| program.site_at(offset)).collect())
    }

    /// Whether a call is one of them.
    pub fn contains(&self, site: Site) -> bool {
        self.0.contains(&site)
    }

    /// All of them, in the order of the code.
    pub fn sites(&self) -> impl ExactSizeIterator<Item = Site> + '_ {
        self.0.iter().copied()
    }
}

/// Whether a function ends a run, or itself, without calling anybody.
fn ends_itself(program: &Program, func: Func) -> bool {
    match &program.functions[func].code {
        Code::Import(number) => EXITS.contains(&program.imports[*number].name.as_str()),
        Code::Defined(defined) => {
            defined.body.blocks.values().any(|data| matches!(data.end, Terminator::Throw { .. }))
        }
    }
}

/// The functions that may be called through tables.
fn taken(program: &Program) -> BTreeSet<Func> {
    let in_tables = program.tables.iter().flat_map(|table| table.slots.values());
    in_tables.chain(&program.address_taken).copied().collect()
}

/// All calls: the function that they are in, where they are, and whom they call.
fn calls(program: &Program) -> Vec<(Func, u32, Callee)> {
    let mut calls = Vec::new();
    for (func, function) in program.functions.iter() {
        let Some(defined) = function.defined() else { continue };
        calls.extend(calls_in(program, &defined.body).map(|(offset, callee)| (func, offset, callee)));
    }
    calls
}

fn calls_in<'p>(program: &'p Program, body: &'p Body) -> impl Iterator<Item = (u32, Callee)> + 'p {
    let insts = body.insts.values().map(|inst| (inst.offset, &inst.op));
    let tails = body.blocks.values().filter_map(|block| match &block.end {
        Terminator::TailCall { op, .. } => Some((block.end_offset, op)),
        _ => None,
    });
    insts.chain(tails).filter_map(|(offset, op)| Some((offset, callee(program, op)?)))
}

fn callee(program: &Program, op: &Op) -> Option<Callee> {
    match *op {
        Op::Call { function_index } | Op::ReturnCall { function_index } => {
            Some(Callee::Known(Func(function_index)))
        }
        Op::CallIndirect { type_index, table_index } | Op::ReturnCallIndirect { type_index, table_index } => {
            Some(Callee::OfType(type_index, !program.tables[table_index as usize].complete))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_end_a_run_as_far_as_exit_can_be_called_from_there() {
        let text = r#"(module
            (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
            (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
            (type $quiet (func (param i64)))
            (table 2 funcref) (elem (i32.const 0) $leaves $stays)
            (func $leaves (param i32) local.get 0 call $exit)
            (func $stays (param i64) call $yield drop)
            (func $far i32.const 1 i32.const 0 call_indirect (param i32)
                       i64.const 1 i32.const 1 call_indirect (type $quiet) call $further)
            (func $further call $yield drop call $far))"#;
        let program = Program::parse(wat::parse_str(text).expect("it is text")).expect("it is valid");
        let ends = Ends::of(&program);
        let mut found: Vec<(&str, bool)> = Vec::new();
        for (site, data) in program.sites.iter() {
            found.push((program.functions[data.func].name.as_str(), ends.contains(site)));
        }
        let expected = [
            ("leaves", true),
            ("stays", false),
            ("far", true),
            ("far", false),
            ("far", true),
            ("further", false),
            ("further", true),
        ];
        assert_eq!(found, expected);
        assert_eq!(ends.sites().count(), 4);
    }

    #[test]
    fn a_table_that_others_write_may_hold_anything() {
        let text = r#"(module (table (export "t") 1 funcref) (func i32.const 0 call_indirect))"#;
        let program = Program::parse(wat::parse_str(text).expect("it is text")).expect("it is valid");
        assert_eq!(Ends::of(&program).sites().count(), 1);
    }
}
