//! `coax cover`: find inputs that cover a program, and write them down as tests.

mod baseline;
mod compare;
mod emit;
mod human;
mod journal;
mod output;
mod progress;
mod samples;
mod seeds;
mod sync;
pub mod watch;

use super::reach::{Aims, Pursuit, Trying, Wanted};
use crate::args::{ProgramArgs, note};
use crate::input::InputArgs;
use crate::memory::MemoryArgs;
use crate::units;
use crate::unknown::UnknownArgs;
use anyhow::{Result, bail};
use baseline::Baseline;
use clap::Args;
use coax_execute::{Coverage, Entry, Input, Limits, PlainModule, TraceFrame, joinable};
use coax_program::Func;
use coax_report::Report;
use coax_report::formats::Format;
use coax_search::{
    Approach, Imprecision, Kept, Options, Stop, StopReason, Subject, Target, Toward, Workshop, search,
};
use journal::JournalFile;
use output::Output;
use progress::Teller;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use sync::SyncDirectory;
use watch::Interrupt;

/// What a term of a run, a term of a slot and a decision of the tree take of the memory that there may be, in bytes: how many of each
/// are kept follows from `--max-memory`.
const PER_TERM_OF_RUN: u64 = 1_000;
const PER_TERM_OF_SLOT: u64 = 2_000;
const PER_NODE: u64 = 500;
/// A run's files may have one byte of so many; several runs are made at a time.
const PER_FILE_BYTE: u64 = 64;
/// What is kept of each output of a run: a report shows the end of an error's message, not more.
const CAPTURED_BYTES: usize = 1 << 20;

/// What the report takes of the time for each branch, about, and which part of the time it may take at most.
const REPORT_PER_BRANCH: Duration = Duration::from_micros(40);
const REPORT_PART: u32 = 10;

/// Find inputs that cover a program, and write them down as tests
#[derive(Args, Clone)]
pub struct CoverArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    input: InputArgs,
    /// Where tests and reports are written [default: coax-out; of `coax reach`, coax-reach]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How long to search
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s")]
    time: Duration,
    /// Executions of the instrumented program
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    max_runs: Option<u64>,
    /// What random choices are made from
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Begin with the inputs in this directory as well: tests of coax's, or files with the bytes of the input; may be repeated
    #[arg(long, value_name = "DIR")]
    seeds: Vec<PathBuf>,
    /// Exchange inputs with a fuzzer that is running: libFuzzer's corpus, or the output directory of AFL
    #[arg(long, value_name = "DIR")]
    sync_dir: Option<PathBuf>,
    /// How much memory coax may use
    #[arg(long, value_name = "SIZE", value_parser = units::size, default_value = "2G")]
    max_memory: u64,
    /// Failures that are known: they do not count. A file that does not exist is written
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Threads; they change how long it takes, nothing else [default: as many as the machine has cores]
    #[arg(long, value_name = "COUNT")]
    workers: Option<usize>,
    /// Instructions that a run may execute before it counts as one that never ends, about
    #[arg(long, value_name = "COUNT", value_parser = units::count, default_value = "100M")]
    fuel: u64,
    /// Do not try inputs that are changed at random between questions
    #[arg(long)]
    no_mutate: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    unknown: UnknownArgs,
    /// Formats of other tools to write as well, a folder for each: ktest, testcomp, corpus, c, rust, lcov, sarif, junit, html. Tests in
    /// C and Rust are run on this machine before they are written, outside the sandbox
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = emit::format)]
    emit: Vec<&'static Format>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Search once with each treatment of the functions that are named (`--imprecision`), each in a directory of its own, and print what came of it as a table
    #[arg(long, requires = "unknown", conflicts_with_all = ["imprecision", "baseline", "json", "sync_dir"])]
    compare: bool,
}

/// What came of a search.
pub struct Searched {
    /// The report.
    pub summary: Value,
    /// What coax ends with.
    pub code: ExitCode,
}

impl CoverArgs {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        match self.compare {
            true => compare::run(&self),
            false => self.search_for(None),
        }
    }

    /// Searches for what is wanted, or for everything, and prints what came of it.
    pub fn search_for(self, wanted: Option<Wanted>) -> Result<ExitCode> {
        if self.compare {
            bail!("`--compare` is about what is covered; use it with `coax cover`");
        }
        Ok(self.search(wanted, &Interrupt::new()?)?.code)
    }

    #[expect(clippy::disallowed_methods, reason = "the search may take so long and no longer")]
    fn search(mut self, wanted: Option<Wanted>, interrupt: &Interrupt) -> Result<Searched> {
        self.input.begins_search = true;
        let default = if wanted.is_some() { "coax-reach" } else { "coax-out" };
        let directory = self.out.clone().unwrap_or_else(|| default.into());
        let begin = Instant::now();
        let target = self.program.load()?;
        let entry_name = target.entry.as_deref();
        let mut inputs: Vec<_> =
            self.input.inputs(&target, entry_name)?.into_iter().map(|(_, input)| input).collect();
        let base = inputs.first().cloned().unwrap_or_default();
        let sync =
            self.sync_dir.as_deref().map(|directory| SyncDirectory::new(directory, &base)).transpose()?;
        let entry = Entry::find(&target.program, entry_name)?;
        let mut aims = wanted.map(|wanted| wanted.find(&target, &entry, &directory)).transpose()?;
        let limits = Limits {
            fuel: self.fuel,
            terms: self.max_memory / PER_TERM_OF_RUN,
            is_tight: false,
            captured_bytes: CAPTURED_BYTES,
            file_bytes: (self.max_memory / PER_FILE_BYTE).min(Limits::default().file_bytes),
            ..Limits::default()
        };
        let functions = self.unknown.functions(&target.program, &entry, |func| target.in_scope(func))?;
        let baseline = self.baseline.as_deref().map(Baseline::read).transpose()?.flatten();
        let stop = Stop::default();
        interrupt.ends(&stop);
        let place = |offset: u32| match target.program.frames(offset).first() {
            Some(frame) => frame.to_string(),
            None => format!("offset {offset:#x}"),
        };
        // What is done must not depend on the clock if that is not what is to end the search.
        let time = self.max_runs.is_none().then_some(self.time);
        let mut in_scope: Vec<bool> =
            target.program.functions.ids().map(|func| target.in_scope(func)).collect();
        if let Some(aims) = aims.as_ref().filter(|aims| aims.are_led_to()) {
            aims.add_scope(&mut in_scope);
        }
        let is_for_all = aims.is_none();
        let is_behind_only = aims.as_ref().is_some_and(Aims::are_behind_only);
        let modules = self.program.modules();
        let plain = PlainModule::cached(&target.program, &limits, modules.as_deref())?;
        let plain = Arc::new(self.memory.check(plain)?);
        let run = |input: &Input| plain.run_with_coverage(input, &limits).ok();
        let mut pursuit = aims.as_mut().map(|aims| {
            let symbols = self.input.symbols_of_search();
            let workshop = Workshop::default();
            let trying = Trying { like: &base, run: &run, workshop, symbols, limits: &limits };
            Pursuit::new(&target.program, aims, trying, &place, &stop, time)
        });
        inputs.extend(pursuit.iter_mut().flat_map(Pursuit::first_inputs));
        if stop.reason() == Some(StopReason::Interrupted) && !is_behind_only {
            bail!("interrupted before the search began; nothing was written");
        }
        let output = Output::new(&directory)?;
        let engine = self.program.symbolic_engine(&limits)?;
        let is_own = |frame: &TraceFrame| target.is_own(frame);
        let targets = pursuit.as_ref().map(|pursuit| pursuit.aims.targets()).unwrap_or_default();
        let toward = pursuit.as_ref().and_then(|pursuit| pursuit.toward());
        let led_to: BTreeSet<Func> = targets.iter().flat_map(Target::functions).collect();
        let matters = |func: Func| in_scope[func.0 as usize] || led_to.contains(&func);
        let joined = joinable(&target.program, matters);
        let subject = Subject {
            program: &target.program,
            approach: Arc::new(Approach::new(&target.program, &engine, &functions, &joined)?),
            engine,
            plain: Arc::clone(&plain),
            symbols: self.input.symbols_of_search(),
            limits: limits.clone(),
            in_scope,
            targets,
            toward,
            is_own: &is_own,
        };
        let refuses = |input: &Input| refusal(&subject, &entry, input);
        for directory in &self.seeds {
            inputs.extend(seeds::of_directory(directory, &base, &refuses)?);
        }
        let workers =
            self.workers.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
        let options = Options {
            // What was found by looking backwards is run, and nothing else, if that is all that is wanted.
            max_runs: if is_behind_only { Some(inputs.len() as u64) } else { self.max_runs },
            seed: self.seed,
            workers,
            mutate: !self.no_mutate && !is_behind_only,
            // Of what is to be reached there are better ones.
            proofs: is_for_all,
            max_terms: (self.max_memory / PER_TERM_OF_SLOT) as usize,
            max_nodes: (self.max_memory / PER_NODE) as usize,
            imprecision: self.unknown.imprecision(),
            auto_unknown: self.unknown.auto_unknown(),
            direct_calls: self.unknown.direct_calls(),
            ..Options::default()
        };
        let clock = watch::Clock::default();
        let time = self.time.saturating_sub(self.reserve(&subject)).saturating_sub(begin.elapsed());
        watch::end_after(&stop, &clock, time, self.max_memory);
        let mut teller = Teller::new(&target.program, &output, sync, &refuses, pursuit.as_mut(), begin);
        let begin_anew = || {
            let removed = output.remove_tests(&BTreeSet::new())?;
            if removed > 0 {
                let (tests, are) = if removed == 1 { ("test", "is") } else { ("tests", "are") };
                note(format_args!(
                    "{removed} {tests} of an earlier search, which was another one, {are} removed"
                ));
            }
            Ok(())
        };
        let may_become = options.auto_unknown && options.imprecision == Imprecision::HigherOrder;
        let known = samples::read(&directory, &target.program, &functions, may_become)?;
        let identity = identity(&subject, &functions, &inputs, &options)?;
        let mut journal = JournalFile::open(&directory, &identity, options.epoch, clock, begin_anew)?;
        if journal.batches() > 0 {
            note(format_args!("going on with the search of {}", directory.display()));
        }
        // What was found after the last point from which it can go on exactly is not lost. (With `--max-runs` it will be found again.)
        if journal.is_begun() && self.max_runs.is_none() {
            teller.begin_with(seeds::tests_in(&output.tests(), &base, &refuses));
        }
        // A search that begins anew must not know what it has learned itself.
        let known = if journal.is_begun() { Vec::new() } else { known.into_samples() };
        let mut findings = search(&subject, inputs, known, &options, &stop, &mut journal, &mut teller)?;
        teller.finish()?;
        journal.finish()?;
        if let Some(aims) = aims.as_ref().filter(|aims| aims.are_behind_only()) {
            findings.stop = stop.reason().unwrap_or_else(|| aims.end_of_looking());
        }
        if let Some(aims) = &mut aims {
            aims.learn(&target.program, &findings);
            findings.keep(|test| aims.is_reached_by(&target.program, test));
        }
        let report = Report {
            program: &target.program,
            command: if aims.is_some() { "reach" } else { "cover" },
            name: self.program.name(),
            entry: entry.name(),
            seed: self.seed,
            time: begin.elapsed(),
            findings: &findings,
            in_scope: &|func| subject.is_in_scope(func),
            place_in_scope: &|offset| target.place_in_scope(offset),
            is_own: &is_own,
            lines: Default::default(),
        };
        // One that was not needed may have had the name of one that stays.
        findings.tests.iter().try_for_each(|test| output.test(&target.program, test))?;
        // A search that was interrupted may have left tests that came out otherwise when it went on.
        output.remove_tests(&findings.tests.iter().map(|test| report.test_name(test)).collect())?;
        let mut summary = coax_report::summary(&report);
        summary["module"] = blake3::hash(&target.program.wasm).to_hex().as_str().into();
        let targets = aims.as_ref().map(|aims| {
            let name = |test: &Kept| report.test_name(test);
            aims.summary(&target.program, &findings, &name, human::ended(&findings))
        });
        if let (Some(targets), Some(aims)) = (&targets, &aims) {
            summary["targets"] = [targets.clone(), aims.bad_targets()].concat().into();
        }
        // The first time, all are written down, and none counts.
        let fails = match (&baseline, &self.baseline) {
            (Some(baseline), _) => baseline.mark(&mut summary["bugs"]) > 0,
            (None, Some(_)) => false,
            (None, None) => !findings.failures.is_empty(),
        };
        samples::write(&output, &target.program, &findings)?;
        output.report(&summary, &coax_report::lines(&report))?;
        emit::emit(&self.emit, &report, &self.program, &output)?;
        let mut out = std::io::stdout().lock();
        match self.json {
            _ if self.compare => {}
            true => {
                serde_json::to_writer_pretty(&mut out, &summary)?;
                writeln!(out)?;
            }
            false => match (&targets, &aims) {
                (Some(targets), Some(aims)) => {
                    human::print_failures(&mut out, &report, &summary["bugs"])?;
                    aims.print(&mut out, &target.program, targets)?;
                }
                _ => human::print(&mut out, &report, &summary["bugs"], &directory)?,
            },
        }
        if findings.progress.divergences > 0 {
            let divergences = findings.progress.divergences;
            let (runs, they) = if divergences == 1 { ("run", "it") } else { ("runs", "they") };
            note(format_args!(
                "{divergences} {runs} did not go where {they} should have gone: exploring all paths proves nothing then"
            ));
        }
        if let Some(first) = findings.not_run.first() {
            let count = findings.progress.not_run;
            let inputs = if count == 1 { "input" } else { "inputs" };
            note(format_args!(
                "{count} {inputs} could not be run, see `not_run` in the report; of the first: {}",
                first.what
            ));
        }
        if findings.contradicted > 0 {
            let count = findings.contradicted;
            note(format_args!(
                "{count} proofs of backward search are contradicted by runs, so do not trust the others; please report it"
            ));
        }
        target.note_damage();
        if let (Some(file), None) = (&self.baseline, &baseline) {
            baseline::write(file, &summary["bugs"])?;
        }
        let code = match (&aims, &targets) {
            (Some(aims), Some(targets)) => aims.exit_code(targets),
            _ => ExitCode::from(u8::from(fails)),
        };
        Ok(Searched { summary, code })
    }
}

impl CoverArgs {
    /// How much of the time is kept for the report.
    fn reserve(&self, subject: &Subject<'_>) -> Duration {
        let counts = Coverage::new(subject.program).counts(subject.program, |func| subject.is_in_scope(func));
        let branches = u32::try_from(counts.branches.total).unwrap_or(u32::MAX);
        REPORT_PER_BRANCH.saturating_mul(branches).min(self.time / REPORT_PART)
    }
}

/// Why an input from elsewhere cannot be one of this search, as a sentence.
fn refusal(subject: &Subject<'_>, entry: &Entry, input: &Input) -> Option<String> {
    let Subject { program, approach, symbols, limits, .. } = subject;
    match Entry::find(program, input.entry.as_deref()) {
        Ok(found) if found.func != entry.func => Some(format!("it is for `{}`", found.name())),
        _ if seeds::longest_text(input) > symbols.longest => {
            Some(format!("it is a string of more than {} bytes (`--max-len`)", symbols.longest))
        }
        _ => {
            let error = approach.symbolic().accepts(input, *symbols, limits).err()?;
            error.to_string().lines().next().map(|line| line.trim_end_matches('.').to_owned())
        }
    }
}

/// What makes a search another one: it would do something else.
fn identity(
    subject: &Subject<'_>,
    unknown: &BTreeSet<Func>,
    seeds: &[Input],
    options: &Options,
) -> Result<String> {
    let Subject { program, symbols, limits, in_scope, targets, toward, .. } = subject;
    let goals = toward.as_ref().map(Toward::goals);
    // Threads and limits change when it ends, not what it does.
    let options = Options { workers: 0, max_runs: None, ..options.clone() };
    let mut hasher = blake3::Hasher::new();
    hasher.update(&program.wasm);
    hasher.update(&serde_json::to_vec(seeds)?);
    hasher.update(
        format!("{symbols:?} {limits:?} {in_scope:?} {targets:?} {goals:?} {unknown:?} {options:?}")
            .as_bytes(),
    );
    Ok(format!("coax {} {}", env!("CARGO_PKG_VERSION"), hasher.finalize().to_hex()))
}
