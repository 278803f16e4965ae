//! Instantiation: imports are linked, the rest is made, segments are put in place, the start function runs.

use super::constant::Constant;
use super::host::Host;
use super::interpreter::{Interpreter, Stop};
use super::linear::Memory;
use super::link;
use super::module::{Module, Place};
use super::store::{self, Function, Global, Instance, InstanceData, Item, Table};
use super::value::Value;
use crate::TrapKind;
use crate::semantics::window::Bytes;
use coax_program::entity::Id;
use coax_program::{Code, Program};
use std::sync::Arc;

/// Why there is no instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// An import is missing or of another type.
    #[error("the program cannot be linked: {0}; give it what it imports")]
    Unlinkable(String),
    /// A segment did not fit, or the start function did not return. What was done before stays done.
    #[error("the program could not start: {0:?}; look at its segments and its start function")]
    Stopped(Stop),
}

impl Interpreter {
    /// Makes an instance of a program; `imports` are for its imports, in order.
    pub fn instantiate(
        &mut self,
        program: Arc<Program>,
        imports: &[Item],
        host: &mut dyn Host,
    ) -> Result<Instance, Refused> {
        let module = Module::read(program).expect("the bytes of a program were parsed before");
        let module = Arc::new(module);
        self.link(&module, imports).map_err(Refused::Unlinkable)?;
        let instance = self.allocate(module, imports);
        self.start(instance, host).map_err(Refused::Stopped)?;
        Ok(instance)
    }

    fn link(&self, module: &Module, imports: &[Item]) -> Result<(), String> {
        let wanted = &module.program.imports;
        if wanted.len() != imports.len() {
            return Err(format!("it has {} imports, {} were given", wanted.len(), imports.len()));
        }
        let mut mismatches = wanted
            .iter()
            .zip(imports)
            .filter_map(|(import, &item)| link::mismatch(&self.store, module, import, item));
        mismatches.next().map_or(Ok(()), Err)
    }

    /// Makes everything the module defines, in its initial state.
    fn allocate(&mut self, module: Arc<Module>, imports: &[Item]) -> Instance {
        let program = Arc::clone(&module.program);
        let instance: Instance = store::push(
            &mut self.store.instances,
            InstanceData {
                functions: Vec::new(),
                tables: Vec::new(),
                memories: Vec::new(),
                globals: Vec::new(),
                tags: Vec::new(),
                elements: Vec::new(),
                dropped_data: vec![false; module.data.len()],
                module: Arc::clone(&module),
            },
        );
        let store = &mut self.store;
        let data = &mut store.instances[instance.index()];
        for &import in imports {
            match import {
                Item::Func(id) => data.functions.push(id),
                Item::Table(id) => data.tables.push(id),
                Item::Memory(id) => data.memories.push(id),
                Item::Global(id) => data.globals.push(id),
                Item::Tag(id) => data.tags.push(id),
            }
        }
        for (func, function) in program.functions.iter() {
            if let Code::Defined(_) = function.code {
                data.functions.push(store::push(&mut store.functions, Function::Wasm { instance, func }));
            }
        }
        for memory in &program.memories[data.memories.len()..] {
            data.memories.push(store::push(&mut store.memories, Memory::new(memory.ty)));
        }
        for &tag in &program.tags[data.tags.len()..] {
            data.tags.push(store::push(&mut store.tags, program.types[tag as usize].clone()));
        }
        self.allocate_globals(instance, &module);
        self.allocate_tables(instance, &module);
        for segment in &module.elements {
            let items = segment.items.iter().map(|item| self.constant(instance, item)).collect();
            self.store.instances[instance.index()].elements.push(items);
        }
        instance
    }

    fn allocate_globals(&mut self, instance: Instance, module: &Module) {
        let imported = self.store.instance(instance).globals.len();
        for (global, init) in module.program.globals[imported..].iter().zip(&module.globals) {
            let value = self.constant(instance, init);
            let id = store::push(&mut self.store.globals, Global { ty: global.ty, value });
            self.store.instances[instance.index()].globals.push(id);
        }
    }

    fn allocate_tables(&mut self, instance: Instance, module: &Module) {
        let imported = self.store.instance(instance).tables.len();
        for (&ty, init) in module.tables[imported..].iter().zip(&module.table_inits) {
            let value = match init {
                Some(init) => self.constant(instance, init),
                None => Value::null(ty.element_type.heap_type()),
            };
            let elements = vec![value; ty.initial as usize];
            let id = store::push(&mut self.store.tables, Table { ty, elements });
            self.store.instances[instance.index()].tables.push(id);
        }
    }

    /// The value of a constant expression.
    fn constant(&mut self, instance: Instance, constant: &Constant) -> Value {
        let data = self.store.instance(instance);
        let function = |index: u32| Value::Func(Some(data.functions[index as usize]));
        let global = |index: u32| self.store.globals[data.globals[index as usize].index()].value;
        constant.eval(&mut self.terms, function, global)
    }

    /// Puts active segments in place and runs the start function.
    fn start(&mut self, instance: Instance, host: &mut dyn Host) -> Result<(), Stop> {
        let module = Arc::clone(&self.store.instance(instance).module);
        for (index, segment) in module.elements.iter().enumerate() {
            if let Place::Active(table, offset) = &segment.place {
                let table = self.store.instance(instance).tables[*table as usize];
                let elements = self.store.instance(instance).elements[index].clone();
                let size = self.store.tables[table.index()].elements.len() as u64;
                let start = self.place_of(instance, offset, elements.len() as u64, size);
                let start = start.ok_or(Stop::Trap { kind: TrapKind::TableOutOfBounds, at: None })?;
                self.put(table, start as usize, &elements);
            }
            if !matches!(segment.place, Place::Passive) {
                self.store.instances[instance.index()].elements[index].clear();
            }
        }
        for (index, segment) in module.data.iter().enumerate() {
            if let Place::Active(memory, offset) = &segment.place {
                let memory = self.store.instance(instance).memories[*memory as usize];
                let bytes = module.data_bytes(index);
                let size = self.store.memories[memory.index()].size();
                let start = self.place_of(instance, offset, bytes.len() as u64, size);
                let start = start.ok_or(Stop::Trap { kind: TrapKind::MemoryOutOfBounds, at: None })?;
                for (address, &byte) in (start..).zip(bytes) {
                    self.store.memories[memory.index()].set_plain(address, byte);
                }
                self.store.instances[instance.index()].dropped_data[index] = true;
            }
        }
        match module.program.start {
            Some(func) => self.call(self.function(instance, func), &[], host).map(drop),
            None => Ok(()),
        }
    }

    /// Where a segment of this length goes; none if it does not fit.
    fn place_of(&mut self, instance: Instance, offset: &Constant, length: u64, size: u64) -> Option<u64> {
        let offset = self.constant(instance, offset).number();
        let offset = self.value(offset);
        (offset.checked_add(length)? <= size).then_some(offset)
    }
}
