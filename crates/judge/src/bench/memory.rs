//! How much memory this process has, for benchmarks only.

use anyhow::{Context, Result};

/// The bytes of this process that are in memory now.
pub(super) fn resident_bytes() -> Result<u64> {
    const WRONG: &str = "this benchmark needs Linux: it reads /proc/self/statm";
    let statm = std::fs::read_to_string("/proc/self/statm").context(WRONG)?;
    let pages: u64 = statm.split_whitespace().nth(1).context(WRONG)?.parse().context(WRONG)?;
    Ok(pages * rustix::param::page_size() as u64)
}
