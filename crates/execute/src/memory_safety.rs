//! Memory errors: accesses outside of what the program was given, and blocks that are given back wrongly.
//!
//! ```text
//! Program ── Checking::new ──▶ the checking module: its accesses look into a shadow, its allocator tells the host about blocks
//!                                      │ enter, leave, suspect, grown, moved
//!                                      ▼
//!                              Checks (host.rs) ── Heap ──▶ MemoryError, as a trap of the run
//! ```
//!
//! The checking module does what the plain one does, until the first error. What it takes for suspicious is judged by [`heap`] alone, exactly;
//! so the shadow may be too dark, and only ever costs time. Why it works this way is in `docs/decisions/0009-memory-errors.md`.

mod body;
mod checking;
mod heap;
mod helpers;
mod host;
mod leaks;
mod null;
mod roles;
mod shadow;
mod stack;

pub(crate) use checking::Checking;
pub(crate) use heap::Block;
pub(crate) use host::{
    Checks, add_to_linker, begins, check_host_call, counts, grown_by_host, leaked, shadow_memory,
};
pub(crate) use null::is_made_from_variable;
pub use roles::{AllocatorNames, allocators, check_allocator};

use crate::compiled::Checked;
use crate::ending::Ending;
use crate::outcome::{Outcome, Trap, TrapKind};
use coax_program::Program;
use std::ops::Range;

/// The global that points to the stack, and where the stack is.
pub(crate) fn stack_of(program: &Program) -> Option<(u32, Range<u64>)> {
    stack::Layout::of(program)
        .map(|layout| (layout.stack_pointer, u64::from(layout.lowest)..u64::from(layout.top)))
}

/// The global that points to the stack.
pub fn stack_pointer(program: &Program) -> Option<u32> {
    stack_of(program).map(|(global, _)| global)
}

/// By how much the indices of functions with code are greater in the checking module.
pub(crate) const MOVED_FUNCTIONS: u32 = host::Import::ALL.len() as u32;

/// An error, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemoryError {
    pub(crate) kind: TrapKind,
    /// What happened: `4 bytes written, 2 bytes behind a block of 16 bytes`.
    pub(crate) what: String,
    /// The block that it is about, if it is about one.
    pub(crate) block: Option<Block>,
}

/// So many bytes.
fn bytes(count: u32) -> String {
    if count == 1 { "1 byte".into() } else { format!("{count} bytes") }
}

/// The trap that an error is to the program. The ending is that of the checking run; the other run is one in which the calls were looked at
/// that allocated and freed the block.
pub(crate) fn trap(program: &Program, error: &MemoryError, ending: Ending, again: Option<&Checked>) -> Trap {
    let place = |call: Option<u64>| {
        let frames = again?.calls.get(&call?)?;
        frames.iter().find_map(|frame| frame.locate(program).0.sources.first().cloned())
    };
    let mut what = error.what.clone();
    let block = error.block;
    for (verb, call) in
        [("allocated", block.map(|block| block.allocated)), ("freed", block.and_then(|block| block.freed))]
    {
        if let Some(source) = place(call) {
            what.push_str(&format!(", {verb} at {source}"));
        }
    }
    if let Outcome::Trapped(trap) = ending.into_outcome(program) {
        return Trap { kind: error.kind, reason: Some(what), ..trap };
    }
    // A leak is found when all is over: what there is to look at is where the block came from.
    let frames = again.zip(block).and_then(|(again, block)| again.calls.get(&block.allocated));
    let backtrace = frames.into_iter().flatten().map(|frame| frame.locate(program).0).collect();
    Trap { kind: error.kind, reason: Some(what), site: None, backtrace }
}
