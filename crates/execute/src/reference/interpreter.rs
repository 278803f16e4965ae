//! The interpreter's state, its limits, and how terms get their values.

use super::frame::Frame;
use super::host::Host;
use super::linear::Memory;
use super::store::{
    self, ExnId, FuncId, Function, Global, GlobalId, HostFunction, Instance, Item, MemoryId, Store, Table,
};
use super::value::Value;
use crate::TrapKind;
use crate::path::{Concretisation, Path};
use crate::semantics::events::Recorder;
use crate::semantics::window::Bytes;
use coax_program::entity::Id;
use coax_program::{Func, Signature};
use coax_term::{Evaluator, Model, Term, Terms};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Somebody may want a run to end: it looks every so many steps.
const STEPS_BETWEEN_LOOKS: u64 = 4096;

/// How much a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operators and terminators that are executed. Default: 20 million.
    pub steps: u64,
    /// Calls within each other. Default: 20 thousand.
    pub depth: usize,
    /// Values of all frames together. Default: 4 million.
    pub frame_values: usize,
    /// Bytes of a memory; `memory.grow` past it fails. Default: 4 GiB.
    pub memory_bytes: u64,
    /// Elements of a table; `table.grow` past it fails. Default: 10 million.
    pub table_elements: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 20_000_000,
            depth: 20_000,
            frame_values: 4_000_000,
            memory_bytes: 1 << 32,
            table_elements: 10_000_000,
        }
    }
}

/// Why a call did not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It trapped.
    Trap {
        /// For this reason.
        kind: TrapKind,
        /// Byte offset of the operator in the module; none if a segment did not fit at instantiation.
        at: Option<u32>,
    },
    /// It threw an exception that nobody caught.
    Exception(ExnId),
    /// The steps were used up.
    OutOfSteps,
    /// The calls went too deep.
    StackExhausted,
    /// The host ended the run with this exit code.
    Exited(u32),
    /// The program does not want the run to count.
    Discarded,
}

/// The reference interpreter: a store of instances, one arena of terms, one input.
#[derive(Debug, Default)]
pub struct Interpreter {
    pub(super) store: Store,
    pub(super) terms: Terms,
    pub(super) path: Path,
    pub(super) limits: Limits,
    pub(super) frames: Vec<Frame>,
    /// Values of all frames.
    pub(super) frame_values: usize,
    /// Byte offset of the operator that is executed.
    pub(super) at: u32,
    model: Model,
    evaluator: Evaluator,
    steps: u64,
    /// Ends the run when it is set.
    until: Option<Arc<AtomicBool>>,
}

impl Interpreter {
    /// An interpreter with nothing in its store.
    pub fn new(limits: Limits) -> Self {
        Interpreter { limits, ..Interpreter::default() }
    }

    /// Runs end as if their steps were used up when this is set.
    pub fn end_with(&mut self, until: Arc<AtomicBool>) {
        self.until = Some(until);
    }

    /// A symbol, and its value in this run.
    pub fn input(&mut self, name: &str, width: u8, value: u64) -> Term {
        let term = self.terms.symbol(name, width);
        let symbol = self.terms.find_symbol(name).expect("just made");
        if self.model.given(symbol) != Some(value) {
            // What was evaluated before may depend on it.
            self.evaluator.reset();
            self.model.set(symbol, value);
        }
        term
    }

    /// The terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The terms, what was decided, and the input.
    pub fn into_parts(self) -> (Terms, Path, Model) {
        (self.terms, self.path, self.model)
    }

    /// The terms, to make more of them.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// The input.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What was decided because of the input, by all calls so far.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many operators and terminators were executed by all calls so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The value of a term on this run's input.
    pub fn value(&mut self, term: Term) -> u64 {
        match self.terms.as_constant(term) {
            Some(bits) => bits,
            None => self.evaluator.eval(&self.terms, &self.model, term),
        }
    }

    /// Calls a function with as many arguments as it has parameters, of their types.
    ///
    /// # Panics
    /// If the arguments are others.
    pub fn call(
        &mut self,
        function: FuncId,
        args: &[Value],
        host: &mut dyn Host,
    ) -> Result<Vec<Value>, Stop> {
        let params = &self.store.signature(function).params;
        let fit = params.iter().zip(args).all(|(&ty, arg)| arg.fits(&self.terms, ty));
        assert!(fit && params.len() == args.len(), "the arguments of a call fit its parameters");
        let base = self.frames.len();
        // No code of the program's has called the function.
        self.at = 0;
        let result = self.run(function, args, base, host);
        while self.frames.len() > base {
            self.pop_frame();
        }
        result
    }

    /// A function of an instance.
    pub fn function(&self, instance: Instance, func: Func) -> FuncId {
        self.store.instance(instance).functions[func.index()]
    }

    /// What an instance exports under a name.
    pub fn export(&self, instance: Instance, name: &str) -> Option<Item> {
        self.store.instance(instance).export(name)
    }

    /// Everything an instance exports.
    pub fn exports(&self, instance: Instance) -> Vec<(String, Item)> {
        let data = self.store.instance(instance);
        let names = data.module.program.exports.iter().map(|export| &export.name);
        names.filter_map(|name| Some((name.clone(), data.export(name)?))).collect()
    }

    /// The type of a function.
    pub fn signature(&self, function: FuncId) -> &Signature {
        self.store.signature(function)
    }

    /// The type and the value of a global.
    pub fn global(&self, global: GlobalId) -> (wasmparser::ValType, Value) {
        let global = &self.store.globals[global.index()];
        (global.ty.content_type, global.value)
    }

    /// The first memory of an instance.
    pub fn first_memory(&self, instance: Instance) -> Option<MemoryId> {
        self.store.instance(instance).memories.first().copied()
    }

    /// How many bytes a memory has.
    pub fn memory_bytes(&self, memory: MemoryId) -> u64 {
        self.store.memories[memory.index()].size()
    }

    /// Adds pages to a memory; whether that is allowed.
    pub fn add_pages(&mut self, memory: MemoryId, pages: u64) -> bool {
        self.store.memories[memory.index()].grow(pages, self.limits.memory_bytes).is_some()
    }

    /// Writes a value of whole bytes; nothing happens outside of the memory.
    pub fn store_term(&mut self, memory: MemoryId, address: u64, value: Term) {
        let memory = &mut self.store.memories[memory.index()];
        let end = address.checked_add(u64::from(self.terms.width_of(value) / 8));
        if end.is_some_and(|end| end <= memory.size()) {
            memory.store(&mut self.terms, address, value);
        }
    }

    /// The byte of a memory at an address, as a term; none outside of it.
    pub fn byte(&mut self, memory: MemoryId, address: u64) -> Option<Term> {
        let memory = &mut self.store.memories[memory.index()];
        (address < memory.size()).then(|| memory.byte(&mut self.terms, address))
    }

    /// The bytes of a memory, as they are in this run.
    pub fn memory(&mut self, memory: MemoryId) -> Vec<u8> {
        let mut bytes = self.store.memories[memory.index()].plain_bytes();
        for (address, term) in self.symbolic_bytes(memory) {
            bytes[address as usize] = self.value(term) as u8;
        }
        bytes
    }

    /// The bytes of a memory that are terms, by address.
    pub fn symbolic_bytes(&self, memory: MemoryId) -> Vec<(u64, Term)> {
        self.store.memories[memory.index()].symbolic_bytes()
    }

    /// Adds a function of the host's.
    pub fn add_function(&mut self, function: HostFunction) -> Item {
        Item::Func(store::push(&mut self.store.functions, Function::Host(function)))
    }

    /// Adds a memory.
    pub fn add_memory(&mut self, ty: wasmparser::MemoryType) -> Item {
        Item::Memory(store::push(&mut self.store.memories, Memory::new(ty)))
    }

    /// Adds a table of null references.
    pub fn add_table(&mut self, ty: wasmparser::TableType) -> Item {
        let elements = vec![Value::null(ty.element_type.heap_type()); ty.initial as usize];
        Item::Table(store::push(&mut self.store.tables, Table { ty, elements }))
    }

    /// Adds a global.
    pub fn add_global(&mut self, ty: wasmparser::GlobalType, value: Value) -> Item {
        Item::Global(store::push(&mut self.store.globals, Global { ty, value }))
    }

    /// Adds a tag.
    pub fn add_tag(&mut self, signature: Signature) -> Item {
        Item::Tag(store::push(&mut self.store.tags, signature))
    }

    /// Where events are recorded that belong to no operator, but to this place.
    pub(crate) fn recorder_at(&mut self, at: u32) -> Recorder<'_> {
        Recorder { terms: &mut self.terms, path: &mut self.path, at }
    }

    /// Where the events of the current operator go.
    pub(super) fn recorder(&mut self) -> Recorder<'_> {
        Recorder { terms: &mut self.terms, path: &mut self.path, at: self.at }
    }

    /// Traps if the condition holds.
    pub(super) fn trap_if(&mut self, condition: Term, kind: TrapKind) -> Result<(), Stop> {
        let trapped = self.value(condition) == 1;
        self.recorder().trap(condition, kind, trapped);
        if trapped { Err(self.trap(kind)) } else { Ok(()) }
    }

    /// The trap of the current operator.
    pub(crate) fn trap(&self, kind: TrapKind) -> Stop {
        Stop::Trap { kind, at: Some(self.at) }
    }

    /// The value of a term that cannot stay one here.
    pub(super) fn concretise(&mut self, term: Term, reason: Concretisation) -> u64 {
        let value = self.value(term);
        if self.terms.as_constant(term).is_none() {
            self.recorder().concretise(term, value, reason);
        }
        value
    }

    /// Counts an operator.
    pub(super) fn step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        let is_over = self.steps > self.limits.steps
            || self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS)
                && self.until.as_ref().is_some_and(|until| until.load(Ordering::Relaxed));
        if is_over { Err(Stop::OutOfSteps) } else { Ok(()) }
    }
}
