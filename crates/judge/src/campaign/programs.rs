//! Campaigns on whole programs: those of others, and the examples.

use coax_judge::examples::{Compared, EXAMPLES};
use coax_judge::prediction::Predictions;
use coax_judge::thirdparty::{self, Comparison, Table};
use coax_judge::transform;
use coax_program::Program;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Programs nobody here wrote: each loads, lifts, verifies, does what a native build does, also through SSA
/// and back; versions of one program are compared by the hashes of their functions.
pub fn thirdparty(table: &Table) -> anyhow::Result<bool> {
    println!(
        "| program | functions | sites | as a native build, also through SSA | decisions, the same by the reference |\n|-|-:|-:|-|-:|"
    );
    let mut failed = 0;
    let mut programs = BTreeMap::new();
    for name in table.entries.keys().filter(|name| table.is_there(name)) {
        match judge_program(table, name) {
            Ok((program, decisions)) => {
                let (functions, sites) = (program.functions.len(), program.sites.len());
                println!("| {name} | {functions} | {sites} | yes | {decisions} |");
                programs.insert(name, program);
            }
            Err(error) => {
                println!("| {name} | | | NO | |");
                eprintln!("{name}: {error:#}");
                failed += 1;
            }
        }
    }
    print_versions(table, &programs);
    let skipped: Vec<_> = table.entries.keys().filter(|name| !table.is_there(name)).cloned().collect();
    if !skipped.is_empty() {
        eprintln!("skipped, not fetched (scripts/thirdparty gets them): {}", skipped.join(", "));
    }
    let (ran, skipped) = (programs.len() + failed, skipped.len());
    println!(
        "{}",
        json!({ "campaign": "thirdparty", "programs": ran, "failed": failed, "skipped": skipped })
    );
    Ok(failed == 0)
}

/// Programs nobody here wrote, with part of their standard input symbolic: what their paths say of mutated inputs.
pub fn predictions(table: &Table, mutants: usize) -> anyhow::Result<bool> {
    println!("| program | symbols | decisions | mutants | of them on another path |\n|-|-:|-:|-:|-:|");
    let (mut failed, mut programs, mut judged) = (0, 0, 0);
    for name in table.entries.keys().filter(|name| table.is_there(name)) {
        programs += 1;
        let program = Program::parse(table.load(name, None)?.wasm)?;
        match table.predict(name, &program, mutants) {
            Ok(predictions) => {
                let Predictions { symbols, decisions, mutants, diverged } = predictions;
                println!("| {name} | {symbols} | {decisions} | {mutants} | {diverged} |");
                judged += mutants;
            }
            Err(error) => {
                println!("| {name} | | | | WRONG |");
                eprintln!("{name}: {error:#}");
                failed += 1;
            }
        }
    }
    println!(
        "{}",
        json!({ "campaign": "predictions", "programs": programs, "mutants": judged, "failed": failed })
    );
    Ok(failed == 0)
}

/// The program, and how many decisions both engines have recorded with its standard input as symbols.
fn judge_program(table: &Table, name: &str) -> anyhow::Result<(Arc<Program>, usize)> {
    let program = Arc::new(transform::accept(&table.load(name, None)?.wasm)?);
    let plain = table.run(name, &program)?;
    table.run_lowered(name, &program, &plain)?;
    let decisions = table.compare_paths(name, &program)?;
    Ok((program, decisions))
}

fn print_versions(table: &Table, programs: &BTreeMap<&String, Arc<Program>>) {
    let pairs: Vec<(&String, &String)> = table
        .entries
        .iter()
        .filter_map(|(name, entry)| Some((entry.before.as_ref()?, name)))
        .filter(|(before, name)| programs.contains_key(before) && programs.contains_key(name))
        .collect();
    if pairs.is_empty() {
        return;
    }
    println!("\n| versions | functions same | changed | added | removed |\n|-|-:|-:|-:|-:|");
    for (before, name) in pairs {
        let Comparison { same, changed, added, removed } =
            thirdparty::compare(&programs[before], &programs[name]);
        println!("| {before} to {name} | {same} | {} | {added} | {removed} |", changed.len());
        eprintln!("changed from {before} to {name}: {}", changed.join(", "));
    }
}

/// What came of the example programs.
#[derive(Default)]
pub(super) struct Examples {
    pub(super) compared: usize,
    pub(super) skipped: usize,
    pub(super) failed: usize,
    pub(super) runs: u64,
    pub(super) events: u64,
}

/// The example programs in both engines.
pub(super) fn run_examples(seed: u64) -> anyhow::Result<Examples> {
    let repository = std::env::current_dir()?;
    let mut all = Examples::default();
    println!("| example | runs | events |\n|-|-:|-:|");
    for example in EXAMPLES {
        let program = match example.load(&repository) {
            Ok(program) => program,
            Err(error) => {
                eprintln!("skipped, not compiled here: {}: {error:#}", example.file);
                all.skipped += 1;
                continue;
            }
        };
        match coax_judge::on_large_stacks(|| example.compare(&program, EXAMPLE_RUNS, seed)) {
            Ok(Compared { runs, events }) => {
                println!("| {} | {runs} | {events} |", example.file);
                all.compared += 1;
                all.runs += runs;
                all.events += events;
            }
            Err(error) => {
                println!("DIFFERENCE {error:#}");
                all.failed += 1;
            }
        }
    }
    println!();
    Ok(all)
}

/// Runs of each function of an example, and of the whole on each standard input.
const EXAMPLE_RUNS: u64 = 200;
