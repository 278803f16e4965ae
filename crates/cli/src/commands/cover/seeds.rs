//! Inputs from elsewhere: directories of seeds, and a fuzzer that is running.

use crate::args::note;
use anyhow::{Context, Result};
use coax_execute::{Content, Data, Input, Test};
use coax_search::Kept;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many files that are refused are told of one by one.
const SHOWN: usize = 3;

/// Why an input cannot be used, as a sentence; none if it can.
pub type Refuses<'a> = dyn Fn(&Input) -> Option<String> + Send + Sync + 'a;

/// The inputs in a directory: tests of coax's, and files with the bytes that an input like `base` is made of. Says how many there are, and
/// which cannot be used.
pub fn of_directory(directory: &Path, base: &Input, refuses: &Refuses<'_>) -> Result<Vec<Input>> {
    let failed = || format!("cannot read the seeds in {}; name a directory with files", directory.display());
    let (mut inputs, mut refused) = (Vec::new(), Vec::new());
    for file in files(directory).with_context(failed)? {
        let input = of_file(&file, base).with_context(failed)?;
        match refuses(&input) {
            None => inputs.push(input),
            Some(why) => refused.push((file, why)),
        }
    }
    let count = inputs.len();
    let read = if count == 1 { "input is" } else { "inputs are" };
    note(format_args!("{count} {read} read from {}, {} refused", directory.display(), refused.len()));
    for (file, why) in refused.iter().take(SHOWN) {
        note(format_args!("{} is refused: {why}", file.display()));
    }
    if let Some(more) = refused.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        note(format_args!("and {more} more are refused"));
    }
    Ok(inputs)
}

fn of_file(file: &Path, base: &Input) -> Result<Input> {
    let bytes = std::fs::read(file)?;
    let is_test = file.extension().is_some_and(|extension| extension == "json");
    let test = std::str::from_utf8(&bytes).ok().filter(|_| is_test);
    let test = test.and_then(|json| Test::from_json(&file.display().to_string(), json).ok());
    Ok(match test {
        Some(test) => Input { entry: test.input.entry.or_else(|| base.entry.clone()), ..test.input },
        None => with_bytes(base, bytes),
    })
}

/// The files of a directory, in order.
fn files(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        files.extend(Some(entry?.path()).filter(|path| path.is_file()));
    }
    files.sort();
    Ok(files)
}

/// An input with other bytes: of its first parameter that is a buffer or a string, else of standard input.
fn with_bytes(base: &Input, bytes: Vec<u8>) -> Input {
    let mut input = base.clone();
    match bytes_of(&mut input) {
        Some(data) => data.0 = bytes,
        None => input.stdin = Data(bytes),
    }
    input
}

fn bytes_of(input: &mut Input) -> Option<&mut Data> {
    let free = input.params.iter_mut().filter(|param| !param.fixed);
    free.filter_map(|param| match &mut param.content {
        Content::Bytes(_, data) | Content::Text(_, data) => Some(data),
        _ => None,
    })
    .next()
}

/// How many bytes the longest string that is a parameter has, without its end; the length of one is no symbol that others would look at.
pub fn longest_text(input: &Input) -> u64 {
    let texts = input.params.iter().filter_map(|param| match &param.content {
        Content::Text(_, data) if !param.fixed => Some(&data.0),
        _ => None,
    });
    let length = |text: &Vec<u8>| text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    texts.map(length).max().unwrap_or(0) as u64
}

/// A directory that a running fuzzer reads and writes: libFuzzer's corpus, or what AFL's instances share.
pub struct SyncDirectory {
    directory: PathBuf,
    base: Input,
    seen: BTreeSet<PathBuf>,
    written: u64,
}

/// What coax is called among AFL's instances.
const OWN: &str = "coax";

impl SyncDirectory {
    pub fn new(directory: &Path, base: &Input) -> Result<SyncDirectory> {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot use {} for `--sync-dir`", directory.display()))?;
        Ok(SyncDirectory {
            directory: directory.into(),
            base: base.clone(),
            seen: BTreeSet::new(),
            written: 0,
        })
    }

    /// The queues of AFL's instances, but for coax's own.
    fn queues(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let others = entries.filter(|entry| entry.file_name() != OWN);
        others.map(|entry| entry.path().join("queue")).filter(|queue| queue.is_dir()).collect()
    }

    /// What the fuzzer has found since the last time. A file that goes away meanwhile is no harm.
    pub fn imported(&mut self) -> Vec<Input> {
        let mut places = self.queues();
        places.push(self.directory.clone());
        let found = places.iter().filter_map(|place| files(place).ok()).flatten();
        let new: Vec<PathBuf> = found.filter(|file| !self.seen.contains(file)).collect();
        let inputs = new.iter().filter_map(|file| of_file(file, &self.base).ok()).collect();
        self.seen.extend(new);
        inputs
    }

    /// Gives the fuzzer an input that coax has found.
    pub fn export(&mut self, test: &Kept) -> Result<()> {
        let mut input = test.input.clone();
        let bytes = bytes_of(&mut input).cloned().unwrap_or(input.stdin);
        let file = if self.queues().is_empty() {
            self.directory.join(format!("coax-{}", &blake3::hash(&bytes.0).to_hex()[..16]))
        } else {
            let queue = self.directory.join(OWN).join("queue");
            std::fs::create_dir_all(&queue).with_context(|| format!("cannot make {}", queue.display()))?;
            queue.join(format!("id:{:06}", self.written))
        };
        self.written += 1;
        self.seen.insert(file.clone());
        std::fs::write(&file, &bytes.0).with_context(|| format!("cannot write {}", file.display()))
    }
}
