//! Who ends a search: a clock, the memory that is used, or the user.

use anyhow::{Context, Result};
use coax_search::{Stop, StopReason};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;
/// How often memory is looked at.
const EVERY: Duration = Duration::from_millis(50);

/// Ctrl-C: it ends a search, and a second one ends coax.
pub struct Interrupt(Arc<Mutex<Option<Stop>>>);

impl Interrupt {
    /// Waits for it; there can be only one who does.
    pub fn new() -> Result<Interrupt> {
        let current: Arc<Mutex<Option<Stop>>> = Arc::default();
        let theirs = Arc::clone(&current);
        let handler = move || match &*theirs.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(stop) if stop.reason() != Some(StopReason::Interrupted) => stop.now(StopReason::Interrupted),
            _ => std::process::exit(INTERRUPTED),
        };
        ctrlc::set_handler(handler).context("cannot wait for Ctrl-C")?;
        Ok(Interrupt(current))
    }

    /// From now on it ends this search.
    pub fn ends(&self, stop: &Stop) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop.clone());
    }
}

/// When the time of a search begins: not before it has done again what an earlier one did.
#[derive(Clone, Default)]
pub struct Clock(Arc<OnceLock<Instant>>);

impl Clock {
    /// It begins now, unless it has begun already.
    #[expect(clippy::disallowed_methods, reason = "the search may take so long and no longer")]
    pub fn start(&self) {
        self.0.get_or_init(Instant::now);
    }
}

/// Ends the search when its clock has run for a while, or when coax uses more memory than it may.
pub fn end_after(stop: &Stop, clock: &Clock, time: Duration, max_memory: u64) {
    let (stop, Clock(begin)) = (stop.clone(), clock.clone());
    thread::spawn(move || {
        loop {
            let left = begin.get().map_or(time, |begin| time.saturating_sub(begin.elapsed()));
            if left.is_zero() {
                return stop.now(StopReason::Time);
            }
            thread::sleep(left.min(EVERY));
            if used_memory().is_some_and(|used| used > max_memory) {
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
fn used_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}
