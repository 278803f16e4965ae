//! The directory that tests and reports are written to: only coax's own directories are, and by one search at a time.

use crate::args::note;
use crate::interrupt;
use crate::output_directory::{Kind, OutputDirectory};
use anyhow::{Context, Result, bail};
use coax_execute::Test;
use coax_program::Program;
use coax_report::formats::{FORMATS, File};
use coax_report::summary::{LinesSummary, Summary};
use coax_search::Kept;
use rustix::fs::OFlags;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::TryLockError;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The report. It is written when it is whole: until then that of an earlier search stays.
const REPORT: &str = "report.json";
const TESTS: &str = "tests";
const LINES: &str = "lines.json";
/// What was written for other tools: the hash of each file, by its path. A file that is not as its hash says is somebody else's by now.
const EMITTED: &str = "emitted.json";
/// A file without content that says that a directory is coax's. Who writes to the directory holds a lock on it, which the system takes back
/// however the process ends.
const LOCK: &str = "coax.lock";

/// How long somebody who ends the process waits for a file that is being written: so many times so long.
const PAUSES: u32 = 60;
const PAUSE: Duration = Duration::from_millis(5);

/// What reports say of who wrote them.
const TOOL: &str = "coax";

/// The part of a report that says so.
#[derive(Deserialize)]
struct Writer {
    tool: String,
}

/// The directory.
pub struct Output {
    directory: OutputDirectory,
    tests: OutputDirectory,
    _lock: std::fs::File,
    /// Held while a file is written or removed; who ends the process, if somebody does: nobody else writes then.
    writing: Mutex<Option<ThreadId>>,
    /// How much fuel the runs had that become tests.
    fuel: u64,
    /// The tests that this search has written, by name.
    written: Mutex<BTreeSet<String>>,
}

/// A directory that is coax's, and nobody else writes to.
pub struct Claim {
    directory: OutputDirectory,
    lock: std::fs::File,
}

impl Claim {
    /// Claims a directory that coax made before; none if it is not there yet, or empty. Nothing in it is changed.
    pub fn existing(path: &Path) -> Result<Option<Claim>> {
        let Some(directory) = OutputDirectory::open(path)? else { return Ok(None) };
        match directory.entries()?.is_empty() {
            true => Ok(None),
            false => Claim::of(directory).map(Some),
        }
    }

    /// Claims a directory that is empty or coax's.
    fn of(directory: OutputDirectory) -> Result<Claim> {
        let entries = directory.entries()?;
        let path = directory.path().display();
        if !entries.is_empty() && !is_ours(&directory)? {
            bail!("{path} exists and is not coax's; name another directory with `--out`, or remove it");
        }
        for (name, kind) in entries {
            if name == TESTS || FORMATS.iter().any(|format| format.name == name) {
                directory.expect(&name, Kind::Folder)?;
                directory.folder(&name)?.map_or(Ok(()), |folder| folder.expect_plain())?;
            } else if kind != Kind::Folder {
                directory.expect(&name, Kind::File)?;
            }
        }
        let lock = directory.open_file(LOCK, OFlags::RDWR | OFlags::CREATE)?;
        let lock = lock.with_context(|| format!("cannot make {path}/{LOCK}"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!(
                    "another coax is writing to {path}; wait for it, or name another directory with `--out`"
                )
            }
            // Some file systems of a network have no locks.
            Err(TryLockError::Error(error)) => {
                note(format_args!(
                    "{path}/{LOCK} cannot be locked ({error}); let nobody else write to {path}"
                ));
            }
        }
        Ok(Claim { directory, lock })
    }
}

/// Whether a directory is one of coax's.
fn is_ours(directory: &OutputDirectory) -> Result<bool> {
    if directory.kind(LOCK)? == Some(Kind::File) {
        return Ok(true);
    }
    // Earlier versions have no lock.
    let content = directory.read(REPORT)?.unwrap_or_default();
    Ok(serde_json::from_slice(&content).is_ok_and(|Writer { tool }| tool == TOOL))
}

impl Output {
    /// Begins to write tests of runs with so much fuel to a directory, which is made if it was not there to be claimed.
    pub fn new(path: &Path, claim: Option<Claim>, fuel: u64) -> Result<Output> {
        let claim = claim.map_or_else(|| Claim::of(OutputDirectory::make(path)?), Ok)?;
        let Claim { directory, lock } = claim;
        let tests = directory.make_folder(TESTS)?;
        directory.remove_unfinished()?;
        tests.remove_unfinished()?;
        Ok(Output {
            directory,
            tests,
            _lock: lock,
            writing: Mutex::new(None),
            fuel,
            written: Mutex::default(),
        })
    }

    /// The directory itself.
    pub fn directory(&self) -> &OutputDirectory {
        &self.directory
    }

    /// Nobody but this thread writes here from now on: who wants to waits for the end. A file that is being written is written to its end.
    pub fn take_over(&self) -> Result<()> {
        for _ in 0..PAUSES {
            if let Ok(mut owner) = self.writing.try_lock() {
                *owner = Some(thread::current().id());
                return Ok(());
            }
            thread::sleep(PAUSE);
        }
        bail!(
            "{} does not take what is written; name another directory with `--out`",
            self.directory.path().display()
        )
    }

    /// To be held while something is written or removed.
    fn writes(&self) -> MutexGuard<'_, Option<ThreadId>> {
        let owner = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if owner.is_some_and(|owner| owner != thread::current().id()) {
            drop(owner);
            interrupt::wait_for_end();
        }
        owner
    }

    /// Whether this search has written a test of this name, and it was not removed.
    pub fn has_written(&self, name: &str) -> bool {
        self.written().contains(name)
    }

    fn written(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tests that are there: name and content.
    pub fn tests(&self) -> Result<Vec<(String, Vec<u8>)>> {
        self.tests_but(&BTreeSet::new())
    }

    fn tests_but(&self, but: &BTreeSet<String>) -> Result<Vec<(String, Vec<u8>)>> {
        let mut tests = Vec::new();
        for (file, kind) in self.tests.entries()? {
            let Some(name) = file.strip_suffix(".json").filter(|_| kind == Kind::File) else { continue };
            if !but.contains(name) {
                tests.extend(self.tests.read(&file)?.map(|content| (name.to_owned(), content)));
            }
        }
        Ok(tests)
    }

    /// Removes the tests of earlier searches but for those with these names; returns how many. What somebody else wrote or has changed stays.
    pub fn remove_tests(&self, but: &BTreeSet<String>) -> Result<usize> {
        let mut removed = 0;
        for (name, content) in self.tests_but(but)? {
            let Ok(test) = Test::from_json(&name, &String::from_utf8_lossy(&content)) else { continue };
            if coax_report::is_name_of(&name, &test) {
                self.tests.remove(&format!("{name}.json"))?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// The content of a file, if it is there.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.directory.read(name)
    }

    /// Writes a test.
    pub fn test(&self, program: &Program, test: &Kept) -> Result<()> {
        let name = coax_report::test_name(program, test);
        let stored = Test::new(test.input.clone(), Some(test.outcome.verdict())).seen_with(self.fuel);
        let json = stored.to_json();
        let _writing = self.writes();
        self.tests.write(&format!("{name}.json"), json.as_bytes())?;
        self.written().insert(name);
        Ok(())
    }

    /// Removes a test that was written.
    pub fn remove(&self, program: &Program, test: &Kept) -> Result<()> {
        let name = coax_report::test_name(program, test);
        let _writing = self.writes();
        self.written().remove(&name);
        self.tests.remove(&format!("{name}.json"))
    }

    /// Writes the report, and which tests execute which lines.
    pub fn report(&self, report: &Summary, lines: &LinesSummary) -> Result<()> {
        let _writing = self.writes();
        self.directory.write_to_disk(LINES, |out| {
            serde_json::to_writer(&mut *out, lines)?;
            out.write_all(b"\n")
        })?;
        self.directory.write_to_disk(REPORT, |out| {
            serde_json::to_writer_pretty(&mut *out, report)?;
            out.write_all(b"\n")
        })
    }

    /// Writes the files of a format into its folder, and removes those that an earlier search left there. Nothing is changed if one of
    /// them is not as coax wrote it.
    pub fn emit(&self, format: &str, files: &[File]) -> Result<()> {
        let known = self.directory.read(EMITTED)?.unwrap_or_default();
        let mut known: BTreeMap<String, String> = serde_json::from_slice(&known).unwrap_or_default();
        let folder = format!("{format}/");
        let names: Vec<String> = files.iter().map(|file| format!("{folder}{}", file.name)).collect();
        for name in &names {
            let Some(there) = self.directory.read(name)? else { continue };
            if known.get(name).map(String::as_str) != Some(&*blake3::hash(&there).to_hex()) {
                bail!(
                    "{} is not as coax wrote it; move it away, or name another directory with `--out`",
                    self.directory.path().join(name).display()
                );
            }
        }
        // Names are those of files in the folder, whoever wrote them down.
        let is_left = |name: &&String| name.starts_with(&folder) && !names.contains(name);
        let left: Vec<String> = known.keys().filter(is_left).cloned().collect();
        for name in left {
            let there = self.directory.read(&name)?.unwrap_or_default();
            // A file that somebody has changed stays, and is no longer coax's.
            if known.remove(&name).as_deref() == Some(&*blake3::hash(&there).to_hex()) {
                self.directory.remove(&name)?;
            }
        }
        for (name, file) in names.iter().zip(files) {
            known.insert(name.clone(), blake3::hash(&file.content).to_hex().to_string());
        }
        // Written first: a file that is named here but not there yet is no harm, the other way round it would be nobody's.
        self.write(EMITTED, format!("{:#}\n", serde_json::to_value(&known)?).as_bytes())?;
        for (name, file) in names.iter().zip(files) {
            self.directory.write(name, &file.content)?;
        }
        Ok(())
    }

    /// Writes a file, whole, and waits until the disk has it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let _writing = self.writes();
        self.directory.write_to_disk(name, |out| out.write_all(bytes))
    }
}
