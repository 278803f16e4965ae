//! Where a user should look first when a run has failed, and why it did.

use crate::args::Target;
use coax_execute::{Outcome, TraceFrame, TrapKind};
use coax_program::Program;
use coax_program::debug_info::Frame;
use coax_report::LastWords;
use std::borrow::Cow;

/// The place where a user should look first.
pub struct Blamed<'a> {
    /// The call.
    pub frame: &'a TraceFrame,
    /// The place in the source: perhaps of a function that was inlined into that of the frame.
    pub source: Option<Frame>,
}

impl<'a> Blamed<'a> {
    /// The innermost place in the user's own code, else the innermost of all.
    pub fn of(outcome: &'a Outcome, target: &Target) -> Option<Blamed<'a>> {
        let frame = outcome.blamed(&target.program, |frame| target.is_own(frame))?;
        let own = frame.offset.and_then(|offset| target.place_in_scope(offset));
        Some(Blamed { frame, source: own.or_else(|| frame.sources.first().cloned()) })
    }

    /// The place in words.
    pub fn place(&self, program: &Program) -> String {
        match &self.source {
            Some(source) => format!("{source} in {}", function_name(program, self.frame, source)),
            None => places(program, self.frame).remove(0),
        }
    }
}

/// What is known of a trap beyond its kind: by a sanitizer, the host or the program's own words.
pub fn reason<'a>(outcome: &'a Outcome, stderr: &[u8]) -> Option<Cow<'a, str>> {
    let trap = match outcome {
        Outcome::Trapped(trap) => trap,
        Outcome::Discarded { reason, .. } => return Some(reason.into()),
        _ => return None,
    };
    match &trap.reason {
        Some(reason) => Some(reason.into()),
        None if trap.kind == TrapKind::Unreachable => {
            LastWords::known(stderr).map(|words| words.short().into())
        }
        None => None,
    }
}

/// The function that a place of a call belongs to.
pub fn function_name<'a>(program: &'a Program, frame: &TraceFrame, source: &'a Frame) -> &'a str {
    let name = &program.functions[frame.func].name;
    let inlined = frame.sources.last().is_some_and(|outermost| outermost != source);
    source.function.as_deref().filter(|_| inlined).unwrap_or(name)
}

/// The places of a call, at least one, innermost first: the last is the function itself, those before were inlined into it.
pub fn places(program: &Program, frame: &TraceFrame) -> Vec<String> {
    let function = &program.functions[frame.func].name;
    match (&frame.sources[..], frame.offset) {
        ([], Some(offset)) => vec![format!("offset {offset:#x} in {function}")],
        ([], None) => match program.declared_at(frame.func) {
            Some(declared) => vec![format!("{declared} in {function}")],
            None => vec![function.clone()],
        },
        ([inlined @ .., outermost], _) => {
            let inlined = inlined
                .iter()
                .map(|source| format!("{source} in {} (inlined)", function_name(program, frame, source)));
            inlined.chain([format!("{outermost} in {function}")]).collect()
        }
    }
}
