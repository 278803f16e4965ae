//! Where a path leads, beginning at an open directory: as Linux resolves it beneath that directory.
//!
//! No path leads out: one that would, by `..`, a slash at its start or a symbolic link, is not permitted.

use super::Errno;
use super::tree::{Content, NodeId, Tree};
use std::borrow::Cow;

/// The longest path, and one byte for its end.
const PATH_BYTES: usize = 4096;
/// The longest name.
const NAME_BYTES: usize = 255;
/// So many symbolic links are followed.
const LINKS: u32 = 40;

/// What becomes of the last part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    /// A symbolic link is followed.
    Follow,
    /// A symbolic link is what was asked for, unless a slash follows.
    Keep,
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The directory of the last name; of a path that ends in dots, the directory itself.
    pub(crate) parent: NodeId,
    /// The last name; none if the path ends in dots.
    pub(crate) name: Option<String>,
    /// What has that name.
    pub(crate) node: Option<NodeId>,
}

impl Tree {
    /// Follows a path to something that is there.
    pub(crate) fn find(&self, start: NodeId, path: &str, last: Last) -> Result<NodeId, Errno> {
        self.walk(start, path, last, false)?.node.ok_or(Errno::NoEntry)
    }

    /// Follows a path to something that is there or may be created: then its name cannot end in a slash.
    pub(crate) fn find_or_create(&self, start: NodeId, path: &str, last: Last) -> Result<Place, Errno> {
        self.walk(start, path, last, true)
    }

    /// The directory that has the path's last name, and the name. What ends in a slash or dots is a directory, called `.` by itself.
    pub(crate) fn parent<'p>(&self, start: NodeId, path: &'p str) -> Result<(NodeId, &'p str), Errno> {
        let (directories, name) = match path.rsplit_once('/') {
            _ if path.is_empty() => return Err(Errno::NoEntry),
            Some((_, "" | "." | "..")) => (path, "."),
            Some(("", name)) => ("/", name),
            Some((directories, name)) => (directories, name),
            None if path == ".." => return Err(Errno::NotPermitted),
            None => return Ok((start, path)),
        };
        let parent = self.find(start, directories, Last::Follow)?;
        self.directory(parent)?;
        Ok((parent, name))
    }

    fn walk(&self, start: NodeId, path: &str, last: Last, create: bool) -> Result<Place, Errno> {
        check_path(path)?;
        // What is followed: the path, then what symbolic links make of it; and from where.
        let (mut text, mut from) = (Cow::Borrowed(path), 0);
        let mut at = start;
        let mut links = 0;
        loop {
            let rest = &text[from..];
            if rest.starts_with('/') {
                return Err(Errno::NotPermitted);
            }
            let (name, after) = rest.split_once('/').unwrap_or((rest, ""));
            let slash = name.len() < rest.len();
            let after = after.trim_start_matches('/');
            let is_last = after.is_empty();
            let next = text.len() - after.len();
            if let "." | ".." = name {
                if name == ".." {
                    at = if at == start {
                        return Err(Errno::NotPermitted);
                    } else {
                        self.directory(at)?.parent
                    };
                }
                if is_last {
                    self.know(at);
                    return Ok(Place { parent: at, name: None, node: Some(at) });
                }
                from = next;
                continue;
            }
            if is_last && slash && create {
                return Err(Errno::IsDirectory);
            }
            let node = self.directory(at)?.entries.get(check_name(name)?).copied();
            if let Some(node) = node.filter(|&node| is_last || !self.is_directory(node)) {
                self.know(node);
            }
            match node.map(|node| (node, &self.node(node).content)) {
                Some((_, Content::Link(target))) if !is_last || slash || last == Last::Follow => {
                    links += 1;
                    if links > LINKS {
                        return Err(Errno::Loop);
                    }
                    (text, from) = (Cow::Owned(format!("{target}{}", &rest[name.len()..])), 0);
                }
                Some((_, Content::File(_) | Content::Link(_))) if slash => return Err(Errno::NotDirectory),
                _ if is_last => return Ok(Place { parent: at, name: Some(name.to_owned()), node }),
                Some((node, _)) => (at, from) = (node, next),
                None => return Err(Errno::NoEntry),
            }
        }
    }
}

/// A path that can be one.
pub(super) fn check_path(path: &str) -> Result<(), Errno> {
    match path {
        _ if path.contains('\0') => Err(Errno::Invalid),
        "" => Err(Errno::NoEntry),
        _ if path.len() >= PATH_BYTES => Err(Errno::NameTooLong),
        _ => Ok(()),
    }
}

/// A name that can be one.
pub(super) fn check_name(name: &str) -> Result<&str, Errno> {
    match name {
        _ if name.contains('\0') => Err(Errno::Invalid),
        _ if name.len() > NAME_BYTES => Err(Errno::NameTooLong),
        _ => Ok(name),
    }
}
