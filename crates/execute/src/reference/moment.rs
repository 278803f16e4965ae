//! A moment of a run: what values, globals and memory are there, as terms.

use super::frame::body;
use super::interpreter::Interpreter;
use super::value::Value;
use crate::semantics::window;
use coax_program::Func;
use coax_program::entity::Id;
use coax_program::ir::{self, Block};
use coax_term::{Term, Terms};

/// A run that has come to a point of the program.
pub struct Moment<'a> {
    pub(super) interpreter: &'a mut Interpreter,
}

/// What a value is in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A number.
    Number(u64),
    /// A vector or a reference.
    Other,
}

impl Moment<'_> {
    /// The function, the block, and how many of its instructions were executed.
    pub fn place(&self) -> (Func, Block, usize) {
        let frame = self.interpreter.frames.last().expect("a function is running");
        (frame.func, frame.block, frame.next)
    }

    /// What a value of the function is; none if it is not computed yet, or no number.
    pub fn value(&self, value: ir::Value) -> Option<Term> {
        let frame = self.interpreter.frames.last()?;
        number(frame.values[value.index()]?)
    }

    /// What a global is; none if it is no number.
    pub fn global(&self, global: u32) -> Option<Term> {
        let Interpreter { frames, store, .. } = &*self.interpreter;
        let global = *store.instance(frames.last()?.instance).globals.get(global as usize)?;
        number(store.globals[global.index()].value)
    }

    /// What so many bytes (at most 8) of the first memory are at an address, which is 64 bits wide; none if that has too many possible values, or is outside.
    pub fn read(&mut self, address: Term, bytes: u8) -> Option<Term> {
        let Interpreter { frames, store, terms, .. } = &mut *self.interpreter;
        let memory = *store.instance(frames.last()?.instance).memories.first()?;
        let memory = &mut store.memories[memory.index()];
        let places = window::places(terms, memory, address, bytes, window::READS)?;
        Some(match (terms.as_constant(address), &places[..]) {
            (Some(_), &[only]) => window::read_at(terms, memory, only, bytes),
            _ => window::read(terms, memory, address, &places, bytes),
        })
    }

    /// How many events the path has.
    pub fn events(&self) -> usize {
        self.interpreter.path.events.len()
    }

    /// How many operators and terminators were executed.
    pub fn steps(&self) -> u64 {
        self.interpreter.steps()
    }

    /// Whether the run has got anything that is a symbol.
    pub fn has_symbols(&self) -> bool {
        self.interpreter.terms.symbols().next().is_some()
    }

    /// Where the function was called: the caller, and the call's byte in the module; none if that was from outside.
    pub fn called_at(&self) -> Option<(Func, u32)> {
        let caller = self.interpreter.frames.iter().rev().nth(1)?;
        Some((caller.func, caller.inst(body(&caller.module.program, caller.func))?.offset))
    }

    /// The calls under way, the innermost last: the function, the block, how many of its instructions were executed, and what the values are that were computed.
    pub fn frames(&mut self) -> Vec<(Func, Block, usize, Vec<Option<Known>>)> {
        let mut frames = Vec::new();
        for index in 0..self.interpreter.frames.len() {
            let frame = &self.interpreter.frames[index];
            let (func, block, next) = (frame.func, frame.block, frame.next);
            let values = frame.values.clone();
            let mut known = |value: Value| match value {
                Value::Number(term) => Known::Number(self.interpreter.value(term)),
                _ => Known::Other,
            };
            frames.push((func, block, next, values.into_iter().map(|value| value.map(&mut known)).collect()));
        }
        frames
    }

    /// The bytes of the first memory.
    pub fn memory(&mut self) -> Vec<u8> {
        let instance = self.interpreter.frames.last().map(|frame| frame.instance);
        let memory = instance.and_then(|instance| self.interpreter.first_memory(instance));
        memory.map_or_else(Vec::new, |memory| self.interpreter.memory(memory))
    }

    /// What a term is in this run.
    pub fn number(&mut self, term: Term) -> u64 {
        self.interpreter.value(term)
    }

    /// The terms of the run.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.interpreter.terms
    }
}

fn number(value: Value) -> Option<Term> {
    match value {
        Value::Number(term) => Some(term),
        _ => None,
    }
}
