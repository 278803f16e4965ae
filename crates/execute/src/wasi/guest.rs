//! A call of WASI in progress: the caller's memory, its world, and what the call may cost.

use crate::world::{Errno, World};

/// The caller of a function.
pub(crate) struct Guest<'a> {
    /// The program's memory.
    pub(crate) memory: &'a mut [u8],
    pub(crate) world: &'a mut World,
    /// Where standard input goes.
    pub(crate) stdin: &'a mut StdinReads,
    /// The fuel that is left.
    pub(crate) fuel: u64,
}

/// Why a call does not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It fails, and the program is told.
    Errno(Errno),
    /// A pointer leads outside of the memory or is not aligned: WASI says that this traps.
    Pointer(u32),
    /// A flag or number that WASI does not define: wasmtime does not call the function at all, it traps.
    Undefined,
    /// The program asks for the end of the run.
    Exit(u32),
    /// The call is more work than there is fuel for.
    OutOfFuel,
}

impl From<Errno> for Fault {
    fn from(errno: Errno) -> Fault {
        Fault::Errno(errno)
    }
}

/// What a function answers.
pub(super) type Answer<T = ()> = Result<T, Fault>;

/// Bytes in memory: where they begin and how many they are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Buffer {
    pub(super) address: u32,
    pub(super) length: u32,
}

impl Guest<'_> {
    /// Takes fuel for work that the program makes the host do, on top of what the call itself costs.
    pub(super) fn charge(&mut self, fuel: u64) -> Answer {
        let left = self.fuel.checked_sub(fuel);
        self.fuel = left.unwrap_or(0);
        left.map(drop).ok_or(Fault::OutOfFuel)
    }

    /// Bytes of the memory.
    pub(super) fn bytes(&self, Buffer { address, length }: Buffer) -> Answer<&[u8]> {
        let start = address as usize;
        let end = start.checked_add(length as usize);
        end.and_then(|end| self.memory.get(start..end)).ok_or(Fault::Pointer(address))
    }

    /// A number of the memory, at an address that is a multiple of its size.
    pub(super) fn number<const N: usize>(&self, address: u32) -> Answer<[u8; N]> {
        let bytes = self.bytes(Buffer { address, length: N as u32 })?;
        let aligned = address.is_multiple_of(N as u32);
        bytes.try_into().ok().filter(|_| aligned).ok_or(Fault::Pointer(address))
    }

    pub(super) fn u32(&self, address: u32) -> Answer<u32> {
        self.number(address).map(u32::from_le_bytes)
    }

    /// A string, as all paths are.
    pub(super) fn string(&self, address: u32, length: u32) -> Answer<&str> {
        let bytes = self.bytes(Buffer { address, length })?;
        std::str::from_utf8(bytes).map_err(|_| Errno::IllegalByteSequence.into())
    }

    /// The first buffer of a list with anything in it: one call reads or writes no more than that.
    pub(super) fn first_buffer(&self, list: u32, count: u32) -> Answer<Buffer> {
        const SIZE: u32 = 8;
        for index in 0..count {
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
    pub(super) fn put(&mut self, address: u32, bytes: &[u8]) -> Answer {
        let start = address as usize;
        let place = start.checked_add(bytes.len()).and_then(|end| self.memory.get_mut(start..end));
        place.ok_or(Fault::Pointer(address))?.copy_from_slice(bytes);
        Ok(())
    }

    /// Writes what must be at a multiple of `alignment`.
    pub(super) fn put_aligned(&mut self, address: u32, alignment: u32, bytes: &[u8]) -> Answer {
        if !address.is_multiple_of(alignment) {
            return Err(Fault::Pointer(address));
        }
        self.put(address, bytes)
    }

    pub(super) fn put_u32(&mut self, address: u32, value: u32) -> Answer {
        self.put_aligned(address, 4, &value.to_le_bytes())
    }

    pub(super) fn put_u64(&mut self, address: u32, value: u64) -> Answer {
        self.put_aligned(address, 8, &value.to_le_bytes())
    }
}

/// Flags of which only the lowest are defined.
pub(super) fn flags(flags: impl Into<u64>, defined: u32) -> Answer<u16> {
    let flags = flags.into();
    match flags >> defined {
        0 => Ok(flags as u16),
        _ => Err(Fault::Undefined),
    }
}

/// Where bytes of standard input went.
#[derive(Default)]
pub(crate) struct StdinReads {
    /// How many bytes anybody wants to know of.
    pub(crate) noted: u64,
    /// How many bytes were read.
    position: u64,
    /// Reads that nobody has taken note of yet.
    pub(crate) reads: Vec<StdinRead>,
}

/// Bytes of standard input in memory.
pub(crate) struct StdinRead {
    pub(crate) address: u64,
    pub(crate) count: u64,
    /// Which byte of standard input the first is.
    pub(crate) offset: u64,
}

impl StdinReads {
    /// The next bytes of standard input are in memory.
    pub(crate) fn note(&mut self, address: u64, count: u64) {
        let noted = self.noted.saturating_sub(self.position).min(count);
        if noted > 0 {
            self.reads.push(StdinRead { address, count: noted, offset: self.position });
        }
        self.position += count;
    }
}
