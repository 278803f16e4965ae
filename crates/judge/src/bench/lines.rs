//! Lines of third-party programs, chosen at random: what `coax reach` decides of each, and what it decides by forward search alone.
//!
//! Both search at the same time, each on one core, so that what else the machine does is the same for both. What is said to be reached is
//! judged by a module that traps on the line ([`coax_judge::tripwire`]).
//!
//! Chance decides some lines. Where only one of the two has decided, both search again, with another seed: a line counts for whoever decides it in one of these attempts. How many were
//! decided at the first is told beside that.

use super::searched::{Searched, search};
use anyhow::{Context, Result, anyhow, ensure};
use coax_execute::{Entry, Input};
use coax_judge::harnesses::{Harnesses, Told};
use coax_judge::tripwire::Tripwire;
use coax_program::Program;
use coax_solve::Random;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// What to run.
pub struct Options {
    /// How many lines of each program.
    pub lines: usize,
    /// How long each search may take.
    pub seconds: u32,
    /// What random choices are made from.
    pub seed: u64,
    /// coax itself.
    pub coax: PathBuf,
}

/// What is compared.
const STRATEGIES: [&str; 2] = ["auto", "forward"];
/// How often a line is looked for that only one of them has decided.
const ATTEMPTS: u64 = 3;

/// What was said of lines.
#[derive(Clone, Copy, Default)]
struct Tally {
    reached: u64,
    /// So many of them were reached indeed.
    confirmed: u64,
    unreachable: u64,
    unknown: u64,
    /// So many were decided at the first attempt.
    first: u64,
    /// What the attempts that count took.
    milliseconds: u64,
}

impl Tally {
    fn decided(self) -> u64 {
        self.confirmed + self.unreachable
    }

    fn note(&mut self, attempt: &Attempt) {
        let Attempt { searched, is_hit } = attempt;
        self.milliseconds += searched.milliseconds;
        match searched.verdict.as_str() {
            "reached" => self.reached += 1,
            "unreachable" => self.unreachable += 1,
            _ => self.unknown += 1,
        }
        self.confirmed += u64::from(*is_hit && searched.verdict == "reached");
    }

    fn json(self) -> Value {
        json!({
            "reached": self.reached, "confirmed": self.confirmed, "unreachable": self.unreachable, "unknown": self.unknown,
            "decided_at_first": self.first,
        })
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.reached += other.reached;
        self.confirmed += other.confirmed;
        self.unreachable += other.unreachable;
        self.unknown += other.unknown;
        self.first += other.first;
        self.milliseconds += other.milliseconds;
    }
}

/// Prints the table.
pub fn run(harnesses: &Harnesses, names: &[&str], options: &Options) -> Result<()> {
    ensure!(!names.is_empty(), "no program is there; run ./scripts/thirdparty first");
    println!(
        "| program | lines | auto: reached | confirmed | unreachable | unknown | s | forward: reached | confirmed | unreachable | unknown | s |"
    );
    println!("|-|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|");
    let mut sums = [Tally::default(); STRATEGIES.len()];
    let (mut lines, mut contradictions, mut behind) = (0, 0, Vec::new());
    for name in names {
        let judged = judge(harnesses, name, options).with_context(|| (*name).to_owned())?;
        let cells = judged.tallies.map(|tally| {
            let seconds = tally.milliseconds as f64 / 1000.0;
            let Tally { reached, confirmed, unreachable, unknown, .. } = tally;
            format!("{reached} | {confirmed} | {unreachable} | {unknown} | {seconds:.0}")
        });
        let unseen = if harnesses.is_unseen(name) { " (unseen)" } else { "" };
        println!("| {name}{unseen} | {} | {} |", judged.lines, cells.join(" | "));
        let [auto, forward] = judged.tallies;
        if auto.decided() < forward.decided() {
            behind.push(*name);
        }
        sums.iter_mut().zip(judged.tallies).for_each(|(sum, tally)| *sum += tally);
        lines += judged.lines;
        contradictions += judged.contradictions;
    }
    let [auto, forward] = sums;
    let json = json!({
        "bench": "lines", "programs": names.len(), "lines": lines, "auto": auto.json(), "forward": forward.json(),
        "contradictions": contradictions, "behind": behind, "seconds": options.seconds, "seed": options.seed,
    });
    println!("\n{json}");
    Ok(())
}

/// What was said of the lines of one program.
struct Judged {
    lines: usize,
    tallies: [Tally; STRATEGIES.len()],
    /// Lines that one calls unreachable and that the other's test gets to.
    contradictions: u64,
}

/// A search for a line, and whether one of its tests gets there.
struct Attempt {
    searched: Searched,
    is_hit: bool,
}

impl Attempt {
    fn decides(&self) -> bool {
        match self.searched.verdict.as_str() {
            "reached" => self.is_hit,
            verdict => verdict == "unreachable",
        }
    }
}

fn judge(harnesses: &Harnesses, name: &str, options: &Options) -> Result<Judged> {
    let told = harnesses.told(name)?;
    let (mut program, input) = harnesses.program(name)?;
    // As coax calls files.
    program.source_root = std::env::current_dir().ok();
    let place = tempfile::tempdir()?;
    let mut lines = lines(&options.coax, &told, place.path())?;
    let called = called_lines(&program, &input)?;
    lines.retain(|line| called.contains(line));
    let chosen = choose(lines, options.lines, options.seed);
    let mut judged = Judged { lines: chosen.len(), tallies: Default::default(), contradictions: 0 };
    for (number, (file, line)) in chosen.iter().enumerate() {
        let target = format!("{file}:{line}");
        let attempt = |seed: u64| -> Result<[Attempt; STRATEGIES.len()]> {
            at_once(|strategy| {
                let out = place.path().join(format!("{strategy}-{number}-{seed}"));
                let mut command = Command::new(&options.coax);
                command.arg("reach").args(&told.options).args(["--strategy", strategy]);
                command.args(["--seed", &seed.to_string()]);
                let searched = search(command, &target, &told.args, options.seconds, &out)?;
                let is_hit = is_reached(&program, (file, *line), &searched)?;
                Ok(Attempt { searched, is_hit })
            })
        };
        let mut best = attempt(1)?;
        judged.tallies.iter_mut().zip(&best).for_each(|(tally, it)| tally.first += u64::from(it.decides()));
        let is_one_behind = |best: &[Attempt; STRATEGIES.len()]| best[0].decides() != best[1].decides();
        let mut attempts = 1;
        let (mut is_hit, mut is_called_dead) = (false, false);
        let mut note = |all: &[Attempt; STRATEGIES.len()]| {
            is_hit |= all.iter().any(|it| it.is_hit);
            is_called_dead |= all.iter().any(|it| it.searched.verdict == "unreachable");
        };
        note(&best);
        while attempts < ATTEMPTS && is_one_behind(&best) {
            attempts += 1;
            let again = attempt(attempts)?;
            note(&again);
            for (best, again) in best.iter_mut().zip(again) {
                if again.decides() && !best.decides() {
                    *best = again;
                }
            }
        }
        judged.tallies.iter_mut().zip(&best).for_each(|(tally, best)| tally.note(best));
        let is_contradicted = is_hit && is_called_dead;
        judged.contradictions += u64::from(is_contradicted);
        // Of programs that nobody has looked at nobody looks at the lines.
        if !harnesses.is_unseen(name) || is_contradicted {
            eprintln!("{name} {target}, {attempts} attempts");
            for (strategy, Attempt { searched: it, .. }) in STRATEGIES.iter().zip(&best) {
                eprintln!("  {strategy:8} {} {} ms {}", it.verdict, it.milliseconds, it.reason);
            }
        }
    }
    Ok(judged)
}

/// Has both strategies search at the same time.
fn at_once(one: impl Fn(&str) -> Result<Attempt> + Sync) -> Result<[Attempt; STRATEGIES.len()]> {
    let [auto, forward] = STRATEGIES;
    let (auto, forward) = thread::scope(|scope| {
        let auto = scope.spawn(|| one(auto));
        let forward = one(forward);
        (auto.join().unwrap_or_else(|_| Err(anyhow!("a thread panicked"))), forward)
    });
    Ok([auto?, forward?])
}

/// The lines of a program that have code, in its scope, as a search that is over at once has written them down; what is compiled for it is
/// cached then.
fn lines(coax: &Path, told: &Told, place: &Path) -> Result<Vec<(String, u32)>> {
    let out = place.join("lines");
    let mut command = Command::new(coax);
    command.arg("cover").args(&told.options).args(["--max-runs", "1", "--no-mutate", "--out"]).arg(&out);
    command.arg("--").args(&told.args).stdin(Stdio::null());
    let output = command.output().context("coax cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(matches!(output.status.code(), Some(0 | 1)), "coax failed: {said}");
    let files: Value = serde_json::from_slice(&std::fs::read(out.join("lines.json"))?)?;
    let mut lines = Vec::new();
    for (file, of_file) in files.as_object().context("lines.json has no files")? {
        for line in of_file.as_object().context("a file of lines.json has no lines")?.keys() {
            lines.push((file.clone(), line.parse()?));
        }
    }
    lines.sort();
    Ok(lines)
}

/// The lines of functions that can be called: of others, that nothing gets there is known without a search.
fn called_lines(program: &Program, input: &Input) -> Result<BTreeSet<(String, u32)>> {
    let entry = Entry::find(program, input.entry.as_deref())?;
    let mut lines = BTreeSet::new();
    for func in program.calls().reachable(entry.roots(program)) {
        let Some(defined) = program.functions[func].defined() else { continue };
        for offset in defined.body.insts.values().map(|inst| inst.offset) {
            let frames = program.frames(offset).into_iter();
            lines.extend(frames.filter_map(|frame| Some((frame.file?, frame.line?))));
        }
    }
    Ok(lines)
}

/// So many of these, at random, in their order.
fn choose(mut lines: Vec<(String, u32)>, count: usize, seed: u64) -> Vec<(String, u32)> {
    let mut random = Random::new(seed);
    let mut chosen = Vec::new();
    while chosen.len() < count && !lines.is_empty() {
        chosen.push(lines.swap_remove(random.below(lines.len())));
    }
    chosen.sort();
    chosen
}

/// Whether a test that was written gets to a line.
fn is_reached(program: &Program, (file, line): (&str, u32), searched: &Searched) -> Result<bool> {
    if searched.inputs.is_empty() {
        return Ok(false);
    }
    Tripwire::new(program, file, line)?.is_hit(&searched.inputs)
}
