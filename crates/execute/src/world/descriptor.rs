//! What the program has open, by number.
//!
//! Numbers are given as wasmtime gives them, which is not the lowest that is free: programs should not care, and then see the same.

use super::Errno;
use super::tree::NodeId;

/// Something that is open.
#[derive(Debug)]
pub(crate) enum Descriptor {
    Stdin,
    Stdout,
    Stderr,
    Directory(OpenDirectory),
    File(OpenFile),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenDirectory {
    pub(crate) node: NodeId,
    /// Whether it was open from the start: the root.
    pub(crate) preopened: bool,
}

#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) node: NodeId,
    /// Where the next read or write begins.
    pub(crate) position: u64,
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) append: bool,
    /// Only remembered: nothing ever blocks.
    pub(crate) nonblock: bool,
}

/// All that is open.
#[derive(Debug)]
pub(crate) struct Descriptors {
    slots: Vec<Option<Descriptor>>,
    /// How many slots are free, so that they need not be looked for in vain.
    free: usize,
}

impl Descriptors {
    /// The standard streams, and the root if there are files.
    pub(crate) fn new(root: Option<NodeId>) -> Self {
        let root = root.map(|node| Descriptor::Directory(OpenDirectory { node, preopened: true }));
        let streams = [Descriptor::Stdin, Descriptor::Stdout, Descriptor::Stderr];
        Descriptors { slots: streams.into_iter().chain(root).map(Some).collect(), free: 0 }
    }

    /// Gives something that was opened a number: the highest that was closed, else one more.
    pub(crate) fn open(&mut self, descriptor: Descriptor) -> Result<u32, Errno> {
        let free = if self.free > 0 { self.slots.iter().rposition(Option::is_none) } else { None };
        let number = match free {
            Some(number) => {
                self.slots[number] = Some(descriptor);
                self.free -= 1;
                number
            }
            None => {
                self.slots.push(Some(descriptor));
                self.slots.len() - 1
            }
        };
        u32::try_from(number).map_err(|_| Errno::NoSpace)
    }

    pub(crate) fn get(&self, fd: u32) -> Result<&Descriptor, Errno> {
        self.slots.get(fd as usize).and_then(Option::as_ref).ok_or(Errno::BadDescriptor)
    }

    pub(crate) fn get_mut(&mut self, fd: u32) -> Result<&mut Descriptor, Errno> {
        self.slots.get_mut(fd as usize).and_then(Option::as_mut).ok_or(Errno::BadDescriptor)
    }

    pub(crate) fn file(&self, fd: u32) -> Result<&OpenFile, Errno> {
        match self.get(fd)? {
            Descriptor::File(file) => Ok(file),
            _ => Err(Errno::BadDescriptor),
        }
    }

    pub(crate) fn file_mut(&mut self, fd: u32) -> Result<&mut OpenFile, Errno> {
        match self.get_mut(fd)? {
            Descriptor::File(file) => Ok(file),
            _ => Err(Errno::BadDescriptor),
        }
    }

    pub(crate) fn directory(&self, fd: u32) -> Result<NodeId, Errno> {
        match self.get(fd)? {
            Descriptor::Directory(directory) => Ok(directory.node),
            _ => Err(Errno::BadDescriptor),
        }
    }

    /// What is a file or a directory.
    pub(crate) fn node(&self, fd: u32) -> Result<NodeId, Errno> {
        match self.get(fd)? {
            Descriptor::Directory(directory) => Ok(directory.node),
            Descriptor::File(file) => Ok(file.node),
            _ => Err(Errno::BadDescriptor),
        }
    }

    pub(crate) fn close(&mut self, fd: u32) -> Result<(), Errno> {
        self.take(fd).map(drop)
    }

    /// Moves what is open to another number that is in use, and closes what had it.
    pub(crate) fn renumber(&mut self, from: u32, to: u32) -> Result<(), Errno> {
        self.get(to)?;
        self.get(from)?;
        if from != to {
            let moved = self.take(from)?;
            *self.get_mut(to)? = moved;
        }
        Ok(())
    }

    fn take(&mut self, fd: u32) -> Result<Descriptor, Errno> {
        let descriptor =
            self.slots.get_mut(fd as usize).and_then(Option::take).ok_or(Errno::BadDescriptor)?;
        self.free += 1;
        Ok(descriptor)
    }
}
