//! One symbolic run, and the module that can be run so.

use super::accesses::{LookedUp, SymbolicAccess, Transition};
use super::calls::{CallEvent, Datum};
use super::cells::Linear;
use super::engine::SymbolicEngine;
use super::hooks::Director;
use super::host::Symbolic;
use super::image::{Image, Watch};
use super::shadow::{Shadow, TransferKind};
use super::symbols::Symbols;
use crate::arguments::Naming;
use crate::arguments::{ParameterPlan, PlannedSymbol};
use crate::compiled::{host as host_error, instantiation_error, no_room};
use crate::deadline::Deadline;
use crate::ending::Ending;
use crate::imports::Log;
use crate::instrument::segment::CELLS;
use crate::instrument::{Detail, Instrumenter, PLACE, TAINT};
use crate::machine::WasmtimeMachine;
use crate::path::Path;
use crate::sandbox::State;
use crate::semantics::events::Recorder;
use crate::{Argument, Asked, Bound, Bounds, Entry, Error, Input, Limits, Outcome, Value, imports};
use coax_program::{Func, Program};
use coax_term::{Model, Symbol, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use wasmtime::{InstancePre, Memory, Store, Val};

/// What instrumented code spends more fuel on than the plain module: a run that the plain module finishes is finished.
/// What both do alike (calls of the host) takes as many times more, or a program that only calls the host would do so as many times more often.
pub(crate) const FUEL_FACTOR: u64 = 16;

/// A program that can be run with terms, any number of times and from any thread whose stack is large enough.
pub struct SymbolicModule<'p> {
    program: &'p Program,
    instrumenter: Arc<Instrumenter>,
    linked: InstancePre<State>,
    /// The pages of a fresh instance's memory that are not zero.
    not_zero: OnceLock<Vec<usize>>,
    /// The symbolic sides of runs that are over.
    #[allow(clippy::vec_box, reason = "each goes in and out of a run's state, and is large")]
    spare: Mutex<Vec<Box<Shadow>>>,
}

/// What is special about a run. All but the last want a variant that sees calls.
#[derive(Default)]
pub struct Setup<'a> {
    /// The memory and globals that it starts with, instead of a fresh instance's.
    pub image: Option<&'a Image>,
    /// The functions whose first call's image is kept: see [`SymbolicRun::images`].
    pub watch: BTreeSet<Func>,
    /// Who decides what happens to calls.
    pub director: Option<Box<dyn Director>>,
    /// When this is set, the run ends, as one whose time is over.
    pub until: Option<Arc<AtomicBool>>,
}

/// What happened in a symbolic run.
pub struct SymbolicRun {
    pub(crate) ending: Ending,
    /// What the program wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// What it said by its test harness.
    pub asked: Asked,
    /// The limits that were met.
    pub bounds: Bounds,
    /// What the first calls of the functions that were watched have found.
    pub images: BTreeMap<Func, Image>,
    shadow: Box<Shadow>,
}

impl SymbolicRun {
    /// What was decided because of the input.
    pub fn path(&self) -> &Path {
        &self.shadow.path
    }

    /// Accesses to memory whose place or length depends on the input, as far as they are kept.
    pub fn accesses(&self) -> &[SymbolicAccess] {
        self.shadow.accesses.kept()
    }

    /// Reads of tables at places that were looked up in tables, as far as they are kept.
    /// Which symbols may have been read at places that are terms, in the order of the path.
    pub(super) fn looked_up(&self) -> &[LookedUp] {
        self.shadow.accesses.looked_up()
    }

    /// See [`Transition`].
    pub fn transitions(&self) -> &[Transition] {
        self.shadow.accesses.transitions()
    }

    /// The terms of the path.
    pub fn terms(&self) -> &Terms {
        &self.shadow.terms
    }

    /// The terms, to make others from them.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.shadow.terms
    }

    /// The calls of the program's functions, if the variant tells them.
    pub fn calls(&self) -> &[CallEvent] {
        &self.shadow.calls
    }

    /// The symbols of calls that were cut, and the terms that they stand for, in the order in which they were made: a term has only
    /// symbols of earlier ones.
    pub fn bindings(&self) -> &[(Symbol, Term)] {
        self.shadow.cells.cut.bindings()
    }

    /// A term with the symbols of calls that were cut replaced by what they stand for.
    pub fn uncut(&mut self, term: Term) -> Term {
        let Shadow { cells, terms, .. } = &mut *self.shadow;
        cells.cut.uncut(terms, term)
    }

    /// The limit that ended it, if one did: its path ends there, too.
    pub fn cut_short(&self) -> Option<Bound> {
        self.ending.bound()
    }

    /// How often the program called the symbolic side.
    pub fn host_calls(&self) -> u64 {
        self.shadow.boundaries
    }

    /// The values that an input gives to the symbols of this run.
    pub fn model(&self, input: &Input) -> Model {
        super::symbols::model(&self.shadow.terms, input, &self.asked.requests)
    }
}

impl<'p> SymbolicModule<'p> {
    /// A program whose instrumented module is compiled and has its imports.
    pub(super) fn linked(
        program: &'p Program,
        instrumenter: Instrumenter,
        linked: InstancePre<State>,
    ) -> Self {
        let (not_zero, spare) = Default::default();
        SymbolicModule { program, instrumenter: Arc::new(instrumenter), linked, not_zero, spare }
    }

    /// Instruments and compiles a program, on an engine of its own.
    pub fn new(program: &'p Program, detail: impl Into<Detail>, limits: &Limits) -> Result<Self, Error> {
        SymbolicEngine::new(limits)?.module(program, detail)
    }

    /// Runs the program once, on this thread.
    pub fn run(&self, input: &Input, symbols: Symbols, limits: &Limits) -> Result<SymbolicRun, Error> {
        let entry = Entry::find(self.program, input.entry.as_deref())?;
        self.run_entry(&entry, input, symbols, limits)
    }

    /// Whether a run can begin with this input: its entry is there, its parameters fit, and nothing is too long.
    pub fn accepts(&self, input: &Input, symbols: Symbols, limits: &Limits) -> Result<(), Error> {
        let entry = Entry::find(self.program, input.entry.as_deref())?;
        entry.plans(self.program, input, limits, Naming::Bytes)?;
        imports::check(self.program, input)?;
        State::new(self.program, input, symbols, limits, limits.memory_bytes).map(drop)
    }

    /// Calls any function of the program's, directly.
    pub fn call(
        &self,
        func: Func,
        params: &[Value],
        symbols: Symbols,
        limits: &Limits,
        setup: Setup<'_>,
    ) -> Result<SymbolicRun, Error> {
        if !self.instrumenter.detail().most().sees_calls() {
            return Err(host_error("a direct call wants a variant that sees calls"));
        }
        let entry = Entry::alone(self.program, func);
        let input = Input { params: Argument::list(params), ..Input::default() };
        self.run_on(&entry, &input, symbols, limits, setup)
    }

    /// Runs the program once, with something special about it.
    pub fn run_with(
        &self,
        input: &Input,
        symbols: Symbols,
        limits: &Limits,
        setup: Setup<'_>,
    ) -> Result<SymbolicRun, Error> {
        let entry = Entry::find(self.program, input.entry.as_deref())?;
        self.run_on(&entry, input, symbols, limits, setup)
    }

    /// The same, for an entry that was found.
    pub fn run_entry(
        &self,
        entry: &Entry,
        input: &Input,
        symbols: Symbols,
        limits: &Limits,
    ) -> Result<SymbolicRun, Error> {
        self.run_on(entry, input, symbols, limits, Setup::default())
    }

    fn run_on(
        &self,
        entry: &Entry,
        input: &Input,
        symbols: Symbols,
        limits: &Limits,
        setup: Setup<'_>,
    ) -> Result<SymbolicRun, Error> {
        let variant = self.instrumenter.detail().most();
        let is_special = setup.image.is_some() || !setup.watch.is_empty() || setup.director.is_some();
        if is_special && !variant.sees_calls() {
            return Err(host_error("this run wants a variant that sees calls"));
        }
        let plans = entry.plans(self.program, input, limits, Naming::Bytes)?;
        // An image was taken after the constructors have run.
        let without = Entry { initializer: None, fuzz_initializer: None, ..entry.clone() };
        let entry = if setup.image.is_some() { &without } else { entry };
        let mut shadow = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        shadow.reset(&self.instrumenter);
        // The flags take as much memory as what they are the flags of.
        imports::check(self.program, input)?;
        let mut state = State::new(self.program, input, symbols, limits, limits.memory_bytes)?;
        state.world.log = Log::kept();
        // With an image, what the start function did did not happen.
        let (director, later) = match setup.image {
            Some(_) => (None, setup.director),
            None => (setup.director, None),
        };
        self.follow(director, &mut shadow);
        let mut symbolic = Symbolic::new(shadow, limits.terms);
        symbolic.until = setup.until;
        symbolic.watch = (!setup.watch.is_empty()).then(|| Watch::new(setup.watch.clone(), self.program));
        state.symbolic = Some(symbolic);
        let mut store = Store::new(self.linked.module().engine(), state);
        store.limiter(|state| &mut state.usage);
        store.set_fuel(limits.fuel.saturating_mul(FUEL_FACTOR)).map_err(host_error)?;
        let deadline = Deadline::set(&mut store, limits.time)?;
        let result = match self.linked.instantiate(&mut store) {
            Ok(instance) => {
                self.attach(&instance, &mut store)?;
                if let Some(image) = setup.image {
                    self.restore(image, later, &instance, &mut store)?;
                }
                let marks = symbols.params.then_some(mark as crate::machine::Mark);
                let (program, store) = (self.program, &mut store);
                let machine = WasmtimeMachine { program, instance, store, marks, is_instrumented: true };
                let types = &program.signature(entry.func).params;
                machine.run(entry, &plans, |store, params| {
                    let plan = symbols.params.then_some(&plans.entry);
                    start(store, &instance, plan, types, params, entry.begin(program))
                })
            }
            Err(error) => Err(instantiation_error(error, &store)?),
        };
        drop(deadline);
        let ending = match result {
            Ok(values) => Ending::Returned(values),
            Err(error) => Ending::from_error(&no_room(error)?, &mut store),
        };
        let (stdout, stderr) = store.data_mut().take_output();
        let asked = store.data_mut().world.take_asked()?;
        let mut bounds = std::mem::take(&mut store.data_mut().usage.bounds);
        if let Ending::Bound(bound, _) = ending {
            bounds.hit(bound);
        }
        let symbolic = store.data_mut().symbolic.take();
        let mut symbolic = symbolic.ok_or_else(|| host_error("the symbolic side of a run is lost"))?;
        symbolic.finish(&mut store);
        let Symbolic { mut shadow, watch, .. } = symbolic;
        if let Some(refusal) = shadow.refusal.take() {
            return Err(host_error(refusal));
        }
        let images = watch.map(|watch| watch.images).unwrap_or_default();
        Ok(SymbolicRun { ending, stdout, stderr, asked, bounds, images, shadow })
    }

    /// Lets the next run use the memory of one that is over.
    pub fn recycle(&self, run: SymbolicRun) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(run.shadow);
    }

    /// What the program did. (A run is confirmed by a plain one; this is for comparing the two.)
    pub fn outcome(&self, run: SymbolicRun) -> Outcome {
        self.outcome_of(&run)
    }

    /// What the program did, of a run that is needed further.
    pub fn outcome_of(&self, run: &SymbolicRun) -> Outcome {
        let layout = &self.instrumenter.layout;
        let ending = run.ending.clone().map_frames(|func, offset| {
            let func = layout.plain_function(func);
            (func, offset.and_then(|offset| self.instrumenter.plain_offset(self.program, func, offset)))
        });
        ending.into_outcome(self.program)
    }

    /// Puts the instance into another state, of which nothing is symbolic yet.
    fn restore(
        &self,
        image: &Image,
        director: Option<Box<dyn Director>>,
        instance: &wasmtime::Instance,
        store: &mut Store<State>,
    ) -> Result<(), Error> {
        image.restore(self.program, instance, store, &self.not_zero)?;
        if let Some(symbolic) = &mut store.data_mut().symbolic {
            symbolic.shadow.reset(&self.instrumenter);
            self.follow(director, &mut symbolic.shadow);
        }
        Ok(())
    }

    /// Lets somebody decide what happens to calls from now on.
    fn follow(&self, director: Option<Box<dyn Director>>, shadow: &mut Shadow) {
        let Some(director) = director else { return };
        let width =
            |global: &coax_program::Global| global.ty.mutable.then(|| width(global.ty.content_type))?;
        let widths = self.program.globals.iter().map(width).collect();
        shadow.follow(director, self.instrumenter.detail().most().sees_cells(), widths);
    }

    /// Connects the symbolic side with the instance.
    fn attach(&self, instance: &wasmtime::Instance, store: &mut Store<State>) -> Result<(), Error> {
        let missing = || host_error("the symbolic side of a run is lost");
        let mut symbolic = store.data_mut().symbolic.take().ok_or_else(missing)?;
        symbolic.attach(instance, &mut *store);
        symbolic.publish_taint(&mut *store).map_err(host_error)?;
        store.data_mut().symbolic = Some(symbolic);
        Ok(())
    }
}

/// What was just written to memory is a part of the input.
fn mark(store: &mut Store<State>, memory: Memory, flags: Memory, address: u64, symbol: &PlannedSymbol) {
    let Some(mut symbolic) = store.data_mut().symbolic.take() else { return };
    let Shadow { cells, terms, taint, .. } = &mut *symbolic.shadow;
    let mut linear = Linear { store: &mut *store, memory, flags, cells };
    let bytes = symbol.width.div_ceil(8);
    if linear.contains(address, bytes.into()) {
        *taint |= CELLS;
        let term = symbol.term(terms, 8 * bytes);
        linear.set_term(address, term, bytes);
    }
    store.data_mut().symbolic = Some(symbolic);
}

/// The entry function is about to be called: its arguments are on their way, and `taint` says so.
fn start(
    store: &mut Store<State>,
    instance: &wasmtime::Instance,
    plan: Option<&ParameterPlan>,
    types: &[wasmparser::ValType],
    params: &[Value],
    at: u32,
) -> wasmtime::Result<()> {
    let Some(symbolic) = &mut store.data_mut().symbolic else { return Ok(()) };
    if let Some(plan) = plan {
        symbolic.prepare_params(plan, types, params);
        let Shadow { terms, path, .. } = &mut *symbolic.shadow;
        plan.record_rules(&mut Recorder { terms, path, at });
    }
    let taint = symbolic.send_params();
    // No code of the program's has called the function.
    if let Some(global) = instance.get_global(&mut *store, PLACE) {
        global.set(&mut *store, Val::I64(0))?;
    }
    if let Some(global) = instance.get_global(&mut *store, TAINT) {
        global.set(&mut *store, Val::I64(taint as i64))?;
    }
    Ok(())
}

/// How many bits a number of this type has.
pub(crate) fn width(ty: wasmparser::ValType) -> Option<u8> {
    use wasmparser::ValType;
    match ty {
        ValType::I32 | ValType::F32 => Some(32),
        ValType::I64 | ValType::F64 => Some(64),
        _ => None,
    }
}

impl Symbolic {
    /// Makes the symbols of the parameters.
    fn prepare_params(&mut self, plan: &ParameterPlan, types: &[wasmparser::ValType], params: &[Value]) {
        for ((symbol, ty), param) in plan.param_symbols().zip(types).zip(params) {
            let terms = &mut self.shadow.terms;
            let term = symbol.zip(width(*ty)).map(|(symbol, width)| symbol.term(terms, width));
            self.params.push(Some(Datum { bits: param.bits(), term }));
        }
    }

    /// Sends the parameters on their way; returns the new `taint`.
    fn send_params(&mut self) -> u64 {
        self.shadow.send(TransferKind::Arguments, &self.params);
        self.taint_there = Some(self.shadow.taint);
        self.shadow.taint
    }
}
