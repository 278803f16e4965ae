//! The program's clock: it starts at a time that the input says and moves only when it is read or slept on.
//!
//! So a run sees the same times whenever and wherever it happens, loops that wait for a time to come
//! end, and sleeping costs nothing.

use super::Errno;

/// Nanoseconds from 1970 to 2000, when a run begins if nothing else is said.
const START: u64 = 946_684_800_000_000_000;
/// How far the clock moves whenever it is read, in nanoseconds: what is called its resolution.
pub(crate) const TICK: u64 = 1_000;

/// The program's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// Nanoseconds from 1970 to the start of the run.
    start: u64,
    /// Nanoseconds since the start of the run.
    elapsed: u64,
}

/// The clocks that a program can ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockId {
    /// Since 1970.
    Realtime,
    /// Since the start of the run.
    Monotonic,
    /// Time on a processor, of the process or a thread: not there.
    Cpu,
}

impl ClockId {
    /// The clock of this number.
    pub(crate) fn from_number(number: u32) -> Option<ClockId> {
        match number {
            0 => Some(ClockId::Realtime),
            1 => Some(ClockId::Monotonic),
            2 | 3 => Some(ClockId::Cpu),
            _ => None,
        }
    }
}

impl Clock {
    /// A clock for a run that begins so many nanoseconds after 1970.
    pub(crate) fn new(start: Option<u64>) -> Self {
        Clock { start: start.unwrap_or(START), elapsed: 0 }
    }

    /// Lets so many nanoseconds pass; the program chooses how many, so this stops at the end of time.
    pub(crate) fn sleep(&mut self, nanoseconds: u64) {
        self.elapsed = self.elapsed.saturating_add(nanoseconds);
    }

    /// Reads a clock, which takes a moment.
    pub(crate) fn read(&mut self, clock: ClockId) -> Result<u64, Errno> {
        let now = self.elapsed.saturating_add(TICK);
        let time = Clock { elapsed: now, ..*self }.now(clock).ok_or(Errno::BadDescriptor)?;
        self.elapsed = now;
        Ok(time)
    }

    /// What a clock shows, without reading it; none for one that is not there.
    pub(crate) fn now(&self, clock: ClockId) -> Option<u64> {
        match clock {
            ClockId::Realtime => Some(self.unix_nanoseconds()),
            ClockId::Monotonic => Some(self.elapsed),
            ClockId::Cpu => None,
        }
    }

    /// Nanoseconds since 1970.
    pub(crate) fn unix_nanoseconds(&self) -> u64 {
        self.start.saturating_add(self.elapsed)
    }
}
