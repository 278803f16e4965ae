//! The program's clock: it starts at a fixed time and moves only when it is read or slept on.
//!
//! So a run sees the same times whenever and wherever it happens, loops that wait for a time to come
//! end, and sleeping costs nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock};

/// Seconds from 1970 to 2000, when every run begins.
const START: Duration = Duration::from_secs(946_684_800);
/// How far the clock moves whenever it is read, in nanoseconds.
const TICK: u64 = 1_000;

/// The program's clock. Clones show the same time.
#[derive(Clone, Debug, Default)]
pub(crate) struct VirtualClock(Arc<AtomicU64>);

impl VirtualClock {
    /// Lets so many nanoseconds pass.
    pub(crate) fn sleep(&self, nanoseconds: u64) {
        // Only the thread of the run writes; saturating, since the program chooses how long it sleeps.
        self.0.store(self.elapsed().saturating_add(nanoseconds), Ordering::Relaxed);
    }

    /// Nanoseconds since the start of the run.
    pub(crate) fn elapsed(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Nanoseconds since 1970.
    pub(crate) fn unix_nanoseconds(&self) -> u64 {
        (START.as_nanos() as u64).saturating_add(self.elapsed())
    }
}

impl HostMonotonicClock for VirtualClock {
    fn resolution(&self) -> u64 {
        TICK
    }

    fn now(&self) -> u64 {
        self.sleep(TICK);
        self.elapsed()
    }
}

impl HostWallClock for VirtualClock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(TICK)
    }

    fn now(&self) -> Duration {
        self.sleep(TICK);
        Duration::from_nanos(self.unix_nanoseconds())
    }
}
