//! `bench prepare`: what it takes to prepare a module that is large in one way, stage by stage, in time and memory.
//!
//! Each module has a process of its own, which is ended when it takes too long. The last column is what users see: `coax cover` that may run
//! one input.

use super::clock::time_of;
use super::memory::{forget_peak, peak_bytes, peak_of};
use anyhow::{Context, Result, anyhow, ensure};
use coax_execute::{
    Coverage, Entry, Input, Limits, MemoryChecks, PlainModule, SymbolicEngine, Symbols, Variant, instrument,
    joinable,
};
use coax_judge::large::{ENTRY, LARGE, Large};
use coax_program::addresses::Addresses;
use coax_program::calls::CallGraph;
use coax_program::cfg::{Cfg, Dominators, Loops};
use coax_program::hash::Hasher;
use coax_program::{Program, verify};
use coax_search::Approach;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How long a process may take.
const LATEST: Duration = Duration::from_secs(300);
/// How often it is looked at.
const EVERY: Duration = Duration::from_millis(10);

/// What is to be measured.
pub struct Options {
    /// The kinds; all if there are none.
    pub kinds: Vec<String>,
    /// The size, instead of the usual one.
    pub number: Option<u32>,
    /// Only `coax cover`, without the stages.
    pub only_cover: bool,
    /// Where modules are only written to.
    pub save: Option<PathBuf>,
}

/// Measures each kind in a process of its own.
pub fn run(options: &Options, coax: &Path) -> Result<()> {
    if let Some(place) = &options.save {
        return save(options, place);
    }
    let place = tempfile::tempdir()?;
    println!(
        "| module | stages: time, s (peak, MiB) | all stages, s | peak, MiB | `coax cover`, one run, s | peak, MiB | ended |"
    );
    println!("|-|-|-:|-:|-:|-:|-|");
    let mut rows = Map::new();
    for large in selected(&options.kinds)? {
        let number = options.number.unwrap_or(large.usual);
        let file = write(&large, number, place.path())?;
        let stages = match options.only_cover {
            true => Value::Null,
            false => {
                let mut command = Command::new(std::env::current_exe()?);
                command.args(["bench", "prepare", "--stages-of"]).arg(&file);
                said_by(&Process::run(command)?)
            }
        };
        let mut command = Command::new(coax);
        command.arg("cover").arg(&file).args(["--entry", ENTRY, "--max-runs", "1", "--no-cache", "--out"]);
        command.arg(place.path().join("out"));
        let searched = Process::run(command)?;
        println!("{}", row(&format!("{} {number}", large.name), &stages, &searched));
        let seconds = searched.time.as_secs_f64();
        rows.insert(
            large.name.to_owned(),
            json!({ "number": number, "stages": stages, "cover_s": seconds, "cover_peak": searched.peak }),
        );
    }
    println!("\n{}", json!({ "bench": "prepare", "modules": rows }));
    Ok(())
}

/// Only writes the modules.
fn save(options: &Options, place: &Path) -> Result<()> {
    std::fs::create_dir_all(place)?;
    for large in selected(&options.kinds)? {
        println!("{}", write(&large, options.number.unwrap_or(large.usual), place)?.display());
    }
    Ok(())
}

fn write(large: &Large, number: u32, place: &Path) -> Result<PathBuf> {
    let source = large.source(number);
    let file = place.join(large.name).with_extension(source.extension());
    std::fs::write(&file, source.text()).with_context(|| file.display().to_string())?;
    Ok(file)
}

fn selected(kinds: &[String]) -> Result<Vec<Large>> {
    if kinds.is_empty() {
        return Ok(LARGE.to_vec());
    }
    let find = |name: &String| {
        let names = LARGE.map(|large| large.name).join(", ");
        Large::named(name).with_context(|| format!("there is no kind `{name}`; there are {names}"))
    };
    kinds.iter().map(find).collect()
}

fn row(name: &str, stages: &Value, searched: &Process) -> String {
    let mebibytes = |bytes: u64| bytes >> 20;
    let each = |stage: &Value| {
        let (time, peak) =
            (stage["s"].as_f64().unwrap_or_default(), stage["peak"].as_u64().unwrap_or_default());
        let is_said = time >= 0.05 || peak >= 100 << 20 || stage["error"].is_string();
        let error = stage["error"].as_str().map(|error| format!(": {error}")).unwrap_or_default();
        is_said.then(|| {
            format!("{} {time:.2} ({}){error}", stage["stage"].as_str().unwrap_or_default(), mebibytes(peak))
        })
    };
    let all = stages.as_array().map_or(&[][..], |all| all);
    let said: Vec<String> = all.iter().filter_map(each).collect();
    let time: f64 = all.iter().filter_map(|stage| stage["s"].as_f64()).sum();
    let peak = all.iter().filter_map(|stage| stage["peak"].as_u64()).max().unwrap_or_default();
    format!(
        "| {name} | {} | {time:.2} | {} | {:.2} | {} | {} |",
        said.join(", "),
        mebibytes(peak),
        searched.time.as_secs_f64(),
        mebibytes(searched.peak),
        searched.end.replace('|', "/")
    )
}

/// The stages that a process has told of, each in a line of its own.
fn said_by(process: &Process) -> Value {
    let mut stages: Vec<Value> =
        process.output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if process.end != "0" {
        let rest = process.time.as_secs_f64() - stages.iter().filter_map(|it| it["s"].as_f64()).sum::<f64>();
        stages.push(json!({ "stage": "then", "s": rest, "peak": process.peak, "error": process.end }));
    }
    stages.into()
}

/// A process that is over.
struct Process {
    time: Duration,
    peak: u64,
    /// Its exit code, or what became of it.
    end: String,
    output: String,
}

impl Process {
    fn run(mut command: Command) -> Result<Process> {
        let output = tempfile::NamedTempFile::new()?;
        command.stdin(Stdio::null()).stdout(output.reopen()?).stderr(Stdio::piped());
        let mut child: Child = command.spawn().context("a process cannot be started")?;
        let mut peak = 0;
        let (time, code) = time_of(|| -> Result<Option<String>> {
            let mut waited = Duration::ZERO;
            while waited < LATEST {
                if let Some(status) = child.try_wait()? {
                    return Ok(Some(
                        status.code().map_or_else(|| status.to_string(), |code| code.to_string()),
                    ));
                }
                peak = peak_of(child.id()).unwrap_or(peak).max(peak);
                std::thread::sleep(EVERY);
                waited += EVERY;
            }
            child.kill()?;
            Ok(None)
        });
        let said = child.wait_with_output().context("a process is lost")?.stderr;
        let said = String::from_utf8_lossy(&said);
        let error = said.lines().find(|line| line.starts_with("error")).unwrap_or_default();
        let end = code?.unwrap_or_else(|| "too late".into());
        let end = if matches!(end.as_str(), "0" | "1") { end } else { format!("{end} {error}") };
        Ok(Process { time, peak, end, output: std::fs::read_to_string(output.path())? })
    }
}

/// Does one stage and tells of it.
fn stage<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    forget_peak();
    let (time, result) = time_of(work);
    let error = result.as_ref().err().map(|error| format!("{error:#}"));
    println!("{}", json!({ "stage": name, "s": time.as_secs_f64(), "peak": peak_bytes()?, "error": error }));
    result
}

/// Goes through all stages of a file, in the order in which a search does.
pub fn stages_of(file: &Path) -> Result<()> {
    let wasm = stage("load", || load(file))?;
    let program = stage("parse, lift", || Ok(Program::parse(wasm)?))?;
    stage("verify", || verify::verify(&program).map_err(|error| anyhow!("{error}")))?;
    let calls = stage("calls", || Ok(CallGraph::of(&program)))?;
    stage("cfg, loops", || {
        for body in program.functions.values().filter_map(|function| function.defined()).map(|it| &it.body) {
            let cfg = Cfg::of(body);
            drop(Loops::of(&cfg, &Dominators::of(&cfg)));
        }
        Ok(())
    })?;
    stage("addresses", || Ok(Addresses::read(&program)))?;
    stage("hash", || {
        let hasher = Hasher::new(&program);
        let hashed = program.functions.ids().filter(|&func| hasher.hash(func).is_some());
        ensure!(hashed.count() > 0, "no function has a hash");
        Ok(())
    })?;
    let entry = Entry::find(&program, Some(ENTRY))?;
    stage("reachable", || {
        ensure!(calls.reachable(entry.roots(&program)).contains(&entry.func), "the entry is not reachable");
        Ok(())
    })?;
    let limits = Limits { is_tight: false, ..Limits::default() };
    stage("instrument", || Ok(instrument(&program, Variant::Light)?))?;
    let plain = stage("plain compile", || Ok(PlainModule::new(&program, &limits)?))?;
    let parameter = coax_execute::Value::I32(77);
    let input = Input { entry: Some(ENTRY.into()), params: vec![parameter.into()], ..Input::default() };
    stage("plain run", || Ok(plain.run(&input, &limits)?))?;
    stage("counting compile, run", || Ok(plain.run_with_coverage(&input, &limits)?))?;
    let checked = plain.with_checks(MemoryChecks::default());
    stage("checking compile, run", || Ok(checked.run(&input, &limits)?))?;
    let joined = stage("joinable", || Ok(joinable(&program, |_| true)))?;
    stage("joinable of libraries", || Ok(joinable(&program, |_| false)))?;
    let engine = stage("symbolic engine", || Ok(SymbolicEngine::new(&limits)?))?;
    let approach =
        stage("symbolic compile", || Ok(Approach::new(&program, &engine, &BTreeSet::new(), &joined)?))?;
    let run = || Ok(approach.symbolic().run(&input, Symbols::default(), &limits)?);
    let symbolic = stage("symbolic run", || coax_judge::on_large_stacks(run))?;
    stage("coverage", || Ok(Coverage::new(&program)))?;
    drop(symbolic);
    Ok(())
}

fn load(file: &Path) -> Result<Vec<u8>> {
    let request = coax_load::Request {
        inputs: vec![file.to_path_buf()],
        entry: Some(ENTRY.into()),
        ..coax_load::Request::default()
    };
    Ok(coax_load::load(&request).map_err(|error| anyhow!("{error}\n{}", error.messages()))?.wasm)
}
