//! Who ends a search: a clock, the memory that is used, or the user.

use anyhow::{Context, Result};
use coax_search::{Stop, StopReason};
use std::thread;
use std::time::{Duration, Instant};

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;
/// How often memory is looked at.
const EVERY: Duration = Duration::from_millis(50);

/// Ends the search when the user wants to; a second time, coax itself.
pub fn end_on_interrupt(stop: &Stop) -> Result<()> {
    let stop = stop.clone();
    let handler = move || match stop.reason() {
        Some(StopReason::Interrupted) => std::process::exit(INTERRUPTED),
        _ => stop.now(StopReason::Interrupted),
    };
    ctrlc::set_handler(handler).context("cannot wait for Ctrl-C")
}

/// Ends the search after a while, or when coax uses more memory than it may.
#[expect(clippy::disallowed_methods, reason = "the search may take so long and no longer")]
pub fn end_after(stop: &Stop, time: Duration, max_memory: u64) {
    let stop = stop.clone();
    let end = Instant::now() + time;
    thread::spawn(move || {
        while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            thread::sleep(left.min(EVERY));
            if used_memory().is_some_and(|used| used > max_memory) {
                stop.now(StopReason::Memory);
            }
        }
        stop.now(StopReason::Time);
    });
}

/// How much memory this process has, where the system says so.
fn used_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}
