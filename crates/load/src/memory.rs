//! The result of a whole load, remembered with all that it depends on, so that the next one starts no compiler.
//!
//! What is remembered is the module and what was said about it; which files were read, each with its stamp and the hash of its content;
//! which were looked for in vain: a header that newly appears before another one is noticed. It holds as long as all of that is as it
//! was. A file with another stamp is read: if its content is the same, the rest still holds. Anything else is compiled the usual way,
//! which has its own cache, by content.
//!
//! A file that was changed while the load went on may not be what the compiler saw. Then nothing is remembered. The clock for that is the
//! file system's own.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cache::{Cache, Entry, Key, KeyBuilder};
use crate::observed::{Observed, Places};
use crate::stamp::{Moment, Stamp};
use crate::user_code::UserCode;
use crate::{Loaded, Request, detect};

/// Variables that compilers and their wrappers listen to. Those that name the host's headers are hidden from compilers.
const VARIABLES: [&str; 15] = [
    "CCC_OVERRIDE_OPTIONS",
    "CCACHE_PREFIX",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "SOURCE_DATE_EPOCH",
    "HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUSTC_BOOTSTRAP",
    "RUST_TARGET_PATH",
];

/// So many places for headers are looked at; to look at more takes as long as to ask the compiler.
const MOST_HEADERS: usize = 200_000;

/// Where the result of a request is remembered.
pub(crate) struct Memory<'a> {
    cache: &'a Cache,
    key: Key,
    began: Moment,
}

/// What is remembered beside the module.
#[derive(Clone, Serialize, Deserialize)]
struct Remembered {
    files: Vec<(PathBuf, Stamp, String)>,
    programs: Vec<(PathBuf, Stamp)>,
    absent: Vec<PathBuf>,
    listings: Vec<(PathBuf, String)>,
    headers: Headers,
    variables: BTreeMap<String, Option<String>>,
    name: String,
    messages: String,
    notes: Vec<String>,
    user_code: UserCode,
    has_relocations: bool,
}

/// Headers, and where none of the name is.
#[derive(Clone, Serialize, Deserialize)]
struct Headers {
    directories: Vec<PathBuf>,
    names: Vec<PathBuf>,
    /// Those that are there, whether they were read or not.
    present: Vec<PathBuf>,
}

impl<'a> Memory<'a> {
    /// Of a request; none if nothing is kept.
    pub fn new(request: &Request, program: &detect::Program, cache: &'a Cache) -> Option<Memory<'a>> {
        let began = cache.opened()?;
        let coax = Stamp::of(&env::current_exe().ok()?)?;
        let mut key = KeyBuilder::remembering("load")
            .part(format!("{coax:?} {program:?}").as_bytes())
            .part(env::current_dir().ok()?.as_os_str().as_encoded_bytes())
            .part(format!("{:?} {} {:?}", request.optimise, request.ubsan, request.entry).as_bytes())
            .part(format!("{:?} {:?}", request.tools.path, request.tools.libc).as_bytes())
            .part(format!("{:?}", request.cflags).as_bytes());
        for name in VARIABLES {
            key = key.part(format!("{:?}", env::var_os(name)).as_bytes());
        }
        Some(Memory { cache, key: key.finish(), began })
    }

    /// What came of the request the last time, if all that it depends on is as it was.
    pub fn recall(&self) -> Option<Loaded> {
        let Entry { payload, messages } = self.cache.get(&self.key)?;
        let mut remembered: Remembered = serde_json::from_str(&messages).ok()?;
        let is_renewed = remembered.holds()?;
        if is_renewed && remembered.files.iter().all(|(_, stamp, _)| stamp.changed() < self.began) {
            self.put(&remembered, &payload);
        }
        let Remembered { name, messages, notes, user_code, has_relocations, .. } = remembered;
        Some(Loaded { name, wasm: payload, messages, notes, user_code, has_relocations, from_cache: true })
    }

    /// Remembers what came of the request.
    pub fn keep(&self, loaded: &Loaded, observed: &Observed) {
        if let Some(remembered) = self.remembered(loaded, observed.places()) {
            self.put(&remembered, &loaded.wasm);
        }
    }

    fn put(&self, remembered: &Remembered, wasm: &[u8]) {
        // A name that is no text is no reason to fail, only to compile again.
        if let Ok(messages) = serde_json::to_string(remembered) {
            self.cache.put(&self.key, &Entry { payload: wasm.to_vec(), messages });
        }
    }

    /// The places of a load as they are now; none if one of them may have been another then.
    fn remembered(&self, loaded: &Loaded, places: Places) -> Option<Remembered> {
        if places.is_more {
            return None;
        }
        let (mut files, mut programs, mut absent) = (Vec::new(), Vec::new(), Vec::new());
        let is_old = |stamp: &Stamp| stamp.changed() < self.began;
        for path in &places.files {
            // First the content: one that changes meanwhile has a stamp that is too new.
            let hash = hash_of(path);
            match Stamp::of(path) {
                Some(stamp) => files.push((path.clone(), Some(stamp).filter(is_old)?, hash?)),
                None => absent.push(path.clone()),
            }
        }
        for path in places.programs {
            match Stamp::of(&path) {
                Some(stamp) => programs.push((path, Some(stamp).filter(is_old)?)),
                None => absent.push(path),
            }
        }
        let variables = places.variables.into_iter().map(|name| {
            let value = env::var(&name).ok();
            (name, value)
        });
        let listing = |directory: PathBuf| {
            let listed = listing(&directory);
            (directory, listed)
        };
        Some(Remembered {
            files,
            programs,
            absent,
            listings: places.listings.into_iter().map(listing).collect(),
            headers: Headers::new(places.header_directories, places.header_names)?,
            variables: variables.collect(),
            name: loaded.name.clone(),
            messages: loaded.messages.clone(),
            notes: loaded.notes.clone(),
            user_code: loaded.user_code.clone(),
            has_relocations: loaded.has_relocations,
        })
    }
}

impl Remembered {
    /// Whether all is as it was; then, whether stamps had to be renewed.
    fn holds(&mut self) -> Option<bool> {
        let mut is_renewed = false;
        for (path, stamp, hash) in &mut self.files {
            let now = Stamp::of(path)?;
            if now != *stamp {
                (hash_of(path)? == *hash).then_some(())?;
                (*stamp, is_renewed) = (now, true);
            }
        }
        let are_as_they_were = self.programs.iter().all(|(path, stamp)| Stamp::of(path) == Some(*stamp))
            && !self.absent.iter().any(|path| path.is_file())
            && self.listings.iter().all(|(directory, listed)| listing(directory) == *listed)
            && self.variables.iter().all(|(name, value)| env::var(name).ok() == *value)
            && self.headers.hold();
        are_as_they_were.then_some(is_renewed)
    }
}

impl Headers {
    fn new(
        directories: impl IntoIterator<Item = PathBuf>,
        names: impl IntoIterator<Item = PathBuf>,
    ) -> Option<Headers> {
        let mut headers = Headers {
            directories: directories.into_iter().collect(),
            names: names.into_iter().collect(),
            present: Vec::new(),
        };
        (headers.directories.len().saturating_mul(headers.names.len()) <= MOST_HEADERS).then_some(())?;
        headers.present = headers.places().filter(|place| place.is_file()).collect();
        headers.present.sort();
        Some(headers)
    }

    fn places(&self) -> impl Iterator<Item = PathBuf> {
        self.directories.iter().flat_map(|directory| self.names.iter().map(move |name| directory.join(name)))
    }

    /// Whether there is no new one.
    fn hold(&self) -> bool {
        self.places().all(|place| self.present.binary_search(&place).is_ok() || !place.is_file())
    }
}

fn hash_of(path: &Path) -> Option<String> {
    Some(blake3::hash(&fs::read(path).ok()?).to_hex().to_string())
}

/// The names in a directory, hashed.
fn listing(directory: &Path) -> String {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    names.sort();
    let mut hasher = blake3::Hasher::new();
    for name in names {
        hasher.update(name.as_encoded_bytes()).update(&[0]);
    }
    hasher.finalize().to_hex().to_string()
}
