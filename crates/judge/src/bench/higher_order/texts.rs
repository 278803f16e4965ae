//! The paper's lexers (section 7): which keywords are found, and how much of the parser behind them is covered?

use super::searched::{Searched, words_found};
use super::{Options, PAPER, TREATMENTS, Tools};
use anyhow::{Context, Result};
use coax_solve::Random;
use serde_json::{Value, json};
use std::path::Path;

/// How many runs a search may take, and how long, in seconds.
const RUNS: usize = 10_000;
const SECONDS: u32 = 60;
/// How many runs one takes that only looks at texts that are given.
const RUNS_BEFORE: usize = 3;
/// The file whose branches count.
const LANGUAGE: &str = "language.h";
/// Texts that somebody wrote.
const TEXTS: &str = "--seeds=examples/seeds/000/texts";
/// What texts that are made by chance consist of, and how long they are at most.
const CHARACTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789    ";
const MOST_CHARACTERS: usize = 40;

/// Prints the rows; what ours covers in each.
pub(super) fn rows(tools: &Tools, options: &Options) -> Result<Vec<Value>> {
    let mut ours = Vec::new();
    let by_chance = tempfile::tempdir()?;
    random_texts(by_chance.path())?;
    let by_chance = format!("--seeds={}", by_chance.path().display());
    let lexers = Lexers { keywords: keywords(options)?, tools, options };
    for treatment in TREATMENTS {
        ours.push(lexers.row("lexer", treatment, &lexers.search("lexer", &with(treatment))?)?);
    }
    lexers.row("lexer", "nothing unknown", &lexers.search("lexer", &[])?)?;
    lexers.row("lexer", "random texts", &lexers.search("lexer", &[&by_chance])?)?;
    let (file, name) = ("lexer_precomputed", "lexer_precomputed, texts given");
    for treatment in TREATMENTS {
        let all = [&with(treatment)[..], &[TEXTS]].concat();
        ours.push(lexers.row(name, treatment, &lexers.search(file, &all)?)?);
    }
    lexers.row(name, "nothing unknown", &lexers.search(file, &[TEXTS])?)?;
    // Nothing is given but what a search has seen that was given the texts.
    let name = "lexer_precomputed, texts given before";
    for treatment in TREATMENTS {
        let before = lexers.arguments(file, RUNS_BEFORE, &[&with(treatment)[..], &[TEXTS]].concat())?;
        let before = Searched::run(&tools.coax, &as_strs(&before))?;
        let arguments = lexers.arguments(file, RUNS, &with(treatment))?;
        ours.push(lexers.row(name, treatment, &before.again(&tools.coax, &as_strs(&arguments))?)?);
    }
    lexers.row(name, "nothing unknown", &lexers.search(file, &[])?)?;
    Ok(ours.into_iter().step_by(TREATMENTS.len()).collect())
}

/// What coax is told about the hash.
fn with(treatment: &str) -> [&str; 4] {
    ["--unknown", "hash", "--imprecision", treatment]
}

struct Lexers<'a> {
    keywords: Vec<String>,
    tools: &'a Tools,
    options: &'a Options,
}

impl Lexers<'_> {
    fn search(&self, file: &str, more: &[&str]) -> Result<Searched> {
        let arguments = self.arguments(file, RUNS, more)?;
        Searched::run(&self.tools.coax, &as_strs(&arguments)).with_context(|| file.to_owned())
    }

    fn arguments(&self, file: &str, runs: usize, more: &[&str]) -> Result<Vec<String>> {
        let path = self.options.path(&format!("{PAPER}{file}.c"));
        let mut all = vec![path.to_str().context("its path is no text")?.to_owned()];
        all.extend(["--no-mutate", "--no-auto-unknown"].map(str::to_owned));
        all.push(format!("--max-runs={runs}"));
        all.push(format!("--time={}s", self.options.seconds.unwrap_or(SECONDS)));
        all.extend(more.iter().map(|&it| it.to_owned()));
        Ok(all)
    }

    fn row(&self, name: &str, treatment: &str, searched: &Searched) -> Result<Value> {
        let branches = searched.branches(LANGUAGE);
        let found = words_found(&self.keywords, &searched.texts()?);
        let divergences = searched.number("divergences")?;
        println!(
            "| {name} | {treatment} | {}/{} branches, {found}/{} keywords | {divergences} | {} | {} |",
            branches.covered,
            branches.total,
            self.keywords.len(),
            searched.number("runs")?,
            searched.direct_calls()
        );
        let percent = 100.0 * branches.covered as f64 / branches.total.max(1) as f64;
        Ok(json!({ "row": name, "percent": percent, "keywords": found, "divergences": divergences }))
    }
}

fn as_strs(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// The keywords of the language: what its lexer adds to its table.
fn keywords(options: &Options) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(options.path(&format!("{PAPER}lexer.c")))?;
    let word = |line: &str| Some(line.trim().strip_prefix("addsym(\"")?.split('"').next()?.to_owned());
    Ok(text.lines().filter_map(word).collect())
}

/// As many texts made by chance as a search may run.
fn random_texts(place: &Path) -> Result<()> {
    let mut random = Random::new(1);
    for number in 0..RUNS {
        let length = random.below(MOST_CHARACTERS + 1);
        let text: Vec<u8> = (0..length).map(|_| CHARACTERS[random.below(CHARACTERS.len())]).collect();
        std::fs::write(place.join(number.to_string()), text)?;
    }
    Ok(())
}
