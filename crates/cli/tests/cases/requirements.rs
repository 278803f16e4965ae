//! What a case may require of the machine, looked up without coax's own help.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Fails with the reason if this machine lacks something.
pub fn check(what: &str) -> Result<(), String> {
    match what {
        "clang" => {
            let mut compilers = (14..=22).map(|version| format!("clang-{version}"));
            let compiler = on_path("clang").or_else(|| compilers.find_map(|name| on_path(&name)));
            compiler.ok_or("needs clang")?;
            let libc = ["/usr/include/wasm32-wasi", "/usr/share/wasi-sysroot"];
            libc.iter().any(|path| Path::new(path).exists()).then_some(()).ok_or("needs wasi-libc".to_owned())
        }
        "rust-wasm" => {
            let library = rust_sysroot().map(|sysroot| sysroot.join("lib/rustlib/wasm32-wasip1"));
            let there = library.is_some_and(|path| path.exists());
            there.then_some(()).ok_or("needs the Rust target wasm32-wasip1".to_owned())
        }
        program => on_path(program).map(drop).ok_or(format!("needs {program}")),
    }
}

/// The same, but only for what `scripts/test` installs. (Of clang that is the newest version that the package archive has.)
pub fn check_strictly(what: &str) -> Result<(), String> {
    match what {
        "clang" | "rust-wasm" | "rustc" | "cc" | "z3" | "dot" => check(what),
        _ => Ok(()),
    }
}

/// Where a program is.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// The folder of the active Rust toolchain.
fn rust_sysroot() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}
