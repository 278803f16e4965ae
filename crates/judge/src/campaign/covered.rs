//! What runs of third-party programs have covered, nobody may call unreachable, not even if addresses are trusted; and how much of the rest is proved.
//!
//! Random programs have no variables that a linker knows of: proofs that trust addresses are judged here.

use crate::bench::searched::inputs;
use anyhow::{Context, Result, ensure};
use coax_execute::{Coverage, Entry, Input, Limits, PlainModule};
use coax_judge::harnesses::Harnesses;
use coax_program::calls::CallGraph;
use coax_program::ir::Terminator;
use coax_program::{Func, Program, Site};
use coax_search::{BackwardOptions, Goal, Graph, Verdict, backward};
use serde_json::json;
use std::ops::AddAssign;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

/// What each proof may cost: there are thousands to try.
const OPTIONS: BackwardOptions =
    BackwardOptions { segments: 20, effort: 2_000, total_effort: 10_000, trusts_addresses: false };

/// Directions of branches.
#[derive(Clone, Copy, Default)]
struct Tally {
    covered: u64,
    /// Of these, called unreachable, and called so if addresses are trusted.
    wrong: u64,
    trusted_wrongly: u64,
    others: u64,
    /// Of these, called unreachable, and so many more if addresses are trusted.
    proved: u64,
    trusting: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.covered += other.covered;
        self.wrong += other.wrong;
        self.trusted_wrongly += other.trusted_wrongly;
        self.others += other.others;
        self.proved += other.proved;
        self.trusting += other.trusting;
    }
}

/// Has coax cover each of these programs for so many seconds, and looks backwards at all branches.
pub fn covered(harnesses: &Harnesses, names: &[&str], coax: &Path, seconds: u32) -> Result<bool> {
    println!(
        "| program | covered | wrong | wrong if addresses are trusted | not covered | proved | more if addresses are trusted | first look, ms |"
    );
    println!("|-|-:|-:|-:|-:|-:|-:|-:|");
    let mut all = Tally::default();
    for name in names {
        let (program, input) = harnesses.program(name).with_context(|| (*name).to_owned())?;
        let coverage = cover(harnesses, name, (&program, &input), coax, seconds)?;
        let (tally, milliseconds) = judge(name, &program, &input, &coverage)?;
        let Tally { covered, wrong, trusted_wrongly, others, proved, trusting } = tally;
        println!(
            "| {name} | {covered} | {wrong} | {trusted_wrongly} | {others} | {proved} | {trusting} | {milliseconds} |"
        );
        all += tally;
    }
    let Tally { covered, wrong, trusted_wrongly, others, proved, trusting } = all;
    println!(
        "\n{}",
        json!({"campaign": "unreachable", "programs": names.len(), "covered": covered, "wrong": wrong, "trusted_wrongly": trusted_wrongly,
               "not_covered": others, "proved": proved, "trusting": trusting, "seconds": seconds})
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
fn judge(name: &str, program: &Program, input: &Input, coverage: &Coverage) -> Result<(Tally, u128)> {
    let roots = Entry::find(program, input.entry.as_deref())?.roots(program);
    let graph = Graph::new(program, &roots);
    let is_proved = |goal: Goal, trusts_addresses: bool| {
        let options = BackwardOptions { trusts_addresses, ..OPTIONS };
        let found = backward(&graph, goal, &options, None, &Arc::default());
        matches!(found.verdict, Verdict::Unreachable(_))
    };
    let begin = Instant::now();
    roots.iter().for_each(|root| {
        is_proved(Goal::Point(*root, coax_program::ir::Body::ENTRY, 0), true);
    });
    let milliseconds = begin.elapsed().as_millis();
    let mut tally = Tally::default();
    for func in CallGraph::of(program).reachable(roots.iter().copied()) {
        for (site, direction, goal) in directions(program, func) {
            let trusting = is_proved(goal, true);
            let plain = is_proved(goal, false);
            if coverage.directions(site)[direction as usize] {
                tally.covered += 1;
                tally.wrong += u64::from(plain);
                tally.trusted_wrongly += u64::from(trusting);
                if plain {
                    eprintln!("WRONG: {name} {goal:?} of {} is covered", program.functions[func].name);
                }
            } else {
                tally.others += 1;
                tally.proved += u64::from(plain);
                tally.trusting += u64::from(trusting && !plain);
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
