//! A compiled module, plain or counting, and one run of it.
//!
//! Every run has a fresh instance and world and a thread of its own, whose stack is as large as the
//! limits say; a second thread watches the clock if there is a time limit.

use crate::counting::{Counting, MEMORY_IMPORT};
use crate::ending::Ending;
use crate::engine::engine;
use crate::sandbox::State;
use crate::{Asked, Bound, Bounds, Coverage, Entry, Error, Input, Limits, Symbols, Value, imports};
use coax_program::Program;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use wasmtime::{
    CallHook, Engine, Instance, InstancePre, Linker, Memory, MemoryType, Module, Store, Trap, UpdateDeadline,
    Val, ValType, WasmBacktrace,
};

/// What the host's own functions need of the stack, on top of what wasm may use.
const HOST_STACK: usize = 2 << 20;

/// A compiled module.
pub(crate) struct Compiled {
    engine: Engine,
    linked: Linked,
    stack_bytes: usize,
}

/// A module with its imports.
enum Linked {
    Plain(InstancePre<State>),
    Counting { module: Module, linker: Linker<State>, counting: Arc<Counting> },
}

/// What to run.
pub(crate) struct Job<'a> {
    pub(crate) program: &'a Program,
    pub(crate) entry: &'a Entry,
    pub(crate) input: &'a Input,
    pub(crate) limits: &'a Limits,
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
    /// Only of the counting module.
    pub(crate) coverage: Option<Coverage>,
}

impl Compiled {
    /// Compiles the program's own module.
    pub(crate) fn plain(program: &Program, stack_bytes: usize) -> Result<Self, Error> {
        let engine = engine(stack_bytes)?;
        let module =
            Module::new(&engine, &program.wasm).map_err(|error| Error::Compile(format!("{error:#}")))?;
        let linker = linker(&engine, program)?;
        let linked = linker.instantiate_pre(&module).map_err(|error| bad_imports(program, &error))?;
        Ok(Compiled { engine, linked: Linked::Plain(linked), stack_bytes })
    }

    /// Compiles the counting module.
    pub(crate) fn counting(
        program: &Program,
        counting: Arc<Counting>,
        stack_bytes: usize,
    ) -> Result<Self, Error> {
        let engine = engine(stack_bytes)?;
        let module =
            Module::new(&engine, &counting.wasm).map_err(|error| Error::Counting(format!("{error:#}")))?;
        let linker = linker(&engine, program)?;
        Ok(Compiled { engine, linked: Linked::Counting { module, linker, counting }, stack_bytes })
    }

    /// Runs the module once.
    pub(crate) fn run(&self, job: &Job<'_>) -> Result<Finished, Error> {
        let own_memory = match &self.linked {
            Linked::Plain(_) => 0,
            Linked::Counting { counting, .. } => counting.memory_pages << 16,
        };
        let state = State::new(job.program, job.input, Symbols::NONE, job.limits, own_memory)?;
        let expired = Arc::new(AtomicBool::new(false));
        let store = self.store(state, job.limits.fuel, Arc::clone(&expired))?;
        thread::scope(|scope| {
            let (finished, still_running) = mpsc::channel::<()>();
            if let Some(time) = job.limits.time {
                let watch = move || self.watch(time, &still_running, &expired);
                thread::Builder::new().spawn_scoped(scope, watch).map_err(no_thread)?;
            }
            let run = move || {
                // Dropped at the end, also by a panic: that stops the watch.
                let _finished = finished;
                self.run_here(job, store)
            };
            let stack = self.stack_bytes.saturating_add(HOST_STACK);
            let thread =
                thread::Builder::new().stack_size(stack).spawn_scoped(scope, run).map_err(no_thread)?;
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn store(&self, state: State, fuel: u64, expired: Arc<AtomicBool>) -> Result<Store<State>, Error> {
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
        // All runs on an engine share its epoch: one that ends does not mean that our time is over.
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(move |_| {
            Ok(match expired.load(Ordering::SeqCst) {
                true => UpdateDeadline::Interrupt,
                false => UpdateDeadline::Continue(1),
            })
        });
        Ok(store)
    }

    /// Waits until the run is over or its time is.
    fn watch(&self, time: Duration, still_running: &mpsc::Receiver<()>, expired: &AtomicBool) {
        if still_running.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            expired.store(true, Ordering::SeqCst);
            self.engine.increment_epoch();
        }
    }

    /// Runs the module on this thread.
    fn run_here(&self, job: &Job<'_>, mut store: Store<State>) -> Result<Finished, Error> {
        let mut notes = None;
        let instance = match &self.linked {
            Linked::Plain(linked) => linked.instantiate(&mut store),
            Linked::Counting { module, linker, counting } => {
                let size = u32::try_from(counting.memory_pages).map_err(host)?;
                let memory = Memory::new(&mut store, MemoryType::new(size, Some(size))).map_err(host)?;
                notes = Some((counting, memory));
                let mut linker = linker.clone();
                linker.define(&store, MEMORY_IMPORT.0, MEMORY_IMPORT.1, memory).map_err(host)?;
                linker.instantiate(&mut store, module)
            }
        };
        let result = match instance {
            Ok(instance) => call(&instance, job.entry, job.input, &mut store, |_| Ok(())),
            Err(error) => Err(instantiation_error(error, &store)?),
        };
        let ending = match result {
            Ok(values) => Ending::Returned(values),
            Err(error) => Ending::from_error(&error, &mut store),
        };
        let coverage = notes.map(|(counting, memory)| counting.coverage(memory.data(&store)));
        let fuel_used = job.limits.fuel - store.get_fuel().map_err(host)?;
        let (stdout, stderr) = store.data_mut().take_output();
        let mut bounds = std::mem::take(&mut store.data_mut().usage.bounds);
        if let Ending::Bound(bound, _) = ending {
            bounds.hit(bound);
        }
        let asked = store.data_mut().world.take_asked();
        Ok(Finished { ending, stdout, stderr, asked, bounds, fuel_used, coverage })
    }
}

/// Runs the constructors if the entry function does not, then, after `start`, calls it.
pub(crate) fn call(
    instance: &Instance,
    entry: &Entry,
    input: &Input,
    store: &mut Store<State>,
    start: impl FnOnce(&mut Store<State>) -> wasmtime::Result<()>,
) -> wasmtime::Result<Vec<Value>> {
    if let Some(initializer) = &entry.initializer {
        instance.get_typed_func::<(), ()>(&mut *store, initializer)?.call(&mut *store, ())?;
    }
    let function = instance
        .get_func(&mut *store, &entry.export)
        .ok_or_else(|| wasmtime::format_err!("`{}` is not exported", entry.export))?;
    let ty = function.ty(&*store);
    let types: Vec<ValType> = ty.params().collect();
    let params: Vec<Val> = input.params.iter().zip(&types).map(|(value, ty)| value.to_wasmtime(ty)).collect();
    start(&mut *store)?;
    let mut results = vec![Val::I32(0); ty.results().len()];
    function.call(&mut *store, &params, &mut results)?;
    Ok(results.iter().map(Value::from_wasmtime).collect())
}

/// Tells what the program did while it was instantiated (its start function ran) from what the host could not do.
pub(crate) fn instantiation_error(
    error: wasmtime::Error,
    store: &Store<State>,
) -> Result<wasmtime::Error, Error> {
    if error.is::<Trap>() || error.is::<WasmBacktrace>() || error.is::<wasmtime::ThrownException>() {
        return Ok(error);
    }
    match store.data().usage.refused {
        Some((bound, needed, limit)) => {
            let what = if bound == Bound::Memory { "bytes of memory" } else { "table elements" };
            Err(Error::TooSmall { what, needed, limit })
        }
        None => Err(host(format!("{error:#}"))),
    }
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
