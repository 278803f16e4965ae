//! Which functions are the user's own, and which came along with them.
//!
//! A function belongs to whoever declared it: a generic of Rust's library that the user instantiates, or
//! a function of a C library's header, is compiled in the user's unit but is not the user's.

use crate::debug_info::{DebugInfo, Frame, Unit};
use crate::program::{Func, Program};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What the user wants tested.
#[derive(Debug)]
pub struct Scope {
    rule: Rule,
    /// What was found out about the files of units: asking the file system takes long.
    known: Mutex<BTreeMap<Option<Unit>, BTreeMap<String, bool>>>,
}

#[derive(Debug)]
enum Rule {
    All,
    /// What was compiled from certain files; all paths are absolute, without symbolic links.
    Paths {
        /// Source files, and directories of them.
        inside: Vec<Place>,
        /// Directories of headers and libraries that belong to somebody else.
        foreign: Vec<Place>,
    },
    Matching(Vec<Pattern>),
}

/// A file or a directory.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    /// Nothing lies below a file: there it need not be looked for.
    is_directory: bool,
}

/// Names some of the code.
#[derive(Debug)]
enum Pattern {
    /// What stands in files whose absolute paths are like this, or that lie below such a folder.
    Files(String),
    /// Functions whose names are like this.
    Functions(String),
}

impl Scope {
    /// All code of the module.
    pub fn all() -> Scope {
        Scope::new(Rule::All)
    }

    fn new(rule: Rule) -> Scope {
        Scope { rule, known: Mutex::default() }
    }

    /// The scope of these files and directories, as seen from the current directory, but for what they
    /// include or instantiate from the `foreign` ones.
    pub fn paths<P: AsRef<Path>>(inside: impl IntoIterator<Item = P>, foreign: &[PathBuf]) -> Scope {
        let inside = inside.into_iter().map(|path| Place::new(path.as_ref())).collect();
        Scope::new(Rule::Paths { inside, foreign: foreign.iter().map(|path| Place::new(path)).collect() })
    }

    /// The scope that a user writes: each pattern is a file or a folder if it exists or has a `/`, otherwise the name of functions;
    /// `*` stands for anything.
    pub fn matching<P: AsRef<str>>(patterns: impl IntoIterator<Item = P>) -> Scope {
        let pattern = |text: &str| match text {
            _ if text.starts_with('*') && text.contains('/') => Pattern::Files(text.to_owned()),
            _ if text.contains('/') || Path::new(text).exists() => {
                Pattern::Files(resolve(Path::new(text)).to_string_lossy().into_owned())
            }
            _ => Pattern::Functions(text.to_owned()),
        };
        Scope::new(Rule::Matching(patterns.into_iter().map(|text| pattern(text.as_ref())).collect()))
    }

    /// Whether the function that holds this byte of the module is in scope.
    ///
    /// It is if its unit or the file that declares it is, unless that file is foreign. Where the
    /// declaration is not known, the unit decides; code without debug information is in no scope but
    /// [`Scope::all`].
    fn contains(&self, debug: &DebugInfo, offset: u32) -> bool {
        self.owns(debug, offset, debug.declared_at(offset).map(|(file, _)| file))
    }

    /// Whether code that stands in this file, in the function that holds this byte, is in scope.
    fn owns(&self, debug: &DebugInfo, offset: u32, file: Option<&str>) -> bool {
        if let Rule::All = self.rule {
            return true;
        }
        let (unit, file) = (debug.unit_of(offset), file.filter(|file| !file.is_empty()));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let of_unit = known.entry(unit).or_default();
        let key = file.unwrap_or_default();
        if let Some(&is_in) = of_unit.get(key) {
            return is_in;
        }
        let is_in = self.finds(debug, unit, file);
        of_unit.insert(key.to_owned(), is_in);
        is_in
    }

    fn finds(&self, debug: &DebugInfo, unit: Option<Unit>, file: Option<&str>) -> bool {
        let (inside, foreign) = match &self.rule {
            Rule::All => return true,
            Rule::Paths { inside, foreign } => (inside, foreign),
            Rule::Matching(patterns) => return file.is_some_and(|file| stands_in(file, patterns)),
        };
        let Some(unit) = unit else { return false };
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
        let Some(defined) = self.functions[func].defined() else { return false };
        let is_named = |pattern: &Pattern| match pattern {
            Pattern::Functions(name) => is_like(&self.functions[func].name, name),
            Pattern::Files(_) => false,
        };
        let is_named = matches!(&scope.rule, Rule::Matching(patterns) if patterns.iter().any(is_named));
        is_named || scope.contains(&self.debug, defined.range.start)
    }

    /// The innermost place of an operator that stands in a file in scope: library code that was inlined
    /// there is passed over.
    pub fn place_in_scope(&self, offset: u32, scope: &Scope) -> Option<Frame> {
        self.frames_in_scope(offset, scope).into_iter().next()
    }

    /// All places of an operator that stand in files in scope, innermost first.
    pub fn frames_in_scope(&self, offset: u32, scope: &Scope) -> Vec<Frame> {
        // Of a function that was named, what stands in its own file.
        let declared_in = match scope.rule {
            Rule::Matching(_) if self.function_at(offset).is_some_and(|func| self.in_scope(func, scope)) => {
                self.debug.declared_at(offset).map(|(file, _)| file)
            }
            _ => None,
        };
        let is_own = |frame: &Frame| {
            let file = frame.file.as_deref();
            let is_in = file.is_some() && (file == declared_in || scope.owns(&self.debug, offset, file));
            frame.trap_reason().is_none() && is_in
        };
        let own: Vec<bool> = self.debug.frames(offset).iter().map(is_own).collect();
        self.frames(offset)
            .into_iter()
            .zip(own)
            .filter(|(_, is_own)| *is_own)
            .map(|(frame, _)| frame)
            .collect()
    }
}

/// Whether a file is like one of the patterns, or lies below a folder that is.
fn stands_in(file: &str, patterns: &[Pattern]) -> bool {
    let file = resolve(Path::new(file));
    let is_in = |pattern: &Pattern| match pattern {
        Pattern::Files(path) => file.ancestors().any(|above| is_like(&above.to_string_lossy(), path)),
        Pattern::Functions(_) => false,
    };
    patterns.iter().any(is_in)
}

/// Whether a text is what a pattern says, in which `*` stands for anything.
fn is_like(text: &str, pattern: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else { return text == pattern };
    let Some(text) = text.strip_prefix(begin) else { return false };
    let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    starts.into_iter().any(|at| is_like(&text[at..], rest))
}

/// Whether a file is one of these paths or lies below one.
fn is_within(file: &str, places: &[Place]) -> bool {
    let file = Path::new(file);
    if file.is_absolute() {
        let file = resolve(file);
        return places.iter().any(|place| file.starts_with(&place.path));
    }
    // Some builds hide where they took place; then the file counts if it is where it says, seen from there.
    let named = !file.as_os_str().is_empty();
    let is_there = |place: &Place| place.is_directory && place.path.join(file).is_file();
    named && places.iter().any(|place| place.path.ends_with(file) || is_there(place))
}

impl Place {
    fn new(path: &Path) -> Place {
        let path = resolve(path);
        Place { is_directory: path.is_dir(), path }
    }
}

/// The absolute path without symbolic links; as far as possible if there is no such file any more.
fn resolve(path: &Path) -> PathBuf {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.canonicalize().unwrap_or_else(|_| absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (text, pattern, is_it) in [
            ("parse", "parse", true),
            ("parse", "pars", false),
            ("parse_all", "parse_*", true),
            ("parse", "parse_*", false),
            ("<json::Value as Drop>::drop", "*json::*", true),
            ("a::b::c", "a::*::c", true),
            ("a::c", "a::*::c", false),
            ("anything", "*", true),
            ("", "*", true),
        ] {
            assert_eq!(is_like(text, pattern), is_it, "{text} {pattern}");
        }
    }
}
