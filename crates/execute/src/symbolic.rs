//! The symbolic run: the instrumented module on wasmtime, with terms for what depends on the input.
//!
//! ```text
//! Program ── SymbolicEngine::module ──▶ SymbolicModule
//! SymbolicModule + Input ── run ──▶ SymbolicRun { ending, path, terms }
//! ```
//!
//! How the instrumented code and this side work together is in `docs/decisions/0002-mask-and-replay.md`.

mod accesses;
mod assign;
mod calling;
mod calls;
mod cells;
mod cut;
mod engine;
mod footprint;
pub mod hooks;
pub(crate) mod host;
mod image;
pub(crate) mod imports;
pub(crate) mod input;
mod joining;
mod kept_lengths;
mod lengths;
mod mixed;
mod pages;
mod replay;
mod run;
mod shadow;
pub(crate) mod symbols;

pub use accesses::{SymbolicAccess, Transition};
pub use calls::{CallEvent, CallKind, Datum};
pub use engine::SymbolicEngine;
pub(crate) use host::Symbolic;
pub use image::Image;
pub use kept_lengths::{KeptLength, kept_lengths};
pub use lengths::{Lengths, length_conditions};
pub use pages::Pages;
pub(crate) use run::{FUEL_FACTOR, width};
pub use run::{Setup, SymbolicModule, SymbolicRun};
pub use symbols::{Symbols, model};
