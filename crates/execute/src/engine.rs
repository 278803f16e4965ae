//! How wasmtime is set up: the one place.
//!
//! Everything that could make two runs of the same input differ is off or made deterministic here.

use crate::Error;
use coax_program::FEATURES;
use std::num::NonZeroUsize;
use wasmtime::{Config, Engine, Strategy, WasmBacktraceDetails, WasmFeatures};

/// How many calls of a backtrace are kept, innermost first.
const BACKTRACE_FRAMES: NonZeroUsize = NonZeroUsize::new(100).unwrap();

/// An engine whose programs may use so much stack.
pub(crate) fn engine(stack_bytes: usize) -> Result<Engine, Error> {
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
    Engine::new(&config).map_err(|error| Error::Host(format!("{error:#}")))
}
