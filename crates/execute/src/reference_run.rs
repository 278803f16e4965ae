//! A run by the reference interpreter, in the same world as a plain run: with symbols, or step by step.

use crate::arguments::Naming;
use crate::arguments::{Machine, NoRoom, ParameterPlan, PlannedSymbol, prepare};
use crate::entry::Plans;
use crate::imports::{Provider, Symbolically};
use crate::path::Concretisation;
use crate::reference::{
    Context, Host, HostFunction, Instance, Interpreter, Item, MemoryId, Moment, Refused, Step, Stop,
    Value as Number,
};
use crate::sandbox::{Left, Sandbox};
use crate::semantics::events::Recorder;
use crate::{Asked, Entry, Error, Input, Limits, Path, Reference, Symbols, Value, reference};
use coax_program::ir::{Block, Body, InstData};
use coax_program::{Extern, Func, Program};
use coax_term::{Algebra, Model, Term, Terms};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use wasmparser::{RefType, ValType};

/// An instruction that was executed.
pub struct Executed<'a> {
    /// The function.
    pub func: Func,
    /// Its body.
    pub body: &'a Body,
    /// The instruction.
    pub inst: &'a InstData,
    /// Its results.
    pub results: Vec<Value>,
}

/// A run by the reference interpreter.
pub struct ReferenceRun {
    /// What the entry function returned, or why it did not.
    pub ending: Result<Vec<Value>, Stop>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// What the program said by its test harness.
    pub asked: Asked,
    interpreter: Interpreter,
}

impl ReferenceRun {
    /// What was decided because of the input.
    pub fn path(&self) -> &Path {
        self.interpreter.path()
    }

    /// The terms of the path.
    pub fn terms(&self) -> &Terms {
        self.interpreter.terms()
    }

    /// The terms, what was decided because of the input, and the values that this gives to symbols.
    pub fn into_parts(self) -> (Terms, Path, Model) {
        self.interpreter.into_parts()
    }
}

/// Somebody who looks at moments of a run.
pub trait Witness {
    /// Before the run. Terms that are made here are the run's.
    fn begin(&mut self, terms: &mut Terms);

    /// Whether to be told of each point of a block that the run comes to.
    fn watches(&self, func: Func, block: Block) -> bool;

    /// The run has come to a point of such a block; whether it is to go on.
    fn passing(&mut self, moment: &mut Moment<'_>) -> bool;
}

/// Runs a program on an input, of which some is symbols, for at most so many steps.
pub fn reference_run(
    program: &Arc<Program>,
    input: &Input,
    symbols: Symbols,
    limits: &Limits,
    steps: u64,
) -> Result<ReferenceRun, Error> {
    let interpreter = interpreter(limits, steps);
    run(program, input, symbols, limits, interpreter, Watching::Nobody)
}

/// Runs a program on an input, of which some is symbols, while somebody looks at it, for at most so many steps or until somebody ends it.
pub fn witnessed_run(
    program: &Arc<Program>,
    input: &Input,
    symbols: Symbols,
    limits: &Limits,
    (steps, until): (u64, &Arc<AtomicBool>),
    witness: &mut dyn Witness,
) -> Result<ReferenceRun, Error> {
    let mut interpreter = interpreter(limits, steps);
    interpreter.end_with(Arc::clone(until));
    witness.begin(interpreter.terms_mut());
    run(program, input, symbols, limits, interpreter, Watching::Moments(witness))
}

/// Runs a program on an input; `watch` sees every instruction that was executed, `steps` at most.
pub fn trace(
    program: &Arc<Program>,
    input: &Input,
    limits: &Limits,
    steps: u64,
    watch: &mut dyn FnMut(&Executed<'_>),
) -> Result<ReferenceRun, Error> {
    let symbols = Symbols::NONE;
    let interpreter = interpreter(limits, steps);
    run(program, input, symbols, limits, interpreter, Watching::Instructions(watch))
}

fn interpreter(limits: &Limits, steps: u64) -> Interpreter {
    let memory_bytes = limits.memory_bytes;
    Interpreter::new(reference::Limits { steps, memory_bytes, ..reference::Limits::default() })
}

fn run(
    program: &Arc<Program>,
    input: &Input,
    symbols: Symbols,
    limits: &Limits,
    mut interpreter: Interpreter,
    watching: Watching<'_>,
) -> Result<ReferenceRun, Error> {
    let entry = Entry::find(program, input.entry.as_deref())?;
    let plans = entry.plans(program, input, limits, Naming::Bytes)?;
    let world = Sandbox::of_program(program, input, symbols, limits)?;
    let mut host = Outside { program: Arc::clone(program), providers: providers(program), world, watching };
    let ending = run_entry(&mut interpreter, &mut host, &entry, &plans, symbols.params)?;
    let (stdout, stderr) = host.world.take_output();
    let asked = host.world.take_asked()?;
    Ok(ReferenceRun { ending, stdout, stderr, asked, interpreter })
}

/// Instantiates the program and calls its entry function.
fn run_entry(
    interpreter: &mut Interpreter,
    host: &mut Outside<'_>,
    entry: &Entry,
    plans: &Plans,
    with_symbols: bool,
) -> Result<Result<Vec<Value>, Stop>, Error> {
    let program = Arc::clone(&host.program);
    let imports: Vec<Item> = program
        .imports
        .iter()
        .filter_map(|import| match import.kind {
            Extern::Func(func) => Some(func),
            // A plain run has nothing else to give either: the program is then refused.
            _ => None,
        })
        .map(|func| HostFunction { number: func.0, signature: program.signature(func).clone() })
        .map(|function| interpreter.add_function(function))
        .collect();
    let instance = match interpreter.instantiate(Arc::clone(&program), &imports, host) {
        Ok(instance) => instance,
        Err(Refused::Stopped(stop)) => return Ok(Err(stop)),
        Err(refused) => return Err(Error::BadImport(refused.to_string())),
    };
    let memory = interpreter.first_memory(instance);
    let mut machine =
        ReferenceMachine { program: &program, interpreter, host, instance, memory, with_symbols };
    let params = match prepare(&mut machine, entry, &plans.entry, plans.fuzz_initializer.as_ref()) {
        Ok(params) => params,
        Err(Interrupted::Stopped(stop)) => return Ok(Err(stop)),
        Err(Interrupted::NoRoom(no_room)) => return Err(no_room.into()),
    };
    let params = machine.terms(entry.func, &params, &plans.entry);
    if with_symbols {
        plans.entry.record_rules(&mut interpreter.recorder_at(entry.begin(&program)));
    }
    if plans.entry.broken_rule().is_some() {
        return Ok(Err(Stop::Discarded));
    }
    if entry.is_start {
        return Ok(Ok(Vec::new()));
    }
    let signature = program.signature(entry.func);
    let function = interpreter.function(instance, entry.func);
    let results = interpreter.call(function, &params, host);
    Ok(results.map(|results| {
        let results = results.into_iter().zip(&signature.results);
        results.map(|(result, &ty)| value(result, ty, |term| interpreter.value(term))).collect()
    }))
}

/// An instance of the interpreter's.
struct ReferenceMachine<'a, 'o> {
    program: &'a Program,
    interpreter: &'a mut Interpreter,
    host: &'a mut Outside<'o>,
    instance: Instance,
    memory: Option<MemoryId>,
    with_symbols: bool,
}

/// Why the entry function is not called.
enum Interrupted {
    Stopped(Stop),
    NoRoom(NoRoom),
}

impl From<NoRoom> for Interrupted {
    fn from(no_room: NoRoom) -> Self {
        Interrupted::NoRoom(no_room)
    }
}

impl ReferenceMachine<'_, '_> {
    /// The parameters of the entry function, as symbols where they are.
    fn terms(&mut self, func: Func, params: &[Value], plan: &ParameterPlan) -> Vec<Number> {
        let types = &self.program.signature(func).params;
        let mut terms = Vec::new();
        for ((&param, &ty), symbol) in params.iter().zip(types).zip(plan.param_symbols()) {
            let plain = number(self.interpreter, param, ty);
            terms.push(match (plain, symbol.filter(|_| self.with_symbols)) {
                (Number::Number(term), Some(symbol)) => {
                    let width = self.interpreter.terms().width_of(term);
                    Number::Number(self.input(symbol, width))
                }
                (plain, _) => plain,
            });
        }
        terms
    }

    fn input(&mut self, symbol: &PlannedSymbol, width: u8) -> Term {
        let term = self.interpreter.input(&symbol.name, symbol.width, symbol.bits);
        symbol.extended(self.interpreter.terms_mut(), term, width)
    }
}

impl Machine for ReferenceMachine<'_, '_> {
    type Stop = Interrupted;

    fn call(&mut self, func: Func, params: &[Value]) -> Result<Vec<Value>, Interrupted> {
        let signature = self.program.signature(func);
        let params: Vec<Number> = params
            .iter()
            .zip(&signature.params)
            .map(|(&param, &ty)| number(self.interpreter, param, ty))
            .collect();
        let function = self.interpreter.function(self.instance, func);
        let results = self.interpreter.call(function, &params, self.host).map_err(Interrupted::Stopped)?;
        let results = results.into_iter().zip(&signature.results);
        Ok(results.map(|(result, &ty)| value(result, ty, |term| self.interpreter.value(term))).collect())
    }

    fn memory_bytes(&mut self) -> u64 {
        self.memory.map_or(0, |memory| self.interpreter.memory_bytes(memory))
    }

    fn grow(&mut self, pages: u64) -> bool {
        self.memory.is_some_and(|memory| self.interpreter.add_pages(memory, pages))
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        for (address, &byte) in (address..).zip(bytes) {
            let byte = self.interpreter.terms_mut().constant(8, byte.into());
            if let Some(memory) = self.memory {
                self.interpreter.store_term(memory, address, byte);
            }
        }
    }

    fn mark(&mut self, address: u64, symbol: &PlannedSymbol) {
        if let Some(memory) = self.memory.filter(|_| self.with_symbols) {
            let term = self.input(symbol, symbol.width.next_multiple_of(8));
            self.interpreter.store_term(memory, address, term);
        }
    }
}

/// Who answers each imported function.
fn providers(program: &Program) -> Vec<Option<Provider>> {
    let functions = program.imports.iter().filter_map(|import| match import.kind {
        Extern::Func(func) => Some(Provider::of(&import.module, &import.name, program.signature(func))),
        _ => None,
    });
    functions.collect()
}

/// The world of a plain run for the reference interpreter.
struct Outside<'a> {
    program: Arc<Program>,
    /// Who answers imports, by their number.
    providers: Vec<Option<Provider>>,
    world: Sandbox,
    watching: Watching<'a>,
}

/// Who looks at a run.
enum Watching<'a> {
    Nobody,
    /// Somebody who sees every instruction that was executed. Nothing is a symbol.
    Instructions(&'a mut dyn FnMut(&Executed<'_>)),
    Moments(&'a mut dyn Witness),
}

impl Host for Outside<'_> {
    fn call(&mut self, import: u32, args: &[Number], context: &mut Context<'_>) -> Result<Vec<Number>, Stop> {
        let func = Func(import);
        let program = Arc::clone(&self.program);
        let signature = program.signature(func);
        let terms = args.iter().map(|arg| context.symbolic(*arg)).collect();
        let args: Vec<Value> = args
            .iter()
            .zip(&signature.params)
            .map(|(&arg, &ty)| value(arg, ty, |term| context.interpreter().value(term)))
            .collect();
        let mut memory = context.memory();
        let provider = self.providers.get(import as usize).and_then(Option::as_ref);
        let provider = provider.ok_or_else(|| context.refuse())?;
        let answer = self.world.ask(provider, &args, &mut memory);
        let mut served = Served { context, memory: &memory, arguments: terms, result: None };
        self.world.log().apply(&mut served);
        let result = served.result;
        let answer = answer.map_err(|left| match left {
            Left::Exited(code) => Stop::Exited(code),
            Left::Failed(kind) => context.interpreter().trap(kind),
            Left::Discarded => Stop::Discarded,
            Left::Refused => context.refuse(),
        })?;
        let results = answer.into_iter().zip(&signature.results);
        let results = results.map(|(answer, &ty)| match result {
            Some(term) => Number::Number(term),
            None => number(context.interpreter(), answer, ty),
        });
        Ok(results.collect())
    }

    fn executed(&mut self, step: &Step<'_>) {
        let Watching::Instructions(watch) = &mut self.watching else { return };
        let types = step.body.list(step.inst.results).iter().map(|&result| step.body.values[result].ty);
        // Nothing is a symbol, so every term is a constant.
        let bits = |term| step.terms.as_constant(term).unwrap_or_default();
        let results = step.results.iter().zip(types).map(|(&result, ty)| value(result, ty, bits)).collect();
        watch(&Executed { func: step.func, body: step.body, inst: step.inst, results });
    }

    fn watches(&self, func: Func, block: Block) -> bool {
        matches!(&self.watching, Watching::Moments(witness) if witness.watches(func, block))
    }

    fn passing(&mut self, moment: &mut Moment<'_>) -> Result<(), Stop> {
        let Watching::Moments(witness) = &mut self.watching else { return Ok(()) };
        if witness.passing(moment) { Ok(()) } else { Err(Stop::OutOfSteps) }
    }
}

/// A call that the host has answered.
struct Served<'a, 'c> {
    context: &'a mut Context<'c>,
    /// The memory as the host left it.
    memory: &'a [u8],
    /// The arguments that are no constants, and their numbers.
    arguments: Vec<Option<(Term, u64)>>,
    /// The result, if it is a term.
    result: Option<Term>,
}

impl Served<'_, '_> {
    /// The number that the host left at an address.
    fn number(&self, address: u64) -> u64 {
        usize::try_from(address)
            .ok()
            .and_then(|address| self.memory.get(address))
            .copied()
            .unwrap_or(0)
            .into()
    }
}

impl Symbolically for Served<'_, '_> {
    fn recorder(&mut self) -> Option<Recorder<'_>> {
        Some(self.context.recorder())
    }

    fn arguments(&mut self) -> Vec<Option<(Term, u64)>> {
        std::mem::take(&mut self.arguments)
    }

    fn answer(&mut self, result: Term, _bits: u64) {
        self.result = Some(result);
    }

    fn term(&mut self, address: u64, count: u8, _bits: u64) -> Option<Term> {
        self.context.term(address, count)
    }

    fn clear(&mut self, address: u64, count: u64) {
        for address in address..address + count {
            let number = self.number(address);
            let byte = self.context.interpreter().terms_mut().constant(8, number);
            self.context.set_byte(address, byte);
        }
    }

    fn symbol(&mut self, name: &str, width: u8, value: u64) -> Term {
        self.context.interpreter().input(name, width, value)
    }

    fn mark(&mut self, address: u64, name: &str, byte: u8) {
        let symbol = self.symbol(name, 8, byte.into());
        if !self.context.set_term(address, symbol) {
            self.context.recorder().concretise(symbol, byte.into(), Concretisation::OtherMemory);
        }
    }
}

/// A value of a plain run as one of the interpreter's.
fn number(interpreter: &mut Interpreter, value: Value, ty: ValType) -> Number {
    let terms = interpreter.terms_mut();
    match value {
        Value::I32(value) => Number::Number(terms.constant(32, (value as u32).into())),
        Value::F32(bits) => Number::Number(terms.constant(32, bits.into())),
        Value::I64(value) => Number::Number(terms.constant(64, value as u64)),
        Value::F64(bits) => Number::Number(terms.constant(64, bits)),
        Value::V128(bits) => Number::from_vector(terms, bits),
        // No reference but null comes from outside.
        Value::Ref(_) => match ty {
            ValType::Ref(ty) if ty.is_func_ref() => Number::Func(None),
            ValType::Ref(ty) if ty == RefType::EXNREF => Number::Exn(None),
            _ => Number::Extern(None),
        },
    }
}

/// A value of the interpreter's as one of a plain run.
fn value(number: Number, ty: ValType, mut bits: impl FnMut(Term) -> u64) -> Value {
    let reference = |null| Value::Ref(if null { Reference::Null } else { Reference::NonNull });
    match number {
        Number::Number(term) => match ty {
            ValType::I32 => Value::I32(bits(term) as i32),
            ValType::F32 => Value::F32(bits(term) as u32),
            ValType::F64 => Value::F64(bits(term)),
            _ => Value::I64(bits(term) as i64),
        },
        Number::Vector([low, high]) => {
            let [low, high] = [low, high].map(|half| u128::from(bits(half)));
            Value::V128(high << 64 | low)
        }
        Number::Func(function) => reference(function.is_none()),
        Number::Extern(number) => reference(number.is_none()),
        Number::Exn(exception) => reference(exception.is_none()),
    }
}
