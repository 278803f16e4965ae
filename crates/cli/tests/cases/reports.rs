//! Holds each report that a case leaves against its types and its schema.
//!
//! What is read as a [`Summary`] and written again must be the same. What the schema in the repository says of it is asked of a judge that is
//! not ours, once for the reports of all cases.

use crate::{requirements, skipped};
use coax_report::summary::{LinesSummary, Summary};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// What holds JSON against a schema.
const JUDGE: &str = "check-jsonschema";

/// Copies of the reports, until they are judged.
pub struct Reports {
    folder: TempDir,
    count: AtomicUsize,
}

impl Reports {
    pub fn new() -> io::Result<Reports> {
        Ok(Reports { folder: tempfile::tempdir()?, count: AtomicUsize::new(0) })
    }

    /// Looks for reports that searches left below these directories, compares them with their types, and keeps them for the judge.
    pub fn keep(&self, directories: &[&Path]) -> Result<(), String> {
        let mut found = Vec::new();
        directories.iter().for_each(|directory| add_reports(&mut found, directory));
        for report in found {
            check_types::<Summary>(&report)?;
            check_types::<LinesSummary>(&report.with_file_name("lines.json"))?;
            let number = self.count.fetch_add(1, Ordering::Relaxed);
            let copy = self.folder.path().join(format!("{number}.json"));
            fs::copy(&report, copy).map_err(|error| format!("{}: {error}", report.display()))?;
        }
        Ok(())
    }

    /// Asks the judge about all of them.
    pub fn judge(&self, root: &Path) -> Result<(), String> {
        let count = self.count.load(Ordering::Relaxed);
        if count == 0 {
            return Ok(());
        }
        let Some(judge) = requirements::on_path(JUDGE) else {
            let why = format!("the schema of {count} reports: needs {JUDGE}");
            return match skipped::is_strict() {
                true => Err(format!("{why}; `scripts/test` installs it, so here nothing may be skipped")),
                false => {
                    eprintln!("skipped: {why}");
                    Ok(())
                }
            };
        };
        let mut command = Command::new(judge);
        command.arg("--schemafile").arg(root.join("docs/report.schema.json"));
        command.args((0..count).map(|number| self.folder.path().join(format!("{number}.json"))));
        let output = command.output().map_err(|error| format!("{JUDGE} does not start: {error}"))?;
        match output.status.success() {
            true => Ok(()),
            false => Err(format!(
                "the schema does not take all reports:\n{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }
}

/// Adds the reports below a directory. Only those count that stand in a directory of coax's: others are made to be wrong.
fn add_reports(found: &mut Vec<PathBuf>, directory: &Path) {
    for entry in directory.read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        // Neither links nor pipes are followed.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => add_reports(found, &path),
            Ok(kind) if kind.is_file() && entry.file_name() == "report.json" => {
                found.extend(path.with_file_name("coax.lock").is_file().then_some(path));
            }
            _ => {}
        }
    }
}

/// Fails if a file is not what its type says.
fn check_types<T: Serialize + DeserializeOwned>(file: &Path) -> Result<(), String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    // A case may have put something else there.
    if !file.symlink_metadata().is_ok_and(|it| it.is_file()) {
        return Ok(());
    }
    let text = fs::read(file).map_err(|error| wrong(&error))?;
    let typed: T = serde_json::from_slice(&text).map_err(|error| wrong(&error))?;
    let there: Value = serde_json::from_slice(&text).map_err(|error| wrong(&error))?;
    let again = serde_json::to_value(&typed).map_err(|error| wrong(&error))?;
    match again == there {
        true => Ok(()),
        false => Err(wrong(&"read by its type and written again it is another one")),
    }
}
