//! Arguments, environment, clocks, random numbers, and what there is not: signals and sockets.

use super::guest::{Answer, Buffer, Fault, Guest, flags};
use crate::world::{ClockId, Errno, TICK};

pub(super) fn args_get(guest: &mut Guest<'_>, pointers: u32, bytes: u32) -> Answer {
    let strings = std::mem::take(&mut guest.world.arguments);
    let answer = put_strings(guest, &strings, pointers, bytes);
    guest.world.arguments = strings;
    answer
}

pub(super) fn args_sizes_get(guest: &mut Guest<'_>, count: u32, size: u32) -> Answer {
    let sizes = sizes(&guest.world.arguments);
    put_sizes(guest, sizes, count, size)
}

pub(super) fn environ_get(guest: &mut Guest<'_>, pointers: u32, bytes: u32) -> Answer {
    let strings = std::mem::take(&mut guest.world.environment);
    let answer = put_strings(guest, &strings, pointers, bytes);
    guest.world.environment = strings;
    answer
}

pub(super) fn environ_sizes_get(guest: &mut Guest<'_>, count: u32, size: u32) -> Answer {
    let sizes = sizes(&guest.world.environment);
    put_sizes(guest, sizes, count, size)
}

/// Writes strings, each with a zero byte at its end, and where they begin.
fn put_strings(guest: &mut Guest<'_>, strings: &[String], mut pointers: u32, mut bytes: u32) -> Answer {
    for string in strings {
        guest.put_u32(pointers, bytes)?;
        guest.put(bytes, string.as_bytes())?;
        bytes = bytes.saturating_add(string.len() as u32);
        guest.put(bytes, &[0])?;
        (pointers, bytes) = (pointers.saturating_add(4), bytes.saturating_add(1));
    }
    Ok(())
}

/// How many strings there are, and how many bytes with their ends.
fn sizes(strings: &[String]) -> (u32, u32) {
    let bytes: usize = strings.iter().map(|string| string.len() + 1).sum();
    (strings.len() as u32, bytes as u32)
}

fn put_sizes(guest: &mut Guest<'_>, sizes: (u32, u32), count: u32, size: u32) -> Answer {
    guest.put_u32(count, sizes.0)?;
    guest.put_u32(size, sizes.1)
}

pub(super) fn clock_res_get(guest: &mut Guest<'_>, clock: u32, result: u32) -> Answer {
    match ClockId::from_number(clock).ok_or(Fault::Undefined)? {
        ClockId::Cpu => Err(Errno::BadDescriptor.into()),
        _ => guest.put_u64(result, TICK),
    }
}

pub(super) fn clock_time_get(guest: &mut Guest<'_>, clock: u32, _precision: u64, result: u32) -> Answer {
    let clock = ClockId::from_number(clock).ok_or(Fault::Undefined)?;
    let time = guest.world.clock.read(clock)?;
    guest.put_u64(result, time)
}

pub(super) fn random_get(guest: &mut Guest<'_>, address: u32, length: u32) -> Answer {
    guest.bytes(Buffer { address, length })?;
    let start = address as usize;
    guest.world.random.fill(&mut guest.memory[start..start + length as usize]);
    Ok(())
}

pub(super) fn sched_yield(_: &mut Guest<'_>) -> Answer {
    Ok(())
}

pub(super) fn proc_raise(_: &mut Guest<'_>, signal: u32) -> Answer {
    const SIGNALS: u32 = 31;
    Err(if signal < SIGNALS { Errno::NotSupported.into() } else { Fault::Undefined })
}

pub(super) fn sock_accept(guest: &mut Guest<'_>, fd: u32, fd_flags: u32, _result: u32) -> Answer {
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
) -> Answer {
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
) -> Answer {
    no_socket(guest, fd)
}

pub(super) fn sock_shutdown(guest: &mut Guest<'_>, fd: u32, how: u32) -> Answer {
    flags(how, 2)?;
    no_socket(guest, fd)
}

/// Whatever is open, it is no socket.
fn no_socket(guest: &Guest<'_>, fd: u32) -> Answer {
    guest.world.descriptors.get(fd)?;
    Err(Errno::NotSocket.into())
}
