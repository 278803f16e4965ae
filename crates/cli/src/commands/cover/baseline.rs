//! Failures that are known: only others count.

use crate::args::note;
use anyhow::{Context, Result, anyhow, bail};
use coax_load::{MOST_BYTES, read_plain};
use coax_report::summary::Bug;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// What stands for the function of a failure that is in none of the user's.
const NOWHERE: &str = "null";

/// What a failure is known by: what happened, in which function. Lines change too easily.
type Known = (String, String);

/// The failures of a baseline.
pub struct Baseline<'a> {
    file: &'a Path,
    known: BTreeSet<Known>,
}

impl Baseline<'_> {
    /// Reads a baseline; none if there is no such file.
    pub fn read(file: &Path) -> Result<Option<Baseline<'_>>> {
        if !file.is_symlink() && !file.exists() {
            let directory = directory_of(file);
            if !directory.is_dir() {
                bail!("cannot write {}: there is no directory {}", file.display(), directory.display());
            }
            return Ok(None);
        }
        let text = read_plain(file, MOST_BYTES).with_context(|| format!("cannot read {}", file.display()))?;
        let bad =
            || format!("{} is not a baseline; remove it, and the next search writes one", file.display());
        let baseline: Value = serde_json::from_slice(&text).with_context(bad)?;
        let failures =
            baseline["failures"].as_array().context("it has no list `failures`").with_context(bad)?;
        // One that was read as empty would make all failures new, or hide that none is known.
        let is_one = |failure: &Value| failure["kind"].is_string() && failure["function"].is_string();
        if let Some(number) = failures.iter().position(|failure| !is_one(failure)) {
            return Err(anyhow!("`failures[{number}]` has no `kind` and `function`")).with_context(bad);
        }
        let text = |part: &Value| part.as_str().unwrap_or_default().to_owned();
        let known = |failure: &Value| (text(&failure["kind"]), text(&failure["function"]));
        Ok(Some(Baseline { file, known: failures.iter().map(known).collect() }))
    }

    /// Whether a failure is known. Baselines of before call all ways in which a program gives up what they are to wasm.
    fn contains(&self, (kind, function): &Known) -> bool {
        let is_finer = ["panic", "assertion", "abort"].contains(&&**kind);
        let before = || ("unreachable".to_owned(), function.clone());
        self.known.contains(&(kind.clone(), function.clone())) || is_finer && self.known.contains(&before())
    }

    /// Marks those failures of a report that are known, and says how many are not.
    pub fn mark(&self, bugs: &mut [Bug]) {
        let mut new = BTreeSet::new();
        for bug in bugs {
            let by = known_by(bug);
            let is_known = self.contains(&by);
            bug.known = Some(is_known);
            if !is_known {
                new.insert(by);
            }
        }
        note(format_args!("{} of the failures are not in {}", new.len(), self.file.display()));
    }
}

/// Writes the failures of a report down, to be known from now on.
pub fn write(file: &Path, bugs: &[Bug]) -> Result<()> {
    let all: BTreeSet<Known> = bugs.iter().map(known_by).collect();
    let known: Vec<Value> =
        all.iter().map(|(kind, function)| json!({"kind": kind, "function": function})).collect();
    let text = format!("{:#}\n", json!({"failures": known}));
    let failed = || format!("cannot write {}", file.display());
    let mut builder = tempfile::Builder::new();
    // As readable as the user's other files, unlike what is only there for a while.
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut temporary = builder.tempfile_in(directory_of(file)).with_context(failed)?;
    temporary.as_file_mut().write_all(text.as_bytes()).with_context(failed)?;
    temporary.as_file().sync_data().with_context(failed)?;
    temporary.persist_noclobber(file).with_context(failed)?;
    note(format_args!("{} has the failures of now; later ones count", file.display()));
    Ok(())
}

fn directory_of(file: &Path) -> &Path {
    file.parent().filter(|directory| *directory != Path::new("")).unwrap_or(Path::new("."))
}

fn known_by(bug: &Bug) -> Known {
    (bug.kind.to_string(), bug.function.as_deref().unwrap_or(NOWHERE).to_owned())
}
