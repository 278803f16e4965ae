//! What wasi-libc lacks and programs need: setjmp, a few functions of ISO C, and the headers of test harnesses, ours
//! and those of other tools, so that sources written for them compile as they are.
//!
//! Headers must be files for clang to include them. They live in the request's temporary directory; neither
//! debug information nor cache keys mention the place. A part is compiled and linked only into
//! programs that miss one of its functions.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::write_atomically;
use crate::clang::Clang;
use crate::compile::{Recipe, Unit};
use crate::object::{ObjectInfo, OddMain};
use crate::{Error, Optimise};

const FILES: [(&str, &str); 17] = [
    ("setjmp.h", include_str!("../runtime/setjmp.h")),
    ("setjmp.c", include_str!("../runtime/setjmp.c")),
    ("longjmp_tag.S", include_str!("../runtime/longjmp_tag.S")),
    ("stdio.h", include_str!("../runtime/stdio.h")),
    ("iso_c.c", include_str!("../runtime/iso_c.c")),
    ("err.c", include_str!("../runtime/err.c")),
    ("main_void.c", include_str!("../runtime/main_void.c")),
    ("main_count.c", include_str!("../runtime/main_count.c")),
    ("main_environment.c", include_str!("../runtime/main_environment.c")),
    ("owi.c", include_str!("../runtime/owi.c")),
    ("wasp.c", include_str!("../runtime/wasp.c")),
    ("include/coax.h", include_str!("../include/coax.h")),
    ("include/klee/klee.h", include_str!("../include/klee/klee.h")),
    ("include/owi.h", include_str!("../include/owi.h")),
    ("include/wasp.h", include_str!("../include/wasp.h")),
    ("include/fuzzer/FuzzedDataProvider.h", include_str!("../include/fuzzer/FuzzedDataProvider.h")),
    ("include/coax/checkers.h", include_str!("../include/coax/checkers.h")),
];

/// The directory of the headers of test harnesses. It comes last, after the user's and the C library's.
const HEADERS: &str = "include";

/// Sources, and how the names of the functions begin for which a program needs them.
const PARTS: [(&[&str], &[&str]); 5] = [
    (&["setjmp.c", "longjmp_tag.S"], &["__wasm_setjmp", "__wasm_longjmp"]),
    (&["iso_c.c"], &["tmpfile", "tmpnam", "system"]),
    (&["err.c"], &["err", "verr", "warn", "vwarn"]),
    (&["owi.c"], &["owi_"]),
    (&["wasp.c"], &["__WASP_"]),
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
        for (name, text) in FILES {
            let file = directory.join(name);
            let place = file.parent().unwrap_or(&directory);
            fs::create_dir_all(place).map_err(Error::write(place))?;
            if fs::read(&file).ok().as_deref() != Some(text.as_bytes()) {
                write_atomically(&file, text.as_bytes()).map_err(Error::write(&file))?;
            }
        }
        Ok(Runtime { directory })
    }

    /// Where the headers of test harnesses are.
    pub fn headers(&self) -> PathBuf {
        self.directory.join(HEADERS)
    }

    /// Compiles into `scratch` the parts that a program misses, and what calls its `main` if the C library cannot.
    pub fn compile_missing(
        &self,
        clang: &Clang,
        program: &ObjectInfo,
        scratch: &Path,
    ) -> Result<Vec<PathBuf>, Error> {
        let missed = |beginning: &&str| {
            let mut undefined = program.undefined.iter().filter(|name| name.starts_with(beginning));
            undefined.any(|name| !program.defines(name))
        };
        let parts = PARTS.iter().filter(|(_, beginnings)| beginnings.iter().any(missed));
        let main = program.odd_main.map(|main| match main {
            OddMain::Void => "main_void.c",
            OddMain::Count => "main_count.c",
            OddMain::Environment => "main_environment.c",
        });
        let sources = parts.flat_map(|(sources, _)| sources.iter().copied()).chain(main);
        sources.map(|source| self.compile(clang, source, scratch)).collect()
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
