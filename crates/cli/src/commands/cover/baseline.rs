//! Failures that are known: only others count.

use crate::args::note;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

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
        if !file.exists() {
            return Ok(None);
        }
        let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let baseline: Value = serde_json::from_slice(&text).with_context(|| {
            format!("{} is not a baseline; remove it, and the next search writes one", file.display())
        })?;
        let known = baseline["failures"].as_array().into_iter().flatten().map(known_by).collect();
        Ok(Some(Baseline { file, known }))
    }

    /// Whether a failure is known. Baselines of before call all ways in which a program gives up what they are to wasm.
    fn contains(&self, (kind, function): &Known) -> bool {
        let is_finer = ["panic", "assertion", "abort"].contains(&&**kind);
        let before = || ("unreachable".to_owned(), function.clone());
        self.known.contains(&(kind.clone(), function.clone())) || is_finer && self.known.contains(&before())
    }

    /// Marks those failures of a report that are known, and says how many are not: that many.
    pub fn mark(&self, bugs: &mut Value) -> usize {
        let mut new = BTreeSet::new();
        for bug in bugs.as_array_mut().into_iter().flatten() {
            let by = known_by(bug);
            let is_known = self.contains(&by);
            bug["known"] = json!(is_known);
            if !is_known {
                new.insert(by);
            }
        }
        note(format_args!("{} of the failures are not in {}", new.len(), self.file.display()));
        new.len()
    }
}

/// Writes the failures of a report down, to be known from now on.
pub fn write(file: &Path, bugs: &Value) -> Result<()> {
    let all: BTreeSet<Known> = bugs.as_array().into_iter().flatten().map(known_by).collect();
    let known: Vec<Value> =
        all.iter().map(|(kind, function)| json!({"kind": kind, "function": function})).collect();
    let text = format!("{:#}\n", json!({"failures": known}));
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    note(format_args!("{} has the failures of now; later ones count", file.display()));
    Ok(())
}

/// Whether a failure of a report is marked as known.
pub fn is_known(bugs: &Value, number: usize) -> bool {
    bugs[number]["known"] == true
}

fn known_by(failure: &Value) -> Known {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    (text(&failure["kind"]), text(&failure["function"]))
}
