//! The outside world of a run without its program: what the program may import, for who does not run it on wasmtime.
//!
//! wasmtime lets only wasm call functions of the host, and WASI finds the caller's memory by its export. So a small module is
//! made: the program's imports, a memory, and for each imported function one that passes the call on. Who calls copies memory
//! there and back. Slow, but it is the code that serves plain runs, so it does the same.

use crate::ending::Ending;
use crate::engine::engine;
use crate::sandbox::{State, StdinRead};
use crate::{Error, Input, Limits, Value, wasi};
use coax_program::{Extern, Func, Program};
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection, ImportSection,
    MemorySection, MemoryType, Module, TypeSection,
};
use wasmtime::{Instance, Linker, Memory, Store, Val};

/// What WASI calls the memory of its caller.
const MEMORY: &str = "memory";
/// The bytes of a wasm page.
const PAGE: u64 = 1 << 16;

/// The world of one run.
pub(crate) struct World {
    store: Store<State>,
    instance: Instance,
    memory: Memory,
}

/// Why a call of the host did not return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// The program asked for the end of the run, with this exit code.
    Exited(u32),
    /// The host refused the call, for this reason.
    Refused(String),
}

impl World {
    /// A new world for a run of the program on this input; it may take note of where standard input goes.
    pub(crate) fn new(
        program: &Program,
        input: &Input,
        note_stdin: u64,
        limits: &Limits,
    ) -> Result<World, Error> {
        let host = |error: wasmtime::Error| Error::Host(format!("{error:#}"));
        let engine = engine(limits.stack_bytes)?;
        let module = wasmtime::Module::new(&engine, passing_on(program)).map_err(host)?;
        let mut state = State::new(program, input, limits, 0)?;
        state.stdin.noted = note_stdin;
        let mut store = Store::new(&engine, state);
        store.set_fuel(u64::MAX).map_err(host)?;
        store.set_epoch_deadline(u64::MAX >> 1);
        let mut linker = Linker::new(&engine);
        wasi::add_to_linker(&mut linker).map_err(host)?;
        let instance = linker
            .instantiate(&mut store, &module)
            .map_err(|error| Error::BadImport(format!("{error:#}")))?;
        let memory = instance.get_memory(&mut store, MEMORY);
        let memory = memory.ok_or_else(|| Error::Host("a module without the memory it was given".into()))?;
        Ok(World { store, instance, memory })
    }

    /// The memory that calls see, of at least so many bytes: a multiple of wasm's pages.
    pub(crate) fn memory(&mut self, bytes: u64) -> Result<&mut [u8], Error> {
        let missing = bytes.div_ceil(PAGE).saturating_sub(self.memory.size(&self.store));
        self.memory.grow(&mut self.store, missing).map_err(|error| Error::Host(format!("{error:#}")))?;
        Ok(self.memory.data_mut(&mut self.store))
    }

    /// Calls an imported function with arguments of its types.
    pub(crate) fn call(&mut self, func: Func, args: &[Value]) -> Result<Vec<Value>, Left> {
        let refused = |what: &str| Left::Refused(what.to_string());
        let function = self.instance.get_func(&mut self.store, &func.0.to_string());
        let function = function.ok_or_else(|| refused("the program does not import this function"))?;
        let ty = function.ty(&self.store);
        let args: Vec<Val> = args.iter().zip(ty.params()).map(|(arg, ty)| arg.to_wasmtime(&ty)).collect();
        let mut results = vec![Val::I32(0); ty.results().len()];
        match function.call(&mut self.store, &args, &mut results) {
            Ok(()) => Ok(results.iter().map(Value::from_wasmtime).collect()),
            Err(error) => Err(match Ending::from_error(&error, &mut self.store) {
                Ending::Exited(code) => Left::Exited(code),
                _ => Left::Refused(error.root_cause().to_string()),
            }),
        }
    }

    /// Where standard input went in memory since the last time, if anybody wants to know.
    pub(crate) fn take_stdin_reads(&mut self) -> Vec<StdinRead> {
        std::mem::take(&mut self.store.data_mut().stdin.reads)
    }

    /// What was written to standard output and standard error since the last time.
    pub(crate) fn take_output(&mut self) -> (Vec<u8>, Vec<u8>) {
        self.store.data_mut().take_output()
    }
}

/// A module with the program's imported functions that exports, under the number of each, one that calls it.
fn passing_on(program: &Program) -> Vec<u8> {
    let (mut types, mut imports) = (TypeSection::new(), ImportSection::new());
    let (mut functions, mut exports, mut code) =
        (FunctionSection::new(), ExportSection::new(), CodeSection::new());
    let imported: Vec<_> = program
        .imports
        .iter()
        .filter_map(|import| match import.kind {
            Extern::Func(func) => Some((import, func)),
            _ => None,
        })
        .collect();
    let count = imported.len() as u32;
    for (index, (import, func)) in (0..).zip(imported) {
        let signature = program.signature(func);
        let encode = |types: &[wasmparser::ValType]| -> Vec<wasm_encoder::ValType> {
            let encoded = types.iter().map(|&ty| RoundtripReencoder.val_type(ty));
            encoded.map(|ty| ty.expect("types without indices stay as they are")).collect()
        };
        types.ty().function(encode(&signature.params), encode(&signature.results));
        imports.import(&import.module, &import.name, EntityType::Function(index));
        functions.function(index);
        exports.export(&func.0.to_string(), ExportKind::Func, count + index);
        let mut body = Function::new([]);
        (0..signature.params.len() as u32).for_each(|param| {
            body.instructions().local_get(param);
        });
        body.instructions().call(index).end();
        code.function(&body);
    }
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    exports.export(MEMORY, ExportKind::Memory, 0);
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&memories);
    module.section(&exports).section(&code);
    module.finish()
}
