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

/// Changes whenever the meaning of an entry or the way we compile does.
const VERSION: &str = "coax-load 2";

/// A directory of results, or none.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    directory: Option<PathBuf>,
    /// Why there is none though one was asked for.
    pub note: Option<String>,
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
    payload: String,
}

impl Cache {
    /// A cache in a directory; one that cannot be written is no reason to fail, but worth a note.
    pub fn open(directory: Option<&Path>) -> Cache {
        let Some(directory) = directory else { return Cache { directory: None, note: None } };
        let absolute = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        let usable = fs::create_dir_all(&absolute).and_then(|()| tempfile::tempfile_in(&absolute));
        let note = usable.err().map(|reason| {
            let place = directory.display();
            format!("The cache {place} cannot be written ({reason}), so everything is compiled each time.")
        });
        Cache { directory: note.is_none().then_some(absolute), note }
    }

    /// Where results are kept, for tools that keep their own there.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Whether results are kept at all; if not, no key needs to be computed.
    pub fn is_on(&self) -> bool {
        self.directory.is_some()
    }

    /// The entry of a key, if it is there and whole.
    pub fn get(&self, key: &Key) -> Option<Entry> {
        let bytes = fs::read(self.file(key)?).ok()?;
        let end_of_header = bytes.iter().position(|&byte| byte == b'\n')?;
        let header: Header = serde_json::from_slice(&bytes[..end_of_header]).ok()?;
        let payload = bytes[end_of_header + 1..].to_vec();
        (blake3::hash(&payload).to_hex().as_str() == header.payload)
            .then_some(Entry { payload, messages: header.messages })
    }

    /// Keeps an entry. A cache that cannot be written costs time, never a result.
    pub fn put(&self, key: &Key, entry: &Entry) {
        let Some(file) = self.file(key) else { return };
        let header = Header {
            messages: entry.messages.clone(),
            payload: blake3::hash(&entry.payload).to_hex().to_string(),
        };
        let Ok(mut bytes) = serde_json::to_vec(&header) else { return };
        bytes.push(b'\n');
        bytes.extend_from_slice(&entry.payload);
        let made = file.parent().map_or(Ok(()), fs::create_dir_all);
        // The only consequence of a failure here is that the next run compiles again.
        let _ = made.and_then(|()| write_atomically(&file, &bytes));
    }

    fn file(&self, key: &Key) -> Option<PathBuf> {
        let name = key.0.to_hex();
        Some(self.directory.as_ref()?.join("compiled").join(&name[..2]).join(&name[2..]))
    }
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
pub(crate) struct Key(blake3::Hash);

/// Collects what a result depends on; each part is length-prefixed, so that parts cannot run into each other.
pub(crate) struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    pub fn new(kind: &str) -> KeyBuilder {
        KeyBuilder(blake3::Hasher::new()).part(VERSION.as_bytes()).part(kind.as_bytes())
    }

    pub fn part(mut self, bytes: &[u8]) -> KeyBuilder {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// A file's content.
    pub fn file(self, file: &Path) -> Result<KeyBuilder, Error> {
        Ok(self.part(&fs::read(file).map_err(Error::read(file))?))
    }

    /// A flag, and the content of every file it names from `directory`: the flag may be the value of the one
    /// before it, or carry values behind `=`, `,` or `:`.
    pub fn flag(self, flag: &OsStr, directory: &Path) -> Result<KeyBuilder, Error> {
        let text = flag.to_string_lossy();
        let separators = ['=', ',', ':'];
        let behind = text.match_indices(separators).map(|(at, _)| &text[at + 1..]);
        let named = std::iter::once(&*text).chain(behind).chain(text.split(separators));
        let files = named.filter(|name| !name.is_empty()).map(|name| directory.join(name));
        let flag = self.part(flag.as_encoded_bytes());
        files.filter(|file| file.is_file()).try_fold(flag, |key, file| key.file(&file))
    }

    pub fn finish(self) -> Key {
        Key(self.0.finalize())
    }
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
        assert_ne!(one.0, two.0);
    }
}
