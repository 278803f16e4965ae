//! Compilation databases (`compile_commands.json`): each unit is compiled again, for wasm, with its own flags.
//!
//! A database does not say what is linked with what. Without further advice all units are linked together, which
//! is right for one program or library; a source named beside the database is the program, and the other units
//! become a library for it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::cache::Cache;
use crate::command_line::{CommandLine, Policy};
use crate::compile::{Compiled, Unit, is_cxx};
use crate::link::Link;
use crate::native::{Build, refuse_several_mains};
use crate::observed::Observed;
use crate::plain_file::{MOST_BYTES, read_plain};
use crate::{Error, Loaded, Request, stem};

/// An entry as the format defines it.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// Loads the units of a database; `roots` are sources of it that the user named.
pub(crate) fn load(
    request: &Request,
    database: &Path,
    roots: &[PathBuf],
    cache: &Cache,
    observed: &Observed,
) -> Result<Loaded, Error> {
    observed.file(database);
    let entries = read(database)?;
    let chosen = choose(&entries, roots, database)?;
    let build = Build::new(request, cache, observed)?;
    let as_unit = |entry: &Entry| {
        let flags = entry.flags().ok_or_else(|| Error::CompileCommands {
            path: database.to_owned(),
            reason: format!("the command for {} has an open quote", entry.file.display()),
        })?;
        Ok(build.unit(entry.file.clone(), Some(entry.directory.clone()), &flags))
    };
    let units: Vec<Unit> = entries.iter().map(as_unit).collect::<Result<_, Error>>()?;
    let compiled = build.compile_all(&units)?;
    if roots.is_empty() {
        refuse_several_mains(&compiled)?;
    }
    let (program, library): (Vec<_>, Vec<_>) =
        compiled.iter().enumerate().partition(|(number, _)| roots.is_empty() || chosen.contains(number));
    let objects =
        |part: Vec<(usize, &Compiled)>| part.into_iter().map(|(_, unit)| unit.object.clone()).collect();
    let link = Link {
        name: name(database, roots),
        objects: objects(program),
        spare_objects: objects(library),
        ..Link::default()
    };
    build.finish(&compiled, link)
}

/// The C and C++ entries, each source once: libtool and CMake list a file again for each library it is in.
fn read(database: &Path) -> Result<Vec<Entry>, Error> {
    let bad = |reason: String| Error::CompileCommands { path: database.to_owned(), reason };
    let text = read_plain(database, MOST_BYTES).map_err(Error::read(database))?;
    let mut entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))?;
    let place = database.parent().unwrap_or(Path::new(""));
    let mut seen = BTreeSet::new();
    for entry in &mut entries {
        // The format allows relative directories and does not say relative to what.
        entry.directory = place.join(&entry.directory);
        if fs::metadata(entry.absolute()).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(Error::NotAFile { path: entry.absolute() });
        }
        if !entry.directory.is_dir() {
            return Err(bad(format!("its directory {} is not there", entry.directory.display())));
        }
    }
    entries.retain(|entry| is_source(&entry.file) && seen.insert(entry.absolute()));
    if entries.is_empty() {
        return Err(bad("it lists no C or C++ file".to_owned()));
    }
    Ok(entries)
}

impl Entry {
    /// The flags that matter for wasm; `None` if the command cannot be split.
    fn flags(&self) -> Option<Vec<String>> {
        let arguments = match (&self.arguments, &self.command) {
            (Some(arguments), _) => arguments.clone(),
            (None, Some(command)) => shlex::split(command)?,
            (None, None) => Vec::new(),
        };
        Some(CommandLine::parse(&arguments, Policy::Portable).compile_flags)
    }

    fn absolute(&self) -> PathBuf {
        canonical(&self.directory.join(&self.file))
    }
}

/// The positions of the named sources.
fn choose(entries: &[Entry], roots: &[PathBuf], database: &Path) -> Result<BTreeSet<usize>, Error> {
    let position = |root: &PathBuf| {
        let wanted = canonical(root);
        entries
            .iter()
            .position(|entry| entry.absolute() == wanted)
            .ok_or_else(|| Error::NotInDatabase { file: root.clone(), database: database.to_owned() })
    };
    roots.iter().map(position).collect()
}

fn is_source(file: &Path) -> bool {
    is_cxx(file) || file.extension().is_some_and(|extension| extension == "c")
}

/// The named source's name, or the project's: build directories are named after nothing.
fn name(database: &Path, roots: &[PathBuf]) -> String {
    if let Some(root) = roots.first() {
        return stem(root);
    }
    let absolute = canonical(database);
    let directories = absolute.ancestors().skip(1);
    let project =
        directories.filter_map(|it| it.file_name()).find(|name| !name.to_string_lossy().starts_with("build"));
    project.map_or_else(|| "program".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
