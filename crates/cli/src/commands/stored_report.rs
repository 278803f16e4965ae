//! A report that an earlier search has left in its directory, read and checked: it may be damaged, or somebody else's.

use anyhow::{Context, Error, Result, anyhow, bail};
use coax_load::{MOST_BYTES, read_plain};
use coax_report::summary::{LinesSummary, Summary};
use serde::Deserialize;
use std::path::Path;

const ADVICE: &str = "name the directory that `coax cover` wrote";
const AGAIN: &str = "let `coax cover` write it once more";

/// The part of a report that says who wrote it.
#[derive(Deserialize)]
struct Writer {
    version: String,
}

/// The report in a directory.
pub fn read(directory: &Path) -> Result<Summary> {
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
    match serde_json::from_slice(&text) {
        Ok(report) => Ok(report),
        // One of another version may have another form.
        Err(wrong) if wrong.is_data() => {
            let own = env!("CARGO_PKG_VERSION");
            match serde_json::from_slice(&text) {
                Ok(Writer { version }) if version != own => {
                    bail!("{name} is of coax {version}, this is {own}: {wrong}; {AGAIN}")
                }
                _ => bail!("{name} is damaged: {wrong}; {AGAIN}"),
            }
        }
        Err(error) => Err(error).with_context(|| format!("{name} is no report; {ADVICE}")),
    }
}

/// Which tests execute which lines, by the file beside the report.
pub fn read_lines(directory: &Path) -> Result<LinesSummary> {
    let path = directory.join("lines.json");
    let failed = || format!("{} is missing or damaged; {AGAIN}", path.display());
    let text = read_plain(&path, MOST_BYTES).with_context(failed)?;
    serde_json::from_slice(&text).with_context(failed)
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
