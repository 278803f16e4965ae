//! The state in which a function can be called: memory and globals.

use super::host::Symbolic;
use super::pages::Pages;
use crate::instrument::{MEMORY, global_name, mutable_numbers};
use crate::sandbox::State;
use crate::{Error, Value};
use coax_program::{Func, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use wasmtime::{Caller, Extern, Instance, Store};

/// The bytes of a wasm page.
const PAGE: usize = 1 << 16;

/// What a call of a function finds: the first memory, and the globals that can change and are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The bytes of the first memory.
    pub memory: Pages,
    /// The globals, by index.
    pub globals: BTreeMap<u32, Value>,
}

impl Image {
    /// The state of the instance that calls the host now.
    pub(super) fn of(caller: &mut Caller<'_, State>, globals: &[u32]) -> Image {
        let memory = match caller.get_export(MEMORY) {
            Some(Extern::Memory(memory)) => Pages::of(memory.data(&*caller)),
            _ => Pages::default(),
        };
        let mut image = Image { memory, globals: BTreeMap::new() };
        for &global in globals {
            if let Some(Extern::Global(found)) = caller.get_export(&global_name(global)) {
                let value = found.get(&mut *caller);
                image.globals.insert(global, Value::from_wasmtime(&value));
            }
        }
        image
    }

    /// Puts an instance that is fresh into this state; `not_zero` are the pages of its memory that are not zero.
    pub(super) fn restore(
        &self,
        program: &Program,
        instance: &Instance,
        store: &mut Store<State>,
        not_zero: &OnceLock<Vec<usize>>,
    ) -> Result<(), Error> {
        let refused = |error: wasmtime::Error| Error::Host(format!("the image does not fit: {error:#}"));
        let known: Vec<u32> = mutable_numbers(program).collect();
        if let Some(unknown) = self.globals.keys().find(|global| !known.contains(global)) {
            let what = format!("the program has no mutable number that is global {unknown}");
            return Err(refused(wasmtime::Error::msg(what)));
        }
        if let Some(memory) = instance.get_memory(&mut *store, MEMORY) {
            let flags = instance.get_memory(&mut *store, crate::instrument::FLAGS);
            let missing = self.memory.len().saturating_sub(memory.data_size(&*store)).div_ceil(PAGE) as u64;
            for memory in [Some(memory), flags].into_iter().flatten().filter(|_| missing > 0) {
                memory.grow(&mut *store, missing).map_err(refused)?;
            }
            let not_zero = not_zero.get_or_init(|| Pages::of(memory.data(&*store)).numbers());
            self.memory.write(memory.data_mut(&mut *store), not_zero);
        }
        for (&global, value) in &self.globals {
            if let Some(found) = instance.get_global(&mut *store, &global_name(global)) {
                let ty = found.ty(&*store).content().clone();
                found.set(&mut *store, value.to_wasmtime(&ty)).map_err(refused)?;
            }
        }
        Ok(())
    }
}

/// Functions whose first calls are waited for.
pub(super) struct Watch {
    functions: BTreeSet<Func>,
    globals: Vec<u32>,
    /// What they found.
    pub(super) images: BTreeMap<Func, Image>,
}

impl Watch {
    pub(super) fn new(functions: BTreeSet<Func>, program: &Program) -> Self {
        Watch { functions, globals: mutable_numbers(program).collect(), images: BTreeMap::new() }
    }
}

impl Symbolic {
    /// A function is about to begin.
    pub(super) fn entering(&mut self, func: u32, caller: &mut Caller<'_, State>) {
        if let Some(watch) = &mut self.watch
            && watch.functions.remove(&Func(func))
        {
            watch.images.insert(Func(func), Image::of(caller, &watch.globals));
        }
    }
}
