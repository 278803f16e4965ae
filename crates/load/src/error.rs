//! What can go wrong between a source file and wasm bytes, said for the person who typed the command.
//!
//! Every message is one sentence about what is wrong and one about what to do. What a compiler said is kept
//! apart, unchanged, in [`Error::messages`]: the caller shows it before the sentence. All of these are exit code 2.

use std::io;
use std::path::{Path, PathBuf};

/// Why a program could not be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request names no input.
    #[error("No program was given. Name a .wasm, .wat, C, C++ or Rust file, or a project directory.")]
    NoInput,

    /// A file cannot be read.
    #[error("{} cannot be read: {reason}. Check the path and its permissions.", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },

    /// A file or directory of ours cannot be written.
    #[error("{} cannot be written: {reason}. Check the free space and the permissions there.", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },

    /// The input is a device, a pipe or a socket.
    #[error("{} is not a regular file. Save the program to a file and give that.", path.display())]
    NotAFile {
        /// The input.
        path: PathBuf,
    },

    /// The input is no kind of program coax knows.
    #[error(
        "{} is not a program coax knows. Give a .wasm, .wat, .c, .cc, .cpp, .cxx, .o, .a or .rs file, a \
         compile_commands.json, a Cargo.toml, or a directory with one of the two.", path.display()
    )]
    UnknownKind {
        /// The input.
        path: PathBuf,
    },

    /// Several files have a static function of the name that the entry has.
    #[error(
        "there are several static functions `{name}`. Name the file too, like `{}:{name}`.",
        files.first().map(|file| file.display().to_string()).unwrap_or_default()
    )]
    SeveralStatics {
        /// The function.
        name: String,
        /// Where it is.
        files: Vec<PathBuf>,
    },

    /// Inputs of one request that cannot be linked into one program.
    #[error(
        "{} and {} cannot be loaded together. C, C++, object and library files may be mixed; \
         give any other program alone.", first.display(), second.display()
    )]
    Mixed {
        /// One input.
        first: PathBuf,
        /// One that does not go with it.
        second: PathBuf,
    },

    /// A text module that does not parse.
    #[error("{} is not a valid text module. Correct it at the place named above.", path.display())]
    Wat {
        /// The file.
        path: PathBuf,
        /// The parser's message with the offending line.
        messages: String,
    },

    /// A module that cannot answer an import.
    #[error("{} cannot be a stub: {reason}. Correct `--stub NAME=MODULE` or `--stub NAME=MODULE:EXPORT`.", path.display())]
    Stub {
        /// The module.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },

    /// A file that says it is a wasm object or library, and is not.
    #[error("{} is not a wasm object file ({reason}). Compile it for wasm, for example with coax-cc.", path.display())]
    BadObject {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A program or library that compiling needs is not on this machine.
    #[error("{missing} is needed for {purpose} and was not found. {install}")]
    MissingTool {
        /// What was not found.
        missing: String,
        /// What needs it.
        purpose: String,
        /// A sentence with the command that gets it.
        install: String,
        /// What a compiler said before this became clear; often empty.
        messages: String,
    },

    /// A tool was found, and could not be started.
    #[error("{} could not be started: {reason}. Check that it is installed completely.", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// What the system said.
        reason: io::Error,
    },

    /// A compiler refused its input.
    #[error(
        "{what} did not compile. Correct the errors above, or pass the flags it needs (--cflags; CFLAGS for coax-cc)."
    )]
    Compile {
        /// The files or the package.
        what: String,
        /// What the compiler said.
        messages: String,
    },

    /// A C++ program that throws: Debian's libc++ for wasm is built without exceptions.
    #[error(
        "{what} uses C++ exceptions, which the C++ library for wasm does not support yet. Build it without throw, \
         try and catch; many libraries have a switch for that."
    )]
    Exceptions {
        /// The files or the program.
        what: String,
        /// What the compiler said.
        messages: String,
    },

    /// A source whose name means something else to clang.
    #[error("{} cannot be compiled: clang takes a name with @ in front for a file of arguments. Rename it.", path.display())]
    ResponseFile {
        /// The source.
        path: PathBuf,
    },

    /// The linker refused the objects.
    #[error(
        "{what} could not be linked. Correct the errors above; a missing file or library can be named as an input."
    )]
    Link {
        /// The program.
        what: String,
        /// What the linker said.
        messages: String,
    },

    /// A compilation database that cannot be used.
    #[error("{} cannot be used: {reason}. Let the build system write it again.", path.display())]
    CompileCommands {
        /// The database.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },

    /// A source that is named beside a compilation database and is not in it.
    #[error("{} is not listed in {}. Name one of the files it lists.", file.display(), database.display())]
    NotInDatabase {
        /// The file as it was named.
        file: PathBuf,
        /// The database.
        database: PathBuf,
    },

    /// Several units define `main`.
    #[error(
        "{} files define main: {}. Leave all but one out; of a project, name the one to test after it, as in \
         `coax cover PROJECT FILE`.",
        files.len(), list(files)
    )]
    SeveralMains {
        /// The files.
        files: Vec<PathBuf>,
    },

    /// A Cargo project that cannot be used.
    #[error("{} cannot be used: {reason}.", manifest.display())]
    Cargo {
        /// The manifest.
        manifest: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
        /// What cargo said.
        messages: String,
    },
}

impl Error {
    /// What the compilers said, as it is; empty if none spoke.
    pub fn messages(&self) -> &str {
        match self {
            Error::Wat { messages, .. }
            | Error::MissingTool { messages, .. }
            | Error::Compile { messages, .. }
            | Error::Exceptions { messages, .. }
            | Error::Link { messages, .. }
            | Error::Cargo { messages, .. } => messages,
            _ => "",
        }
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        move |reason| Error::Read { path: path.to_owned(), reason }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        move |reason| Error::Write { path: path.to_owned(), reason }
    }
}

/// The first few files; a big project may have dozens.
fn list(files: &[PathBuf]) -> String {
    const SHOWN: usize = 5;
    let mut names: Vec<String> = files.iter().take(SHOWN).map(|file| file.display().to_string()).collect();
    if files.len() > SHOWN {
        names.push(format!("and {} more", files.len() - SHOWN));
    }
    names.join(", ")
}
