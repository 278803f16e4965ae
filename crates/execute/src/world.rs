//! The world of one run: arguments, streams, files, clock and random numbers, all made from the input.
//!
//! It knows nothing of wasm: `wasi.rs` reads what a program wants from its memory and asks here. Nothing of the host is behind it,
//! so the same calls always get the same answers. What they answer follows wasmtime, which judges it (`campaign wasi`).

mod clock;
mod descriptor;
mod errno;
mod files;
mod names;
mod path;
mod poll;
mod random;
mod status;
mod streams;
mod tree;

pub(crate) use clock::{Clock, ClockId, TICK};
pub(crate) use descriptor::{Descriptor, Descriptors};
pub(crate) use errno::Errno;
pub(crate) use files::{Offset, Whence};
pub(crate) use names::{Listed, Opening};
pub(crate) use path::Last;
pub(crate) use poll::Subscription;
pub(crate) use random::Random;
pub(crate) use status::{FileStatus, NewTime, rights};

use crate::{Error, Input, Limits};
use streams::{Captured, Stdin};
use tree::{NodeId, ROOT, Tree};

/// What the program is called by itself, `argv[0]`.
const PROGRAM_NAME: &str = "program";
/// What the directory that is open from the start is called.
pub(crate) const PREOPENED: &str = "/";

/// The world of one run.
pub(crate) struct World {
    /// The arguments, each as the bytes of a string without its end.
    pub(crate) arguments: Vec<String>,
    /// The environment, each `NAME=value`.
    pub(crate) environment: Vec<String>,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) descriptors: Descriptors,
    stdin: Stdin,
    stdout: Captured,
    stderr: Captured,
    tree: Tree,
}

impl World {
    /// A new world. If the program cannot see files (`sees_files`), there are none.
    pub(crate) fn new(input: &Input, limits: &Limits, sees_files: bool) -> Result<World, Error> {
        check_strings(input)?;
        check_files(input)?;
        let mut tree = Tree::new(limits.written_bytes);
        if sees_files {
            for (path, data) in &input.files {
                tree.place(path, data.0.clone()).map_err(|_| Error::BadFileName(path.clone()))?;
            }
        }
        let name = std::iter::once(PROGRAM_NAME.to_owned());
        Ok(World {
            arguments: name.chain(input.args.iter().cloned()).collect(),
            environment: input.env.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            clock: Clock::default(),
            random: Random::new(input.seed),
            descriptors: Descriptors::new(sees_files.then_some(ROOT)),
            stdin: Stdin::new(input.stdin.0.clone()),
            stdout: Captured::new(limits.captured_bytes),
            stderr: Captured::new(limits.captured_bytes),
            tree,
        })
    }

    /// Takes standard output and standard error, each with whether it was longer than what is kept.
    pub(crate) fn take_output(&mut self) -> [(Vec<u8>, bool); 2] {
        [self.stdout.take(), self.stderr.take()]
    }

    /// Takes how often there was no space for what the program wanted to write.
    pub(crate) fn take_refusals(&mut self) -> u64 {
        std::mem::take(&mut self.tree.refusals)
    }

    /// Notes that a node was changed just now.
    fn touch(&mut self, node: NodeId) {
        let now = self.clock.unix_nanoseconds();
        let times = &mut self.tree.node_mut(node).times;
        (times.modified, times.changed) = (now, now);
    }
}

/// Arguments and environment are handed over as strings that a zero byte ends.
fn check_strings(input: &Input) -> Result<(), Error> {
    if let Some(argument) = input.args.iter().find(|argument| argument.contains('\0')) {
        return Err(Error::ZeroByte(format!("argument {argument:?}")));
    }
    match input.env.iter().find(|(name, value)| name.contains('\0') || value.contains('\0')) {
        Some((name, _)) => Err(Error::ZeroByte(format!("environment variable {name:?}"))),
        None => Ok(()),
    }
}

/// Files have plain relative names, and no file can be the directory of another.
fn check_files(input: &Input) -> Result<(), Error> {
    for name in input.files.keys() {
        if !is_plain(name) {
            return Err(Error::BadFileName(name.clone()));
        }
        let directories = name.match_indices('/').map(|(end, _)| &name[..end]);
        if let Some(file) = directories.into_iter().find(|directory| input.files.contains_key(*directory)) {
            return Err(Error::FileClash { file: file.into(), below: name.clone() });
        }
    }
    Ok(())
}

/// Whether a path is relative and would stay inside on every system.
fn is_plain(name: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\', ':']);
    name.split('/').all(plain)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn names_stay_inside() {
        for name in ["a", "a/b.txt", "..a", "a/.b"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", "/a", "a/", "a//b", ".", "..", "a/../b", "../a", "c:\\x", "a\0b"] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
