//! One Rust file: a `main` makes it a program, otherwise its `extern` functions are exported.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::{Cache, Entry, Key, KeyBuilder};
use crate::observed::Observed;
use crate::process::{self, Finished};
use crate::rust::{self, CrateKind, Rust, TARGET};
use crate::rust_harness::{Harness, Mentioned};
use crate::{Error, Loaded, Request, entry, object, stem};

/// rustc's number for a program without `main`.
const NO_MAIN: &str = "E0601";

/// Loads one file.
pub(crate) fn load(
    request: &Request,
    source: &Path,
    cache: &Cache,
    observed: &Observed,
) -> Result<Loaded, Error> {
    let directory = std::env::current_dir().map_err(Error::read(Path::new(".")))?;
    let rust = Rust::find(&request.tools, &directory)?;
    rust.observe(&request.tools, &directory, observed);
    let scratch = request.tools.make_scratch()?;
    let text = fs::read_to_string(source).map_err(Error::read(source))?;
    let mentioned = Mentioned::in_text(&text);
    let harness = Harness::build(&rust, mentioned, &directory, cache, scratch.path())?;
    let file = File { request, source, text, rust, harness };
    let key = if cache.is_on() { Some(file.key(&directory, scratch.path(), observed)?) } else { None };
    let cached = key.as_ref().and_then(|key| cache.get(key));
    let from_cache = cached.is_some();
    let entry = match cached {
        Some(entry) => entry,
        None => {
            let build = |more: &[String]| file.compile(more, scratch.path());
            entry::with_rust_entry(request.entry.as_deref(), |built: &Entry| &built.payload, build)?
        }
    };
    if let Some(key) = key.filter(|_| !from_cache) {
        cache.put(&key, &entry);
    }
    // A file elsewhere is as much the user's as one here.
    let own = source.parent().map(|folder| directory.join(folder));
    Ok(Loaded {
        name: stem(source),
        has_relocations: object::has_code_relocations(&entry.payload),
        notes: rust::notes(cache, request.ubsan, &entry.payload),
        user_code: file.rust.user_code([directory].into_iter().chain(own).collect(), Vec::new()),
        wasm: entry.payload,
        messages: entry.messages,
        from_cache,
    })
}

struct File<'a> {
    request: &'a Request,
    source: &'a Path,
    text: String,
    rust: Rust,
    harness: Harness,
}

impl File<'_> {
    fn compile(&self, more: &[String], scratch: &Path) -> Result<Entry, Error> {
        // A file without these words has no main; one with them may still have them elsewhere, and rustc says so.
        // One with harnesses is run by them: only libraries export functions.
        let may_have_main = self.text.contains("fn main") || self.text.contains("::main");
        if may_have_main && !self.harness.has_entries() {
            let (finished, entry) = self.compile_as(CrateKind::Binary, more, scratch)?;
            match entry {
                Some(entry) => return Ok(entry),
                None if finished.messages.contains(NO_MAIN) => {}
                None => return Err(self.failed(finished)),
            }
        }
        let (finished, entry) = self.compile_as(CrateKind::Library, more, scratch)?;
        entry.ok_or_else(|| self.failed(finished))
    }

    fn compile_as(
        &self,
        kind: CrateKind,
        more: &[String],
        scratch: &Path,
    ) -> Result<(Finished, Option<Entry>), Error> {
        let output = scratch.join("rust.wasm");
        let crate_type = match kind {
            CrateKind::Binary => "bin",
            CrateKind::Library => "cdylib",
        };
        let mut command = process::command(&self.rust.rustc);
        command
            .args(self.flags())
            .args(["--crate-type", crate_type])
            .args(self.rust.link_flags(kind))
            .args(more);
        let finished = process::run(command.arg("-o").arg(&output).arg(process::file_argument(self.source)))?;
        let entry = match finished.success {
            true => Some(Entry {
                payload: fs::read(&output).map_err(Error::read(&output))?,
                messages: finished.messages.clone(),
            }),
            false => None,
        };
        Ok((finished, entry))
    }

    fn flags(&self) -> Vec<OsString> {
        let level = format!("opt-level={}", rust::opt_level(self.request.optimise));
        let mut flags: Vec<OsString> =
            ["--target", TARGET, "-g", "-C", "panic=abort", "-C", "codegen-units=1", "-C", &level]
                .map(OsString::from)
                .into();
        flags.extend(rust::pass_flags(self.request.optimise).iter().map(OsString::from));
        // The newest edition in which both spellings of no_mangle are valid.
        if !self.request.cflags.iter().any(|flag| flag.starts_with("--edition")) {
            flags.push("--edition=2021".into());
        }
        flags.extend(["--crate-name".into(), crate_name(self.source).into()]);
        flags.extend(self.harness.flags().into_iter().map(OsString::from));
        flags.extend(self.request.cflags.iter().map(OsString::from));
        flags
    }

    /// All files and variables the crate reads, as rustc lists them.
    fn key(&self, directory: &Path, scratch: &Path, observed: &Observed) -> Result<Key, Error> {
        let list = scratch.join("dependencies");
        let mut command = process::command(&self.rust.rustc);
        command.args(self.flags()).args(["--crate-type", "lib", "--emit=dep-info"]);
        let finished = process::run(command.arg("-o").arg(&list).arg(process::file_argument(self.source)))?;
        if !finished.success {
            return Err(self.failed(finished));
        }
        let list = fs::read_to_string(&list).map_err(Error::read(&list))?;
        let version = process::run(process::command(&self.rust.rustc).arg("-vV"))?.stdout;
        let mut key = KeyBuilder::new("rust").part(&version).part(directory.as_os_str().as_encoded_bytes());
        key = key.part(self.request.entry.as_deref().unwrap_or_default().as_bytes());
        for flag in self.flags() {
            observed.flag(&flag, directory);
            key = key.flag(&flag, directory)?;
        }
        self.places(directory).into_iter().for_each(|place| observed.listing(place));
        for file in self.libraries(directory)? {
            key = key.part(file.as_os_str().as_encoded_bytes()).file(&file)?;
            observed.file(file);
        }
        for variable in list.lines().filter(|line| line.starts_with("# env-dep:")) {
            key = key.part(variable.as_bytes());
            let name = variable.trim_start_matches("# env-dep:");
            observed.variable(name.split_once('=').map_or(name, |(name, _)| name));
        }
        for file in dependencies(&list) {
            let path = Path::new(&file);
            key = key.part(file.as_bytes()).file(path)?;
            observed.file(directory.join(path));
            observed.file(directory.join(other_place(path)));
        }
        Ok(key.finish())
    }

    /// The files in the directories that the user's flags name (`-L`): rustc takes from them what it needs.
    fn libraries(&self, directory: &Path) -> Result<Vec<PathBuf>, Error> {
        let mut files = Vec::new();
        for place in self.places(directory) {
            for entry in fs::read_dir(&place).map_err(Error::read(&place))? {
                files.push(entry.map_err(Error::read(&place))?.path());
            }
        }
        files.retain(|file| file.is_file());
        files.sort();
        Ok(files)
    }

    /// The directories that the user's flags name.
    fn places(&self, directory: &Path) -> Vec<PathBuf> {
        let place = |flag: &String| {
            let value = flag.strip_prefix("-L").unwrap_or(flag).trim_start_matches('=');
            let place = directory.join(value.split_once('=').map_or(value, |(_, place)| place));
            Some(place).filter(|place| !value.is_empty() && place.is_dir())
        };
        self.request.cflags.iter().filter_map(place).collect()
    }

    fn failed(&self, finished: Finished) -> Error {
        Error::Compile { what: self.source.display().to_string(), messages: finished.messages }
    }
}

/// The other of the two places where a module's file can be: rustc refuses to choose.
fn other_place(file: &Path) -> PathBuf {
    match (file.file_stem(), file.parent()) {
        (Some(stem), Some(place)) if stem == "mod" => place.with_extension("rs"),
        _ => file.with_extension("").join("mod.rs"),
    }
}

/// The files in the first rule of a dependency list, where a space in a name is escaped.
fn dependencies(list: &str) -> Vec<String> {
    let rule = list.lines().next().and_then(|line| line.split_once(": ")).map_or("", |(_, files)| files);
    let marked = rule.replace("\\ ", "\0");
    marked.split_whitespace().map(|file| file.replace('\0', " ")).collect()
}

/// A crate name made from a file name, which may be anything.
fn crate_name(source: &Path) -> String {
    let name: String =
        stem(source).chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_crate_names() {
        assert_eq!(crate_name(Path::new("a/two-words.rs")), "two_words");
        assert_eq!(crate_name(Path::new("3n+1.rs")), "_3n_1");
    }

    #[test]
    fn dependency_lists_are_read() {
        assert_eq!(
            dependencies("x.d: a.rs with\\ space.txt b.rs\n\na.rs:\n"),
            ["a.rs", "with space.txt", "b.rs"]
        );
    }
}
