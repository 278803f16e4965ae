//! What instances share, each by its place in one store.

use super::linear::Memory;
use super::module::Module;
use super::value::Value;
use coax_program::entity::Id;
use coax_program::{Func, Signature};
use std::sync::Arc;

/// Declares the name of a kind of thing in the store.
macro_rules! place {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(pub(super) u32);

        impl Id for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 of a kind"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

place!(
    /// A function of the store.
    FuncId);
place!(
    /// A table of the store.
    TableId);
place!(
    /// A memory of the store.
    MemoryId);
place!(
    /// A global of the store.
    GlobalId);
place!(
    /// A tag of the store.
    TagId);
place!(
    /// An exception of the store.
    ExnId);
place!(
    /// An instance of a module.
    Instance);

/// Something that can be exported and imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A function.
    Func(FuncId),
    /// A table.
    Table(TableId),
    /// A memory.
    Memory(MemoryId),
    /// A global.
    Global(GlobalId),
    /// A tag.
    Tag(TagId),
}

/// A function of the host's: [`super::Host::call`] gets its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFunction {
    /// The number that the host knows it by.
    pub number: u32,
    /// Its type.
    pub signature: Signature,
}

#[derive(Debug)]
pub(super) enum Function {
    Host(HostFunction),
    Wasm { instance: Instance, func: Func },
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) ty: wasmparser::TableType,
    pub(super) elements: Vec<Value>,
}

#[derive(Debug)]
pub(super) struct Global {
    pub(super) ty: wasmparser::GlobalType,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) struct Exception {
    pub(super) tag: TagId,
    pub(super) payload: Vec<Value>,
}

/// An instance: where in the store the things of its module are, and what is left of its segments.
#[derive(Debug)]
pub(super) struct InstanceData {
    pub(super) module: Arc<Module>,
    pub(super) functions: Vec<FuncId>,
    pub(super) tables: Vec<TableId>,
    pub(super) memories: Vec<MemoryId>,
    pub(super) globals: Vec<GlobalId>,
    pub(super) tags: Vec<TagId>,
    /// Element segments; empty once dropped.
    pub(super) elements: Vec<Vec<Value>>,
    /// Whether each data segment was dropped.
    pub(super) dropped_data: Vec<bool>,
}

#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) instances: Vec<InstanceData>,
    pub(super) functions: Vec<Function>,
    pub(super) tables: Vec<Table>,
    pub(super) memories: Vec<Memory>,
    pub(super) globals: Vec<Global>,
    /// The type of each tag.
    pub(super) tags: Vec<Signature>,
    pub(super) exceptions: Vec<Exception>,
}

/// Adds something and returns its place.
pub(super) fn push<T, I: Id>(list: &mut Vec<T>, item: T) -> I {
    list.push(item);
    I::new(list.len() - 1)
}

impl Store {
    pub(super) fn instance(&self, instance: Instance) -> &InstanceData {
        &self.instances[instance.index()]
    }

    /// The type of a function.
    pub(super) fn signature(&self, function: FuncId) -> &Signature {
        match &self.functions[function.index()] {
            Function::Host(host) => &host.signature,
            Function::Wasm { instance, func } => self.instance(*instance).module.program.signature(*func),
        }
    }
}

impl InstanceData {
    /// What the module exports under a name.
    pub(super) fn export(&self, name: &str) -> Option<Item> {
        use coax_program::Extern as E;
        let export = self.module.program.exports.iter().find(|export| export.name == name)?;
        Some(match export.kind {
            E::Func(func) => Item::Func(self.functions[func.index()]),
            E::Table(index) => Item::Table(self.tables[index as usize]),
            E::Memory(index) => Item::Memory(self.memories[index as usize]),
            E::Global(index) => Item::Global(self.globals[index as usize]),
            E::Tag(index) => Item::Tag(self.tags[index as usize]),
        })
    }
}
