//! Who ends a search: a clock, or the memory that is used. (The user is in `interrupt.rs`.)

use crate::interrupt::Most;
use coax_search::{Stop, StopReason};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often memory is looked at.
const EVERY: Duration = Duration::from_millis(50);

/// How long a search has taken: without compilers, without preparing, and without doing again what an earlier one did.
#[derive(Clone, Default)]
pub struct Clock(Arc<Mutex<Ticks>>);

#[derive(Default)]
struct Ticks {
    before: Duration,
    since: Option<Instant>,
}

impl Clock {
    fn ticks(&self) -> MutexGuard<'_, Ticks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It runs from now on, unless it does already.
    #[expect(clippy::disallowed_methods, reason = "the search may take so long and no longer")]
    pub fn start(&self) {
        self.ticks().since.get_or_insert_with(Instant::now);
    }

    /// It stands still from now on.
    pub fn pause(&self) {
        let mut ticks = self.ticks();
        if let Some(since) = ticks.since.take() {
            ticks.before += since.elapsed();
        }
    }

    /// What it shows.
    pub fn elapsed(&self) -> Duration {
        let ticks = self.ticks();
        ticks.before + ticks.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

/// Ends the search when its clock has run for a while, when all must be over, or when coax uses more memory than it may.
#[expect(clippy::disallowed_methods, reason = "the search may take so long and no longer")]
pub fn end_after(stop: &Stop, clock: &Clock, time: Duration, Most { end, memory }: Most) {
    let (stop, clock) = (stop.clone(), clock.clone());
    thread::spawn(move || {
        while stop.reason().is_none() {
            let left = time.saturating_sub(clock.elapsed());
            let of_all = end.map_or(left, |end| end.saturating_duration_since(Instant::now()));
            let left = left.min(of_all);
            if left.is_zero() {
                return stop.now(StopReason::Time);
            }
            thread::sleep(left.min(EVERY));
            if used_memory().is_some_and(|used| used > memory) {
                stop.now(StopReason::Memory);
            }
        }
    });
}

/// A flag that is set after a while, or when the search ends. Who drops it does not wait for it any more.
pub struct Alarm {
    pub flag: Arc<AtomicBool>,
    _waits: Option<Sender<()>>,
}

impl Alarm {
    /// Begins to wait; without a time, only for the end of the search.
    pub fn after(stop: &Stop, time: Option<Duration>) -> Alarm {
        let Some(time) = time else { return Alarm { flag: stop.flag(), _waits: None } };
        let flag = Arc::new(AtomicBool::new(false));
        let (stop, set) = (stop.clone(), Arc::clone(&flag));
        let (waits, is_dropped) = mpsc::channel();
        thread::spawn(move || {
            let mut left = time;
            while !left.is_zero() && stop.reason().is_none() {
                let pause = left.min(EVERY);
                if is_dropped.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
                left -= pause;
            }
            set.store(true, Ordering::SeqCst);
        });
        Alarm { flag, _waits: Some(waits) }
    }

    /// Whether it was set.
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::SeqCst)
    }
}

/// How much memory this process has, where the system says so.
pub fn used_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}
