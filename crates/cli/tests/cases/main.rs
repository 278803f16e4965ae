//! Runs the case files: every file under `tests/cases` is an input, the commands to run on it and
//! what they must print, so adding a test needs no Rust. `tests/cases/readme.wat` explains the
//! format by being a case.
//!
//! `cargo test --test cases` runs all, `cargo test --test cases -- NAME` those whose path contains
//! NAME, and with `BLESS=1` the files are rewritten to expect what was printed. Blessing never
//! accepts a wrong exit code or files left behind: those are written by hand.

mod case;
mod compare;
mod filter;
mod reports;
mod requirements;
mod run;
mod self_check;
#[path = "../../../../tests/skipped.rs"]
mod skipped;

use case::Case;
use libtest_mimic::{Arguments, Failed, Trial};
use reports::Reports;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let folder = root.join("tests/cases");
    let arguments = Arguments::from_args();
    let reports = Arc::new(Reports::new().expect("a temporary directory"));
    let mut trials = self_check::trials();
    let (mut helpers, mut used) = (BTreeSet::new(), BTreeSet::new());
    for path in files_below(&folder) {
        let name = path.strip_prefix(&folder).expect("found below it").display().to_string();
        match Case::read(&path) {
            Ok(Some(case)) => {
                used.extend(case.with.iter().map(|file| path.with_file_name(file)));
                trials.push(trial(&root, case, name, (arguments.list, &reports)));
            }
            Ok(None) => drop(helpers.insert(path)),
            Err(problem) => trials.push(Trial::test(name, move || Err(Failed::from(problem)))),
        }
    }
    for path in helpers.difference(&used) {
        let problem = "it has no RUN line and no case names it after WITH";
        trials.push(Trial::test(path.display().to_string(), move || Err(Failed::from(problem))));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    match reports.judge(&root) {
        Ok(()) => conclusion.exit_code(),
        Err(why) => {
            eprintln!("FAILED: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The test of one case.
fn trial(root: &Path, case: Case, name: String, (quiet, reports): (bool, &Arc<Reports>)) -> Trial {
    let missing = case.requires.iter().find_map(|what| requirements::check(what).err());
    let strict = case.requires.iter().find_map(|what| requirements::check_strictly(what).err());
    if let Some(why) = strict.filter(|_| skipped::is_strict()) {
        let why = format!("{why}; `scripts/test` installs it, so here no case may be skipped");
        return Trial::test(name, move || Err(Failed::from(why)));
    }
    if let (Some(why), false) = (&missing, quiet) {
        eprintln!("skipped: {name}: {why}");
    }
    let (root, reports) = (root.to_owned(), Arc::clone(reports));
    let check = move || check(&root, &case, &reports).map_err(Failed::from);
    Trial::test(name, check).with_ignored_flag(missing.is_some())
}

/// Runs a case and compares, or blesses.
fn check(root: &Path, case: &Case, reports: &Reports) -> Result<(), String> {
    let transcript = run::run(root, case, reports)?;
    match &case.expected {
        Some(expected) if *expected == transcript => Ok(()),
        _ if std::env::var_os("BLESS").is_some() => case.bless(&transcript),
        Some(expected) => {
            Err(format!("the output differs (BLESS=1 accepts it):\n{}", compare::diff(expected, &transcript)))
        }
        None => Err(format!(
            "the file expects nothing yet (BLESS=1 writes it):\n{}",
            compare::diff("", &transcript)
        )),
    }
}

/// All files below a folder, in the order of their paths.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}
