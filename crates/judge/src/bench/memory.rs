//! How much memory this process has, for benchmarks only.

use anyhow::{Context, Result};

/// The bytes of this process that are in memory now.
pub(super) fn resident_bytes() -> Result<u64> {
    const WRONG: &str = "this benchmark needs Linux: it reads /proc/self/statm";
    let statm = std::fs::read_to_string("/proc/self/statm").context(WRONG)?;
    let pages: u64 = statm.split_whitespace().nth(1).context(WRONG)?.parse().context(WRONG)?;
    Ok(pages * rustix::param::page_size() as u64)
}

/// The most memory that this process has had since [`forget_peak`], in bytes.
pub(super) fn peak_bytes() -> Result<u64> {
    peak_of(std::process::id()).context("this benchmark needs Linux: it reads /proc/self/status")
}

/// Lets the peak be what there is now.
pub(super) fn forget_peak() {
    // Where that cannot be done, peaks are those of all that came before.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory that a process has had, in bytes; nothing if it is not there any more.
pub(super) fn peak_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
