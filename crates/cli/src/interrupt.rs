//! Signals (Ctrl-C, SIGTERM), and the end of the process before its work is done.
//!
//! A signal ends a search, which then says what it has found; before that, or where there is none, it ends coax. A second one ends coax in any case. Whoever ends it
//! takes compilers and solvers along, and what they were writing. One thread has the last word: no other says or writes anything from then on.
//!
//! Where no search looks at clock and memory, a thread does ([`watch`]): before a search, nothing is half-written yet, so that coax can simply end; behind it, tests and
//! report are there, and only formats of other tools may be missing.

use crate::commands::cover::watch::used_memory;
use anyhow::{Context, Result};
use coax_search::{Stop, StopReason};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The exit code of a program that was interrupted before it had anything to say.
const INTERRUPTED: i32 = 130;
/// The same of one that ran out of time or memory: nothing was changed.
const TOO_LITTLE: i32 = 2;
/// How long what was found may be written after a signal, before the rest is given up.
const WRITING: Duration = Duration::from_millis(700);
/// How long after a signal that ended the search formats of other tools may be written.
const EMITTING: Duration = Duration::from_millis(900);
/// How often it is looked at clock and memory.
const EVERY: Duration = Duration::from_millis(25);
const HALF_EMITTED: &str = "formats of other tools (`--emit`) are not all written";

/// What a signal ends.
enum Doing {
    /// Something that nobody waits for; how that is said.
    Preparing(&'static str),
    /// A search.
    Searching(Stop),
    /// A search is over, and what it has found is written.
    Writing,
    /// All is there but formats of other tools; what coax ends with.
    Emitting(u8),
}

struct State {
    doing: Doing,
    /// When the first signal came.
    signalled: Option<Instant>,
}

static STATE: Mutex<State> = Mutex::new(State { doing: Doing::Preparing("interrupted"), signalled: None });
/// What is said in any case.
static LAST_WORDS: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);
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

#[expect(clippy::disallowed_methods, reason = "what is written after a signal has an end")]
fn signal() {
    let mut state = state();
    let is_first = state.signalled.is_none();
    state.signalled.get_or_insert_with(Instant::now);
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
        Doing::Emitting(code) => {
            let code = *code;
            drop(state);
            end(&format!("interrupted; {HALF_EMITTED}"), code.into())
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
    if state.signalled.is_some() {
        stop.now(StopReason::Interrupted);
    }
    state.doing = Doing::Searching(stop.clone());
}

/// From now on what was found is written.
pub fn writes() {
    state().doing = Doing::Writing;
}

/// From now on tests and report are there, and formats of other tools are written; coax will end with this.
pub fn emits(code: u8) {
    state().doing = Doing::Emitting(code);
}

/// Does what must not be left half done: who wants to end coax waits for it.
pub fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let _state = state();
    work()
}

/// What all searches of a command may use together.
#[derive(Clone, Copy)]
pub struct Most {
    /// When all must be over.
    pub end: Option<Instant>,
    /// How much memory coax may have.
    pub memory: u64,
}

/// Looks at clock and memory for those who do not: what is prepared, and what is emitted. There is one of it for all searches of a command.
pub fn watch(most: Most) {
    // What is too little for anything is told at once, on any machine.
    look(most);
    thread::spawn(move || {
        loop {
            look(most);
            thread::sleep(EVERY);
        }
    });
}

#[expect(clippy::disallowed_methods, reason = "it looks at the clock")]
fn look(most: Most) {
    let now = Instant::now();
    let is_late = most.end.is_some_and(|end| now >= end);
    let state = state();
    let (said, code) = match &state.doing {
        Doing::Preparing(_) if is_late => (
            "the time was over before the search began, nothing was written; give more (`--total-time`)"
                .to_owned(),
            TOO_LITTLE,
        ),
        Doing::Preparing(_) if used_memory().is_some_and(|used| used > most.memory) => (
            "the memory was used up before the search began, nothing was written; give more (`--max-memory`)"
                .to_owned(),
            TOO_LITTLE,
        ),
        Doing::Emitting(code) if is_late => (format!("the time is over; {HALF_EMITTED}"), (*code).into()),
        Doing::Emitting(code) if state.signalled.is_some_and(|at| now >= at + EMITTING) => {
            (format!("interrupted; {HALF_EMITTED}"), (*code).into())
        }
        _ => return,
    };
    drop(state);
    end(&said, code);
}

/// This is said before coax ends, whoever ends it early.
pub fn will_say(last_words: impl FnOnce() + Send + 'static) {
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(last_words));
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
    let last_words = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(last_words) = last_words {
        last_words();
    }
    std::process::exit(code)
}
