//! How wasmtime is set up: the one place.
//!
//! Everything that could make two runs of the same input differ is off or made deterministic here.

use crate::{Error, Limits};
use coax_program::FEATURES;
use std::num::NonZeroUsize;
use wasmtime::{
    Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Strategy, WasmBacktraceDetails,
    WasmFeatures,
};

/// How many calls of a backtrace are kept, innermost first.
const BACKTRACE_FRAMES: NonZeroUsize = NonZeroUsize::new(100).unwrap();

/// An engine whose programs may use so much stack.
pub(crate) fn engine(stack_bytes: usize) -> Result<Engine, Error> {
    Engine::new(&config(stack_bytes)).map_err(|error| Error::Host(format!("{error:#}")))
}

/// How much more stack instrumented functions need than plain ones.
const STACK_FACTOR: usize = 4;

/// An engine for instrumented modules: the same, with instances from a pool, so that a run starts within microseconds.
pub(crate) fn instrumented(limits: &Limits) -> Result<Engine, Error> {
    let mut config = config(limits.stack_bytes * STACK_FACTOR);
    config.wasm_branch_hinting(true);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_core_instances(INSTANCES)
        .total_memories(2 * INSTANCES)
        .max_memories_per_module(100)
        .total_tables(2 * INSTANCES)
        .max_tables_per_module(100)
        .table_elements(usize::try_from(limits.table_elements).unwrap_or(usize::MAX).min(1 << 20))
        .max_memory_size(usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX).min(4 << 30))
        .max_core_instance_size(1 << 24);
    let mut pooled = config.clone();
    pooled.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    // A host without so many addresses to spare gets instances one by one.
    Engine::new(&pooled).or_else(|_| Engine::new(&config)).map_err(|error| Error::Host(format!("{error:#}")))
}

/// How many instances there may be at a time.
const INSTANCES: u32 = 64;

fn config(stack_bytes: usize) -> Config {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .wasm_features(WasmFeatures::all().difference(FEATURES), false)
        .wasm_features(FEATURES, true)
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .consume_fuel(true)
        .epoch_interruption(true)
        .max_wasm_stack(stack_bytes)
        // Unused, but wasmtime wants it to be at least as large.
        .async_stack_size(stack_bytes.max(2 << 20))
        .wasm_backtrace_max_frames(Some(BACKTRACE_FRAMES))
        // Source lines are the business of coax-program.
        .wasm_backtrace_details(WasmBacktraceDetails::Disable);
    config
}
