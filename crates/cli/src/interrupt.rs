//! Signals (Ctrl-C, SIGTERM), and the end of the process before its work is done.
//!
//! A signal ends a search, which then says what it has found; before that, or where there is none, it ends coax. A second one ends coax in any case. Whoever ends it
//! takes compilers and solvers along, and what they were writing. One thread has the last word: no other says or writes anything from then on.

use anyhow::{Context, Result};
use coax_search::{Stop, StopReason};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The exit code of a program that was interrupted before it had anything to say.
const INTERRUPTED: i32 = 130;
/// The same of one that ran out of time: nothing was changed.
const NO_TIME: i32 = 2;
/// How long what was found may be written after a signal, before the rest is given up.
const WRITING: Duration = Duration::from_millis(700);

/// What a signal ends.
enum Doing {
    /// Something that nobody waits for; how that is said.
    Preparing(&'static str),
    /// A search.
    Searching(Stop),
    /// A search is over, and what it has found is written.
    Writing,
}

struct State {
    doing: Doing,
    is_signalled: bool,
}

static STATE: Mutex<State> =
    Mutex::new(State { doing: Doing::Preparing("interrupted"), is_signalled: false });
/// Whether somebody has the last word.
static LAST_WORD: AtomicBool = AtomicBool::new(false);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for signals; there can be only one who does.
pub fn listen() -> Result<()> {
    coax_load::take_charge_of_children();
    ctrlc::set_handler(signal).context("cannot wait for signals; start coax where it may handle them")
}

fn signal() {
    let mut state = state();
    let is_first = !std::mem::replace(&mut state.is_signalled, true);
    match &state.doing {
        Doing::Searching(stop) if is_first => stop.now(StopReason::Interrupted),
        Doing::Writing if is_first => {
            thread::spawn(|| {
                thread::sleep(WRITING);
                end(
                    "interrupted while results were written; the report is there if it has begun",
                    INTERRUPTED,
                )
            });
        }
        Doing::Preparing(said) => {
            let said = *said;
            drop(state);
            end(said, INTERRUPTED)
        }
        _ => {
            drop(state);
            end("interrupted twice", INTERRUPTED)
        }
    }
}

/// From now on a signal ends coax, and this is said.
pub fn prepares(said: &'static str) {
    state().doing = Doing::Preparing(said);
}

/// From now on a signal ends this search; one that came before ends it at once.
pub fn searches(stop: &Stop) {
    let mut state = state();
    if state.is_signalled {
        stop.now(StopReason::Interrupted);
    }
    state.doing = Doing::Searching(stop.clone());
}

/// From now on what was found is written.
pub fn writes() {
    state().doing = Doing::Writing;
}

/// Ends coax after a while, unless it searches by then; this is said.
pub fn end_preparing_after(time: Duration, said: String) {
    thread::spawn(move || {
        thread::sleep(time);
        if let Doing::Preparing(_) = state().doing {
            end(&said, NO_TIME);
        }
    });
}

/// Takes the last word, if nobody has it yet: who gets it ends the process.
pub fn takes_last_word() -> bool {
    !LAST_WORD.swap(true, Ordering::SeqCst)
}

/// Waits for the end, which somebody else is about to make.
pub fn wait_for_end() -> ! {
    loop {
        thread::park();
    }
}

/// Says why, and ends coax.
fn end(said: &str, code: i32) {
    if takes_last_word() {
        // Otherwise the leading thread might complain about compilers that were killed.
        // Nobody may read it any more.
        let _ = writeln!(std::io::stderr(), "error: {said}");
        exit(code)
    }
}

/// Ends coax, with all that it has started. The last word must have been taken.
pub fn exit(code: i32) -> ! {
    coax_load::end_children();
    coax_solve::end_solvers();
    std::process::exit(code)
}
