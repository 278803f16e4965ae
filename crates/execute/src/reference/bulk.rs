//! Operators on ranges and sizes of memories.

use super::interpreter::{Interpreter, Stop};
use super::store::{Instance, MemoryId};
use super::value::Value;
use crate::TrapKind;
use crate::path::Concretisation;
use crate::semantics::window::{Bytes, byte_of};
use coax_program::entity::Id;
use coax_program::ir::Op;
use coax_term::{Algebra, Term};

impl Interpreter {
    /// Executes a `memory.*` or `data.drop`.
    pub(super) fn bulk(
        &mut self,
        instance: Instance,
        op: &Op,
        args: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let memory = |interpreter: &Interpreter, index: u32| {
            interpreter.store.instance(instance).memories[index as usize]
        };
        match *op {
            Op::MemorySize { mem } => {
                let memory = &self.store.memories[memory(self, mem).index()];
                let width = if memory.ty.memory64 { 64 } else { 32 };
                return Ok(Some(Value::Number(self.terms.constant(width, memory.pages()))));
            }
            Op::MemoryGrow { mem } => {
                let memory = memory(self, mem);
                return Ok(Some(Value::Number(self.grow_memory(memory, args[0].number()))));
            }
            Op::MemoryCopy { dst_mem, src_mem } => {
                let memories = (memory(self, dst_mem), memory(self, src_mem));
                self.copy(memories.0, memories.1, dst_mem, args)?;
            }
            Op::MemoryFill { mem } => {
                let memory = memory(self, mem);
                self.fill(memory, mem, args)?;
            }
            Op::MemoryInit { data_index, mem } => {
                let memory = memory(self, mem);
                self.init(instance, memory, data_index as usize, args)?;
            }
            Op::DataDrop { data_index } => {
                self.store.instances[instance.index()].dropped_data[data_index as usize] = true;
            }
            _ => unreachable!("{op:?} is no operator on memories"),
        }
        Ok(None)
    }

    fn grow_memory(&mut self, memory: MemoryId, delta: Term) -> Term {
        let width = self.terms.width(delta);
        let pages = self.concretise(delta, Concretisation::Grow);
        let limit = self.limits.memory_bytes;
        let before = self.store.memories[memory.index()].grow(pages, limit);
        self.terms.constant(width, before.unwrap_or(u64::MAX >> (64 - width)))
    }

    fn memory_size(&self, memory: MemoryId) -> u64 {
        self.store.memories[memory.index()].size()
    }

    /// Places and a length as numbers, in the order of the operands.
    fn numbers<const N: usize>(&mut self, operands: [Value; N], reason: Concretisation) -> [u64; N] {
        operands.map(|operand| self.concretise(operand.number(), reason))
    }

    fn copy(&mut self, to: MemoryId, from: MemoryId, to_index: u32, args: &[Value]) -> Result<(), Stop> {
        let [target, source, length] = three(args);
        self.check_range(target, length, self.memory_size(to), TrapKind::MemoryOutOfBounds)?;
        self.check_range(source, length, self.memory_size(from), TrapKind::MemoryOutOfBounds)?;
        let [target, source, length] = self.numbers([target, source, length], Concretisation::Bulk);
        // The ranges may overlap: everything is read before anything is written.
        let memory = &mut self.store.memories[from.index()];
        let mut bytes: Vec<Term> =
            (source..source + length).map(|address| memory.byte(&mut self.terms, address)).collect();
        if to_index != 0 {
            for byte in &mut bytes {
                *byte = self.constant_of(*byte, Concretisation::OtherMemory);
            }
        }
        let memory = &mut self.store.memories[to.index()];
        for (address, byte) in (target..).zip(bytes) {
            memory.set(&self.terms, address, byte);
        }
        Ok(())
    }

    fn fill(&mut self, memory: MemoryId, index: u32, args: &[Value]) -> Result<(), Stop> {
        let [target, value, length] = three(args);
        self.check_range(target, length, self.memory_size(memory), TrapKind::MemoryOutOfBounds)?;
        let [target, length] = self.numbers([target, length], Concretisation::Bulk);
        let mut byte = byte_of(&mut self.terms, value.number(), 0);
        if index != 0 && length != 0 {
            byte = self.constant_of(byte, Concretisation::OtherMemory);
        }
        let memory = &mut self.store.memories[memory.index()];
        for address in target..target + length {
            memory.set(&self.terms, address, byte);
        }
        Ok(())
    }

    fn init(
        &mut self,
        instance: Instance,
        memory: MemoryId,
        segment: usize,
        args: &[Value],
    ) -> Result<(), Stop> {
        let [target, source, length] = three(args);
        let dropped = self.store.instance(instance).dropped_data[segment];
        let module = std::sync::Arc::clone(&self.store.instance(instance).module);
        let bytes = if dropped { &[] } else { module.data_bytes(segment) };
        self.check_range(target, length, self.memory_size(memory), TrapKind::MemoryOutOfBounds)?;
        self.check_range(source, length, bytes.len() as u64, TrapKind::MemoryOutOfBounds)?;
        let [target, source, length] = self.numbers([target, source, length], Concretisation::Bulk);
        let memory = &mut self.store.memories[memory.index()];
        for (address, &byte) in (target..).zip(&bytes[source as usize..(source + length) as usize]) {
            memory.set_plain(address, byte);
        }
        Ok(())
    }
}

/// The operands of an operator on ranges.
pub(super) fn three(args: &[Value]) -> [Value; 3] {
    args.try_into().expect("validated: there are three operands")
}
