//! `coax cover` against libFuzzer on the same harnesses, for the same time: which share of the branches do their inputs cover?
//!
//! Both get a built program, one core, no seeds and no dictionary. What their inputs cover is measured natively by llvm-cov, each input in a
//! process of its own, so that neither is judged by its own counters.

use anyhow::{Context, Result, ensure};
use coax_judge::harnesses::{FuzzTarget, Harnesses};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
            theirs.push(programs.libfuzzer(options, seed)?);
            ours.push(programs.coax(&target, options, seed)?);
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

/// A harness, built in three ways.
struct Programs {
    place: PathBuf,
    /// With libFuzzer.
    fuzzer: PathBuf,
    /// With llvm-cov's counters; runs the file that it is given.
    counting: PathBuf,
}

impl Programs {
    fn build(target: &FuzzTarget, place: &Path, options: &Options) -> Result<Programs> {
        let programs = Programs {
            place: place.to_owned(),
            fuzzer: place.join("fuzzer"),
            counting: place.join("counting"),
        };
        let fuzzing = ["-O1", "-fsanitize=fuzzer-no-link"];
        let objects = compile(target, &place.join("fuzzing"), &fuzzing, options)?;
        let mut link = Command::new(options.clang.replacen("clang", "clang++", 1));
        let library = library_for(target, options);
        link.args(&target.native).args(objects).arg(&library).arg("-o").arg(&programs.fuzzer);
        link.args(["-lpthread", "-lm", "-ldl"]);
        succeed(&mut link)?;
        let counting = ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"];
        let mut objects = compile(target, &place.join("counted"), &counting, options)?;
        let main = place.join("one_input.o");
        let source = target.repository.join("bench/programs/one_input.c");
        succeed(
            Command::new(&options.clang).args(&target.native).arg("-c").arg(source).arg("-o").arg(&main),
        )?;
        objects.push(main);
        let mut link = Command::new(options.clang.replacen("clang", "clang++", 1));
        // As `-fprofile-instr-generate` would, with the library that is beside libFuzzer's.
        let library = library.replace("libclang_rt.fuzzer", "libclang_rt.profile");
        link.args(&target.native).args(objects).arg("-u__llvm_profile_runtime").arg(library);
        link.arg("-o").arg(&programs.counting).arg("-lm");
        succeed(&mut link)?;
        // What coax compiles is kept by its cache: the searches that are measured find it there.
        programs.cover(target, options, "1s", 0, &place.join("warm"))?;
        Ok(programs)
    }

    fn libfuzzer(&self, options: &Options, seed: u32) -> Result<Covered> {
        let place = self.place.join(format!("libfuzzer-{seed}"));
        let corpus = place.join("corpus");
        std::fs::create_dir_all(&corpus)?;
        let mut command = Command::new(&self.fuzzer);
        command.current_dir(&place).arg(&corpus).args(["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1"]);
        command.arg(format!("-max_len={MAX_LEN}")).arg(format!("-max_total_time={}", options.seconds));
        command.arg(format!("-seed={seed}")).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().context("libFuzzer cannot be started")?;
        self.measure(&[corpus, place], options)
    }

    fn coax(&self, target: &FuzzTarget, options: &Options, seed: u32) -> Result<Covered> {
        let place = self.place.join(format!("coax-{seed}"));
        self.cover(target, options, &format!("{}s", options.seconds), seed, &place)?;
        self.measure(&[place.join("corpus/inputs"), place.join("corpus/crashes")], options)
    }

    fn cover(&self, target: &FuzzTarget, options: &Options, time: &str, seed: u32, out: &Path) -> Result<()> {
        let mut command = Command::new(&options.coax);
        command.arg("cover").args(&target.sources).arg(format!("--cflags={}", target.flags.join(" ")));
        command.args(["--entry", "LLVMFuzzerTestOneInput", "--workers", "1", "--emit", "corpus"]);
        command.args(["--max-len", MAX_LEN, "--time", time]).arg(format!("--seed={seed}"));
        command.arg("--out").arg(out).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = command.output().context("coax cannot be started")?;
        // 1: a failing test was found.
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(matches!(output.status.code(), Some(0 | 1)), "coax failed: {said}");
        Ok(())
    }

    /// What the inputs in these folders cover.
    fn measure(&self, folders: &[PathBuf], options: &Options) -> Result<Covered> {
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
            command.arg(REPLAY_SECONDS).arg(&self.counting).arg(input);
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
        export.args(["export", "-summary-only", "-instr-profile"]).arg(&merged).arg(&self.counting);
        let summary: serde_json::Value = serde_json::from_slice(&succeed(&mut export)?)?;
        let branches = &summary["data"][0]["totals"]["branches"];
        let number =
            |key: &str| branches[key].as_u64().with_context(|| format!("llvm-cov does not say `{key}`"));
        Ok(Covered { covered: number("covered")?, total: number("count")? })
    }
}

/// libFuzzer for the machine that a target is compiled for.
fn library_for(target: &FuzzTarget, options: &Options) -> String {
    let library = options.library.to_string_lossy();
    match target.native.iter().any(|flag| flag == "-m32") {
        true => library.replace("x86_64", "i386"),
        false => library.into_owned(),
    }
}

/// Compiles the sources of a target, each with what its language needs.
fn compile(target: &FuzzTarget, place: &Path, flags: &[&str], options: &Options) -> Result<Vec<PathBuf>> {
    std::fs::create_dir_all(place)?;
    let mut objects = Vec::new();
    for (number, source) in target.sources.iter().enumerate() {
        let object = place.join(format!("{number}.o"));
        let is_c = source.extension().is_some_and(|extension| extension == "c");
        let compiler =
            if is_c { options.clang.clone() } else { options.clang.replacen("clang", "clang++", 1) };
        let mut command = Command::new(compiler);
        command
            .args(["-g", "-w"])
            .args(flags)
            .args(&target.native)
            .args(&target.flags)
            .arg("-c")
            .arg(source)
            .arg("-o")
            .arg(&object);
        succeed(&mut command)?;
        objects.push(object);
    }
    Ok(objects)
}

/// Runs a command that must succeed; returns what it wrote.
fn succeed(command: &mut Command) -> Result<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("`{name}` cannot be started"))?;
    ensure!(output.status.success(), "{name} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
