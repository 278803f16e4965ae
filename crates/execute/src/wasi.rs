//! What the program may import: WASI preview 1, without the host behind it.
//!
//! wasmtime-wasi does the work. These functions are ours, because its own would show the host or hang:
//! * `poll_oneoff`: sleeping moves the virtual clock instead of waiting;
//! * `proc_exit`: every exit code is an outcome, also those that wasmtime calls invalid;
//! * `fd_read`: where standard input goes is noted, so that its bytes can have terms;
//! * `fd_write`, `fd_pwrite`: what is written is limited in sum, so that no program fills the disk;
//! * `fd_filestat_get`, `path_filestat_get`: no times, device and inode numbers of the host;
//! * what reads and fills directories: see `wasi/directories.rs`.

mod directories;

use crate::Limits;
use crate::sandbox::State;
use coax_program::Program;
use wasmtime::{AsContextMut, Caller, Extern, Linker, Result, Trap, bail, format_err};
use wasmtime_wasi::I32Exit;
use wasmtime_wasi::p1;
use wasmtime_wasi::p1::wasi_snapshot_preview1::{self as host, WasiSnapshotPreview1};
use wasmtime_wasi::runtime::in_tokio;
use wiggle::GuestMemory;

const MODULE: &str = "wasi_snapshot_preview1";

/// The number of standard input.
const STDIN: i32 = 0;

/// WASI's error numbers that are given here.
mod errno {
    pub(super) const SUCCESS: i32 = 0;
    pub(super) const INVALID: i32 = 28;
    pub(super) const NO_SPACE: i32 = 51;
}

/// Adds everything that a program may import.
pub(crate) fn add_to_linker(linker: &mut Linker<State>) -> Result<()> {
    p1::add_to_linker_sync(linker, |state| &mut state.wasi)?;
    linker.allow_shadowing(true);
    linker.func_wrap(MODULE, "proc_exit", |code: i32| -> Result<()> { Err(I32Exit(code).into()) })?;
    linker.func_wrap(MODULE, "poll_oneoff", poll_oneoff)?;
    linker.func_wrap(MODULE, "fd_read", fd_read)?;
    linker.func_wrap(MODULE, "fd_write", fd_write)?;
    linker.func_wrap(MODULE, "fd_pwrite", fd_pwrite)?;
    linker.func_wrap(MODULE, "fd_filestat_get", fd_filestat_get)?;
    linker.func_wrap(MODULE, "path_filestat_get", path_filestat_get)?;
    directories::add_to_linker(linker)?;
    linker.allow_shadowing(false);
    Ok(())
}

/// Whether a program can call this function of WASI.
pub(crate) fn is_imported(program: &Program, name: &str) -> bool {
    program.imports.iter().any(|import| import.module == MODULE && import.name == name)
}

/// Whether a program can see files: by opening, naming or listing them.
pub(crate) fn sees_files(program: &Program) -> bool {
    let about_files =
        |name: &str| ["path_", "fd_prestat_", "fd_readdir"].iter().any(|start| name.starts_with(start));
    program.imports.iter().any(|import| import.module == MODULE && about_files(&import.name))
}

/// Takes fuel for work that the program makes the host do, on top of what the call itself costs.
fn charge(caller: &mut Caller<'_, State>, fuel: u64) -> Result<()> {
    let left = caller.get_fuel()?.checked_sub(fuel);
    caller.set_fuel(left.unwrap_or(0))?;
    left.ok_or(Trap::OutOfFuel)?;
    Ok(())
}

/// The program's memory and everything else of the run.
fn split<'a>(caller: &'a mut Caller<'_, State>) -> Result<(&'a mut [u8], &'a mut State)> {
    let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
        bail!("the program calls WASI but does not export its memory as `memory`");
    };
    let fuel = caller.as_context_mut().hostcall_fuel();
    let (memory, state) = memory.data_and_store_mut(caller);
    // How much the host may copy in this call; wasmtime-wasi's own functions begin like this too.
    state.wasi.set_hostcall_fuel(fuel);
    Ok((memory, state))
}

/// Bytes of the program's memory; WASI says that a pointer outside traps.
fn bytes_at<const N: usize>(memory: &[u8], address: u32) -> Result<[u8; N]> {
    let start = address as usize;
    let bytes = start.checked_add(N).and_then(|end| memory.get(start..end));
    let array = bytes.and_then(|bytes| bytes.try_into().ok());
    array.ok_or_else(|| format_err!("pointer {address:#x} is outside the memory"))
}

fn u32_at(memory: &[u8], address: u32) -> Result<u32> {
    bytes_at(memory, address).map(u32::from_le_bytes)
}

fn u64_at(memory: &[u8], address: u32) -> Result<u64> {
    bytes_at(memory, address).map(u64::from_le_bytes)
}

fn put(memory: &mut [u8], address: u32, bytes: &[u8]) -> Result<()> {
    let start = address as usize;
    let place = start.checked_add(bytes.len()).and_then(|end| memory.get_mut(start..end));
    let place = place.ok_or_else(|| format_err!("pointer {address:#x} is outside the memory"))?;
    place.copy_from_slice(bytes);
    Ok(())
}

/// The address of element `index` of an array.
fn element(array: i32, index: u32, size: u32) -> u32 {
    (array as u32).wrapping_add(index.wrapping_mul(size))
}

/// How many bytes a write will write: the host takes the first buffer with anything in it.
fn write_length(memory: &[u8], buffers: i32, count: i32) -> Result<u64> {
    for index in 0..count as u32 {
        let length = u32_at(memory, element(buffers, index, 8).wrapping_add(4))?;
        if length > 0 {
            return Ok(length.into());
        }
    }
    Ok(0)
}

fn fd_read(mut caller: Caller<'_, State>, fd: i32, buffers: i32, count: i32, read: i32) -> Result<i32> {
    let (memory, state) = split(&mut caller)?;
    let mut guest = GuestMemory::Unshared(memory);
    let errno = in_tokio(host::fd_read(&mut state.wasi, &mut guest, fd, buffers, count, read))?;
    if fd == STDIN && errno == errno::SUCCESS {
        note_stdin(memory, state, buffers, count, read)?;
    }
    Ok(errno)
}

/// Notes where the bytes went that were read from standard input.
fn note_stdin(memory: &[u8], state: &mut State, buffers: i32, count: i32, read: i32) -> Result<()> {
    let mut left = u64::from(u32_at(memory, read as u32)?);
    for index in 0..count as u32 {
        let buffer = element(buffers, index, 8);
        let taken = left.min(u32_at(memory, buffer.wrapping_add(4))?.into());
        state.stdin.note(u32_at(memory, buffer)?.into(), taken);
        left -= taken;
    }
    Ok(())
}

fn fd_write(mut caller: Caller<'_, State>, fd: i32, buffers: i32, count: i32, written: i32) -> Result<i32> {
    let (memory, state) = split(&mut caller)?;
    if !state.usage.may_write(write_length(memory, buffers, count)?) {
        return Ok(errno::NO_SPACE);
    }
    in_tokio(host::fd_write(&mut state.wasi, &mut GuestMemory::Unshared(memory), fd, buffers, count, written))
}

fn fd_pwrite(
    mut caller: Caller<'_, State>,
    fd: i32,
    buffers: i32,
    count: i32,
    offset: i64,
    written: i32,
) -> Result<i32> {
    let (memory, state) = split(&mut caller)?;
    if !state.usage.may_write(write_length(memory, buffers, count)?) {
        return Ok(errno::NO_SPACE);
    }
    let mut memory = GuestMemory::Unshared(memory);
    in_tokio(host::fd_pwrite(&mut state.wasi, &mut memory, fd, buffers, count, offset, written))
}

fn fd_filestat_get(mut caller: Caller<'_, State>, fd: i32, result: i32) -> Result<i32> {
    let (memory, state) = split(&mut caller)?;
    let errno =
        in_tokio(host::fd_filestat_get(&mut state.wasi, &mut GuestMemory::Unshared(memory), fd, result))?;
    hide_host(errno, memory, state, result as u32)
}

fn path_filestat_get(
    mut caller: Caller<'_, State>,
    fd: i32,
    flags: i32,
    path: i32,
    length: i32,
    result: i32,
) -> Result<i32> {
    let (memory, state) = split(&mut caller)?;
    let mut guest = GuestMemory::Unshared(memory);
    let errno =
        in_tokio(host::path_filestat_get(&mut state.wasi, &mut guest, fd, flags, path, length, result))?;
    let (memory, state) = split(&mut caller)?;
    hide_host(errno, memory, state, result as u32)
}

/// Removes what a `filestat` says about the host: device, inode, and the times of access, change and
/// creation, which all become the start of 1970.
fn hide_host(errno: i32, memory: &mut [u8], state: &mut State, filestat: u32) -> Result<i32> {
    const DEVICE: u32 = 0;
    const INODE: u32 = 8;
    const TIMES: u32 = 40;
    if errno == errno::SUCCESS {
        let inode = u64_at(memory, filestat.wrapping_add(INODE))?;
        let number = state.inode(inode);
        put(memory, filestat.wrapping_add(DEVICE), &0u64.to_le_bytes())?;
        put(memory, filestat.wrapping_add(INODE), &number.to_le_bytes())?;
        put(memory, filestat.wrapping_add(TIMES), &[0; 24])?;
    }
    Ok(errno)
}

/// A subscription to a clock, read from its place in memory.
struct Alarm {
    user_data: u64,
    /// Nanoseconds from now until it rings.
    delay: u64,
}

/// What a program waits for in one element of `poll_oneoff`'s list.
fn alarm_at(memory: &[u8], subscription: u32, state: &State) -> Result<Option<Alarm>> {
    const SIZE: usize = 48;
    const CLOCK: u8 = 0;
    const REALTIME: u32 = 0;
    const ABSOLUTE: u8 = 1;
    let bytes: [u8; SIZE] = bytes_at(memory, subscription)?;
    if bytes[8] != CLOCK {
        return Ok(None);
    }
    let user_data = u64_at(&bytes, 0)?;
    let clock = u32_at(&bytes, 16)?;
    let timeout = u64_at(&bytes, 24)?;
    let now = if clock == REALTIME { state.clock.unix_nanoseconds() } else { state.clock.elapsed() };
    let absolute = bytes[40] & ABSOLUTE != 0;
    Ok(Some(Alarm { user_data, delay: if absolute { timeout.saturating_sub(now) } else { timeout } }))
}

fn poll_oneoff(
    mut caller: Caller<'_, State>,
    subscriptions: i32,
    events: i32,
    count: i32,
    result: i32,
) -> Result<i32> {
    const SUBSCRIPTION_SIZE: u32 = 48;
    const EVENT_SIZE: u32 = 32;
    if count == 0 {
        return Ok(errno::INVALID);
    }
    // Each subscription is as much work as a call of its own; the first is paid for by the call.
    charge(&mut caller, u64::from(count as u32 - 1) * Limits::HOST_CALL_FUEL)?;
    let (memory, state) = split(&mut caller)?;
    let alarms: Option<Vec<Alarm>> = (0..count as u32)
        .map(|index| alarm_at(memory, element(subscriptions, index, SUBSCRIPTION_SIZE), state))
        .collect::<Result<_>>()?;
    let Some(alarms) = alarms else {
        // Files and the streams of a run are ready at once, so this does not wait either.
        let mut memory = GuestMemory::Unshared(memory);
        return in_tokio(host::poll_oneoff(
            &mut state.wasi,
            &mut memory,
            subscriptions,
            events,
            count,
            result,
        ));
    };
    let delay = alarms.iter().map(|alarm| alarm.delay).min().unwrap_or(0);
    state.clock.sleep(delay);
    let mut rung = 0;
    for alarm in alarms.iter().filter(|alarm| alarm.delay <= delay) {
        // No error, and type 0 is a clock's event: only the user data is not zero.
        let mut event = [0; EVENT_SIZE as usize];
        event[..8].copy_from_slice(&alarm.user_data.to_le_bytes());
        put(memory, element(events, rung, EVENT_SIZE), &event)?;
        rung += 1;
    }
    put(memory, result as u32, &rung.to_le_bytes())?;
    Ok(errno::SUCCESS)
}
