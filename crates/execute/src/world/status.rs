//! What a program can learn of what it has open and of files: `fdstat` and `filestat`, and what it can change there.

use super::descriptor::Descriptor;
use super::path::Last;
use super::tree::{Content, NodeId};
use super::{Errno, World};

/// What kind of thing something is, in WASI's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileType {
    Unknown = 0,
    CharacterDevice = 2,
    Directory = 3,
    RegularFile = 4,
    SymbolicLink = 7,
}

/// Flags of a descriptor.
pub(crate) mod fd_flags {
    pub(crate) const APPEND: u16 = 1;
    pub(crate) const DATA_SYNC: u16 = 1 << 1;
    pub(crate) const NONBLOCK: u16 = 1 << 2;
    pub(crate) const READ_SYNC: u16 = 1 << 3;
    pub(crate) const SYNC: u16 = 1 << 4;
    /// The flags that want what is written to be on disk.
    pub(crate) const ANY_SYNC: u16 = DATA_SYNC | READ_SYNC | SYNC;
}

/// What may be done with a descriptor. Programs read them; only reading and writing are enforced.
pub(crate) mod rights {
    pub(crate) const READ: u64 = 1 << 1;
    pub(crate) const SEEK: u64 = 1 << 2;
    pub(crate) const WRITE: u64 = 1 << 6;
    pub(crate) const READ_DIRECTORY: u64 = 1 << 14;
    pub(crate) const PATH_SET_SIZE: u64 = 1 << 19;
    pub(crate) const SET_SIZE: u64 = 1 << 22;
    pub(crate) const ALL: u64 = (1 << 30) - 1;
    /// Of a directory that was open from the start: everything with paths, reading it, its times.
    pub(crate) const PREOPENED: u64 = 0b111 << 24 | 1 << 23 | 1 << 21 | 1 << 20 | 0x3ff << 9;
    /// And what files in it may be used for.
    pub(crate) const IN_PREOPENED: u64 = PREOPENED | 0x1ff | SET_SIZE | 1 << 27;
}

/// What is known of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DescriptorStatus {
    pub(crate) file_type: FileType,
    pub(crate) flags: u16,
    pub(crate) rights: u64,
    /// The rights of what is opened in it.
    pub(crate) inherited: u64,
}

/// What is known of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStatus {
    pub(crate) inode: u64,
    pub(crate) file_type: FileType,
    pub(crate) links: u64,
    pub(crate) size: u64,
    pub(crate) accessed: u64,
    pub(crate) modified: u64,
    pub(crate) changed: u64,
}

/// A time to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewTime {
    Same,
    Now,
    At(u64),
}

impl NewTime {
    /// What two flags and a time mean.
    pub(crate) fn from_flags(set: bool, now: bool, time: u64) -> Result<NewTime, Errno> {
        match (set, now) {
            (true, true) => Err(Errno::Invalid),
            (true, false) => Ok(NewTime::At(time)),
            (false, true) => Ok(NewTime::Now),
            (false, false) => Ok(NewTime::Same),
        }
    }
}

impl World {
    /// What is known of a descriptor. Outputs are terminals: what C libraries hold back for a file, a trap would lose.
    pub(crate) fn descriptor_status(&self, fd: u32) -> Result<DescriptorStatus, Errno> {
        let plain = |file_type, rights| DescriptorStatus { file_type, flags: 0, rights, inherited: rights };
        Ok(match self.descriptors.get(fd)? {
            Descriptor::Stdin => plain(FileType::Unknown, rights::READ),
            Descriptor::Stdout | Descriptor::Stderr => plain(FileType::CharacterDevice, rights::WRITE),
            Descriptor::Directory(directory) if directory.preopened => DescriptorStatus {
                inherited: rights::IN_PREOPENED,
                ..plain(FileType::Directory, rights::PREOPENED)
            },
            Descriptor::Directory(_) => {
                let not = rights::SEEK | rights::SET_SIZE | rights::PATH_SET_SIZE | rights::WRITE;
                plain(FileType::Directory, rights::ALL & !not)
            }
            Descriptor::File(file) => {
                let not_read = if file.read { 0 } else { rights::READ | rights::READ_DIRECTORY };
                let not_write = if file.write { 0 } else { rights::WRITE };
                let flag = |set, flag| if set { flag } else { 0 };
                let flags = flag(file.append, fd_flags::APPEND) | flag(file.nonblock, fd_flags::NONBLOCK);
                DescriptorStatus {
                    flags,
                    ..plain(FileType::RegularFile, rights::ALL & !not_read & !not_write)
                }
            }
        })
    }

    /// Changes the flags of a file.
    pub(crate) fn set_flags(&mut self, fd: u32, flags: u16) -> Result<(), Errno> {
        let file = self.descriptors.file_mut(fd)?;
        if flags & fd_flags::ANY_SYNC != 0 {
            return Err(Errno::Invalid);
        }
        file.append = flags & fd_flags::APPEND != 0;
        file.nonblock = flags & fd_flags::NONBLOCK != 0;
        Ok(())
    }

    /// What is known of an open file, directory or stream.
    pub(crate) fn status(&mut self, fd: u32) -> Result<FileStatus, Errno> {
        match self.descriptors.node(fd) {
            Ok(node) => Ok(self.node_status(node)),
            Err(_) => {
                let file_type = self.descriptor_status(fd)?.file_type;
                let nothing = FileStatus {
                    inode: 0,
                    file_type,
                    links: 0,
                    size: 0,
                    accessed: 0,
                    modified: 0,
                    changed: 0,
                };
                Ok(nothing)
            }
        }
    }

    /// What is known of what a path leads to.
    pub(crate) fn status_at(&mut self, fd: u32, path: &str, last: Last) -> Result<FileStatus, Errno> {
        let start = self.descriptors.directory(fd)?;
        // wasmtime looks up a lone name as it is, without what stands behind it: then `file/` is the file.
        let path = if last == Last::Keep { lone_name(path).unwrap_or(path) } else { path };
        let node = self.tree.find(start, path, last)?;
        Ok(self.node_status(node))
    }

    /// Sets the times of what is open.
    pub(crate) fn set_times(&mut self, fd: u32, accessed: NewTime, modified: NewTime) -> Result<(), Errno> {
        let node = self.descriptors.node(fd)?;
        self.set_node_times(node, accessed, modified);
        Ok(())
    }

    /// Sets the times of what a path leads to.
    pub(crate) fn set_times_at(
        &mut self,
        fd: u32,
        path: &str,
        last: Last,
        accessed: NewTime,
        modified: NewTime,
    ) -> Result<(), Errno> {
        let start = self.descriptors.directory(fd)?;
        let node = match last {
            Last::Follow => self.tree.find(start, path, last)?,
            Last::Keep => match self.tree.parent(start, path)? {
                (parent, ".") => parent,
                (parent, name) => self.tree.find(parent, name, last)?,
            },
        };
        self.set_node_times(node, accessed, modified);
        Ok(())
    }

    fn set_node_times(&mut self, node: NodeId, accessed: NewTime, modified: NewTime) {
        let now = self.clock.unix_nanoseconds();
        let set = |time: &mut u64, new| match new {
            NewTime::Same => {}
            NewTime::Now => *time = now,
            NewTime::At(new) => *time = new,
        };
        let times = &mut self.tree.node_mut(node).times;
        set(&mut times.accessed, accessed);
        set(&mut times.modified, modified);
        if (accessed, modified) != (NewTime::Same, NewTime::Same) {
            times.changed = now;
        }
    }

    fn node_status(&mut self, id: NodeId) -> FileStatus {
        let inode = self.tree.number(id);
        let node = self.tree.node_mut(id);
        let size = node.size(&mut self.log);
        FileStatus {
            inode,
            file_type: FileType::of(&node.content),
            links: node.links,
            size,
            accessed: node.times.accessed,
            modified: node.times.modified,
            changed: node.times.changed,
        }
    }
}

impl FileType {
    pub(crate) fn of(content: &Content) -> FileType {
        match content {
            Content::File(_) => FileType::RegularFile,
            Content::Directory(_) => FileType::Directory,
            Content::Link(_) => FileType::SymbolicLink,
        }
    }
}

/// The only name in a path, whatever slashes and dots follow it.
fn lone_name(path: &str) -> Option<&str> {
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    let lone = !matches!(name, "" | "." | "..") && rest.split('/').all(|part| matches!(part, "" | "."));
    lone.then_some(name)
}
