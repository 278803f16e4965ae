//! What runs of third-party programs have covered, nobody may call unreachable; and how much of the rest is proved.
//!
//! Random programs are small, and nothing of them comes from a linker: here proofs are judged on what compilers make.

use crate::bench::searched::inputs;
use anyhow::{Context, Result, ensure};
use coax_execute::{Coverage, Entry, Input, Limits, PlainModule, Symbols};
use coax_judge::harnesses::Harnesses;
use coax_program::ir::Terminator;
use coax_program::{Func, Program, Site};
use coax_search::{BackwardOptions, Goal, Graph, Past, Trust, Verdict, backward};
use serde_json::json;
use std::ops::AddAssign;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

/// What each proof may cost: there are thousands to try.
const OPTIONS: BackwardOptions = BackwardOptions {
    segments: 20,
    effort: 2_000,
    total_effort: 10_000,
    trust: Trust { writes: true, start: true },
};

/// Directions of branches.
#[derive(Clone, Copy, Default)]
struct Tally {
    covered: u64,
    /// Of these, called unreachable.
    wrong: u64,
    others: u64,
    /// Of these, called unreachable.
    proved: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.covered += other.covered;
        self.wrong += other.wrong;
        self.others += other.others;
        self.proved += other.proved;
    }
}

/// Has coax cover each of these programs for so many seconds, and looks backwards at all branches.
pub fn covered(harnesses: &Harnesses, names: &[&str], coax: &Path, seconds: u32) -> Result<bool> {
    println!("| program | covered | wrong | not covered | proved | first look, ms |");
    println!("|-|-:|-:|-:|-:|-:|");
    let mut all = Tally::default();
    for name in names {
        let (program, input) = harnesses.program(name).with_context(|| (*name).to_owned())?;
        let coverage = cover(harnesses, name, (&program, &input), coax, seconds)?;
        let (tally, milliseconds) = judge(name, &Arc::new(program), &input, &coverage)?;
        let Tally { covered, wrong, others, proved } = tally;
        println!("| {name} | {covered} | {wrong} | {others} | {proved} | {milliseconds} |");
        all += tally;
    }
    let Tally { covered, wrong, others, proved } = all;
    println!(
        "\n{}",
        json!({"campaign": "unreachable", "programs": names.len(), "covered": covered, "wrong": wrong,
               "not_covered": others, "proved": proved, "seconds": seconds})
    );
    Ok(wrong == 0 && covered > 0)
}

/// What a program covers on the input of its table and on those that coax finds.
fn cover(
    harnesses: &Harnesses,
    name: &str,
    (program, input): (&Program, &Input),
    coax: &Path,
    seconds: u32,
) -> Result<Coverage> {
    let told = harnesses.told(name)?;
    let place = tempfile::tempdir()?;
    let out = place.path().join("out");
    let mut command = Command::new(coax);
    command.arg("cover").args(&told.options).arg("--time").arg(format!("{seconds}s"));
    command.arg("--out").arg(&out).arg("--").args(&told.args).stdin(Stdio::null());
    let output = command.output().context("coax cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(matches!(output.status.code(), Some(0 | 1)), "coax failed on {name}: {said}");
    let limits = Limits::default();
    let plain = PlainModule::new(program, &limits)?;
    let mut coverage = Coverage::new(program);
    for input in inputs(&out.join("tests"))?.iter().chain([input]) {
        let run = plain.run_with_coverage(input, &limits)?;
        coverage.merge(&run.coverage.context("the run was not counted")?);
    }
    Ok(coverage)
}

/// Looks backwards at all branches; what the first look took.
#[expect(clippy::disallowed_methods, reason = "it is measured")]
fn judge(name: &str, program: &Arc<Program>, input: &Input, coverage: &Coverage) -> Result<(Tally, u128)> {
    let roots = Entry::find(program, input.entry.as_deref())?.roots(program);
    // As coax was told: where there is a file, nothing else is a symbol.
    let files = input.files.keys().map(|name| (format!("files/{name}"), None));
    let symbols = (!input.files.is_empty()).then(|| files.collect());
    let input = Input { symbols, ..input.clone() };
    let limits = Limits::default();
    let past = Past::of(program, &input, Symbols::default(), &limits, &Arc::default());
    let graph = Graph::new(program, &roots).with_past(past);
    let is_proved = |goal: Goal| {
        let found = backward(&graph, goal, &OPTIONS, None, &Arc::default());
        matches!(found.verdict, Verdict::Unreachable(_))
    };
    let begin = Instant::now();
    roots.iter().for_each(|root| {
        is_proved(Goal::Point(*root, coax_program::ir::Body::ENTRY, 0));
    });
    let milliseconds = begin.elapsed().as_millis();
    let mut tally = Tally::default();
    for func in program.calls().reachable(roots.iter().copied()) {
        for (site, direction, goal) in directions(program, func) {
            let is_proved = is_proved(goal);
            if !coverage.directions(site)[direction as usize] {
                tally.others += 1;
                tally.proved += u64::from(is_proved);
                continue;
            }
            tally.covered += 1;
            tally.wrong += u64::from(is_proved);
            if is_proved {
                eprintln!("WRONG: {name} {goal:?} of {} is covered", program.functions[func].name);
            }
        }
    }
    Ok((tally, milliseconds))
}

/// The directions of a function's branches.
fn directions(program: &Program, func: Func) -> Vec<(Site, u32, Goal)> {
    let mut found = Vec::new();
    let Some(defined) = program.functions[func].defined() else { return found };
    for (block, data) in defined.body.blocks.iter() {
        let is_decision = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
        let Some(site) = program.end_site(data).filter(|_| is_decision) else { continue };
        let directions = 0..program.sites[site].kind.directions();
        found.extend(directions.map(|direction| (site, direction, Goal::Direction(func, block, direction))));
    }
    found
}
