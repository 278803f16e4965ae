//! Failures that are known: only others count.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// What a failure is known by: what happened, in which function. Lines change too easily.
type Known = (String, String);

/// The failures of a report that are not in a baseline; all of them are written down if there is none yet.
pub fn new_failures(file: &Path, bugs: &Value) -> Result<Option<usize>> {
    let all: BTreeSet<Known> = failures(bugs);
    if !file.exists() {
        let known: Vec<Value> =
            all.iter().map(|(kind, function)| json!({"kind": kind, "function": function})).collect();
        let text = format!("{:#}\n", json!({"failures": known}));
        std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
        return Ok(None);
    }
    let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let baseline: Value = serde_json::from_slice(&text).with_context(|| {
        format!("{} is not a baseline; remove it, and the next search writes one", file.display())
    })?;
    let known = failures(&baseline["failures"]);
    Ok(Some(all.difference(&known).count()))
}

fn failures(list: &Value) -> BTreeSet<Known> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let all = list.as_array().into_iter().flatten();
    all.map(|failure| (text(&failure["kind"]), text(&failure["function"]))).collect()
}
