//! A hash of source files: names and contents, in the order of the names.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

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
