//! What is done with a descriptor.

use crate::imports::{Buffer, CallResult, Fault, Guest, flags};
use crate::path::Concretisation;
use crate::world::{Descriptor, Errno, FileStatus, NewTime, Offset, PREOPENED, Whence};

pub(super) fn fd_advise(
    guest: &mut Guest<'_>,
    fd: u32,
    _offset: u64,
    length: u64,
    advice: u32,
) -> CallResult {
    const ADVICES: u32 = 6;
    if advice >= ADVICES {
        return Err(Fault::Undefined);
    }
    guest.world.descriptors.file(fd)?;
    match i64::try_from(length) {
        Ok(_) => Ok(()),
        Err(_) => Err(Errno::Invalid.into()),
    }
}

pub(super) fn fd_allocate(guest: &mut Guest<'_>, fd: u32, _offset: u64, _length: u64) -> CallResult {
    guest.world.descriptors.file(fd)?;
    Err(Errno::NotSupported.into())
}

pub(super) fn fd_close(guest: &mut Guest<'_>, fd: u32) -> CallResult {
    Ok(guest.world.descriptors.close(fd)?)
}

pub(super) fn fd_datasync(guest: &mut Guest<'_>, fd: u32) -> CallResult {
    fd_sync(guest, fd)
}

pub(super) fn fd_sync(guest: &mut Guest<'_>, fd: u32) -> CallResult {
    guest.world.descriptors.file(fd)?;
    Ok(())
}

pub(super) fn fd_fdstat_get(guest: &mut Guest<'_>, fd: u32, result: u32) -> CallResult {
    let status = guest.world.descriptor_status(fd)?;
    let mut bytes = [0; 24];
    bytes[0] = status.file_type as u8;
    bytes[2..4].copy_from_slice(&status.flags.to_le_bytes());
    bytes[8..16].copy_from_slice(&status.rights.to_le_bytes());
    bytes[16..].copy_from_slice(&status.inherited.to_le_bytes());
    guest.put_aligned(result, 8, &bytes)
}

pub(super) fn fd_fdstat_set_flags(guest: &mut Guest<'_>, fd: u32, new_flags: u32) -> CallResult {
    Ok(guest.world.set_flags(fd, flags(new_flags, 5)?)?)
}

pub(super) fn fd_fdstat_set_rights(
    guest: &mut Guest<'_>,
    fd: u32,
    rights: u64,
    inherited: u64,
) -> CallResult {
    flags(rights, 30)?;
    flags(inherited, 30)?;
    guest.world.descriptors.node(fd)?;
    Err(Errno::NotSupported.into())
}

pub(super) fn fd_filestat_get(guest: &mut Guest<'_>, fd: u32, result: u32) -> CallResult {
    let status = guest.world.status(fd)?;
    put_status(guest, &status, result)
}

/// Writes what is known of a file. All are on one device, which has the number 0.
pub(super) fn put_status(guest: &mut Guest<'_>, status: &FileStatus, result: u32) -> CallResult {
    let FileStatus { inode, file_type, links, size, accessed, modified, changed } = *status;
    let words = [0, inode, file_type as u64, links, size, accessed, modified, changed];
    let mut bytes = [0; 64];
    for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    guest.put_aligned(result, 8, &bytes)
}

pub(super) fn fd_filestat_set_size(guest: &mut Guest<'_>, fd: u32, size: u64) -> CallResult {
    Ok(guest.world.set_size(fd, size)?)
}

pub(super) fn fd_filestat_set_times(
    guest: &mut Guest<'_>,
    fd: u32,
    accessed: u64,
    modified: u64,
    which: u32,
) -> CallResult {
    let (accessed, modified) = new_times(accessed, modified, which)?;
    Ok(guest.world.set_times(fd, accessed, modified)?)
}

/// Which times are to be set.
pub(super) fn new_times(accessed: u64, modified: u64, which: u32) -> CallResult<(NewTime, NewTime)> {
    let which = flags(which, 4)?;
    let has = |flag: u16| which & flag != 0;
    Ok((NewTime::from_flags(has(1), has(2), accessed)?, NewTime::from_flags(has(4), has(8), modified)?))
}

pub(super) fn fd_prestat_get(guest: &mut Guest<'_>, fd: u32, result: u32) -> CallResult {
    match guest.world.descriptors.get(fd)? {
        Descriptor::Directory(directory) if directory.preopened => {
            let mut bytes = [0; 8];
            bytes[4..].copy_from_slice(&(PREOPENED.len() as u32).to_le_bytes());
            guest.put_aligned(result, 4, &bytes)
        }
        _ => Err(Errno::BadDescriptor.into()),
    }
}

pub(super) fn fd_prestat_dir_name(guest: &mut Guest<'_>, fd: u32, path: u32, length: u32) -> CallResult {
    match guest.world.descriptors.get(fd)? {
        Descriptor::Directory(directory) if directory.preopened => {
            if PREOPENED.len() > length as usize {
                return Err(Errno::NameTooLong.into());
            }
            guest.put(path, PREOPENED.as_bytes())
        }
        _ => Err(Errno::NotDirectory.into()),
    }
}

pub(super) fn fd_read(guest: &mut Guest<'_>, fd: u32, buffers: u32, count: u32, result: u32) -> CallResult {
    let buffer = guest.first_buffer(buffers, count)?;
    let read = read(guest, fd, buffer, Offset::Current)?;
    guest.put_u32(result, read)
}

pub(super) fn fd_pread(
    guest: &mut Guest<'_>,
    fd: u32,
    buffers: u32,
    count: u32,
    offset: u64,
    result: u32,
) -> CallResult {
    let buffer = guest.first_buffer(buffers, count)?;
    let read = read(guest, fd, buffer, Offset::At(offset))?;
    guest.put_u32(result, read)
}

fn read(guest: &mut Guest<'_>, fd: u32, buffer: Buffer, offset: Offset) -> CallResult<u32> {
    // A descriptor that is not open is told first, a buffer outside of the memory then.
    guest.world.descriptors.get(fd)?;
    guest.place(buffer)?;
    let length = guest.world.begin_io(buffer.length, false)?;
    let place = guest.place(Buffer { length, ..buffer })?;
    let reading = guest.world.read(fd, &mut guest.memory[place], offset)?;
    guest.note_read(buffer.address, &reading);
    // It fits: so long is the buffer.
    Ok(reading.count as u32)
}

pub(super) fn fd_write(guest: &mut Guest<'_>, fd: u32, buffers: u32, count: u32, result: u32) -> CallResult {
    write(guest, fd, (buffers, count), Offset::Current, result)
}

pub(super) fn fd_pwrite(
    guest: &mut Guest<'_>,
    fd: u32,
    buffers: u32,
    count: u32,
    offset: u64,
    result: u32,
) -> CallResult {
    write(guest, fd, (buffers, count), Offset::At(offset), result)
}

fn write(
    guest: &mut Guest<'_>,
    fd: u32,
    (buffers, count): (u32, u32),
    offset: Offset,
    result: u32,
) -> CallResult {
    let buffer = guest.first_buffer(buffers, count)?;
    guest.world.descriptors.get(fd)?;
    guest.place(buffer)?;
    let length = guest.world.begin_io(buffer.length, true)?;
    let buffer = Buffer { length, ..buffer };
    let place = guest.place(buffer)?;
    let written = guest.world.write(fd, &guest.memory[place], offset)?;
    if let Descriptor::File(_) = guest.world.descriptors.get(fd)? {
        // Files hold numbers.
        guest.note_bytes(buffer, Concretisation::File)?;
    }
    guest.put_u32(result, written as u32)
}

pub(super) fn fd_seek(guest: &mut Guest<'_>, fd: u32, by: u64, whence: u32, result: u32) -> CallResult {
    let whence = match whence {
        0 => Whence::Start,
        1 => Whence::Current,
        2 => Whence::End,
        _ => return Err(Fault::Undefined),
    };
    let position = guest.world.seek(fd, by as i64, whence)?;
    guest.put_u64(result, position)
}

pub(super) fn fd_tell(guest: &mut Guest<'_>, fd: u32, result: u32) -> CallResult {
    let position = guest.world.position(fd)?;
    guest.put_u64(result, position)
}

pub(super) fn fd_renumber(guest: &mut Guest<'_>, from: u32, to: u32) -> CallResult {
    Ok(guest.world.descriptors.renumber(from, to)?)
}
