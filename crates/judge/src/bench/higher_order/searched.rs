//! One search of coax's, and what it reports.

use crate::bench::contest::Inputs;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What a search found.
pub(super) struct Searched {
    report: Value,
    /// The tracefile of lcov's that it wrote.
    coverage: String,
    place: TempDir,
}

/// Branches of a file: covered, and all.
#[derive(Clone, Copy, Default)]
pub(super) struct Branches {
    pub covered: u64,
    pub total: u64,
}

impl Searched {
    /// Runs `coax cover` with these arguments.
    pub fn run(coax: &Path, arguments: &[&str]) -> Result<Searched> {
        Searched::run_in(tempfile::tempdir()?, coax, arguments)
    }

    /// Runs it with others in the same output directory: samples of before are still known.
    pub fn again(self, coax: &Path, arguments: &[&str]) -> Result<Searched> {
        Searched::run_in(self.place, coax, arguments)
    }

    fn run_in(place: TempDir, coax: &Path, arguments: &[&str]) -> Result<Searched> {
        let mut command = Command::new(coax);
        command.arg("cover").args(arguments).args(["--json", "--emit", "lcov,corpus", "--workers", "1"]);
        command.arg("--out").arg(place.path()).stdin(Stdio::null());
        let output = command.output().context("coax cannot be started")?;
        // 1: a failing test was found.
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(matches!(output.status.code(), Some(0 | 1)), "coax failed: {said}");
        let report = serde_json::from_slice(&output.stdout).context("what coax prints is no JSON")?;
        let coverage = std::fs::read_to_string(place.path().join("lcov/coverage.info"))
            .context("coax wrote no coverage")?;
        Ok(Searched { report, coverage, place })
    }

    /// A number of its report.
    pub fn number(&self, key: &str) -> Result<u64> {
        self.report[key].as_u64().with_context(|| format!("coax does not say `{key}`"))
    }

    /// How often unknown functions were called outside of runs.
    pub fn direct_calls(&self) -> u64 {
        let functions = self.report["unknown_functions"].as_array();
        functions.into_iter().flatten().filter_map(|function| function["direct_calls"].as_u64()).sum()
    }

    /// Whether a test comes to a line of the file whose name ends so.
    pub fn covers_line(&self, file: &str, line: usize) -> Result<bool> {
        let start = format!("DA:{line},");
        let count = self.records(file).find_map(|record| record.strip_prefix(start.as_str()));
        let count = count.with_context(|| format!("nothing is known about line {line} of {file}"))?;
        Ok(count != "0")
    }

    /// The branches of the file whose name ends so.
    pub fn branches(&self, file: &str) -> Branches {
        let mut branches = Branches::default();
        for record in self.records(file).filter_map(|record| record.strip_prefix("BRDA:")) {
            branches.total += 1;
            branches.covered += u64::from(!record.ends_with(",0") && !record.ends_with(",-"));
        }
        branches
    }

    /// The texts that it found, also those that became no tests.
    pub fn texts(&self) -> Result<Vec<Vec<u8>>> {
        Inputs::of_search(self.place.path()).found()
    }

    /// The lines of the tracefile about a file.
    fn records<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a str> {
        let mut is_it = false;
        self.coverage.lines().filter(move |line| {
            if let Some(name) = line.strip_prefix("SF:") {
                is_it = name.ends_with(file);
            }
            is_it
        })
    }
}

/// How many of these words are in some text, as a word.
pub(super) fn words_found(words: &[String], texts: &[Vec<u8>]) -> usize {
    let is_found = |word: &&String| {
        let is_it = |found: &[u8]| found == word.as_bytes();
        texts.iter().any(|text| text.split(|byte| !byte.is_ascii_alphanumeric()).any(is_it))
    };
    words.iter().filter(is_found).count()
}
