//! The last resort: who asked for ten seconds gets a report after eleven, whatever the search is doing.
//!
//! A search looks at the clock often, but a task of its may take long: one run of a large program, or terms that become larger and larger. Then a thread that waits for
//! nobody writes what was posted last, and ends the process. Either it writes or the leading thread does, never both.

use super::watch::used_memory;
use crate::commands::reach::Aims;
use crate::interrupt;
use anyhow::Result;
use coax_program::{Func, Program};
use coax_search::{Findings, Kept, SoFar, Standing, Stop, StopReason};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope, Thread, park_timeout};
use std::time::{Duration, Instant};

/// How long a search that was told to end may take to do so.
const GRACE: Duration = Duration::from_millis(600);
/// So many times as long a search may take to end that has found all.
const PATIENCE: u32 = 10;
/// How long who reads what is printed may take.
const PRINTING: Duration = Duration::from_millis(200);
/// How often it is looked at clock and memory.
const EVERY: Duration = Duration::from_millis(25);
/// How much more than its cap the memory may become, in hundredths, before the search is cut off at once.
const MORE_MEMORY: u64 = 5;
/// A report is made on a stack like the leading thread's.
const STACK_BYTES: usize = 16 << 20;

/// What a search says of itself while it goes on.
#[derive(Clone, Default)]
pub struct Board(Arc<Mutex<Posted>>);

#[derive(Default)]
struct Posted {
    so_far: SoFar,
    aims: Option<Aims>,
    /// Whether somebody writes what was found.
    is_taken: bool,
}

impl Board {
    fn posted(&self) -> MutexGuard<'_, Posted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn found(&self, test: &Arc<Kept>) {
        self.posted().so_far.found(test);
    }

    pub fn dropped(&self, test: &Arc<Kept>) {
        self.posted().so_far.dropped(test);
    }

    pub fn standing(&self, standing: &Standing<'_>) {
        self.posted().so_far.standing(standing);
    }

    /// What is known of the places that are to be reached.
    pub fn aims(&self, aims: &Aims) {
        self.posted().aims = Some(aims.clone());
    }

    /// Takes it upon the caller to write what was found, unless somebody else does.
    pub fn take(&self) -> bool {
        !std::mem::replace(&mut self.posted().is_taken, true)
    }
}

/// The thread that waits; it ends when this is dropped.
pub struct Watch {
    is_over: Arc<AtomicBool>,
    thread: Thread,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

/// Who says what was found, and with which code the process ends; when all that must be written is written, it calls the function that it is given.
pub type Concludes<'a> = dyn Fn(&Findings, Option<&Aims>, &dyn Fn(u8)) -> Result<u8> + Sync + 'a;

/// What is watched.
pub struct Watched<'a> {
    pub board: &'a Board,
    pub stop: &'a Stop,
    pub max_memory: u64,
    pub program: &'a Program,
    pub in_scope: &'a [bool],
    pub conclude: &'a Concludes<'a>,
}

impl<'a> Watched<'a> {
    /// Begins to watch.
    pub fn watch<'scope>(self, scope: &'scope Scope<'scope, 'a>) -> std::io::Result<Watch> {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let work = move || {
            let mut told = None;
            while !over.load(Ordering::SeqCst) {
                park_timeout(EVERY);
                if self.is_due(&mut told) && self.board.take() {
                    self.resort();
                }
            }
        };
        let thread = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        Ok(Watch { is_over, thread: thread.thread().clone() })
    }

    /// Whether the search does not end, though it was told to so long ago, or takes more and more memory.
    #[expect(clippy::disallowed_methods, reason = "it waits for the clock")]
    fn is_due(&self, told: &mut Option<Instant>) -> bool {
        let most = self.max_memory.saturating_add(self.max_memory / 100 * MORE_MEMORY);
        if used_memory().is_some_and(|used| used > most) {
            self.stop.now(StopReason::Memory);
            return true;
        }
        match self.stop.reason() {
            None | Some(StopReason::Runs) => false,
            // Who has found all that was wanted is about to say so.
            Some(StopReason::Complete) => told.get_or_insert_with(Instant::now).elapsed() >= PATIENCE * GRACE,
            Some(_) => told.get_or_insert_with(Instant::now).elapsed() >= GRACE,
        }
    }

    /// Writes what there is, and ends the process.
    fn resort(&self) -> ! {
        if !interrupt::takes_last_word() {
            interrupt::wait_for_end();
        }
        let reason = self.stop.reason().unwrap_or(StopReason::Interrupted);
        let (so_far, aims) = {
            let posted = self.board.posted();
            (posted.so_far.clone(), posted.aims.clone())
        };
        let is_in_scope = |func: Func| self.in_scope.get(func.0 as usize).copied().unwrap_or(false);
        let mut findings = so_far.into_findings(self.program, &is_in_scope, reason);
        if let Some(aims) = &aims {
            findings.keep(|test| aims.is_reached_by(self.program, test));
        }
        // Whoever reads it may be asleep.
        let is_written = |code: u8| {
            std::thread::spawn(move || {
                std::thread::sleep(PRINTING);
                interrupt::exit(code.into())
            });
        };
        match (self.conclude)(&findings, aims.as_ref(), &is_written) {
            Ok(code) => interrupt::exit(code.into()),
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "error: {error:#}");
                interrupt::exit(crate::TOOL_ERROR.into())
            }
        }
    }
}
