//! What wasi-libc lacks and real programs need: setjmp.
//!
//! The header must be a file for clang to include it. With a cache it lives there, otherwise in the request's
//! temporary directory; debug information never mentions the place.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::cache::write_atomically;
use crate::clang::Clang;
use crate::compile::setjmp_flags;
use crate::process;

const FILES: [(&str, &str); 3] = [
    ("setjmp.h", include_str!("../runtime/setjmp.h")),
    ("setjmp.c", include_str!("../runtime/setjmp.c")),
    ("longjmp_tag.S", include_str!("../runtime/longjmp_tag.S")),
];

/// The runtime's files on disk.
#[derive(Clone, Debug)]
pub(crate) struct Runtime {
    pub directory: PathBuf,
}

impl Runtime {
    /// Writes the files below `place`, unless they are there already.
    pub fn write(place: &Path) -> Result<Runtime, Error> {
        let mut hasher = blake3::Hasher::new();
        FILES.iter().for_each(|(_, text)| {
            hasher.update(text.as_bytes());
        });
        let directory = place.join(format!("runtime-{}", &hasher.finalize().to_hex()[..16]));
        fs::create_dir_all(&directory).map_err(Error::write(&directory))?;
        for (name, text) in FILES {
            let file = directory.join(name);
            if fs::read(&file).ok().as_deref() != Some(text.as_bytes()) {
                write_atomically(&file, text.as_bytes()).map_err(Error::write(&file))?;
            }
        }
        Ok(Runtime { directory })
    }

    /// Compiles the functions behind setjmp into `scratch`; for programs that use them.
    pub fn compile_setjmp(&self, clang: &Clang, scratch: &Path) -> Result<Vec<PathBuf>, Error> {
        ["setjmp.c", "longjmp_tag.S"].iter().map(|source| self.compile(clang, source, scratch)).collect()
    }

    fn compile(&self, clang: &Clang, source: &str, scratch: &Path) -> Result<PathBuf, Error> {
        let object = scratch.join(format!("coax-{source}.o"));
        // No -g: this is not the user's code, and its place on disk must not show.
        let finished = process::run(
            process::command(&clang.program)
                .arg(format!("--target={}", clang.target()))
                .args(setjmp_flags(clang))
                .args(["-mexception-handling", "-O1", "-fno-crash-diagnostics", "-c"])
                .arg(self.directory.join(source))
                .arg("-o")
                .arg(&object),
        )?;
        if finished.success {
            Ok(object)
        } else {
            Err(Error::Compile { what: format!("coax's own {source}"), messages: finished.messages })
        }
    }
}
