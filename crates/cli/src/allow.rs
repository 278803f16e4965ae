//! What of this machine a program may see: copies, as it is when the run begins.

use crate::args::note;
use anyhow::{Context, Result, bail};
use coax_execute::{Data, Input};
use coax_load::{open_plain, read_all};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// How many bytes of a directory are copied at most: all of it is in memory, and stored with a test.
const MOST_BYTES: u64 = 256 << 20;
/// The same for files.
const MOST_FILES: usize = 100_000;

/// Lets the program see something of this machine, as it is now.
pub fn allow(what: &str, input: &mut Input) -> Result<()> {
    match what {
        "clock" => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            input.time = Some(u64::try_from(now.as_nanos()).unwrap_or(u64::MAX));
        }
        "random" => input.seed = RandomState::new().build_hasher().finish(),
        "env" => {
            let own = std::env::vars_os();
            let own =
                own.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
            input.env.extend(own);
        }
        _ => match what.strip_prefix("dir=") {
            Some(directory) => {
                let root = Path::new(directory);
                let inside = root.canonicalize().with_context(|| format!("cannot read {directory}"))?;
                let mut copy = Copy { inside, files: &mut input.files, bytes: 0, left_out: Vec::new() };
                copy.directory(root, "")?;
                copy.note_left_out(directory);
            }
            None => {
                bail!("--allow: `{what}` is nothing to allow; write `dir=PATH`, `clock`, `random` or `env`")
            }
        },
    }
    Ok(())
}

/// Files of a directory that are being copied.
struct Copy<'a> {
    /// The directory itself: what a link leads to is copied if it is in it.
    inside: PathBuf,
    files: &'a mut BTreeMap<String, Data>,
    bytes: u64,
    /// What cannot be copied, and why.
    left_out: Vec<String>,
}

impl Copy<'_> {
    /// Copies the files of a directory, and of those in it.
    fn directory(&mut self, directory: &Path, below: &str) -> Result<()> {
        let failed = || format!("cannot read {}", directory.display());
        let mut entries = std::fs::read_dir(directory)
            .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
            .with_context(failed)?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        if entries.is_empty() && !below.is_empty() {
            self.left_out.push(format!("{below} (empty)"));
        }
        for entry in entries {
            let Ok(name) = entry.file_name().into_string() else {
                self.left_out.push(format!("{below}{} (not UTF-8)", entry.file_name().display()));
                continue;
            };
            let (name, path) = (format!("{below}{name}"), entry.path());
            let kind = entry.file_type().with_context(failed)?;
            let is_file_inside = || {
                let target = path.canonicalize().ok().filter(|target| target.starts_with(&self.inside));
                target.is_some_and(|target| target.is_file())
            };
            if kind.is_dir() {
                self.directory(&path, &format!("{name}/"))?;
            } else if kind.is_file() || (kind.is_symlink() && is_file_inside()) {
                self.file(name, &path)?;
            } else if kind.is_symlink() {
                self.left_out.push(format!("{name} (a link to a directory, or out of this one)"));
            } else {
                self.left_out.push(format!("{name} (no file)"));
            }
        }
        Ok(())
    }

    fn file(&mut self, name: String, path: &Path) -> Result<()> {
        let failed = || format!("cannot read {}", path.display());
        // A file that the system makes up as it is read has no length, and may have no end.
        let left = MOST_BYTES - self.bytes;
        let file = open_plain(path).with_context(failed)?;
        let is_too_long = file.metadata().with_context(failed)?.len() > left;
        let bytes = if is_too_long { None } else { read_all(file, left).ok() };
        let Some(bytes) = bytes.filter(|_| self.files.len() < MOST_FILES) else {
            bail!(
                "--allow: the directory has more than the {MOST_BYTES} bytes or {MOST_FILES} files that are copied, or one that never ends \
                 ({}); allow one with less in it",
                path.display()
            );
        };
        self.bytes += bytes.len() as u64;
        self.files.insert(name, Data(bytes));
        Ok(())
    }

    fn note_left_out(&self, directory: &str) {
        const MOST_NAMES: usize = 5;
        if !self.left_out.is_empty() {
            let named = self.left_out[..self.left_out.len().min(MOST_NAMES)].join(", ");
            let more = match self.left_out.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            note(format_args!("the program does not see these of {directory}: {named}{more}"));
        }
    }
}
