//! What memory and globals hold when the program begins.

use super::Search;
use super::memory::Load;
use super::state::State;
use coax_program::addresses::Addresses;
use coax_program::{Extern, Program};
use coax_term::{Algebra, Term};
use std::ops::Range;
use wasmparser::ValType;

/// What a new instance of the program holds, as far as it is known.
#[derive(Debug)]
pub(super) struct Start<'p> {
    program: &'p Program,
    /// What is written to memory, in that order: where, and which bytes.
    segments: Vec<(u64, &'p [u8])>,
    /// The bytes from the first to the last of them.
    extent: Range<u64>,
    /// Which variables nothing writes, if that is known.
    addresses: Option<Addresses>,
}

/// A stack has so many bytes, or it is none.
const LEAST_STACK: u64 = 1024;
/// So many addresses a load may have.
pub(super) const MOST_PLACES: usize = 256;

impl<'p> Start<'p> {
    /// What the module says; nothing of memory if its data are placed at run time.
    pub(super) fn of(program: &'p Program) -> Start<'p> {
        // Whoever can write before the program begins could have.
        let is_own = !program.imports.iter().any(|import| matches!(import.kind, Extern::Memory(_)));
        let segments = program.first_data().filter(|_| is_own).unwrap_or_default();
        let first = segments.iter().map(|(at, _)| *at).min().unwrap_or_default();
        let last = segments
            .iter()
            .map(|(at, bytes)| at.saturating_add(bytes.len() as u64))
            .max()
            .unwrap_or_default();
        Start { program, segments, extent: first..last, addresses: Addresses::read(program) }
    }

    /// What a global begins as.
    fn global(&self, global: u32) -> Option<u64> {
        self.program.globals.get(global as usize)?.first
    }

    /// Whether an address is one of static data, for sure or if the stack never grows into them: linkers put data above all of the stack, or below. Of a
    /// stack pointer whose first value is this global's.
    pub(super) fn is_static(&self, stack_pointer: u32, address: u64) -> bool {
        let Some(top) = self.global(stack_pointer) else { return false };
        match (top <= self.extent.start, top >= self.extent.end) {
            _ if self.extent.is_empty() => false,
            (true, _) => address >= top,
            (_, true) => top >= self.extent.end + LEAST_STACK && self.extent.contains(&address),
            _ => false,
        }
    }

    /// Whether a byte of memory is one of a constant: it is the same whenever the program is entered.
    fn is_constant(&self, address: u64) -> bool {
        let known = self.addresses.as_ref().and_then(|all| Some((all, all.variable_at(address)?)));
        known.is_some_and(|(all, variable)| all.is_constant(variable))
    }

    /// A byte of memory.
    fn byte(&self, address: u64) -> Option<u8> {
        let holds =
            |(at, bytes): &&(u64, &[u8])| (*at..at.saturating_add(bytes.len() as u64)).contains(&address);
        match self.segments.iter().rev().find(holds) {
            Some((at, bytes)) => Some(bytes[(address - at) as usize]),
            None => self.extent.contains(&address).then_some(0),
        }
    }

    /// The number in so many bytes from an address on.
    fn number(&self, address: u64, bytes: u8) -> Option<u64> {
        let byte = |place: u8| Some(u64::from(self.byte(address + u64::from(place))?) << (8 * place));
        (0..bytes).map(byte).sum()
    }
}

impl Search<'_, '_, '_> {
    /// At the beginning of a function that is called from outside: what memory and globals hold is known if nothing was called before. Whether the state is
    /// possible.
    pub(super) fn begin(&mut self, state: &mut State) -> bool {
        let (entry, before) = self.roots.split_first().expect("there is a root");
        let may_write = |func: &coax_program::Func| self.graph.effects[func.0 as usize].is_any(self.graph);
        if state.frame().func != *entry || before.iter().any(may_write) {
            return true;
        }
        let (graph, program) = (self.graph, self.graph.program);
        let mut bindings: Vec<(Term, Term)> = Vec::new();
        for Load { address, bytes, bits, .. } in std::mem::take(&mut state.loads) {
            let Some(places) = self.terms.possible_values(address, MOST_PLACES) else { continue };
            let number = |&at: &u64| Some((at, graph.start.number(at, bytes)?));
            let Some(numbers) = places.iter().map(number).collect::<Option<Vec<_>>>() else { continue };
            let is_constant =
                |at: u64| (at..at.saturating_add(bytes.into())).all(|at| graph.start.is_constant(at));
            self.is_fresh |= !places.iter().all(|&at| is_constant(at));
            let entries =
                numbers.into_iter().map(|(at, number)| (at, self.terms.constant(8 * bytes, number)));
            let entries = entries.collect();
            let table = self.terms.table(entries);
            bindings.push((bits, self.terms.lookup(address, table)));
        }
        // An entry that is given pointers may find its stack elsewhere, which no other global tells.
        let takes_pointers = program.signature(*entry).params.contains(&ValType::I32);
        let is_moved =
            |global: u32| takes_pointers && graph.stack_pointer.is_none_or(|stack| stack == global);
        for (global, symbol) in std::mem::take(&mut state.globals) {
            let value = graph.start.global(global);
            if let Some(value) = value.filter(|_| !is_moved(global)) {
                self.is_fresh = true;
                bindings.push((symbol, self.terms.constant(self.terms.width_of(symbol), value)));
            }
        }
        state.bind(&mut self.terms, &bindings);
        bindings.is_empty() || self.is_possible(state)
    }
}
