//! Rust: what rustc and Cargo have in common.

use std::path::{Path, PathBuf};

use crate::process;
use crate::tools::Tools;

/// The target Rust programs are compiled for.
pub(crate) const TARGET: &str = "wasm32-wasip1";

/// The directory of a target's standard library, if it is installed for the toolchain used in `directory`.
pub(crate) fn target_library(tools: &Tools, target: &str, directory: Option<&Path>) -> Option<PathBuf> {
    let mut command = process::command(&tools.find("rustc")?);
    command
        .args(["--print", "target-libdir", "--target", target])
        .current_dir(directory.unwrap_or(Path::new(".")));
    let finished = process::run(&mut command).ok()?;
    let library = PathBuf::from(String::from_utf8_lossy(&finished.stdout).trim());
    // rustc names the directory whether it is there or not.
    (finished.success && library.is_dir()).then_some(library)
}
