//! A hash of source files: names and contents, in the order of the names.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

/// Has the crate built with the hash of these sources in an environment variable, and again when they change.
pub fn set(variable: &str, sources: &[&str]) {
    for source in sources {
        println!("cargo::rerun-if-changed={source}");
    }
    match of(sources.iter().map(Path::new)) {
        Ok(hash) => println!("cargo::rustc-env={variable}={hash:016x}"),
        Err(error) => println!("cargo::error=the sources for {variable} cannot be read: {error}"),
    }
}

/// The hash of these files, and of those in these directories.
pub fn of<'a>(sources: impl IntoIterator<Item = &'a Path>) -> io::Result<u64> {
    // The same in every process: its keys are constants.
    let mut hasher = DefaultHasher::new();
    for source in sources {
        add(source, &mut hasher)?;
    }
    Ok(hasher.finish())
}

fn add(source: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    source.hash(hasher);
    if source.is_file() {
        fs::read(source)?.hash(hasher);
        return Ok(());
    }
    let mut entries =
        fs::read_dir(source)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| add(entry, hasher))
}
