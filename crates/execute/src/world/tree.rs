//! Files, directories and symbolic links: nodes in an arena, named by directories.
//!
//! Nothing is freed before the run ends, so a descriptor's node stays what it is after its last name is gone. What a program
//! can add is limited by the space that it is given.

use super::Errno;
use super::content::Bytes;
use crate::imports::Log;
use std::cell::Cell;
use std::collections::BTreeMap;

/// What a directory's entry costs of the bytes that may be written: a block, as most disks have it.
const ENTRY_BYTES: u64 = 4096;

/// A file, directory or symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// The directory that everything is in.
pub(crate) const ROOT: NodeId = NodeId(0);

/// All nodes of a run.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// How many nodes have a number that the program knows.
    numbered: u64,
    /// The files of the input.
    placed: Vec<(String, NodeId, NodeId)>,
    /// Bytes that may still be written, and those of them that may be in files.
    space: u64,
    file_space: u64,
    /// How often something was refused for lack of space.
    pub(crate) refusals: u64,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) content: Content,
    /// In how many places it is named; for directories as Unix counts: itself, its name, the `..` of those in it.
    pub(crate) links: u64,
    pub(crate) times: Times,
    /// By which number the program knows it; zero if it has not asked yet.
    number: u64,
    /// Whether the program has asked for it by its name, or for the names of a directory that it is in.
    is_known: Cell<bool>,
}

#[derive(Debug)]
pub(crate) enum Content {
    File(Bytes),
    Directory(Directory),
    Link(String),
}

#[derive(Debug)]
pub(crate) struct Directory {
    pub(crate) entries: BTreeMap<String, NodeId>,
    pub(crate) parent: NodeId,
    /// A directory that was removed while it was open: nothing can be in it any more.
    pub(crate) removed: bool,
}

/// When a node was used, in nanoseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    pub(crate) accessed: u64,
    pub(crate) modified: u64,
    pub(crate) changed: u64,
}

impl Tree {
    /// An empty directory, and so much space, for streams and files together and for files alone.
    pub(crate) fn new(space: u64, file_space: u64) -> Self {
        let root = Node::new(Content::Directory(Directory::new(ROOT)), 2);
        Tree { nodes: vec![root], numbered: 0, placed: Vec::new(), space, file_space, refusals: 0 }
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// The directory that this node is.
    pub(crate) fn directory(&self, id: NodeId) -> Result<&Directory, Errno> {
        match &self.node(id).content {
            Content::Directory(directory) => Ok(directory),
            _ => Err(Errno::NotDirectory),
        }
    }

    pub(crate) fn directory_mut(&mut self, id: NodeId) -> Result<&mut Directory, Errno> {
        match &mut self.node_mut(id).content {
            Content::Directory(directory) => Ok(directory),
            _ => Err(Errno::NotDirectory),
        }
    }

    /// The file's bytes.
    pub(crate) fn file_mut(&mut self, id: NodeId) -> Result<&mut Bytes, Errno> {
        match &mut self.node_mut(id).content {
            Content::File(bytes) => Ok(bytes),
            _ => Err(Errno::BadDescriptor),
        }
    }

    pub(crate) fn is_directory(&self, id: NodeId) -> bool {
        matches!(self.node(id).content, Content::Directory(_))
    }

    /// The number by which the program knows a node: they are given in the order in which it asks.
    pub(crate) fn number(&mut self, id: NodeId) -> u64 {
        if self.node(id).number == 0 {
            self.numbered += 1;
            self.node_mut(id).number = self.numbered;
        }
        self.node(id).number
    }

    /// Takes some of the space for files.
    pub(crate) fn take_space(&mut self, bytes: u64) -> Result<(), Errno> {
        match self.file_space.checked_sub(bytes) {
            Some(left) => {
                self.take_stream_space(bytes)?;
                self.file_space = left;
                Ok(())
            }
            None => self.refuse(),
        }
    }

    /// Takes some of the space of what is written to a stream.
    pub(crate) fn take_stream_space(&mut self, bytes: u64) -> Result<(), Errno> {
        match self.space.checked_sub(bytes) {
            Some(left) => {
                self.space = left;
                Ok(())
            }
            None => self.refuse(),
        }
    }

    fn refuse(&mut self) -> Result<(), Errno> {
        self.refusals += 1;
        Err(Errno::NoSpace)
    }

    /// A new file of the input's, with the directories above it: not at the program's expense.
    pub(crate) fn place(&mut self, path: &str, bytes: Bytes) -> Result<(), Errno> {
        let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut at = ROOT;
        for part in directories.split('/').filter(|part| !part.is_empty()) {
            at = match self.directory(at)?.entries.get(part) {
                Some(&there) => there,
                None => self.add(at, part, Content::Directory(Directory::new(at)))?,
            };
        }
        let node = self.add(at, name, Content::File(bytes))?;
        self.placed.push((path.to_owned(), at, node));
        Ok(())
    }

    /// The program knows that this is there.
    pub(crate) fn know(&self, node: NodeId) {
        self.node(node).is_known.set(true);
    }

    /// The files of the input that it did not matter to the program to have: neither they nor a directory around them was asked for.
    pub(crate) fn unknown_files(&self) -> Vec<String> {
        let is_unknown = |&&(_, directory, file): &&(String, NodeId, NodeId)| {
            let mut around = directory;
            while around != ROOT && !self.node(around).is_known.get() {
                let Ok(Directory { parent, .. }) = self.directory(around) else { return false };
                around = *parent;
            }
            ![around, file].iter().any(|&node| self.node(node).is_known.get())
        };
        self.placed.iter().filter(is_unknown).map(|(path, ..)| path.clone()).collect()
    }

    /// A new node of the program's, which costs space.
    pub(crate) fn create(&mut self, parent: NodeId, name: &str, content: Content) -> Result<NodeId, Errno> {
        self.check_free(parent, name)?;
        self.take_space(ENTRY_BYTES)?;
        self.add(parent, name, content)
    }

    /// Another name for a node that has one, which costs space too.
    pub(crate) fn link(&mut self, parent: NodeId, name: &str, node: NodeId) -> Result<(), Errno> {
        self.check_free(parent, name)?;
        self.take_space(ENTRY_BYTES)?;
        self.directory_mut(parent)?.entries.insert(name.into(), node);
        self.node_mut(node).links += 1;
        Ok(())
    }

    /// Nothing is called so yet, and could be.
    pub(crate) fn check_free(&self, parent: NodeId, name: &str) -> Result<(), Errno> {
        let directory = self.directory(parent)?;
        if directory.removed {
            return Err(Errno::NoEntry);
        }
        match directory.entries.get(name) {
            Some(&there) => {
                self.know(there);
                Err(Errno::Exists)
            }
            None => Ok(()),
        }
    }

    /// Takes away a name; the node stays for those who have it open.
    pub(crate) fn unlink(&mut self, parent: NodeId, name: &str) -> Result<(), Errno> {
        let node = self.directory_mut(parent)?.entries.remove(name).ok_or(Errno::NoEntry)?;
        if let Content::Directory(directory) = &mut self.node_mut(node).content {
            directory.removed = true;
            self.node_mut(node).links = 0;
            self.node_mut(parent).links -= 1;
        } else {
            self.node_mut(node).links -= 1;
        }
        Ok(())
    }

    /// Gives a node another name; whoever had that name must be gone.
    pub(crate) fn move_entry(
        &mut self,
        (old_parent, old_name): (NodeId, &str),
        (new_parent, new_name): (NodeId, &str),
    ) -> Result<(), Errno> {
        let node = self.directory_mut(old_parent)?.entries.remove(old_name).ok_or(Errno::NoEntry)?;
        self.directory_mut(new_parent)?.entries.insert(new_name.into(), node);
        if let Content::Directory(directory) = &mut self.node_mut(node).content {
            directory.parent = new_parent;
            self.node_mut(old_parent).links -= 1;
            self.node_mut(new_parent).links += 1;
        }
        Ok(())
    }

    /// Whether a directory is another or somewhere in it.
    pub(crate) fn is_in(&self, mut inner: NodeId, outer: NodeId) -> bool {
        loop {
            if inner == outer {
                return true;
            }
            match &self.node(inner).content {
                Content::Directory(directory) if inner != ROOT => inner = directory.parent,
                _ => return false,
            }
        }
    }

    fn add(&mut self, parent: NodeId, name: &str, content: Content) -> Result<NodeId, Errno> {
        let id = NodeId(u32::try_from(self.nodes.len()).map_err(|_| Errno::NoSpace)?);
        self.directory_mut(parent)?.entries.insert(name.into(), id);
        let is_directory = matches!(content, Content::Directory(_));
        if is_directory {
            self.node_mut(parent).links += 1;
        }
        self.nodes.push(Node::new(content, if is_directory { 2 } else { 1 }));
        Ok(id)
    }
}

impl Node {
    fn new(content: Content, links: u64) -> Self {
        Node { content, links, times: Times::default(), number: 0, is_known: Cell::new(false) }
    }

    /// What `filestat` calls the size; whoever asks is going to make use of it.
    pub(crate) fn size(&mut self, log: &mut Log) -> u64 {
        match &mut self.content {
            Content::File(bytes) => bytes.settle_length(log),
            Content::Link(target) => target.len() as u64,
            Content::Directory(_) => 0,
        }
    }
}

impl Directory {
    pub(crate) fn new(parent: NodeId) -> Self {
        Directory { entries: BTreeMap::new(), parent, removed: false }
    }
}
