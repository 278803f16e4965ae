//! What a run takes from its input: which values are symbols, and what they are called.

use super::host;
use crate::sandbox::State;
use wasmtime::{Caller, Result};

/// The name of a byte of standard input.
pub(crate) fn stdin_name(index: u64) -> String {
    format!("stdin[{index}]")
}

/// The name of a parameter of the entry function.
pub(crate) fn param_name(index: usize) -> String {
    format!("param{index}")
}

/// Bytes of standard input that the program has read into its memory become symbols.
pub(crate) fn mark_incoming(caller: &mut Caller<'_, State>) -> Result<()> {
    for read in std::mem::take(&mut caller.data_mut().stdin.reads) {
        host::mark(caller, read.address, read.count, |place| stdin_name(read.offset + place))?;
    }
    Ok(())
}
