//! What functions make of memory that somebody else might have left otherwise: the stack, blocks of the allocator, the state that libraries keep.

use super::{ADDRESSES, BLOCKS, Done, KEEPS, UNSET};
use crate::origins::{Origins, is_address_arithmetic, is_computation};
use coax_execute::semantics::memory::Access;
use coax_execute::{allocators, stack_pointer};
use coax_program::addresses::{Address, Addresses};
use coax_program::entity::Id;
use coax_program::ir::{InstData, Op};
use coax_program::{Func, Program};
use std::collections::BTreeSet;

/// What is to be known of the program before its functions are looked at.
pub(crate) struct Memory {
    /// The global that is the stack pointer.
    stack: Option<u32>,
    /// The functions that give blocks, and those of them that leave in a block what was there.
    giving: BTreeSet<Func>,
    leaving: BTreeSet<Func>,
    /// The functions of libraries that give something of a state that they keep.
    keeping: BTreeSet<Func>,
    in_scope: Vec<bool>,
}

impl Memory {
    pub(crate) fn of(
        program: &Program,
        addresses: Option<&Addresses>,
        is_in_scope: &dyn Fn(Func) -> bool,
    ) -> Memory {
        let mut memory = Memory {
            stack: stack_pointer(program),
            giving: BTreeSet::new(),
            leaving: BTreeSet::new(),
            keeping: BTreeSet::new(),
            in_scope: program.functions.ids().map(is_in_scope).collect(),
        };
        for (func, is_cleared) in allocators(program) {
            memory.giving.insert(func);
            if !is_cleared {
                memory.leaving.insert(func);
            }
        }
        let Some(addresses) = addresses else { return memory };
        loop {
            let before = memory.keeping.len();
            for func in program.functions.ids() {
                if !is_in_scope(func)
                    && !memory.giving.contains(&func)
                    && memory.keeps(program, func, addresses)
                {
                    memory.keeping.insert(func);
                }
            }
            if memory.keeping.len() == before {
                return memory;
            }
        }
    }

    /// The functions of libraries that give something of a state that they keep, and that the user's code calls, by name.
    pub(crate) fn keepers<'p>(&self, program: &'p Program) -> Vec<&'p str> {
        let is_called = |func: &Func| {
            let callers = &program.calls().callers[*func];
            callers.iter().any(|caller| self.in_scope[caller.index()])
        };
        let called = self.keeping.iter().filter(|func| is_called(func));
        called.map(|func| program.functions[*func].name.as_str()).collect()
    }

    /// Whether a function returns what it has computed from a variable that it writes, or what one of these has given it.
    fn keeps(&self, program: &Program, func: Func, addresses: &Addresses) -> bool {
        let Some(defined) = program.functions[func].defined() else { return false };
        let variables: BTreeSet<u32> = addresses
            .in_code(defined.range.clone())
            .filter(|(_, address)| matches!(address, Address::Variable(it) if !addresses.is_constant(*it)))
            .map(|(at, _)| at)
            .collect();
        // The number of a constant is just behind its one byte, that of an access behind its alignment.
        let names_variable =
            |inst: &InstData| variables.range(inst.offset + 1..inst.offset + 3).next().is_some();
        let reads = |inst: &InstData| {
            let is_load = Access::of(&inst.op).is_some_and(|access| !access.store);
            is_load && (names_variable(inst) || self.reads_at(&defined.body, inst, &names_variable))
        };
        let writes = defined.body.insts.values().any(|inst| {
            let is_store = Access::of(&inst.op).is_some_and(|access| access.store);
            is_store && (names_variable(inst) || self.reads_at(&defined.body, inst, &names_variable))
        });
        let is_origin = |inst: &InstData| match inst.op {
            Op::Call { function_index } => self.keeping.contains(&Func(function_index)),
            _ => writes && reads(inst),
        };
        Origins::of(&defined.body, &is_origin, &is_computation).are_returned()
    }

    /// Whether an access goes to where a constant says that is the address of a variable.
    fn reads_at(
        &self,
        body: &coax_program::ir::Body,
        inst: &InstData,
        names_variable: &dyn Fn(&InstData) -> bool,
    ) -> bool {
        let Some(address) = body.list(inst.args).first() else { return false };
        match body.values[*address].def {
            coax_program::ir::Def::Result(made, _) => {
                let made = &body.insts[made];
                matches!(made.op, Op::I32Const { .. }) && names_variable(made)
            }
            coax_program::ir::Def::Param(..) => false,
        }
    }

    /// What a function of the user's does.
    pub(crate) fn done(&self, program: &Program, func: Func) -> Done {
        let Some(defined) = program.functions[func].defined().filter(|_| self.in_scope[func.index()]) else {
            return 0;
        };
        let body = &defined.body;
        let calls = |inst: &InstData, of: &BTreeSet<Func>| match inst.op {
            Op::Call { function_index } => of.contains(&Func(function_index)),
            _ => false,
        };
        let is_stack = |inst: &InstData| match inst.op {
            Op::GlobalGet { global_index } => Some(global_index) == self.stack,
            _ => false,
        };
        let mut done = 0;
        if body.insts.values().any(|inst| calls(inst, &self.keeping)) {
            done |= KEEPS;
        }
        let left = Origins::of(body, &|inst| calls(inst, &self.leaving), &is_address_arithmetic);
        if left.are_read_through() {
            done |= BLOCKS;
        }
        let is_place = |inst: &InstData| is_stack(inst) || calls(inst, &self.giving);
        if Origins::of(body, &is_place, &is_address_arithmetic).are_numbers() {
            done |= ADDRESSES;
        }
        let frame = Origins::of(body, &is_stack, &is_address_arithmetic);
        if frame.are_read_before_written() {
            done |= UNSET;
        }
        done
    }
}
