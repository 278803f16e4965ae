//! Crates that coax brings along for Rust harnesses: `coax`, and `kani` with Kani's names for the same.
//!
//! A source that mentions one finds it, without a dependency in its manifest and without network: the crates are
//! part of coax, and are compiled with the user's own rustc, once for each version of it. The source is compiled with
//! `--cfg kani` or `--cfg coax` then, as Kani does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::children::Scratch;
use crate::rust::{Rust, TARGET};
use crate::{Error, process};

/// How debug information names the directory of these crates.
pub(crate) const IN_DEBUG_INFO: &str = "/coax-harness";

/// A crate that can be mentioned, in the order in which they depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Crate {
    Coax,
    Kani,
}

const ALL: [Crate; 2] = [Crate::Coax, Crate::Kani];

/// What stands before the name of a harness in the export that marks it.
const HARNESS_MARK: &str = "__coax_harness_";

/// What stands before an attribute and the name of a harness that has it, where coax does not follow the attribute.
const IGNORED_MARK: &str = "__coax_ignored_";
const IGNORED_ATTRIBUTES: [&str; 3] = ["should_panic", "stub", "stub_verified"];

/// What stands before a harness.
pub(crate) const MARKS: [&str; 2] = ["[kani::proof", "[coax::test"];

/// The sources: crate, file, text.
const SOURCES: [(&str, &str, &str); 10] = [
    ("coax_macros", "lib.rs", include_str!("../../harness-macros/src/lib.rs")),
    ("coax_macros", "derive.rs", include_str!("../../harness-macros/src/derive.rs")),
    ("coax_macros", "entry.rs", include_str!("../../harness-macros/src/entry.rs")),
    ("coax", "lib.rs", include_str!("../../harness/src/lib.rs")),
    ("coax", "arbitrary.rs", include_str!("../../harness/src/arbitrary.rs")),
    ("coax", "collections.rs", include_str!("../../harness/src/collections.rs")),
    ("coax", "requests.rs", include_str!("../../harness/src/requests.rs")),
    ("kani", "lib.rs", include_str!("../../harness-kani/src/lib.rs")),
    ("kani", "slice.rs", include_str!("../../harness-kani/src/slice.rs")),
    ("kani", "vec.rs", include_str!("../../harness-kani/src/vec.rs")),
];

impl Crate {
    /// As sources name it.
    pub fn name(self) -> &'static str {
        match self {
            Crate::Coax => "coax",
            Crate::Kani => "kani",
        }
    }
}

/// What sources say of harnesses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mentioned {
    /// The crates that they use.
    pub crates: BTreeSet<Crate>,
    /// The functions that are marked as harnesses.
    pub entries: BTreeSet<String>,
}

impl Mentioned {
    /// What a source says.
    pub fn in_text(text: &str) -> Mentioned {
        let crates = ALL.into_iter().filter(|it| text.contains(&format!("{}::", it.name()))).collect();
        let after_marks = MARKS.iter().flat_map(|mark| text.split(mark).skip(1));
        Mentioned { crates, entries: after_marks.filter_map(function_after).collect() }
    }

    /// What the sources below a directory say.
    pub fn below(directory: &Path) -> Mentioned {
        let mut all = Mentioned::default();
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            all.add(match path.extension().is_some_and(|extension| extension == "rs") {
                true => fs::read_to_string(path).map(|text| Mentioned::in_text(&text)).unwrap_or_default(),
                false => Mentioned::below(&path),
            });
        }
        all
    }

    /// Takes what other sources say.
    pub fn add(&mut self, other: Mentioned) {
        self.crates.extend(other.crates);
        self.entries.extend(other.entries);
    }
}

/// The name of the first function in a text.
pub(crate) fn function_after(text: &str) -> Option<String> {
    let (_, name) = text.split_once("fn ")?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(name[..end].to_owned()).filter(|name| !name.is_empty())
}

/// The environment variable by which the macros learn which harnesses they leave out.
const LEAVE_OUT: &str = "COAX_LEAVE_OUT";

/// The crates, compiled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Harness {
    directory: PathBuf,
    mentioned: Mentioned,
    /// Harnesses that do not compile.
    left_out: BTreeSet<String>,
}

impl Harness {
    /// The same without some harnesses; none if these are left out already.
    pub fn without(&self, names: &BTreeSet<String>) -> Option<Harness> {
        let left_out: BTreeSet<String> = self.left_out.union(names).cloned().collect();
        (left_out != self.left_out).then(|| Harness { left_out, ..self.clone() })
    }

    /// The harnesses that are left out, with commas between them.
    pub fn left_out(&self) -> String {
        let names: Vec<&str> = self.left_out.iter().map(String::as_str).collect();
        names.join(",")
    }

    /// What the macros find in their environment.
    pub fn environment(&self) -> (&'static str, String) {
        (LEAVE_OUT, self.left_out())
    }

    /// Compiles these crates with the rustc that is used in a directory, or takes them from the cache.
    pub fn build(
        rust: &Rust,
        mentioned: Mentioned,
        user_directory: &Path,
        cache: &Cache,
        scratch: &Path,
    ) -> Result<Harness, Error> {
        if mentioned.crates.is_empty() {
            return Ok(Harness::default());
        }
        let version = process::run(process::command(&rust.rustc).arg("-vV").current_dir(user_directory))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&version.stdout);
        SOURCES.iter().for_each(|(_, _, text)| {
            hasher.update(text.as_bytes());
        });
        let name = format!("rust-harness-{}", &hasher.finalize().to_hex()[..16]);
        let place = cache.directory().unwrap_or(scratch);
        let directory = place.join(name);
        if !directory.is_dir() {
            let unfinished = tempfile::tempdir_in(place).map(Scratch::new).map_err(Error::write(place))?;
            compile_all(rust, user_directory, unfinished.path())?;
            // Another process may have been quicker; then its crates are as good.
            let renamed = fs::rename(unfinished.path(), &directory);
            if !directory.is_dir() {
                renamed.map_err(Error::write(&directory))?;
            }
        }
        Ok(Harness { directory, mentioned, left_out: BTreeSet::new() })
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.mentioned.crates.is_empty()
    }

    /// Whether functions are marked as harnesses.
    pub fn has_entries(&self) -> bool {
        !self.mentioned.entries.is_empty()
    }

    /// Flags that make a program export its harnesses; a library does so anyway.
    pub fn export_flags(&self) -> Vec<String> {
        let names = self.mentioned.entries.iter().flat_map(|name| {
            let ignored = IGNORED_ATTRIBUTES.map(|attribute| format!("{IGNORED_MARK}{attribute}_{name}"));
            [name.clone(), format!("{HARNESS_MARK}{name}")].into_iter().chain(ignored)
        });
        names.flat_map(|name| ["-C".to_owned(), format!("link-arg=--export-if-defined={name}")]).collect()
    }

    /// Flags for the crate that mentions them.
    pub fn flags(&self) -> Vec<String> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut flags = vec!["-L".to_owned(), format!("dependency={}", self.directory.display())];
        for name in self.mentioned.crates.iter().map(|it| it.name()) {
            let library = self.directory.join(format!("lib{name}.rlib"));
            flags.extend(["--extern".to_owned(), format!("{name}={}", library.display())]);
            flags.extend(["--cfg".to_owned(), name.to_owned()]);
            flags.extend(["--check-cfg".to_owned(), format!("cfg({name})")]);
        }
        // Cargo does not know what the environment is good for, but other flags are another crate.
        if !self.left_out.is_empty() {
            flags.extend(["--cfg".to_owned(), format!("coax_without={:?}", self.left_out())]);
        }
        flags
    }
}

/// Compiles all crates into a directory.
fn compile_all(rust: &Rust, user_directory: &Path, directory: &Path) -> Result<(), Error> {
    for (name, file, text) in SOURCES {
        let file = directory.join("src").join(name).join(file);
        let place = file.parent().unwrap_or(directory);
        fs::create_dir_all(place).map_err(Error::write(place))?;
        fs::write(&file, text).map_err(Error::write(&file))?;
    }
    compile(
        rust,
        user_directory,
        directory,
        "coax_macros",
        &["--crate-type", "proc-macro", "--extern", "proc_macro"],
    )?;
    let macros = proc_macro(directory)?;
    for name in ALL.map(Crate::name) {
        let macros = format!("coax_macros={}", macros.display());
        let coax = format!("coax={}", directory.join("libcoax.rlib").display());
        let mut flags =
            vec!["--crate-type", "rlib", "--target", TARGET, "-C", "panic=abort", "--extern", &macros];
        if name != "coax" {
            flags.extend(["--extern", &coax]);
        }
        compile(rust, user_directory, directory, name, &flags)?;
    }
    Ok(())
}

fn compile(
    rust: &Rust,
    user_directory: &Path,
    directory: &Path,
    name: &str,
    flags: &[&str],
) -> Result<(), Error> {
    let mut command = process::command(&rust.rustc);
    command.current_dir(user_directory).args(["--crate-name", name, "--edition=2021", "--cap-lints=allow"]);
    command.args(flags).arg("--remap-path-prefix");
    command.arg(format!("{}={IN_DEBUG_INFO}", directory.join("src").display()));
    command.arg("-L").arg(directory).arg("--out-dir").arg(directory);
    let finished = process::run(command.arg(directory.join("src").join(name).join("lib.rs")))?;
    match finished.success {
        true => Ok(()),
        false => Err(Error::Compile { what: format!("the {name} crate"), messages: finished.messages }),
    }
}

/// The compiled macros, which have another name on each system.
fn proc_macro(directory: &Path) -> Result<PathBuf, Error> {
    let names = ["libcoax_macros.so", "libcoax_macros.dylib", "coax_macros.dll"];
    let found = names.iter().map(|name| directory.join(name)).find(|file| file.is_file());
    found.ok_or_else(|| Error::Compile { what: "the coax_macros crate".to_owned(), messages: String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mentions_are_found() {
        assert_eq!(Mentioned::in_text("fn main() { kanister() }"), Mentioned::default());
        let kani = Mentioned::in_text("#[kani::proof]\n#[kani::unwind(3)]\npub fn check_it() {}");
        assert_eq!((kani.crates, kani.entries), ([Crate::Kani].into(), ["check_it".to_owned()].into()));
        assert_eq!(Mentioned::in_text("let x: u8 = coax::any();").crates, [Crate::Coax].into());
    }
}
