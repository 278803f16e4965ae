//! What wasi-libc lacks and real programs need: setjmp, and a few functions of ISO C.
//!
//! Headers must be files for clang to include them. They live in the request's temporary directory; neither
//! debug information nor cache keys mention the place. A part is compiled and linked only into
//! programs that miss one of its functions.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::write_atomically;
use crate::clang::Clang;
use crate::compile::{Recipe, Unit};
use crate::object::ObjectInfo;
use crate::{Error, Optimise};

const FILES: [(&str, &str); 5] = [
    ("setjmp.h", include_str!("../runtime/setjmp.h")),
    ("setjmp.c", include_str!("../runtime/setjmp.c")),
    ("longjmp_tag.S", include_str!("../runtime/longjmp_tag.S")),
    ("stdio.h", include_str!("../runtime/stdio.h")),
    ("iso_c.c", include_str!("../runtime/iso_c.c")),
];

/// Sources, and the functions for which a program needs them.
const PARTS: [(&[&str], &[&str]); 2] = [
    (&["setjmp.c", "longjmp_tag.S"], &["__wasm_setjmp", "__wasm_longjmp"]),
    (&["iso_c.c"], &["tmpfile", "tmpnam", "system"]),
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
        let directory = std::path::absolute(&directory).map_err(Error::write(&directory))?;
        fs::create_dir_all(&directory).map_err(Error::write(&directory))?;
        for (name, text) in FILES {
            let file = directory.join(name);
            if fs::read(&file).ok().as_deref() != Some(text.as_bytes()) {
                write_atomically(&file, text.as_bytes()).map_err(Error::write(&file))?;
            }
        }
        Ok(Runtime { directory })
    }

    /// Compiles into `scratch` the parts that a program misses.
    pub fn compile_missing(
        &self,
        clang: &Clang,
        program: &ObjectInfo,
        scratch: &Path,
    ) -> Result<Vec<PathBuf>, Error> {
        let missed = |name: &&str| program.undefined.contains(*name) && !program.defines(name);
        let parts = PARTS.iter().filter(|(_, functions)| functions.iter().any(missed));
        parts.flat_map(|(sources, _)| *sources).map(|source| self.compile(clang, source, scratch)).collect()
    }

    fn compile(&self, clang: &Clang, source: &str, scratch: &Path) -> Result<PathBuf, Error> {
        let object = scratch.join(format!("coax-{source}.o"));
        let recipe = Recipe { clang, runtime: self, optimise: Optimise::O1, ubsan: false };
        // No debug information: this is not the user's code, and its place on disk must not show.
        let flags = ["-g0", "-mexception-handling"].map(str::to_owned).to_vec();
        let unit = Unit { source: self.directory.join(source), directory: None, flags };
        recipe.compile(&unit, &object)?;
        Ok(object)
    }
}
