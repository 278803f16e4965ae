//! The treatments of unknown functions, compared on one program: the same search with each.
//!
//! Time and memory are those of all searches together. Whatever ends coax early, the table is printed with the searches that have a result.

use super::{CoverArgs, Searched};
use crate::args::note;
use crate::interrupt;
use crate::unknown::Treatment;
use anyhow::{Result, bail};
use clap::ValueEnum;
use coax_report::summary::{Stop, Summary};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

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
#[expect(clippy::disallowed_methods, reason = "all searches together may take so long and no longer")]
pub fn run(args: &CoverArgs) -> Result<ExitCode> {
    let most = args.begin();
    let directory = args.out.clone().unwrap_or_else(|| PathBuf::from("coax-out"));
    let compared = Compared::default();
    let said = (compared.clone(), directory.clone());
    interrupt::will_say(move || {
        // Who reads it may be gone.
        let _ = said.0.print(&said.1);
    });
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
        compared.begin(name);
        let Searched { summary, .. } = one.search(None, most, Some(&compared))?;
        let is_over = most.end.is_some_and(|end| Instant::now() >= end);
        let left = count - number - 1;
        if left > 0 && (is_over || summary.stop == Stop::Interrupted) {
            note(format_args!("the last {left} of {count} searches are not made: there is no time for them"));
            break;
        }
    }
    compared.print(&directory)?;
    Ok(ExitCode::from(u8::from(compared.rows().fails)))
}

/// The searches that have a result.
#[derive(Clone, Default)]
pub struct Compared(Arc<Mutex<Rows>>);

#[derive(Default)]
struct Rows {
    /// What the search is called that is made now.
    name: String,
    rows: Vec<[String; COLUMNS.len()]>,
    fails: bool,
    is_printed: bool,
}

impl Compared {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, name: String) {
        self.rows().name = name;
    }

    /// A search has come to this; what coax would end with now.
    pub fn learn(&self, summary: &Summary) -> u8 {
        let mut all = self.rows();
        let row = row(std::mem::take(&mut all.name), summary);
        all.rows.push(row);
        all.fails |= summary.exit_code(false) != 0;
        u8::from(all.fails)
    }

    /// Prints the table, once, if there is anything in it.
    fn print(&self, directory: &Path) -> Result<()> {
        let (rows, is_printed) = {
            let mut all = self.rows();
            (all.rows.clone(), std::mem::replace(&mut all.is_printed, true))
        };
        if is_printed || rows.is_empty() {
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        for row in std::iter::once(COLUMNS.map(|(name, _)| name.to_owned())).chain(rows) {
            let cells = row.iter().zip(COLUMNS).enumerate();
            let cells = cells.map(|(number, (cell, (_, width)))| match number {
                0 => format!("{cell:width$}"),
                _ => format!("{cell:>width$}"),
            });
            writeln!(out, "{}", cells.collect::<String>())?;
        }
        writeln!(out, "Tests are in {}, in a folder for each.", directory.display())?;
        Ok(())
    }
}

fn row(name: String, summary: &Summary) -> [String; COLUMNS.len()] {
    let branches = summary.coverage.branches;
    let calls: u64 = summary.unknown_functions.iter().map(|function| function.direct_calls).sum();
    [
        name,
        format!("{}/{}", branches.covered, branches.total),
        summary.tests.to_string(),
        summary.bugs.len().to_string(),
        summary.divergences.to_string(),
        summary.runs.to_string(),
        calls.to_string(),
    ]
}
