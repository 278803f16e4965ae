//! A compiled module, plain, counting or checking, and one run of it.
//!
//! Every run but trials ([`crate::lasting`]) has a fresh instance and world and, unless this one has enough stack ([`stack`]), a thread of its own, whose stack is as large as the
//! limits say; a second thread watches the clock if there is a time limit.

use crate::arguments::{NoRoom, take_room};
use crate::counting::{COUNTS, Counting, START};
use crate::deadline::Deadline;
use crate::ending::{Ending, RawFrame};
use crate::engine::Pool;
use crate::entry::Plans;
use crate::exports::{Missing, memory_export};
use crate::lasting::Lasting;
use crate::machine::WasmtimeMachine;
use crate::memory_safety::{self, Checking, MemoryError, leaked, shadow_memory};
use crate::module_cache::ModuleCache;
use crate::sandbox::State;
use crate::tier::Tier;
use crate::{Asked, Bound, Bounds, Entry, Error, Input, Limits, Symbols, Value, engine, imports, stack};
use coax_program::{Func, Program};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use wasmtime::{CallHook, Engine, Instance, InstancePre, Linker, Memory, Module, Store, Trap};

/// What the host's own functions need of the stack, on top of what wasm may use.
const HOST_STACK: usize = 2 << 20;

/// A compiled module.
pub(crate) struct Compiled {
    engine: Engine,
    linked: Linked,
    stack_bytes: usize,
    /// By how many bytes the code is behind that of the program's own module.
    moved: u32,
    /// What is in a new instance's memory, and instances that are as new, if it is a counting module.
    pub(crate) first: OnceLock<Arc<[u8]>>,
    resting: Mutex<Vec<Lasting>>,
}

/// How much of a result that is no number is kept.
const MOST_RESULT: u64 = 64;

/// How many instances may rest.
const MOST_RESTING: usize = 16;

/// A module with its imports.
enum Linked {
    Plain(InstancePre<State>),
    Counting(InstancePre<State>, Arc<Counting>),
    Checking { module: Module, linker: Linker<State>, checking: Arc<Checking> },
}

/// What to run.
pub(crate) struct Job<'a> {
    pub(crate) program: &'a Program,
    pub(crate) entry: &'a Entry,
    pub(crate) plans: &'a Plans,
    pub(crate) input: &'a Input,
    pub(crate) limits: &'a Limits,
    pub(crate) checks: WantedChecks<'a>,
}

/// What a checking module is to find out beyond errors.
#[derive(Clone, Copy, Default)]
pub(crate) struct WantedChecks<'a> {
    /// Whether blocks that nothing points to are errors.
    pub(crate) leaks: bool,
    /// Calls of the allocator's whose backtraces are wanted, by their numbers.
    pub(crate) calls: &'a [u64],
    /// Calls that take memory before anybody else does, so that objects lie elsewhere than usually. Default: they lie where they do.
    pub(crate) moved_by: Option<&'a [(Func, Vec<Value>)]>,
}

/// A run of one module.
pub(crate) struct Finished {
    pub(crate) ending: Ending,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    /// What the program said by its test harness.
    pub(crate) asked: Asked,
    pub(crate) bounds: Bounds,
    pub(crate) fuel_used: u64,
    /// How often each thing was done that is counted; not of the plain module.
    pub(crate) counts: Option<Vec<u8>>,
    /// Only of the checking module.
    pub(crate) checked: Option<Checked>,
    /// What was written to where a result goes that is no number.
    pub(crate) written: Vec<u8>,
}

/// What a checking module found.
pub(crate) struct Checked {
    pub(crate) error: Option<MemoryError>,
    /// Where blocks of the heap and objects of parameters were, at any time, and how large they were.
    pub(crate) blocks: Vec<(u32, u32)>,
    /// The backtraces that were wanted.
    pub(crate) calls: BTreeMap<u64, Vec<RawFrame>>,
}

impl Compiled {
    /// Compiles the program's own module, with what it does not export though a run needs it.
    pub(crate) fn plain(
        program: &Program,
        missing: &Missing,
        stack_bytes: usize,
        cache: Option<&ModuleCache>,
    ) -> Result<Self, Error> {
        let engine = engine::engine(stack_bytes, Tier::of(program))?;
        let (wasm, moved) = missing.add(program, &program.wasm, 0, 0).map_err(host)?;
        let module = compile(&engine, &wasm, cache, Error::Compile)?;
        let linker = linker(&engine, program)?;
        let linked = linker.instantiate_pre(&module).map_err(|error| bad_imports(program, &error))?;
        Ok(Compiled::new(engine, Linked::Plain(linked), stack_bytes, moved))
    }

    /// Compiles the counting module, with what it does not export though a run needs it.
    pub(crate) fn counting(
        program: &Program,
        counting: Arc<Counting>,
        missing: &Missing,
        limits: &Limits,
        stack_bytes: usize,
        cache: Option<&ModuleCache>,
    ) -> Result<Self, Error> {
        let engine = engine::counting(limits, stack_bytes, Tier::of(program), Pool::of(program, limits))?;
        let wasm = counting.with_exports(program, missing).map_err(host)?;
        let module = compile(&engine, &wasm, cache, Error::Counting)?;
        let linked = linker(&engine, program)?.instantiate_pre(&module).map_err(host)?;
        Ok(Compiled::new(engine, Linked::Counting(linked, counting), stack_bytes, 0))
    }

    /// Compiles the checking module, with what it does not export though a run needs it.
    pub(crate) fn checking(
        program: &Program,
        checking: Arc<Checking>,
        missing: &Missing,
        stack_bytes: usize,
        cache: Option<&ModuleCache>,
    ) -> Result<Self, Error> {
        let engine = engine::engine(stack_bytes, Tier::of(program))?;
        let moved_functions = memory_safety::MOVED_FUNCTIONS;
        let (wasm, moved) =
            missing.add(program, &checking.wasm, checking.first_memory, moved_functions).map_err(host)?;
        let module = compile(&engine, &wasm, cache, Error::Checking)?;
        let mut linker = linker(&engine, program)?;
        memory_safety::add_to_linker(&mut linker).map_err(host)?;
        Ok(Compiled::new(engine, Linked::Checking { module, linker, checking }, stack_bytes, moved))
    }

    fn new(engine: Engine, linked: Linked, stack_bytes: usize, moved: u32) -> Self {
        Compiled { engine, linked, stack_bytes, moved, first: OnceLock::new(), resting: Mutex::default() }
    }

    /// The module if it is a counting one.
    pub(crate) fn counted(&self) -> Option<(&InstancePre<State>, &Arc<Counting>)> {
        match &self.linked {
            Linked::Counting(linked, counting) => Some((linked, counting)),
            Linked::Plain(_) | Linked::Checking { .. } => None,
        }
    }

    /// An instance for many runs; nothing if there are none.
    pub(crate) fn lasting(&self, job: &Job<'_>) -> Result<Option<Lasting>, Error> {
        let resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner).pop();
        resting.map_or_else(|| Lasting::new(self, job), |lasting| Ok(Some(lasting)))
    }

    /// Keeps an instance that is as new for others.
    pub(crate) fn rest(&self, lasting: Lasting) {
        let mut resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        if resting.len() < MOST_RESTING {
            resting.push(lasting);
        }
    }

    /// Runs the module once, on a thread of its own if the stack of this one is not known to be large enough.
    pub(crate) fn run(&self, job: &Job<'_>) -> Result<Finished, Error> {
        let stack = self.stack_bytes.saturating_add(HOST_STACK);
        if stack::has(stack) {
            return self.run_here(job);
        }
        thread::scope(|scope| {
            let run = || self.run_here(job);
            let thread =
                thread::Builder::new().stack_size(stack).spawn_scoped(scope, run).map_err(no_thread)?;
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Runs the module once, on this thread, whose stack must be large enough.
    pub(crate) fn run_here(&self, job: &Job<'_>) -> Result<Finished, Error> {
        let own_memory = match &self.linked {
            Linked::Plain(_) | Linked::Checking { .. } => 0,
            Linked::Counting(_, counting) => counting.memory_pages << 16,
        };
        let state = State::new(job.program, job.input, Symbols::NONE, job.limits, own_memory)?;
        let mut store = self.store(state, job.limits.fuel)?;
        let deadline = Deadline::set(&mut store, job.limits.time)?;
        let instance = match &self.linked {
            Linked::Plain(linked) | Linked::Counting(linked, _) => linked.instantiate(&mut store),
            Linked::Checking { module, linker, checking } => {
                let pages = job.program.memories.first().map_or(0, |memory| memory.ty.initial);
                let mut linker = linker.clone();
                shadow_memory(&mut store, checking, pages, job.checks.calls, &mut linker)?;
                linker.instantiate(&mut store, module)
            }
        };
        let (mut counts, mut memory) = (None, None);
        let result = match instance {
            Ok(instance) => {
                memory = instance.get_memory(&mut store, &memory_export(job.program));
                if let Linked::Counting(_, counting) = &self.linked {
                    let memory =
                        instance.get_memory(&mut store, COUNTS).ok_or_else(|| host("there are no counts"))?;
                    counts = Some((memory, counting.len()));
                }
                begin(job, instance, &mut store)
            }
            Err(error) => Err(instantiation_error(error, &store)?),
        };
        drop(deadline);
        let mut ending = match result {
            Ok(values) => Ending::Returned(values),
            Err(error) => Ending::from_error(&no_room(error)?, &mut store).moved_back(self.moved),
        };
        let written = written_result(job, &ending, memory, &store);
        let checked = self.checked(job, &mut ending, memory, &mut store);
        let counts = match counts {
            Some((memory, len)) => Some(memory.data(&store)[..len].to_vec()),
            // It ended before there was an instance, for want of fuel: it has done nothing.
            None => match &self.linked {
                Linked::Counting(_, counting) => Some(vec![0; counting.len()]),
                Linked::Plain(_) | Linked::Checking { .. } => memory_safety::counts(&store),
            },
        };
        let fuel_used = job.limits.fuel - store.get_fuel().map_err(host)?;
        let (stdout, stderr) = store.data_mut().take_output();
        let mut bounds = std::mem::take(&mut store.data_mut().usage.bounds);
        if let Ending::Bound(bound, _) = ending {
            bounds.hit(bound);
        }
        let asked = store.data_mut().world.take_asked()?;
        Ok(Finished { ending, stdout, stderr, asked, bounds, fuel_used, counts, checked, written })
    }

    pub(crate) fn store(&self, state: State, fuel: u64) -> Result<Store<State>, Error> {
        let mut store = Store::new(&self.engine, state);
        store.limiter(|state| &mut state.usage);
        store.set_fuel(fuel).map_err(host)?;
        store.call_hook(|mut store, hook| {
            if let CallHook::CallingHost = hook {
                let left = store.get_fuel()?.checked_sub(Limits::HOST_CALL_FUEL);
                store.set_fuel(left.unwrap_or(0))?;
                left.ok_or(Trap::OutOfFuel)?;
            }
            Ok(())
        });
        Ok(store)
    }

    /// What a checking module found; its ending becomes one of the plain module's.
    fn checked(
        &self,
        job: &Job<'_>,
        ending: &mut Ending,
        memory: Option<Memory>,
        store: &mut Store<State>,
    ) -> Option<Checked> {
        let Linked::Checking { checking, .. } = &self.linked else { return None };
        if let Some(frames) = ending.frames_mut() {
            checking.plain_frames(frames);
        }
        let leaked = match (&*ending, memory) {
            (Ending::Returned(results), Some(memory)) if job.checks.leaks => leaked(store, &memory, results),
            _ => None,
        };
        let placed = std::mem::take(&mut store.data_mut().placed);
        let checks = store.data_mut().checks.as_mut()?;
        let (mut blocks, calls) = (checks.heap.history(), std::mem::take(&mut checks.seen));
        blocks.extend(placed.into_iter().map(|(address, bytes)| (address as u32, bytes as u32)));
        Some(Checked { error: checks.error.take().or(leaked), blocks, calls })
    }
}

/// What a function that returns no number has written to where its first parameter leads.
fn written_result(job: &Job<'_>, ending: &Ending, memory: Option<Memory>, store: &Store<State>) -> Vec<u8> {
    let returned_nothing = matches!(ending, Ending::Returned(values) if values.is_empty());
    let (Some(memory), Some(&(address, bytes))) = (memory, store.data().placed.first()) else {
        return Vec::new();
    };
    if !returned_nothing || !job.plans.entry.begins_with_room() {
        return Vec::new();
    }
    let (begin, end) = (address as usize, (address + bytes.min(MOST_RESULT)) as usize);
    memory.data(store).get(begin..end).unwrap_or_default().to_vec()
}

/// Starts a new instance.
pub(crate) fn begin(
    job: &Job<'_>,
    instance: Instance,
    store: &mut Store<State>,
) -> wasmtime::Result<Vec<Value>> {
    let program = job.program;
    if let Some(start) = instance.get_func(&mut *store, START) {
        start.call(&mut *store, &[], &mut [])?;
    }
    let mut machine = WasmtimeMachine { program, instance, store, marks: None, is_instrumented: false };
    if let Some(calls) = job.checks.moved_by {
        take_room(&mut machine, calls)?;
    }
    machine.run(job.entry, job.plans, |_, _| Ok(()))
}

/// Tells what the program did from what there was no memory for before it began.
pub(crate) fn no_room(error: wasmtime::Error) -> Result<wasmtime::Error, Error> {
    match error.downcast_ref::<NoRoom>() {
        Some(&no_room) => Err(no_room.into()),
        None => Ok(error),
    }
}

/// Tells what the program did while it was instantiated (its start function ran) from what the host could not do.
pub(crate) fn instantiation_error(
    error: wasmtime::Error,
    store: &Store<State>,
) -> Result<wasmtime::Error, Error> {
    if Ending::is_of_program(&error) {
        return Ok(error);
    }
    match store.data().usage.refused {
        Some((bound, needed, limit)) => {
            let what = if bound == Bound::Memory { "bytes of memory" } else { "table elements" };
            Err(Error::TooSmall { what: what.into(), needed, limit })
        }
        None => Err(host(format!("{error:#}"))),
    }
}

/// A module of these bytes, from the cache if there is one that has it.
fn compile(
    engine: &Engine,
    wasm: &[u8],
    cache: Option<&ModuleCache>,
    error: fn(String) -> Error,
) -> Result<Module, Error> {
    let compile = || Module::new(engine, wasm).map_err(|cause| error(format!("{cause:#}")));
    cache.map_or_else(compile, |cache| cache.exact(engine, wasm, compile))
}

fn linker(engine: &Engine, program: &Program) -> Result<Linker<State>, Error> {
    let mut linker = Linker::new(engine);
    imports::add_to_linker(&mut linker, program).map_err(host)?;
    Ok(linker)
}

/// Says which imports nobody provides; if all are known, one has a wrong type.
pub(crate) fn bad_imports(program: &Program, error: &wasmtime::Error) -> Error {
    let known = imports::check(program, &Input::default());
    known.err().unwrap_or_else(|| Error::BadImport(format!("{error:#}")))
}

pub(crate) fn host(error: impl std::fmt::Display) -> Error {
    Error::Host(error.to_string())
}

fn no_thread(error: std::io::Error) -> Error {
    Error::Host(format!("a thread with the stack it needs could not be started: {error}"))
}
