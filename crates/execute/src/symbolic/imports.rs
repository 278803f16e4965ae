//! What a call of the host does to the symbolic side of a run.

use super::calls::Datum;
use super::cells::Linear;
use super::hooks::Beyond;
use super::host::with_symbolic;
use super::shadow::{Shadow, Transfer, TransferKind};
use crate::bounds::{Bound, EndedAt};
use crate::imports::Symbolically;
use crate::instrument::segment::{CELLS, TRANSFER};
use crate::path::Concretisation;
use crate::sandbox::State;
use crate::semantics::events::Recorder;
use coax_term::{Term, Terms};
use wasmtime::{AsContextMut, Caller, Memory, Result, StoreContextMut, Val};

/// The host has answered a call on a memory: takes over the arguments, and does what is in the log.
pub(crate) fn apply(caller: &mut Caller<'_, State>, memory: Option<Memory>) -> Result<()> {
    if !caller.data().world.log.on {
        return Ok(());
    }
    let mut log = std::mem::take(&mut caller.data_mut().world.log);
    with_symbolic(caller, |caller, symbolic| {
        // Asked before, for one call can make more than all memory of the host would hold.
        if !symbolic.has_room(log.symbols()) {
            return Err(EndedAt(Bound::Terms).into());
        }
        let place = symbolic.place.map_or(Val::I64(0), |place| place.get(&mut *caller));
        // Only the first memory has terms.
        let is_first = |first: &Memory| {
            memory.is_some_and(|memory| memory.data_ptr(&*caller) == first.data_ptr(&*caller))
        };
        let memories = symbolic.memories.filter(|(first, _)| is_first(first));
        let shadow = &mut *symbolic.shadow;
        shadow.cells.beyond(Beyond::Import);
        if shadow.is_waiting() {
            shadow.go_blind();
        }
        let transfer = std::mem::take(&mut shadow.transfer);
        shadow.taint &= !TRANSFER;
        let at = place.i64().unwrap_or_default() as u32;
        let mut call = Call { caller, shadow, memories, transfer, at };
        log.apply(&mut call);
        call.caller.data_mut().world.log = log;
        Ok(())
    })
}

/// A call of the host, at a place in the plain module.
struct Call<'a, 'c> {
    caller: &'a mut Caller<'c, State>,
    shadow: &'a mut Shadow,
    memories: Option<(Memory, Memory)>,
    /// The arguments, if any has a term.
    transfer: Transfer,
    at: u32,
}

impl Call<'_, '_> {
    /// Works on bytes of the memory, if it has them.
    fn on_memory<T>(
        &mut self,
        address: u64,
        count: u64,
        work: impl FnOnce(Linear<'_, StoreContextMut<'_, State>>, &mut Terms) -> T,
    ) -> Option<T> {
        let (memory, flags) = self.memories?;
        let Shadow { cells, terms, .. } = &mut *self.shadow;
        let linear = Linear { store: self.caller.as_context_mut(), memory, flags, cells };
        linear.contains(address, count).then(|| work(linear, terms))
    }
}

impl Symbolically for Call<'_, '_> {
    fn recorder(&mut self) -> Option<Recorder<'_>> {
        let is_blind = self.shadow.is_blind();
        let Shadow { terms, path, .. } = &mut *self.shadow;
        (!is_blind).then_some(Recorder { terms, path, at: self.at })
    }

    fn arguments(&mut self) -> Vec<Option<(Term, u64)>> {
        if self.transfer.kind != TransferKind::Arguments {
            return Vec::new();
        }
        let argument = |value: &Option<Datum>| value.and_then(|value| Some((value.term?, value.bits)));
        self.transfer.values.iter().map(argument).collect()
    }

    fn answer(&mut self, result: Term, bits: u64) {
        if !self.shadow.is_blind() {
            self.shadow.send(TransferKind::Results, &[Some(Datum { bits, term: Some(result) })]);
        }
    }

    fn term(&mut self, address: u64, count: u8, bits: u64) -> Option<Term> {
        self.on_memory(address, count.into(), |mut linear, terms| {
            linear.note_read(address, count.into());
            linear.term_before(terms, address, count, bits)
        })?
    }

    fn clear(&mut self, address: u64, count: u64) {
        self.on_memory(address, count, |mut linear, _| linear.clear(address, count));
    }

    fn symbol(&mut self, name: &str, width: u8, _value: u64) -> Term {
        self.shadow.terms.symbol(name, width)
    }

    fn mark(&mut self, address: u64, name: &str, byte: u8) {
        if self.shadow.is_blind() {
            return self.clear(address, 1);
        }
        if self.memories.is_none() {
            let symbol = self.symbol(name, 8, byte.into());
            if let Some(mut recorder) = self.recorder() {
                recorder.concretise(symbol, byte.into(), Concretisation::OtherMemory);
            }
            return;
        }
        self.shadow.taint |= CELLS;
        self.on_memory(address, 1, |mut linear, terms| {
            let term = terms.symbol(name, 8);
            linear.set_term(address, term, 1);
        });
    }
}
