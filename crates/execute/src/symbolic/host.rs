//! The functions that instrumented code calls: the only door between the program and the symbolic side.

use super::calling;
use super::calls::Datum;
use super::cells::Linear;
use super::hooks::Beyond;
use super::image::Watch;
use super::replay::{FirstMemory, Player};
use super::shadow::Shadow;
use crate::bounds::{Bound, EndedAt};
use crate::instrument::segment::{BEYOND, COPY, COPY_OUT};
use crate::instrument::{FLAGS, HOST, HostFunction, MEMORY, PLACE, TAINT, global_name};
use crate::path::Concretisation;
use crate::sandbox::State;
use crate::semantics::events::Recorder;
use coax_program::Func;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wasmtime::{
    AsContextMut, Caller, Global, Instance, Linker, Memory, Result, Trap, Val, ValType, format_err,
};

/// The symbolic side of a running instance.
pub(crate) struct Symbolic {
    pub(crate) shadow: Box<Shadow>,
    pub(super) memories: Option<(Memory, Memory)>,
    taint: Option<Global>,
    /// Where the host was called.
    pub(super) place: Option<Global>,
    /// [`Limits::terms`](crate::Limits::terms).
    most_terms: u64,
    /// When it is set, the run ends.
    pub(super) until: Option<Arc<AtomicBool>>,
    /// `taint` as the instance has it, if that is known.
    pub(super) taint_there: Option<u64>,
    /// The function whose first call is waited for.
    pub(super) watch: Option<Watch>,
    /// The terms and numbers of the entry function's parameters.
    pub(super) params: Vec<Option<Datum>>,
}

impl Symbolic {
    pub(crate) fn new(shadow: Box<Shadow>, most_terms: u64) -> Self {
        let (memories, taint, place, until, taint_there, watch) = Default::default();
        Symbolic { shadow, memories, taint, place, most_terms, until, taint_there, watch, params: Vec::new() }
    }

    /// Why the run must end, if it must: it remembers more than it may, or somebody wants it to.
    fn bound(&self) -> Option<Bound> {
        match self.has_room(0) {
            false => Some(Bound::Terms),
            true => self.is_interrupted().then_some(Bound::Time),
        }
    }

    /// Whether somebody wants the run to end.
    fn is_interrupted(&self) -> bool {
        self.until.as_ref().is_some_and(|until| until.load(Ordering::Relaxed))
    }

    /// Whether it may remember so much more.
    pub(super) fn has_room(&self, more: u64) -> bool {
        let Shadow { terms, path, calls, frames, .. } = &*self.shadow;
        let remembered = terms.len() + path.events.len() + calls.len() + frames.stack.len();
        (remembered as u64).saturating_add(more) <= self.most_terms
    }

    /// Finds what the host has to reach into.
    pub(crate) fn attach(&mut self, instance: &Instance, mut store: impl AsContextMut) {
        let mut memory = |name| instance.get_memory(&mut store, name);
        self.memories = memory(MEMORY).zip(memory(FLAGS));
        self.taint = instance.get_global(&mut store, TAINT);
        self.place = instance.get_global(&mut store, PLACE);
    }

    /// Tells the instance what may be symbolic.
    pub(crate) fn publish_taint(&mut self, store: impl AsContextMut) -> Result<()> {
        if let Some(taint) = self.taint.filter(|_| self.taint_there != Some(self.shadow.taint)) {
            self.taint_there = Some(self.shadow.taint);
            taint.set(store, Val::I64(self.shadow.taint as i64))?;
        }
        Ok(())
    }

    /// The run is over, and with it all calls.
    pub(crate) fn finish(&mut self, store: impl AsContextMut) {
        let mut memory = self.memories.map(|(memory, flags)| FirstMemory { store, memory, flags });
        for frame in (0..=self.shadow.frames.stack.len()).rev() {
            // A record takes time, and thousands of calls may be open; who does not wait for the run does not wait for these.
            if self.is_interrupted() {
                self.shadow.director = None;
            }
            calling::unwind_to(&mut self.shadow, &mut memory, frame);
        }
    }
}

/// Adds the functions.
pub(crate) fn add_to_linker(linker: &mut Linker<State>) -> Result<()> {
    // wasmtime passes parameters of known types in registers; each number of values is a function of its own.
    macro_rules! boundaries {
        ($($values:literal: $($value:ident)*;)*) => {$(
            let name = HostFunction::Boundary($values).name();
            linker.func_wrap(HOST, &name, |caller: Caller<'_, State>, sym: i64, place: i64, $($value: i64),*| {
                boundary(caller, sym as u64, place as u64, &[$($value as u64),*])
            })?;
        )*};
    }
    boundaries! {
        0: ; 1: a; 2: a b; 3: a b c; 4: a b c d; 5: a b c d e; 6: a b c d e f; 7: a b c d e f g;
        8: a b c d e f g h; 9: a b c d e f g h i; 10: a b c d e f g h i j; 11: a b c d e f g h i j k;
        12: a b c d e f g h i j k l;
    }
    linker.func_wrap(HOST, &HostFunction::Stash.name(), stash)?;
    linker.func_wrap(HOST, &HostFunction::Bulk.name(), bulk)?;
    linker.func_wrap(HOST, &HostFunction::Supplied.name(), supplied)?;
    Ok(())
}

/// Works on the symbolic side, which is out of the store meanwhile.
pub(super) fn with_symbolic<T>(
    caller: &mut Caller<'_, State>,
    work: impl FnOnce(&mut Caller<'_, State>, &mut Symbolic) -> Result<T>,
) -> Result<T> {
    let mut symbolic = caller.data_mut().symbolic.take().ok_or_else(|| format_err!("a run without terms"))?;
    if symbolic.taint.is_none() {
        // The start function runs before anybody can attach.
        let mut memory = |name| caller.get_export(name).and_then(wasmtime::Extern::into_memory);
        symbolic.memories = memory(MEMORY).zip(memory(FLAGS));
        let mut global = |name| caller.get_export(name).and_then(wasmtime::Extern::into_global);
        (symbolic.taint, symbolic.place) = (global(TAINT), global(PLACE));
    }
    let result = work(caller, &mut symbolic);
    symbolic.publish_taint(&mut *caller)?;
    let bound = symbolic.bound();
    caller.data_mut().symbolic = Some(symbolic);
    match bound {
        Some(bound) => result.and(Err(EndedAt(bound).into())),
        None => result,
    }
}

fn boundary(mut caller: Caller<'_, State>, sym: u64, place: u64, values: &[u64]) -> Result<i64> {
    let sym = with_symbolic(&mut caller, |caller, symbolic| {
        if place as u32 == 0 {
            symbolic.entering((place >> 32) as u32, caller);
        }
        let Symbolic { shadow, memories, .. } = symbolic;
        shadow.boundaries += 1;
        let instrumenter =
            shadow.instrumenter.take().ok_or_else(|| format_err!("a run without a program"))?;
        let (func, number) = ((place >> 32) as u32, place as u32 as usize);
        let plan = instrumenter.plan_of(func).map_err(|error| format_err!("{error}"))?;
        let frame = (sym >> 32) as usize;
        let mut linear = memories.map(|(memory, flags)| FirstMemory { store: &mut *caller, memory, flags });
        if frame > 0 {
            calling::unwind_to(shadow, &mut linear, frame);
        }
        let stash = std::mem::take(&mut shadow.stash);
        let variant = instrumenter.detail().of(Func(func));
        let call = variant.sees_calls().then_some(func);
        let sees_cells = variant.sees_cells() && shadow.director.is_some();
        let joined = instrumenter.joined(Func(func));
        let mut player = Player { shadow, plan, linear, frame, call, sees_cells, joined };
        let sym = match stash.is_empty() {
            true => player.boundary(number, values),
            false => player.boundary(number, &[values, &stash[..]].concat()),
        };
        shadow.instrumenter = Some(instrumenter);
        set_globals(caller, &mut shadow.new_globals)?;
        spend(caller, std::mem::take(&mut shadow.spent))?;
        sym.map_err(|refusal| {
            shadow.refusal = Some(refusal);
            format_err!("the director's wish cannot be granted")
        })
    })?;
    Ok(sym as i64)
}

/// Takes fuel for what the host does in the program's place.
pub(crate) fn spend(caller: &mut Caller<'_, State>, fuel: u64) -> Result<()> {
    if fuel == 0 {
        return Ok(());
    }
    let left = caller.get_fuel()?.checked_sub(fuel);
    caller.set_fuel(left.unwrap_or(0))?;
    left.map(drop).ok_or_else(|| Trap::OutOfFuel.into())
}

/// A call that was skipped has set globals.
fn set_globals(caller: &mut Caller<'_, State>, globals: &mut Vec<(u32, u64)>) -> Result<()> {
    for (global, bits) in globals.drain(..) {
        let found = caller.get_export(&global_name(global)).and_then(wasmtime::Extern::into_global);
        let found = found.ok_or_else(|| format_err!("there is no such global"))?;
        let value = match found.ty(&*caller).content() {
            ValType::I32 => Val::I32(bits as i32),
            ValType::I64 => Val::I64(bits as i64),
            ValType::F32 => Val::F32(bits as u32),
            _ => Val::F64(bits),
        };
        found.set(&mut *caller, value)?;
    }
    Ok(())
}

fn supplied(mut caller: Caller<'_, State>, index: i64) -> Result<i64> {
    with_symbolic(&mut caller, |_, symbolic| {
        let result = symbolic.shadow.supplied.get(index as usize);
        Ok(*result.ok_or_else(|| format_err!("there is no such result"))? as i64)
    })
}

fn stash(mut caller: Caller<'_, State>, value: i64) -> Result<()> {
    with_symbolic(&mut caller, |_, symbolic| {
        symbolic.shadow.stash.push(value as u64);
        Ok(())
    })
}

fn bulk(mut caller: Caller<'_, State>, kind_and_place: i64, to: i64, from: i64, count: i64) -> Result<()> {
    let [kind_and_place, to, from, count] = [kind_and_place, to, from, count].map(|number| number as u64);
    let (kind, at) = ((kind_and_place & 0xff) as i64, (kind_and_place >> 8) as u32);
    with_symbolic(&mut caller, |caller, symbolic| {
        if kind == BEYOND {
            Beyond::from_number(to).into_iter().for_each(|beyond| symbolic.shadow.cells.beyond(beyond));
            return Ok(());
        }
        let Some((memory, flags)) = symbolic.memories else { return Ok(()) };
        if kind == COPY_OUT && symbolic.shadow.is_waiting() {
            symbolic.shadow.go_blind();
        }
        let is_blind = symbolic.shadow.is_blind();
        let Shadow { cells, terms, path, fill, .. } = &mut *symbolic.shadow;
        let mut linear = Linear { store: &mut *caller, memory, flags, cells };
        match kind {
            // Out of bounds: the program is about to trap.
            COPY if linear.contains(to, count) && linear.contains(from, count) => {
                linear.note_read(from, count);
                match is_blind {
                    true => linear.clear(to, count),
                    false => linear.copy(terms, to, from, count),
                }
            }
            COPY_OUT if !is_blind && linear.contains(from, count) => {
                for address in linear.symbolic(from, count) {
                    let value = linear.number(address, 1);
                    if let Some(term) = linear.term(terms, address, 1) {
                        Recorder { terms, path, at }.concretise(term, value, Concretisation::OtherMemory);
                    }
                }
            }
            COPY | COPY_OUT => {}
            _ if linear.contains(to, count) => match fill.take() {
                Some(byte) => (to..to + count).for_each(|address| linear.set_byte(terms, address, byte)),
                None => linear.clear(to, count),
            },
            _ => *fill = None,
        }
        Ok(())
    })
}
