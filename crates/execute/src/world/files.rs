//! Reading, writing and seeking.

use super::content::Reading;
use super::descriptor::Descriptor;
use super::tree::NodeId;
use super::{Errno, World};

/// The highest offset in a file.
const LAST_OFFSET: u64 = i64::MAX as u64;

/// Where a read or write begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offset {
    /// Where the last one ended; this one moves on.
    Current,
    /// Here, and the next one is not affected.
    At(u64),
}

/// What a seek counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whence {
    Start,
    Current,
    End,
}

impl World {
    /// Reads from a file or standard input.
    pub(crate) fn read(&mut self, fd: u32, buffer: &mut [u8], offset: Offset) -> Result<Reading, Errno> {
        match self.descriptors.get_mut(fd)? {
            Descriptor::Stdin if offset == Offset::Current => {
                let reading = self.stdin.read(self.stdin_position, buffer, &mut self.log);
                self.stdin_position += reading.count as u64;
                Ok(reading)
            }
            Descriptor::Stdin => Err(Errno::NotSeekable),
            Descriptor::File(file) => {
                let from = match offset {
                    Offset::Current => file.position,
                    Offset::At(offset) => offset,
                };
                check_offset(from)?;
                if !file.read {
                    return Err(Errno::BadDescriptor);
                }
                check_offset(from.saturating_add(buffer.len() as u64))?;
                let reading = self.tree.file_mut(file.node)?.read(from, buffer, &mut self.log);
                if offset == Offset::Current {
                    file.position += reading.count as u64;
                }
                Ok(reading)
            }
            _ => Err(Errno::BadDescriptor),
        }
    }

    /// Writes to a file or an output; returns how much.
    pub(crate) fn write(&mut self, fd: u32, bytes: &[u8], offset: Offset) -> Result<usize, Errno> {
        let (node, from) = match self.descriptors.get(fd)? {
            Descriptor::Stdout | Descriptor::Stderr if offset != Offset::Current => {
                return Err(Errno::NotSeekable);
            }
            Descriptor::Stdout => {
                self.tree.take_stream_space(bytes.len() as u64)?;
                self.stdout.append(bytes);
                return Ok(bytes.len());
            }
            Descriptor::Stderr => {
                self.tree.take_stream_space(bytes.len() as u64)?;
                self.stderr.append(bytes);
                return Ok(bytes.len());
            }
            Descriptor::File(file) => {
                let from = match offset {
                    _ if file.append => self.tree.node_mut(file.node).size(&mut self.log),
                    Offset::Current => file.position,
                    Offset::At(offset) => offset,
                };
                check_offset(from)?;
                if !file.write {
                    return Err(Errno::BadDescriptor);
                }
                check_offset(from.saturating_add(bytes.len() as u64))?;
                (file.node, from)
            }
            _ => return Err(Errno::BadDescriptor),
        };
        let end = self.write_file(node, from, bytes)?;
        if offset == Offset::Current {
            self.descriptors.file_mut(fd)?.position = end;
        }
        Ok(bytes.len())
    }

    /// Writes to a file; returns where what was written ends.
    fn write_file(&mut self, node: NodeId, from: u64, bytes: &[u8]) -> Result<u64, Errno> {
        if bytes.is_empty() {
            return Ok(from);
        }
        let end = from.checked_add(bytes.len() as u64).ok_or(Errno::NoSpace)?;
        // Whether the file gets longer depends on how long it is.
        let size = self.tree.node_mut(node).size(&mut self.log);
        self.tree.take_space(from.saturating_sub(size).saturating_add(bytes.len() as u64))?;
        let file = self.tree.file_mut(node)?;
        if end > size {
            file.resize(end, &mut self.log)?;
        }
        file.write(usize::try_from(from).map_err(|_| Errno::NoSpace)?, bytes);
        self.touch(node);
        Ok(end)
    }

    /// Makes a file longer, with zeros, or shorter.
    pub(crate) fn set_size(&mut self, fd: u32, size: u64) -> Result<(), Errno> {
        let file = self.descriptors.file(fd)?;
        if !file.write || size > LAST_OFFSET {
            return Err(Errno::Invalid);
        }
        let node = file.node;
        let old_size = self.tree.node_mut(node).size(&mut self.log);
        self.tree.take_space(size.saturating_sub(old_size))?;
        self.tree.file_mut(node)?.resize(size, &mut self.log)?;
        self.touch(node);
        Ok(())
    }

    /// Moves to another place of a file; returns which.
    pub(crate) fn seek(&mut self, fd: u32, by: i64, whence: Whence) -> Result<u64, Errno> {
        let position = self.position(fd)?;
        let node = self.descriptors.node(fd)?;
        let from = match whence {
            Whence::Start => 0,
            Whence::Current => position,
            Whence::End => self.tree.node_mut(node).size(&mut self.log),
        };
        let position = from.checked_add_signed(by).ok_or(Errno::Invalid)?;
        self.descriptors.file_mut(fd)?.position = position;
        Ok(position)
    }

    /// Where the next read or write of a file begins.
    pub(crate) fn position(&self, fd: u32) -> Result<u64, Errno> {
        match self.descriptors.get(fd)? {
            Descriptor::File(file) => Ok(file.position),
            Descriptor::Directory(_) => Err(Errno::BadDescriptor),
            _ => Err(Errno::NotSeekable),
        }
    }
}

/// An offset that the system can handle.
fn check_offset(offset: u64) -> Result<(), Errno> {
    if offset > LAST_OFFSET { Err(Errno::Invalid) } else { Ok(()) }
}
