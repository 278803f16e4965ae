//! How one instance ended, in wasmtime's terms, and what that means for the program.
//!
//! An [`Ending`] knows function indices and byte offsets of the module that ran; only the plain
//! module's offsets are those of the program, so only its ending becomes an [`Outcome`]. Endings of the
//! plain and of the counting module are compared by [`Ending::agrees`].

use crate::bounds::EndedAt;
use crate::imports::{Ended, Exit};
use crate::outcome::{Exception, Outcome, TraceFrame, Trap, TrapKind};
use crate::sandbox::State;
use crate::{Bound, Value, Verdict, engine};
use coax_program::debug_info::Frame;
use coax_program::{Func, Program};
use serde::{Deserialize, Serialize};
use wasmtime::{AsContextMut, Store, ThrownException, WasmBacktrace};

/// How one instance ended.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
    Returned(Vec<Value>),
    Exited(u32),
    Trapped {
        kind: TrapKind,
        reason: Option<String>,
        frames: Vec<RawFrame>,
    },
    UncaughtException(Exception),
    /// The program does not want the run to count.
    Discarded {
        reason: String,
        frames: Vec<RawFrame>,
    },
    /// The run met a limit that ends it: fuel, time, stack or terms.
    Bound(Bound, Vec<RawFrame>),
}

/// By how many of its calls a failure is told from others, in short.
const SHORT_FRAMES: usize = 3;

/// How a run ended, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InShort {
    /// By itself.
    Finished,
    /// It does not count.
    Discarded,
    /// It took more than it may.
    Endless,
    /// It went wrong: what and where, the same words for the same failure.
    Failed(String),
}

/// One call of a backtrace, innermost first.
#[derive(Clone, Debug)]
pub(crate) struct RawFrame {
    pub(crate) func: u32,
    pub(crate) offset: Option<u32>,
    /// The same from the start of the function.
    pub(crate) offset_in_function: Option<u32>,
}

impl Ending {
    /// Whether an error is what a program did, rather than what the host could not do. (One that left by a tail call has no frame of wasm's.)
    pub(crate) fn is_of_program(error: &wasmtime::Error) -> bool {
        let is_ours = error.is::<Exit>() || error.is::<EndedAt>() || error.is::<Ended>();
        is_ours
            || error.is::<wasmtime::Trap>()
            || error.is::<WasmBacktrace>()
            || error.is::<ThrownException>()
    }

    /// Reads the error that ended an instance.
    pub(crate) fn from_error(error: &wasmtime::Error, store: &mut Store<State>) -> Ending {
        if let Some(&Exit(code)) = error.downcast_ref::<Exit>() {
            return Ending::Exited(code);
        }
        if error.is::<ThrownException>() {
            return Ending::UncaughtException(pending_exception(store));
        }
        let frames = match error.downcast_ref::<WasmBacktrace>() {
            Some(backtrace) => backtrace.frames().iter().map(RawFrame::new).collect(),
            None => Vec::new(),
        };
        if let Some(&EndedAt(bound)) = error.downcast_ref::<EndedAt>() {
            return Ending::Bound(bound, frames);
        }
        match error.downcast_ref::<Ended>() {
            Some(Ended::Failed { kind, reason }) => {
                return Ending::Trapped { kind: *kind, reason: reason.clone(), frames };
            }
            Some(Ended::Discarded(reason)) => return Ending::Discarded { reason: reason.clone(), frames },
            None => {}
        }
        match error.downcast_ref::<wasmtime::Trap>() {
            Some(wasmtime::Trap::OutOfFuel) => Ending::Bound(Bound::Fuel, frames),
            Some(wasmtime::Trap::Interrupt) => Ending::Bound(Bound::Time, frames),
            Some(wasmtime::Trap::StackOverflow) => Ending::Bound(Bound::Stack, frames),
            Some(&trap) => {
                let kind = trap_kind(trap);
                let reason = (kind == TrapKind::Other).then(|| trap.to_string());
                Ending::Trapped { kind, reason, frames }
            }
            None => {
                let reason = Some(error.root_cause().to_string());
                Ending::Trapped { kind: TrapKind::Host, reason, frames }
            }
        }
    }

    /// Whether another module, run on the same input, ended in the same way in the same functions, or did not come that far.
    pub(crate) fn agrees(&self, other: &Ending) -> bool {
        match (self, other) {
            (Ending::Returned(a), Ending::Returned(b)) => a == b,
            (Ending::Exited(a), Ending::Exited(b)) => a == b,
            (Ending::UncaughtException(a), Ending::UncaughtException(b)) => a == b,
            (
                Ending::Trapped { kind, reason, frames },
                Ending::Trapped { kind: other_kind, reason: other_reason, frames: other_frames },
            ) => kind == other_kind && reason == other_reason && are_same_calls(frames, other_frames),
            (Ending::Discarded { reason, .. }, Ending::Discarded { reason: other, .. }) => reason == other,
            // Where a limit is met differs: the counting module has more to do and larger frames.
            (Ending::Bound(..), _) | (_, Ending::Bound(..)) => true,
            _ => false,
        }
    }

    /// The limit that ended it, if one did.
    pub(crate) fn bound(&self) -> Option<Bound> {
        match self {
            Ending::Bound(bound, _) => Some(*bound),
            _ => None,
        }
    }

    /// How it ended, in a few words.
    pub(crate) fn in_words(&self, program: &Program) -> String {
        let within = |frames: &[RawFrame]| -> String {
            let name = |frame: &RawFrame| {
                program.functions.get(Func(frame.func)).map(|function| format!("`{}`", function.name))
            };
            let names: Vec<String> = frames.iter().take(SHORT_FRAMES).filter_map(name).collect();
            match names.is_empty() {
                true => String::new(),
                false => format!(" in {}, within {} calls", names.join(" of "), frames.len()),
            }
        };
        match self {
            Ending::Returned(values) => Verdict::Returned(values.clone()).to_string(),
            Ending::Exited(code) => Verdict::Exited(*code).to_string(),
            Ending::UncaughtException(_) => Verdict::UncaughtException.to_string(),
            Ending::Discarded { reason, .. } => format!("does not count: {reason}"),
            Ending::Bound(bound, frames) => format!("met the limit of {bound}{}", within(frames)),
            Ending::Trapped { kind, frames, .. } => format!("{}{}", Verdict::Trapped(*kind), within(frames)),
        }
    }

    /// How it ended, in short.
    pub(crate) fn in_short(&self) -> InShort {
        match self {
            Ending::Returned(_) | Ending::Exited(_) => InShort::Finished,
            Ending::Discarded { .. } => InShort::Discarded,
            Ending::UncaughtException(exception) => InShort::Failed(format!("{exception:?}")),
            Ending::Bound(Bound::Stack, _) => InShort::Failed("stack".into()),
            Ending::Bound(..) => InShort::Endless,
            Ending::Trapped { kind, frames, .. } => {
                let places = frames.iter().take(SHORT_FRAMES);
                let places: Vec<_> = places.map(|frame| (frame.func, frame.offset_in_function)).collect();
                InShort::Failed(format!("{kind:?} {places:?}"))
            }
        }
    }

    /// The calls that were active, if that is known.
    pub(crate) fn frames_mut(&mut self) -> Option<&mut Vec<RawFrame>> {
        match self {
            Ending::Trapped { frames, .. } | Ending::Discarded { frames, .. } | Ending::Bound(_, frames) => {
                Some(frames)
            }
            Ending::Returned(_) | Ending::Exited(_) | Ending::UncaughtException(_) => None,
        }
    }

    /// The ending with other functions and offsets, made from functions and offsets in them.
    pub(crate) fn map_frames(mut self, map: impl Fn(u32, Option<u32>) -> (u32, Option<u32>)) -> Ending {
        if let Some(frames) = self.frames_mut() {
            for frame in frames {
                (frame.func, frame.offset) = map(frame.func, frame.offset_in_function);
            }
        }
        self
    }

    /// The ending of a module whose code is so many bytes further behind, as the plain one's.
    pub(crate) fn moved_back(mut self, by: u32) -> Ending {
        if let Some(frames) = self.frames_mut() {
            for frame in frames {
                frame.offset = frame.offset.and_then(|offset| offset.checked_sub(by));
            }
        }
        self
    }

    /// What happened to the program; the ending must be that of the plain module.
    pub(crate) fn into_outcome(self, program: &Program) -> Outcome {
        match self {
            Ending::Returned(values) => Outcome::Returned(values),
            Ending::Exited(code) => Outcome::Exited(code),
            Ending::UncaughtException(exception) => Outcome::UncaughtException(exception),
            Ending::Discarded { reason, frames } => {
                let backtrace = frames.iter().map(|frame| frame.locate(program).0).collect();
                Outcome::Discarded { reason, backtrace }
            }
            Ending::Bound(bound, frames) => {
                let frames = frames.iter().map(|frame| frame.locate(program).0).collect();
                match bound {
                    Bound::Time => Outcome::OutOfTime(frames),
                    Bound::Stack => Outcome::StackExhausted(frames),
                    // Only symbolic runs end for lack of terms: to the program that is a limit on how long it ran.
                    _ => Outcome::OutOfFuel(frames),
                }
            }
            Ending::Trapped { kind: TrapKind::Unreachable, frames, .. }
                if is_assumption(program, &frames) =>
            {
                let backtrace = frames.iter().map(|frame| frame.locate(program).0).collect();
                Outcome::Discarded { reason: "an assumption does not hold".into(), backtrace }
            }
            Ending::Trapped { kind, mut reason, frames } => {
                // A call of the host that failed is a call in the innermost frame, not a trap site.
                let by_host = matches!(kind, TrapKind::Host | TrapKind::Assertion | TrapKind::Abort);
                let innermost = frames.first().filter(|_| !by_host);
                let site =
                    innermost.and_then(|frame| frame.offset).and_then(|offset| program.site_at(offset));
                let mut backtrace = Vec::with_capacity(frames.len());
                for frame in &frames {
                    let (located, sanitizer) = frame.locate(program);
                    reason = reason.or(sanitizer);
                    backtrace.push(located);
                }
                Outcome::Trapped(Trap { kind, reason, site, backtrace })
            }
        }
    }
}

/// Whether these are the same calls, as far as they are kept: of one module's calls may be more than of another's, which has some of its own.
pub(crate) fn are_same_calls(one: &[RawFrame], other: &[RawFrame]) -> bool {
    let most = one.len().max(other.len());
    let is_all = one.len() == other.len() || most >= engine::BACKTRACE_FRAMES.get();
    is_all && one.iter().zip(other).all(|(one, other)| one.func == other.func)
}

/// Whether a program of Test-Comp's gives up because of what it assumes: each has this function of its own, which calls `abort`.
fn is_assumption(program: &Program, frames: &[RawFrame]) -> bool {
    let mut names =
        frames.iter().map(|frame| program.functions.get(Func(frame.func)).map(|function| &function.name[..]));
    names.next() == Some(Some("abort")) && names.next() == Some(Some("assume_abort_if_not"))
}

impl RawFrame {
    pub(crate) fn new(frame: &wasmtime::FrameInfo) -> Self {
        let offset = frame.module_offset().and_then(|offset| u32::try_from(offset).ok());
        let offset_in_function = frame.func_offset().and_then(|offset| u32::try_from(offset).ok());
        RawFrame { func: frame.func_index(), offset, offset_in_function }
    }

    /// The frame in the program's terms, and the reason that a sanitizer left there.
    pub(crate) fn locate(&self, program: &Program) -> (TraceFrame, Option<String>) {
        let mut sources = self.offset.map(|offset| program.frames(offset)).unwrap_or_default();
        let reason = sources.iter().find_map(sanitizer_reason);
        sources.retain(|frame| sanitizer_reason(frame).is_none());
        (TraceFrame { func: Func(self.func), offset: self.offset, sources }, reason)
    }
}

/// The reason of a sanitizer's trap, as far as clang left one.
fn sanitizer_reason(frame: &Frame) -> Option<String> {
    frame.trap_reason().map(|(category, reason)| match reason {
        "" => category.to_string(),
        reason => format!("{category}: {reason}"),
    })
}

fn trap_kind(trap: wasmtime::Trap) -> TrapKind {
    match trap {
        wasmtime::Trap::UnreachableCodeReached => TrapKind::Unreachable,
        wasmtime::Trap::MemoryOutOfBounds => TrapKind::MemoryOutOfBounds,
        wasmtime::Trap::TableOutOfBounds => TrapKind::TableOutOfBounds,
        wasmtime::Trap::IndirectCallToNull => TrapKind::NullIndirectCall,
        wasmtime::Trap::BadSignature => TrapKind::IndirectCallTypeMismatch,
        wasmtime::Trap::IntegerDivisionByZero => TrapKind::IntegerDivideByZero,
        wasmtime::Trap::IntegerOverflow => TrapKind::IntegerOverflow,
        wasmtime::Trap::BadConversionToInteger => TrapKind::InvalidConversion,
        wasmtime::Trap::NullReference => TrapKind::NullReference,
        _ => TrapKind::Other,
    }
}

/// Takes the exception that left the instance.
fn pending_exception(store: &mut Store<State>) -> Exception {
    let mut payload = Vec::new();
    if let Some(exception) = store.as_context_mut().take_pending_exception()
        && let Ok(fields) = exception.fields(&mut *store)
    {
        payload = fields.map(|field| Value::from_wasmtime(&field)).collect();
    }
    Exception { payload }
}
