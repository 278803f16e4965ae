//! Arguments, environment, clocks, random numbers, and what there is not: signals and sockets.

use crate::imports::{Buffer, CallResult, Fault, Guest, flags};
use crate::world::{ClockId, Errno, TICK, Text, World};

pub(super) fn args_get(guest: &mut Guest<'_>, pointers: u32, bytes: u32) -> CallResult {
    put_strings(guest, |world| &mut world.arguments, pointers, bytes)
}

pub(super) fn args_sizes_get(guest: &mut Guest<'_>, count: u32, size: u32) -> CallResult {
    put_sizes(guest, |world| &mut world.arguments, count, size)
}

pub(super) fn environ_get(guest: &mut Guest<'_>, pointers: u32, bytes: u32) -> CallResult {
    put_strings(guest, |world| &mut world.environment, pointers, bytes)
}

pub(super) fn environ_sizes_get(guest: &mut Guest<'_>, count: u32, size: u32) -> CallResult {
    put_sizes(guest, |world| &mut world.environment, count, size)
}

/// Arguments or environment.
type Strings = fn(&mut World) -> &mut Vec<Text>;

/// Writes strings, each with a zero byte at its end, and where they begin.
fn put_strings(guest: &mut Guest<'_>, of: Strings, mut pointers: u32, mut bytes: u32) -> CallResult {
    // Out of the world while the rest of the guest is written to.
    let strings = std::mem::take(of(guest.world));
    let answer = strings.iter().try_for_each(|string| {
        guest.put_u32(pointers, bytes)?;
        guest.put(bytes, &string.bytes)?;
        if let Some(source) = &string.source {
            guest.note_input(bytes, string.bytes.len(), source, 0);
        }
        bytes = bytes.saturating_add(string.bytes.len() as u32);
        guest.put(bytes, &[0])?;
        (pointers, bytes) = (pointers.saturating_add(4), bytes.saturating_add(1));
        Ok(())
    });
    *of(guest.world) = strings;
    answer
}

/// Writes how many strings there are, and how many bytes with their ends.
fn put_sizes(guest: &mut Guest<'_>, of: Strings, count: u32, size: u32) -> CallResult {
    let strings = of(guest.world);
    let bytes: usize = strings.iter().map(|string| string.bytes.len() + 1).sum();
    let strings = strings.len();
    guest.put_u32(count, strings as u32)?;
    guest.put_u32(size, bytes as u32)
}

pub(super) fn clock_res_get(guest: &mut Guest<'_>, clock: u32, result: u32) -> CallResult {
    match ClockId::from_number(clock).ok_or(Fault::Undefined)? {
        ClockId::Cpu => Err(Errno::BadDescriptor.into()),
        _ => guest.put_u64(result, TICK),
    }
}

pub(super) fn clock_time_get(guest: &mut Guest<'_>, clock: u32, _precision: u64, result: u32) -> CallResult {
    let clock = ClockId::from_number(clock).ok_or(Fault::Undefined)?;
    let time = guest.world.clock.read(clock)?;
    guest.put_u64(result, time)
}

pub(super) fn random_get(guest: &mut Guest<'_>, address: u32, length: u32) -> CallResult {
    let place = guest.place(Buffer { address, length })?;
    guest.charge(length.into())?;
    guest.world.random.fill(&mut guest.memory[place]);
    guest.note_written(address, length as usize);
    Ok(())
}

pub(super) fn sched_yield(_: &mut Guest<'_>) -> CallResult {
    Ok(())
}

pub(super) fn proc_raise(_: &mut Guest<'_>, signal: u32) -> CallResult {
    const SIGNALS: u32 = 31;
    Err(if signal < SIGNALS { Errno::NotSupported.into() } else { Fault::Undefined })
}

pub(super) fn sock_accept(guest: &mut Guest<'_>, fd: u32, fd_flags: u32, _result: u32) -> CallResult {
    flags(fd_flags, 5)?;
    no_socket(guest, fd)
}

pub(super) fn sock_recv(
    guest: &mut Guest<'_>,
    fd: u32,
    _buffers: u32,
    _count: u32,
    read_flags: u32,
    _read: u32,
    _result_flags: u32,
) -> CallResult {
    flags(read_flags, 2)?;
    no_socket(guest, fd)
}

pub(super) fn sock_send(
    guest: &mut Guest<'_>,
    fd: u32,
    _buffers: u32,
    _count: u32,
    _flags: u32,
    _written: u32,
) -> CallResult {
    no_socket(guest, fd)
}

pub(super) fn sock_shutdown(guest: &mut Guest<'_>, fd: u32, how: u32) -> CallResult {
    flags(how, 2)?;
    no_socket(guest, fd)
}

/// Whatever is open, it is no socket.
fn no_socket(guest: &Guest<'_>, fd: u32) -> CallResult {
    guest.world.descriptors.get(fd)?;
    Err(Errno::NotSocket.into())
}
