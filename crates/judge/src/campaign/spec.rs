//! The spec testsuite: on all engines, or through a transformation.

use anyhow::anyhow;
use coax_judge::machine::ReferenceMachine;
use coax_judge::spec::{self, FileReport, Kind, Totals};
use coax_judge::transform::{self, Transform};
use serde_json::json;
use std::convert::Infallible;

/// The spec testsuite on the plain and the instrumented modules, and on the reference interpreter; each module must
/// also load, lift and verify.
pub fn spec() -> anyhow::Result<bool> {
    let plain = run_spec(transform::plain)?;
    let instrumented = run_spec_files(transform::instrumented, spec::linkable_files())?;
    let reference = run_spec_on_reference();
    let failed = plain.failed() + instrumented.failed() + reference.failed();
    println!(
        "{}",
        json!({
            "campaign": "spec",
            "failed": failed,
            "plain": plain.json(),
            "instrumented": instrumented.json(),
            "reference": reference.json(),
        })
    );
    Ok(failed == 0)
}

/// What came of the spec testsuite.
pub(super) struct Summary {
    files: usize,
    skipped_files: usize,
    totals: Totals,
}

impl Summary {
    pub(super) fn failed(&self) -> usize {
        self.totals.sum().failed
    }

    pub(super) fn json(&self) -> serde_json::Value {
        let sum = self.totals.sum();
        json!({
            "files": self.files,
            "skipped_files": self.skipped_files,
            "modules": self.totals.of(Kind::Module).passed,
            "passed": sum.passed,
            "failed": sum.failed,
            "skipped": sum.skipped,
        })
    }
}

pub(super) fn run_spec(transform: Transform) -> anyhow::Result<Summary> {
    run_spec_files(transform, spec::files())
}

fn run_spec_files(transform: Transform, files: Vec<spec::File>) -> anyhow::Result<Summary> {
    eprintln!("running {} files of the spec testsuite", files.len());
    let reports = spec::run_on_wasmtime(&files, transform).map_err(|error| anyhow!("{error:#}"))?;
    Ok(print_spec(&reports))
}

fn run_spec_on_reference() -> Summary {
    let files = spec::files();
    eprintln!("running {} files of the spec testsuite on the reference interpreter", files.len());
    let Ok(reports) = spec::run(&files, || Ok::<_, Infallible>(ReferenceMachine::new()));
    print_spec(&reports)
}

fn print_spec(reports: &[FileReport]) -> Summary {
    let heads = Kind::ALL.map(Kind::name).join(" | ");
    println!("| file | {heads} | failed | skipped |");
    println!("|-{}|-|-|", "|-:".repeat(Kind::ALL.len()));
    let mut totals = Totals::default();
    let (run, skipped): (Vec<&FileReport>, Vec<&FileReport>) =
        reports.iter().partition(|report| !report.is_skipped());
    for report in &run {
        totals.add(&report.totals);
        print_row(&report.name, &report.totals);
    }
    print_row("**all**", &totals);
    println!("\nSkipped parts of files:");
    for report in run.iter().filter(|report| !report.skips.is_empty()) {
        let skips: Vec<String> = report.skips.iter().map(|(why, count)| format!("{count} {why}")).collect();
        println!("* {}: {}", report.name, skips.join(", "));
    }
    println!("\nSkipped files:");
    for report in &skipped {
        println!("* {}: {}", report.name, report.reasons());
    }
    println!();
    for failure in reports.iter().flat_map(|report| &report.failures) {
        println!("FAILED {failure}");
    }
    Summary { files: run.len(), skipped_files: skipped.len(), totals }
}

/// Passed directives by kind, then those that failed and those that were skipped.
fn print_row(name: &str, totals: &Totals) {
    let passed = Kind::ALL.map(|kind| totals.of(kind).passed.to_string()).join(" | ");
    let sum = totals.sum();
    println!("| {name} | {passed} | {} | {} |", sum.failed, sum.skipped);
}
