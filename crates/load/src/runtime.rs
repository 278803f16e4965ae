//! What wasi-libc lacks and programs need: setjmp, a few functions of ISO C, what glibc's headers call, and the headers of test harnesses, ours
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
use crate::observed::Observed;
use crate::{Error, Optimise};

const FILES: [(&str, &str); 20] = [
    ("setjmp.h", include_str!("../runtime/setjmp.h")),
    ("setjmp.c", include_str!("../runtime/setjmp.c")),
    ("longjmp_tag.S", include_str!("../runtime/longjmp_tag.S")),
    ("stdio.h", include_str!("../runtime/stdio.h")),
    ("assert.h", include_str!("../runtime/assert.h")),
    ("errno.h", include_str!("../runtime/errno.h")),
    ("glibc.c", include_str!("../runtime/glibc.c")),
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

/// Sources, and the functions for which a program needs them; a star stands for the rest of a name.
const PARTS: [(&[&str], &[&str]); 6] = [
    (&["setjmp.c", "longjmp_tag.S"], &["__wasm_setjmp*", "__wasm_longjmp"]),
    (&["iso_c.c"], &["gets", "tmpfile", "tmpnam", "system"]),
    (&["err.c"], &["err", "errx", "verr", "verrx", "warn", "warnx", "vwarn", "vwarnx"]),
    (&["glibc.c"], &GLIBC),
    (&["owi.c"], &["owi_*"]),
    (&["wasp.c"], &["__WASP_*"]),
];

/// What glibc.c has.
const GLIBC: [&str; 68] = [
    "__assert",
    "__assert_perror_fail",
    "__chk_fail",
    "__errno_location",
    "__fgets_chk",
    "__finite",
    "__finitef",
    "__finitel",
    "__fpclassify",
    "__fpclassifyf",
    "__fpclassifyl",
    "__fprintf_chk",
    "__fread_chk",
    "__isinf",
    "__isinff",
    "__isinfl",
    "__isnan",
    "__isnanf",
    "__isnanl",
    "__isoc23_fscanf",
    "__isoc23_scanf",
    "__isoc23_sscanf",
    "__isoc23_strtoimax",
    "__isoc23_strtol",
    "__isoc23_strtoll",
    "__isoc23_strtoul",
    "__isoc23_strtoull",
    "__isoc23_strtoumax",
    "__isoc23_vfscanf",
    "__isoc23_vscanf",
    "__isoc23_vsscanf",
    "__memcpy_chk",
    "__memmove_chk",
    "__mempcpy",
    "__mempcpy_chk",
    "__memset_chk",
    "__printf_chk",
    "__rawmemchr",
    "__read_chk",
    "__signbit",
    "__signbitf",
    "__signbitl",
    "__snprintf_chk",
    "__sprintf_chk",
    "__stpcpy",
    "__stpcpy_chk",
    "__strcat_chk",
    "__strcpy_chk",
    "__strdup",
    "__strncat_chk",
    "__strncpy_chk",
    "__strndup",
    "__strtod_internal",
    "__strtok_r",
    "__vfprintf_chk",
    "__vprintf_chk",
    "__vsnprintf_chk",
    "__vsprintf_chk",
    "finitel",
    "isinf",
    "isinff",
    "isinfl",
    "isnan",
    "isnanf",
    "isnanl",
    "rawmemchr",
    "strtoq",
    "strtouq",
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
        let missed = |pattern: &&str| {
            let is_meant = |name: &&String| match pattern.strip_suffix('*') {
                Some(beginning) => name.starts_with(beginning),
                None => name == pattern,
            };
            program.undefined.iter().filter(is_meant).any(|name| !program.defines(name))
        };
        let parts = PARTS.iter().filter(|(_, patterns)| patterns.iter().any(missed));
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
        let observed = &Observed::default();
        let recipe = Recipe { clang, runtime: self, optimise: Optimise::O1, ubsan: false, observed };
        // No debug information: this is not the user's code, and its place on disk must not show.
        let flags = ["-g0", "-mexception-handling"].map(str::to_owned).to_vec();
        let unit = Unit { source: self.directory.join(source), directory: None, flags };
        recipe.compile(&unit, &object)?;
        Ok(object)
    }
}
