//! Random programs: what `cover` and `reach` say of each line, and what gcov says after all inputs.

use super::native::{gcov, llvm_columns, llvm_cov};
use super::{Options, read, source};
use crate::bench::contest::succeed;
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// So many lines are named.
const NAMED: usize = 20;
/// How long each of the two searches may take, in seconds.
const SECONDS: &str = "20s";

/// Calls the program with all inputs; each in a process of its own if it may exit.
const MAIN: &str = "#include <sys/wait.h>\n#include <unistd.h>\n#include <stdlib.h>\nint f(int, int);\nint h[4];\n\
    int main(void) {\n    for (int n = 0; n < 256; n++) {\n\
    #ifdef MAY_EXIT\n        if (fork() == 0) exit(f(n & 15, n >> 4) & 1);\n        wait(NULL);\n\
    #else\n        h[0] = h[1] = h[2] = h[3] = 0;\n        f(n & 15, n >> 4);\n#endif\n    }\n    return 0;\n}\n";

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    programs: u64,
    /// Lines, those that some input executes, that `cover` says are covered, that `reach` calls reached and unreachable.
    lines: u64,
    executed: u64,
    covered: u64,
    reached: u64,
    unreachable: u64,
    /// Covered or reached, and no input executes them; called unreachable, and some does.
    wrong: u64,
    wrong_proofs: u64,
    /// Covered, and `reach` does not get there or calls them unreachable.
    contradictions: u64,
    /// Not covered, though all paths are explored and some input executes them.
    missing: u64,
    /// Lines that gcov does not know.
    unknown: u64,
    pub examples: Vec<String>,
}

impl Tried {
    /// Whether nothing is wrong.
    pub fn is_fine(&self) -> bool {
        self.wrong + self.wrong_proofs + self.contradictions + self.missing == 0
    }

    pub fn table(&self) -> String {
        let Tried { programs, lines, executed, covered, reached, unreachable, unknown, .. } = self;
        let Tried { wrong, wrong_proofs, contradictions, missing, .. } = self;
        format!(
            "| random programs | lines | executed by some input | covered | reached | unreachable | not known to gcov | wrong | wrong proofs | \
             contradictions | missing |\n|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|\n\
             | {programs} | {lines} | {executed} | {covered} | {reached} | {unreachable} | {unknown} | {wrong} | {wrong_proofs} | {contradictions} | {missing} |"
        )
    }

    pub fn json(&self) -> Value {
        json!({
            "programs": self.programs, "lines": self.lines, "executed": self.executed, "covered": self.covered, "reached": self.reached,
            "unreachable": self.unreachable, "wrong": self.wrong, "wrong_proofs": self.wrong_proofs,
            "contradictions": self.contradictions, "missing": self.missing,
        })
    }

    fn and(mut self, other: Tried) -> Tried {
        self.programs += other.programs;
        self.lines += other.lines;
        self.executed += other.executed;
        self.covered += other.covered;
        self.reached += other.reached;
        self.unreachable += other.unreachable;
        self.wrong += other.wrong;
        self.wrong_proofs += other.wrong_proofs;
        self.contradictions += other.contradictions;
        self.missing += other.missing;
        self.unknown += other.unknown;
        self.examples.extend(other.examples);
        self.examples.truncate(NAMED);
        self
    }
}

/// Tries so many programs.
pub fn run(options: &Options) -> Result<Tried> {
    let one = |number: u64| {
        let seed = options.seed.wrapping_add(number);
        try_one(options, seed).with_context(|| format!("random program {seed}"))
    };
    (0..options.random).into_par_iter().map(one).try_reduce(Tried::default, |one, other| Ok(one.and(other)))
}

fn try_one(options: &Options, seed: u64) -> Result<Tried> {
    let place = tempfile::tempdir()?;
    let place = place.path();
    let (text, may_exit) = source::text(seed);
    fs::write(place.join("p.c"), &text)?;
    let lines = cover(options, place)?;
    let report = read(&place.join("cover/report.json"))?;
    let verdicts = reach(options, place, &lines)?;
    let executed = native(options, place, may_exit)?;
    let mut tried = Tried { programs: 1, lines: lines.len() as u64, ..Tried::default() };
    for (&line, &is_covered) in &lines {
        let verdict = verdicts[&line].as_str();
        let truth = executed.get(&line).copied();
        let is_explored = report["explored"] == true;
        let mut note = |is_so: bool, what: &str| {
            if is_so {
                let source = text.lines().nth(line as usize - 1).unwrap_or_default().trim();
                tried.examples.push(format!("program {seed}, line {line}, `{source}`: {what}"));
            }
            u64::from(is_so)
        };
        tried.covered += u64::from(is_covered);
        tried.reached += u64::from(verdict == "reached");
        tried.unreachable += u64::from(verdict == "unreachable");
        tried.executed += u64::from(truth == Some(true));
        tried.unknown += u64::from(truth.is_none());
        tried.wrong += note(is_covered && truth == Some(false), "covered, and no input executes it");
        tried.wrong +=
            note(verdict == "reached" && truth == Some(false), "reached, and no input executes it");
        tried.wrong_proofs +=
            note(verdict == "unreachable" && truth == Some(true), "called unreachable, and executed");
        tried.contradictions += note(is_covered && verdict != "reached", "covered, and not reached");
        let is_missing = is_explored && !is_covered && truth == Some(true);
        tried.missing += note(is_missing, "not covered though all is explored, and executed");
    }
    Ok(tried)
}

/// The lines of the program, with whether a search covers them.
fn cover(options: &Options, place: &Path) -> Result<BTreeMap<u64, bool>> {
    let mut command = Command::new(&options.coax);
    command.args(["cover", "p.c", "--entry", "f", "--workers", "1", "--time", SECONDS, "--out", "cover"]);
    let output =
        command.stdin(Stdio::null()).current_dir(place).output().context("coax cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(matches!(output.status.code(), Some(0 | 1)), "coax cover failed: {said}");
    let lines = read(&place.join("cover/lines.json"))?;
    let lines = lines["p.c"].as_object().context("the program has no lines")?;
    lines.iter().map(|(number, by)| Ok((number.parse()?, by.is_array()))).collect()
}

/// What `reach` says of each.
fn reach(options: &Options, place: &Path, lines: &BTreeMap<u64, bool>) -> Result<BTreeMap<u64, String>> {
    let mut command = Command::new(&options.coax);
    command.args([
        "reach",
        "p.c",
        "--entry",
        "f",
        "--workers",
        "1",
        "--time",
        SECONDS,
        "--out",
        "reach",
        "--json",
    ]);
    for line in lines.keys() {
        command.arg("--target").arg(format!("p.c:{line}"));
    }
    let output =
        command.stdin(Stdio::null()).current_dir(place).output().context("coax cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value =
        serde_json::from_slice(&output.stdout).with_context(|| format!("coax reach: {said}"))?;
    let targets = report["targets"].as_array().context("coax reach has no targets")?;
    ensure!(targets.len() == lines.len(), "coax reach has {} targets of {}", targets.len(), lines.len());
    let verdict = |target: &Value| target["verdict"].as_str().unwrap_or_default().to_owned();
    Ok(lines.keys().copied().zip(targets.iter().map(verdict)).collect())
}

/// The lines that gcov or llvm-cov knows, with whether some input executes them, as far as they agree: each compiler puts some code on a line beside.
fn native(options: &Options, place: &Path, may_exit: bool) -> Result<BTreeMap<u64, bool>> {
    let folder = place.join("native");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("main.c"), MAIN.replace("int h[4];", "extern int h[4];"))?;
    let mut main = Command::new("gcc");
    main.args(["-w", "-c", "main.c", "-o", "main.o"])
        .args(may_exit.then_some("-DMAY_EXIT"))
        .current_dir(&folder);
    succeed(&mut main)?;
    let compile = ["-w", "-fwrapv", "-O0", "--coverage", "-c", "../p.c", "-o", "p.o"];
    succeed(Command::new("gcc").args(compile).current_dir(&folder))?;
    succeed(Command::new("gcc").args(["--coverage", "main.o", "p.o", "-o", "p"]).current_dir(&folder))?;
    succeed(Command::new("timeout").args(["60", "./p"]).current_dir(&folder))?;
    let said = gcov(&folder)?;
    let lines = said.lines.into_iter().filter(|((file, _), _)| file.ends_with("p.c"));
    let by_gcov: BTreeMap<u64, bool> =
        lines.map(|((_, number), is_executed)| (number, is_executed == Some(true))).collect();
    let by_llvm = llvm(options, &folder, may_exit)?;
    let columns = llvm_columns(options, &folder, "l")?;
    let text = fs::read_to_string(place.join("p.c"))?;
    let agreed = |(&number, &is_executed): (&u64, &bool)| {
        // Both put the choice between the arms of a `?:` on the lines of arms, whichever is executed: there who knows columns is asked about the arm alone.
        if let Some(column) = text.lines().nth(number as usize - 1).and_then(arm) {
            return Some((number, columns.count_in("p.c", number, column)? > 0));
        }
        by_llvm.get(&number).is_none_or(|other| *other == is_executed).then_some((number, is_executed))
    };
    Ok(by_gcov.iter().filter_map(agreed).collect())
}

/// Where the arm of a `?:` begins that a line consists of.
fn arm(line: &str) -> Option<u64> {
    let code = line.trim_start();
    let arm = code.strip_prefix("? ").or_else(|| code.strip_prefix(": "))?;
    Some((line.len() - arm.len()) as u64 + 1)
}

/// The same by llvm-cov.
fn llvm(options: &Options, folder: &Path, may_exit: bool) -> Result<BTreeMap<u64, bool>> {
    for (source, object) in [("main.c", "lm.o"), ("../p.c", "lp.o")] {
        let mut compile = Command::new(&options.clang);
        compile.args([
            "-w",
            "-fwrapv",
            "-O0",
            "-fprofile-instr-generate",
            "-fcoverage-mapping",
            "-c",
            source,
            "-o",
            object,
        ]);
        succeed(compile.args(may_exit.then_some("-DMAY_EXIT")).current_dir(folder))?;
    }
    let mut link = Command::new(&options.clang);
    link.args(["lm.o", "lp.o", "-u__llvm_profile_runtime"]).arg(&options.profile).args(["-o", "l"]);
    succeed(link.current_dir(folder))?;
    let mut run = Command::new("timeout");
    succeed(run.args(["60", "./l"]).env("LLVM_PROFILE_FILE", folder.join("%m.profraw")).current_dir(folder))?;
    let said = llvm_cov(options, folder, "l")?;
    let lines = said.lines.into_iter().filter(|((file, _), _)| file.ends_with("p.c"));
    Ok(lines.map(|((_, number), is_executed)| (number, is_executed == Some(true))).collect())
}
