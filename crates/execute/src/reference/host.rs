//! What a run needs from outside: functions that the program imports, and somebody who may watch.

use super::interpreter::{Interpreter, Stop};
use super::moment::Moment;
use super::store::{Instance, MemoryId};
use super::value::Value;
use crate::path::Concretisation;
use crate::semantics::events::Recorder;
use crate::semantics::window::{self, Bytes};
use coax_program::Func;
use coax_program::entity::Id;
use coax_program::ir::{Block, Body, InstData};
use coax_term::{Term, Terms};

/// The outside world of a run.
pub trait Host {
    /// Calls a function of the host's, by its number.
    fn call(&mut self, number: u32, args: &[Value], context: &mut Context<'_>) -> Result<Vec<Value>, Stop>;

    /// An instruction was executed.
    fn executed(&mut self, _step: &Step<'_>) {}

    /// Whether to be told of each point of a block that the run comes to.
    fn watches(&self, _func: Func, _block: Block) -> bool {
        false
    }

    /// The run has come to a point of such a block, and may end there.
    fn passing(&mut self, _moment: &mut Moment<'_>) -> Result<(), Stop> {
        Ok(())
    }
}

/// An instruction that was executed.
pub struct Step<'a> {
    /// The instance whose code it is.
    pub instance: Instance,
    /// The function.
    pub func: Func,
    /// Its body.
    pub body: &'a Body,
    /// The instruction.
    pub inst: &'a InstData,
    /// Its results.
    pub results: &'a [Value],
    /// The terms of the results.
    pub terms: &'a Terms,
}

/// A world without functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn call(&mut self, _: u32, _: &[Value], context: &mut Context<'_>) -> Result<Vec<Value>, Stop> {
        Err(context.refuse())
    }
}

/// What a function of the host's can do.
pub struct Context<'a> {
    pub(super) interpreter: &'a mut Interpreter,
    /// The memory that the caller exports as `memory`.
    pub(super) memory: Option<MemoryId>,
    /// Whether that is its first, which can hold terms.
    pub(super) is_first: bool,
}

/// The export of the memory that functions of the host's work on.
pub(super) const MEMORY: &str = "memory";

impl Context<'_> {
    /// The interpreter.
    pub fn interpreter(&mut self) -> &mut Interpreter {
        self.interpreter
    }

    /// The value of an argument; that it has this value becomes part of the path.
    ///
    /// # Panics
    /// If the argument is no number.
    pub fn concretise(&mut self, argument: Value) -> u64 {
        self.interpreter.concretise(argument.number(), Concretisation::Import)
    }

    /// The trap of a host that refuses the call.
    pub fn refuse(&self) -> Stop {
        self.interpreter.trap(crate::TrapKind::Host)
    }

    /// The bytes of the memory that the caller exports as `memory`, as they are in this run; empty if there is none.
    pub fn memory(&mut self) -> Vec<u8> {
        self.memory.map_or_else(Vec::new, |memory| self.interpreter.memory(memory))
    }

    /// A byte of the memory that the caller exports as `memory`; none outside of it.
    pub fn byte(&mut self, address: u64) -> Option<Term> {
        self.interpreter.byte(self.memory?, address)
    }

    /// The term of so many bytes of the memory that the caller exports as `memory`; none if it is constant or outside of it.
    pub(crate) fn term(&mut self, address: u64, count: u8) -> Option<Term> {
        let Interpreter { store, terms, .. } = &mut *self.interpreter;
        let memory = &mut store.memories[self.memory?.index()];
        let inside = address.checked_add(count.into()).is_some_and(|end| end <= memory.size());
        let term = inside.then(|| window::read_at(terms, memory, address, count))?;
        terms.as_constant(term).is_none().then_some(term)
    }

    /// Writes a term to the memory that the caller exports as `memory`; false if that cannot hold it.
    pub(crate) fn set_term(&mut self, address: u64, term: Term) -> bool {
        self.is_first && self.set_byte(address, term)
    }

    /// An argument that is no constant, and its number.
    pub(crate) fn symbolic(&mut self, argument: Value) -> Option<(Term, u64)> {
        let Value::Number(term) = argument else { return None };
        let symbolic = self.interpreter.terms.as_constant(term).is_none();
        symbolic.then(|| (term, self.interpreter.value(term)))
    }

    /// Where the events of the call go.
    pub(crate) fn recorder(&mut self) -> Recorder<'_> {
        self.interpreter.recorder()
    }

    /// Writes a byte of the memory that the caller exports as `memory`; false outside of it.
    pub fn set_byte(&mut self, address: u64, byte: Term) -> bool {
        let Some(memory) = self.memory else { return false };
        let memory = &mut self.interpreter.store.memories[memory.index()];
        let inside = address < memory.size();
        if inside {
            memory.set(&self.interpreter.terms, address, byte);
        }
        inside
    }
}
