//! Programs nobody here wrote: `scripts/thirdparty.toml` says where they come from and what they must
//! print, `scripts/thirdparty` fetches them.

use anyhow::{Context, Result, bail};
use coax_execute::{Data, Input, Limits, PlainModule};
use coax_load::{Loaded, Request};
use coax_program::hash::{FuncHash, Hasher};
use coax_program::{Program, verify};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

    /// Whether the source was fetched.
    pub fn is_there(&self, name: &str) -> bool {
        self.entries[name].fetch == "locked" || self.store.join(name).is_dir()
    }

    /// Compiles a program.
    pub fn load(&self, name: &str, cache: Option<PathBuf>) -> Result<Loaded> {
        let entry = &self.entries[name];
        let directory = self.store.join(name);
        let expand = |text: &str| text.replace("{dir}", &directory.to_string_lossy());
        let mut inputs = Vec::new();
        for pattern in expand(&entry.program).split_whitespace() {
            inputs.extend(files(&self.repository.join(pattern))?);
        }
        let flag = |flag: &str| match flag.strip_prefix("-I") {
            Some(path) => format!("-I{}", self.repository.join(path).display()),
            None => flag.to_string(),
        };
        let cflags = expand(&entry.flags).split_whitespace().map(flag).collect();
        let request = Request { inputs, cflags, cache, ..Request::default() };
        coax_load::load(&request).map_err(|error| anyhow::anyhow!("{error}\n{}", error.messages()))
    }

    /// Runs a program and compares what it prints with what a native build prints.
    pub fn run(&self, name: &str, program: &Program) -> Result<()> {
        let entry = &self.entries[name];
        let input = Input {
            args: entry.args.split_whitespace().map(str::to_string).collect(),
            stdin: Data(std::fs::read(self.repository.join(&entry.stdin))?),
            ..Input::default()
        };
        let limits = Limits::default();
        let run = PlainModule::new(program, &limits)?.run_with_coverage(&input, &limits)?;
        let expected = std::fs::read(self.repository.join(&entry.stdout))?;
        if run.stdout != expected {
            let printed = String::from_utf8_lossy(&run.stdout);
            let said = String::from_utf8_lossy(&run.stderr);
            bail!("it printed something else than a native build; {:?}\n{printed}\n{said}", run.outcome);
        }
        Ok(())
    }
}

/// The file of this name, or all that match if the last part is `*.extension`.
fn files(pattern: &Path) -> Result<Vec<PathBuf>> {
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

/// Parses and verifies a program.
pub fn lift(wasm: Vec<u8>) -> Result<Program> {
    let program = Program::parse(wasm)?;
    verify::verify(&program)?;
    Ok(program)
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
