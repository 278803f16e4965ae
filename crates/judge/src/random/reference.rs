//! Random modules on the reference interpreter: the same imports as on wasmtime, the numbers among the arguments are
//! symbols.

use super::generate::Random;
use super::observe::{MAX_MEMORY_BYTES, MAX_TABLE_ELEMENTS};
use crate::machine::reference::{failure, value_from, value_into};
use crate::machine::{Failure, Value};
use coax_execute::reference::{
    Context, Host, HostFunction, Instance, Interpreter, Item, Limits, Refused, Stop, Value as V,
};
use coax_program::{Extern, Program, Signature};
use coax_term::{Model, Term};
use std::collections::BTreeMap;
use std::sync::Arc;
use wasmparser::TableType;
use wasmtime::{ExternType, ValType};

/// More than the fuel of a plain run pays for: in SSA a step may be a jump that wasm does not have.
const STEPS: u64 = 200_000;
/// Deep enough for any run with that fuel.
const DEPTH: usize = 50_000;

/// A program whose runs are wanted.
pub(super) struct Reference {
    program: Arc<Program>,
    /// The types of the imports as wasmtime has them; random values are made by these.
    imports: Vec<ExternType>,
}

/// What came of a run.
pub(super) struct Ran {
    pub(super) interpreter: Interpreter,
    pub(super) ended: Result<Vec<V>, Stop>,
    /// Calls of imported functions: which, and with what.
    pub(super) calls: Vec<(usize, Vec<Value>)>,
    results: Vec<wasmparser::ValType>,
    instance: Instance,
}

/// The exported globals and memories.
#[derive(Default)]
pub(super) struct State {
    pub(super) globals: BTreeMap<String, Global>,
    pub(super) memories: BTreeMap<String, Cells>,
}

/// A global: its value in this run and, if it is a number, its term.
pub(super) struct Global {
    pub(super) plain: Value,
    pub(super) term: Option<Term>,
}

/// A memory: its bytes in this run, and those that are terms.
pub(super) struct Cells {
    pub(super) bytes: Vec<u8>,
    pub(super) terms: Vec<(u64, Term)>,
}

impl Reference {
    pub(super) fn new(wasm: &[u8], imports: Vec<ExternType>) -> Result<Reference, String> {
        let program = Program::parse(wasm.to_vec()).map_err(|error| error.to_string())?;
        Ok(Reference { program: Arc::new(program), imports })
    }

    /// Instantiates the program and calls an exported function; the error is why it could not start.
    pub(super) fn run(&self, name: &str, args: &[Value]) -> Result<Ran, Failure> {
        let mut interpreter = Interpreter::new(Limits {
            steps: STEPS,
            depth: DEPTH,
            memory_bytes: MAX_MEMORY_BYTES as u64,
            table_elements: MAX_TABLE_ELEMENTS as u64,
            ..Limits::default()
        });
        let imports: Vec<Item> =
            (0..self.imports.len()).map(|number| self.stub(&mut interpreter, number)).collect();
        let mut host = Stubs { reference: self, calls: Vec::new() };
        let instance =
            interpreter.instantiate(Arc::clone(&self.program), &imports, &mut host).map_err(|refused| {
                match refused {
                    Refused::Unlinkable(message) => Failure::Unlinkable(message),
                    Refused::Stopped(stop) => failure(stop),
                }
            })?;
        let Some(Item::Func(function)) = interpreter.export(instance, name) else {
            return Err(Failure::Other(format!("no function `{name}` is exported")));
        };
        let Signature { params, results } = interpreter.signature(function).clone();
        let args: Vec<V> = (0..)
            .zip(args.iter().zip(params))
            .map(|(place, (&arg, ty))| match number(arg) {
                Some((width, bits)) => V::Number(interpreter.input(&symbol(place), width, bits)),
                None => value_into(&mut interpreter, arg, ty),
            })
            .collect();
        let ended = interpreter.call(function, &args, &mut host);
        Ok(Ran { interpreter, ended, calls: host.calls, results, instance })
    }

    /// What wasmtime's side gives the program for an import.
    fn stub(&self, interpreter: &mut Interpreter, number: usize) -> Item {
        let program = &self.program;
        match (program.imports[number].kind, &self.imports[number]) {
            (Extern::Func(func), _) => {
                let signature = program.signature(func).clone();
                interpreter.add_function(HostFunction { number: number as u32, signature })
            }
            (Extern::Table(index), ExternType::Table(ty)) => interpreter.add_table(TableType {
                element_type: program.tables[index as usize].ty,
                table64: ty.is_64(),
                initial: ty.minimum(),
                maximum: ty.maximum(),
                shared: false,
            }),
            (Extern::Memory(index), _) => interpreter.add_memory(program.memories[index as usize].ty),
            (Extern::Global(index), ExternType::Global(theirs)) => {
                let ty = program.globals[index as usize].ty;
                let value = Random::new(number as u64).value(theirs.content());
                let value = value_into(interpreter, value, ty.content_type);
                interpreter.add_global(ty, value)
            }
            (Extern::Tag(index), _) => {
                let ty = program.tags[index as usize];
                interpreter.add_tag(program.types[ty as usize].clone())
            }
            (kind, other) => unreachable!("one module has one list of imports, but {kind:?} is {other:?}"),
        }
    }
}

/// Functions whose results depend on which call it is.
struct Stubs<'a> {
    reference: &'a Reference,
    calls: Vec<(usize, Vec<Value>)>,
}

impl Host for Stubs<'_> {
    fn call(&mut self, number: u32, args: &[V], context: &mut Context<'_>) -> Result<Vec<V>, Stop> {
        let number = number as usize;
        let program = &self.reference.program;
        let (Extern::Func(func), ExternType::Func(theirs)) =
            (program.imports[number].kind, &self.reference.imports[number])
        else {
            unreachable!("only functions are called")
        };
        let Signature { params, results } = program.signature(func);
        let mut plain = Vec::new();
        for (&arg, &ty) in args.iter().zip(params) {
            if let V::Number(_) = arg {
                context.concretise(arg);
            }
            plain.push(value_from(context.interpreter(), arg, ty));
        }
        self.calls.push((number, plain));
        let mut random = Random::new(self.calls.len() as u64);
        let values: Vec<Value> = theirs.results().map(|ty: ValType| random.value(&ty)).collect();
        Ok(values
            .into_iter()
            .zip(results)
            .map(|(value, &ty)| value_into(context.interpreter(), value, ty))
            .collect())
    }
}

impl Ran {
    /// The results as plain data, or why there are none.
    pub(super) fn outcome(&mut self) -> Result<Vec<Value>, Failure> {
        let results = self.ended.clone().map_err(failure)?;
        Ok(results
            .into_iter()
            .zip(&self.results)
            .map(|(value, &ty)| value_from(&mut self.interpreter, value, ty))
            .collect())
    }

    /// What the run left behind.
    pub(super) fn state(&mut self) -> State {
        let mut state = State::default();
        for (name, item) in self.interpreter.exports(self.instance) {
            match item {
                Item::Global(global) => {
                    let (ty, value) = self.interpreter.global(global);
                    let plain = value_from(&mut self.interpreter, value, ty);
                    state.globals.insert(name, Global { plain, term: number_term(value) });
                }
                Item::Memory(memory) => {
                    let bytes = self.interpreter.memory(memory);
                    let terms = self.interpreter.symbolic_bytes(memory);
                    state.memories.insert(name, Cells { bytes, terms });
                }
                _ => {}
            }
        }
        state
    }

    /// The symbols with the values of other arguments of the same types.
    pub(super) fn model(&self, args: &[Value]) -> Model {
        let mut model = Model::new();
        for (place, &arg) in args.iter().enumerate() {
            if let (Some(symbol), Some((_, bits))) =
                (self.interpreter.terms().find_symbol(&symbol(place)), number(arg))
            {
                model.set(symbol, bits);
            }
        }
        model
    }

    /// The results that are numbers, as terms.
    pub(super) fn terms(&self) -> Vec<Term> {
        self.ended.iter().flatten().filter_map(|&value| number_term(value)).collect()
    }
}

fn number_term(value: V) -> Option<Term> {
    match value {
        V::Number(term) => Some(term),
        _ => None,
    }
}

/// The name of an argument.
fn symbol(place: usize) -> String {
    format!("param{place}")
}

/// Width and bits of a number.
pub(super) fn number(value: Value) -> Option<(u8, u64)> {
    match value {
        Value::I32(bits) | Value::F32(bits) => Some((32, u64::from(bits))),
        Value::I64(bits) | Value::F64(bits) => Some((64, bits)),
        _ => None,
    }
}
