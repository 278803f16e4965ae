//! What every run does before it is given the first of its input: always the same, so one run shows it.
//!
//! A program that looks at its arguments first and then reads its standard input has done with the arguments by then: what it did not do with them, it never does.
//! Facts are followed from there, and what was done before is added to them. They hold as long as all that the program is given beside symbols stays the same:
//! arguments, other files, the clock. The first symbol ends the past.

use super::numbers::Numbers;
use coax_execute::reference::{Known, Moment};
use coax_execute::{Entry, Input, Limits, Symbols, Witness, witnessed_run};
use coax_program::ir::{Block, Body, Op, Value};
use coax_program::{Func, Program};
use coax_term::Terms;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A past that is longer is not looked at.
const STEPS: u64 = 3_000_000;

/// What every run has done, and where it is, before it is given anything that may be otherwise in another run.
pub struct Past {
    /// What was executed of each function, and what its values were.
    pub(super) functions: BTreeMap<Func, Done>,
    /// The functions that calls have reached, by the caller and the call's byte in the module.
    pub(super) reached: BTreeMap<(Func, u32), BTreeSet<Func>>,
    /// The calls under way, the entry's first; the last is about to call the host.
    pub(super) frames: Vec<UnderWay>,
    pub(super) globals: Vec<Option<u64>>,
    pub(super) memory: Vec<u8>,
}

/// What was executed of a function.
pub(super) struct Done {
    /// What each value was.
    pub(super) values: Vec<Numbers>,
    /// How many instructions of each block were executed, and one more if its end was come to.
    pub(super) passed: Vec<Option<usize>>,
}

/// A call under way.
pub(super) struct UnderWay {
    pub(super) func: Func,
    /// Where it is: before the call that it waits for.
    pub(super) block: Block,
    pub(super) before: usize,
    /// What its values are; none of what is not computed yet.
    pub(super) values: Vec<Numbers>,
}

impl Past {
    /// The past of runs of a program, as one on this input shows it; none if inputs differ from the beginning, or not in so many steps.
    pub fn of(
        program: &Arc<Program>,
        input: &Input,
        symbols: Symbols,
        limits: &Limits,
        until: &Arc<AtomicBool>,
    ) -> Option<Past> {
        // Parameters may be symbols, or become some.
        let entry = Entry::find(program, input.entry.as_deref()).ok().filter(|_| input.params.is_empty())?;
        let limit = (STEPS, until);
        let mut first = FirstSymbol::default();
        witnessed_run(program, input, symbols, limits, limit, &mut first).ok()?;
        let end = first.before.filter(|_| first.is_found)?;
        let mut recorder = Recorder::new(program, end);
        witnessed_run(program, input, symbols, limits, limit, &mut recorder).ok()?;
        recorder.past.filter(|past| past.is_in(program, entry.func))
    }

    /// Whether it ends in a call of this function, where the host is called by its name: what comes after what is called before the entry is not known here.
    fn is_in(&self, program: &Program, entry: Func) -> bool {
        let (Some(outermost), Some(innermost)) = (self.frames.first(), self.frames.last()) else {
            return false;
        };
        let Some(defined) = program.functions[innermost.func].defined() else { return false };
        let inst = defined.body.blocks[innermost.block].insts().nth(innermost.before);
        let is_host = |func: u32| program.functions[Func(func)].defined().is_none();
        let calls_host = inst.is_some_and(|inst| match defined.body.insts[inst].op {
            Op::Call { function_index } => is_host(function_index),
            _ => false,
        });
        outermost.func == entry && calls_host
    }
}

/// Looks for the step that brings the first symbol.
#[derive(Default)]
struct FirstSymbol {
    /// How many steps were made when it was not there yet.
    before: Option<u64>,
    is_found: bool,
}

impl Witness for FirstSymbol {
    fn begin(&mut self, _terms: &mut Terms) {}

    fn watches(&self, _func: Func, _block: Block) -> bool {
        true
    }

    fn passing(&mut self, moment: &mut Moment<'_>) -> bool {
        self.is_found = moment.has_symbols();
        if !self.is_found {
            self.before = Some(moment.steps());
        }
        !self.is_found
    }
}

/// Records what a run does in its first steps.
struct Recorder<'p> {
    program: &'p Program,
    end: u64,
    functions: BTreeMap<Func, Done>,
    reached: BTreeMap<(Func, u32), BTreeSet<Func>>,
    past: Option<Past>,
}

impl<'p> Recorder<'p> {
    fn new(program: &'p Program, end: u64) -> Self {
        Recorder { program, end, functions: BTreeMap::new(), reached: BTreeMap::new(), past: None }
    }

    fn end(&mut self, moment: &mut Moment<'_>) {
        let frames = moment.frames().into_iter().map(|(func, block, before, values)| {
            let of_value = |value: Option<Known>| match value {
                Some(Known::Number(bits)) => Numbers::one(bits),
                Some(Known::Other) => Numbers::all(64),
                None => Numbers::None,
            };
            UnderWay { func, block, before, values: values.into_iter().map(of_value).collect() }
        });
        let frames = frames.collect();
        let mut global = |index: usize| {
            let term = moment.global(index as u32)?;
            Some(moment.number(term))
        };
        let globals = (0..self.program.globals.len()).map(&mut global).collect();
        self.past = Some(Past {
            functions: std::mem::take(&mut self.functions),
            reached: std::mem::take(&mut self.reached),
            frames,
            globals,
            memory: moment.memory(),
        });
    }
}

impl Witness for Recorder<'_> {
    fn begin(&mut self, _terms: &mut Terms) {}

    fn watches(&self, _func: Func, _block: Block) -> bool {
        true
    }

    fn passing(&mut self, moment: &mut Moment<'_>) -> bool {
        let (func, block, before) = moment.place();
        let Some(defined) = self.program.functions[func].defined() else { return false };
        let body = &defined.body;
        let data = &body.blocks[block];
        if block == Body::ENTRY
            && before == 0
            && let Some(place) = moment.called_at()
        {
            self.reached.entry(place).or_default().insert(func);
        }
        let done = self.functions.entry(func).or_insert_with(|| Done {
            values: vec![Numbers::None; body.values.len()],
            passed: vec![None; body.blocks.len()],
        });
        let insts = data.insts().len();
        let passed = if before == insts { insts + 1 } else { before };
        done.passed[block.0 as usize] = done.passed[block.0 as usize].max(Some(passed));
        let new: &[Value] = match before.checked_sub(1) {
            None => body.list(data.params),
            Some(last) => {
                let inst = data.insts().nth(last).expect("it was executed");
                body.list(body.insts[inst].results)
            }
        };
        for &value in new {
            let numbers = match moment.value(value) {
                Some(term) => Numbers::one(moment.number(term)),
                None => Numbers::all(64),
            };
            done.values[value.0 as usize].add(&numbers);
        }
        let is_over = moment.steps() >= self.end;
        if is_over {
            self.end(moment);
        }
        !is_over
    }
}
