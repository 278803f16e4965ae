//! Inputs are exchanged with a fuzzer while both are running: by libFuzzer's corpus, or by the directory that AFL's instances share.
//!
//! AFL has a directory for each instance, with its inputs in `queue`: `id:000012,src:000003,…`. Others read them in the order of their
//! numbers, and each only once: so numbers go up, also when a search goes on.

use super::seeds::{bytes_of, files, of_file};
use crate::output_directory::OutputDirectory;
use anyhow::{Context, Result};
use coax_execute::Input;
use coax_load::{MOST_BYTES, read_plain};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What coax is called among AFL's instances.
const OWN: &str = "coax";
/// Where an instance has its inputs.
const QUEUE: &str = "queue";

/// A directory that a running fuzzer reads and writes.
pub struct SyncDirectory {
    directory: PathBuf,
    base: Input,
    /// The files that were looked at.
    seen: BTreeSet<PathBuf>,
    /// What is in coax's own queue.
    exported: BTreeSet<[u8; 32]>,
    /// The number of the next file there.
    next: u64,
}

impl SyncDirectory {
    pub fn new(directory: &Path, base: &Input) -> Result<SyncDirectory> {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot use {} for `--sync-dir`", directory.display()))?;
        let own = files(&directory.join(OWN).join(QUEUE)).unwrap_or_default();
        let contents = own.iter().filter_map(|file| read_plain(file, MOST_BYTES).ok());
        Ok(SyncDirectory {
            directory: directory.into(),
            base: base.clone(),
            seen: BTreeSet::new(),
            exported: contents.map(|content| *blake3::hash(&content).as_bytes()).collect(),
            next: own.iter().filter_map(|file| number(file)).map(|last| last + 1).max().unwrap_or(0),
        })
    }

    /// The queues of AFL's instances, but for coax's own.
    fn queues(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let others = entries.filter(|entry| entry.file_name() != OWN);
        let mut queues: Vec<PathBuf> =
            others.map(|entry| entry.path().join(QUEUE)).filter(|queue| queue.is_dir()).collect();
        queues.sort();
        queues
    }

    /// What the fuzzer has found since the last time. A file that goes away meanwhile is no harm.
    pub fn imported(&mut self) -> Vec<Input> {
        let mut places = self.queues();
        if places.is_empty() {
            places.push(self.directory.clone());
        }
        let found = places.iter().filter_map(|place| files(place).ok()).flatten();
        let new: Vec<PathBuf> = found.filter(|file| !is_hidden(file) && !self.seen.contains(file)).collect();
        let inputs = new.iter().filter_map(|file| of_file(file, &self.base).ok()).collect();
        self.seen.extend(new);
        inputs
    }

    /// Gives the fuzzer an input that coax has found.
    pub fn export(&mut self, input: &Input) -> Result<()> {
        let mut input = input.clone();
        let bytes = bytes_of(&mut input).cloned().unwrap_or(input.stdin).0;
        let hash = blake3::hash(&bytes);
        let mut place = OutputDirectory::make(&self.directory)?;
        let name = if self.queues().is_empty() {
            format!("coax-{}", &hash.to_hex()[..16])
        } else {
            if !self.exported.insert(*hash.as_bytes()) {
                return Ok(());
            }
            place = place.make_folder(OWN)?.make_folder(QUEUE)?;
            self.next += 1;
            format!("id:{:06},orig:{OWN}", self.next - 1)
        };
        self.seen.insert(place.path().join(&name));
        place.write(&name, &bytes)
    }
}

/// Whether it is a fuzzer's own note.
fn is_hidden(file: &Path) -> bool {
    file.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with('.'))
}

/// The number of a file in a queue.
fn number(file: &Path) -> Option<u64> {
    let name = file.file_name()?.to_str()?.strip_prefix("id:")?;
    name.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::SyncDirectory;
    use coax_execute::{Data, Input};
    use std::fs;
    use std::path::Path;

    fn write(directory: &Path, name: &str, content: &str) {
        let file = directory.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    fn texts(inputs: Vec<Input>) -> Vec<String> {
        inputs.into_iter().map(|input| String::from_utf8(input.stdin.0).unwrap()).collect()
    }

    fn input(text: &str) -> Input {
        Input { stdin: Data(text.into()), ..Input::default() }
    }

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_queues_of_afl_are_read_and_written() {
        let temporary = tempfile::tempdir().unwrap();
        let directory = temporary.path();
        write(directory, "fuzzer01/queue/id:000000,time:0,execs:0,orig:seed", "one");
        write(directory, "fuzzer01/queue/.state/deterministic_done/id:000000,orig:seed", "a note");
        write(directory, "fuzzer01/queue/.hidden", "another");
        write(directory, "fuzzer01/crashes/README.txt", "no input");
        write(directory, "fuzzer01/fuzzer_stats", "no input");
        write(directory, "fuzzer02/queue/id:000000,orig:seed", "two");
        let mut sync = SyncDirectory::new(directory, &Input::default()).unwrap();
        assert_eq!(texts(sync.imported()), ["one", "two"]);
        assert_eq!(texts(sync.imported()), [""; 0]);
        // While the search goes on, the fuzzer finds something, and a third one begins.
        write(directory, "fuzzer01/queue/id:000001,src:000000,time:9,op:havoc,rep:2,+cov", "three");
        write(directory, "fuzzer03/queue/id:000000,orig:seed", "four");
        assert_eq!(texts(sync.imported()), ["three", "four"]);
        sync.export(&input("five")).unwrap();
        sync.export(&input("six")).unwrap();
        sync.export(&input("five")).unwrap();
        let own = directory.join("coax/queue");
        assert_eq!(names(&own), ["id:000000,orig:coax", "id:000001,orig:coax"]);
        assert_eq!(fs::read(own.join("id:000001,orig:coax")).unwrap(), b"six");
        // What coax wrote itself is no news.
        assert_eq!(texts(sync.imported()), [""; 0]);
        // A search that goes on does not use a number again: others have read it already.
        let mut later = SyncDirectory::new(directory, &Input::default()).unwrap();
        later.export(&input("six")).unwrap();
        later.export(&input("seven")).unwrap();
        assert_eq!(names(&own).last().map(String::as_str), Some("id:000002,orig:coax"));
        assert_eq!(fs::read(own.join("id:000002,orig:coax")).unwrap(), b"seven");
    }

    #[test]
    fn a_corpus_of_libfuzzer_is_one_directory() {
        let temporary = tempfile::tempdir().unwrap();
        let directory = temporary.path();
        write(directory, "0a1b", "one");
        let mut sync = SyncDirectory::new(directory, &Input::default()).unwrap();
        assert_eq!(texts(sync.imported()), ["one"]);
        sync.export(&input("two")).unwrap();
        assert_eq!(names(directory).len(), 2);
        assert_eq!(texts(sync.imported()), [""; 0]);
        write(directory, "2c3d", "three");
        assert_eq!(texts(sync.imported()), ["three"]);
    }
}
