//! Runs a module and looks at everything it leaves behind.

use super::generate::Random;
use crate::lower;
use crate::machine::{Fault, Trap, Value, default_value, fault, value_from, value_into};
use std::fmt;
use wasmtime::{
    Engine, Extern, ExternType, Func, FuncType, Global, Instance, Memory, Module, Ref, Store, StoreLimits,
    StoreLimitsBuilder, Table, Tag, Val, ValType,
};

/// How much fuel a run of the plain module may use.
pub(super) const FUEL: u64 = 20_000;

/// Growth beyond this is refused, on both sides.
pub(super) const MAX_MEMORY_BYTES: usize = 8 << 16;
pub(super) const MAX_TABLE_ELEMENTS: usize = 1_000;

/// A compiled module.
pub(super) struct Compiled {
    engine: Engine,
    module: Module,
    fuel: u64,
}

/// A function that can be called.
pub(super) struct Callee {
    pub(super) name: String,
    params: Vec<ValType>,
}

impl Callee {
    pub(super) fn arguments(&self, random: &mut Random) -> Vec<Value> {
        self.params.iter().map(|ty| random.value(ty)).collect()
    }
}

/// What came of instantiating.
pub(super) enum Instantiated {
    Live(Box<Live>),
    Dead(Outcome),
}

/// An instance.
pub(super) struct Live {
    store: Store<Host>,
    instance: Instance,
}

/// The imports' side.
struct Host {
    limits: StoreLimits,
    /// Calls of imported functions: which, and with what.
    calls: Vec<(usize, Vec<Value>)>,
}

/// What came of a call.
#[derive(PartialEq, Eq)]
pub(super) enum Outcome {
    Returned(Vec<Value>),
    Faulted(Result<Fault, String>),
}

impl Compiled {
    /// The plain module.
    pub(super) fn plain(engine: &Engine, wasm: &[u8]) -> wasmtime::Result<Self> {
        Ok(Compiled { engine: engine.clone(), module: Module::new(engine, wasm)?, fuel: FUEL })
    }

    /// A module that does the same, in more steps.
    pub(super) fn transformed(engine: &Engine, wasm: &[u8]) -> wasmtime::Result<Self> {
        Ok(Compiled { fuel: FUEL * lower::STEPS_FACTOR, ..Compiled::plain(engine, wasm)? })
    }

    /// The exported functions.
    pub(super) fn functions(&self) -> Vec<Callee> {
        let function = |export: wasmtime::ExportType<'_>| match export.ty() {
            ExternType::Func(ty) => {
                Some(Callee { name: export.name().to_string(), params: ty.params().collect() })
            }
            _ => None,
        };
        self.module.exports().filter_map(function).collect()
    }

    /// The types of the imports.
    pub(super) fn imports(&self) -> Vec<ExternType> {
        self.module.imports().map(|import| import.ty()).collect()
    }

    /// A fresh instance with deterministic imports.
    pub(super) fn instantiate(&self) -> Instantiated {
        let limits = StoreLimitsBuilder::new()
            .memory_size(MAX_MEMORY_BYTES)
            .table_elements(MAX_TABLE_ELEMENTS)
            .build();
        let mut store = Store::new(&self.engine, Host { limits, calls: Vec::new() });
        store.limiter(|host| &mut host.limits);
        let imports: wasmtime::Result<Vec<Extern>> = self
            .module
            .imports()
            .enumerate()
            .map(|(number, import)| stub(&mut store, number, import.ty()))
            .collect();
        let instance = imports.and_then(|imports| {
            store.set_fuel(self.fuel)?;
            Instance::new(&mut store, &self.module, &imports)
        });
        match instance {
            Ok(instance) => Instantiated::Live(Box::new(Live { store, instance })),
            Err(error) => Instantiated::Dead(Outcome::fault(&error, &mut store)),
        }
    }
}

/// Something of the type that a module wants to import.
fn stub(store: &mut Store<Host>, number: usize, ty: ExternType) -> wasmtime::Result<Extern> {
    let mut random = Random::new(number as u64);
    Ok(match ty {
        ExternType::Func(ty) => stub_function(store, number, ty).into(),
        ExternType::Global(ty) => {
            let value = random.value(ty.content());
            let value = value_into(&mut *store, value, ty.content())?;
            Global::new(store, ty, value)?.into()
        }
        ExternType::Table(ty) => {
            let null = Ref::null(ty.element().heap_type());
            Table::new(store, ty, null)?.into()
        }
        ExternType::Memory(ty) => Memory::new(store, ty)?.into(),
        ExternType::Tag(ty) => Tag::new(store, &ty)?.into(),
    })
}

/// A function whose results depend on which call it is.
fn stub_function(store: &mut Store<Host>, number: usize, ty: FuncType) -> Func {
    let results: Vec<ValType> = ty.results().collect();
    Func::new(store, ty, move |mut caller, args, out| {
        let args = args.iter().map(|arg| value_from(&mut caller, arg)).collect();
        let calls = &mut caller.data_mut().calls;
        calls.push((number, args));
        let mut random = Random::new(calls.len() as u64);
        for (slot, ty) in out.iter_mut().zip(&results) {
            *slot = value_into(&mut caller, random.value(ty), ty)?;
        }
        Ok(())
    })
}

impl Live {
    pub(super) fn call(&mut self, name: &str, args: &[Value]) -> Outcome {
        let function = self.instance.get_func(&mut self.store, name).expect("the same exports on both sides");
        let ty = function.ty(&self.store);
        let args: wasmtime::Result<Vec<Val>> =
            args.iter().zip(ty.params()).map(|(&arg, ty)| value_into(&mut self.store, arg, &ty)).collect();
        let mut results: Vec<Val> = ty.results().map(|ty| default_value(&ty)).collect();
        match args.and_then(|args| function.call(&mut self.store, &args, &mut results)) {
            Ok(()) => {
                Outcome::Returned(results.iter().map(|result| value_from(&mut self.store, result)).collect())
            }
            Err(error) => Outcome::fault(&error, &mut self.store),
        }
    }

    /// The bytes of an exported memory.
    pub(super) fn memory(&mut self, name: &str) -> Option<&[u8]> {
        let memory = self.instance.get_memory(&mut self.store, name)?;
        Some(memory.data(&self.store))
    }

    /// The value of an exported global.
    pub(super) fn global(&mut self, name: &str) -> Option<Value> {
        let value = self.instance.get_global(&mut self.store, name)?.get(&mut self.store);
        Some(value_from(&mut self.store, &value))
    }

    /// The calls of imported functions so far.
    pub(super) fn calls(&self) -> &[(usize, Vec<Value>)] {
        &self.store.data().calls
    }

    fn exports(&mut self) -> Vec<(String, Extern)> {
        let named = |export: wasmtime::Export<'_>| (export.name().to_string(), export.into_extern());
        self.instance.exports(&mut self.store).map(named).collect()
    }

    /// The exported globals and tables, and the sizes of the memories.
    fn state(&mut self) -> Vec<(String, Vec<Value>)> {
        let mut state = Vec::new();
        for (name, item) in self.exports() {
            let values = match item {
                Extern::Global(global) => {
                    let value = global.get(&mut self.store);
                    vec![value_from(&mut self.store, &value)]
                }
                Extern::Table(table) => {
                    let size = table.size(&self.store);
                    let elements = (0..size).filter_map(|index| table.get(&mut self.store, index));
                    let elements: Vec<Val> = elements.map(Val::from).collect();
                    elements.iter().map(|element| value_from(&mut self.store, element)).collect()
                }
                Extern::Memory(memory) => vec![Value::I64(memory.size(&self.store))],
                _ => continue,
            };
            state.push((name, values));
        }
        state
    }

    fn memories(&mut self) -> Vec<(String, Memory)> {
        let memory = |(name, item): (String, Extern)| item.into_memory().map(|memory| (name, memory));
        self.exports().into_iter().filter_map(memory).collect()
    }
}

/// What two instances that were used in the same way left behind differently.
pub(super) fn difference(left: &mut Live, right: &mut Live) -> Option<String> {
    if left.calls() != right.calls() {
        return Some("imports were called differently".into());
    }
    let (states, others) = (left.state(), right.state());
    if let Some(((name, before), (_, after))) = states.iter().zip(&others).find(|(one, other)| one != other) {
        return Some(format!("`{name}` is {before:?}, transformed: {after:?}"));
    }
    let (memories, others) = (left.memories(), right.memories());
    let mut pairs = memories.iter().zip(&others);
    let (name, _) =
        &pairs.find(|((_, one), (_, other))| one.data(&left.store) != other.data(&right.store))?.0;
    Some(format!("the bytes of memory `{name}` differ"))
}

impl Outcome {
    fn fault(error: &wasmtime::Error, store: &mut Store<Host>) -> Self {
        Outcome::Faulted(fault(error, store).ok_or_else(|| format!("{error:#}")))
    }

    pub(super) fn is_out_of_fuel(&self) -> bool {
        *self == Outcome::Faulted(Ok(Fault::OutOfFuel))
    }

    /// Frames of the two sides differ in size, so where the stack ends says nothing.
    pub(super) fn is_stack_exhausted(&self) -> bool {
        *self == Outcome::Faulted(Ok(Fault::Trap(Trap::StackExhausted)))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Returned(values) => write!(f, "returned {values:?}"),
            Outcome::Faulted(Ok(Fault::Trap(trap))) => write!(f, "trap: {}", trap.spec_messages()[0]),
            Outcome::Faulted(Ok(Fault::OutOfFuel)) => write!(f, "out of fuel"),
            Outcome::Faulted(Ok(Fault::Exception)) => write!(f, "uncaught exception"),
            Outcome::Faulted(Err(error)) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for Instantiated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instantiated::Live(_) => write!(f, "instantiated"),
            Instantiated::Dead(outcome) => outcome.fmt(f),
        }
    }
}
