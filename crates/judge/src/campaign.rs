//! The campaigns: what each runs, and how it is printed.

use anyhow::anyhow;
use coax_judge::examples::{Compared, EXAMPLES};
use coax_judge::machine::ReferenceMachine;
use coax_judge::operators;
use coax_judge::prediction::Predictions;
use coax_judge::random::{self, Judgement, Source, Subject, Tally};
use coax_judge::spec::{self, FileReport, Kind, Totals};
use coax_judge::thirdparty::{self, Comparison, Table};
use coax_judge::transform::{self, Transform};
use coax_program::Program;
use serde_json::json;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

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

/// Every operator's meaning against wasmtime.
pub fn operators(tuples: usize, seed: u64) -> anyhow::Result<bool> {
    let tally = operators::judge(tuples, seed)?;
    for difference in &tally.differences {
        println!("DIFFERENCE {difference}");
    }
    let operators::Tally { operators, tuples, traps, differences } = tally;
    println!("| operators | tuples of operands | traps | differences |\n|-:|-:|-:|-:|");
    println!("| {operators} | {tuples} | {traps} | {} |\n", differences.len());
    let differences = differences.len();
    println!(
        "{}",
        json!({
            "campaign": "operators",
            "seed": seed,
            "operators": operators,
            "tuples": tuples,
            "traps": traps,
            "differences": differences,
        })
    );
    Ok(differences == 0)
}

/// The spec testsuite through SSA and back, then random modules.
pub fn ssa(runs: u64, seed: u64) -> anyhow::Result<bool> {
    let summary = run_spec(transform::lowered)?;
    let [smith, control] = [Source::Smith, Source::Control].map(|source| {
        let judgement = Judgement { source, subject: Subject::Transformed(transform::lowered) };
        run_random(judgement, runs, seed)
    });
    let (smith, control) = (smith?, control?);
    let differences = summary.failed() + smith.differences.len() + control.differences.len();
    let line = json!({
        "campaign": "ssa",
        "seed": seed,
        "runs": smith.runs,
        "modules": smith.modules,
        "differences": differences,
        "control_flow_runs": control.runs,
        "control_flow_modules": control.modules,
        "spec": summary.json(),
    });
    println!("{line}");
    Ok(differences == 0)
}

/// Random modules, plain and instrumented, on concrete values.
pub fn modules(runs: u64, seed: u64) -> anyhow::Result<bool> {
    let [smith, control, data] = [Source::Smith, Source::Control, Source::Data].map(|source| {
        let judgement = Judgement { source, subject: Subject::Transformed(transform::instrumented) };
        run_random(judgement, runs, seed)
    });
    let (smith, control, data) = (smith?, control?, data?);
    let differences = smith.differences.len() + control.differences.len() + data.differences.len();
    let line = json!({
        "campaign": "modules",
        "seed": seed,
        "runs": smith.runs + control.runs + data.runs,
        "modules": smith.modules + control.modules + data.modules,
        "differences": differences,
    });
    println!("{line}");
    Ok(differences == 0)
}

/// Paths of the reference interpreter: they must predict runs on other arguments.
pub fn paths(runs: u64, seed: u64) -> anyhow::Result<bool> {
    let mut all = Tally::default();
    for source in [Source::Data, Source::Control, Source::Smith] {
        let tally = run_random(Judgement { source, subject: Subject::Paths }, runs, seed)?;
        all.runs += tally.runs;
        all.modules += tally.modules;
        all.differences.extend(tally.differences);
    }
    let Tally { runs, modules, differences, .. } = all;
    let differences = differences.len();
    println!(
        "{}",
        json!({ "campaign": "paths", "seed": seed, "runs": runs, "modules": modules, "differences": differences })
    );
    Ok(differences == 0)
}

/// Paths with symbols: the instrumented module against the reference interpreter.
pub fn events(runs: u64, seed: u64) -> anyhow::Result<bool> {
    let mut all = Tally::default();
    for source in [Source::Data, Source::Control, Source::Smith] {
        let tally = run_random(Judgement { source, subject: Subject::Events }, runs, seed)?;
        all.runs += tally.runs;
        all.modules += tally.modules;
        all.events += tally.events;
        all.differences.extend(tally.differences);
    }
    let examples = run_examples(seed)?;
    let Tally { modules, .. } = all;
    let (runs, events) = (all.runs + examples.runs, all.events + examples.events);
    let differences = all.differences.len() + examples.failed;
    println!(
        "{}",
        json!({
            "campaign": "events",
            "seed": seed,
            "runs": runs,
            "modules": modules,
            "events": events,
            "differences": differences,
            "examples": examples.compared,
            "example_runs": examples.runs,
            "examples_skipped": examples.skipped,
        })
    );
    Ok(differences == 0)
}

/// What directors do to calls leaves the rest of a run as it is.
pub fn hooks(runs: u64, seed: u64) -> anyhow::Result<bool> {
    let mut hooks = random::Hooks::default();
    let (mut judged, mut modules, mut differences) = (0, 0, 0);
    for source in [Source::Data, Source::Control, Source::Smith] {
        let tally = run_random(Judgement { source, subject: Subject::Hooks }, runs, seed)?;
        judged += tally.runs;
        modules += tally.modules;
        differences += tally.differences.len();
        hooks.add(tally.hooks);
    }
    let random::Hooks { alone, skipped, suspended, cut, bindings, cut_by_value } = hooks;
    println!(
        "{}",
        json!({
            "campaign": "hooks",
            "seed": seed,
            "runs": judged,
            "modules": modules,
            "alone": alone,
            "skipped": skipped,
            "suspended": suspended,
            "cut": cut,
            "bindings": bindings,
            "cut_by_value": cut_by_value,
            "differences": differences,
        })
    );
    Ok(differences == 0)
}

/// What came of the example programs.
#[derive(Default)]
struct Examples {
    compared: usize,
    skipped: usize,
    failed: usize,
    runs: u64,
    events: u64,
}

/// The example programs in both engines.
fn run_examples(seed: u64) -> anyhow::Result<Examples> {
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

/// Coverage of plain runs against the directions that the SSA takes.
pub fn coverage(runs: u64, seed: u64) -> anyhow::Result<bool> {
    let judgement = Judgement { source: Source::Control, subject: Subject::Directions };
    let tally = run_random(judgement, runs, seed)?;
    let Tally { runs, modules, .. } = tally;
    let differences = tally.differences.len();
    let line = json!({ "campaign": "coverage", "seed": seed, "runs": runs, "modules": modules, "differences": differences });
    println!("{line}");
    Ok(differences == 0)
}

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

fn run_random(judgement: Judgement, runs: u64, seed: u64) -> anyhow::Result<Tally> {
    let source = match judgement.source {
        Source::Smith => "wasm-smith's modules",
        Source::Control => "modules dense in control flow",
        Source::Data => "modules dense in data flow",
    };
    let mut shown = 0;
    let mut progress = |tally: &Tally| {
        let tenth = tally.runs * 10 / runs.max(1);
        if tenth > shown {
            shown = tenth;
            let Tally { runs, modules, .. } = tally;
            eprintln!("{runs} runs of {modules} {source}, {} differences", tally.differences.len());
        }
    };
    let tally =
        random::campaign(judgement, runs, seed, &mut progress).map_err(|error| anyhow!("{error:#}"))?;
    print_random(source, &tally);
    for difference in &tally.differences {
        let file = std::env::temp_dir().join(format!("coax-judge-{}.wasm", difference.seed));
        std::fs::write(&file, &difference.wasm)?;
        println!("DIFFERENCE {}: {}", file.display(), difference.what);
    }
    Ok(tally)
}

fn print_random(source: &str, tally: &Tally) {
    println!("| {source} | |\n|-|-:|");
    println!("| modules | {} |", tally.modules);
    println!("| modules that cannot be instantiated, on both sides | {} |", tally.dead_modules);
    println!("| runs compared | {} |", tally.runs);
    println!("| returned | {} |", tally.returned);
    for (fault, count) in &tally.faulted {
        println!("| {fault} | {count} |");
    }
    println!("| events | {} |", tally.events);
    println!("| not compared: out of fuel | {} |", tally.out_of_fuel);
    println!("| not compared: out of stack | {} |", tally.out_of_stack);
    println!("| differences | {} |\n", tally.differences.len());
}

/// What came of the spec testsuite.
struct Summary {
    files: usize,
    skipped_files: usize,
    totals: Totals,
}

impl Summary {
    fn failed(&self) -> usize {
        self.totals.sum().failed
    }

    fn json(&self) -> serde_json::Value {
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

fn run_spec(transform: Transform) -> anyhow::Result<Summary> {
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
