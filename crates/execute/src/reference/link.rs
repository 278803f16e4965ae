//! Whether something fits an import.

use super::module::Module;
use super::store::{Item, Store};
use coax_program::entity::Id;
use coax_program::{Extern, Import};

/// Why an item does not fit an import of a module, if it does not.
pub(super) fn mismatch(store: &Store, module: &Module, import: &Import, item: Item) -> Option<String> {
    let program = &module.program;
    let fits = match (import.kind, item) {
        (Extern::Func(func), Item::Func(function)) => program.signature(func) == store.signature(function),
        (Extern::Table(index), Item::Table(table)) => {
            let (wanted, table) = (&module.tables[index as usize], &store.tables[table.index()]);
            wanted.element_type == table.ty.element_type
                && wanted.table64 == table.ty.table64
                && wanted.initial <= table.elements.len() as u64
                && maximum_fits(wanted.maximum, table.ty.maximum)
        }
        (Extern::Memory(index), Item::Memory(memory)) => {
            let (wanted, memory) = (&program.memories[index as usize].ty, &store.memories[memory.index()]);
            wanted.memory64 == memory.ty.memory64
                && wanted.initial <= memory.pages()
                && maximum_fits(wanted.maximum, memory.ty.maximum)
        }
        (Extern::Global(index), Item::Global(global)) => {
            program.globals[index as usize].ty == store.globals[global.index()].ty
        }
        (Extern::Tag(index), Item::Tag(tag)) => {
            program.types[program.tags[index as usize] as usize] == store.tags[tag.index()]
        }
        _ => false,
    };
    (!fits).then(|| format!("`{}.{}` is of another type", import.module, import.name))
}

/// Whether something that grows up to `actual` can be where at most `wanted` is expected.
fn maximum_fits(wanted: Option<u64>, actual: Option<u64>) -> bool {
    wanted.is_none_or(|wanted| actual.is_some_and(|actual| actual <= wanted))
}
