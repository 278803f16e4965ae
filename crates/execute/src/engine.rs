//! How wasmtime is set up: the one place.
//!
//! Everything that could make two runs of the same input differ is off or made deterministic here.

use crate::tier::Tier;
use crate::{Error, Limits};
use coax_program::{FEATURES, Program};
use std::num::NonZeroUsize;
use wasmtime::{
    Config, Engine, InstanceAllocationStrategy, Memory, MemoryType, OptLevel, PoolingAllocationConfig,
    RegallocAlgorithm, Store, Strategy, WasmBacktraceDetails, WasmFeatures,
};

/// How many calls of a backtrace are kept, innermost first.
pub const BACKTRACE_FRAMES: NonZeroUsize = NonZeroUsize::new(100).unwrap();

/// An engine whose programs may use so much stack.
pub(crate) fn engine(stack_bytes: usize, tier: Tier) -> Result<Engine, Error> {
    one_by_one(&config(stack_bytes, tier)).map_err(|error| Error::Host(format!("{error:#}")))
}

/// How much more stack instrumented functions need than plain ones.
const STACK_FACTOR: usize = 4;

/// An engine for instrumented modules: the same, with instances from a pool, so that a run starts within microseconds.
pub(crate) fn instrumented(limits: &Limits, tier: Tier, pool: Pool) -> Result<Engine, Error> {
    let mut config = config(limits.stack_bytes.saturating_mul(STACK_FACTOR), tier);
    config.wasm_branch_hinting(true);
    pooled(config, limits, pool)
}

/// An engine for counting modules, which are run as often as there is time.
pub(crate) fn counting(limits: &Limits, stack_bytes: usize, tier: Tier, pool: Pool) -> Result<Engine, Error> {
    pooled(config(stack_bytes, tier), limits, pool)
}

/// Whether a program's instances fit into places of a pool, which all have the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pool {
    /// They do.
    Usual,
    /// They are made one by one.
    None,
}

impl Pool {
    /// What a program needs. What is beyond the limits is not made here: the limits say so when an instance is.
    pub(crate) fn of(program: &Program, limits: &Limits) -> Pool {
        let elements = program.tables.iter().map(|table| table.initial).max().unwrap_or(0);
        let bytes = program
            .memories
            .iter()
            .map(|memory| memory.ty.initial.saturating_mul(1 << 16))
            .max()
            .unwrap_or(0);
        let fits =
            elements <= most_pooled_elements(limits) as u64 && bytes <= most_pooled_bytes(limits) as u64;
        if fits { Pool::Usual } else { Pool::None }
    }
}

/// A table of a pool has places for so many elements, which are addresses only until they are used.
fn most_pooled_elements(limits: &Limits) -> usize {
    usize::try_from(limits.table_elements).unwrap_or(usize::MAX).min(1 << 20)
}

fn most_pooled_bytes(limits: &Limits) -> usize {
    usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX).min(4 << 30)
}

fn pooled(config: Config, limits: &Limits, wanted: Pool) -> Result<Engine, Error> {
    if wanted == Pool::None {
        return one_by_one(&config).map_err(|error| Error::Host(format!("{error:#}")));
    }
    let mut pool = PoolingAllocationConfig::new();
    pool.total_core_instances(INSTANCES)
        .total_memories(2 * INSTANCES)
        .max_memories_per_module(100)
        .total_tables(2 * INSTANCES)
        .max_tables_per_module(100)
        .table_elements(most_pooled_elements(limits))
        .max_memory_size(most_pooled_bytes(limits))
        .max_core_instance_size(1 << 24);
    let mut pooled = config.clone();
    pooled.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    // A host without so many addresses to spare gets instances one by one.
    Engine::new(&pooled).or_else(|_| one_by_one(&config)).map_err(|error| Error::Host(format!("{error:#}")))
}

/// An engine for code of our own that computes and ends (`jit.rs`): nothing need be counted or interrupted.
pub(crate) fn evaluating() -> Result<Engine, Error> {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .cranelift_nan_canonicalization(true)
        .wasm_backtrace_max_frames(None)
        .wasm_backtrace_details(WasmBacktraceDetails::Disable);
    one_by_one(&config).map_err(|error| Error::Host(format!("{error:#}")))
}

/// How many instances there may be at a time.
const INSTANCES: u32 = 64;

/// An engine whose instances are made one by one. Memories usually reserve all addresses that they can have, so that accesses need
/// no checks; where there are not so many (`ulimit -v`), they take what they need, and accesses are checked.
fn one_by_one(config: &Config) -> wasmtime::Result<Engine> {
    let engine = Engine::new(config)?;
    if has_room(&engine) {
        return Ok(engine);
    }
    let mut thrifty = config.clone();
    thrifty.memory_reservation(0).memory_guard_size(0).memory_reservation_for_growth(GROWTH_BYTES);
    Engine::new(&thrifty)
}

/// Whether there are addresses for the two memories that an instance usually has: the program's, and ours.
fn has_room(engine: &Engine) -> bool {
    let mut store = Store::new(engine, ());
    (0..2).all(|_| Memory::new(&mut store, MemoryType::new(1, None)).is_ok())
}

/// What a memory reserves to grow into, where addresses are few.
const GROWTH_BYTES: u64 = 1 << 20;

fn config(stack_bytes: usize, tier: Tier) -> Config {
    let mut config = Config::new();
    if tier == Tier::Quick {
        config
            .cranelift_opt_level(OptLevel::None)
            .cranelift_regalloc_algorithm(RegallocAlgorithm::SinglePass);
    }
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
