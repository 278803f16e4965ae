//! A report that an earlier search has left in its directory, read and checked: it may be damaged, or somebody else's.

use anyhow::{Context, Error, Result, anyhow, bail};
use coax_load::{MOST_BYTES, read_plain};
use serde_json::Value;
use std::path::Path;

const ADVICE: &str = "name the directory that `coax cover` wrote";
const AGAIN: &str = "let `coax cover` write it once more";

/// What a part of a report has to be.
#[derive(Clone, Copy)]
enum Form {
    Text,
    TextOrNothing,
    Number,
    Texts,
}

use Form::{Number, Text, TextOrNothing, Texts};

/// The parts of what is listed in a report, as far as it is read again. What earlier versions did not write may be missing.
const LISTS: &[(&str, &[(&str, Form)])] = &[
    (
        "uncovered",
        &[
            ("location", TextOrNothing),
            ("function", TextOrNothing),
            ("branch", TextOrNothing),
            ("why", Text),
            ("site", Number),
            ("direction", Number),
        ],
    ),
    (
        "dead",
        &[("function", Text), ("location", TextOrNothing), ("branch", TextOrNothing), ("because", Texts)],
    ),
    ("strategies", &[("test", Text), ("steps", Texts)]),
];

/// The report in a directory.
pub fn read(directory: &Path) -> Result<Value> {
    let path = directory.join("report.json");
    let name = path.display();
    let text = read_plain(&path, MOST_BYTES).map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound && directory.join("coax.lock").is_file() {
            return anyhow!("{name} is not there yet; let `coax cover` finish");
        }
        let within = searches_within(directory);
        let advice = match within.is_empty() {
            true => ADVICE.to_owned(),
            false => format!("several searches are in there: name {}", within.join(" or ")),
        };
        Error::from(error).context(format!("cannot read {name}; {advice}"))
    })?;
    let report: Value =
        serde_json::from_slice(&text).with_context(|| format!("{name} is no report; {ADVICE}"))?;
    if let Some(wrong) = wrong_part(&report) {
        // One of another version may have another form.
        let own = env!("CARGO_PKG_VERSION");
        match report["version"].as_str() {
            Some(version) if version != own => {
                bail!("{name} is of coax {version}, this is {own}: {wrong}; {AGAIN}")
            }
            _ => bail!("{name} is damaged: {wrong}; {AGAIN}"),
        }
    }
    Ok(report)
}

/// Which tests execute which lines, by the file beside the report.
pub fn read_lines(directory: &Path) -> Result<Value> {
    let path = directory.join("lines.json");
    let failed = || format!("{} is missing or damaged; {AGAIN}", path.display());
    let text = read_plain(&path, MOST_BYTES).with_context(failed)?;
    let lines: Value = serde_json::from_slice(&text).with_context(failed)?;
    let is_whole = lines.as_object().is_some_and(|files| files.values().all(Value::is_object));
    if !is_whole {
        bail!(failed());
    }
    Ok(lines)
}

/// What of a report is not as it should be, in words.
fn wrong_part(report: &Value) -> Option<String> {
    if !report.is_object() {
        return Some("it is no object".to_owned());
    }
    for (list, parts) in LISTS {
        let entries = match &report[*list] {
            Value::Null => continue,
            Value::Array(entries) => entries,
            _ => return Some(format!("`{list}` is no list")),
        };
        for (number, entry) in entries.iter().enumerate() {
            if !entry.is_object() {
                return Some(format!("`{list}[{number}]` is no object"));
            }
            let mut wrong = parts.iter().filter(|(part, form)| !form.fits(&entry[*part]));
            if let Some((part, form)) = wrong.next() {
                return Some(format!("`{list}[{number}].{part}` is no {}", form.name()));
            }
        }
    }
    let is_wrong = !Texts.fits(&report["assumed"]);
    let uncalled = &report["uncalled"];
    is_wrong.then(|| "`assumed` is no list of texts".to_owned()).or_else(|| {
        (!uncalled.is_null() && !uncalled.is_object()).then(|| "`uncalled` is no object".to_owned())
    })
}

impl Form {
    fn fits(self, value: &Value) -> bool {
        match self {
            Text => value.is_string(),
            TextOrNothing => value.is_string() || value.is_null(),
            Number => value.is_u64(),
            // Earlier versions had fewer lists.
            Texts => match value {
                Value::Array(texts) => texts.iter().all(Value::is_string),
                other => other.is_null(),
            },
        }
    }

    fn name(self) -> &'static str {
        match self {
            Text | TextOrNothing => "text",
            Number => "number",
            Texts => "list of texts",
        }
    }
}

/// The folders of a directory that have results of a search: `--compare` writes several.
fn searches_within(directory: &Path) -> Vec<String> {
    let folders = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut searches: Vec<String> = folders
        .filter(|folder| folder.join("report.json").is_file())
        .map(|it| it.display().to_string())
        .collect();
    searches.sort();
    searches
}
