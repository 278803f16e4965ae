//! Whole programs in both engines: the instrumented module and the reference interpreter must record the same path, print the
//! same and end alike.

use crate::random::compare_events;
use anyhow::{Result, ensure};
use coax_execute::reference::Stop;
use coax_execute::{
    Input, Limits, Outcome, SymbolicModule, Symbols, TrapKind, Value, Variant, reference_run,
};
use coax_program::Program;
use std::sync::Arc;

/// A program that both engines can run.
pub struct Engines<'p> {
    program: &'p Arc<Program>,
    module: SymbolicModule<'p>,
    limits: Limits,
}

impl<'p> Engines<'p> {
    /// A program whose runs may take so many steps: terms grow with each, and so does the time that each takes.
    pub fn new(program: &'p Arc<Program>, steps: u64) -> Result<Self> {
        let limits = Limits { fuel: steps, ..Limits::default() };
        Ok(Engines { program, module: SymbolicModule::new(program, Variant::Light, &limits)?, limits })
    }

    /// Compares a run with parameters and standard input as symbols, as far as both engines come with their steps, and returns
    /// the length of the path. To be called where stacks are large.
    pub fn compare(&self, input: &Input) -> Result<usize> {
        let symbols = Symbols::default();
        let run = self.module.run(input, symbols, &self.limits)?;
        let known = reference_run(self.program, input, symbols, &self.limits, self.limits.fuel)?;
        let is_cut =
            matches!(known.ending, Err(Stop::OutOfSteps | Stop::StackExhausted)) || !run.bounds.is_empty();
        let (mut expected, mut recorded) = (&known.path().events[..], &run.path().events[..]);
        if is_cut {
            let both = expected.len().min(recorded.len());
            (expected, recorded) = (&expected[..both], &recorded[..both]);
        }
        compare_events(expected, known.terms(), recorded, run.terms()).map_err(anyhow::Error::msg)?;
        let length = recorded.len();
        if !is_cut {
            ensure!(
                run.stdout == known.stdout && run.stderr == known.stderr,
                "the engines print different things"
            );
            let outcome = self.module.outcome(run);
            ensure!(
                agree(&known.ending, &outcome),
                "reference: {:?}, instrumented: {outcome:?}",
                known.ending
            );
        }
        Ok(length)
    }
}

/// Whether both engines ended alike.
pub(crate) fn agree(ending: &Result<Vec<Value>, Stop>, outcome: &Outcome) -> bool {
    match (ending, outcome) {
        (Ok(expected), Outcome::Returned(values)) => expected == values,
        (Err(Stop::Exited(expected)), Outcome::Exited(code)) => expected == code,
        (Err(Stop::Discarded), Outcome::Discarded { .. }) => true,
        (Err(Stop::Trap { kind, .. }), Outcome::Trapped(trap)) => *kind == trap.kind,
        // Only who sees the calls knows that a program of Test-Comp's assumes something where it aborts.
        (Err(Stop::Trap { kind: TrapKind::Unreachable, at }), Outcome::Discarded { backtrace, .. }) => {
            backtrace.first().and_then(|frame| frame.offset) == *at
        }
        (Err(Stop::Exception(_)), Outcome::UncaughtException(_)) => true,
        _ => false,
    }
}
