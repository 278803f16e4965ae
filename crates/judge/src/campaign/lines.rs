//! Lines that `coax cover` says are covered, against native builds with gcov's and llvm-cov's counters; and random programs, of which all inputs
//! are tried: `cover`, `reach` and gcov about each line.
//!
//! Of a real program the tests that coax writes are replayed natively. A line is wrong if coax says that it is covered and somebody who knows it says
//! that it is not, and nobody that it is. A line is missing if somebody says that it is covered and coax does not, unless there is a reason that a
//! machine can see ([`compared::Reason`]).

mod compared;
mod module;
mod native;
mod random;
mod source;

use anyhow::{Context, Result, ensure};
use coax_judge::harnesses::Harnesses;
use compared::{Compared, REASONS, Said};
use module::Module;
use native::{Native, Replays};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What to run.
pub struct Options {
    /// How long each program is covered, in seconds.
    pub seconds: u32,
    /// How many random programs.
    pub random: u64,
    /// The number of the first.
    pub seed: u64,
    /// coax itself.
    pub coax: PathBuf,
    /// The clang of llvm-cov.
    pub clang: String,
    /// The library that writes its counters.
    pub profile: PathBuf,
}

/// Runs the campaign on these programs; whether no line is wrong or missing.
pub fn lines(harnesses: &Harnesses, names: &[&str], options: &Options) -> Result<bool> {
    println!("| program | inputs | lines | covered | wrong | missing | judges differ | reasons |");
    println!("|-|-:|-:|-:|-:|-:|-:|-|");
    let one = |name: &&str| -> (String, Result<Compared>) {
        let compared = program(harnesses, name, options).with_context(|| (*name).to_owned());
        if let Ok(compared) = &compared {
            eprintln!("{}", compared.row(name));
        }
        ((*name).to_owned(), compared)
    };
    let judged: Vec<(String, Result<Compared>)> = names.par_iter().map(one).collect();
    let (mut all, mut failed) = (Compared::default(), Vec::new());
    for (name, compared) in judged {
        match compared {
            Ok(compared) => {
                println!("{}", compared.row(&name));
                compared.examples.iter().for_each(|example| eprintln!("{name}: {example}"));
                all.add(&compared);
            }
            Err(error) => {
                eprintln!("{error:#}");
                failed.push(name);
            }
        }
    }
    println!("{}\n", all.row("all"));
    let tried = random::run(options)?;
    println!("{}\n", tried.table());
    tried.examples.iter().for_each(|example| eprintln!("random: {example}"));
    let reasons: BTreeMap<&str, u64> =
        REASONS.iter().zip(all.reasons).map(|(reason, count)| (reason.0, count)).collect();
    println!(
        "{}",
        json!({
            "campaign": "lines", "programs": names.len() - failed.len(), "failed": failed, "inputs": all.inputs, "lines": all.lines,
            "covered": all.covered, "wrong": all.wrong, "missing": all.missing, "judges_differ": all.disputed, "reasons": reasons,
            "random": tried.json(), "seconds": options.seconds, "seed": options.seed,
        })
    );
    Ok(failed.is_empty() && all.wrong == 0 && all.missing == 0 && tried.is_fine())
}

/// Covers a program, replays its tests natively, and compares.
fn program(harnesses: &Harnesses, name: &str, options: &Options) -> Result<Compared> {
    let place = tempfile::tempdir()?;
    let out = place.path().join("out");
    let told = harnesses.told(name)?;
    let mut command = Command::new(&options.coax);
    command.arg("cover").args(&told.options).args(["--workers", "1", "--time"]);
    command.arg(format!("{}s", options.seconds)).arg("--out").arg(&out);
    command.arg("--").args(&told.args).stdin(Stdio::null()).current_dir(place.path());
    let output = command.output().context("coax cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(matches!(output.status.code(), Some(0 | 1)), "coax failed: {said}");
    let native = Native::build(harnesses, name, &place.path().join("native"), options)?;
    let (wasm, _) = harnesses.program(name)?;
    let mut module = Module::new(&wasm)?;
    let Replays { replayed, otherwise } = native.replay(&out.join("tests"), &mut module)?;
    ensure!(
        !replayed.is_empty(),
        "no test could be replayed ({} do something else natively)",
        otherwise.len()
    );
    let coax = Said::by_coax(&read(&out.join("lines.json"))?, &replayed)?;
    let (gcov, llvm) = (native.gcov()?, native.llvm_cov()?);
    let (columns, code) = (native.llvm_columns()?, module.code());
    let why_missing = |line: &compared::Line| match () {
        () if code.is_beside(line, &columns) => Some(compared::BESIDE),
        () if code.is_in_other_copies(line) => Some(compared::OTHER_COPIES),
        () => None,
    };
    let mut compared = Compared::of(&coax, &gcov, &llvm, &is_brace, &why_missing);
    (compared.inputs, compared.otherwise) = (replayed.len() as u64, otherwise.len() as u64);
    Ok(compared)
}

/// Whether a line of a source is only braces, with a semicolon or a comment perhaps.
fn is_brace((file, number): &compared::Line) -> bool {
    let text = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().nth((*number as usize).saturating_sub(1)).unwrap_or_default();
    let code = line.split("//").next().unwrap_or_default().split("/*").next().unwrap_or_default().trim();
    code.contains('}') && code.chars().all(|letter| matches!(letter, '{' | '}' | ';' | ' '))
}

fn read(path: &Path) -> Result<Value> {
    let text = std::fs::read(path).with_context(|| path.display().to_string())?;
    serde_json::from_slice(&text).with_context(|| path.display().to_string())
}
