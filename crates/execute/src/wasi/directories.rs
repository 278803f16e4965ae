//! Directories as the program sees them: in the order of the names, without the host's inode numbers,
//! and not larger than the limit of what may be written.

use super::{MODULE, charge, errno, host, in_tokio, put, split, u32_at, u64_at};
use crate::sandbox::State;
use wasmtime::{Caller, Linker, Result, format_err};
use wiggle::GuestMemory;

/// What a directory's entry costs of the bytes that may be written: a block, as most disks have it.
const ENTRY_BYTES: u64 = 4096;
/// Fuel for each entry of a directory that is read.
const ENTRY_FUEL: u64 = 100;

/// Adds what a program does with directories.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap(MODULE, "fd_readdir", fd_readdir)?;
    linker.func_wrap(MODULE, "path_open", path_open)?;
    linker.func_wrap(MODULE, "path_create_directory", path_create_directory)?;
    linker.func_wrap(MODULE, "path_symlink", path_symlink)?;
    linker.func_wrap(MODULE, "path_link", path_link)?;
    Ok(())
}

/// An entry of a directory.
struct Entry {
    inode: u64,
    file_type: u8,
    name: Vec<u8>,
}

impl Entry {
    /// Size of what stands before the name: number of the next entry, inode, length of the name, type.
    const HEADER: usize = 24;

    /// All entries of what the host gave.
    fn read_all(mut bytes: &[u8]) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        while !bytes.is_empty() {
            let end = Self::HEADER + u32_at(bytes, 16)? as usize;
            let name = bytes.get(Self::HEADER..end).ok_or_else(|| format_err!("a broken directory entry"))?;
            entries.push(Entry { inode: u64_at(bytes, 8)?, file_type: bytes[20], name: name.to_vec() });
            bytes = &bytes[end..];
        }
        Ok(entries)
    }

    fn write(&self, next: u64, inode: u64, to: &mut Vec<u8>) {
        to.extend(next.to_le_bytes());
        to.extend(inode.to_le_bytes());
        to.extend((self.name.len() as u32).to_le_bytes());
        to.extend([self.file_type, 0, 0, 0]);
        to.extend(&self.name);
    }
}

/// Reads a whole directory, sorted by name; the error is WASI's number.
fn entries(state: &mut State, fd: i32) -> Result<Result<Vec<Entry>, i32>> {
    const BUFFER: usize = 8;
    let mut room = 1 << 14;
    loop {
        // The host writes to a memory of ours, where the first word is the length of what it wrote.
        let mut memory = vec![0; BUFFER + room];
        let mut guest = GuestMemory::Unshared(&mut memory);
        let errno =
            in_tokio(host::fd_readdir(&mut state.wasi, &mut guest, fd, BUFFER as i32, room as i32, 0, 0))?;
        if errno != errno::SUCCESS {
            return Ok(Err(errno));
        }
        let length = u32_at(&memory, 0)? as usize;
        if length < room {
            let mut entries = Entry::read_all(&memory[BUFFER..BUFFER + length])?;
            entries.sort_by(|a, b| a.name.cmp(&b.name));
            return Ok(Ok(entries));
        }
        room *= 4;
    }
}

fn fd_readdir(
    mut caller: Caller<'_, State>,
    fd: i32,
    buffer: i32,
    length: i32,
    cookie: i64,
    result: i32,
) -> Result<i32> {
    let (_, state) = split(&mut caller)?;
    let entries = match entries(state, fd)? {
        Ok(entries) => entries,
        Err(errno) => return Ok(errno),
    };
    charge(&mut caller, entries.len() as u64 * ENTRY_FUEL)?;
    let (memory, state) = split(&mut caller)?;
    let length = length as u32 as usize;
    let mut bytes = Vec::new();
    for (entry, index) in entries.iter().zip(1u64..) {
        // All are numbered, from wherever the program reads, so that the numbers do not depend on that.
        let inode = state.inode(entry.inode);
        if index > cookie as u64 && bytes.len() < length {
            entry.write(index, inode, &mut bytes);
        }
    }
    bytes.truncate(length);
    put(memory, buffer as u32, &bytes)?;
    put(memory, result as u32, &(bytes.len() as u32).to_le_bytes())?;
    Ok(errno::SUCCESS)
}

#[expect(clippy::too_many_arguments, reason = "WASI's")]
fn path_open(
    mut caller: Caller<'_, State>,
    fd: i32,
    lookup: i32,
    path: i32,
    length: i32,
    flags: i32,
    rights: i64,
    inherited: i64,
    descriptor_flags: i32,
    result: i32,
) -> Result<i32> {
    const CREATE: i32 = 1;
    let (memory, state) = split(&mut caller)?;
    let creates = flags & CREATE != 0 && !exists(memory, state, fd, lookup, (path, length))?;
    if creates && !state.usage.may_write(ENTRY_BYTES) {
        return Ok(errno::NO_SPACE);
    }
    in_tokio(host::path_open(
        &mut state.wasi,
        &mut GuestMemory::Unshared(memory),
        fd,
        lookup,
        path,
        length,
        flags,
        rights,
        inherited,
        descriptor_flags,
        result,
    ))
}

/// Whether there is a file of this name (address and length in the program's memory).
fn exists(
    memory: &[u8],
    state: &mut State,
    fd: i32,
    lookup: i32,
    (path, length): (i32, i32),
) -> Result<bool> {
    const FILESTAT_SIZE: usize = 64;
    let start = path as u32 as usize;
    let Some(name) = memory.get(start..).and_then(|rest| rest.get(..length as u32 as usize)) else {
        return Ok(false);
    };
    let mut scratch = vec![0; FILESTAT_SIZE];
    scratch.extend(name);
    let mut guest = GuestMemory::Unshared(&mut scratch);
    let place = FILESTAT_SIZE as i32;
    let stat = host::path_filestat_get(&mut state.wasi, &mut guest, fd, lookup, place, length, 0);
    Ok(in_tokio(stat)? == errno::SUCCESS)
}

fn path_create_directory(mut caller: Caller<'_, State>, fd: i32, path: i32, length: i32) -> Result<i32> {
    let (memory, state) = split(&mut caller)?;
    if !state.usage.may_write(ENTRY_BYTES) {
        return Ok(errno::NO_SPACE);
    }
    let mut memory = GuestMemory::Unshared(memory);
    in_tokio(host::path_create_directory(&mut state.wasi, &mut memory, fd, path, length))
}

fn path_symlink(
    mut caller: Caller<'_, State>,
    target: i32,
    target_length: i32,
    fd: i32,
    path: i32,
    length: i32,
) -> Result<i32> {
    let (memory, state) = split(&mut caller)?;
    if !state.usage.may_write(ENTRY_BYTES) {
        return Ok(errno::NO_SPACE);
    }
    let mut memory = GuestMemory::Unshared(memory);
    in_tokio(host::path_symlink(&mut state.wasi, &mut memory, target, target_length, fd, path, length))
}

#[expect(clippy::too_many_arguments, reason = "WASI's")]
fn path_link(
    mut caller: Caller<'_, State>,
    old_fd: i32,
    lookup: i32,
    old_path: i32,
    old_length: i32,
    fd: i32,
    path: i32,
    length: i32,
) -> Result<i32> {
    let (memory, state) = split(&mut caller)?;
    if !state.usage.may_write(ENTRY_BYTES) {
        return Ok(errno::NO_SPACE);
    }
    let mut memory = GuestMemory::Unshared(memory);
    in_tokio(host::path_link(
        &mut state.wasi,
        &mut memory,
        old_fd,
        lookup,
        old_path,
        old_length,
        fd,
        path,
        length,
    ))
}
