//! The world of one run: arguments, streams, files, clock and random numbers, all made from the input.
//!
//! It knows nothing of wasm: `wasi.rs` reads what a program wants from its memory and asks here. Nothing of the host is behind it,
//! so the same calls always get the same answers. What they answer follows wasmtime, which judges it (`campaign wasi`).

mod answer;
mod clock;
mod content;
mod descriptor;
mod errno;
mod faults;
mod files;
mod names;
mod path;
mod poll;
mod random;
mod requests;
mod status;
mod streams;
mod tree;

pub use answer::{Answer, Request};
pub(crate) use clock::{Clock, ClockId, TICK};
pub(crate) use content::{Piece, Reading};
pub(crate) use descriptor::{Descriptor, Descriptors};
pub(crate) use errno::Errno;
use faults::Faults;
pub use faults::IoFault;
pub(crate) use files::{Offset, Whence};
pub(crate) use names::{Listed, Opening};
pub(crate) use path::Last;
pub(crate) use poll::Subscription;
pub(crate) use random::Random;
pub(crate) use requests::{Misfit, Named, Requests};
pub(crate) use status::{FileStatus, NewTime, rights};

use crate::imports::{Item, Log};
use crate::symbolic::input::byte_name;
use crate::symbolic::symbols::check_lengths;
use crate::{Data, Error, Input, Limits, Symbols, wasi};
use coax_program::Program;
use content::Bytes;
use std::collections::BTreeMap;
use std::sync::Arc;
use streams::Captured;
use tree::{NodeId, ROOT, Tree};

/// What the program is called by itself, `argv[0]`.
pub const PROGRAM_NAME: &str = "program";
/// What the directory that is open from the start is called.
pub(crate) const PREOPENED: &str = "/";

/// What a program can see of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sees {
    /// Files: by opening, naming or listing them.
    pub(crate) files: bool,
    /// Answers to what it asks for by a test harness.
    pub(crate) requests: bool,
}

impl Sees {
    /// What this program can see.
    pub(crate) fn of(program: &Program) -> Sees {
        let requests = program.imports.iter().any(|import| !wasi::is_wasi(&import.module));
        Sees { files: wasi::sees_files(program), requests }
    }
}

/// The world of one run.
pub(crate) struct World {
    /// The arguments, each as the bytes of a string without its end.
    pub(crate) arguments: Vec<Text>,
    /// The environment, each `NAME=value`.
    pub(crate) environment: Vec<Text>,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) descriptors: Descriptors,
    /// What the program asks for by its test harness.
    pub(crate) requests: Requests,
    /// Places in the table of functions that the program says are not to be looked into.
    pub(crate) unknown_functions: Vec<u32>,
    /// What answers imports that nobody has, by their name.
    pub(crate) stubs: BTreeMap<String, String>,
    /// What calls have to do with symbols.
    pub(crate) log: Log,
    /// Where the host has written to the program's memory, and how many bytes, if somebody wants to know.
    pub(crate) written: Option<Vec<(u64, usize)>>,
    faults: Faults,
    /// Whether reads and writes may go wrong, and whether one does is a symbol.
    symbolic_faults: bool,
    stdin: Bytes,
    stdin_position: u64,
    stdout: Captured,
    stderr: Captured,
    tree: Tree,
}

impl World {
    /// A new world, for a run with these symbols. What the program cannot see is not made.
    pub(crate) fn new(input: &Input, symbols: Symbols, limits: &Limits, sees: Sees) -> Result<World, Error> {
        check_strings(input)?;
        check_files(input)?;
        check_lengths(input, symbols)?;
        check_symbols(input)?;
        let stdin_symbols = if input.is_symbolic(STDIN_SOURCE) { symbols.stdin } else { 0 };
        let mut tree = Tree::new(limits.written_bytes, limits.file_bytes);
        if sees.files {
            for (path, data) in &input.files {
                let source = file_source(path);
                let bytes = match symbols.files && input.is_symbolic(&source) {
                    true => Bytes::symbolic(data.0.clone(), &source, u64::MAX, symbols.lengths),
                    false => Bytes::plain(data.0.clone()),
                };
                let bytes = bytes.at_most(input.most_bytes(&source));
                tree.place(path, bytes).map_err(|_| Error::BadFileName(path.clone()))?;
            }
        }
        Ok(World {
            arguments: arguments(input, symbols),
            environment: input
                .env
                .iter()
                .map(|(name, value)| Text::plain(format!("{name}={value}")))
                .collect(),
            clock: Clock::new(input.time),
            random: Random::new(input.seed),
            descriptors: Descriptors::new(sees.files.then_some(ROOT)),
            log: Log::default(),
            written: None,
            faults: Faults::new(&input.faults),
            symbolic_faults: symbols.faults,
            requests: if sees.requests { Requests::new(input) } else { Requests::default() },
            unknown_functions: Vec::new(),
            stubs: input.stubs.clone(),
            stdin: Bytes::symbolic(
                input.stdin.0.clone(),
                STDIN_SOURCE,
                stdin_symbols,
                symbols.lengths && stdin_symbols > 0,
            )
            .at_most(input.most_bytes(STDIN_SOURCE)),
            stdin_position: 0,
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

    /// Takes what the program asked for by its test harness; fails if it could not be given what the input has for it.
    pub(crate) fn take_asked(&mut self) -> Result<Asked, Error> {
        if let Some(Misfit { place, problem }) = self.requests.misfit.take() {
            return Err(Error::BadValue { place, problem });
        }
        Ok(Asked {
            requests: self.requests.take_asked(),
            labels: std::mem::take(&mut self.requests.labels),
            repeated: std::mem::take(&mut self.requests.repeated),
            unknown_functions: std::mem::take(&mut self.unknown_functions),
            io_calls: self.faults.calls(),
            unknown_files: self.tree.unknown_files(),
        })
    }

    /// Writes to standard error what the program wants to be said.
    pub(crate) fn say(&mut self, bytes: &[u8]) {
        self.stderr.append(bytes);
    }

    /// Writes to standard output what the program wants to be printed.
    pub(crate) fn print(&mut self, bytes: &[u8]) {
        self.stdout.append(bytes);
    }

    /// A read or write of so many bytes begins: how many of them it is to do.
    pub(crate) fn begin_io(&mut self, length: u32, is_write: bool) -> Result<u32, Errno> {
        let (number, fault) = self.faults.next();
        if self.symbolic_faults {
            self.log.add(|| Item::Fault { number, value: fault.map_or(0, |fault| fault as u64) });
        }
        fault.map_or(Ok(length), |fault| fault.apply(length, is_write))
    }

    /// Notes that a node was changed just now.
    fn touch(&mut self, node: NodeId) {
        let now = self.clock.unix_nanoseconds();
        let times = &mut self.tree.node_mut(node).times;
        (times.modified, times.changed) = (now, now);
    }
}

/// What a program said by its test harness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// What it asked for and got, in order.
    pub requests: Vec<Request>,
    /// The labels that it reached.
    pub labels: Vec<String>,
    /// Names that it gave to several requests.
    pub repeated: Vec<String>,
    /// Places in its table of functions that are not to be looked into.
    pub unknown_functions: Vec<u32>,
    /// How many reads and writes it did: the faults of an input are counted by them.
    pub io_calls: u64,
    /// The files of the input that it never asked for: without them it would do the same.
    pub unknown_files: Vec<String>,
}

/// A string that the program is given.
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    /// What its bytes are called if they are symbols.
    pub(crate) source: Option<Arc<str>>,
}

impl Text {
    fn plain(text: impl Into<Vec<u8>>) -> Text {
        Text { bytes: text.into(), source: None }
    }
}

/// The program's name, and its arguments.
fn arguments(input: &Input, symbols: Symbols) -> Vec<Text> {
    let given = input.args.iter().zip(1..).map(|(argument, number)| {
        let source = argument_source(number);
        let is_symbolic = symbols.args && input.is_symbolic(&source);
        Text { bytes: argument.0.clone(), source: is_symbolic.then(|| source.into()) }
    });
    std::iter::once(Text::plain(PROGRAM_NAME)).chain(given).collect()
}

/// Whether a read or write goes wrong is called so.
pub(crate) fn fault_name(number: u64) -> String {
    byte_name(FAULT_SOURCE, number)
}

/// What faults of reads and writes are called: as no variable of a program's can be.
pub(crate) const FAULT_SOURCE: &str = "io-fault";

/// What the bytes of standard input are called.
pub(crate) const STDIN_SOURCE: &str = "stdin";

/// What the bytes of a file are called.
pub(crate) fn file_source(path: &str) -> String {
    format!("{FILES_PREFIX}{path}")
}

/// What the names of files begin with.
const FILES_PREFIX: &str = "files/";

/// What the bytes of an argument are called; the first that the user gives has number 1.
pub(crate) fn argument_source(number: usize) -> String {
    format!("arg{number}")
}

/// What the number of bytes of a source is called.
pub(crate) fn length_name(source: &str) -> String {
    format!("{source}.length")
}

/// The environment is handed over as strings that a zero byte ends. (So are arguments; but bytes after such an end can be symbols, which
/// the program may look at.)
fn check_strings(input: &Input) -> Result<(), Error> {
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

/// What is said to be symbols must be there, and must not have more bytes than it can.
fn check_symbols(input: &Input) -> Result<(), Error> {
    for (source, most) in input.symbols.iter().flatten() {
        let argument = |(_, number): &(&Data, usize)| argument_source(*number) == *source;
        let length = match source.strip_prefix(FILES_PREFIX) {
            Some(path) => input.files.get(path),
            None if source == STDIN_SOURCE => Some(&input.stdin),
            None => input.args.iter().zip(1..).find(argument).map(|(data, _)| data),
        };
        let length = length.map(|data| data.0.len() as u64);
        if length.is_none_or(|length| most.is_some_and(|most| length > most)) {
            return Err(Error::BadSymbols(source.clone()));
        }
    }
    Ok(())
}

/// Whether a path is relative. (There is no system behind it that other characters could mean something to.)
fn is_plain(name: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    name.split('/').all(plain)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn names_stay_inside() {
        for name in ["a", "a/b.txt", "..a", "a/.b", "id:000000,src:0", "c:\\x"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", "/a", "a/", "a//b", ".", "..", "a/../b", "../a", "a\0b"] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
