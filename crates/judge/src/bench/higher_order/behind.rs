//! Programs whose code is behind a checksum or a lexer: how many of its branches do the inputs cover that coax and libFuzzer find?
//!
//! Counted natively by llvm-cov, whoever found the inputs.

use super::searched::words_found;
use super::{Options, Tools};
use crate::bench::contest::{Contest, Covered, Inputs, succeed};
use anyhow::{Context, Result};
use coax_judge::harnesses::{FuzzTarget, Harnesses};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How long a search takes if nobody says otherwise, in seconds.
const CHECKSUM_SECONDS: u32 = 20;
const SECONDS: u32 = 60;
/// Everything executed symbolically, nothing unknown, nothing by chance.
const SYMBOLIC: &[&str] = &["--no-auto-unknown", "--no-mutate"];

/// The checksums: name of the program, of the function.
const CHECKSUMS: [(&str, &str); 5] = [
    ("crc32", "crc32"),
    ("adler32", "adler32"),
    ("fnv1a", "fnv1a"),
    ("keyed", "keyed_hash"),
    ("nested", "crc32"),
];
/// Where the code is that is behind them.
const PICTURE: &str = "examples/checksums/picture.h";

/// The lexers, and what generates them.
const LEXERS: [(&str, Option<&str>); 3] =
    [("flex.l", Some("flex")), ("keywords.gperf", Some("gperf")), ("table.c", None)];
const LEXERS_PLACE: &str = "examples/lexers";
const PARSER: &str = "examples/lexers/parser.c";

/// What one program was searched by, in the order of the columns.
struct Row {
    /// For each way with coax, and last for libFuzzer: what each seed covers.
    covered: Vec<Vec<Covered>>,
    /// For each the inputs of the first seed.
    inputs: Vec<Inputs>,
}

/// Lets coax search in several ways, and libFuzzer beside the first.
fn compete(
    contest: &Contest<'_>,
    ways: &[&[&str]],
    counts: &dyn Fn(&str) -> bool,
    seconds: u32,
    seeds: u32,
) -> Result<Row> {
    let mut row = Row { covered: vec![Vec::new(); ways.len() + 1], inputs: Vec::new() };
    for seed in 1..=seeds {
        let (they, first) = contest.both(ways[0], seconds, seed)?;
        let mut found = vec![first];
        for way in &ways[1..] {
            found.push(contest.coax(way, seconds, seed)?);
        }
        found.push(they);
        for (column, inputs) in found.iter().enumerate() {
            row.covered[column].push(contest.measure(inputs, counts)?);
        }
        if seed == 1 {
            row.inputs = found;
        }
    }
    row.covered.iter_mut().for_each(|column| column.sort());
    Ok(row)
}

impl Row {
    fn median(&self, column: usize) -> Covered {
        self.covered[column][self.covered[column].len() / 2]
    }

    /// All columns, as text.
    fn cells(&self) -> String {
        let cell = |column| {
            let Covered { covered, .. } = self.median(column);
            format!("{covered} ({:.0} %)", self.median(column).percent())
        };
        (0..self.covered.len()).map(cell).collect::<Vec<_>>().join(" | ")
    }

    /// The shares of all columns.
    fn percents(&self) -> Vec<f64> {
        (0..self.covered.len()).map(|column| self.median(column).percent()).collect()
    }

    fn total(&self) -> u64 {
        self.median(0).total
    }
}

/// The format of chunks, with each checksum.
pub(super) fn checksums(tools: &Tools, options: &Options) -> Result<Value> {
    let seconds = options.seconds.unwrap_or(CHECKSUM_SECONDS);
    println!(
        "| checksum ({seconds} s) | branches behind it | coax | coax, told its name | coax, executed symbolically | libFuzzer |"
    );
    println!("|-|-:|-:|-:|-:|-:|");
    let mut numbers = serde_json::Map::new();
    for (name, function) in CHECKSUMS {
        let target = ours(options, vec![options.path(&format!("examples/checksums/{name}.c"))]);
        let place = tempfile::tempdir()?;
        let contest = Contest::prepare(&target, place.path(), tools).with_context(|| name.to_owned())?;
        let ways: [&[&str]; 3] = [&[], &["--unknown", function], SYMBOLIC];
        let row = compete(&contest, &ways, &|file| file.ends_with(PICTURE), seconds, options.seeds)?;
        println!("| {name} | {} | {} |", row.total(), row.cells());
        numbers.insert(name.into(), row.percents().into());
    }
    Ok(numbers.into())
}

/// The parser behind each lexer.
pub(super) fn lexers(tools: &Tools, options: &Options) -> Result<Value> {
    let seconds = options.seconds.unwrap_or(SECONDS);
    let keywords = keywords(&options.path(LEXERS_PLACE).join("keywords.gperf"))?;
    println!(
        "| lexer ({seconds} s) | branches of the parser | coax | coax, executed symbolically | libFuzzer | keywords of {} by each (in tests) |",
        keywords.len()
    );
    println!("|-|-:|-:|-:|-:|-|");
    let mut numbers = serde_json::Map::new();
    for (name, generator) in LEXERS {
        let place = tempfile::tempdir()?;
        let lexer = generate(&options.path(LEXERS_PLACE).join(name), generator, place.path())?;
        let target = ours(options, vec![lexer, options.path(PARSER)]);
        let contest = Contest::prepare(&target, place.path(), tools).with_context(|| name.to_owned())?;
        let ways: [&[&str]; 2] = [&[], SYMBOLIC];
        let row = compete(&contest, &ways, &|file| file.ends_with(PARSER), seconds, options.seeds)?;
        let mut found = Vec::new();
        for inputs in &row.inputs {
            found.push([inputs.found()?, inputs.kept()?].map(|texts| words_found(&keywords, &texts)));
        }
        let shown: Vec<String> = found.iter().map(|[found, kept]| format!("{found} ({kept})")).collect();
        let shown = shown.join(", ");
        println!("| {name} | {} | {} | {shown} |", row.total(), row.cells());
        numbers.insert(name.into(), json!({ "percent": row.percents(), "keywords": found }));
    }
    Ok(numbers.into())
}

/// Formats of others.
pub(super) fn formats(harnesses: &Harnesses, tools: &Tools, options: &Options) -> Result<Value> {
    let seconds = options.seconds.unwrap_or(SECONDS);
    println!("| program ({seconds} s) | branches | coax | coax, nothing unknown | libFuzzer |");
    println!("|-|-:|-:|-:|-:|");
    let mut numbers = serde_json::Map::new();
    for name in harnesses.names(&[])?.into_iter().filter(|name| harnesses.has_checksums(name)) {
        if !harnesses.is_there(name) {
            println!("| {name} | not here: `./scripts/thirdparty` fetches it | | | |");
            continue;
        }
        let target = harnesses.fuzz_target(name)?;
        let place = tempfile::tempdir()?;
        let contest = Contest::prepare(&target, place.path(), tools).with_context(|| name.to_owned())?;
        let ways: [&[&str]; 2] = [&[], &["--no-auto-unknown"]];
        let row = compete(&contest, &ways, &|file| target.counts(file), seconds, options.seeds)?;
        println!("| {name} | {} | {} |", row.total(), row.cells());
        numbers.insert(name.into(), row.percents().into());
    }
    Ok(numbers.into())
}

/// A program of our own, whose headers are among the lexers.
fn ours(options: &Options, sources: Vec<PathBuf>) -> FuzzTarget {
    let flags = vec![format!("-I{}", options.path(LEXERS_PLACE).display())];
    FuzzTarget { repository: options.repository.clone(), sources, flags, native: Vec::new(), scope: None }
}

/// The C that a generator makes of a lexer; itself, if it needs none.
fn generate(source: &Path, generator: Option<&str>, place: &Path) -> Result<PathBuf> {
    let Some(generator) = generator else { return Ok(source.to_owned()) };
    let lexer = place.join("lexer.c");
    let mut command = Command::new(generator);
    match generator {
        "flex" => command.arg("-o").arg(&lexer),
        _ => command.arg("--output-file").arg(&lexer),
    };
    succeed(command.arg(source))?;
    Ok(lexer)
}

/// The keywords of a file of gperf's.
fn keywords(file: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let list = text.split("\n%%\n").nth(1).context("it has no list of keywords")?;
    Ok(list.lines().filter_map(|line| Some(line.split_once(',')?.0.to_owned())).collect())
}
