//! Examples with one target, a line that says so: is it reached?
//!
//! The command of each is the one in its first lines.

use super::searched::Searched;
use super::{Options, PAPER, TREATMENTS, Tools, texts};
use anyhow::{Context, Result};
use serde_json::{Value, json};

const MATHS: &str = "examples/maths/";
/// What a line has that is the target.
const MARK: &str = "/* target */";
/// How many runs an example may take; they end long before if all paths are explored.
const RUNS: &str = "200";
/// How many runs a condition on library maths may take, and how long.
const MATHS_RUNS: &str = "3000";
const SECONDS: u32 = 60;

/// One of the paper's examples.
struct Example {
    name: &'static str,
    file: &'static str,
    unknown: &'static str,
    /// What coax is told besides.
    options: &'static [&'static str],
    /// Whether a strategy exists: what higher-order tests must do.
    is_valid: bool,
    /// How many runs they may take for it, if the paper's way says so.
    most_runs: Option<u64>,
}

const fn example(name: &'static str, unknown: &'static str, options: &'static [&'static str]) -> Example {
    Example { name, file: name, unknown, options, is_valid: true, most_runs: None }
}

const EXAMPLES: [Example; 8] = [
    Example { most_runs: Some(2), ..example("obscure", "hash", &[]) },
    example("foo", "hash", &[]),
    example("foo_bis", "hash", &[]),
    example("delayed", "hash", &[]),
    Example { is_valid: false, ..example("bar", "hash", &[]) },
    example("pub", "hash", &[]),
    example("equal", "f", &[]),
    example("successor", "f", &["--seeds=examples/seeds/000/successor"]),
];

/// Values of the hash that depend on each other: how many, what the compiler is told.
const STEPS: [(u64, &str, &str); 5] = [
    (2, "kstep, k = 2", "--cflags=-DK=2"),
    (3, "kstep, k = 3", "--cflags=-DK=3"),
    (4, "kstep, k = 4", "--cflags=-DK=4"),
    (5, "kstep, k = 5", "--cflags=-DK=5"),
    (6, "kstep, k = 6", "--cflags=-DK=6"),
];

/// What is wrong with the rows that are higher-order, and how many there are.
#[derive(Default)]
struct Judged {
    rows: u64,
    wrong: u64,
    divergences: u64,
}

/// The table of the paper's examples.
pub(super) fn paper(tools: &Tools, options: &Options) -> Result<Value> {
    println!("| example | treatment | reached | divergences | runs | direct calls |");
    println!("|-|-|-|-:|-:|-:|");
    let mut judged = Judged::default();
    for example in &EXAMPLES {
        for treatment in TREATMENTS {
            row(example, treatment, &[], &mut judged, tools, options)?;
        }
    }
    for (count, name, define) in STEPS {
        // One run to learn the condition and one that is the answer; without calls of the function one for each value as well.
        let step = Example { file: "kstep", most_runs: Some(2), ..example(name, "hash", &[]) };
        for treatment in TREATMENTS {
            row(&step, treatment, &[define], &mut judged, tools, options)?;
        }
        let step = Example { most_runs: Some(1 + count), ..step };
        row(&step, TREATMENTS[0], &[define, "--no-direct-calls"], &mut judged, tools, options)?;
    }
    let lexers = texts::rows(tools, options)?;
    let Judged { rows, wrong, divergences } = judged;
    Ok(json!({ "rows": rows, "wrong": wrong, "divergences": divergences, "lexers": lexers }))
}

/// Searches for the target of an example, prints a row, and judges it if the treatment is ours.
fn row(
    example: &Example,
    treatment: &str,
    more: &[&str],
    judged: &mut Judged,
    tools: &Tools,
    options: &Options,
) -> Result<()> {
    let unknown = ["--unknown", example.unknown, "--no-auto-unknown", "--imprecision", treatment];
    let all = [&unknown, example.options, more].concat();
    let (searched, reached) = search(PAPER, example.file, &all, RUNS, tools, options)?;
    let (divergences, runs) = (searched.number("divergences")?, searched.number("runs")?);
    let how = if more.contains(&"--no-direct-calls") { ", no direct calls" } else { "" };
    println!(
        "| {} | {treatment}{how} | {} | {divergences} | {} | {} |",
        example.name,
        yes(reached),
        runs,
        searched.direct_calls()
    );
    if treatment == TREATMENTS[0] {
        let too_many = example.most_runs.is_some_and(|most| runs > most);
        judged.rows += 1;
        judged.divergences += divergences;
        judged.wrong += u64::from(reached != example.is_valid || divergences > 0 || too_many);
    }
    Ok(())
}

/// Conditions on functions of the C library: name of the example, the function.
const LIBRARY: [(&str, &str); 6] = [
    ("sine", "sin"),
    ("wave", "sin"),
    ("growth", "exp"),
    ("power", "pow"),
    ("interest", "pow"),
    ("decimal", "strtod"),
];

/// The table of library maths.
pub(super) fn maths(tools: &Tools, options: &Options) -> Result<Value> {
    println!("| example | unknown | reached | divergences | runs | direct calls | without: reached | runs |");
    println!("|-|-|-|-:|-:|-:|-|-:|");
    let (mut with, mut without) = (0, 0);
    for (name, unknown) in LIBRARY {
        let time = format!("--time={}s", options.seconds.unwrap_or(SECONDS));
        let ours = [time.as_str(), "--unknown", unknown, "--no-auto-unknown"];
        let (searched, reached) = search(MATHS, name, &ours, MATHS_RUNS, tools, options)?;
        let (plain, plainly) =
            search(MATHS, name, &[time.as_str(), "--no-auto-unknown"], MATHS_RUNS, tools, options)?;
        println!(
            "| {name} | {unknown} | {} | {} | {} | {} | {} | {} |",
            yes(reached),
            searched.number("divergences")?,
            searched.number("runs")?,
            searched.direct_calls(),
            yes(plainly),
            plain.number("runs")?
        );
        with += u64::from(reached);
        without += u64::from(plainly);
    }
    Ok(json!({ "examples": LIBRARY.len(), "reached": with, "reached_without": without }))
}

/// Searches an example without mutation; whether its target is reached.
fn search(
    folder: &str,
    name: &str,
    more: &[&str],
    runs: &str,
    tools: &Tools,
    options: &Options,
) -> Result<(Searched, bool)> {
    let file = options.path(&format!("{folder}{name}.c"));
    let mut all = vec![file.to_str().context("its path is no text")?, "--entry", name, "--no-mutate"];
    all.extend(["--max-runs", runs]);
    all.extend(more);
    let searched = Searched::run(&tools.coax, &all).with_context(|| name.to_owned())?;
    let text = std::fs::read_to_string(&file)?;
    let line = text.lines().position(|line| line.contains(MARK)).context("it has no target")? + 1;
    let reached = searched.covers_line(&format!("{name}.c"), line)?;
    Ok((searched, reached))
}

fn yes(it: bool) -> &'static str {
    if it { "yes" } else { "no" }
}
