//! A call of the host in progress: the caller's memory, its world, what is noted of it, and what it may cost.

use super::log::Item;
use crate::TrapKind;
use crate::path::Concretisation;
use crate::world::{Errno, Misfit, Piece, Reading, World};
use std::ops::Range;
use std::sync::Arc;

/// The caller of a function.
pub(crate) struct Guest<'a> {
    /// The program's memory. Who reads or writes it says so in the log.
    pub(crate) memory: &'a mut [u8],
    pub(crate) world: &'a mut World,
    /// The fuel that is left.
    pub(crate) fuel: u64,
}

/// Why a call does not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It fails, and the program is told.
    Errno(Errno),
    /// A pointer leads outside of the memory or is not aligned: WASI says that this traps.
    Pointer(u32),
    /// A flag or number that WASI does not define: wasmtime does not call the function at all, it traps.
    Undefined,
    /// The program asks for the end of the run.
    Exit(u32),
    /// The program says that it has failed.
    Failed { kind: TrapKind, reason: Option<String> },
    /// The program does not want this run to count.
    Discarded(String),
    /// The host cannot do what it is asked for.
    Refused(String),
    /// The call is more work than there is fuel for.
    OutOfFuel,
}

impl From<Errno> for Fault {
    fn from(errno: Errno) -> Fault {
        Fault::Errno(errno)
    }
}

impl From<Misfit> for Fault {
    fn from(misfit: Misfit) -> Fault {
        Fault::Refused(misfit.problem)
    }
}

/// What a function answers.
pub(crate) type CallResult<T = ()> = Result<T, Fault>;

/// Bytes in memory: where they begin and how many they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Buffer {
    pub(crate) address: u32,
    pub(crate) length: u32,
}

/// What a look at one buffer of a list costs.
const BUFFER_FUEL: u64 = 10;

impl Guest<'_> {
    /// Takes fuel for work that the program makes the host do, on top of what the call itself costs.
    pub(crate) fn charge(&mut self, fuel: u64) -> CallResult {
        let left = self.fuel.checked_sub(fuel);
        self.fuel = left.unwrap_or(0);
        left.map(drop).ok_or(Fault::OutOfFuel)
    }

    /// Where bytes of the memory are, if it has them.
    pub(crate) fn place(&self, Buffer { address, length }: Buffer) -> CallResult<Range<usize>> {
        let start = address as usize;
        let end = start.checked_add(length as usize).filter(|&end| end <= self.memory.len());
        end.map(|end| start..end).ok_or(Fault::Pointer(address))
    }

    /// A number of the memory, at an address that is a multiple of its size.
    pub(crate) fn number<const N: usize>(&mut self, address: u32) -> CallResult<[u8; N]> {
        let place = self.place(Buffer { address, length: N as u32 })?;
        if !address.is_multiple_of(N as u32) {
            return Err(Fault::Pointer(address));
        }
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.memory[place]);
        let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        self.world.log.add(|| Item::Number { address: address.into(), count: N as u8, bits });
        Ok(bytes)
    }

    pub(crate) fn u32(&mut self, address: u32) -> CallResult<u32> {
        self.number(address).map(u32::from_le_bytes)
    }

    /// A string, as all paths are.
    pub(crate) fn string(&mut self, address: u32, length: u32) -> CallResult<&str> {
        let buffer = Buffer { address, length };
        self.note_bytes(buffer, Concretisation::Import)?;
        let place = self.place(buffer)?;
        std::str::from_utf8(&self.memory[place]).map_err(|_| Errno::IllegalByteSequence.into())
    }

    /// What happens depends on each of these bytes.
    pub(crate) fn note_bytes(&mut self, buffer: Buffer, reason: Concretisation) -> CallResult {
        let place = self.place(buffer)?;
        let Guest { memory, world, .. } = self;
        let address = buffer.address.into();
        world.log.add(|| Item::Bytes { address, bytes: memory[place].to_vec(), reason });
        Ok(())
    }

    /// These bytes were written.
    pub(crate) fn note_written(&mut self, address: u32, count: usize) {
        if let Some(written) = &mut self.world.written {
            written.push((u64::from(address), count));
        }
        self.world.log.add(|| Item::Wrote { address: address.into(), count: count as u64 });
    }

    /// These bytes were written, and some of them are symbols.
    pub(crate) fn note_read(&mut self, address: u32, reading: &Reading) {
        self.note_written(address, reading.count);
        for Piece { start, count, source, offset } in &reading.pieces {
            self.note_input(address + *start as u32, *count, source, *offset);
        }
    }

    /// These bytes, which were written, are symbols.
    pub(crate) fn note_input(&mut self, address: u32, count: usize, source: &Arc<str>, offset: u64) {
        let Guest { memory, world, .. } = self;
        let start = address as usize;
        world.log.add(|| Item::Input {
            address: address.into(),
            bytes: memory[start..start + count].to_vec(),
            source: Arc::clone(source),
            offset,
        });
    }

    /// The first buffer of a list with anything in it: one call reads or writes no more than that.
    pub(crate) fn first_buffer(&mut self, list: u32, count: u32) -> CallResult<Buffer> {
        const SIZE: u32 = 8;
        for index in 0..count {
            self.charge(BUFFER_FUEL)?;
            let element = index.checked_mul(SIZE).and_then(|offset| list.checked_add(offset));
            let element = element.ok_or(Fault::Pointer(list))?;
            let (address, length) = (self.u32(element)?, self.u32(element + 4)?);
            if length > 0 {
                return Ok(Buffer { address, length });
            }
        }
        Ok(Buffer::default())
    }

    /// Writes bytes.
    pub(crate) fn put(&mut self, address: u32, bytes: &[u8]) -> CallResult {
        let start = address as usize;
        let place = start.checked_add(bytes.len()).and_then(|end| self.memory.get_mut(start..end));
        place.ok_or(Fault::Pointer(address))?.copy_from_slice(bytes);
        self.note_written(address, bytes.len());
        Ok(())
    }

    /// Writes what must be at a multiple of `alignment`.
    pub(crate) fn put_aligned(&mut self, address: u32, alignment: u32, bytes: &[u8]) -> CallResult {
        if !address.is_multiple_of(alignment) {
            return Err(Fault::Pointer(address));
        }
        self.put(address, bytes)
    }

    pub(crate) fn put_u32(&mut self, address: u32, value: u32) -> CallResult {
        self.put_aligned(address, 4, &value.to_le_bytes())
    }

    pub(crate) fn put_u64(&mut self, address: u32, value: u64) -> CallResult {
        self.put_aligned(address, 8, &value.to_le_bytes())
    }
}

/// Flags of which only the lowest are defined.
pub(crate) fn flags(flags: impl Into<u64>, defined: u32) -> CallResult<u16> {
    let flags = flags.into();
    match flags >> defined {
        0 => Ok(flags as u16),
        _ => Err(Fault::Undefined),
    }
}
