//! What a program does with names: creating, opening, listing, linking, moving and removing.
//!
//! What is checked first, and so which of two errors is given, follows Linux, and wasmtime's way to call it.

use super::content::Bytes;
use super::descriptor::{Descriptor, OpenDirectory, OpenFile};
use super::path::{Last, check_name, check_path};
use super::status::{FileType, fd_flags};
use super::tree::{Content, Directory, NodeId};
use super::{Errno, World};

/// How to open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    pub(crate) last: Last,
    /// Create what is not there.
    pub(crate) create: bool,
    /// Fail unless it is a directory.
    pub(crate) directory: bool,
    /// With `create`: fail if it is there.
    pub(crate) exclusive: bool,
    /// Make it empty.
    pub(crate) truncate: bool,
    pub(crate) read: bool,
    pub(crate) write: bool,
    /// The descriptor's flags.
    pub(crate) flags: u16,
}

/// An entry of a directory, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) inode: u64,
    pub(crate) file_type: FileType,
    pub(crate) name: String,
}

impl World {
    /// Opens what a path leads to; returns its number.
    pub(crate) fn open(&mut self, fd: u32, path: &str, how: Opening) -> Result<u32, Errno> {
        let start = match self.descriptors.get(fd)? {
            Descriptor::Directory(directory) => directory.node,
            Descriptor::File(_) => return Err(Errno::NotDirectory),
            _ => return Err(Errno::BadDescriptor),
        };
        if how.flags & fd_flags::ANY_SYNC != 0 {
            return Err(Errno::NotSupported);
        }
        if how.directory && (how.create || how.exclusive || how.truncate) {
            return Err(Errno::Invalid);
        }
        let write = how.write || how.create || how.truncate;
        let node = if how.create {
            self.open_or_create(start, path, how)?
        } else {
            self.tree.find(start, path, how.last)?
        };
        let descriptor = match &self.tree.node(node).content {
            Content::Link(_) => return Err(Errno::Loop),
            Content::Directory(_) if write => return Err(Errno::IsDirectory),
            Content::Directory(_) => Descriptor::Directory(OpenDirectory { node, preopened: false }),
            Content::File(_) => {
                if how.truncate {
                    self.tree.file_mut(node)?.resize(0, &mut self.log)?;
                    self.touch(node);
                }
                if how.directory {
                    return Err(Errno::NotDirectory);
                }
                Descriptor::File(OpenFile {
                    node,
                    position: 0,
                    read: how.read || !how.write,
                    write,
                    append: how.flags & fd_flags::APPEND != 0,
                    nonblock: how.flags & fd_flags::NONBLOCK != 0,
                })
            }
        };
        self.descriptors.open(descriptor)
    }

    fn open_or_create(&mut self, start: NodeId, path: &str, how: Opening) -> Result<NodeId, Errno> {
        let last = if how.exclusive { Last::Keep } else { how.last };
        let place = self.tree.find_or_create(start, path, last)?;
        match (place.node, place.name) {
            (Some(_), _) if how.exclusive => Err(Errno::Exists),
            (Some(node), _) => Ok(node),
            (None, Some(name)) => self.create(place.parent, &name, Content::File(Bytes::default())),
            (None, None) => Err(Errno::NoEntry),
        }
    }

    /// The entries of a directory, in the order of their names; before them `.` and `..`, as wasmtime gives both.
    pub(crate) fn list(&mut self, fd: u32) -> Result<Vec<Listed>, Errno> {
        let node = self.descriptors.directory(fd)?;
        let inode = self.tree.number(node);
        let dots = [".", ".."];
        let mut listed =
            dots.map(|name| Listed { inode, file_type: FileType::Directory, name: name.into() }).to_vec();
        let entries: Vec<_> =
            self.tree.directory(node)?.entries.iter().map(|(name, &node)| (name.clone(), node)).collect();
        self.tree.know(node);
        for (name, node) in entries {
            let inode = self.tree.number(node);
            listed.push(Listed { inode, file_type: FileType::of(&self.tree.node(node).content), name });
        }
        Ok(listed)
    }

    pub(crate) fn create_directory(&mut self, fd: u32, path: &str) -> Result<(), Errno> {
        let start = self.descriptors.directory(fd)?;
        let (parent, name) = self.tree.parent(start, without_slashes(path))?;
        self.create(parent, name, Content::Directory(Directory::new(parent)))?;
        Ok(())
    }

    pub(crate) fn create_link(&mut self, target: &str, fd: u32, path: &str) -> Result<(), Errno> {
        let start = self.descriptors.directory(fd)?;
        if target.starts_with('/') {
            return Err(Errno::NotPermitted);
        }
        let (parent, name) = self.tree.parent(start, path)?;
        check_ends([target, name])?;
        check_path(target)?;
        self.create(parent, name, Content::Link(target.into()))?;
        Ok(())
    }

    /// What a symbolic link says.
    pub(crate) fn read_link(&self, fd: u32, path: &str) -> Result<&str, Errno> {
        let start = self.descriptors.directory(fd)?;
        let (parent, name) = self.tree.parent(start, path)?;
        match &self.tree.node(self.tree.find(parent, name, Last::Keep)?).content {
            Content::Link(target) => Ok(target),
            _ => Err(Errno::Invalid),
        }
    }

    /// Gives a file or symbolic link another name.
    pub(crate) fn hard_link(
        &mut self,
        (old_fd, old_path): (u32, &str),
        last: Last,
        (fd, path): (u32, &str),
    ) -> Result<(), Errno> {
        let (old_start, start) = (self.descriptors.directory(old_fd)?, self.descriptors.directory(fd)?);
        if last == Last::Follow {
            return Err(Errno::Invalid);
        }
        let (old_parent, old_name) = self.tree.parent(old_start, old_path)?;
        let (parent, name) = self.tree.parent(start, path)?;
        check_ends([old_name, name])?;
        let node = self.tree.find(old_parent, old_name, Last::Keep)?;
        check_new(name)?;
        self.tree.check_free(parent, name)?;
        if self.tree.is_directory(node) {
            return Err(Errno::NotPermitted);
        }
        self.tree.link(parent, name, node)?;
        self.touch(parent);
        Ok(())
    }

    pub(crate) fn remove_directory(&mut self, fd: u32, path: &str) -> Result<(), Errno> {
        let start = self.descriptors.directory(fd)?;
        let (parent, name) = self.tree.parent(start, path)?;
        if name == "." {
            return Err(Errno::Invalid);
        }
        let node = self.tree.find(parent, name, Last::Keep)?;
        if !self.tree.directory(node)?.entries.is_empty() {
            return Err(Errno::NotEmpty);
        }
        self.remove(parent, name)
    }

    /// Removes a file or symbolic link.
    pub(crate) fn unlink(&mut self, fd: u32, path: &str) -> Result<(), Errno> {
        let start = self.descriptors.directory(fd)?;
        let (parent, name) = self.tree.parent(start, path)?;
        if name == "." || self.tree.is_directory(self.tree.find(parent, name, Last::Keep)?) {
            return Err(Errno::IsDirectory);
        }
        self.remove(parent, name)
    }

    /// Moves something; whoever has the new name is replaced, if it is of the same kind.
    pub(crate) fn rename(
        &mut self,
        (old_fd, old_path): (u32, &str),
        (new_fd, new_path): (u32, &str),
    ) -> Result<(), Errno> {
        let (old_start, new_start) =
            (self.descriptors.directory(old_fd)?, self.descriptors.directory(new_fd)?);
        let wants_directory = old_path.ends_with('/') || new_path.ends_with('/');
        let old = self.tree.parent(old_start, without_slashes(old_path))?;
        let new = self.tree.parent(new_start, without_slashes(new_path))?;
        check_ends([old.1, new.1])?;
        if old.1 == "." || new.1 == "." {
            return Err(Errno::Busy);
        }
        let node = self.tree.find(old.0, old.1, Last::Keep)?;
        let replaced = self.tree.directory(new.0)?.entries.get(check_name(new.1)?).copied();
        replaced.into_iter().for_each(|replaced| self.tree.know(replaced));
        let is_directory = self.tree.is_directory(node);
        if wants_directory && !is_directory {
            return Err(Errno::NotDirectory);
        }
        if is_directory && self.tree.is_in(new.0, node) {
            return Err(Errno::Invalid);
        }
        if let Some(replaced) = replaced {
            if self.tree.is_in(old.0, replaced) {
                return Err(Errno::NotEmpty);
            }
            if replaced == node {
                return Ok(());
            }
            match (is_directory, self.tree.directory(replaced)) {
                (true, Err(_)) => return Err(Errno::NotDirectory),
                (false, Ok(_)) => return Err(Errno::IsDirectory),
                (true, Ok(directory)) if !directory.entries.is_empty() => return Err(Errno::NotEmpty),
                _ => self.tree.unlink(new.0, new.1)?,
            }
        } else {
            self.tree.check_free(new.0, new.1)?;
        }
        self.tree.move_entry(old, new)?;
        self.touch(old.0);
        self.touch(new.0);
        Ok(())
    }

    /// A new node, with the time of its creation.
    fn create(&mut self, parent: NodeId, name: &str, content: Content) -> Result<NodeId, Errno> {
        check_new(name)?;
        let node = self.tree.create(parent, name, content)?;
        self.touch(parent);
        self.touch(node);
        self.tree.node_mut(node).times.accessed = self.clock.unix_nanoseconds();
        Ok(node)
    }

    fn remove(&mut self, parent: NodeId, name: &str) -> Result<(), Errno> {
        self.tree.unlink(parent, name)?;
        self.touch(parent);
        Ok(())
    }
}

/// Two strings that the system can be given: neither ends before its end.
fn check_ends(strings: [&str; 2]) -> Result<(), Errno> {
    if strings.iter().any(|string| string.contains('\0')) { Err(Errno::Invalid) } else { Ok(()) }
}

/// A name that can be given: `.` is a directory that is there.
fn check_new(name: &str) -> Result<(), Errno> {
    if check_name(name)? == "." { Err(Errno::Exists) } else { Ok(()) }
}

/// A path that may name a directory with slashes behind, without them.
fn without_slashes(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => &path[..path.len().min(1)],
        path => path,
    }
}
