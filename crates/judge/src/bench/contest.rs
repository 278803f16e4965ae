//! coax and libFuzzer on the same harness, for the same time: what do their inputs cover?
//!
//! Both get a built program, a core each, no seeds and no dictionary; they can run at the same time, so that what else the machine does is
//! the same for both. What their inputs cover is measured natively by llvm-cov, each input in a process of its own, so that neither is
//! judged by its own counters.

mod native;

use anyhow::{Context, Result, anyhow, ensure};
use coax_execute::Data;
use coax_judge::harnesses::FuzzTarget;
use native::Native;
pub(crate) use native::succeed;
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The longest input that either may try.
const MAX_LEN: &str = "4096";
/// What an input may take when it is replayed, in seconds.
const REPLAY_SECONDS: &str = "10";

/// What is needed to let them compete.
pub struct Tools {
    /// coax itself.
    pub coax: PathBuf,
    /// The compiler, e.g. `clang-22`.
    pub clang: String,
    /// The library that makes a program libFuzzer's.
    pub library: PathBuf,
}

/// Branches that inputs cover, and all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Covered {
    pub covered: u64,
    pub total: u64,
}

impl Covered {
    pub fn percent(self) -> f64 {
        100.0 * self.covered as f64 / self.total.max(1) as f64
    }
}

/// The inputs that somebody found.
pub(super) struct Inputs {
    /// Where they are.
    folders: Vec<PathBuf>,
    /// Where coax writes down what it finds, also what becomes no test.
    journal: Option<PathBuf>,
}

impl Inputs {
    /// Those of a search of coax's that was to write its corpus there.
    pub fn of_search(place: &Path) -> Inputs {
        let folders = ["corpus/inputs", "corpus/crashes"].map(|folder| place.join(folder)).into();
        Inputs { folders, journal: Some(place.join("journal")) }
    }

    /// All that were kept.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for folder in self.folders.iter().filter(|folder| folder.is_dir()) {
            for entry in std::fs::read_dir(folder)? {
                files.extend(Some(entry?.path()).filter(|path| path.is_file()));
            }
        }
        Ok(files)
    }

    /// What is in those that were kept.
    pub fn kept(&self) -> Result<Vec<Vec<u8>>> {
        Ok(self.files()?.into_iter().map(std::fs::read).collect::<std::io::Result<Vec<_>>>()?)
    }

    /// What is in all that were found, as far as that is known: most cover nothing of their own and become no tests.
    pub fn found(&self) -> Result<Vec<Vec<u8>>> {
        let mut found = self.kept()?;
        if let Some(journal) = &self.journal {
            let text = std::fs::read_to_string(journal).context("coax wrote nothing down")?;
            for batch in text.lines().skip(1) {
                collect_bytes(&serde_json::from_str(batch)?, &mut found);
            }
        }
        Ok(found)
    }
}

/// Takes the bytes of all inputs in a batch of a journal.
fn collect_bytes(value: &Value, found: &mut Vec<Vec<u8>>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| match Data::deserialize(value) {
            Ok(data) if key == "bytes" => found.push(data.0),
            _ => collect_bytes(value, found),
        }),
        Value::Array(values) => values.iter().for_each(|value| collect_bytes(value, found)),
        _ => {}
    }
}

/// A harness, built for each.
pub(super) struct Contest<'a> {
    target: &'a FuzzTarget,
    tools: &'a Tools,
    place: PathBuf,
    native: Native,
}

impl<'a> Contest<'a> {
    pub fn prepare(target: &'a FuzzTarget, place: &Path, tools: &'a Tools) -> Result<Contest<'a>> {
        let native = Native::build(target, place, tools)?;
        let contest = Contest { target, tools, place: place.to_owned(), native };
        // What coax compiles is kept by its cache: the searches that are measured find it there.
        contest.cover(&[], "1s", 0, &place.join("warm"))?;
        Ok(contest)
    }

    /// Lets both run at the same time, coax with these options besides.
    pub fn both(&self, options: &[&str], seconds: u32, seed: u32) -> Result<(Inputs, Inputs)> {
        let (they, we) = thread::scope(|scope| {
            let they = scope.spawn(|| self.libfuzzer(seconds, seed));
            let we = self.coax(options, seconds, seed);
            (they.join().unwrap_or_else(|_| Err(anyhow!("libFuzzer's thread panicked"))), we)
        });
        Ok((they?, we?))
    }

    fn libfuzzer(&self, seconds: u32, seed: u32) -> Result<Inputs> {
        let place = self.place.join(format!("libfuzzer-{seed}"));
        let corpus = place.join("corpus");
        std::fs::create_dir_all(&corpus)?;
        let mut command = on_core(0, &self.native.fuzzer);
        command.current_dir(&place).arg(&corpus).args(["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1"]);
        command.arg(format!("-max_len={MAX_LEN}")).arg(format!("-max_total_time={seconds}"));
        command.arg(format!("-seed={seed}")).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().context("libFuzzer cannot be started")?;
        Ok(Inputs { folders: vec![corpus, place], journal: None })
    }

    pub fn coax(&self, options: &[&str], seconds: u32, seed: u32) -> Result<Inputs> {
        let place = self.place.join(format!("coax-{seed}{}", options.concat()));
        self.cover(options, &format!("{seconds}s"), seed, &place)?;
        Ok(Inputs::of_search(&place))
    }

    fn cover(&self, options: &[&str], time: &str, seed: u32, out: &Path) -> Result<()> {
        let mut command = on_core(1, &self.tools.coax);
        command.arg("cover").args(self.target.arguments()).args(options);
        command.args(["--workers", "1", "--emit", "corpus"]);
        command.args(["--max-len", MAX_LEN, "--time", time]).arg(format!("--seed={seed}"));
        command.arg("--out").arg(out).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = command.output().context("coax cannot be started")?;
        // 1: a failing test was found.
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(matches!(output.status.code(), Some(0 | 1)), "coax failed: {said}");
        Ok(())
    }

    /// What inputs cover of the files that count.
    pub fn measure(&self, inputs: &Inputs, counts: &dyn Fn(&str) -> bool) -> Result<Covered> {
        let profiles = tempfile::tempdir_in(&self.place)?;
        for input in inputs.files()? {
            // A run that crashes writes no profile: what it covers on its way is not counted, whoever found it.
            let mut command = Command::new("timeout");
            command.arg(REPLAY_SECONDS).arg(&self.native.counting).arg(input);
            command.env("LLVM_PROFILE_FILE", profiles.path().join("%4m.profraw"));
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().context("`timeout` cannot be started")?;
        }
        let merged = profiles.path().join("merged");
        let raw =
            std::fs::read_dir(profiles.path())?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        ensure!(!raw.is_empty(), "no input could be replayed");
        let tool = |name: &str| self.tools.clang.replacen("clang", name, 1);
        succeed(Command::new(tool("llvm-profdata")).args(["merge", "-o"]).arg(&merged).args(raw))?;
        let mut export = Command::new(tool("llvm-cov"));
        export.args(["export", "-summary-only", "-instr-profile"]).arg(&merged).arg(&self.native.counting);
        let summary: Value = serde_json::from_slice(&succeed(&mut export)?)?;
        let files = summary["data"][0]["files"].as_array().context("llvm-cov names no files")?;
        let mut all = Covered { covered: 0, total: 0 };
        for file in files.iter().filter(|file| counts(file["filename"].as_str().unwrap_or_default())) {
            let branches = &file["summary"]["branches"];
            let number =
                |key: &str| branches[key].as_u64().with_context(|| format!("llvm-cov does not say `{key}`"));
            all = Covered { covered: all.covered + number("covered")?, total: all.total + number("count")? };
        }
        Ok(all)
    }
}

/// A command that stays on a core, if there are so many.
fn on_core(core: usize, program: &Path) -> Command {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if core >= cores {
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    command.arg("-c").arg(core.to_string()).arg(program);
    command
}
