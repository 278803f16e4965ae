//! The independent judges of coax, for developers only: the spec testsuite, SSA lowered back to wasm,
//! random modules, wasmtime's own WASI, all inputs of small programs.

pub mod engines;
pub mod examples;
pub mod harnesses;
pub mod hooks;
pub mod kernels;
pub mod large;
pub mod lower;
pub mod machine;
pub mod operators;
pub mod planted;
pub mod prediction;
pub mod questions;
pub mod random;
pub mod spec;
pub mod switches;
pub mod thirdparty;
pub mod transform;
pub mod tripwire;
pub mod unreachable;
pub mod wasi;

/// Runs work on threads whose stacks are large enough for the deepest recursion of wasm.
pub fn on_large_stacks<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(machine::THREAD_STACK_BYTES).build();
    pool.expect("the system gives us a few threads").install(work)
}
