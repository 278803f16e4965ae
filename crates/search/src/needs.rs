//! What is done before a place is reached, as far as proofs rest on it: which imports are called, whether memory is asked for, and the like.
//!
//! A proof that all paths are explored holds as long as the host answers as it did in these runs. Which of its answers can matter to a place follows
//! from control flow: those that are asked for before it, by its function, by those that call it, and by all that these call.

pub(crate) mod memory;

use coax_execute::semantics::memory::Access;
use coax_program::addresses::{Address, Addresses};
use coax_program::calls::CallGraph;
use coax_program::entity::{Arena, Id};
use coax_program::ir::{Block, Inst, InstData, Op};
use coax_program::{Code, Func, Program, Site};
use memory::Memory;
use std::collections::BTreeMap;

/// Things that may be done, as bits.
pub(crate) type Done = u128;

/// Memory is asked for.
pub(crate) const GROWS: Done = 1 << 127;
/// A variable of the user's is used that lives as long as the program.
pub(crate) const STATIC: Done = 1 << 126;
/// The user's code computes with floats, and somebody looks at the bits of one.
pub(crate) const FLOATS: Done = 1 << 125;
pub(crate) const FLOAT_BITS: Done = 1 << 124;
/// The user's code asks what kind of stream a descriptor is: it may be a terminal.
pub(crate) const TERMINAL: Done = 1 << 123;
/// The user's code reads a block of the allocator's as it was given.
pub(crate) const BLOCKS: Done = 1 << 122;
/// The user's code makes a number from the address of something.
pub(crate) const ADDRESSES: Done = 1 << 121;
/// The user's code calls a function of a library that gives something of a state that it keeps.
pub(crate) const KEEPS: Done = 1 << 120;
/// The user's code reads what is on the stack before anything is written there.
pub(crate) const UNSET: Done = 1 << 119;
/// An import is called that is behind the first so many.
const IMPORTS: u32 = 118;

/// What may be done before each place.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    /// By function: all that it and those that it calls may do, and what may be done before it is called.
    does: Vec<Done>,
    before: Vec<Done>,
    /// By function: what may be done in it before its blocks end, by the byte of that.
    within: Vec<BTreeMap<u32, Done>>,
}

impl Needs {
    /// Looks at a program that is entered by a function, after others were called.
    pub(crate) fn of(
        program: &Program,
        (entry, others): (Func, &[Func]),
        is_in_scope: &dyn Fn(Func) -> bool,
    ) -> Needs {
        let calls = program.calls();
        let addresses = Addresses::read(program);
        let ids = || program.functions.ids();
        let memory = Memory::of(program, addresses.as_ref(), is_in_scope);
        let own: Vec<Done> = ids()
            .map(|func| {
                own(program, func, addresses.as_ref(), is_in_scope(func)) | memory.done(program, func)
            })
            .collect();
        let mut does = own.clone();
        let mut waiting: Vec<Func> = ids().collect();
        while let Some(func) = waiting.pop() {
            for &caller in &calls.callers[func] {
                let more = does[caller.index()] | does[func.index()];
                if std::mem::replace(&mut does[caller.index()], more) != more {
                    waiting.push(caller);
                }
            }
        }
        let mut needs =
            Needs { before: vec![0; does.len()], within: vec![BTreeMap::new(); does.len()], does };
        let called: Vec<Vec<(Func, Done)>> =
            ids().map(|func| needs.look_into(program, calls, (func, own[func.index()]))).collect();
        needs.before[entry.index()] = needs.of_all(others);
        let mut waiting: Vec<Func> = ids().collect();
        while let Some(func) = waiting.pop() {
            for &(callee, before) in &called[func.index()] {
                let more = needs.before[callee.index()] | needs.before[func.index()] | before;
                if std::mem::replace(&mut needs.before[callee.index()], more) != more {
                    waiting.push(callee);
                }
            }
        }
        needs
    }

    /// What may be done before a branch.
    pub(crate) fn before(&self, program: &Program, site: Site) -> Done {
        let data = &program.sites[site];
        let within = self.within[data.func.index()].get(&data.offset);
        self.before[data.func.index()] | within.unwrap_or(&self.does[data.func.index()])
    }

    /// What may be done before anything that is in a function.
    pub(crate) fn in_function(&self, func: Func) -> Done {
        self.before[func.index()] | self.does[func.index()]
    }

    /// What any of these functions may do.
    pub(crate) fn of_all(&self, funcs: &[Func]) -> Done {
        funcs.iter().fold(0, |all, func| all | self.does[func.index()])
    }

    /// Finds out what is done before the blocks of a function end, and before each of its calls.
    fn look_into(
        &mut self,
        program: &Program,
        calls: &CallGraph,
        (func, own): (Func, Done),
    ) -> Vec<(Func, Done)> {
        let Some(defined) = program.functions[func].defined() else { return Vec::new() };
        let body = &defined.body;
        let callees: BTreeMap<u32, &[Func]> = calls.calls[func]
            .iter()
            .map(|call| (program.sites[call.site].offset, &call.callees[..]))
            .collect();
        let callees_at = |offset: u32| callees.get(&offset).copied().unwrap_or_default();
        let done_by = |inst: Inst| self.of_all(callees_at(body.insts[inst].offset));
        let of_block: Arena<Block, Done> = body
            .blocks
            .values()
            .map(|data| data.insts().fold(own, |all, inst| all | done_by(inst)))
            .collect();
        let mut entering: Arena<Block, Done> = body.blocks.ids().map(|_| own).collect();
        loop {
            let mut is_same = true;
            for (block, data) in body.blocks.iter() {
                let at_end = entering[block] | of_block[block];
                for to in data.end.successors() {
                    let more = entering[to] | at_end;
                    is_same &= more == entering[to];
                    entering[to] = more;
                }
            }
            if is_same {
                break;
            }
        }
        let mut called = Vec::new();
        for (block, data) in body.blocks.iter() {
            let mut before = entering[block];
            for inst in data.insts() {
                let callees = callees_at(body.insts[inst].offset);
                called.extend(callees.iter().map(|callee| (*callee, before)));
                before |= done_by(inst);
            }
            // A tail call is no instruction.
            called.extend(callees_at(data.end_offset).iter().map(|callee| (*callee, before)));
        }
        let within = &mut self.within[func.index()];
        for (block, data) in body.blocks.iter() {
            *within.entry(data.end_offset).or_default() |= entering[block] | of_block[block];
        }
        called
    }
}

/// What a function does itself, wherever in it.
fn own(program: &Program, func: Func, addresses: Option<&Addresses>, is_in_scope: bool) -> Done {
    let defined = match &program.functions[func].code {
        Code::Import(number) => return import(*number),
        Code::Defined(defined) => defined,
    };
    let mut done = 0;
    for (_, inst) in defined.body.insts.iter() {
        done |= match inst.op {
            Op::MemoryGrow { .. } => GROWS,
            Op::I32ReinterpretF32 | Op::I64ReinterpretF64 | Op::F32Copysign | Op::F64Copysign => FLOAT_BITS,
            Op::Call { function_index } if is_in_scope && asks_for_kind(program, Func(function_index), 2) => {
                TERMINAL
            }
            ref op if is_in_scope && is_inexact(op) => FLOATS,
            // Without relocations nobody knows what is where.
            ref op if is_in_scope && addresses.is_none() && Access::of(op).is_some() => STATIC,
            _ => 0,
        };
    }
    let mut mentioned = addresses.into_iter().flat_map(|all| all.in_code(defined.range.clone()));
    let is_variable = |(_, address)| match address {
        Address::Variable(variable) => addresses.is_some_and(|all| !all.is_constant(variable)),
        _ => false,
    };
    if is_in_scope && mentioned.any(is_variable) {
        done |= STATIC;
    }
    done
}

/// Whether a function does little else than ask the host what kind of stream a descriptor is: it or one of so many that it calls does so directly.
fn asks_for_kind(program: &Program, func: Func, depth: u32) -> bool {
    match &program.functions[func].code {
        Code::Import(number) => program.imports[*number].name == "fd_fdstat_get",
        Code::Defined(defined) => {
            let callee = |inst: &InstData| match inst.op {
                Op::Call { function_index } => Some(Func(function_index)),
                _ => None,
            };
            depth > 0
                && defined
                    .body
                    .insts
                    .values()
                    .filter_map(callee)
                    .any(|it| asks_for_kind(program, it, depth - 1))
        }
    }
}

/// The bit of an import.
pub(crate) fn import(number: usize) -> Done {
    1 << u32::try_from(number).unwrap_or(u32::MAX).min(IMPORTS)
}

/// Whether an operator may give a NaN.
fn is_inexact(op: &Op) -> bool {
    use Op as O;
    matches!(
        op,
        O::F32Add | O::F32Sub | O::F32Mul | O::F32Div | O::F32Sqrt | O::F32Min | O::F32Max | O::F32DemoteF64
    ) || matches!(
        op,
        O::F64Add | O::F64Sub | O::F64Mul | O::F64Div | O::F64Sqrt | O::F64Min | O::F64Max | O::F64PromoteF32
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is done before the branches of a program, in the order of the code.
    fn before(text: &str) -> Vec<Done> {
        let program = Program::parse(wat::parse_str(text).expect("it is a module")).expect("it is a program");
        let entry = program.functions.iter().find(|(_, it)| it.name == "f").expect("it is there").0;
        let needs = Needs::of(&program, (entry, &[]), &|_| false);
        let branches = program.sites.iter().filter(|(_, site)| site.kind.is_branch());
        branches.map(|(site, _)| needs.before(&program, site)).collect()
    }

    #[test]
    fn what_is_done_afterwards_or_elsewhere_does_not_matter() {
        let text = r#"(module
            (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
            (memory 1)
            (func $grow (drop (memory.grow (i32.const 1))))
            (func $other (drop (call $clock (i32.const 0) (i64.const 0) (i32.const 0))))
            (func $inner (param i32) (if (local.get 0) (then (nop))))
            (func $f (export "f") (param i32)
              (if (local.get 0) (then (call $grow)) (else (call $inner (local.get 0))))
              (if (local.get 0) (then (call $other)))))"#;
        let clock = import(0);
        // In `inner`; the first of `f`; the second.
        assert_eq!(before(text), [0, 0, GROWS]);
        let called_later = text.replace("(call $other)))))", "(call $other) (call $inner (local.get 0))))))");
        assert_eq!(before(&called_later), [GROWS | clock, 0, GROWS]);
    }

    #[test]
    fn what_is_done_in_an_earlier_round_matters() {
        let text = r#"(module (memory 1)
            (func $f (export "f") (param i32)
              (loop $again
                (if (local.get 0) (then (nop)))
                (drop (memory.grow (i32.const 1)))
                (br_if $again (local.get 0)))))"#;
        // What the function does itself counts from its beginning.
        assert_eq!(before(text), [GROWS, GROWS]);
        let apart = text
            .replace("(drop (memory.grow (i32.const 1)))", "(call $grow)")
            .replace("(memory 1)", "(memory 1) (func $grow (drop (memory.grow (i32.const 1))))");
        assert_eq!(before(&apart), [GROWS, GROWS]);
    }
}
