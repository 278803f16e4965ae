//! The steps of a run, for `coax replay --trace`: what was executed in the user's own code, with the values.

use crate::args::{Target, note};
use anyhow::Result;
use coax_execute::reference::{self, Stop};
use coax_execute::{Executed, Input, Limits, Outcome, ReferenceRun, Run, Value};
use coax_program::entity::Id;
use coax_program::ir::{InstData, Op};
use coax_program::text::location;
use coax_program::{Func, Program};
use std::collections::VecDeque;

/// The last steps of a run.
pub(super) struct Trace {
    /// In the order of execution.
    pub(super) steps: VecDeque<Line>,
    /// How many more there were before these.
    pub(super) earlier: u64,
    /// How many there were in code that is not the user's.
    pub(super) elsewhere: u64,
}

/// One instruction.
pub(super) struct Line {
    pub(super) func: Func,
    inst: InstData,
    pub(super) results: Vec<Value>,
}

impl Trace {
    /// Runs a test once more, step by step, and keeps so many lines of it.
    pub(super) fn new(
        target: &Target,
        input: &Input,
        limits: &Limits,
        lines: usize,
        run: &Run,
    ) -> Result<Trace> {
        let mut trace = Trace { steps: VecDeque::new(), earlier: 0, elsewhere: 0 };
        let own: Vec<bool> = target.program.functions.ids().map(|func| target.in_scope(func)).collect();
        let steps = reference::Limits::default().steps;
        let traced = coax_execute::trace(&target.program, input, limits, steps, &mut |step| match own
            [step.func.index()]
        {
            true => trace.add(lines, step),
            false => trace.elsewhere += 1,
        })?;
        match traced.ending {
            Err(Stop::OutOfSteps) => {
                note(format_args!("the trace ends after {steps} steps; the run went on"))
            }
            _ if is_memory_error(run) => {
                note("the trace is of the program without checks, which goes on after the memory error")
            }
            _ if !agree(&traced, run) => note(
                "the run that was traced did not end like the plain one; this is an error of coax, please report it",
            ),
            _ => {}
        }
        Ok(trace)
    }

    fn add(&mut self, lines: usize, step: &Executed<'_>) {
        if is_constant(&step.inst.op) {
            return;
        }
        if self.steps.len() == lines {
            self.steps.pop_front();
            self.earlier += 1;
        }
        if lines > 0 {
            let Executed { func, inst, ref results, .. } = *step;
            self.steps.push_back(Line { func, inst: inst.clone(), results: results.clone() });
        }
    }
}

/// Constants are seen where they are used.
fn is_constant(op: &Op) -> bool {
    matches!(
        op,
        Op::I32Const { .. }
            | Op::I64Const { .. }
            | Op::F32Const { .. }
            | Op::F64Const { .. }
            | Op::V128Const { .. }
    )
}

/// Whether only the checks ended the run.
fn is_memory_error(run: &Run) -> bool {
    run.outcome.verdict() != run.plain
}

/// Whether both runs ended in the same way; where limits end them may differ.
fn agree(traced: &ReferenceRun, run: &Run) -> bool {
    match (&traced.ending, &run.outcome) {
        (Ok(results), Outcome::Returned(values)) => results == values,
        (Err(Stop::Exited(code)), Outcome::Exited(plain)) => code == plain,
        (Err(Stop::Discarded), Outcome::Discarded { .. }) => true,
        (Err(Stop::Trap { kind, .. }), Outcome::Trapped(trap)) => *kind == trap.kind,
        (Err(Stop::Exception(_)), Outcome::UncaughtException(_)) => true,
        (Err(Stop::StackExhausted), _) => true,
        (_, Outcome::OutOfFuel(_) | Outcome::OutOfTime(_) | Outcome::StackExhausted(_)) => true,
        _ => false,
    }
}

impl Line {
    /// The place in the source, or in the module.
    pub(super) fn place(&self, program: &Program) -> String {
        let offset = self.inst.offset;
        match &program.frames(offset)[..] {
            [] => format!("offset {offset:#x}"),
            frames => location(frames).to_string(),
        }
    }

    /// The instruction, as in `coax dump ir`.
    pub(super) fn instruction(&self, program: &Program) -> String {
        let body = program.functions[self.func].defined().map(|defined| &defined.body);
        body.map_or_else(String::new, |body| program.instruction_text(self.func, body, &self.inst))
    }
}
