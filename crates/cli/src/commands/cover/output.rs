//! The directory that tests and reports are written to. A file is there whole or not at all, and only coax's own directories are written to.

use anyhow::{Context, Result, bail};
use coax_execute::Test;
use coax_program::Program;
use coax_report::formats::File;
use coax_search::Kept;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What says that a directory is coax's.
const MARK: &str = "report.json";
const TESTS: &str = "tests";
const LINES: &str = "lines.json";
/// What was written for other tools: the hash of each file, by its path. A file that is not as its hash says is somebody else's by now.
const EMITTED: &str = "emitted.json";

/// How long somebody who ends the process waits for a file that is being written: so many times so long.
const PAUSES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(5);

/// What reports say of who wrote them.
const TOOL: &str = "coax";

/// Whether a report is one of coax's.
fn is_ours(report: &Path) -> bool {
    let content = std::fs::read(report).unwrap_or_default();
    let report: serde_json::Value = serde_json::from_slice(&content).unwrap_or_default();
    report["tool"] == TOOL
}

/// The directory.
pub struct Output {
    directory: PathBuf,
    /// Held while a file is written or removed.
    writing: Mutex<()>,
}

impl Output {
    /// Complains about a directory that is somebody else's.
    pub fn may_be(directory: &Path) -> Result<()> {
        let is_there = directory.exists();
        let is_empty = || std::fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none());
        if is_there && !is_ours(&directory.join(MARK)) && !is_empty() {
            bail!(
                "{} exists and is not coax's; name another directory with `--out`, or remove it",
                directory.display()
            );
        }
        Ok(())
    }

    /// Makes the directory, or takes one that coax made before.
    pub fn new(directory: &Path) -> Result<Output> {
        Output::may_be(directory)?;
        let tests = directory.join(TESTS);
        std::fs::create_dir_all(&tests).with_context(|| {
            format!("cannot make {}; name another directory with `--out`", tests.display())
        })?;
        let output = Output { directory: directory.to_owned(), writing: Mutex::new(()) };
        // What an earlier search reported stays until there is something better.
        if !is_ours(&directory.join(MARK)) {
            output.write(MARK, format!("{}\n", serde_json::json!({"tool": TOOL})).as_bytes())?;
        }
        Ok(output)
    }

    /// Removes the tests of earlier searches but for those with these names; returns how many. What somebody else wrote or has changed stays.
    pub fn remove_tests(&self, but: &BTreeSet<String>) -> Result<usize> {
        let tests = self.directory.join(TESTS);
        let mut removed = 0;
        for entry in std::fs::read_dir(&tests).with_context(|| format!("cannot read {}", tests.display()))? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if but.contains(&name) {
                continue;
            }
            let content = std::fs::read_to_string(&path).unwrap_or_default();
            let Ok(test) = Test::from_json(&name, &content) else { continue };
            if coax_report::is_name_of(&name, &test) {
                std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// The same directory for who ends the process. Nobody else writes there from now on: who wants to waits for the end.
    pub fn taken_over(&self) -> Output {
        for _ in 0..PAUSES {
            // A file that is being written is written to its end, unless the disk sleeps.
            match self.writing.try_lock() {
                Ok(guard) => {
                    std::mem::forget(guard);
                    break;
                }
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
        Output { directory: self.directory.clone(), writing: Mutex::new(()) }
    }

    fn writes(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the tests are.
    pub fn tests(&self) -> PathBuf {
        self.directory.join(TESTS)
    }

    /// The content of a file, if it is there.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.directory.join(name)).ok()
    }

    /// Whether there is a test of this name.
    pub fn has_test(&self, name: &str) -> bool {
        self.directory.join(TESTS).join(format!("{name}.json")).exists()
    }

    /// Writes a test.
    pub fn test(&self, program: &Program, test: &Kept) -> Result<()> {
        let name = coax_report::test_name(program, test);
        let json = Test::new(test.input.clone(), Some(test.outcome.verdict())).to_json();
        self.write(&format!("{TESTS}/{name}.json"), json.as_bytes())
    }

    /// Removes a test that was written.
    pub fn remove(&self, program: &Program, test: &Kept) -> Result<()> {
        let file = self.directory.join(TESTS).join(format!("{}.json", coax_report::test_name(program, test)));
        let _writing = self.writes();
        std::fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))
    }

    /// Writes the report, and which tests execute which lines.
    pub fn report(&self, report: &serde_json::Value, lines: &serde_json::Value) -> Result<()> {
        self.write(LINES, format!("{lines}\n").as_bytes())?;
        self.write(MARK, format!("{report:#}\n").as_bytes())
    }

    /// Writes the files of a format into its folder, and removes those that an earlier search left there. Nothing is changed if one of
    /// them is not as coax wrote it.
    pub fn emit(&self, format: &str, files: &[File]) -> Result<()> {
        let known = std::fs::read(self.directory.join(EMITTED)).unwrap_or_default();
        let mut known: BTreeMap<String, String> = serde_json::from_slice(&known).unwrap_or_default();
        let folder = format!("{format}/");
        let names: Vec<String> = files.iter().map(|file| format!("{folder}{}", file.name)).collect();
        for name in &names {
            let path = self.directory.join(name);
            let Ok(there) = std::fs::read(&path) else { continue };
            if known.get(name).map(String::as_str) != Some(&*blake3::hash(&there).to_hex()) {
                bail!(
                    "{} is not as coax wrote it; move it away, or name another directory with `--out`",
                    path.display()
                );
            }
        }
        let is_left = |name: &&String| name.starts_with(&folder) && !names.contains(name);
        let left: Vec<String> = known.keys().filter(is_left).cloned().collect();
        for name in left {
            let path = self.directory.join(&name);
            let there = std::fs::read(&path).unwrap_or_default();
            // A file that somebody has changed stays, and is no longer coax's.
            if known.remove(&name).as_deref() == Some(&*blake3::hash(&there).to_hex()) {
                std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
        for (name, file) in names.iter().zip(files) {
            known.insert(name.clone(), blake3::hash(&file.content).to_hex().to_string());
        }
        // Written first: a file that is named here but not there yet is no harm, the other way round it would be nobody's.
        self.write(EMITTED, format!("{:#}\n", serde_json::to_value(&known)?).as_bytes())?;
        for (name, file) in names.iter().zip(files) {
            let path = self.directory.join(name);
            let folder = path.parent().unwrap_or(&self.directory);
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            self.write(name, &file.content)?;
        }
        Ok(())
    }

    /// Writes a file, whole.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let file = self.directory.join(name);
        let failed = || format!("cannot write {}", file.display());
        let directory = file.parent().unwrap_or(&self.directory);
        let _writing = self.writes();
        let mut builder = tempfile::Builder::new();
        // Temporary files are their owner's alone; reports are as readable as the user's other files.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut temporary = builder.tempfile_in(directory).with_context(failed)?;
        temporary.write_all(bytes).with_context(failed)?;
        temporary.persist(&file).with_context(failed)?;
        Ok(())
    }
}
