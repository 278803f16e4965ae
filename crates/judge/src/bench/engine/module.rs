//! A kernel's module, compiled with the settings of coax's own engine, and calls of it.
//!
//! Only the call itself is timed, without what a run has around it: a sandbox, a thread, an input.

use anyhow::{Result, anyhow};
use coax_judge::kernels::ENTRY;
use wasmtime::{Config, Engine, Linker, Module, OptLevel, Store, TypedFunc, Val};

/// What instrumented modules import the host's functions from.
const HOST: &str = "coax:host";

/// An instance that is called again and again.
pub(super) struct Callable {
    store: Store<()>,
    run: TypedFunc<i32, i32>,
}

/// An engine as `coax-execute` has it: canonical NaNs, fuel, epochs, the same stack.
pub(super) fn engine() -> Result<Engine> {
    let mut config = Config::new();
    config
        .wasm_exceptions(true)
        .wasm_memory64(true)
        .wasm_branch_hinting(true)
        .cranelift_opt_level(OptLevel::Speed)
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .consume_fuel(true)
        .epoch_interruption(true)
        .async_stack_size(8 << 20)
        .max_wasm_stack(8 << 20);
    Engine::new(&config).map_err(wrong)
}

impl Callable {
    /// Compiles and instantiates a module. It has no input, so it has no reason to call the host.
    pub(super) fn new(engine: &Engine, wasm: &[u8]) -> Result<Callable> {
        let module = Module::new(engine, wasm).map_err(wrong)?;
        let mut store = Store::new(engine, ());
        store.set_fuel(u64::MAX).map_err(wrong)?;
        store.set_epoch_deadline(u64::MAX >> 1);
        let mut linker = Linker::new(engine);
        for import in module.imports().filter(|import| import.module() == HOST && import.name() == "bulk") {
            let ty = import.ty().func().ok_or_else(|| anyhow!("`bulk` is no function"))?.clone();
            linker.func_new(HOST, import.name(), ty, no_work).map_err(wrong)?;
        }
        linker.define_unknown_imports_as_traps(&module).map_err(wrong)?;
        let instance = linker.instantiate(&mut store, &module).map_err(wrong)?;
        let run = instance.get_typed_func(&mut store, ENTRY).map_err(wrong)?;
        Ok(Callable { store, run })
    }

    /// Calls `run`.
    pub(super) fn call(&mut self, rounds: i32) -> Result<i32> {
        self.run.call(&mut self.store, rounds).map_err(wrong)
    }
}

/// What the host does about flags of copied memory when there are none.
fn no_work(_: wasmtime::Caller<'_, ()>, _: &[Val], _: &mut [Val]) -> wasmtime::Result<()> {
    Ok(())
}

fn wrong(error: wasmtime::Error) -> anyhow::Error {
    anyhow!("{error:#}")
}
