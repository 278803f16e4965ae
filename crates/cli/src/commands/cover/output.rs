//! The directory that tests and reports are written to. A file is there whole or not at all, and only coax's own directories are written to.

use anyhow::{Context, Result, bail};
use coax_execute::Test;
use coax_program::Program;
use coax_search::Kept;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What says that a directory is coax's.
const MARK: &str = "report.json";
const TESTS: &str = "tests";

/// The directory.
pub struct Output {
    directory: PathBuf,
}

impl Output {
    /// Makes the directory, or takes one that coax made before.
    pub fn new(directory: &Path) -> Result<Output> {
        let is_there = directory.exists();
        let is_empty = || std::fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none());
        if is_there && !directory.join(MARK).exists() && !is_empty() {
            bail!(
                "{} exists and is not coax's; name another directory with `--out`, or remove it",
                directory.display()
            );
        }
        let tests = directory.join(TESTS);
        std::fs::create_dir_all(&tests).with_context(|| {
            format!("cannot make {}; name another directory with `--out`", tests.display())
        })?;
        let output = Output { directory: directory.to_owned() };
        output.write(MARK, b"{}\n")?;
        Ok(output)
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
        std::fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))
    }

    /// Writes the report.
    pub fn report(&self, report: &serde_json::Value) -> Result<()> {
        self.write(MARK, format!("{report:#}\n").as_bytes())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let file = self.directory.join(name);
        let failed = || format!("cannot write {}", file.display());
        let directory = file.parent().unwrap_or(&self.directory);
        let mut temporary = tempfile::NamedTempFile::new_in(directory).with_context(failed)?;
        temporary.write_all(bytes).with_context(failed)?;
        temporary.persist(&file).with_context(failed)?;
        Ok(())
    }
}
