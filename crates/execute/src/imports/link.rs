//! Imports of programs that wasmtime runs.

use super::{CallResult, Ended, Exit, Fault, Guest, Provider};
use crate::instrument::MEMORY;
use crate::sandbox::State;
use crate::symbolic::FUEL_FACTOR;
use crate::symbolic::host::spend;
use crate::{Limits, Value, memory_safety, wasi};
use coax_program::{Extern, Program, Signature};
use wasmtime::{
    Caller, Engine, Extern as Item, FuncType, Linker, Memory, Result, Trap, Val, ValType, format_err,
};

/// Adds everything that this program may import, and functions for what nobody has: whether those answer is for each run to say.
pub(crate) fn add_to_linker(linker: &mut Linker<State>, program: &Program) -> Result<()> {
    wasi::add_to_linker(linker)?;
    // The same function may be imported twice.
    linker.allow_shadowing(true);
    for import in &program.imports {
        let Extern::Func(func) = import.kind else { continue };
        let signature = program.signature(func);
        let provider = match Provider::of(&import.module, &import.name, signature) {
            Some(provider @ (Provider::Harness(_) | Provider::Stub { .. })) => provider,
            Some(Provider::Wasi(_)) | None => continue,
        };
        let Some(ty) = function_type(linker.engine(), signature) else { continue };
        linker.func_new(&import.module, &import.name, ty, move |mut caller, args, results| {
            let args: Vec<Value> = args.iter().map(Value::from_wasmtime).collect();
            let answer = serve(&mut caller, |guest| provider.call(&args, guest))?;
            if let (Some(result), Some(value)) = (results.first_mut(), answer) {
                *result = number(value);
            }
            Ok(())
        })?;
    }
    linker.allow_shadowing(false);
    Ok(())
}

/// The type of a function on numbers.
fn function_type(engine: &Engine, signature: &Signature) -> Option<FuncType> {
    let number = |ty: &wasmparser::ValType| match ty {
        wasmparser::ValType::I32 => Some(ValType::I32),
        wasmparser::ValType::I64 => Some(ValType::I64),
        wasmparser::ValType::F32 => Some(ValType::F32),
        wasmparser::ValType::F64 => Some(ValType::F64),
        _ => None,
    };
    let params: Option<Vec<ValType>> = signature.params.iter().map(number).collect();
    let results: Option<Vec<ValType>> = signature.results.iter().map(number).collect();
    Some(FuncType::new(engine, params?, results?))
}

fn number(value: Value) -> Val {
    match value {
        Value::I64(value) => Val::I64(value),
        Value::F32(bits) => Val::F32(bits),
        Value::F64(bits) => Val::F64(bits),
        value => Val::I32(value.bits() as i32),
    }
}

/// The memory that pointers of a program are into: that which it exports as `memory`, else its first.
fn memory(caller: &mut Caller<'_, State>) -> Option<Memory> {
    let named = caller.get_export("memory").and_then(Item::into_memory);
    let first = |caller: &mut Caller<'_, State>| {
        let name = std::mem::take(&mut caller.data_mut().first_memory);
        let found = [MEMORY, &name].into_iter().find_map(|name| caller.get_export(name)?.into_memory());
        caller.data_mut().first_memory = name;
        found
    };
    named.or_else(|| first(caller))
}

/// Serves a call of a program that wasmtime runs.
pub(crate) fn serve<T>(
    caller: &mut Caller<'_, State>,
    function: impl FnOnce(&mut Guest<'_>) -> CallResult<T>,
) -> Result<T> {
    let factor = if caller.data().symbolic.is_some() { FUEL_FACTOR } else { 1 };
    if factor > 1 {
        // Of other runs, a hook of the store has taken it.
        spend(caller, Limits::HOST_CALL_FUEL * factor)?;
    }
    let fuel = caller.get_fuel()? / factor;
    let exported = memory(caller);
    let (memory, state) = match &exported {
        Some(memory) => memory.data_and_store_mut(&mut *caller),
        None => (&mut [][..], caller.data_mut()),
    };
    let mut guest = Guest { memory, world: &mut state.world, fuel };
    let answer = function(&mut guest);
    let spent = fuel - guest.fuel;
    if spent > 0 {
        let left = caller.get_fuel()?.saturating_sub(spent * factor);
        caller.set_fuel(left)?;
    }
    match caller.data().checks {
        Some(_) => memory_safety::check_host_call(caller.data_mut())?,
        None => crate::symbolic::imports::apply(caller, exported)?,
    }
    answer.map_err(|fault| match fault {
        Fault::Pointer(_) if exported.is_none() => {
            format_err!("the program calls the host with a pointer but has no memory")
        }
        Fault::Pointer(address) => format_err!("pointer {address:#x} is outside the memory or not aligned"),
        Fault::Undefined => format_err!("an argument has a value that WASI does not define"),
        Fault::Errno(errno) => format_err!("error number {}", errno as u32),
        Fault::Exit(code) => Exit(code).into(),
        Fault::Failed { kind, reason } => Ended::Failed { kind, reason }.into(),
        Fault::Discarded(reason) => Ended::Discarded(reason).into(),
        Fault::Refused(reason) => format_err!("{reason}"),
        Fault::OutOfFuel => Trap::OutOfFuel.into(),
    })
}
