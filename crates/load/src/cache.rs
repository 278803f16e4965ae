//! Results kept by content.
//!
//! An entry is one file: a line of JSON, then the payload. It appears by rename, so a reader never sees half of
//! one; an entry that cannot be read or does not match its own hash counts as absent. The whole directory may be
//! deleted at any time.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::stamp::{Moment, Stamp};

/// Changes whenever the meaning of an entry or the way we compile does.
const VERSION: &str = "coax-load 3";

/// A directory of results, or none.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    directory: Option<PathBuf>,
    /// Why there is none though one was asked for.
    pub note: Option<String>,
    /// When it was opened, by the clock of its file system.
    opened: Option<Moment>,
}

/// What was compiled or linked, and what the tools said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub payload: Vec<u8>,
    pub messages: String,
}

#[derive(Serialize, Deserialize)]
struct Header {
    messages: String,
    hash: String,
}

impl Cache {
    /// A cache in a directory; one that cannot be written is no reason to fail, but worth a note.
    pub fn open(directory: Option<&Path>) -> Cache {
        let Some(directory) = directory else { return Cache { directory: None, note: None, opened: None } };
        let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        let usable = fs::create_dir_all(&absolute).and_then(|()| tempfile::tempfile_in(&absolute));
        let opened = usable.as_ref().ok().and_then(Stamp::of_open).map(|stamp| stamp.changed());
        let note = usable.err().map(|reason| {
            let place = directory.display();
            format!("The cache {place} cannot be written ({reason}), so everything is compiled each time.")
        });
        Cache { directory: note.is_none().then_some(absolute), note, opened }
    }

    /// Where results are kept, for tools that keep their own there.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Whether results are kept at all; if not, no key needs to be computed.
    pub fn is_on(&self) -> bool {
        self.directory.is_some()
    }

    /// When it was opened, by the clock of its file system; none if it is off.
    pub fn opened(&self) -> Option<Moment> {
        self.opened
    }

    /// The entry of a key, if it is there and whole.
    pub fn get(&self, key: &Key) -> Option<Entry> {
        let bytes = fs::read(self.file(key)?).ok()?;
        let end_of_header = bytes.iter().position(|&byte| byte == b'\n')?;
        let header: Header = serde_json::from_slice(&bytes[..end_of_header]).ok()?;
        let payload = &bytes[end_of_header + 1..];
        (hash(payload, &header.messages) == header.hash)
            .then(|| Entry { payload: payload.to_vec(), messages: header.messages })
    }

    /// Keeps an entry. A cache that cannot be written costs time, never a result.
    pub fn put(&self, key: &Key, entry: &Entry) {
        let Some(file) = self.file(key) else { return };
        let header = Header { messages: entry.messages.clone(), hash: hash(&entry.payload, &entry.messages) };
        let Ok(mut bytes) = serde_json::to_vec(&header) else { return };
        bytes.push(b'\n');
        bytes.extend_from_slice(&entry.payload);
        let made = file.parent().map_or(Ok(()), fs::create_dir_all);
        // The only consequence of a failure here is that the next run compiles again.
        let _ = made.and_then(|()| write_atomically(&file, &bytes));
    }

    fn file(&self, key: &Key) -> Option<PathBuf> {
        let name = key.hash.to_hex();
        Some(self.directory.as_ref()?.join(key.folder).join(&name[..2]).join(&name[2..]))
    }
}

fn hash(payload: &[u8], messages: &str) -> String {
    let messages = blake3::hash(messages.as_bytes());
    blake3::Hasher::new().update(messages.as_bytes()).update(payload).finalize().to_hex().to_string()
}

/// Writes a file so that it is there whole or not at all.
pub(crate) fn write_atomically(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temporary = tempfile::NamedTempFile::new_in(directory)?;
    temporary.write_all(bytes)?;
    temporary.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// What a result depends on, hashed.
pub(crate) struct Key {
    hash: blake3::Hash,
    folder: &'static str,
}

/// Collects what a result depends on; each part is length-prefixed, so that parts cannot run into each other.
pub(crate) struct KeyBuilder {
    hasher: blake3::Hasher,
    folder: &'static str,
}

impl KeyBuilder {
    /// For something that was made, whose key is all that it was made from.
    pub fn new(kind: &str) -> KeyBuilder {
        KeyBuilder::of("compiled", kind)
    }

    /// For what is remembered as long as the world is the same, beside the key.
    pub fn remembering(kind: &str) -> KeyBuilder {
        KeyBuilder::of("remembered", kind)
    }

    fn of(folder: &'static str, kind: &str) -> KeyBuilder {
        let builder = KeyBuilder { hasher: blake3::Hasher::new(), folder };
        builder.part(VERSION.as_bytes()).part(kind.as_bytes())
    }

    pub fn part(mut self, bytes: &[u8]) -> KeyBuilder {
        self.hasher.update(&(bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
        self
    }

    /// A file's content.
    pub fn file(self, file: &Path) -> Result<KeyBuilder, Error> {
        Ok(self.part(&fs::read(file).map_err(Error::read(file))?))
    }

    /// A flag, and the content of every file it names from `directory`.
    pub fn flag(self, flag: &OsStr, directory: &Path) -> Result<KeyBuilder, Error> {
        let files = files_named(flag, directory).into_iter();
        let flag = self.part(flag.as_encoded_bytes());
        files.filter(|file| file.is_file()).try_fold(flag, |key, file| key.file(&file))
    }

    pub fn finish(self) -> Key {
        Key { hash: self.hasher.finalize(), folder: self.folder }
    }
}

/// The files that a flag may name, whether they are there or not: the flag may be the value of the one before it, or carry values
/// behind `=`, `,` or `:`.
pub(crate) fn files_named(flag: &OsStr, directory: &Path) -> Vec<PathBuf> {
    let text = flag.to_string_lossy();
    let separators = ['=', ',', ':'];
    let behind = text.match_indices(separators).map(|(at, _)| &text[at + 1..]);
    let named = std::iter::once(&*text).chain(behind).chain(text.split(separators));
    named.filter(|name| !name.is_empty()).map(|name| directory.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        KeyBuilder::new("test").part(b"a").finish()
    }

    #[test]
    fn an_entry_comes_back_whole() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(directory.path()));
        let entry = Entry { payload: b"\0asm\n\n".to_vec(), messages: "warning: \n two lines".to_owned() };
        assert_eq!(cache.get(&key()), None);
        cache.put(&key(), &entry);
        assert_eq!(cache.get(&key()), Some(entry));
    }

    #[test]
    fn a_damaged_entry_counts_as_absent() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(directory.path()));
        cache.put(&key(), &Entry { payload: vec![7; 100], messages: String::new() });
        let file = cache.file(&key()).unwrap();
        let whole = fs::read(&file).unwrap();
        for damaged in [&whole[..whole.len() - 1], &whole[..3], &[]] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(cache.get(&key()), None);
        }
    }

    #[test]
    fn a_place_that_cannot_be_written_is_noted() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "in the way").unwrap();
        let cache = Cache::open(Some(&file.join("cache")));
        assert!(!cache.is_on() && cache.note.is_some());
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let one = KeyBuilder::new("test").part(b"ab").part(b"c").finish();
        let two = KeyBuilder::new("test").part(b"a").part(b"bc").finish();
        assert_ne!(one.hash, two.hash);
    }
}
