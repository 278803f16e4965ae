//! `bench start`: from the start of coax to the first test on disk, with an empty cache and with a full one.
//!
//! What is started on the way is counted: compilers are behind scripts that write down each call. Only the first test is waited for;
//! coax goes on with what it was told to do, and that is not measured.

use anyhow::{Context, Result, ensure};
use coax_judge::thirdparty::Table;
use coax_load::Tools;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::clock::time_of;

/// How often a warm start is measured, unless it is said.
pub const REPETITIONS: usize = 15;

/// How often the folder of tests is looked at.
const EVERY: Duration = Duration::from_micros(200);

/// What a search may take; one that has no test by then has none.
const SECONDS: &str = "60s";

/// Third-party programs, with flags beside those of the table.
const LARGE: [&str; 2] = ["lua", "sqlite"];

const SMALL_C: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char word[8] = {0};
    fread(word, 1, sizeof word - 1, stdin);
    if (strcmp(word, \"secret\") == 0) abort();
    return puts(argc > 1 ? argv[1] : word) < 0;
}
";

const SMALL_RUST: &str = "use std::io::Read;
fn main() {
    let mut word = String::new();
    let _ = std::io::stdin().read_to_string(&mut word);
    if word.trim() == \"secret\" { panic!(\"found\") }
}
";

const SMALL_WAT: &str = "(module (func (export \"f\") (param i32) (result i32)
    (if (i32.eq (local.get 0) (i32.const 7)) (then unreachable)) (local.get 0)))";

/// A program, and what coax is told of it.
struct Subject {
    name: String,
    arguments: Vec<OsString>,
}

/// Where a program is started, and by whom.
struct Place {
    directory: tempfile::TempDir,
    coax: PathBuf,
    path: OsString,
}

/// One start.
struct Start {
    milliseconds: f64,
    /// Calls of compilers and other tools, by name.
    started: Vec<String>,
}

/// Prints the table.
pub fn run(table: &Table, coax: &Path, repetitions: usize) -> Result<()> {
    let place = Place::new(coax)?;
    println!(
        "| program | cold, ms | started | warm, ms: least | median | most | started |\n|-|-:|-:|-:|-:|-:|-:|"
    );
    let mut rows = serde_json::Map::new();
    for subject in subjects(table, place.directory.path())? {
        let row = measure(&place, &subject, repetitions).with_context(|| subject.name.clone())?;
        let number = |key: &str| row[key].as_f64().unwrap_or_default();
        println!(
            "| {} | {:.0} | {} | {:.1} | {:.1} | {:.1} | {} |",
            subject.name,
            number("cold_ms"),
            row["cold_started"],
            number("warm_ms"),
            number("median_ms"),
            number("most_ms"),
            row["warm_started"]
        );
        rows.insert(subject.name, row);
    }
    println!("\n{}", json!({ "bench": "start", "repetitions": repetitions, "programs": rows }));
    Ok(())
}

/// One cold start, and many warm ones.
fn measure(place: &Place, subject: &Subject, repetitions: usize) -> Result<Value> {
    let cache = place.directory.path().join(format!("cache-{}", subject.name));
    let cold = place.start(subject, &cache)?;
    // What was written in the very moment in which it was read is not remembered yet.
    place.start(subject, &cache)?;
    let warm = (0..repetitions).map(|_| place.start(subject, &cache)).collect::<Result<Vec<_>>>()?;
    let mut times: Vec<f64> = warm.iter().map(|start| start.milliseconds).collect();
    times.sort_by(f64::total_cmp);
    let started: Vec<&String> = warm.iter().flat_map(|start| &start.started).collect();
    if !started.is_empty() {
        eprintln!("{}: a warm start started {started:?}", subject.name);
    }
    let z3 = |starts: &[Start]| starts.iter().flat_map(|it| &it.started).filter(|name| *name == "z3").count();
    let (first, middle, last) = (times.first(), times.get(times.len() / 2), times.last());
    Ok(json!({
        "cold_ms": cold.milliseconds, "cold_started": cold.started.len(),
        "warm_ms": first, "median_ms": middle, "most_ms": last, "warm_started": started.len(),
        "z3": z3(&[cold]) + z3(&warm),
    }))
}

impl Place {
    /// With a script for each compiler.
    fn new(coax: &Path) -> Result<Place> {
        let directory = tempfile::tempdir()?;
        let scripts = directory.path().join("bin");
        fs::create_dir(&scripts)?;
        let tools = Tools::default();
        let versioned = ["clang", "wasm-ld", "opt"].into_iter().flat_map(|name| {
            (14..=22).map(move |version| format!("{name}-{version}")).chain([name.to_owned()])
        });
        for name in versioned.chain(["rustc", "cargo", "z3"].map(str::to_owned)) {
            let Some(program) = tools.find(&name) else { continue };
            let log = directory.path().join("log");
            let text = format!(
                "#!/bin/sh\necho {name} >> '{}'\nexec '{}' \"$@\"\n",
                log.display(),
                program.display()
            );
            let script = scripts.join(&name);
            fs::write(&script, text)?;
            fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        }
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([scripts].into_iter().chain(std::env::split_paths(&others)))?;
        Ok(Place { directory, coax: coax.to_owned(), path })
    }

    /// Starts coax, and ends it when its first test is there.
    fn start(&self, subject: &Subject, cache: &Path) -> Result<Start> {
        let (out, log) = (self.directory.path().join("out"), self.directory.path().join("log"));
        if out.exists() {
            fs::remove_dir_all(&out)?;
        }
        let _ = fs::remove_file(&log);
        let mut command = Command::new(&self.coax);
        command.arg("cover").args(&subject.arguments).args(["--workers", "1", "--time", SECONDS, "--out"]);
        command.arg(&out).env("PATH", &self.path).env("COAX_CACHE", cache);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let tests = out.join("tests");
        let (time, child) = time_of(|| -> Result<_> {
            let mut child = command.spawn().context("coax cannot be started")?;
            while !has_test(&tests) && child.try_wait()?.is_none() {
                thread::sleep(EVERY);
            }
            Ok(child)
        });
        let mut child = child?;
        // It may have ended by itself.
        let _ = child.kill();
        let said = child.wait_with_output()?.stderr;
        ensure!(has_test(&tests), "coax wrote no test: {}", String::from_utf8_lossy(&said));
        let started = fs::read_to_string(&log).unwrap_or_default();
        let started = started.lines().map(str::to_owned).collect();
        Ok(Start { milliseconds: time.as_secs_f64() * 1e3, started })
    }
}

/// Whether there is a test in a folder; one appears at once and whole.
fn has_test(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| entry.path().extension().is_some_and(|extension| extension == "json"))
}

fn subjects(table: &Table, place: &Path) -> Result<Vec<Subject>> {
    let mut subjects = Vec::new();
    let small = [
        ("small-c", "small.c", SMALL_C, "--sym-stdin=7"),
        ("small-rust", "small.rs", SMALL_RUST, "--sym-stdin=7"),
        ("small-wat", "small.wat", SMALL_WAT, "--entry=f"),
    ];
    for (name, file, text, option) in small {
        let file = place.join(file);
        fs::write(&file, text)?;
        subjects.push(Subject { name: name.to_owned(), arguments: vec![file.into(), option.into()] });
    }
    for name in LARGE {
        if !table.is_there(name) {
            eprintln!("{name} is not there; run ./scripts/thirdparty {name}");
            continue;
        }
        let (sources, flags) = table.sources(name)?;
        let mut arguments: Vec<OsString> = sources.into_iter().map(OsString::from).collect();
        arguments.extend([format!("--cflags={}", flags.join(" ")).into(), "--sym-stdin=8".into()]);
        subjects.push(Subject { name: name.to_owned(), arguments });
    }
    Ok(subjects)
}
