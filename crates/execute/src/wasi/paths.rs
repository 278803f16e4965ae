//! What is done with paths and directories.

use super::descriptors::{new_times, put_status};
use crate::imports::{CallResult, Guest, flags};
use crate::world::{Last, Listed, Opening, rights};

/// Fuel for each entry of a directory that is read.
const ENTRY_FUEL: u64 = 100;

/// Whether symbolic links are followed.
fn last(lookup: u32) -> CallResult<Last> {
    Ok(if flags(lookup, 1)? == 0 { Last::Keep } else { Last::Follow })
}

/// A path, as the world wants it while the memory is in other hands.
fn path(guest: &mut Guest<'_>, address: u32, length: u32) -> CallResult<String> {
    guest.string(address, length).map(str::to_owned)
}

/// A path in a directory. That this is none is told before anything is said of the path.
fn path_in(guest: &mut Guest<'_>, fd: u32, address: u32, length: u32) -> CallResult<String> {
    guest.world.descriptors.directory(fd)?;
    path(guest, address, length)
}

pub(super) fn fd_readdir(
    guest: &mut Guest<'_>,
    fd: u32,
    address: u32,
    length: u32,
    cookie: u64,
    result: u32,
) -> CallResult {
    let entries = guest.world.list(fd)?;
    guest.charge(entries.len() as u64 * ENTRY_FUEL)?;
    let mut bytes = Vec::new();
    for (entry, next) in entries.iter().zip(1..).skip(usize::try_from(cookie).unwrap_or(usize::MAX)) {
        if bytes.len() >= length as usize {
            break;
        }
        write_entry(entry, next, &mut bytes);
    }
    bytes.truncate(length as usize);
    guest.put(address, &bytes)?;
    guest.put_u32(result, bytes.len() as u32)
}

/// An entry as WASI has it: number of the next one, inode, length of the name, type, name.
fn write_entry(entry: &Listed, next: u64, to: &mut Vec<u8>) {
    to.extend(next.to_le_bytes());
    to.extend(entry.inode.to_le_bytes());
    to.extend((entry.name.len() as u32).to_le_bytes());
    to.extend([entry.file_type as u8, 0, 0, 0]);
    to.extend(entry.name.as_bytes());
}

pub(super) fn path_create_directory(guest: &mut Guest<'_>, fd: u32, address: u32, length: u32) -> CallResult {
    let path = path_in(guest, fd, address, length)?;
    Ok(guest.world.create_directory(fd, &path)?)
}

pub(super) fn path_filestat_get(
    guest: &mut Guest<'_>,
    fd: u32,
    lookup: u32,
    address: u32,
    length: u32,
    result: u32,
) -> CallResult {
    let last = last(lookup)?;
    let path = path_in(guest, fd, address, length)?;
    let status = guest.world.status_at(fd, &path, last)?;
    put_status(guest, &status, result)
}

#[expect(clippy::too_many_arguments, reason = "WASI's")]
pub(super) fn path_filestat_set_times(
    guest: &mut Guest<'_>,
    fd: u32,
    lookup: u32,
    address: u32,
    length: u32,
    accessed: u64,
    modified: u64,
    which: u32,
) -> CallResult {
    let last = last(lookup)?;
    let (accessed, modified) = new_times(accessed, modified, which)?;
    let path = path_in(guest, fd, address, length)?;
    Ok(guest.world.set_times_at(fd, &path, last, accessed, modified)?)
}

#[expect(clippy::too_many_arguments, reason = "WASI's")]
pub(super) fn path_link(
    guest: &mut Guest<'_>,
    old_fd: u32,
    lookup: u32,
    old_address: u32,
    old_length: u32,
    fd: u32,
    address: u32,
    length: u32,
) -> CallResult {
    let last = last(lookup)?;
    guest.world.descriptors.directory(old_fd)?;
    guest.world.descriptors.directory(fd)?;
    let old_path = path(guest, old_address, old_length)?;
    let path = path(guest, address, length)?;
    Ok(guest.world.hard_link((old_fd, &old_path), last, (fd, &path))?)
}

#[expect(clippy::too_many_arguments, reason = "WASI's")]
pub(super) fn path_open(
    guest: &mut Guest<'_>,
    fd: u32,
    lookup: u32,
    address: u32,
    length: u32,
    open_flags: u32,
    base: u64,
    inherited: u64,
    fd_flags: u32,
    result: u32,
) -> CallResult {
    let last = last(lookup)?;
    let open_flags = flags(open_flags, 4)?;
    flags(base, 30)?;
    flags(inherited, 30)?;
    let how = Opening {
        last,
        create: open_flags & 1 != 0,
        directory: open_flags & 2 != 0,
        exclusive: open_flags & 4 != 0,
        truncate: open_flags & 8 != 0,
        read: base & rights::READ != 0,
        write: base & rights::WRITE != 0,
        flags: flags(fd_flags, 5)?,
    };
    let path = path(guest, address, length)?;
    let opened = guest.world.open(fd, &path, how)?;
    guest.put_u32(result, opened)
}

pub(super) fn path_readlink(
    guest: &mut Guest<'_>,
    fd: u32,
    address: u32,
    length: u32,
    buffer: u32,
    buffer_length: u32,
    result: u32,
) -> CallResult {
    let path = path_in(guest, fd, address, length)?;
    let target = guest.world.read_link(fd, &path)?.to_owned();
    let kept = &target.as_bytes()[..target.len().min(buffer_length as usize)];
    guest.put(buffer, kept)?;
    guest.put_u32(result, kept.len() as u32)
}

pub(super) fn path_remove_directory(guest: &mut Guest<'_>, fd: u32, address: u32, length: u32) -> CallResult {
    let path = path_in(guest, fd, address, length)?;
    Ok(guest.world.remove_directory(fd, &path)?)
}

pub(super) fn path_rename(
    guest: &mut Guest<'_>,
    old_fd: u32,
    old_address: u32,
    old_length: u32,
    fd: u32,
    address: u32,
    length: u32,
) -> CallResult {
    guest.world.descriptors.directory(old_fd)?;
    guest.world.descriptors.directory(fd)?;
    let old_path = path(guest, old_address, old_length)?;
    let path = path(guest, address, length)?;
    Ok(guest.world.rename((old_fd, &old_path), (fd, &path))?)
}

pub(super) fn path_symlink(
    guest: &mut Guest<'_>,
    target: u32,
    target_length: u32,
    fd: u32,
    address: u32,
    length: u32,
) -> CallResult {
    guest.world.descriptors.directory(fd)?;
    let target = path(guest, target, target_length)?;
    let path = path(guest, address, length)?;
    Ok(guest.world.create_link(&target, fd, &path)?)
}

pub(super) fn path_unlink_file(guest: &mut Guest<'_>, fd: u32, address: u32, length: u32) -> CallResult {
    let path = path_in(guest, fd, address, length)?;
    Ok(guest.world.unlink(fd, &path)?)
}
