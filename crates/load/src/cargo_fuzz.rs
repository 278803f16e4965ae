//! Targets of `cargo fuzz`: binaries without a main, made by `libfuzzer_sys::fuzz_target!`.
//!
//! The project's own `libfuzzer-sys` is built, only without libFuzzer: its build script takes another library in its place, and ours is
//! empty. What is left are the functions that libFuzzer would call, and these are the entry.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// The crate that such a package depends on.
pub(crate) const CRATE: &str = "libfuzzer-sys";

/// A library without members.
const EMPTY_LIBRARY: &[u8] = b"!<arch>\n";

/// What the linker must know: constructors and the target itself are called from outside.
const LINK_ARGUMENTS: [&str; 3] = [
    "--export=__wasm_call_ctors",
    "--export=LLVMFuzzerTestOneInput",
    "--export-if-defined=LLVMFuzzerInitialize",
];

/// What stands in for libFuzzer.
#[derive(Clone, Debug)]
pub(crate) struct CargoFuzz {
    library: PathBuf,
}

impl CargoFuzz {
    /// Puts the empty library into the directory where a project is built.
    pub fn prepare(target_directory: &Path) -> Result<CargoFuzz, Error> {
        let library = target_directory.join("libcoax_no_fuzzer.a");
        fs::create_dir_all(target_directory).map_err(Error::write(target_directory))?;
        // Written only once: its age tells cargo whether to build anew.
        if fs::read(&library).ok().as_deref() != Some(EMPTY_LIBRARY) {
            fs::write(&library, EMPTY_LIBRARY).map_err(Error::write(&library))?;
        }
        Ok(CargoFuzz { library })
    }

    /// What the build script of `libfuzzer-sys` reads.
    pub fn environment(&self) -> [(&'static str, PathBuf); 2] {
        [("CUSTOM_LIBFUZZER_PATH", self.library.clone()), ("CUSTOM_LIBFUZZER_STD_CXX", "none".into())]
    }

    /// Flags for every crate: sources ask for this name.
    pub fn flags(&self) -> Vec<String> {
        ["--cfg", "fuzzing"].map(str::to_owned).to_vec()
    }

    /// Flags for the target itself.
    pub fn link_flags(&self) -> Vec<String> {
        LINK_ARGUMENTS.iter().flat_map(|it| ["-C".to_owned(), format!("link-arg={it}")]).collect()
    }
}
