//! How a run ended.
//!
//! [`Outcome`] is the whole story, with places in the program and its source; [`Verdict`] is the part
//! of it that is stored with a test and compared when the test is replayed.

use crate::Value;
use coax_program::debug_info::Frame;
use coax_program::{Func, Program, Site, names};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where the sources of Rust's own library are, as debug information has it.
const RUST_LIBRARY: &str = "/rustc/";

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The entry function returned these values.
    Returned(Vec<Value>),
    /// The program called `exit` with this code.
    Exited(u32),
    /// The program trapped.
    Trapped(Trap),
    /// The program threw an exception that nobody caught.
    UncaughtException(Exception),
    /// The fuel was used up here, innermost call first.
    OutOfFuel(Vec<TraceFrame>),
    /// The time was used up here, innermost call first.
    OutOfTime(Vec<TraceFrame>),
    /// The stack was used up here, innermost call first.
    StackExhausted(Vec<TraceFrame>),
    /// The program does not want this run to count.
    Discarded {
        /// Why.
        reason: String,
        /// The calls that led there, innermost first.
        backtrace: Vec<TraceFrame>,
    },
}

/// A trap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trap {
    /// What kind of trap.
    pub kind: TrapKind,
    /// What is known beyond the kind: the reason that a sanitizer left, or what the host said.
    pub reason: Option<String>,
    /// The site it happened at; none if a call of the host failed or a segment did not fit at instantiation.
    pub site: Option<Site>,
    /// The calls that led there, innermost first.
    pub backtrace: Vec<TraceFrame>,
}

/// An exception that nobody caught.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exception {
    /// What it carries.
    pub payload: Vec<Value>,
}

/// One call of a backtrace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceFrame {
    /// The function.
    pub func: Func,
    /// Byte offset in the module of the operator that trapped or called, if the engine knows it.
    pub offset: Option<u32>,
    /// The places in the source, innermost first; more than one where functions were inlined.
    pub sources: Vec<Frame>,
}

/// The kinds of trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrapKind {
    /// The `unreachable` operator: `abort`, a failed assertion, a panic, a sanitizer.
    Unreachable,
    /// A memory access out of bounds.
    MemoryOutOfBounds,
    /// A table access or indirect call out of bounds.
    TableOutOfBounds,
    /// An indirect call of a null element.
    NullIndirectCall,
    /// An indirect call of a function of another type.
    IndirectCallTypeMismatch,
    /// A division by zero.
    IntegerDivideByZero,
    /// The smallest integer divided by -1, or a float too large for the integer it is converted to.
    IntegerOverflow,
    /// A NaN converted to an integer.
    InvalidConversion,
    /// A null reference where there must be none.
    NullReference,
    /// The program says by its test harness that something it asserts is not true.
    Assertion,
    /// The program says that it has failed.
    Abort,
    /// An access next to address 0, where nothing is: through a null pointer.
    NullDereference,
    /// The program's stack in linear memory is used up.
    StackOverflow,
    /// An access to the heap outside of all blocks.
    HeapBufferOverflow,
    /// An access to a block that was freed.
    UseAfterFree,
    /// A block is freed that was freed before.
    DoubleFree,
    /// Something is freed that is no block.
    InvalidFree,
    /// Nothing points to a block, and it was not freed.
    Leak,
    /// The host refused a call, for example a pointer outside memory was passed to WASI.
    Host,
    /// Any other.
    Other,
}

impl fmt::Display for TrapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TrapKind::Unreachable => "unreachable",
            TrapKind::MemoryOutOfBounds => "memory access out of bounds",
            TrapKind::TableOutOfBounds => "table access out of bounds",
            TrapKind::NullIndirectCall => "indirect call of a null function",
            TrapKind::IndirectCallTypeMismatch => "indirect call of a function of another type",
            TrapKind::IntegerDivideByZero => "integer divide by zero",
            TrapKind::IntegerOverflow => "integer overflow",
            TrapKind::InvalidConversion => "conversion of NaN to an integer",
            TrapKind::NullReference => "null reference",
            TrapKind::Assertion => "an assertion failed",
            TrapKind::Abort => "aborted",
            TrapKind::NullDereference => "null pointer dereference",
            TrapKind::StackOverflow => "stack overflow",
            TrapKind::HeapBufferOverflow => "heap buffer overflow",
            TrapKind::UseAfterFree => "use after free",
            TrapKind::DoubleFree => "double free",
            TrapKind::InvalidFree => "invalid free",
            TrapKind::Leak => "memory leak",
            TrapKind::Host => "the host refused a call",
            TrapKind::Other => "trap",
        })
    }
}

/// How a run ended, in the short form that is stored with a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// See [`Outcome::Returned`].
    Returned(Vec<Value>),
    /// See [`Outcome::Exited`].
    Exited(u32),
    /// See [`Outcome::Trapped`].
    Trapped(TrapKind),
    /// See [`Outcome::UncaughtException`].
    UncaughtException,
    /// See [`Outcome::OutOfFuel`].
    OutOfFuel,
    /// See [`Outcome::OutOfTime`].
    OutOfTime,
    /// See [`Outcome::StackExhausted`].
    StackExhausted,
    /// See [`Outcome::Discarded`].
    Discarded,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Returned(values) if values.is_empty() => f.write_str("returned"),
            Verdict::Returned(values) => {
                let values: Vec<String> = values.iter().map(Value::to_string).collect();
                write!(f, "returned {}", values.join(", "))
            }
            Verdict::Exited(code) => write!(f, "exited with code {code}"),
            Verdict::Trapped(kind) if kind.is_memory_error() => write!(f, "{kind}"),
            Verdict::Trapped(kind) => write!(f, "trapped: {kind}"),
            Verdict::UncaughtException => f.write_str("ended by an exception that nobody caught"),
            Verdict::OutOfFuel => f.write_str("ran out of fuel"),
            Verdict::OutOfTime => f.write_str("ran out of time"),
            Verdict::StackExhausted => f.write_str("exhausted the stack"),
            Verdict::Discarded => f.write_str("does not count"),
        }
    }
}

impl Verdict {
    /// Whether a limit ended the run: what it would have done otherwise nobody knows.
    pub fn is_limit(&self) -> bool {
        matches!(self, Verdict::OutOfFuel | Verdict::OutOfTime | Verdict::StackExhausted)
    }
}

impl TrapKind {
    /// Whether it is an error that only the checking module sees: the plain one goes on.
    pub fn is_memory_error(self) -> bool {
        use TrapKind as T;
        matches!(
            self,
            T::NullDereference
                | T::StackOverflow
                | T::HeapBufferOverflow
                | T::UseAfterFree
                | T::DoubleFree
                | T::InvalidFree
                | T::Leak
        )
    }
}

impl Verdict {
    /// Whether a program that ends like this has failed. A nonzero exit code alone is no failure.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Verdict::Returned(_) | Verdict::Exited(_) | Verdict::Discarded)
    }
}

impl Outcome {
    /// The short form.
    pub fn verdict(&self) -> Verdict {
        match self {
            Outcome::Returned(values) => Verdict::Returned(values.clone()),
            Outcome::Exited(code) => Verdict::Exited(*code),
            Outcome::Trapped(trap) => Verdict::Trapped(trap.kind),
            Outcome::UncaughtException(_) => Verdict::UncaughtException,
            Outcome::OutOfFuel(_) => Verdict::OutOfFuel,
            Outcome::OutOfTime(_) => Verdict::OutOfTime,
            Outcome::StackExhausted(_) => Verdict::StackExhausted,
            Outcome::Discarded { .. } => Verdict::Discarded,
        }
    }

    /// The calls that were active when the run ended, innermost first.
    pub fn backtrace(&self) -> &[TraceFrame] {
        match self {
            Outcome::Trapped(trap) => &trap.backtrace,
            Outcome::OutOfFuel(frames) | Outcome::OutOfTime(frames) | Outcome::StackExhausted(frames) => {
                frames
            }
            Outcome::Discarded { backtrace, .. } => backtrace,
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::UncaughtException(_) => &[],
        }
    }

    /// The call to look at first when a run has failed: the innermost that is the user's own, as this says, else the innermost of all. A function
    /// that was called when the stack was used up has not begun, so nothing in it is a place: the call is.
    pub fn blamed(&self, program: &Program, is_own: impl Fn(&TraceFrame) -> bool) -> Option<&TraceFrame> {
        let culprits = self.culprits(program);
        let begun = || culprits.iter().filter(|frame| frame.offset.is_some());
        let own = begun().find(|frame| is_own(frame)).or(culprits.iter().find(|frame| is_own(frame)));
        own.or(begun().next()).or(culprits.first())
    }

    /// The calls that were active without those at the beginning that only end the program, as `abort` and a panic's do, and those of Rust's library that
    /// called them: whoever called these is to blame.
    fn culprits(&self, program: &Program) -> &[TraceFrame] {
        let backtrace = self.backtrace();
        let ends = |frame: &TraceFrame| names::ends_program(&program.functions[frame.func].name);
        let is_of_library = |frame: &&TraceFrame| {
            let file = frame.sources.last().and_then(|source| source.file.as_deref());
            file.is_some_and(|file| file.starts_with(RUST_LIBRARY))
        };
        let first = match backtrace.iter().rposition(ends) {
            Some(last) => last + 1 + backtrace[last + 1..].iter().take_while(is_of_library).count(),
            None => 0,
        };
        match &backtrace[first..] {
            [] => backtrace,
            culprits => culprits,
        }
    }
}
