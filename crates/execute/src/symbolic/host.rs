//! The functions that instrumented code calls: the only door between the program and the symbolic side.

use super::cells::Linear;
use super::replay::{FirstMemory, Player};
use super::shadow::Shadow;
use crate::instrument::segment::{AFTER_IMPORT, BEFORE_IMPORT, CELLS, COPY, COPY_OUT};
use crate::instrument::{FLAGS, HOST, HostFunction, MEMORY, TAINT};
use crate::path::Concretisation;
use crate::sandbox::State;
use crate::semantics::events::Recorder;
use coax_term::Term;
use wasmtime::{
    AsContextMut, Caller, FuncType, Global, Instance, Linker, Memory, Result, Val, ValType, format_err,
};

/// The symbolic side of a running instance.
pub(crate) struct Symbolic {
    pub(crate) shadow: Box<Shadow>,
    memories: Option<(Memory, Memory)>,
    taint: Option<Global>,
    /// `taint` as the instance has it.
    pub(super) taint_there: u64,
    /// The terms and numbers of the entry function's parameters.
    pub(super) params: Vec<(Option<Term>, u64)>,
}

impl Symbolic {
    pub(crate) fn new(shadow: Box<Shadow>) -> Self {
        Symbolic { shadow, memories: None, taint: None, taint_there: 0, params: Vec::new() }
    }

    /// Finds what the host has to reach into.
    pub(crate) fn attach(&mut self, instance: &Instance, mut store: impl AsContextMut) {
        let mut memory = |name| instance.get_memory(&mut store, name);
        self.memories = memory(MEMORY).zip(memory(FLAGS));
        self.taint = instance.get_global(&mut store, TAINT);
    }
}

/// Adds the functions.
pub(crate) fn add_to_linker(linker: &mut Linker<State>) -> Result<()> {
    for function in HostFunction::all() {
        let (params, results) = function.arity();
        let ty = FuncType::new(linker.engine(), vec![ValType::I64; params], vec![ValType::I64; results]);
        let name = function.name();
        match function {
            HostFunction::Boundary(_) => linker.func_new(HOST, &name, ty, boundary)?,
            HostFunction::Stash => linker.func_new(HOST, &name, ty, stash)?,
            HostFunction::Bulk => linker.func_new(HOST, &name, ty, bulk)?,
        };
    }
    Ok(())
}

fn number(value: &Val) -> u64 {
    value.i64().unwrap_or_default() as u64
}

/// Works on the symbolic side, which is out of the store meanwhile.
fn with_symbolic<T>(
    caller: &mut Caller<'_, State>,
    work: impl FnOnce(&mut Caller<'_, State>, &mut Symbolic) -> Result<T>,
) -> Result<T> {
    let mut symbolic = caller.data_mut().symbolic.take().ok_or_else(|| format_err!("a run without terms"))?;
    if symbolic.taint.is_none() {
        // The start function runs before anybody can attach.
        let mut memory = |name| caller.get_export(name).and_then(wasmtime::Extern::into_memory);
        symbolic.memories = memory(MEMORY).zip(memory(FLAGS));
        symbolic.taint = caller.get_export(TAINT).and_then(wasmtime::Extern::into_global);
    }
    let result = work(caller, &mut symbolic);
    if symbolic.taint_there != symbolic.shadow.taint
        && let Some(taint) = symbolic.taint
    {
        symbolic.taint_there = symbolic.shadow.taint;
        taint.set(&mut *caller, Val::I64(symbolic.shadow.taint as i64))?;
    }
    caller.data_mut().symbolic = Some(symbolic);
    result
}

fn boundary(mut caller: Caller<'_, State>, params: &[Val], results: &mut [Val]) -> Result<()> {
    let (sym, place) = (number(&params[0]), number(&params[1]));
    let mut values = [0; crate::instrument::MOST_VALUES];
    for (value, param) in values.iter_mut().zip(&params[2..]) {
        *value = number(param);
    }
    let passed = params.len() - 2;
    let sym = with_symbolic(&mut caller, |caller, symbolic| {
        let Symbolic { shadow, memories, .. } = symbolic;
        shadow.boundaries += 1;
        let instrumenter =
            shadow.instrumenter.clone().ok_or_else(|| format_err!("a run without a program"))?;
        let plan = instrumenter.plan_of((place >> 32) as u32).map_err(|error| format_err!("{error}"))?;
        let frame = (sym >> 32) as usize;
        if frame > 0 {
            shadow.unwind_to(frame);
        }
        let linear = memories.map(|(memory, flags)| FirstMemory { store: &mut *caller, memory, flags });
        let stash = std::mem::take(&mut shadow.stash);
        let func = (place >> 32) as u32;
        let sees_calls = instrumenter.variant().sees_calls();
        let mut player = Player { shadow, plan, linear, frame, call: sees_calls.then_some(func) };
        let sym = match stash.is_empty() {
            true => player.boundary(place as u32 as usize, &values[..passed]),
            false => player.boundary(place as u32 as usize, &[&values[..passed], &stash[..]].concat()),
        };
        Ok(sym)
    })?;
    results[0] = Val::I64(sym as i64);
    Ok(())
}

fn stash(mut caller: Caller<'_, State>, params: &[Val], _: &mut [Val]) -> Result<()> {
    with_symbolic(&mut caller, |_, symbolic| {
        symbolic.shadow.stash.push(number(&params[0]));
        Ok(())
    })
}

fn bulk(mut caller: Caller<'_, State>, params: &[Val], _: &mut [Val]) -> Result<()> {
    let [kind_and_place, to, from, count] = [0, 1, 2, 3].map(|index| number(&params[index]));
    let (kind, at) = ((kind_and_place & 0xff) as i64, (kind_and_place >> 8) as u32);
    with_symbolic(&mut caller, |caller, symbolic| {
        let Some((memory, flags)) = symbolic.memories else { return Ok(()) };
        let Shadow { cells, terms, path, fill, before_import, .. } = &mut *symbolic.shadow;
        let mut linear = Linear { store: &mut *caller, memory, flags, cells };
        match kind {
            BEFORE_IMPORT => *before_import = linear.snapshot(),
            AFTER_IMPORT => {
                for (address, before) in before_import.drain(..) {
                    if linear.number(address, 1) != u64::from(before) {
                        linear.clear(address, 1);
                    }
                }
            }
            // Out of bounds: the program is about to trap.
            COPY if linear.contains(to, count) && linear.contains(from, count) => {
                linear.copy(to, from, count)
            }
            COPY_OUT if linear.contains(from, count) => {
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
    })?;
    if kind == AFTER_IMPORT {
        super::input::mark_incoming(&mut caller)?;
    }
    Ok(())
}

/// Gives bytes of memory terms of their own: `name[0]`, `name[1]`…
pub(super) fn mark(
    caller: &mut Caller<'_, State>,
    address: u64,
    count: u64,
    mut name: impl FnMut(u64) -> String,
) -> Result<()> {
    with_symbolic(caller, |caller, symbolic| {
        let Some((memory, flags)) = symbolic.memories else { return Ok(()) };
        let Shadow { cells, terms, taint, .. } = &mut *symbolic.shadow;
        let mut linear = Linear { store: &mut *caller, memory, flags, cells };
        if linear.contains(address, count) {
            *taint |= CELLS;
            for place in 0..count {
                let term = terms.symbol(&name(place), 8);
                linear.set_term(address + place, term, 1);
            }
        }
        Ok(())
    })
}
