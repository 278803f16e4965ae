//! The campaigns: what each runs, and how it is printed.

mod covered;
mod divergences;
mod formats;
mod harnesses;
mod kills;
mod lines;
mod planted;
mod programs;
mod promises;
mod queries;
mod solver;
mod spec;
mod unreachable;
mod validity;

use anyhow::anyhow;
use coax_judge::hooks::Hooks;
use coax_judge::operators;
use coax_judge::random::{self, Judgement, Source, Subject, Tally};
use coax_judge::thirdparty::Table;
use coax_judge::transform;
use coax_judge::wasi;
pub use covered::covered;
pub use divergences::{Options as DivergenceOptions, divergences};
pub use formats::formats;
pub use harnesses::harnesses;
pub use kills::kills;
pub use lines::{Options as LineOptions, lines};
pub use planted::planted;
use programs::run_examples;
pub use programs::{predictions, thirdparty};
pub use promises::{Wanted, promises};
pub use queries::{queries, theory};
use serde_json::json;
pub use solver::solver;
use spec::run_spec;
pub use spec::spec;
pub use unreachable::unreachable;
pub use validity::validity;

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

/// The sandbox's WASI against wasmtime's own.
pub fn wasi(scenarios: u64, seed: u64) -> anyhow::Result<bool> {
    let tally = wasi::judge(1, scenarios, seed)?;
    for difference in &tally.differences {
        println!("DIFFERENCE {difference}");
    }
    let wasi::Tally { scenarios, calls, errnos, traps, on_purpose, differences } = tally;
    println!("| ends early, different on purpose | scenarios |\n|-|-:|");
    for (purpose, count) in &on_purpose {
        println!("| {purpose} | {count} |");
    }
    println!("\n| scenarios | calls | error numbers | traps | differences |\n|-:|-:|-:|-:|-:|");
    println!("| {scenarios} | {calls} | {} | {traps} | {} |\n", errnos.len(), differences.len());
    let differences = differences.len();
    println!(
        "{}",
        json!({
            "campaign": "wasi",
            "seed": seed,
            "scenarios": scenarios,
            "calls": calls,
            "errnos": errnos,
            "traps": traps,
            "on_purpose": on_purpose.values().sum::<u64>(),
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
    let subjects = [
        (Source::Data, Subject::Paths),
        (Source::Control, Subject::Paths),
        (Source::Smith, Subject::Paths),
        (Source::Services, Subject::Mutants),
    ];
    for (source, subject) in subjects {
        let tally = run_random(Judgement { source, subject }, runs, seed)?;
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
    for source in [Source::Services, Source::Data, Source::Control, Source::Smith] {
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

/// What directors do to calls leaves the rest of a run as it is: on random modules, then on third-party programs.
pub fn hooks(runs: u64, seed: u64, table: &Table) -> anyhow::Result<bool> {
    let mut hooks = Hooks::default();
    let (mut judged, mut modules, mut differences) = (0, 0, 0);
    for source in [Source::Services, Source::Data, Source::Control, Source::Smith] {
        let tally = run_random(Judgement { source, subject: Subject::Hooks }, runs, seed)?;
        judged += tally.runs;
        modules += tally.modules;
        differences += tally.differences.len();
        hooks.add(tally.hooks);
    }
    println!("\n| program | alone | skipped | suspended | cut, symbols for terms |\n|-|-:|-:|-:|-:|");
    let mut programs = 0;
    for name in table.entries.keys().filter(|name| table.is_there(name)) {
        programs += 1;
        match table.direct(name, seed) {
            Ok(tally) => {
                let Hooks { alone, skipped, suspended, bindings, .. } = tally;
                println!("| {name} | {alone} | {skipped} | {suspended} | {bindings} |");
                hooks.add(tally);
            }
            Err(error) => {
                println!("| {name} | | | | DIFFERENT |");
                eprintln!("{name}: {error:#}");
                differences += 1;
            }
        }
    }
    let Hooks { alone, skipped, suspended, cut, bindings, cut_by_value, always_true, cut_short } = hooks;
    println!(
        "{}",
        json!({
            "campaign": "hooks",
            "seed": seed,
            "runs": judged,
            "modules": modules,
            "programs": programs,
            "alone": alone,
            "skipped": skipped,
            "suspended": suspended,
            "cut": cut,
            "bindings": bindings,
            "cut_by_value": cut_by_value,
            "always_true": always_true,
            "cut_short": cut_short,
            "differences": differences,
        })
    );
    Ok(differences == 0)
}

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

fn run_random(judgement: Judgement, runs: u64, seed: u64) -> anyhow::Result<Tally> {
    let source = match judgement.source {
        Source::Smith => "wasm-smith's modules",
        Source::Control => "modules dense in control flow",
        Source::Data => "modules dense in data flow",
        Source::Services => "modules that call WASI",
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
