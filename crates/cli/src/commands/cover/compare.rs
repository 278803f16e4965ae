//! The treatments of unknown functions, compared on one program: the same search with each.

use super::{CoverArgs, Searched};
use crate::args::note;
use crate::unknown::Treatment;
use anyhow::{Result, bail};
use clap::ValueEnum;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// What the columns are called, and how wide they are.
const COLUMNS: [(&str, usize); 7] = [
    ("treatment", 12),
    ("branches", 10),
    ("tests", 7),
    ("failures", 10),
    ("divergences", 13),
    ("runs", 8),
    ("direct calls", 14),
];

/// What the search is called in which coax chooses what is unknown.
const BY_ITSELF: &str = "default";

/// Searches with each treatment, in a directory of its own, and prints what came of it. Nothing becomes unknown by itself, so that they differ in nothing else. One
/// more search, in which nobody named anything, shows what that is worth.
pub fn run(args: &CoverArgs) -> Result<ExitCode> {
    let directory = args.out.clone().unwrap_or_else(|| PathBuf::from("coax-out"));
    let mut rows = vec![COLUMNS.map(|(name, _)| name.to_owned())];
    let mut fails = false;
    let name = |treatment: Treatment| treatment.to_possible_value().map(|it| it.get_name().to_owned());
    let treated = Treatment::value_variants()
        .iter()
        .map(|&treatment| (name(treatment).unwrap_or_default(), args.unknown.treated(treatment)));
    let searches: Vec<_> = treated.chain([(BY_ITSELF.to_owned(), args.unknown.unnamed())]).collect();
    let count = searches.len();
    // Only the directory itself is what the user has named.
    let mut places = searches.iter().map(|(name, _)| directory.join(name));
    if let Some(place) = places.find(|place| place.is_symlink()) {
        bail!(
            "{} is a link, which may lead anywhere; remove it, or name another directory with `--out`",
            place.display()
        );
    }
    for (number, (name, unknown)) in searches.into_iter().enumerate() {
        note(format_args!("search {} of {count}, `{name}`", number + 1));
        let one = CoverArgs { out: Some(directory.join(&name)), unknown, ..args.clone() };
        let Searched { summary, .. } = one.search(None)?;
        fails |= summary["bugs"].as_array().is_some_and(|bugs| !bugs.is_empty());
        let is_interrupted = summary["stop"] == "interrupted";
        rows.push(row(name, &summary));
        if is_interrupted {
            break;
        }
    }
    let mut out = std::io::stdout().lock();
    for row in rows {
        let cells = row.iter().zip(COLUMNS).enumerate();
        let cells = cells.map(|(number, (cell, (_, width)))| match number {
            0 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        writeln!(out, "{}", cells.collect::<String>())?;
    }
    writeln!(out, "Tests are in {}, in a folder for each.", directory.display())?;
    Ok(ExitCode::from(u8::from(fails)))
}

fn row(name: String, summary: &Value) -> [String; COLUMNS.len()] {
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let branches = &summary["coverage"]["branches"];
    let functions = summary["unknown_functions"].as_array().into_iter().flatten();
    let calls: u64 = functions.map(|function| number(&function["direct_calls"])).sum();
    [
        name,
        format!("{}/{}", number(&branches["covered"]), number(&branches["total"])),
        number(&summary["tests"]).to_string(),
        summary["bugs"].as_array().map_or(0, Vec::len).to_string(),
        number(&summary["divergences"]).to_string(),
        number(&summary["runs"]).to_string(),
        calls.to_string(),
    ]
}
