//! How much a run may use.

use std::time::Duration;

/// How much a run may use. What happens at a limit is part of the run's outcome or its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions, about; a call of the host costs [`Limits::HOST_CALL_FUEL`]. Default: 2 thousand million.
    pub fuel: u64,
    /// Bytes of all linear memories together; `memory.grow` past it fails. Default: 1 GiB.
    pub memory_bytes: u64,
    /// Elements of all tables together; `table.grow` past it fails. Default: 10 million.
    pub table_elements: u64,
    /// Bytes of native stack for wasm frames. Default: 8 MiB.
    pub stack_bytes: usize,
    /// Bytes that the program may write to files and streams; a write past it fails with "no space". Holes in files count, and each
    /// name of a file as 4096. Default: 1 GiB.
    pub written_bytes: u64,
    /// Those of them that may be in files, which are in memory; a write past it fails, too. Default: 64 MiB.
    pub file_bytes: u64,
    /// Bytes kept of standard output, and of standard error; more is dropped. Default: 4 MiB.
    pub captured_bytes: usize,
    /// What a symbolic run may remember: terms, events of its path and of its calls, frames, together; it
    /// ends there.
    /// Default: 20 million.
    pub terms: u64,
    /// Whether the last object that is a parameter ends with the memory, so that nothing can be read behind it. Otherwise objects begin at the same
    /// addresses whatever their lengths, unless these are very large: what a program does with addresses does not depend on lengths in a way
    /// that no decision shows. Default: it does.
    pub is_tight: bool,
    /// Time on the clock. A run that ends here is not repeatable, fuel should end it first. Default: none.
    pub time: Option<Duration>,
}

impl Limits {
    /// What a call of the host costs, so that fuel is about time for programs that mostly call the host too.
    pub const HOST_CALL_FUEL: u64 = 1000;
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            fuel: 2_000_000_000,
            memory_bytes: 1 << 30,
            table_elements: 10_000_000,
            stack_bytes: 8 << 20,
            written_bytes: 1 << 30,
            file_bytes: 64 << 20,
            captured_bytes: 4 << 20,
            terms: 20_000_000,
            is_tight: true,
            time: None,
        }
    }
}
