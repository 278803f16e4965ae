//! Programs with harnesses in the styles of many tools, none of them adapted: `scripts/harnesses.toml` says what they are
//! given and which inputs must be found.
//!
//! Each runs with all of its input as symbols, on many inputs (`search.rs`). The inputs must have the names that the program
//! gives them, each path must hold on its own input and say where other inputs go, the reference interpreter must record
//! the same one, and a stored test of what was asked for must do the same on the plain module.

mod search;

use crate::engines::Engines;
use crate::thirdparty::files;
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use coax_execute::{Data, Input, Limits, PlainModule, SymbolicModule, Test, Variant, Verdict};
use coax_load::Request;
use coax_program::Program;
use search::Search;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many names of inputs a message has.
const SHOWN_NAMES: usize = 20;

/// A table of `scripts/harnesses.toml`: a source, or a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default, rename = "fetch")]
    _fetch: String,
    #[serde(default, rename = "sha256")]
    _sha256: String,
    #[serde(default, rename = "keep")]
    _keep: String,
    from: Option<String>,
    #[serde(default)]
    style: String,
    program: Option<String>,
    #[serde(default)]
    flags: String,
    #[serde(default)]
    native: String,
    scope: Option<String>,
    entry: Option<String>,
    #[serde(default)]
    params: String,
    #[serde(default)]
    args: String,
    stdin: Option<PathBuf>,
    file: Option<String>,
    data: Option<PathBuf>,
    #[serde(default)]
    stubs: String,
    #[serde(default)]
    inputs: String,
    #[serde(default)]
    unseen: String,
    #[serde(default)]
    counts: String,
    #[serde(default)]
    checksums: String,
}

/// The programs, and where the sources are.
pub struct Harnesses {
    repository: PathBuf,
    store: PathBuf,
    tables: BTreeMap<String, Table>,
}

/// A harness of libFuzzer's, as others build it.
pub struct FuzzTarget {
    /// Where coax's own files are.
    pub repository: PathBuf,
    /// Its sources.
    pub sources: Vec<PathBuf>,
    /// What its compiler is told.
    pub flags: Vec<String>,
    /// What a native compiler and its linker are told besides.
    pub native: Vec<String>,
    /// Which files count, if not all that were given.
    pub scope: Option<String>,
}

impl FuzzTarget {
    /// Whether it is a target of `cargo fuzz`.
    pub fn is_cargo(&self) -> bool {
        self.sources.iter().any(|source| source.join("Cargo.toml").is_file())
    }

    /// What `coax cover` is told about it.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = self.sources.iter().map(Into::into).collect();
        arguments.push(format!("--cflags={}", self.flags.join(" ")).into());
        arguments.extend(self.scope.iter().map(|scope| format!("--scope={scope}").into()));
        if !self.is_cargo() {
            arguments.push("--entry=LLVMFuzzerTestOneInput".into());
        }
        arguments
    }

    /// Whether the code of this file counts.
    pub fn counts(&self, file: &str) -> bool {
        let Some(scope) = &self.scope else { return true };
        scope.trim_matches('*').split('*').all(|part| file.contains(part))
    }
}

/// What coax is told about a program.
pub struct Told {
    /// The program, and coax's options.
    pub options: Vec<OsString>,
    /// What comes after `--`.
    pub args: Vec<String>,
}

/// What came of one program.
pub struct Harnessed {
    /// The names of the inputs that were found; bytes of one object are one input.
    pub inputs: BTreeSet<String>,
    /// How many inputs were tried.
    pub runs: usize,
    /// The length of the path that was stored as a test.
    pub events: usize,
    /// How many of them the reference interpreter recorded too, within the steps that it may do.
    pub compared: usize,
    /// How the program ended.
    pub outcome: Verdict,
}

/// What stands for an argument of which only this is known: it begins so, with room for as much again.
const SYMBOLIC_ARGUMENT: (&str, &str) = ("symbolic", "-v\0\0");

/// Steps that a run may take; programs that never end are cut there.
const STEPS: u64 = 2_000_000;

/// Steps that a run by both engines may take.
const STEPS_IN_BOTH: u64 = 200_000;

/// What calls may take of the stack: a part of what a thread has, for instrumented code takes more.
const STACK_BYTES: usize = 2 << 20;

/// How much of a file is given to a harness or tool: terms grow with it.
const MOST_BYTES: usize = 64;

impl Harnesses {
    /// Reads the table of a repository whose third-party sources are in `store`.
    pub fn read(repository: &Path, store: &Path) -> Result<Harnesses> {
        let file = repository.join("scripts/harnesses.toml");
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let tables = toml::from_str(&text).with_context(|| file.display().to_string())?;
        Ok(Harnesses { repository: repository.into(), store: store.into(), tables })
    }

    /// The names of the programs; those only that are asked for, if any are.
    pub fn names(&self, wanted: &[String]) -> Result<Vec<&str>> {
        let is_program = |name: &&String| self.tables[*name].program.is_some();
        let all: Vec<&str> = self.tables.keys().filter(is_program).map(String::as_str).collect();
        if let Some(name) = wanted.iter().find(|name| !all.contains(&name.as_str())) {
            bail!("there is no program `{name}` in scripts/harnesses.toml; name one of it");
        }
        Ok(all.into_iter().filter(|name| wanted.is_empty() || wanted.iter().any(|it| it == name)).collect())
    }

    /// Whether its source was fetched.
    pub fn is_there(&self, name: &str) -> bool {
        self.tables[name].from.as_ref().is_none_or(|source| self.store.join(source).is_dir())
    }

    /// Whether all of it is in this repository, and no compiler but clang is needed.
    pub fn is_ours(&self, name: &str) -> bool {
        let Table { from, program, .. } = &self.tables[name];
        let is_clangs = |program: &str| [".c", ".i", ".wat"].iter().any(|end| program.ends_with(end));
        from.is_none() && program.as_deref().is_some_and(is_clangs)
    }

    /// Whether it is about code that nobody here wrote.
    pub fn is_foreign(&self, name: &str) -> bool {
        self.tables[name].from.is_some() || self.tables[name].scope.is_some()
    }

    /// The source that it is part of, if it was fetched.
    pub fn source(&self, name: &str) -> Option<&str> {
        self.tables[name].from.as_deref()
    }

    /// The files that it is compiled from.
    pub fn files(&self, name: &str) -> Result<Vec<PathBuf>> {
        Ok(self.sources(&self.tables[name])?.0)
    }

    /// Its sources, and what their compiler is told.
    pub fn compiled_from(&self, name: &str) -> Result<(Vec<PathBuf>, Vec<String>)> {
        self.sources(&self.tables[name])
    }

    /// Whether it is C or C++ that a native compiler takes as it is: nothing that it calls is made up.
    pub fn is_native(&self, name: &str) -> bool {
        let Table { program, stubs, .. } = &self.tables[name];
        let is_c = |path: &str| [".c", ".cc", ".cpp"].iter().any(|end| path.ends_with(end));
        stubs.is_empty() && program.as_deref().is_some_and(|program| program.split_whitespace().all(is_c))
    }

    /// Whose harness it is.
    pub fn style(&self, name: &str) -> &str {
        &self.tables[name].style
    }

    /// Whether coax was finished before it was tried on this one.
    pub fn is_unseen(&self, name: &str) -> bool {
        self.tables[name].unseen == "yes"
    }

    /// Whether its code is behind checksums.
    pub fn has_checksums(&self, name: &str) -> bool {
        self.tables[name].checksums == "yes"
    }

    /// A harness of libFuzzer's.
    pub fn fuzz_target(&self, name: &str) -> Result<FuzzTarget> {
        let table = &self.tables[name];
        ensure!(table.style == "libfuzzer", "`{name}` is not a harness of libFuzzer's");
        let (sources, flags) = self.sources(table)?;
        let native = table.native.split_whitespace().map(str::to_owned).collect();
        let scope = table.scope.clone();
        Ok(FuzzTarget { repository: self.repository.clone(), sources, flags, native, scope })
    }

    /// What coax is told about a program: options, and arguments of the program itself.
    pub fn told(&self, name: &str) -> Result<Told> {
        let table = &self.tables[name];
        if table.style == "libfuzzer" {
            return Ok(Told { options: self.fuzz_target(name)?.arguments(), args: Vec::new() });
        }
        let (sources, flags) = self.sources(table)?;
        let mut options: Vec<OsString> = sources.into_iter().map(Into::into).collect();
        let quoted = flags.iter().map(|flag| format!("'{flag}'")).collect::<Vec<_>>();
        options.push(format!("--cflags={}", quoted.join(" ")).into());
        options.extend(table.scope.iter().map(|scope| format!("--scope={scope}").into()));
        options.extend(table.entry.iter().map(|entry| format!("--entry={entry}").into()));
        options.extend(table.stubs.split_whitespace().map(|stub| format!("--stub={stub}").into()));
        let file = table.file.as_deref().and_then(|file| file.split_once(' '));
        options.extend(file.map(|(name, _)| format!("--sym-file={name}:{MOST_BYTES}").into()));
        let (symbolic, given): (Vec<&str>, Vec<&str>) =
            table.args.split_whitespace().partition(|arg| *arg == SYMBOLIC_ARGUMENT.0);
        options.extend(symbolic.iter().map(|_| format!("--sym-arg={}", SYMBOLIC_ARGUMENT.1.len()).into()));
        Ok(Told { options, args: given.into_iter().map(str::to_owned).collect() })
    }

    /// Compiles a program; what its table says that it is given.
    pub fn program(&self, name: &str) -> Result<(Program, Input)> {
        let table = &self.tables[name];
        Ok((Program::parse(self.load(table)?)?, self.input(table)?))
    }

    /// Compiles a program and judges runs of it on so many inputs beside the one in the table.
    pub fn judge(&self, name: &str, mutants: usize) -> Result<Harnessed> {
        let table = &self.tables[name];
        let (program, input) = self.program(name)?;
        let program = Arc::new(program);
        let limits = Limits { fuel: STEPS, stack_bytes: STACK_BYTES, ..Limits::default() };
        crate::on_large_stacks(|| {
            let module = SymbolicModule::new(&program, Variant::Light, &limits)?;
            let mut search = Search::new(&module, &limits, input)?;
            for number in 0..mutants {
                // A program that never ends does so on other inputs too, and takes its time.
                if search.best.bounds.is_empty() {
                    search.step(number as u64)?;
                }
            }
            let Search { best, input, inputs, runs, .. } = search;
            let missing =
                table.inputs.split_whitespace().find(|wanted| !inputs.iter().any(|it| is_called(it, wanted)));
            ensure!(
                missing.is_none(),
                "no input is called `{}`, only: {:?}…",
                missing.unwrap_or_default(),
                inputs.iter().take(SHOWN_NAMES).collect::<Vec<_>>()
            );
            let (events, stdout) = (best.path().events.len(), best.stdout.clone());
            let outcome = module.outcome(best).verdict();
            let counts = outcome != Verdict::Discarded;
            ensure!(
                counts != (table.counts == "no"),
                "of {runs} runs, one counts: {counts}; the table says otherwise"
            );
            replay(&program, &input, &limits, &outcome, &stdout)?;
            let compared = Engines::new(&program, STEPS_IN_BOTH)?.compare(&input)?;
            Ok(Harnessed { inputs, runs, events, compared, outcome })
        })
    }

    /// The sources of a program, and what its compiler is told.
    fn sources(&self, table: &Table) -> Result<(Vec<PathBuf>, Vec<String>)> {
        let mut sources = Vec::new();
        for pattern in self.expand(table, table.program.as_deref().unwrap_or_default()).split_whitespace() {
            sources.extend(files(&self.repository.join(pattern))?);
        }
        let flag = |flag: &str| match flag.strip_prefix("-I") {
            Some(path) => format!("-I{}", self.repository.join(path).display()),
            None => flag.to_owned(),
        };
        Ok((sources, self.expand(table, &table.flags).split_whitespace().map(flag).collect()))
    }

    fn load(&self, table: &Table) -> Result<Vec<u8>> {
        let (inputs, cflags) = self.sources(table)?;
        let cache = self.store.is_dir().then(|| self.store.join(".compiled"));
        let request = Request { inputs, cflags, entry: table.entry.clone(), cache, ..Request::default() };
        let loaded = coax_load::load(&request);
        Ok(loaded.map_err(|error| anyhow!("{error}\n{}", error.messages()))?.wasm)
    }

    /// The text with the place of the source.
    fn expand(&self, table: &Table, text: &str) -> String {
        match &table.from {
            Some(source) => text.replace("{dir}", &self.store.join(source).to_string_lossy()),
            None => text.to_owned(),
        }
    }

    fn input(&self, table: &Table) -> Result<Input> {
        let argument = |text: &str| match text == SYMBOLIC_ARGUMENT.0 {
            true => Data::from(SYMBOLIC_ARGUMENT.1),
            false => Data::from(text),
        };
        let mut files = BTreeMap::new();
        if let Some((name, path)) = table.file.as_deref().and_then(|file| file.split_once(' ')) {
            files.insert(name.to_owned(), self.bytes(Path::new(path))?);
        }
        let stdin = table.stdin.as_deref().map_or(Ok(Data(Vec::new())), |path| self.bytes(path))?;
        let params = match &table.data {
            Some(path) => json!([{ "name": "data", "bytes": self.bytes(path)? }, { "length_of": "data" }]),
            None => params(&table.params)?,
        };
        Ok(Input {
            entry: table.entry.clone(),
            params: serde_json::from_value(params)?,
            args: table.args.split_whitespace().map(argument).collect(),
            stdin,
            files,
            stubs: stubs(&table.stubs)?,
            ..Input::default()
        })
    }

    /// The first bytes of a file of the repository.
    fn bytes(&self, path: &Path) -> Result<Data> {
        let path = self.repository.join(path);
        let mut bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        bytes.truncate(MOST_BYTES);
        Ok(Data(bytes))
    }
}

/// Writes a test of what the program was given, reads it, and runs it on the plain module: it must end and print alike.
fn replay(program: &Program, input: &Input, limits: &Limits, outcome: &Verdict, stdout: &[u8]) -> Result<()> {
    let stored = Test::new(input.clone(), Some(outcome.clone())).to_json();
    let test = Test::from_json("test.json", &stored)?;
    // The instrumented module has more fuel, by as much as it takes more.
    let fuel = if *outcome == Verdict::OutOfFuel { limits.fuel } else { Limits::default().fuel };
    let limits = &Limits { fuel, ..limits.clone() };
    let run = PlainModule::new(program, limits)?.run(&test.input, limits)?;
    let replayed = run.outcome.verdict();
    ensure!(test.expect.as_ref() == Some(&replayed), "the stored test {replayed}, the run {outcome}");
    // A run that is cut may be cut elsewhere.
    let is_cut = !run.bounds.is_empty();
    ensure!(is_cut || run.stdout == stdout, "the stored test prints something else than the run");
    Ok(())
}

/// What answers imports: `NAME=VALUE`.
fn stubs(text: &str) -> Result<BTreeMap<String, String>> {
    let one = |word: &str| {
        let (name, value) = word.split_once('=').with_context(|| format!("`{word}` is no NAME=VALUE"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    text.split_whitespace().map(one).collect()
}

/// Parameters as numbers: `7`, or `7i64` where a type is meant that is not `i32`.
fn params(text: &str) -> Result<Value> {
    let one = |word: &str| -> Result<Value> {
        let (number, ty) = word.strip_suffix("i64").map_or((word, "i32"), |number| (number, "i64"));
        Ok(json!({ ty: number.parse::<i64>().map_err(|_| Error::msg(format!("`{word}` is no number")))? }))
    };
    text.split_whitespace().map(one).collect::<Result<Vec<_>>>().map(Into::into)
}

/// Whether an input is the one that is wanted: itself, a part of it (`data[3]`, `list.next`, `stdin.length`), or one of several of its name (`nondet_int#2`).
fn is_called(input: &str, wanted: &str) -> bool {
    input
        .strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.', '#', '+', '/']))
}
