//! `coax cover` against libFuzzer on the same harnesses, for the same time: which share of the branches do their inputs cover?
//!
//! Both get a built program, a core each, no seeds and no dictionary; they run at the same time, so that what else the machine does is
//! the same for both. What their inputs cover is measured natively by llvm-cov, each input in a process of its own, so that neither is
//! judged by its own counters.

mod native;

use anyhow::{Context, Result, anyhow, ensure};
use coax_judge::harnesses::{FuzzTarget, Harnesses};
use native::{Native, succeed};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The longest input that either may try.
const MAX_LEN: &str = "4096";
/// What an input may take when it is replayed, in seconds.
const REPLAY_SECONDS: &str = "10";

/// What to run.
pub struct Options {
    /// How long, in seconds.
    pub seconds: u32,
    /// How many random seeds.
    pub seeds: u32,
    /// coax itself.
    pub coax: PathBuf,
    /// The compiler, e.g. `clang-22`.
    pub clang: String,
    /// The library that makes a program libFuzzer's.
    pub library: PathBuf,
}

/// Branches that inputs cover, and all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Covered {
    covered: u64,
    total: u64,
}

impl Covered {
    fn percent(self) -> f64 {
        100.0 * self.covered as f64 / self.total.max(1) as f64
    }
}

/// Compares the two on each harness of libFuzzer's.
pub fn run(harnesses: &Harnesses, names: &[&str], options: &Options) -> Result<()> {
    println!(
        "| program | branches | libFuzzer, % | (least to most) | coax, % | (least to most) | difference |"
    );
    println!("|-|-:|-:|-|-:|-|-:|");
    let mut differences = Vec::new();
    for name in names {
        let target = harnesses.fuzz_target(name)?;
        let place = tempfile::tempdir()?;
        let programs = Programs::build(&target, place.path(), options).with_context(|| (*name).to_owned())?;
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for seed in 1..=options.seeds {
            let (they, we) = thread::scope(|scope| {
                let they = scope.spawn(|| programs.libfuzzer(options, seed));
                let we = programs.coax(&target, options, seed);
                (they.join().unwrap_or_else(|_| Err(anyhow!("libFuzzer's thread panicked"))), we)
            });
            theirs.push(programs.measure(&they?, &target, options)?);
            ours.push(programs.measure(&we?, &target, options)?);
        }
        theirs.sort();
        ours.sort();
        let median = |all: &[Covered]| all[all.len() / 2].percent();
        let range =
            |all: &[Covered]| format!("{:.1} to {:.1}", all[0].percent(), all[all.len() - 1].percent());
        let difference = median(&ours) - median(&theirs);
        println!(
            "| {name}{} | {} | {:.1} | {} | {:.1} | {} | {difference:+.1} |",
            if harnesses.is_unseen(name) { " (unseen)" } else { "" },
            ours[0].total,
            median(&theirs),
            range(&theirs),
            median(&ours),
            range(&ours),
        );
        differences.push(difference);
    }
    let ahead = differences.iter().filter(|&&difference| difference > 0.0).count();
    let worst = differences.iter().copied().fold(f64::INFINITY, f64::min);
    let json = serde_json::json!({
        "bench": "cover", "programs": differences.len(), "ahead": ahead, "worst": worst, "seconds": options.seconds, "seeds": options.seeds,
    });
    println!("\n{json}");
    Ok(())
}

/// A harness, built for each.
struct Programs {
    place: PathBuf,
    native: Native,
}

impl Programs {
    fn build(target: &FuzzTarget, place: &Path, options: &Options) -> Result<Programs> {
        let programs = Programs { place: place.to_owned(), native: Native::build(target, place, options)? };
        // What coax compiles is kept by its cache: the searches that are measured find it there.
        programs.cover(target, options, "1s", 0, &place.join("warm"))?;
        Ok(programs)
    }

    /// Where libFuzzer leaves its inputs.
    fn libfuzzer(&self, options: &Options, seed: u32) -> Result<Vec<PathBuf>> {
        let place = self.place.join(format!("libfuzzer-{seed}"));
        let corpus = place.join("corpus");
        std::fs::create_dir_all(&corpus)?;
        let mut command = on_core(0, &self.native.fuzzer);
        command.current_dir(&place).arg(&corpus).args(["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1"]);
        command.arg(format!("-max_len={MAX_LEN}")).arg(format!("-max_total_time={}", options.seconds));
        command.arg(format!("-seed={seed}")).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().context("libFuzzer cannot be started")?;
        Ok(vec![corpus, place])
    }

    /// Where coax leaves its inputs.
    fn coax(&self, target: &FuzzTarget, options: &Options, seed: u32) -> Result<Vec<PathBuf>> {
        let place = self.place.join(format!("coax-{seed}"));
        self.cover(target, options, &format!("{}s", options.seconds), seed, &place)?;
        Ok(vec![place.join("corpus/inputs"), place.join("corpus/crashes")])
    }

    fn cover(&self, target: &FuzzTarget, options: &Options, time: &str, seed: u32, out: &Path) -> Result<()> {
        let mut command = on_core(1, &options.coax);
        command.arg("cover").args(target.arguments());
        command.args(["--workers", "1", "--emit", "corpus"]);
        command.args(["--max-len", MAX_LEN, "--time", time]).arg(format!("--seed={seed}"));
        command.arg("--out").arg(out).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = command.output().context("coax cannot be started")?;
        // 1: a failing test was found.
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(matches!(output.status.code(), Some(0 | 1)), "coax failed: {said}");
        Ok(())
    }

    /// What the inputs in these folders cover.
    fn measure(&self, folders: &[PathBuf], target: &FuzzTarget, options: &Options) -> Result<Covered> {
        let profiles = tempfile::tempdir_in(&self.place)?;
        let mut inputs = Vec::new();
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            for entry in std::fs::read_dir(folder)? {
                inputs.extend(Some(entry?.path()).filter(|path| path.is_file()));
            }
        }
        for input in &inputs {
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
        let tool = |name: &str| options.clang.replacen("clang", name, 1);
        succeed(Command::new(tool("llvm-profdata")).args(["merge", "-o"]).arg(&merged).args(raw))?;
        let mut export = Command::new(tool("llvm-cov"));
        export.args(["export", "-summary-only", "-instr-profile"]).arg(&merged).arg(&self.native.counting);
        let summary: serde_json::Value = serde_json::from_slice(&succeed(&mut export)?)?;
        let files = summary["data"][0]["files"].as_array().context("llvm-cov names no files")?;
        let mut all = Covered { covered: 0, total: 0 };
        for file in files.iter().filter(|file| target.counts(file["filename"].as_str().unwrap_or_default())) {
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
