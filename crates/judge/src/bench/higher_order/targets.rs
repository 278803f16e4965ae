//! Examples with one target, a line that says so: is it reached?
//!
//! The command of each is the one in its first lines.

use super::searched::{Searched, words_found};
use super::{Options, Tools};
use anyhow::{Context, Result};
use serde_json::{Value, json};

const TREATMENTS: [&str; 4] = ["higher-order", "delayed", "sound", "unsound"];
const PAPER: &str = "examples/seeds/000/";
const MATHS: &str = "examples/maths/";
/// What a line has that is the target.
const MARK: &str = "/* target */";
/// How many runs an example may take; they end long before if all paths are explored.
const RUNS: &str = "200";
/// How many runs a lexer may take, and how long.
const LEXER_RUNS: &str = "3000";
const SECONDS: u32 = 60;
/// The file whose branches count behind a lexer.
const LANGUAGE: &str = "language.h";

/// One of the paper's examples.
struct Example {
    name: &'static str,
    file: &'static str,
    unknown: &'static str,
    /// What coax is told besides.
    options: &'static [&'static str],
    /// Whether a strategy exists: what higher-order tests must do.
    is_valid: bool,
}

const fn example(name: &'static str, unknown: &'static str, options: &'static [&'static str]) -> Example {
    Example { name, file: name, unknown, options, is_valid: true }
}

const EXAMPLES: [Example; 8] = [
    example("obscure", "hash", &[]),
    example("foo", "hash", &[]),
    example("foo_bis", "hash", &[]),
    example("delayed", "hash", &[]),
    Example { is_valid: false, ..example("bar", "hash", &[]) },
    example("pub", "hash", &[]),
    example("equal", "f", &[]),
    example("successor", "f", &["--seeds=examples/seeds/000/successor"]),
];

const STEPS: [(&str, &str); 5] = [
    ("kstep, k = 2", "--cflags=-DK=2"),
    ("kstep, k = 3", "--cflags=-DK=3"),
    ("kstep, k = 4", "--cflags=-DK=4"),
    ("kstep, k = 5", "--cflags=-DK=5"),
    ("kstep, k = 6", "--cflags=-DK=6"),
];

/// The lexers: name, what they are given.
const LEXERS: [(&str, &[&str]); 2] =
    [("lexer", &[]), ("lexer_precomputed", &["--seeds=examples/seeds/000/texts"])];

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
    for (name, define) in STEPS {
        let step = Example { name, file: "kstep", unknown: "hash", options: &[], is_valid: true };
        for treatment in TREATMENTS {
            row(&step, treatment, &[define], &mut judged, tools, options)?;
        }
        let only_runs = [define, "--no-direct-calls"];
        row(&step, TREATMENTS[0], &only_runs, &mut judged, tools, options)?;
    }
    let mut lexers = Vec::new();
    for (name, given) in LEXERS {
        for treatment in TREATMENTS.map(Some).into_iter().chain([None]) {
            let percent = lexer(name, given, treatment, tools, options)?;
            if treatment == Some(TREATMENTS[0]) {
                lexers.push(percent);
            }
        }
    }
    let Judged { rows, wrong, divergences } = judged;
    Ok(json!({ "rows": rows, "wrong": wrong, "divergences": divergences, "lexers_percent": lexers }))
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
    let divergences = searched.number("divergences")?;
    let how = if more.contains(&"--no-direct-calls") { ", no direct calls" } else { "" };
    println!(
        "| {} | {treatment}{how} | {} | {divergences} | {} | {} |",
        example.name,
        yes(reached),
        searched.number("runs")?,
        searched.direct_calls()
    );
    if treatment == TREATMENTS[0] {
        judged.rows += 1;
        judged.divergences += divergences;
        judged.wrong += u64::from(reached != example.is_valid || divergences > 0);
    }
    Ok(())
}

/// Searches the parser behind one of the lexers, with a treatment or without any unknown function; the share of its branches.
fn lexer(
    name: &str,
    given: &[&str],
    treatment: Option<&str>,
    tools: &Tools,
    options: &Options,
) -> Result<f64> {
    let file = options.path(&format!("{PAPER}{name}.c"));
    let time = format!("--time={}s", options.seconds.unwrap_or(SECONDS));
    let mut all = vec![file.to_str().context("its path is no text")?, "--no-mutate", "--no-auto-unknown"];
    all.extend(["--max-runs", LEXER_RUNS, &time]);
    all.extend(given);
    if let Some(treatment) = treatment {
        all.extend(["--unknown", "hash", "--imprecision", treatment]);
    }
    let searched = Searched::run(&tools.coax, all).with_context(|| name.to_owned())?;
    let branches = searched.branches(LANGUAGE);
    let keywords = keywords(options)?;
    println!(
        "| {name} | {} | {}/{} branches, {}/{} keywords | {} | {} | {} |",
        treatment.unwrap_or("nothing unknown"),
        branches.covered,
        branches.total,
        words_found(&keywords, &searched.texts()?),
        keywords.len(),
        searched.number("divergences")?,
        searched.number("runs")?,
        searched.direct_calls()
    );
    Ok(100.0 * branches.covered as f64 / branches.total.max(1) as f64)
}

/// The keywords of the paper's language: what its lexer adds to its table.
fn keywords(options: &Options) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(options.path(&format!("{PAPER}lexer.c")))?;
    let word = |line: &str| Some(line.trim().strip_prefix("addsym(\"")?.split('"').next()?.to_owned());
    Ok(text.lines().filter_map(word).collect())
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
        let (searched, reached) = search(MATHS, name, &ours, LEXER_RUNS, tools, options)?;
        let (plain, plainly) =
            search(MATHS, name, &[time.as_str(), "--no-auto-unknown"], LEXER_RUNS, tools, options)?;
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
    let searched = Searched::run(&tools.coax, all).with_context(|| name.to_owned())?;
    let text = std::fs::read_to_string(&file)?;
    let line = text.lines().position(|line| line.contains(MARK)).context("it has no target")? + 1;
    let reached = searched.covers_line(&format!("{name}.c"), line)?;
    Ok((searched, reached))
}

fn yes(it: bool) -> &'static str {
    if it { "yes" } else { "no" }
}
