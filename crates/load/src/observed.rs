//! What a load looked at on its way: which files it read, where it looked for some in vain.
//!
//! Nothing of it is checked while a load goes on: only places are collected. What is there is looked at when the load is over
//! (`memory.rs`).

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cache::files_named;
use crate::tools::Tools;

/// What a load has looked at so far; copies are of the same load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observed(Arc<Mutex<Places>>);

/// Places that the result of a load depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Files that were read, or would have been read if they were there.
    pub files: BTreeSet<PathBuf>,
    /// Programs that were asked or run, or would have been.
    pub programs: BTreeSet<PathBuf>,
    /// Directories whose files were all looked at.
    pub listings: BTreeSet<PathBuf>,
    /// Directories in which headers are looked for.
    pub header_directories: BTreeSet<PathBuf>,
    /// What is looked for in them.
    pub header_names: BTreeSet<PathBuf>,
    /// Variables of the environment.
    pub variables: BTreeSet<String>,
    /// Whether it depends on something that cannot be told from outside.
    pub is_more: bool,
}

impl Observed {
    /// All of it.
    pub fn places(&self) -> Places {
        self.lock().clone()
    }

    /// A file that was read, or looked for in vain.
    pub fn file(&self, file: impl Into<PathBuf>) {
        self.lock().files.insert(file.into());
    }

    /// All programs of this name on the path, also the ones that are not there: the first may be a script that starts the next.
    pub fn programs(&self, tools: &Tools, name: &str) {
        let programs = tools.places(name);
        self.lock().programs.extend(programs);
    }

    /// A program, by its path.
    pub fn program(&self, program: impl Into<PathBuf>) {
        self.lock().programs.insert(program.into());
    }

    /// A directory all of whose files were looked at.
    pub fn listing(&self, directory: impl Into<PathBuf>) {
        self.lock().listings.insert(directory.into());
    }

    /// A flag, with the files that it names.
    pub fn flag(&self, flag: &OsStr, directory: &Path) {
        let files = files_named(flag, directory);
        self.lock().files.extend(files);
    }

    /// Headers, and where they are looked for.
    pub fn headers(
        &self,
        directories: impl IntoIterator<Item = PathBuf>,
        names: impl IntoIterator<Item = PathBuf>,
    ) {
        let mut places = self.lock();
        places.header_directories.extend(directories);
        places.header_names.extend(names);
    }

    /// A variable of the environment.
    pub fn variable(&self, name: &str) {
        self.lock().variables.insert(name.to_owned());
    }

    /// Something that cannot be told from outside: this load must be done again each time.
    pub fn more(&self) {
        self.lock().is_more = true;
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
