//! Operators on tables.

use super::bulk::three;
use super::interpreter::{Interpreter, Stop};
use super::store::{Instance, TableId};
use super::value::Value;
use crate::TrapKind;
use crate::path::Concretisation;
use crate::semantics::memory;
use coax_program::entity::Id;
use coax_program::ir::Op;
use coax_program::ops;
use coax_term::{Algebra, Term};

impl Interpreter {
    /// Executes a `table.*` or `elem.drop`.
    pub(super) fn table(
        &mut self,
        instance: Instance,
        op: &Op,
        args: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let place = |interpreter: &Interpreter, index: u32| {
            interpreter.store.instance(instance).tables[index as usize]
        };
        match *op {
            Op::TableGet { table } => {
                let table = place(self, table);
                return Ok(Some(self.element(table, args[0].number())?));
            }
            Op::TableSet { table } => {
                let table = place(self, table);
                let index = self.element_index(table, args[0].number())?;
                self.store.tables[table.index()].elements[index] = args[1];
            }
            Op::TableSize { table } => {
                let table = &self.store.tables[place(self, table).index()];
                let width = if table.ty.table64 { 64 } else { 32 };
                return Ok(Some(Value::Number(self.terms.constant(width, table.elements.len() as u64))));
            }
            Op::TableGrow { table } => {
                let table = place(self, table);
                return Ok(Some(Value::Number(self.grow_table(table, args[0], args[1].number()))));
            }
            Op::TableFill { table } => {
                let table = place(self, table);
                let [target, value, length] = three(args);
                self.check_range(target, length, self.table_size(table), TrapKind::TableOutOfBounds)?;
                let range = self.range(target, length);
                self.store.tables[table.index()].elements[range].fill(value);
            }
            Op::TableCopy { dst_table, src_table } => {
                let (to, from) = (place(self, dst_table), place(self, src_table));
                self.copy_elements(to, from, args)?;
            }
            Op::TableInit { elem_index, table } => {
                let table = place(self, table);
                self.init_elements(instance, table, elem_index as usize, args)?;
            }
            Op::ElemDrop { elem_index } => {
                self.store.instances[instance.index()].elements[elem_index as usize].clear();
            }
            _ => unreachable!("{} is outside the features that coax accepts", ops::name(op)),
        }
        Ok(None)
    }

    fn table_size(&self, table: TableId) -> u64 {
        self.store.tables[table.index()].elements.len() as u64
    }

    /// The element of a table; the index becomes a number.
    pub(super) fn element(&mut self, table: TableId, index: Term) -> Result<Value, Stop> {
        let index = self.element_index(table, index)?;
        Ok(self.store.tables[table.index()].elements[index])
    }

    fn element_index(&mut self, table: TableId, index: Term) -> Result<usize, Stop> {
        let size = self.table_size(table);
        let fits = memory::in_bounds(&mut self.terms, index, 0, 1, size);
        let outside = self.terms.not(fits);
        self.trap_if(outside, TrapKind::TableOutOfBounds)?;
        Ok(self.concretise(index, Concretisation::Table) as usize)
    }

    fn grow_table(&mut self, table: TableId, value: Value, delta: Term) -> Term {
        let width = self.terms.width(delta);
        let more = self.concretise(delta, Concretisation::Grow);
        let before = self.table_size(table);
        let table = &mut self.store.tables[table.index()];
        let most = table.ty.maximum.unwrap_or(u64::MAX).min(self.limits.table_elements);
        let after = before.checked_add(more).filter(|&after| after <= most || more == 0);
        let result = match after {
            Some(after) => {
                table.elements.resize(after as usize, value);
                before
            }
            None => u64::MAX >> (64 - width),
        };
        self.terms.constant(width, result)
    }

    /// A range that was checked, as numbers.
    fn range(&mut self, start: Value, length: Value) -> std::ops::Range<usize> {
        let start = self.concretise(start.number(), Concretisation::Table) as usize;
        let length = self.concretise(length.number(), Concretisation::Table) as usize;
        start..start + length
    }

    fn copy_elements(&mut self, to: TableId, from: TableId, args: &[Value]) -> Result<(), Stop> {
        let [target, source, length] = three(args);
        self.check_range(target, length, self.table_size(to), TrapKind::TableOutOfBounds)?;
        self.check_range(source, length, self.table_size(from), TrapKind::TableOutOfBounds)?;
        let target = self.concretise(target.number(), Concretisation::Table) as usize;
        let range = self.range(source, length);
        // The ranges may overlap: everything is read before anything is written.
        let elements = self.store.tables[from.index()].elements[range].to_vec();
        self.put(to, target, &elements);
        Ok(())
    }

    fn init_elements(
        &mut self,
        instance: Instance,
        table: TableId,
        segment: usize,
        args: &[Value],
    ) -> Result<(), Stop> {
        let [target, source, length] = three(args);
        let available = self.store.instance(instance).elements[segment].len() as u64;
        self.check_range(target, length, self.table_size(table), TrapKind::TableOutOfBounds)?;
        self.check_range(source, length, available, TrapKind::TableOutOfBounds)?;
        let target = self.concretise(target.number(), Concretisation::Table) as usize;
        let range = self.range(source, length);
        let elements = self.store.instance(instance).elements[segment][range].to_vec();
        self.put(table, target, &elements);
        Ok(())
    }

    /// Overwrites elements that exist.
    pub(super) fn put(&mut self, table: TableId, start: usize, elements: &[Value]) {
        self.store.tables[table.index()].elements[start..start + elements.len()].copy_from_slice(elements);
    }
}
