//! Where compilers and libraries are looked for.
//!
//! Everything that depends on the machine enters the crate through [`Tools`], so that tests can hide a compiler
//! and a caller can point at another one.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::children::Scratch;

/// The places searched for programs and libraries.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Directories searched for programs. Default: those of `PATH`.
    pub path: Vec<PathBuf>,
    /// Places of a WASI C library, best first. Default: where distributions and the WASI SDK put it.
    pub libc: Vec<Libc>,
    /// Where temporary directories are made and removed again. Default: the system's.
    pub scratch: PathBuf,
}

/// A C library for wasm32-wasip1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Libc {
    /// Its headers.
    pub include: PathBuf,
    /// `libc.a`, `crt1.o` and their neighbours.
    pub lib: PathBuf,
}

impl Default for Tools {
    fn default() -> Tools {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Tools {
            path: std::env::split_paths(&path).collect(),
            libc: known_libcs(),
            scratch: std::env::temp_dir(),
        }
    }
}

impl Tools {
    /// The first program of this name on the path.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        self.places(name).find(|program| program.is_file())
    }

    /// Where a program of this name could be, best first.
    pub(crate) fn places(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        self.path.iter().map(move |directory| directory.join(&file))
    }

    /// A temporary directory that is removed when the value is dropped.
    pub(crate) fn make_scratch(&self) -> Result<Scratch, Error> {
        tempfile::Builder::new()
            .prefix("coax-")
            .tempdir_in(&self.scratch)
            .map(Scratch::new)
            .map_err(Error::write(&self.scratch))
    }

    /// The C library to use: the first place that has both headers and library.
    pub fn find_libc(&self) -> Option<&Libc> {
        self.libc.iter().find(|libc| libc.marks().iter().all(|mark| mark.is_file()))
    }
}

impl Libc {
    /// The files by which it is known.
    pub(crate) fn marks(&self) -> [PathBuf; 2] {
        [self.include.join("stdio.h"), self.lib.join("libc.a")]
    }

    /// The object that calls `main`. `crt1.o` runs constructors itself; `crt1-command.o` of some versions
    /// relies on the linker to wrap every export with them, and then an exported function is not itself.
    pub(crate) fn command_start(&self) -> PathBuf {
        first_file(&self.lib, &["crt1.o", "crt1-command.o"])
    }

    /// The object with `_initialize`, for a program without `main`.
    pub(crate) fn reactor_start(&self) -> PathBuf {
        self.lib.join("crt1-reactor.o")
    }
}

fn first_file(directory: &Path, names: &[&str]) -> PathBuf {
    let candidates = || names.iter().map(|name| directory.join(name));
    candidates().find(|file| file.is_file()).unwrap_or_else(|| directory.join(names[0]))
}

fn known_libcs() -> Vec<Libc> {
    let debian = Libc { include: "/usr/include/wasm32-wasi".into(), lib: "/usr/lib/wasm32-wasi".into() };
    let sysroots = [
        "/opt/wasi-sdk/share/wasi-sysroot",
        "/usr/share/wasi-sysroot",
        "/usr/local/share/wasi-sysroot",
        "/opt/homebrew/share/wasi-sysroot",
    ];
    let triples = ["wasm32-wasip1", "wasm32-wasi"];
    let in_sysroots = sysroots.iter().flat_map(|sysroot| {
        triples.iter().flat_map(move |triple| {
            let (root, lib) = (Path::new(sysroot), Path::new(sysroot).join("lib").join(triple));
            // Newer sysroots have one set of headers per triple, older ones a common one.
            [root.join("include").join(triple), root.join("include")]
                .map(|include| Libc { include, lib: lib.clone() })
        })
    });
    std::iter::once(debian).chain(in_sysroots).collect()
}
