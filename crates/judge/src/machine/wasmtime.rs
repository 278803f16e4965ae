//! wasmtime as a machine, over a transformation of modules.
//!
//! The transformation is what is judged: the plain module for wasmtime itself, the lowered one for our
//! SSA. Everything else is equal.

use super::{Failure, Instance, Machine, Trap, Value};
use crate::transform::Transform;
use wasmtime::{
    AsContextMut, Config, Engine, ExternRef, Func, FuncType, Global, GlobalType, Linker, Memory, MemoryType,
    Mutability, OptLevel, Ref, RefType, Store, Table, TableType, V128, Val, ValType,
};

/// How deep wasm may call, in bytes: lowered functions have large frames.
const STACK_BYTES: usize = 4 << 20;

/// An engine with the features of coax and nothing that differs from run to run.
pub fn engine() -> wasmtime::Result<Engine> {
    let mut config = Config::new();
    config
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .wasm_relaxed_simd(true)
        .wasm_multi_memory(true)
        .wasm_memory64(true)
        .wasm_tail_call(true)
        .wasm_extended_const(true)
        .wasm_exceptions(true)
        .wasm_function_references(false)
        .wasm_gc(false)
        .wasm_backtrace_max_frames(None)
        .consume_fuel(true)
        // Modules run for an instant: the time goes into compiling them.
        .cranelift_opt_level(OptLevel::None)
        .parallel_compilation(false)
        .async_stack_size(STACK_BYTES)
        .max_wasm_stack(STACK_BYTES);
    Engine::new(&config)
}

/// The threads that run wasm need a stack larger than wasm's own limit.
pub const THREAD_STACK_BYTES: usize = STACK_BYTES * 4;

/// wasmtime with the instances of one script.
pub struct WasmtimeMachine {
    transform: Transform,
    store: Store<()>,
    linker: Linker<()>,
    instances: Vec<wasmtime::Instance>,
}

impl WasmtimeMachine {
    /// A machine with nothing but the `spectest` module.
    pub fn new(engine: &Engine, transform: Transform) -> wasmtime::Result<Self> {
        let mut store = Store::new(engine, ());
        // Scripts end by themselves.
        store.set_fuel(u64::MAX)?;
        let mut linker = Linker::new(engine);
        linker.allow_shadowing(true);
        define_spectest(&mut store, &mut linker)?;
        Ok(WasmtimeMachine { transform, store, linker, instances: Vec::new() })
    }

    fn instance(&self, instance: Instance) -> wasmtime::Instance {
        self.instances[instance.0]
    }
}

impl Machine for WasmtimeMachine {
    fn instantiate(&mut self, wasm: &[u8]) -> Result<Instance, Failure> {
        let transformed = (self.transform)(wasm).map_err(|error| Failure::Refused(format!("{error:#}")))?;
        let module = wasmtime::Module::new(self.store.engine(), transformed)
            .map_err(|error| Failure::Refused(format!("wasmtime: {error:#}")))?;
        let instance = self.linker.instantiate(&mut self.store, &module).map_err(|error| {
            match fault(&error, &mut self.store) {
                Some(fault) => fault.into(),
                None => Failure::Unlinkable(format!("{error:#}")),
            }
        })?;
        self.instances.push(instance);
        Ok(Instance(self.instances.len() - 1))
    }

    fn register(&mut self, name: &str, instance: Instance) -> Result<(), Failure> {
        let instance = self.instance(instance);
        let registered = self.linker.instance(&mut self.store, name, instance);
        registered.map(drop).map_err(|error| Failure::Other(format!("{error:#}")))
    }

    fn invoke(&mut self, instance: Instance, name: &str, args: &[Value]) -> Result<Vec<Value>, Failure> {
        let function = self
            .instance(instance)
            .get_func(&mut self.store, name)
            .ok_or_else(|| Failure::Other(format!("no function `{name}` is exported")))?;
        call(&mut self.store, function, args)
    }

    fn global(&mut self, instance: Instance, name: &str) -> Result<Value, Failure> {
        let global = self
            .instance(instance)
            .get_global(&mut self.store, name)
            .ok_or_else(|| Failure::Other(format!("no global `{name}` is exported")))?;
        let value = global.get(&mut self.store);
        Ok(value_from(&mut self.store, &value))
    }
}

/// Calls a function with as many arguments as it has parameters.
fn call(store: &mut Store<()>, function: Func, args: &[Value]) -> Result<Vec<Value>, Failure> {
    let other = |error: wasmtime::Error| Failure::Other(format!("{error:#}"));
    let ty = function.ty(&*store);
    let args: Result<Vec<Val>, Failure> = args
        .iter()
        .zip(ty.params())
        .map(|(&arg, ty)| value_into(&mut *store, arg, &ty).map_err(other))
        .collect();
    let mut results: Vec<Val> = ty.results().map(|ty| default_value(&ty)).collect();
    function.call(&mut *store, &args?, &mut results).map_err(|error| match fault(&error, &mut *store) {
        Some(fault) => fault.into(),
        None => other(error),
    })?;
    Ok(results.iter().map(|result| value_from(&mut *store, result)).collect())
}

/// What code can do other than return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// It trapped.
    Trap(Trap),
    /// It threw an exception that nobody caught.
    Exception,
    /// It used up its fuel.
    OutOfFuel,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Trap(trap) => Failure::Trap(trap),
            Fault::Exception => Failure::Exception,
            Fault::OutOfFuel => Failure::Other("out of fuel".into()),
        }
    }
}

/// What the code did, if this error of wasmtime's is the code's own.
pub fn fault(error: &wasmtime::Error, mut store: impl AsContextMut) -> Option<Fault> {
    use wasmtime::Trap as T;
    if error.is::<wasmtime::ThrownException>() {
        // Otherwise it would still be pending in the next call.
        store.as_context_mut().take_pending_exception();
        return Some(Fault::Exception);
    }
    Some(Fault::Trap(match error.downcast_ref::<T>()? {
        T::OutOfFuel => return Some(Fault::OutOfFuel),
        T::UnreachableCodeReached => Trap::Unreachable,
        T::MemoryOutOfBounds => Trap::MemoryOutOfBounds,
        T::TableOutOfBounds => Trap::TableOutOfBounds,
        T::IndirectCallToNull => Trap::UninitializedElement,
        T::BadSignature => Trap::IndirectCallTypeMismatch,
        T::IntegerDivisionByZero => Trap::IntegerDivideByZero,
        T::IntegerOverflow => Trap::IntegerOverflow,
        T::BadConversionToInteger => Trap::InvalidConversion,
        T::NullReference => Trap::NullReference,
        T::StackOverflow => Trap::StackExhausted,
        _ => return None,
    }))
}

/// A value of wasmtime's as plain data.
pub fn value_from(store: impl AsContextMut, value: &Val) -> Value {
    match value {
        Val::I32(value) => Value::I32(*value as u32),
        Val::I64(value) => Value::I64(*value as u64),
        Val::F32(bits) => Value::F32(*bits),
        Val::F64(bits) => Value::F64(*bits),
        Val::V128(value) => Value::V128(value.as_u128()),
        Val::FuncRef(Some(_)) => Value::Func,
        Val::ExternRef(Some(reference)) => Value::Extern(host_number(store.as_context(), reference)),
        Val::ExnRef(Some(_)) => Value::Exn,
        _ => Value::Null,
    }
}

/// The number of a reference that [`value_into`] made.
fn host_number<T: 'static>(
    store: wasmtime::StoreContext<'_, T>,
    reference: &wasmtime::Rooted<ExternRef>,
) -> u32 {
    let data = reference.data(&store).ok().flatten();
    *data.and_then(|data| data.downcast_ref::<u32>()).expect("only the judge makes external references")
}

/// Plain data as a value of wasmtime's, for a place of the given type.
pub fn value_into(mut store: impl AsContextMut, value: Value, ty: &ValType) -> wasmtime::Result<Val> {
    Ok(match value {
        Value::I32(value) => Val::I32(value as i32),
        Value::I64(value) => Val::I64(value as i64),
        Value::F32(bits) => Val::F32(bits),
        Value::F64(bits) => Val::F64(bits),
        Value::V128(value) => Val::V128(V128::from(value)),
        Value::Extern(number) => Val::ExternRef(Some(ExternRef::new(&mut store, number)?)),
        Value::Null | Value::Func | Value::Exn => default_value(ty),
    })
}

/// Zero or null.
pub fn default_value(ty: &ValType) -> Val {
    Val::default_for_ty(ty).expect("without function references every type has a default")
}

/// The module that the spec testsuite imports from.
fn define_spectest(store: &mut Store<()>, linker: &mut Linker<()>) -> wasmtime::Result<()> {
    let engine = store.engine().clone();
    let mut print = |name: &str, params: &[ValType]| {
        let ty = FuncType::new(&engine, params.iter().cloned(), []);
        linker.func_new("spectest", name, ty, |_, _, _| Ok(())).map(drop)
    };
    print("print", &[])?;
    print("print_i32", &[ValType::I32])?;
    print("print_i64", &[ValType::I64])?;
    print("print_f32", &[ValType::F32])?;
    print("print_f64", &[ValType::F64])?;
    print("print_i32_f32", &[ValType::I32, ValType::F32])?;
    print("print_f64_f64", &[ValType::F64, ValType::F64])?;
    let globals = [
        ("global_i32", ValType::I32, Val::I32(666)),
        ("global_i64", ValType::I64, Val::I64(666)),
        ("global_f32", ValType::F32, Val::F32(666.6_f32.to_bits())),
        ("global_f64", ValType::F64, Val::F64(666.6_f64.to_bits())),
    ];
    for (name, ty, value) in globals {
        let global = Global::new(&mut *store, GlobalType::new(ty, Mutability::Const), value)?;
        linker.define(&mut *store, "spectest", name, global)?;
    }
    let table = Table::new(&mut *store, TableType::new(RefType::FUNCREF, 10, Some(20)), Ref::Func(None))?;
    linker.define(&mut *store, "spectest", "table", table)?;
    let table64 = Table::new(&mut *store, TableType::new64(RefType::FUNCREF, 10, Some(20)), Ref::Func(None))?;
    linker.define(&mut *store, "spectest", "table64", table64)?;
    let memory = Memory::new(&mut *store, MemoryType::new(1, Some(2)))?;
    linker.define(&mut *store, "spectest", "memory", memory)?;
    // Instrumented modules want the flags of imported memories as well.
    let flags = Memory::new(&mut *store, MemoryType::new(1, Some(2)))?;
    linker.define(&mut *store, "spectest", "coax:flags:memory", flags)?;
    coax_execute::define_idle_host(linker)?;
    Ok(())
}
