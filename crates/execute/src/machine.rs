//! A wasmtime instance, plain or instrumented, as what entries are prepared on.

use crate::Value;
use crate::arguments::{Machine, PlannedSymbol, prepare};
use crate::counting::HIDDEN;
use crate::entry::{Entry, Plans};
use crate::exports::{function_export, memory_export};
use crate::imports::Ended;
use crate::instrument::{FLAGS, MEMORY, function_name, own_name};
use crate::memory_safety;
use crate::sandbox::State;
use coax_program::{Extern, Func, Program};
use wasmtime::{Instance, Memory, Store, Val, ValType};

/// A running instance.
pub(crate) struct WasmtimeMachine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) instance: Instance,
    pub(crate) store: &'a mut Store<State>,
    /// What makes bytes of its memory symbols, if it is instrumented.
    pub(crate) marks: Option<Mark>,
    pub(crate) is_instrumented: bool,
}

/// Makes what is at an address of an instrumented instance's memory a symbol.
pub(crate) type Mark =
    fn(&mut Store<State>, memory: Memory, flags: Memory, address: u64, symbol: &PlannedSymbol);

impl WasmtimeMachine<'_> {
    /// Calls the entry function: after all that must come before it, and after `start`.
    pub(crate) fn run(
        mut self,
        entry: &Entry,
        plans: &Plans,
        start: impl FnOnce(&mut Store<State>, &[Value]) -> wasmtime::Result<()>,
    ) -> wasmtime::Result<Vec<Value>> {
        let params = prepare(&mut self, entry, &plans.entry, plans.fuzz_initializer.as_ref())?;
        start(&mut *self.store, &params)?;
        if let Some(reason) = plans.entry.broken_rule() {
            return Err(Ended::Discarded(reason).into());
        }
        if entry.is_start {
            return Ok(Vec::new());
        }
        memory_safety::begins(self.store);
        self.call(entry.func, &params)
    }

    fn function_name(&self, func: Func) -> String {
        if !self.is_instrumented {
            return function_export(self.program, func);
        }
        let own = self.program.exports.iter().find(|export| export.kind == Extern::Func(func));
        own.map_or_else(|| function_name(func.0), |export| own_name(&export.name))
    }

    /// How many pages there are that the program does not know of.
    fn hidden_pages(&mut self) -> u64 {
        let hidden = self.instance.get_global(&mut *self.store, HIDDEN);
        hidden.and_then(|global| global.get(&mut *self.store).i32()).map_or(0, |pages| pages as u64)
    }

    fn hide(&mut self, pages: i32) -> bool {
        let hidden = self.instance.get_global(&mut *self.store, HIDDEN);
        hidden.is_some_and(|global| global.set(&mut *self.store, Val::I32(pages)).is_ok())
    }

    /// The first memory and, in an instrumented instance, its flags.
    fn memories(&mut self) -> impl Iterator<Item = Memory> + use<> {
        let names = match self.is_instrumented {
            true => vec![MEMORY.to_owned(), FLAGS.to_owned()],
            false => vec![memory_export(self.program)],
        };
        let found: Vec<Memory> =
            names.iter().filter_map(|name| self.instance.get_memory(&mut *self.store, name)).collect();
        found.into_iter()
    }
}

impl Machine for WasmtimeMachine<'_> {
    type Stop = wasmtime::Error;

    fn call(&mut self, func: Func, params: &[Value]) -> wasmtime::Result<Vec<Value>> {
        let name = self.function_name(func);
        let function = self.instance.get_func(&mut *self.store, &name);
        let function = function.ok_or_else(|| wasmtime::format_err!("`{name}` is not exported"))?;
        let ty = function.ty(&*self.store);
        let types: Vec<ValType> = ty.params().collect();
        let params: Vec<Val> = params.iter().zip(&types).map(|(value, ty)| value.to_wasmtime(ty)).collect();
        let mut results = vec![Val::I32(0); ty.results().len()];
        function.call(&mut *self.store, &params, &mut results)?;
        Ok(results.iter().map(Value::from_wasmtime).collect())
    }

    fn memory_bytes(&mut self) -> u64 {
        let memory = self.memories().next();
        let bytes = memory.map_or(0, |memory| memory.data_size(&*self.store) as u64);
        bytes - (self.hidden_pages() << 16)
    }

    fn grow(&mut self, pages: u64) -> bool {
        let before = self.memory_bytes();
        let hidden = self.hidden_pages();
        if hidden > 0 && pages <= hidden {
            return self.hide((hidden - pages) as i32);
        }
        let pages = pages - hidden;
        self.memories().all(|memory| memory.grow(&mut *self.store, pages).is_ok())
            && memory_safety::grown_by_host(self.store, before, before + (pages << 16)).is_ok()
            && (hidden == 0 || self.hide(0))
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        if let Some(memory) = self.memories().next() {
            let start = address as usize;
            // An allocator of the program's may have given what is not there.
            if let Some(place) =
                memory.data_mut(&mut *self.store).get_mut(start..start.saturating_add(bytes.len()))
            {
                place.copy_from_slice(bytes);
                self.store.data_mut().placed.push((address, bytes.len() as u64));
                if let Some(written) = &mut self.store.data_mut().world.written {
                    written.push((address, bytes.len()));
                }
            }
        }
    }

    fn mark(&mut self, address: u64, symbol: &PlannedSymbol) {
        let mut memories = self.memories();
        if let (Some(mark), Some(memory), Some(flags)) = (self.marks, memories.next(), memories.next()) {
            mark(&mut *self.store, memory, flags, address, symbol);
        }
    }
}
