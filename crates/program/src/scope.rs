//! Which functions are the user's own, and which came along with them.
//!
//! A function belongs to whoever declared it: a generic of Rust's library that the user instantiates, or
//! a function of a C library's header, is compiled in the user's unit but is not the user's.

use crate::debug_info::{DebugInfo, Frame};
use crate::program::{Func, Program};
use std::path::{Path, PathBuf};

/// What the user wants tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All code of the module.
    All,
    /// What was compiled from certain files; all paths are absolute, without symbolic links. See
    /// [`Scope::paths`].
    Paths {
        /// Source files, and directories of them.
        inside: Vec<PathBuf>,
        /// Directories of headers and libraries that belong to somebody else.
        foreign: Vec<PathBuf>,
    },
}

impl Scope {
    /// The scope of these files and directories, as seen from the current directory, but for what they
    /// include or instantiate from the `foreign` ones.
    pub fn paths<P: AsRef<Path>>(inside: impl IntoIterator<Item = P>, foreign: &[PathBuf]) -> Scope {
        let inside = inside.into_iter().map(|path| resolve(path.as_ref())).collect();
        Scope::Paths { inside, foreign: foreign.iter().map(|path| resolve(path)).collect() }
    }

    /// Whether the function that holds this byte of the module is in scope.
    ///
    /// It is if its unit or the file that declares it is, unless that file is foreign. Where the
    /// declaration is not known, the unit decides; code without debug information is in no scope but
    /// [`Scope::All`].
    fn contains(&self, debug: &DebugInfo, offset: u32) -> bool {
        self.owns(debug, offset, debug.declared_at(offset).map(|(file, _)| file))
    }

    /// Whether code that stands in this file, in the function that holds this byte, is in scope.
    fn owns(&self, debug: &DebugInfo, offset: u32, file: Option<&str>) -> bool {
        let Scope::Paths { inside, foreign } = self else { return true };
        let Some(unit) = debug.unit_of(offset) else { return false };
        let unit_is_in = is_within(&debug.units[unit].path(), inside);
        match file {
            None => unit_is_in,
            Some(file) => (unit_is_in || is_within(file, inside)) && !is_within(file, foreign),
        }
    }
}

impl Program {
    /// Whether a function is in scope; imports, having no code, never are.
    pub fn in_scope(&self, func: Func, scope: &Scope) -> bool {
        let defined = self.functions[func].defined();
        defined.is_some_and(|defined| scope.contains(&self.debug, defined.range.start))
    }

    /// The innermost place of an operator that stands in a file in scope: library code that was inlined
    /// there is passed over.
    pub fn place_in_scope(&self, offset: u32, scope: &Scope) -> Option<Frame> {
        let is_own = |frame: &Frame| {
            let file = frame.file.as_deref();
            frame.trap_reason().is_none() && file.is_some() && scope.owns(&self.debug, offset, file)
        };
        let index = self.debug.frames(offset).iter().position(is_own)?;
        self.frames(offset).into_iter().nth(index)
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

/// The absolute path without symbolic links; as far as possible if there is no such file any more.
fn resolve(path: &Path) -> PathBuf {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.canonicalize().unwrap_or_else(|_| absolute())
}
