//! The stack of threads: runs need a large one.

use std::cell::Cell;

thread_local! {
    /// How much stack this thread has, if it has said so.
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

/// Does this work on a thread whose stack has so many bytes: runs that need less are made on it, and begin no thread of their own.
pub fn with_stack<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let before = BYTES.replace(bytes);
    let result = work();
    BYTES.set(before);
    result
}

/// Whether this thread is known to have so much stack.
pub(crate) fn has(bytes: usize) -> bool {
    bytes <= BYTES.get()
}
