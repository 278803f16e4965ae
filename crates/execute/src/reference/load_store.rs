//! Loads and stores.

use super::interpreter::{Interpreter, Stop};
use super::store::{Instance, MemoryId};
use super::value::Value;
use crate::TrapKind;
use crate::path::Concretisation;
use crate::semantics::memory::{Access, Accessed};
use crate::semantics::vector;
use crate::semantics::window::{self, Bytes};
use coax_program::entity::Id;
use coax_program::ir::Op;
use coax_term::{Algebra, Term};

/// Where an access goes.
enum Place {
    /// To one address.
    Known(u64),
    /// To one of a few addresses of memory 0.
    Window(Term),
}

impl Interpreter {
    /// Executes a load or store; the result of a load.
    pub(super) fn access(
        &mut self,
        instance: Instance,
        op: &Op,
        access: Access,
        args: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let index = access.memarg.memory;
        let memory = self.store.instance(instance).memories[index as usize];
        let address = args[0].number();
        let size = self.store.memories[memory.index()].size();
        let fits = access.in_bounds(&mut self.terms, address, size);
        let outside = self.terms.not(fits);
        self.trap_if(outside, TrapKind::MemoryOutOfBounds)?;
        let effective = access.effective(&mut self.terms, address);
        Ok(match (access.value, access.store) {
            (Accessed::Scalar { .. }, false) => {
                let bits = self.load_bits(memory, index, effective, access.bytes);
                Some(Value::Number(access.loaded(&mut self.terms, bits)))
            }
            (Accessed::Scalar { .. }, true) => {
                let bits = access.stored(&mut self.terms, args[1].number());
                self.store_bits(memory, index, effective, bits, access.bytes);
                None
            }
            (Accessed::Vector, false) => {
                let operand = args.get(1).map(|vector| vector.vector());
                Some(self.load_vector(memory, op, effective, access.bytes, operand))
            }
            (Accessed::Vector, true) => {
                self.store_vector(memory, op, effective, args[1].vector());
                None
            }
        })
    }

    /// Memory 0 may be accessed through a window; if there is none, or elsewhere, the address becomes a number.
    fn place(&mut self, window: bool, effective: Term) -> Place {
        match self.terms.as_constant(effective) {
            Some(address) => Place::Known(address),
            None if window => Place::Window(effective),
            None => Place::Known(self.concretise(effective, Concretisation::Address)),
        }
    }

    fn load_bits(&mut self, memory: MemoryId, index: u32, effective: Term, bytes: u8) -> Term {
        let address = match self.place(index == 0, effective) {
            Place::Known(address) => address,
            Place::Window(effective) => {
                let memory = &mut self.store.memories[memory.index()];
                let places = window::places(&mut self.terms, memory, effective, bytes, window::READS);
                if let Some(places) = places {
                    return window::read(&mut self.terms, memory, effective, &places, bytes);
                }
                self.concretise(effective, Concretisation::Address)
            }
        };
        window::read_at(&mut self.terms, &mut self.store.memories[memory.index()], address, bytes)
    }

    fn store_bits(&mut self, memory: MemoryId, index: u32, effective: Term, bits: Term, bytes: u8) {
        let address = match self.place(index == 0, effective) {
            Place::Known(address) => address,
            Place::Window(effective) => {
                let memory = &mut self.store.memories[memory.index()];
                let places = window::places(&mut self.terms, memory, effective, bytes, window::WRITES);
                if let Some(places) = places {
                    let changes = window::write(&mut self.terms, memory, effective, &places, bits, bytes);
                    changes.into_iter().for_each(|(address, byte)| memory.set(&self.terms, address, byte));
                    return;
                }
                self.concretise(effective, Concretisation::Address)
            }
        };
        let bits = if index == 0 { bits } else { self.constant_of(bits, Concretisation::OtherMemory) };
        self.store.memories[memory.index()].store(&mut self.terms, address, bits);
    }

    fn load_vector(
        &mut self,
        memory: MemoryId,
        op: &Op,
        effective: Term,
        bytes: u8,
        operand: Option<[Term; 2]>,
    ) -> Value {
        let address = self.concretise(effective, Concretisation::Address);
        let mut pieces = Vec::new();
        for start in (0..bytes).step_by(8) {
            let count = (bytes - start).min(8);
            let memory = &mut self.store.memories[memory.index()];
            let piece = window::read_at(&mut self.terms, memory, address + u64::from(start), count);
            pieces.push(self.constant_of(piece, Concretisation::Simd));
        }
        let loaded = vector::loaded(&mut self.terms, op, &pieces, operand);
        Value::Vector(loaded.expect("validated: it is a vector load"))
    }

    fn store_vector(&mut self, memory: MemoryId, op: &Op, effective: Term, vector: [Term; 2]) {
        let address = self.concretise(effective, Concretisation::Address);
        let (low, high) =
            vector::stored(&mut self.terms, op, vector).expect("validated: it is a vector store");
        let memory = &mut self.store.memories[memory.index()];
        memory.store(&mut self.terms, address, low);
        if let Some(high) = high {
            memory.store(&mut self.terms, address + 8, high);
        }
    }

    /// A term as a constant.
    pub(super) fn constant_of(&mut self, term: Term, reason: Concretisation) -> Term {
        let bits = self.concretise(term, reason);
        let width = self.terms.width(term);
        self.terms.constant(width, bits)
    }
}
