//! What answers the functions that a program imports, for every engine.
//!
//! ```text
//! import ── Provider::of ──▶ Provider        a function of WASI's, of a test harness's, or a stub
//! Provider + numbers of the arguments + Guest ──▶ answer, and a Log
//! Log ── apply, by an engine that has terms ──▶ events of the path, symbols in memory, the term of the result
//! ```
//!
//! A provider sees numbers and the program's memory. What it has to do with symbols it says in the [`Log`]; what that means is said
//! once, in `log.rs`, for both engines that have terms. See `docs/decisions/0005-inputs.md`.

mod guest;
mod link;
mod log;
mod provider;

pub(crate) use guest::{Buffer, CallResult, Fault, Guest, flags};
pub(crate) use link::{add_to_linker, serve};
pub(crate) use log::{Condition, Extended, Item, Log, Symbolically};
pub(crate) use provider::{Provider, UNKNOWN, check, stubbable};

use crate::TrapKind;

/// How a program asks for the end of the run.
#[derive(Debug, thiserror::Error)]
#[error("the program exited with code {0}")]
pub(crate) struct Exit(pub(crate) u32);

/// How a program says that it has come to an end that it did not want.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Ended {
    #[error("{kind}")]
    Failed { kind: TrapKind, reason: Option<String> },
    #[error("{0}")]
    Discarded(String),
}
