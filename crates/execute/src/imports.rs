//! What answers the functions that a program imports, for every engine.
//!
//! ```text
//! function + numbers of the arguments + Guest ──▶ answer, and a Log
//! Log ── apply, by an engine that has terms ──▶ events of the path, symbols in memory
//! ```
//!
//! A function sees numbers and the program's memory. What it has to do with symbols it says in the [`Log`]; what that means is said
//! once, in `log.rs`, for both engines that have terms. See `docs/decisions/0005-inputs.md`.

mod guest;
mod log;

pub(crate) use guest::{Answer, Buffer, Fault, Guest, flags};
pub(crate) use log::{Item, Log, Symbolically};

use crate::sandbox::State;
use wasmtime::{Caller, Extern, Result, Trap, format_err};

/// How a program asks for the end of the run.
#[derive(Debug, thiserror::Error)]
#[error("the program exited with code {0}")]
pub(crate) struct Exit(pub(crate) u32);

/// Serves a call of a program that wasmtime runs.
pub(crate) fn serve(
    caller: &mut Caller<'_, State>,
    function: impl FnOnce(&mut Guest<'_>) -> Answer,
) -> Result<u32> {
    let fuel = caller.get_fuel()?;
    let exported = caller.get_export("memory").and_then(Extern::into_memory);
    let (memory, state) = match &exported {
        Some(memory) => memory.data_and_store_mut(&mut *caller),
        None => (&mut [][..], caller.data_mut()),
    };
    let mut guest = Guest { memory, world: &mut state.world, fuel };
    let answer = function(&mut guest);
    let left = guest.fuel;
    if left < fuel {
        caller.set_fuel(left)?;
    }
    crate::symbolic::imports::apply(caller)?;
    match answer {
        Ok(()) => Ok(0),
        Err(Fault::Errno(errno)) => Ok(errno as u32),
        Err(Fault::Pointer(_)) if exported.is_none() => {
            Err(format_err!("the program calls WASI but does not export its memory as `memory`"))
        }
        Err(Fault::Pointer(address)) => {
            Err(format_err!("pointer {address:#x} is outside the memory or not aligned"))
        }
        Err(Fault::Undefined) => Err(format_err!("an argument has a value that WASI does not define")),
        Err(Fault::Exit(code)) => Err(Exit(code).into()),
        Err(Fault::OutOfFuel) => Err(Trap::OutOfFuel.into()),
    }
}
