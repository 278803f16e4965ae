//! A host for instrumented modules that are only run on concrete values: nothing may ever reach it.

use super::layout::{HOST, HostFunction};
use wasmtime::{FuncType, Linker, ValType};

/// Gives instrumented modules a host that refuses every call: without symbolic values there must be none.
pub fn define_idle_host<T: 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    for function in HostFunction::all() {
        let (params, results) = function.arity();
        let ty = FuncType::new(linker.engine(), vec![ValType::I64; params], vec![ValType::I64; results]);
        linker.func_new(HOST, &function.name(), ty, move |_, _, _| {
            wasmtime::bail!("instrumented code called the host although nothing is symbolic")
        })?;
    }
    Ok(())
}
