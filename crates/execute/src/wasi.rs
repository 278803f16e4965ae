//! What the program may import: WASI preview 1, on a world without the host behind it.
//!
//! `world.rs` knows the answers; here a call's arguments are read from the program's memory, checked, and the results written
//! there. The functions are for everybody who has a memory as bytes: wasmtime's programs by [`add_to_linker`], the reference
//! interpreter's by [`call`].

mod arguments;
mod descriptors;
mod paths;
mod polling;

use crate::Value;
use crate::imports::{CallResult, Fault, Guest, serve};
use crate::sandbox::State;
use coax_program::Program;
use wasmparser::ValType;
use wasmtime::{Caller, Linker, Result};

const MODULE: &str = "wasi_snapshot_preview1";

/// A type that WASI's functions take.
trait Param: Sized {
    const TYPE: ValType;
    fn from_value(value: &Value) -> Option<Self>;
}

impl Param for u32 {
    const TYPE: ValType = ValType::I32;
    fn from_value(value: &Value) -> Option<u32> {
        if let Value::I32(value) = value { Some(*value as u32) } else { None }
    }
}

impl Param for u64 {
    const TYPE: ValType = ValType::I64;
    fn from_value(value: &Value) -> Option<u64> {
        if let Value::I64(value) = value { Some(*value as u64) } else { None }
    }
}

/// All functions that return an error number: where they are and what they take.
macro_rules! functions {
    ($($place:ident :: $name:ident ($($param:ident: $type:ty),*))*) => {
        fn add_functions(linker: &mut Linker<State>) -> Result<()> {
            $(linker.func_wrap(MODULE, stringify!($name), |mut caller: Caller<'_, State>, $($param: $type),*| {
                serve(&mut caller, |guest| errno($place::$name(guest, $($param),*)))
            })?;)*
            Ok(())
        }

        /// The parameters of a function; none if there is no such function. It has a result unless it is `proc_exit`.
        pub(crate) fn params(name: &str) -> Option<&'static [ValType]> {
            match name {
                $(stringify!($name) => Some(&[$(<$type>::TYPE),*]),)*
                "proc_exit" => Some(&[ValType::I32]),
                _ => None,
            }
        }

        /// What a function returns.
        pub(crate) fn results(name: &str) -> &'static [ValType] {
            if name == "proc_exit" { &[] } else { &[ValType::I32] }
        }

        /// Calls a function by its name, which returns an error number or nothing; none if it does not exist or takes something
        /// else.
        pub(crate) fn call(name: &str, args: &[Value], guest: &mut Guest<'_>) -> Option<CallResult<Option<u32>>> {
            let mut args = args.iter();
            Some(match name {
                $(stringify!($name) => {
                    $(let $param = <$type>::from_value(args.next()?)?;)*
                    errno($place::$name(guest, $($param),*)).map(Some)
                })*
                "proc_exit" => Err(Fault::Exit(u32::from_value(args.next()?)?)),
                _ => return None,
            })
        }
    };
}

functions! {
    arguments::args_get(pointers: u32, bytes: u32)
    arguments::args_sizes_get(count: u32, size: u32)
    arguments::environ_get(pointers: u32, bytes: u32)
    arguments::environ_sizes_get(count: u32, size: u32)
    arguments::clock_res_get(clock: u32, result: u32)
    arguments::clock_time_get(clock: u32, precision: u64, result: u32)
    arguments::random_get(buffer: u32, length: u32)
    arguments::sched_yield()
    arguments::proc_raise(signal: u32)
    arguments::sock_accept(fd: u32, flags: u32, result: u32)
    arguments::sock_recv(fd: u32, buffers: u32, count: u32, flags: u32, read: u32, result_flags: u32)
    arguments::sock_send(fd: u32, buffers: u32, count: u32, flags: u32, written: u32)
    arguments::sock_shutdown(fd: u32, how: u32)
    descriptors::fd_advise(fd: u32, offset: u64, length: u64, advice: u32)
    descriptors::fd_allocate(fd: u32, offset: u64, length: u64)
    descriptors::fd_close(fd: u32)
    descriptors::fd_datasync(fd: u32)
    descriptors::fd_sync(fd: u32)
    descriptors::fd_fdstat_get(fd: u32, result: u32)
    descriptors::fd_fdstat_set_flags(fd: u32, flags: u32)
    descriptors::fd_fdstat_set_rights(fd: u32, rights: u64, inherited: u64)
    descriptors::fd_filestat_get(fd: u32, result: u32)
    descriptors::fd_filestat_set_size(fd: u32, size: u64)
    descriptors::fd_filestat_set_times(fd: u32, accessed: u64, modified: u64, flags: u32)
    descriptors::fd_prestat_get(fd: u32, result: u32)
    descriptors::fd_prestat_dir_name(fd: u32, path: u32, length: u32)
    descriptors::fd_read(fd: u32, buffers: u32, count: u32, result: u32)
    descriptors::fd_pread(fd: u32, buffers: u32, count: u32, offset: u64, result: u32)
    descriptors::fd_write(fd: u32, buffers: u32, count: u32, result: u32)
    descriptors::fd_pwrite(fd: u32, buffers: u32, count: u32, offset: u64, result: u32)
    descriptors::fd_seek(fd: u32, by: u64, whence: u32, result: u32)
    descriptors::fd_tell(fd: u32, result: u32)
    descriptors::fd_renumber(from: u32, to: u32)
    paths::fd_readdir(fd: u32, buffer: u32, length: u32, cookie: u64, result: u32)
    paths::path_create_directory(fd: u32, path: u32, length: u32)
    paths::path_filestat_get(fd: u32, lookup: u32, path: u32, length: u32, result: u32)
    paths::path_filestat_set_times(fd: u32, lookup: u32, path: u32, length: u32, accessed: u64, modified: u64, flags: u32)
    paths::path_link(old_fd: u32, lookup: u32, old_path: u32, old_length: u32, fd: u32, path: u32, length: u32)
    paths::path_open(fd: u32, lookup: u32, path: u32, length: u32, flags: u32, base: u64, inherited: u64, fd_flags: u32, result: u32)
    paths::path_readlink(fd: u32, path: u32, length: u32, buffer: u32, buffer_length: u32, result: u32)
    paths::path_remove_directory(fd: u32, path: u32, length: u32)
    paths::path_rename(old_fd: u32, old_path: u32, old_length: u32, fd: u32, path: u32, length: u32)
    paths::path_symlink(target: u32, target_length: u32, fd: u32, path: u32, length: u32)
    paths::path_unlink_file(fd: u32, path: u32, length: u32)
    polling::poll_oneoff(subscriptions: u32, events: u32, count: u32, result: u32)
}

/// The error number that a function returns.
fn errno(answer: CallResult) -> CallResult<u32> {
    match answer {
        Ok(()) => Ok(0),
        Err(Fault::Errno(errno)) => Ok(errno as u32),
        Err(fault) => Err(fault),
    }
}

/// Adds all functions.
pub(crate) fn add_to_linker(linker: &mut Linker<State>) -> Result<()> {
    add_functions(linker)?;
    linker.func_wrap(MODULE, "proc_exit", |mut caller: Caller<'_, State>, code: u32| {
        serve(&mut caller, |_| -> CallResult { Err(Fault::Exit(code)) })
    })?;
    Ok(())
}

/// Whether this module is the one that WASI's functions are imported from.
pub(crate) fn is_wasi(module: &str) -> bool {
    module == MODULE
}

/// Whether a program can see files: by opening, naming or listing them.
pub(crate) fn sees_files(program: &Program) -> bool {
    let about_files =
        |name: &str| ["path_", "fd_prestat_", "fd_readdir"].iter().any(|start| name.starts_with(start));
    program.imports.iter().any(|import| is_wasi(&import.module) && about_files(&import.name))
}
