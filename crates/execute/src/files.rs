//! The program's files: a temporary directory that it sees as `/`, removed after the run.

use crate::{Error, Input, wasi};
use coax_program::Program;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The directory of one run; gone when dropped.
pub(crate) struct Directory(TempDir);

impl Directory {
    /// Writes the input's files, if the program can see files at all.
    pub(crate) fn new(program: &Program, input: &Input) -> Result<Option<Directory>, Error> {
        let paths: Vec<(PathBuf, &[u8])> = input
            .files
            .iter()
            .map(|(name, data)| Ok((relative(name)?, data.0.as_slice())))
            .collect::<Result<_, Error>>()?;
        check_clashes(input)?;
        if !wasi::sees_files(program) {
            return Ok(None);
        }
        let host = |error: std::io::Error| Error::Host(error.to_string());
        let directory = tempfile::Builder::new().prefix("coax-run-").tempdir().map_err(host)?;
        for (path, bytes) in paths {
            let path = directory.path().join(path);
            let parent = path.parent().unwrap_or(directory.path());
            std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, bytes)).map_err(host)?;
        }
        Ok(Some(Directory(directory)))
    }

    /// Where it is on the host.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// The path of a file in the directory: relative, and it stays inside on every system.
fn relative(name: &str) -> Result<PathBuf, Error> {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\', ':']);
    match name.split('/').all(plain) {
        true => Ok(name.split('/').collect()),
        false => Err(Error::BadFileName(name.into())),
    }
}

/// No file can be the directory of another.
fn check_clashes(input: &Input) -> Result<(), Error> {
    for below in input.files.keys() {
        let directories = below.match_indices('/').map(|(end, _)| &below[..end]);
        if let Some(file) = directories.into_iter().find(|directory| input.files.contains_key(*directory)) {
            return Err(Error::FileClash { file: file.into(), below: below.clone() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        for name in ["a", "a/b.txt", "..a", "a/.b"] {
            assert!(relative(name).is_ok(), "{name}");
        }
        for name in ["", "/a", "a/", "a//b", ".", "..", "a/../b", "../a", "c:\\x", "a\0b"] {
            assert!(relative(name).is_err(), "{name}");
        }
    }
}
