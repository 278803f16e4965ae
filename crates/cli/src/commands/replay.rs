//! `coax replay`: run a program, plainly, on stored tests or on what the command line says.

mod human;
mod json;
mod trace;

use super::blame::{Blamed, reason};
use crate::args::{ProgramArgs, Target, note};
use crate::input::{InputArgs, stored_test};
use crate::limits::LimitArgs;
use crate::memory::MemoryArgs;
use anyhow::{Context, Result, bail};
use clap::Args;
use coax_execute::{Coverage, Input, PlainModule, Run, Test, Verdict};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trace::Trace;

/// Run a program in a sandbox, on stored tests or once on the input given here
#[derive(Args)]
#[command(after_long_help = FORMAT_HELP)]
pub struct ReplayArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// Stored tests: JSON files, or directories of them
    #[arg(long, value_name = "TEST", num_args = 1.., conflicts_with_all = InputArgs::ids())]
    test: Vec<PathBuf>,
    #[command(flatten)]
    input: InputArgs,
    /// Write the run as a test to this file: its input, with all that the program asked for, and how it ended
    #[arg(long, value_name = "FILE", conflicts_with = "test")]
    save: Option<PathBuf>,
    /// Show which directions the branches took, and how many of all that is
    #[arg(long)]
    coverage: bool,
    /// Show the last instructions that were executed in the user's own code, with their values; so many lines of
    /// them if a number is given
    #[arg(long, value_name = "LINES", num_args = 0..=1, require_equals = true, default_missing_value = "1000")]
    trace: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    memory: MemoryArgs,
}

const FORMAT_HELP: &str = r#"A stored test is a JSON file. All of `input` and `expect` may be left out:

  { "format": 1,
    "input": {
      "entry": "parse",                              the function to call
      "params": [{"i32": -5}, {"f64": "nan:0x7ff8000000000001"},
                 {"name": "buf", "bytes": "text"}, {"length_of": "buf"}, {"string": "ends with zero"},
                 {"name": "list", "pointer": {"size": 8, "fields": [{"name": "value", "at": 0, "i32": 5},
                                                                    {"name": "next", "at": 4, "pointer": null}]}},
                 {"name": "n", "length_of": "a", "element": 4, "also": {"b": 4}},
                 {"name": "cmp", "callback": {"params": ["i32", "i32"], "result": "i32"}}],
                                                     `coax dump test` writes them for a function
      "args": ["-v", "file.txt"],                    the program's arguments
      "stdin": "text",                               or {"hex": "00ff"}
      "env": {"HOME": "/"},
      "files": {"dir/file.txt": "text"},             what the program sees below /
      "values": [{"name": "x", "i32": 5}],           what it gets when it asks by its test harness, in order;
                                                     {"written": "5"} is a number or text, as it is asked for
      "stubs": {"receive": "unknown"},               what answers imports that nobody has: a number, or values
      "symbols": {"stdin": 16, "arg1": null},        what of all this are symbols where there are any, and how long it can be
      "faults": {"3": "short"},                      reads and writes that go wrong: short, io, no-space
      "time": 946684800000000000,                    when it starts, in nanoseconds since 1970
      "seed": 1 },                                   of the random numbers it gets
    "expect": {"returned": [{"i32": 0}]} }           or {"exited": 1}, {"trapped": "unreachable"}, "out-of-fuel" …
    "fuel": 1000                                     how much fuel "out-of-fuel" is about, as `--fuel`
Exit code: 0 no run failed; 1 a run trapped, met the limit of fuel, time or stack, or did not end as expected;
2 bad usage, bad input or a failure of the tool."#;

/// A test that was run.
struct Replayed {
    /// What the user calls it.
    name: String,
    test: Test,
    run: Run,
    trace: Option<Trace>,
    /// How much it might use.
    fuel: u64,
}

impl Replayed {
    fn as_expected(&self) -> bool {
        self.test.expect.as_ref().is_none_or(|expected| *expected == self.verdict())
    }

    fn failed(&self) -> bool {
        self.verdict().is_failure() || !self.as_expected()
    }

    fn verdict(&self) -> Verdict {
        self.run.outcome.verdict()
    }

    /// Where to look first.
    fn blamed(&self, target: &Target) -> Option<Blamed<'_>> {
        Blamed::of(&self.run.outcome, target)
    }

    /// What is known of a trap beyond its kind: by a sanitizer, the host or the program's own words.
    fn reason(&self) -> Option<Cow<'_, str>> {
        reason(&self.run.outcome, &self.run.stderr)
    }
}

impl ReplayArgs {
    /// Runs the command.
    pub fn run(mut self) -> Result<ExitCode> {
        let mut tests = self.stored_tests()?;
        self.export_entry(&tests);
        self.program.callbacks = tests.iter().flat_map(|(_, test)| test.input.callbacks()).collect();
        let target = self.program.load()?;
        if self.test.is_empty() {
            let inputs = self.input.inputs(&target, target.entry.as_deref())?;
            tests.extend(inputs.into_iter().map(|(name, input)| (name, Test::new(input, None))));
        }
        if let (false, Some(name)) = (self.test.is_empty(), target.stubs.keys().next()) {
            bail!(
                "a test says itself what `{name}` answers; with `--test`, `--stub` is for functions of modules"
            );
        }
        let limits = self.limits.limits()?;
        let module = self.memory.check(&target.program, PlainModule::new(&target.program, &limits)?)?;
        let mut replayed = Vec::new();
        let mut coverage = self.coverage.then(|| Coverage::new(&target.program));
        for (name, test) in tests {
            let limits = self.limits.of_test(&limits, &test);
            let run = match self.coverage {
                true => module.run_with_coverage(&test.input, &limits),
                false => module.run(&test.input, &limits),
            };
            let run = match self.test.is_empty() {
                true => run?,
                false => run.with_context(|| name.clone())?,
            };
            if let (Some(all), Some(this)) = (&mut coverage, &run.coverage) {
                all.merge(this);
            }
            note_unused(&test.input, &run);
            let trace = self.trace.map(|lines| Trace::new(&target, &test.input, &limits, lines, &run));
            replayed.push(Replayed { name, test, run, trace: trace.transpose()?, fuel: limits.fuel });
        }
        if let (Some(file), [replayed]) = (&self.save, &replayed[..]) {
            save(file, replayed, self.input.surroundings.copies_directories())?;
        }
        let mut out = std::io::stdout().lock();
        match self.json {
            true => json::print(&mut out, &self.program.name(), &target, &replayed, coverage.as_ref())?,
            false => human::print(&mut out, &target, &replayed, coverage.as_ref())?,
        }
        target.note_damage();
        Ok(ExitCode::from(u8::from(replayed.iter().any(Replayed::failed))))
    }

    /// The tests that `--test` names; those that name no entry function get that of the command line.
    fn stored_tests(&self) -> Result<Vec<(String, Test)>> {
        let mut tests = Vec::new();
        for path in &self.test {
            for file in test_files(path)? {
                tests.push((file.display().to_string(), stored_test(&file, &self.program)?));
            }
        }
        Ok(tests)
    }

    /// Has the entry function of the tests exported, if they agree on one and the user named no other.
    fn export_entry(&mut self, tests: &[(String, Test)]) {
        let entries: BTreeSet<&String> =
            tests.iter().filter_map(|(_, test)| test.input.entry.as_ref()).collect();
        if self.program.entry.is_none() && entries.len() == 1 {
            self.program.entry = entries.into_iter().next().cloned();
        }
    }
}

/// Says what of an input the run made no use of: a slip of the pen looks like a result otherwise.
fn note_unused(input: &Input, run: &Run) {
    let asked = &run.asked.requests;
    let more = input.values.len().saturating_sub(asked.len());
    if more > 0 {
        let given = input.values.len();
        note(format_args!(
            "the program asked for {} of the {given} values, the last {more} had no effect",
            asked.len()
        ));
    }
    for (given, asked) in input.values.iter().zip(asked) {
        if !given.name.is_empty() && given.name != asked.name {
            note(format_args!("the value that is called `{}` was given to `{}`", given.name, asked.name));
        }
    }
    if let Some((number, _)) = input.faults.iter().find(|&(&number, _)| number > run.asked.io_calls) {
        let calls = run.asked.io_calls;
        note(format_args!(
            "the run has {calls} reads and writes: the fault of number {number} had no effect"
        ));
    }
}

/// Writes a run as a test, whole or not at all; of directories that were copied only what the run asked for.
fn save(file: &Path, replayed: &Replayed, with_copies: bool) -> Result<()> {
    let Replayed { test, run, .. } = replayed;
    let mut input = Input { values: run.asked.requests.clone(), ..test.input.clone() };
    if with_copies {
        input.files.retain(|path, _| !run.asked.unknown_files.contains(path));
    }
    let json = Test::new(input, Some(replayed.verdict())).seen_with(replayed.fuel).to_json();
    let directory = file.parent().filter(|directory| *directory != Path::new("")).unwrap_or(Path::new("."));
    let failed = || format!("cannot write {}; name a file in a directory that exists", file.display());
    let mut temporary = tempfile::NamedTempFile::new_in(directory).with_context(failed)?;
    temporary.as_file_mut().write_all(json.as_bytes()).with_context(failed)?;
    temporary.persist(file).with_context(failed)?;
    Ok(())
}

/// The file, or the JSON files of the directory in the order of their names.
fn test_files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let list = || -> std::io::Result<Vec<PathBuf>> {
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
    };
    let mut files = list().with_context(|| format!("cannot read {}", path.display()))?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    if files.is_empty() {
        bail!("there is no test (.json) in {}; name a directory with tests", path.display());
    }
    Ok(files)
}
