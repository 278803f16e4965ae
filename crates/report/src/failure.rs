//! What kind of failure a run shows, and in which words.
//!
//! A panic, a failed assertion and `abort` are all the same to wasm: `unreachable`. The functions that led there tell them apart, and where
//! these have no names or were inlined, what the program wrote. The outcome that tests expect stays what wasm did.

use crate::last_words::{Form, LastWords, one_line};
use coax_execute::{Outcome, TrapKind, Verdict};
use coax_program::{Program, names};

/// What is known of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The kind as one word: `panic`.
    pub kind: &'static str,
    /// The kind in the name of a test: `Panic`.
    pub name: String,
    /// The kind as people read it: `assertion failed`.
    pub title: String,
    /// What is known beyond the kind, on one line: the program's own words, a sanitizer's or the host's.
    pub message: Option<String>,
    /// The same without what is said elsewhere.
    pub gist: Option<String>,
}

/// How a program gives up on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GaveUp {
    Panic,
    Assertion,
    Abort,
}

impl GaveUp {
    fn kind(self) -> &'static str {
        match self {
            GaveUp::Panic => "panic",
            GaveUp::Assertion => "assertion",
            GaveUp::Abort => "abort",
        }
    }

    fn title(self) -> &'static str {
        match self {
            GaveUp::Panic => "panic",
            GaveUp::Assertion => "assertion failed",
            GaveUp::Abort => "abort",
        }
    }
}

impl Description {
    /// Describes a run that failed.
    pub fn of(program: &Program, outcome: &Outcome, stderr: &[u8]) -> Description {
        let verdict = outcome.verdict();
        let Outcome::Trapped(trap) = outcome else {
            let title = verdict.to_string();
            return Description {
                kind: kind(&verdict),
                name: title.clone(),
                title,
                message: None,
                gist: None,
            };
        };
        let reason = trap.reason.as_deref().map(|reason| one_line([reason].into_iter()));
        let known = LastWords::known(stderr);
        let gave_up = match trap.kind {
            TrapKind::Assertion => Some(GaveUp::Assertion),
            TrapKind::Abort => Some(GaveUp::Abort),
            TrapKind::Unreachable if reason.is_none() => {
                by_functions(program, outcome).or_else(|| Some(by_form(known.as_ref()?.form)))
            }
            _ => None,
        };
        let words = match gave_up {
            _ if reason.is_some() || trap.kind != TrapKind::Unreachable => None,
            Some(GaveUp::Abort) => LastWords::any(stderr),
            Some(_) => known,
            None => None,
        };
        let (message, gist) = words.map(|words| (words.message, words.gist)).unzip();
        let (message, gist) = (message.or_else(|| reason.clone()), gist.or(reason));
        match gave_up {
            Some(how) => {
                let name = format!("{how:?}");
                Description { kind: how.kind(), name, title: how.title().into(), message, gist }
            }
            None => {
                let (kind, name) = (kind(&verdict), format!("{:?}", trap.kind));
                Description { kind, name, title: verdict.to_string(), message, gist }
            }
        }
    }
}

/// What the functions that led to a trap are there for. A panic and a failed assertion end in `abort`, too.
fn by_functions(program: &Program, outcome: &Outcome) -> Option<GaveUp> {
    let called = || outcome.backtrace().iter().map(|frame| &*program.functions[frame.func].name);
    if called().any(names::is_of_panic) {
        Some(GaveUp::Panic)
    } else if called().any(names::is_of_assert) {
        Some(GaveUp::Assertion)
    } else {
        called().any(|name| name == "abort").then_some(GaveUp::Abort)
    }
}

/// How a program with functions that have no names, or were inlined, gave up, by what it wrote.
fn by_form(form: Form) -> GaveUp {
    match form {
        Form::Panic => GaveUp::Panic,
        Form::Assertion => GaveUp::Assertion,
        Form::Other => GaveUp::Abort,
    }
}

/// What kind of failure a verdict is, as one word.
fn kind(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Trapped(kind) => match kind {
            TrapKind::Unreachable => "unreachable",
            TrapKind::MemoryOutOfBounds => "memory-out-of-bounds",
            TrapKind::TableOutOfBounds => "table-out-of-bounds",
            TrapKind::NullIndirectCall => "null-indirect-call",
            TrapKind::IndirectCallTypeMismatch => "indirect-call-type-mismatch",
            TrapKind::IntegerDivideByZero => "integer-divide-by-zero",
            TrapKind::IntegerOverflow => "integer-overflow",
            TrapKind::InvalidConversion => "invalid-conversion",
            TrapKind::NullReference => "null-reference",
            TrapKind::Assertion => "assertion",
            TrapKind::Abort => "abort",
            TrapKind::NullDereference => "null-dereference",
            TrapKind::StackOverflow => "stack-overflow",
            TrapKind::HeapBufferOverflow => "heap-buffer-overflow",
            TrapKind::UseAfterFree => "use-after-free",
            TrapKind::DoubleFree => "double-free",
            TrapKind::InvalidFree => "invalid-free",
            TrapKind::Leak => "leak",
            TrapKind::Host => "host",
            TrapKind::Other => "other",
        },
        Verdict::UncaughtException => "uncaught-exception",
        Verdict::OutOfFuel | Verdict::OutOfTime => "hang",
        Verdict::StackExhausted => "stack-exhausted",
        Verdict::Returned(_) | Verdict::Exited(_) | Verdict::Discarded => "none",
    }
}
