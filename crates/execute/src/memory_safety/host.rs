//! What the checking module calls, and what the host itself does to its memory.

use super::body::flags;
use super::checking::Checking;
use super::heap::{Access, Heap};
use super::leaks::leaks;
use super::roles::Role;
use super::{MemoryError, bytes, shadow};
use crate::TrapKind;
use crate::compiled::host;
use crate::ending::RawFrame;
use crate::imports::Ended;
use crate::sandbox::State;
use crate::{Error, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use wasmtime::{AsContextMut, Caller, Linker, Memory, MemoryType, Result, Store, WasmBacktrace};

/// A function of the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Import {
    /// `(number, …)`: an allocator function is called with these parameters.
    Enter,
    /// `(number, result)`: it returns.
    Leave,
    /// `(address, size, flags, stack pointer)`: an access that may be wrong.
    Suspect,
    /// `(pages before, pages after, calls of allocator functions that are active)`: there is more memory.
    Grown,
    /// `(stack pointer)`: it is about to be set to what is outside of the stack.
    Moved,
}

impl Import {
    pub(super) const MODULE: &str = "coax:checking";
    /// The memory that is imported with them.
    pub(super) const SHADOW: &str = "shadow";
    /// In the order in which they are imported.
    pub(super) const ALL: [Import; 5] =
        [Import::Enter, Import::Leave, Import::Suspect, Import::Grown, Import::Moved];

    pub(super) fn name(self) -> &'static str {
        match self {
            Import::Enter => "enter",
            Import::Leave => "leave",
            Import::Suspect => "suspect",
            Import::Grown => "grown",
            Import::Moved => "moved",
        }
    }

    pub(super) fn params(self) -> usize {
        match self {
            Import::Enter => 5,
            Import::Leave => 2,
            Import::Suspect => 4,
            Import::Grown => 3,
            Import::Moved => 1,
        }
    }
}

/// What the host knows of a checking instance.
pub(crate) struct Checks {
    checking: Arc<Checking>,
    shadow: Memory,
    pub(crate) heap: Heap,
    /// The parameters of the allocator's function that is active.
    params: [u32; 4],
    /// The calls of the allocator's whose backtraces are wanted, by their numbers, and those that were seen.
    wanted: Vec<u64>,
    pub(crate) seen: BTreeMap<u64, Vec<RawFrame>>,
    /// What was wrong.
    pub(crate) error: Option<MemoryError>,
}

/// Makes the shadow of an instance with so many pages, and the host's side of it.
pub(crate) fn shadow_memory(
    store: &mut Store<State>,
    checking: &Arc<Checking>,
    pages: u64,
    wanted: &[u64],
    linker: &mut Linker<State>,
) -> std::result::Result<(), Error> {
    let size = u32::try_from(shadow::pages(checking.base, pages << 16)).map_err(host)?;
    store.data_mut().usage.is_ours = true;
    let memory = Memory::new(&mut *store, MemoryType::new(size, None)).map_err(host)?;
    store.data_mut().usage.is_ours = false;
    let shadow = &mut memory.data_mut(&mut *store)[checking.base as usize..];
    let heap = Heap::new(checking.layout, pages << 16, shadow);
    store.data_mut().world.log = crate::imports::Log::kept();
    store.data_mut().checks = Some(Checks {
        checking: Arc::clone(checking),
        shadow: memory,
        heap,
        params: [0; 4],
        wanted: wanted.to_vec(),
        seen: BTreeMap::new(),
        error: None,
    });
    linker.define(&*store, Import::MODULE, Import::SHADOW, memory).map_err(host)?;
    Ok(())
}

/// Adds the functions that a checking module imports.
pub(crate) fn add_to_linker(linker: &mut Linker<State>) -> Result<()> {
    let module = Import::MODULE;
    linker.func_wrap(
        module,
        Import::Enter.name(),
        |mut caller: Caller<'_, State>, number: u32, a, b, c, d| enter(&mut caller, number, [a, b, c, d]),
    )?;
    linker.func_wrap(
        module,
        Import::Leave.name(),
        |mut caller: Caller<'_, State>, number: u32, result| {
            let role = checks(caller.data_mut())?.checking.roles[number as usize].1;
            with_heap(&mut caller, |heap, params, shadow| leave(heap, role, params, result, shadow))
        },
    )?;
    linker.func_wrap(
        module,
        Import::Suspect.name(),
        |mut caller: Caller<'_, State>, address: u32, size: u32, bits: i32, stack_pointer: u32| {
            let is_write = bits & flags::WRITE != 0;
            let access = Access { address, size, is_write, reads_words: bits & flags::READS_WORDS != 0 };
            let checks = checks(caller.data_mut())?;
            let error = checks.heap.judge(access, stack_pointer);
            checks.end_with(error)
        },
    )?;
    linker.func_wrap(
        module,
        Import::Grown.name(),
        |mut caller: Caller<'_, State>, before: u32, after: u32, depth: u32| {
            let (before, after) = (u64::from(before) << 16, u64::from(after) << 16);
            grown(&mut caller, before, after, depth > 0)
        },
    )?;
    linker.func_wrap(module, Import::Moved.name(), |mut caller: Caller<'_, State>, stack_pointer: u32| {
        let checks = checks(caller.data_mut())?;
        let error = checks.heap.judge_stack(stack_pointer);
        checks.end_with(error)
    })?;
    Ok(())
}

impl Checks {
    /// Ends the run if there is an error.
    fn end_with(&mut self, error: Option<MemoryError>) -> Result<()> {
        let Some(error) = error else { return Ok(()) };
        let ended = Ended::Failed { kind: error.kind, reason: Some(error.what.clone()) };
        self.error = Some(error);
        Err(ended.into())
    }
}

fn checks(state: &mut State) -> Result<&mut Checks> {
    state.checks.as_mut().ok_or_else(|| wasmtime::format_err!("a run without checks"))
}

/// Does something with the heap and its shadow.
fn with_heap(
    store: &mut impl AsContextMut<Data = State>,
    work: impl FnOnce(&mut Heap, [u32; 4], &mut [u8]),
) -> Result<()> {
    let mut store = store.as_context_mut();
    let shadow = checks(store.data_mut())?.shadow;
    let (bytes, state) = shadow.data_and_store_mut(&mut store);
    let checks = checks(state)?;
    let base = checks.checking.base as usize;
    work(&mut checks.heap, checks.params, &mut bytes[base..]);
    Ok(())
}

fn enter(caller: &mut Caller<'_, State>, number: u32, params: [u32; 4]) -> Result<()> {
    let state = checks(caller.data_mut())?;
    state.heap.calls += 1;
    state.params = params;
    let call = state.heap.calls;
    if state.wanted.contains(&call) {
        let backtrace = WasmBacktrace::force_capture(&mut *caller);
        let mut frames = backtrace.frames().iter().map(RawFrame::new).collect();
        let state = checks(caller.data_mut())?;
        state.checking.plain_frames(&mut frames);
        state.seen.insert(call, frames);
    }
    let state = checks(caller.data_mut())?;
    let error = match state.checking.roles[number as usize].1 {
        Role::Free { block } | Role::Reallocate { block, .. } => state.heap.judge_free(params[block]),
        _ => None,
    };
    state.end_with(error)
}

fn leave(heap: &mut Heap, role: Role, params: [u32; 4], result: u32, shadow: &mut [u8]) {
    // Who gives a block for a product that is no number is not understood: then no block is that large.
    let total = |size: usize, count: Option<usize>| match count {
        Some(count) => params[size].saturating_mul(params[count]),
        None => params[size],
    };
    match role {
        Role::Allocate { size, count } if result != 0 => heap.allocate(result, total(size, count), shadow),
        Role::AllocateInto { size, .. } if result != 0 => heap.allocate(result, params[size], shadow),
        Role::Reallocate { block, size, count } if result != 0 => {
            heap.free(params[block], shadow);
            heap.allocate(result, total(size, count), shadow);
        }
        // Some allocators free the block then, others do not.
        Role::Reallocate { block, size, count } if total(size, count) == 0 => heap.forget(params[block]),
        Role::Free { block } => heap.free(params[block], shadow),
        Role::UsableSize { block } => heap.extend(params[block], result, shadow),
        Role::Break { by } if result != u32::MAX && (params[by] as i32) > 0 => {
            heap.take(result.into(), u64::from(result) + u64::from(params[by]), shadow);
        }
        Role::Allocate { .. } | Role::AllocateInto { .. } | Role::Reallocate { .. } | Role::Break { .. } => {}
    }
}

fn grown(
    store: &mut impl AsContextMut<Data = State>,
    before: u64,
    after: u64,
    is_allocators: bool,
) -> Result<()> {
    let mut context = store.as_context_mut();
    let checks = checks(context.data_mut())?;
    let (memory, base) = (checks.shadow, checks.checking.base);
    let more = shadow::pages(base, after).saturating_sub(memory.size(&context));
    if more > 0 {
        context.data_mut().usage.is_ours = true;
        memory.grow(&mut context, more)?;
        context.data_mut().usage.is_ours = false;
    }
    with_heap(&mut context, |heap, _, shadow| heap.grow(before, after, is_allocators, shadow))
}

/// The host has made the memory larger, for objects of its own.
pub(crate) fn grown_by_host(store: &mut Store<State>, before: u64, after: u64) -> Result<()> {
    match store.data().checks {
        Some(_) => grown(store, before, after, false),
        None => Ok(()),
    }
}

/// The entry function is about to be called: what is there already is its caller's.
pub(crate) fn begins(store: &mut Store<State>) {
    if let Some(checks) = &mut store.data_mut().checks {
        checks.heap.begins();
    }
}

/// Judges what a call of the host has read and written.
pub(crate) fn check_host_call(state: &mut State) -> Result<()> {
    let accesses = state.world.log.take_accesses();
    let checks = checks(state)?;
    for (address, size, is_write) in accesses {
        let (Ok(address), Ok(size)) = (u32::try_from(address), u32::try_from(size)) else { continue };
        let access = Access { address, size, is_write, reads_words: false };
        // Where the stack is the host does not know: none of it is so far down.
        let error = checks.heap.judge(access, 0);
        checks.end_with(error)?;
    }
    Ok(())
}

/// How often the instance has done what is counted.
pub(crate) fn counts(store: &Store<State>) -> Option<Vec<u8>> {
    let checks = store.data().checks.as_ref()?;
    let begin = shadow::COUNTS as usize;
    Some(checks.shadow.data(store)[begin..begin + checks.checking.counts].to_vec())
}

/// The first of the blocks that nothing points to, now that the entry function has returned these values.
pub(crate) fn leaked(store: &Store<State>, memory: &Memory, results: &[Value]) -> Option<MemoryError> {
    let checks = store.data().checks.as_ref()?;
    // All calls are over: the stack is empty.
    let stack_pointer = checks.checking.layout.map_or(0, |layout| layout.top);
    let values: Vec<u32> = results.iter().map(|value| value.bits() as u32).collect();
    let lost = leaks(&checks.heap, memory.data(store), stack_pointer, &values);
    let first = lost.first()?;
    let what = match &lost[..] {
        [only] => format!("nothing points to a block of {} any more", bytes(only.size)),
        all => format!("nothing points to {} blocks any more, the first of {}", all.len(), bytes(first.size)),
    };
    Some(MemoryError { kind: TrapKind::Leak, what, block: Some(*first) })
}
