//! Running a program, in a sandbox: plain, with symbols, or interpreted.
//!
//! ```text
//! Program + Input ── PlainModule::run ─────▶ Run { outcome, stdout, stderr, coverage, bounds, fuel_used }
//!                 ── SymbolicModule::run ──▶ SymbolicRun { path, terms, calls, stdout, stderr, bounds }
//!                 ── reference_run ────────▶ ReferenceRun { path, terms, ending, stdout, stderr }
//! ```
//!
//! A plain run, of the unmodified module on wasmtime, is what counts. A symbolic run, of the instrumented module, also tells
//! what was decided because of the input: its [`Path`]. The [`mod@reference`] interpreter records the same path in another
//! way, to judge it. What operators mean is in [`semantics`], for all of them.
//!
//! What the program does is data (an [`Outcome`]: it returned, trapped at a site, looped until its fuel
//! was gone …); an [`Error`] means that coax could not run it. The same input always gives the same
//! run: fuel counts instructions, clock and random numbers are made up from the input, nothing of the
//! host is visible. Coverage comes from a second run of a module that counts (`counting.rs`); the
//! outcome never does.
//!
//! This is the only crate that knows wasmtime.

mod arguments;
mod bounds;
mod bulk;
mod compiled;
mod counting;
mod coverage;
mod data;
mod deadline;
mod ending;
mod engine;
mod entry;
mod error;
mod exports;
mod harness;
mod imports;
mod input;
mod instrument;
mod jit;
mod lasting;
mod limits;
pub mod lower;
mod machine;
mod memory_safety;
mod methods;
mod module_cache;
mod outcome;
mod path;
mod plain;
pub mod reference;
mod reference_run;
mod sandbox;
pub mod semantics;
mod stack;
mod symbolic;
mod test;
mod tier;
mod trials;
mod unknown;
mod value;
mod wasi;
mod world;

pub use arguments::{
    Argument, Callback, CallbackResult, Content, Counted, Field, FieldShape, Layout, Number, NumberKind,
    Object, ParamShape, Room, Rule, Shape, Shapes,
};
pub use bounds::{Bound, Bounds};
pub use coverage::{Count, Counts, Coverage};
pub use data::Data;
pub use ending::InShort;
pub use engine::BACKTRACE_FRAMES;
pub use entry::Entry;
pub use error::Error;
pub use harness::Labels;
pub use input::Input;
pub use instrument::{Detail, Variant, define_idle_host, instrument, joinable};
pub use jit::Jit;
pub use limits::Limits;
pub use memory_safety::{AllocatorNames, allocators, check_allocator, stack_pointer};
pub use methods::{Method, Methods};
pub use outcome::{Exception, Outcome, TraceFrame, Trap, TrapKind, Verdict};
pub use path::{Concretisation, Event, EventKind, Path, PathError, Question};
pub use plain::{MemoryChecks, PlainModule, Run};
pub use reference_run::{Executed, ReferenceRun, Witness, reference_run, trace, witnessed_run};
pub use sandbox::{Left, Sandbox};
pub use stack::with_stack;
pub use symbolic::{
    CallEvent, CallKind, Datum, Image, KeptLength, Lengths, Pages, Setup, SymbolicAccess, SymbolicEngine,
    SymbolicModule, SymbolicRun, Symbols, Transition, hooks, kept_lengths, length_conditions, model,
};
pub use test::Test;
pub use trials::{Trial, Trials};
pub use unknown::{Called, Computed, FunctionName, Observed, Refused, Shown, Unknown};
pub use value::{Reference, Value};
pub use world::{Answer, Asked, IoFault, PROGRAM_NAME, Request};
