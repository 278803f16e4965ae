//! wasmtime's own WASI, on a temporary directory of the host.
//!
//! Only wasm can call it, and it finds the caller's memory by its export: so there is a module that passes calls on.

use super::Answer;
use super::call::{Call, MEMORY};
use coax_execute::{Input, Value};
use std::fmt::Write;
use tempfile::TempDir;
use wasmtime::{Engine, Instance, InstancePre, Linker, Memory, Module, Store, Val};
use wasmtime_wasi::p1::{self, WasiP1Ctx};
use wasmtime_wasi::p2::pipe::{MemoryInputPipe, MemoryOutputPipe};
use wasmtime_wasi::{Deterministic, FsPerms, I32Exit, WasiCtxBuilder};

/// The functions that return an error number, and their parameters: `i` has 32 bits, `l` 64.
pub(super) const FUNCTIONS: [(&str, &str); 45] = [
    ("args_get", "ii"),
    ("args_sizes_get", "ii"),
    ("clock_res_get", "ii"),
    ("clock_time_get", "ili"),
    ("environ_get", "ii"),
    ("environ_sizes_get", "ii"),
    ("fd_advise", "illi"),
    ("fd_allocate", "ill"),
    ("fd_close", "i"),
    ("fd_datasync", "i"),
    ("fd_fdstat_get", "ii"),
    ("fd_fdstat_set_flags", "ii"),
    ("fd_fdstat_set_rights", "ill"),
    ("fd_filestat_get", "ii"),
    ("fd_filestat_set_size", "il"),
    ("fd_filestat_set_times", "illi"),
    ("fd_pread", "iiili"),
    ("fd_prestat_dir_name", "iii"),
    ("fd_prestat_get", "ii"),
    ("fd_pwrite", "iiili"),
    ("fd_read", "iiii"),
    ("fd_readdir", "iiili"),
    ("fd_renumber", "ii"),
    ("fd_seek", "ilii"),
    ("fd_sync", "i"),
    ("fd_tell", "ii"),
    ("fd_write", "iiii"),
    ("path_create_directory", "iii"),
    ("path_filestat_get", "iiiii"),
    ("path_filestat_set_times", "iiiilli"),
    ("path_link", "iiiiiii"),
    ("path_open", "iiiiillii"),
    ("path_readlink", "iiiiii"),
    ("path_remove_directory", "iii"),
    ("path_rename", "iiiiii"),
    ("path_symlink", "iiiii"),
    ("path_unlink_file", "iii"),
    ("poll_oneoff", "iiii"),
    ("proc_raise", "i"),
    ("random_get", "ii"),
    ("sched_yield", ""),
    ("sock_accept", "iii"),
    ("sock_recv", "iiiiii"),
    ("sock_send", "iiiii"),
    ("sock_shutdown", "ii"),
];

/// wasmtime, ready for any number of scenarios.
pub(super) struct Wasmtime {
    engine: Engine,
    module: InstancePre<WasiP1Ctx>,
}

/// The world of one scenario.
pub(super) struct Oracle {
    store: Store<WasiP1Ctx>,
    instance: Instance,
    memory: Memory,
    outputs: [MemoryOutputPipe; 2],
    _directory: TempDir,
}

impl Wasmtime {
    pub(super) fn new() -> anyhow::Result<Self> {
        let engine = Engine::default();
        let mut linker: Linker<WasiP1Ctx> = Linker::new(&engine);
        let anyhow = |error: wasmtime::Error| anyhow::anyhow!("{error:#}");
        p1::add_to_linker_sync(&mut linker, |context| context).map_err(anyhow)?;
        let module = Module::new(&engine, wat::parse_str(wat_of_module())?).map_err(anyhow)?;
        let module = linker.instantiate_pre(&module).map_err(anyhow)?;
        Ok(Wasmtime { engine, module })
    }

    /// A new world with the input's files.
    pub(super) fn start(&self, input: &Input) -> anyhow::Result<Oracle> {
        // Many small files: in memory where the system has a place for that.
        let in_memory = std::path::Path::new("/dev/shm");
        let directory =
            if in_memory.is_dir() { tempfile::tempdir_in(in_memory)? } else { tempfile::tempdir()? };
        for (path, data) in &input.files {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(directory.path()))?;
            std::fs::write(path, &data.0)?;
        }
        let outputs = [(); 2].map(|()| MemoryOutputPipe::new(1 << 20));
        let mut builder = WasiCtxBuilder::new();
        builder.allow_blocking_current_thread(true);
        builder.arg("program");
        for argument in &input.args {
            builder.arg(String::from_utf8_lossy(&argument.0));
        }
        for (name, value) in &input.env {
            builder.env(name, value);
        }
        builder.stdin(MemoryInputPipe::new(input.stdin.0.clone()));
        builder.stdout(outputs[0].clone()).stderr(outputs[1].clone());
        builder.secure_random(Deterministic::new(random_bytes(input.seed)));
        let anyhow = |error: wasmtime::Error| anyhow::anyhow!("{error:#}");
        builder.preopened_dir(directory.path(), "/", FsPerms::ReadWrite).map_err(anyhow)?;
        let mut store = Store::new(&self.engine, builder.build_p1());
        let instance = self.module.instantiate(&mut store).map_err(anyhow)?;
        let memory = instance.get_memory(&mut store, "memory");
        let memory = memory.ok_or_else(|| anyhow::anyhow!("the module has no memory"))?;
        Ok(Oracle { store, instance, memory, outputs, _directory: directory })
    }
}

impl Oracle {
    pub(super) fn call(&mut self, call: &Call, memory: &mut [u8]) -> anyhow::Result<Answer> {
        self.memory.data_mut(&mut self.store).copy_from_slice(memory);
        let function = self.instance.get_func(&mut self.store, call.name);
        let function = function.ok_or_else(|| anyhow::anyhow!("there is no {}", call.name))?;
        let args: Vec<Val> = call
            .args
            .iter()
            .map(|value| match value {
                Value::I64(value) => Val::I64(*value),
                Value::I32(value) => Val::I32(*value),
                _ => Val::I32(0),
            })
            .collect();
        let mut results = [Val::I32(0)];
        let count = function.ty(&self.store).results().len();
        let result = function.call(&mut self.store, &args, &mut results[..count]);
        memory.copy_from_slice(self.memory.data(&self.store));
        Ok(match (result, &results[0]) {
            (Ok(()), Val::I32(errno)) => Answer::Errno(*errno),
            (Err(error), _) => match error.downcast_ref::<I32Exit>() {
                Some(exit) => Answer::Exited(exit.0 as u32),
                None => Answer::Trapped,
            },
            (Ok(()), _) => Answer::Trapped,
        })
    }

    /// Standard output and standard error.
    pub(super) fn output(&self) -> (Vec<u8>, Vec<u8>) {
        (self.outputs[0].contents().to_vec(), self.outputs[1].contents().to_vec())
    }
}

/// A module that exports every function under its name, and passes the call on.
fn wat_of_module() -> String {
    let (mut imports, mut functions) = (String::new(), String::new());
    let mut add = |name: &str, params: &str, result: &str| {
        let types: String = params.chars().map(|kind| if kind == 'l' { " i64" } else { " i32" }).collect();
        let gets: String = (0..params.len()).fold(String::new(), |mut gets, index| {
            let _ = write!(gets, " local.get {index}");
            gets
        });
        let signature = format!("(param{types}) {result}");
        let _ =
            writeln!(imports, "(import \"wasi_snapshot_preview1\" \"{name}\" (func ${name} {signature}))");
        let _ = writeln!(functions, "(func (export \"{name}\") {signature}{gets} call ${name})");
    };
    for (name, params) in FUNCTIONS {
        add(name, params, "(result i32)");
    }
    add("proc_exit", "i", "");
    format!("(module {imports} (memory (export \"memory\") {}) {functions})", MEMORY >> 16)
}

/// What makes wasmtime's generator, which uses every fourth byte of a list over and over, give as many bytes of SplitMix64, as published, as
/// any scenario asks for.
fn random_bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let bytes = (0..1 << 14).flat_map(|_| next().to_le_bytes());
    bytes.flat_map(|byte| [0, 0, 0, byte]).collect()
}
