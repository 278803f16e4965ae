//! Programs nobody here wrote: `scripts/thirdparty.toml` says where they come from, what they must print and
//! how they must end, `scripts/thirdparty` fetches them.

use crate::engines::Engines;
use crate::hooks::{self, Hooks};
use crate::lower;
use crate::prediction::{self, Predictions, SYMBOLIC_BYTES};
use crate::questions;
use crate::random::Random;
use anyhow::{Context, Error, Result, bail, ensure};
use coax_execute::{Data, Input, Limits, MemoryChecks, Outcome, PlainModule, Run, SymbolicEngine, Symbols};
use coax_load::{Loaded, Request};
use coax_program::Program;
use coax_program::hash::{FuncHash, Hasher};
use coax_solve::Layer;
use coax_solve::questions::Questions;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One program of the table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    fetch: String,
    #[serde(default, rename = "sha256")]
    _sha256: String,
    program: String,
    #[serde(default)]
    flags: String,
    #[serde(default)]
    args: String,
    stdin: PathBuf,
    stdout: PathBuf,
    /// The exit code of a native build, in digits: a shell script reads the table too.
    exit: Option<String>,
    /// How many bytes of standard input are symbols, in digits.
    symbols: Option<String>,
    /// The previous version of the same program.
    pub before: Option<String>,
}

/// The table, and where the sources are.
pub struct Table {
    repository: PathBuf,
    store: PathBuf,
    /// The programs by name.
    pub entries: BTreeMap<String, Entry>,
}

impl Table {
    /// Reads the table of a repository whose third-party sources are in `store`.
    pub fn read(repository: &Path, store: &Path) -> Result<Table> {
        let file = repository.join("scripts/thirdparty.toml");
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let entries = toml::from_str(&text).with_context(|| file.display().to_string())?;
        Ok(Table { repository: repository.into(), store: store.into(), entries })
    }

    /// The repository that the table is of.
    pub fn repository(&self) -> &Path {
        &self.repository
    }

    /// Keeps only the programs of these names.
    pub fn select(&mut self, names: &[String]) -> Result<()> {
        if let Some(name) = names.iter().find(|name| !self.entries.contains_key(*name)) {
            bail!("there is no `{name}` in scripts/thirdparty.toml; name one of its programs");
        }
        self.entries.retain(|name, _| names.contains(name));
        Ok(())
    }

    /// Whether the source was fetched.
    pub fn is_there(&self, name: &str) -> bool {
        self.entries[name].fetch == "locked" || self.store.join(name).is_dir()
    }

    /// The sources of a program, and what its compiler is told.
    pub fn sources(&self, name: &str) -> Result<(Vec<PathBuf>, Vec<String>)> {
        let entry = &self.entries[name];
        let directory = self.store.join(name);
        let expand = |text: &str| text.replace("{dir}", &directory.to_string_lossy());
        let mut sources = Vec::new();
        for pattern in expand(&entry.program).split_whitespace() {
            sources.extend(files(&self.repository.join(pattern))?);
        }
        let flag = |flag: &str| match flag.strip_prefix("-I") {
            Some(path) => format!("-I{}", self.repository.join(path).display()),
            None => flag.to_string(),
        };
        Ok((sources, expand(&entry.flags).split_whitespace().map(flag).collect()))
    }

    /// Compiles a program.
    pub fn load(&self, name: &str, cache: Option<PathBuf>) -> Result<Loaded> {
        let (inputs, cflags) = self.sources(name)?;
        let request = Request { inputs, cflags, cache, ..Request::default() };
        coax_load::load(&request).map_err(|error| anyhow::anyhow!("{error}\n{}", error.messages()))
    }

    /// Runs a program; it must print what a native build prints, and end like it.
    pub fn run(&self, name: &str, program: &Program) -> Result<Run> {
        let entry = &self.entries[name];
        let limits = Limits::default();
        let module = PlainModule::new(program, &limits)?.with_checks(MemoryChecks::default());
        let run = module.run_with_coverage(&self.input(entry)?, &limits)?;
        let expected = std::fs::read(self.repository.join(&entry.stdout))?;
        ensure!(run.stdout == expected, "it printed something else than a native build; {}", describe(&run));
        let code = entry.exit.as_deref().map_or(Ok(0), str::parse).context("`exit` is no number")?;
        ensure!(
            exit_code(&run.outcome) == Some(code),
            "a native build exits with {code}; {}",
            describe(&run)
        );
        Ok(run)
    }

    /// Runs a program that went through SSA and back; it must do what the plain one did.
    pub fn run_lowered(&self, name: &str, program: &Program, plain: &Run) -> Result<()> {
        let lowered = Program::parse(lower::lower(program)?)?;
        let Limits { fuel, stack_bytes, .. } = Limits::default();
        let limits = Limits {
            fuel: fuel * lower::STEPS_FACTOR,
            stack_bytes: stack_bytes * LOWERED_STACK_FACTOR,
            ..Limits::default()
        };
        let run = PlainModule::new(&lowered, &limits)?.run(&self.input(&self.entries[name])?, &limits)?;
        let same = run.stdout == plain.stdout && run.stderr == plain.stderr;
        let same = same && run.outcome.verdict() == plain.outcome.verdict();
        ensure!(same, "its SSA does something else than the plain program; {}", describe(&run));
        Ok(())
    }

    /// What the path of a program with symbolic standard input says of mutated inputs.
    pub fn predict(&self, name: &str, program: &Program, mutants: usize) -> Result<Predictions> {
        let entry = &self.entries[name];
        prediction::judge(program, &self.input(entry)?, entry.symbols()?, mutants)
    }

    /// The questions that a search through a program with symbolic standard input asks.
    pub fn questions(&self, name: &str, questions: usize, layer: &mut dyn Layer) -> Result<Questions> {
        let entry = &self.entries[name];
        let program = Program::parse(self.load(name, None)?.wasm)?;
        questions::record(&program, &self.input(entry)?, entry.symbols()?, questions, layer)
    }

    /// What directors can do to the calls of a program with symbolic standard input.
    pub fn direct(&self, name: &str, seed: u64) -> Result<Hooks> {
        let entry = &self.entries[name];
        let program = Program::parse(self.load(name, None)?.wasm)?;
        let limits = Limits::default();
        let judge = hooks::Judge::new(&SymbolicEngine::new(&limits)?, &program, limits)?;
        // Fewer than for predictions: each of a dozen runs is watched call by call.
        let symbols = Symbols { stdin: entry.symbols()?.min(4), ..Symbols::NONE };
        let (input, mut tally) = (self.input(entry)?, Hooks::default());
        let within =
            crate::on_large_stacks(|| judge.run(&input, symbols, &mut Random::new(seed), &mut tally));
        ensure!(within.map_err(Error::msg)?, "it does not end within the limits");
        Ok(tally)
    }

    /// Runs a program with its standard input as symbols, instrumented and by the reference interpreter; both must record
    /// the same path, as far as they come within the steps they may do. Returns its length.
    pub fn compare_paths(&self, name: &str, program: &Arc<Program>) -> Result<usize> {
        let input = self.input(&self.entries[name])?;
        crate::on_large_stacks(|| Engines::new(program, SYMBOLIC_STEPS)?.compare(&input))
    }

    fn input(&self, entry: &Entry) -> Result<Input> {
        Ok(Input {
            args: entry.args.split_whitespace().map(Data::from).collect(),
            stdin: Data(std::fs::read(self.repository.join(&entry.stdin))?),
            ..Input::default()
        })
    }
}

impl Entry {
    /// How many bytes of standard input are symbols.
    fn symbols(&self) -> Result<u64> {
        let symbols = self.symbols.as_deref().map_or(Ok(SYMBOLIC_BYTES), str::parse);
        symbols.context("`symbols` is no number")
    }
}

/// Steps that a run in both engines may take.
const SYMBOLIC_STEPS: u64 = 200_000;

/// Frames of lowered functions hold every SSA value.
const LOWERED_STACK_FACTOR: usize = 8;

/// The exit code of a program that came to its own end.
fn exit_code(outcome: &Outcome) -> Option<u32> {
    match outcome {
        Outcome::Returned(_) => Some(0),
        Outcome::Exited(code) => Some(*code),
        _ => None,
    }
}

fn describe(run: &Run) -> String {
    let [printed, said] = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("it {}\n{printed}\n{said}", run.outcome.verdict())
}

/// The file of this name, or all that match if the last part is `*.extension`.
pub(crate) fn files(pattern: &Path) -> Result<Vec<PathBuf>> {
    let name = pattern.file_name().unwrap_or_default().to_string_lossy();
    let Some(extension) = name.strip_prefix("*.") else { return Ok(vec![pattern.into()]) };
    let directory = pattern.parent().unwrap_or(Path::new("."));
    let mut files = Vec::new();
    for file in std::fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let file = file?.path();
        if file.extension().is_some_and(|it| it == extension) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// How the functions of two versions compare.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// In both versions with the same hash.
    pub same: usize,
    /// In both versions with another hash, by name.
    pub changed: Vec<String>,
    /// Only in the new version.
    pub added: usize,
    /// Only in the old version.
    pub removed: usize,
}

/// Compares the functions of two versions of a program by their hashes.
pub fn compare(before: &Program, after: &Program) -> Comparison {
    let (before, after) = (hashes(before), hashes(after));
    let mut comparison = Comparison::default();
    for (name, hash) in &after {
        match before.get(name) {
            None => comparison.added += 1,
            Some(old) if old == hash => comparison.same += 1,
            Some(_) => comparison.changed.push(name.clone()),
        }
    }
    comparison.removed = before.keys().filter(|&name| !after.contains_key(name)).count();
    comparison
}

/// The hashes of all functions of a name: `static` functions of several files may share one.
fn hashes(program: &Program) -> BTreeMap<String, Vec<FuncHash>> {
    let hasher = Hasher::new(program);
    let mut hashes: BTreeMap<String, Vec<FuncHash>> = BTreeMap::new();
    for (func, function) in program.functions.iter() {
        if let Some(hash) = hasher.hash(func) {
            hashes.entry(function.name.clone()).or_default().push(hash);
        }
    }
    hashes.values_mut().for_each(|hashes| hashes.sort_unstable());
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_execute::{Trap, TrapKind};

    #[test]
    fn a_crash_has_no_exit_code() {
        let trap = Trap { kind: TrapKind::Unreachable, reason: None, site: None, backtrace: Vec::new() };
        assert_eq!(exit_code(&Outcome::Trapped(trap)), None);
        assert_eq!(exit_code(&Outcome::OutOfFuel(Vec::new())), None);
        assert_eq!(exit_code(&Outcome::Returned(Vec::new())), Some(0));
        assert_eq!(exit_code(&Outcome::Exited(3)), Some(3));
    }
}
