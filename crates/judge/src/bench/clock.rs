//! Time, for benchmarks only.
//!
//! Everything is a minimum: the machine's other work only ever adds. CPU time is that of all threads of this process,
//! so that a program that runs on a thread of its own, or a compiler that uses every core, is counted whole.

use anyhow::{Result, ensure};
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// The CPU time that this process has used so far.
pub(super) fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    // A clock of CPU time is never negative.
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The CPU time of one piece of work, and what it returned.
pub(super) fn cpu_time_of<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = cpu_time();
    let result = work();
    (cpu_time() - start, result)
}

/// The time on the clock of one piece of work, and what it returned.
#[expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock")]
pub(super) fn time_of<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// The shortest time on the clock of a few repetitions.
pub(super) fn fastest(mut work: impl FnMut()) -> Duration {
    (0..5).map(|_| time_of(&mut work).0).min().unwrap_or_default()
}

/// How long two ways to do the same thing take.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    /// The CPU time of the first.
    pub(super) plain: Duration,
    /// The CPU time of the second.
    pub(super) ours: Duration,
}

impl Pair {
    /// How many times longer ours takes.
    pub(super) fn ratio(self) -> f64 {
        self.ours.as_secs_f64() / self.plain.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// The least CPU time of two ways to do the same thing, run in turns, so that what disturbs one disturbs the other; they must
/// return the same.
pub(super) fn in_turns<T: PartialEq + std::fmt::Debug>(
    repetitions: usize,
    mut plain: impl FnMut() -> Result<T>,
    mut ours: impl FnMut() -> Result<T>,
) -> Result<Pair> {
    let (expected, got) = (plain()?, ours()?);
    ensure!(expected == got, "the plain program gives {expected:?}, the instrumented one {got:?}");
    let mut least = Pair { plain: Duration::MAX, ours: Duration::MAX };
    for _ in 0..repetitions {
        let (time, result) = cpu_time_of(&mut plain);
        result?;
        least.plain = least.plain.min(time);
        let (time, result) = cpu_time_of(&mut ours);
        result?;
        least.ours = least.ours.min(time);
    }
    Ok(least)
}
