//! Runs that do not go where they should have gone: there must be none, whatever limits runs meet.
//!
//! A third of the programs are those of `scripts/harnesses.toml` that are here, and the small examples; the others are random tasks like those of
//! Test-Comp. Each is searched for a moment, and the reports are counted.

use anyhow::{Context, Result, bail, ensure};
use coax_judge::examples;
use coax_judge::harnesses::Harnesses;
use coax_judge::random::tasks::{Task, task};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What the programs are given, unless the user says otherwise.
pub struct Options {
    /// How many programs.
    pub runs: usize,
    /// The number of the first random task.
    pub seed: u64,
    /// How long each is searched.
    pub time: String,
    /// Only random tasks.
    pub is_random_only: bool,
}

/// Whose harnesses are searched: `coax cover` finds by itself what is a symbol.
const STYLES: [&str; 6] = ["testcomp", "cbmc", "klee", "owi", "wasp", "libfuzzer"];

/// When the next program has its turn in any case, and how often it is looked whether one has ended.
const LATEST_END: Duration = Duration::from_secs(90);
const EVERY: Duration = Duration::from_millis(5);

/// One program.
struct Subject {
    name: String,
    arguments: Vec<OsString>,
    /// What comes after `--`.
    args: Vec<String>,
    /// The text, if nobody has it but us.
    text: Option<String>,
}

/// What the reports say, together.
#[derive(Default)]
struct Tally {
    runs: u64,
    paths: u64,
    divergences: u64,
    not_run: u64,
    /// Programs that could not be searched.
    failed: u64,
    bounds: BTreeMap<String, u64>,
}

/// Searches programs; whether all runs went where they should have gone.
pub fn divergences(harnesses: &Harnesses, repository: &Path, coax: &Path, options: &Options) -> Result<bool> {
    let mut subjects = match options.is_random_only {
        true => Vec::new(),
        false => others(harnesses, repository)?,
    };
    subjects.truncate(options.runs / 3);
    let there = subjects.len();
    let random = (there..options.runs).zip(options.seed..).map(|(_, seed)| of_task(seed));
    let place = tempfile::tempdir()?;
    let mut tally = Tally::default();
    println!("| program | runs | paths | divergences | not run | limits met |\n|-|-:|-:|-:|-:|-|");
    for subject in subjects.into_iter().chain(random) {
        let Subject { name, text, .. } = &subject;
        let before = (tally.divergences, tally.not_run, tally.failed);
        match search(coax, &subject, place.path(), &options.time) {
            Ok(report) => tally.add(name, &report),
            Err(error) => {
                tally.failed += 1;
                println!("| {name} | | | | | FAILED |");
                eprintln!("{name}: {error:#}");
            }
        }
        if before != (tally.divergences, tally.not_run, tally.failed) {
            println!("DIFFERENCE {}", kept(name, text.as_deref())?.display());
        }
    }
    let Tally { runs, paths, divergences, not_run, failed, bounds } = tally;
    println!(
        "\n{}",
        json!({"campaign": "divergences", "seed": options.seed, "programs": options.runs, "random": options.runs - there,
               "runs": runs, "paths": paths, "bounds": bounds, "failed": failed, "not_run": not_run, "divergences": divergences})
    );
    Ok(divergences + not_run + failed == 0)
}

impl Tally {
    fn add(&mut self, name: &str, report: &Value) {
        let number = |key: &str| report[key].as_u64().unwrap_or(0);
        let [runs, paths, divergences] = ["runs", "paths", "divergences"].map(number);
        let not_run = report["not_run"].as_array().map_or(0, |them| them.len() as u64);
        let mut met = Vec::new();
        for bound in report["bounds"].as_array().into_iter().flatten() {
            let (kind, hits) = (bound["bound"].as_str().unwrap_or("?"), bound["hits"].as_u64().unwrap_or(0));
            *self.bounds.entry(kind.to_owned()).or_default() += hits;
            met.push(format!("{kind} {hits}"));
        }
        println!("| {name} | {runs} | {paths} | {divergences} | {not_run} | {} |", met.join(", "));
        self.runs += runs;
        self.paths += paths;
        self.divergences += divergences;
        self.not_run += not_run;
    }
}

/// The programs that are here already.
fn others(harnesses: &Harnesses, repository: &Path) -> Result<Vec<Subject>> {
    let mut subjects = Vec::new();
    let is_wanted = |name: &&str| STYLES.contains(&harnesses.style(name)) && harnesses.is_there(name);
    for name in harnesses.names(&[])?.into_iter().filter(is_wanted) {
        // Cargo takes longer than the search.
        if harnesses.style(name) == "libfuzzer" && harnesses.fuzz_target(name)?.is_cargo() {
            continue;
        }
        let told = harnesses.told(name)?;
        subjects.push(Subject {
            name: name.to_owned(),
            arguments: told.options,
            args: told.args,
            text: None,
        });
    }
    for (name, arguments) in examples::searches(repository)? {
        let arguments = arguments.into_iter().map(Into::into).collect();
        subjects.push(Subject { name, arguments, args: Vec::new(), text: None });
    }
    Ok(subjects)
}

fn of_task(seed: u64) -> Subject {
    let Task { name, text } = task(seed);
    Subject { name, arguments: Vec::new(), args: Vec::new(), text: Some(text) }
}

/// What `coax cover` reports of a program.
fn search(coax: &Path, subject: &Subject, place: &Path, time: &str) -> Result<Value> {
    let (file, out) = (place.join("task.c"), place.join("out"));
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let mut command = Command::new(coax);
    command.arg("cover");
    if let Some(text) = &subject.text {
        std::fs::write(&file, text)?;
        command.arg(&file);
    }
    command.args(&subject.arguments).args(["--time", time]).arg("--out").arg(&out);
    command.arg("--").args(&subject.args);
    let said = place.join("said");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(std::fs::File::create(&said)?);
    let status = end(command.spawn().context("coax cannot be started")?)?;
    let said = std::fs::read_to_string(&said)?;
    // A failure of the program's is no failure of coax's.
    ensure!(matches!(status.code(), Some(0 | 1)), "coax ended with {status}: {said}");
    Ok(serde_json::from_slice(&std::fs::read(out.join("report.json"))?)?)
}

/// Waits for the end of a search, which need not come.
#[expect(clippy::disallowed_methods, reason = "a campaign looks at the clock")]
fn end(mut search: Child) -> Result<ExitStatus> {
    let begin = Instant::now();
    loop {
        if let Some(status) = search.try_wait()? {
            return Ok(status);
        }
        if begin.elapsed() > LATEST_END {
            search.kill()?;
            search.wait()?;
            bail!("it had not ended after {} s", LATEST_END.as_secs());
        }
        std::thread::sleep(EVERY);
    }
}

/// Where a program can be found that went wrong.
fn kept(name: &str, text: Option<&str>) -> Result<PathBuf> {
    let Some(text) = text else { return Ok(name.into()) };
    let file = std::env::temp_dir().join(format!("coax-judge-{name}.c"));
    std::fs::write(&file, text)?;
    Ok(file)
}
