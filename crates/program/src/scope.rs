//! Which functions are the user's own, and which came along with them.
//!
//! A function belongs to whoever declared it: a generic of Rust's library that the user instantiates, or
//! a function of a C library's header, is compiled in the user's unit but is not the user's.

use crate::debug_info::{DebugInfo, UnitData};
use crate::program::{Func, Program};
use std::path::{Path, PathBuf};

/// What the user wants tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All code of the module.
    All,
    /// What was compiled from these files, and from files in these directories; absolute, without
    /// symbolic links. See [`Scope::paths`].
    Paths(Vec<PathBuf>),
}

impl Scope {
    /// The scope of these files and directories, as seen from the current directory.
    pub fn paths<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Scope {
        let resolve = |path: P| resolve(path.as_ref());
        Scope::Paths(paths.into_iter().map(resolve).collect())
    }

    /// Whether the function that holds this byte of the module is in scope.
    ///
    /// It is if the file that declares it is, or if its unit is and the declaration is in a header that
    /// lies beside the unit's file or below it. Where the declaration is not known, the unit decides;
    /// code without debug information is in no scope but [`Scope::All`].
    pub fn contains(&self, debug: &DebugInfo, offset: u32) -> bool {
        let Scope::Paths(paths) = self else { return true };
        let Some(unit) = debug.unit_of(offset) else { return false };
        let unit = debug.units[unit].path();
        let unit_is_in = is_within(&unit, paths);
        match debug.declared_at(offset) {
            None => unit_is_in,
            Some((file, _)) => is_within(file, paths) || (unit_is_in && is_beside(file, &unit)),
        }
    }

    /// Whether a compile unit is in scope, whatever was included there.
    pub fn contains_unit(&self, unit: &UnitData) -> bool {
        match self {
            Scope::All => true,
            Scope::Paths(paths) => is_within(&unit.path(), paths),
        }
    }

    /// Whether a source file, as debug information names it, is in scope.
    pub fn contains_file(&self, file: &str) -> bool {
        match self {
            Scope::All => true,
            Scope::Paths(paths) => is_within(file, paths),
        }
    }
}

impl Program {
    /// Whether a function is in scope; imports, having no code, never are.
    pub fn in_scope(&self, func: Func, scope: &Scope) -> bool {
        let defined = self.functions[func].defined();
        defined.is_some_and(|defined| scope.contains(&self.debug, defined.range.start))
    }
}

/// Whether a file is one of these paths or lies below one.
fn is_within(file: &str, paths: &[PathBuf]) -> bool {
    let file = Path::new(file);
    if file.is_absolute() {
        let file = resolve(file);
        return paths.iter().any(|path| file.starts_with(path));
    }
    // Some builds hide where they took place; then the file counts if it is where it says, seen from there.
    let named = !file.as_os_str().is_empty();
    named && paths.iter().any(|path| path.ends_with(file) || path.join(file).is_file())
}

/// Whether a file lies in the directory of another or below.
fn is_beside(file: &str, other: &str) -> bool {
    let directory = Path::new(other).parent();
    directory.is_some_and(|directory| resolve(Path::new(file)).starts_with(resolve(directory)))
}

/// The absolute path without symbolic links; as far as possible if there is no such file any more.
fn resolve(path: &Path) -> PathBuf {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.canonicalize().unwrap_or_else(|_| absolute())
}
