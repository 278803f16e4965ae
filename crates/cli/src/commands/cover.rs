//! `coax cover`: find inputs that cover a program, and write them down as tests.

mod baseline;
mod compare;
mod conclusion;
mod emit;
mod human;
mod journal;
pub mod last_resort;
mod output;
mod progress;
mod samples;
mod seeds;
mod sync;
pub mod watch;

use super::reach::{Aims, Pursuit, Trying, Wanted};
use crate::args::{ProgramArgs, Target as LoadedProgram, note};
use crate::input::InputArgs;
use crate::interrupt;
use crate::memory::MemoryArgs;
use crate::units;
use crate::unknown::UnknownArgs;
use anyhow::{Result, bail};
use baseline::Baseline;
use clap::Args;
use coax_execute::{Coverage, Entry, Input, Limits, PlainModule, SymbolicModule, TraceFrame, joinable};
use coax_program::{Func, Program};
use coax_report::Times;
use coax_report::formats::Format;
use coax_report::summary::Summary;
use coax_search::{
    Approach, Findings, Imprecision, Options, Stop, Subject, Target, Toward, Workshop, search,
};
use compare::Compared;
use conclusion::Conclusion;
use journal::JournalFile;
use last_resort::{Board, Watched};
use output::{Claim, Output};
use progress::Teller;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use sync::SyncDirectory;
use watch::Clock;

/// What a term of a run, a term of a slot and a decision of the tree take of the memory that there may be, in bytes: how many of each
/// are kept follows from `--max-memory`.
const PER_TERM_OF_RUN: u64 = 1_000;
const PER_TERM_OF_SLOT: u64 = 2_000;
const PER_NODE: u64 = 500;
/// A run's files may have one byte of so many; several runs are made at a time.
const PER_FILE_BYTE: u64 = 64;
/// What is kept of each output of a run: a report shows the end of an error's message, not more.
const CAPTURED_BYTES: usize = 1 << 20;

/// What the report takes of the time for each branch and each function, and of the memory for each branch, about; and which part of both it may take at most.
const REPORT_PER_BRANCH: Duration = Duration::from_micros(20);
const REPORT_PER_FUNCTION: Duration = Duration::from_micros(5);
const REPORT_BYTES_PER_BRANCH: u64 = 500;
const REPORT_PART: u32 = 5;

/// What came before the search is told if it took so long.
const WORTH_TELLING: Duration = Duration::from_secs(1);

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
    /// How long to search: compilers, and what is prepared before the search begins, take their time beside it
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s")]
    time: Duration,
    /// How long all may take together, with compilers and preparing
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    total_time: Option<Duration>,
    /// Executions of the instrumented program
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    max_runs: Option<u64>,
    /// What random choices are made from
    #[arg(long, value_name = "NUMBER", value_parser = units::whole, default_value = "1")]
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
    #[arg(long, value_name = "COUNT", value_parser = units::workers)]
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
    pub summary: Summary,
    /// What coax ends with.
    pub code: u8,
}

impl CoverArgs {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        match self.compare {
            true => compare::run(&self),
            false => self.search_for(None),
        }
    }

    /// What all searches of the command may use together, from now on; it is watched.
    #[expect(clippy::disallowed_methods, reason = "all may take so long and no longer")]
    fn begin(&self) -> interrupt::Most {
        let end = self.total_time.map(|total| Instant::now() + total);
        let most = interrupt::Most { end, memory: self.max_memory };
        interrupt::watch(most);
        most
    }

    /// Searches for what is wanted, or for everything, and prints what came of it.
    pub fn search_for(self, wanted: Option<Wanted>) -> Result<ExitCode> {
        if self.compare {
            bail!("`--compare` is about what is covered; use it with `coax cover`");
        }
        let most = self.begin();
        Ok(ExitCode::from(self.search(wanted, most, None)?.code))
    }

    #[expect(clippy::disallowed_methods, reason = "the search may take so long and no longer")]
    fn search(
        mut self,
        wanted: Option<Wanted>,
        most: interrupt::Most,
        compared: Option<&Compared>,
    ) -> Result<Searched> {
        let begin = Instant::now();
        interrupt::prepares("interrupted before the search began; nothing was written");
        self.input.begins_search = true;
        let default = if wanted.is_some() { "coax-reach" } else { "coax-out" };
        let directory = self.out.clone().unwrap_or_else(|| default.into());
        let claim = self.claim(&directory)?;
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
        let mut in_scope: Vec<bool> =
            target.program.functions.ids().map(|func| target.in_scope(func)).collect();
        if let Some(aims) = aims.as_ref().filter(|aims| aims.are_led_to()) {
            aims.add_scope(&mut in_scope);
        }
        let targets = aims.as_ref().map(Aims::targets).unwrap_or_default();
        let modules = self.program.modules();
        let plain = PlainModule::cached(&target.program, &limits, modules.as_deref())?;
        let plain = Arc::new(self.memory.check(&target.program, plain)?);
        let engine = self.program.symbolic_engine(&limits)?;
        let led_to: BTreeSet<Func> = targets.iter().flat_map(Target::functions).collect();
        let matters = |func: Func| in_scope[func.0 as usize] || led_to.contains(&func);
        let joined = joinable(&target.program, matters);
        let approach = Arc::new(Approach::new(&target.program, &engine, &functions, &joined)?);
        let refuses =
            |input: &Input| self.refusal(&target.program, approach.symbolic(), &entry, input, &limits);
        let mut seeds = Vec::new();
        for directory in &self.seeds {
            seeds.extend(seeds::of_directory(directory, &base, &refuses)?);
        }
        // From here on the directory is written to: what is wrong with what the user gave must have been told.
        approach.symbolic().accepts(&base, self.input.symbols_of_search(), &limits)?;
        plain.prepare(&base, &limits);
        let output = Output::new(&directory, claim, self.fuel)?;
        let (stop, clock, board) = (Stop::default(), Clock::default(), Board::default());
        let conclusion = Conclusion {
            args: &self,
            target: &target,
            entry: &entry,
            in_scope: &in_scope,
            directory: &directory,
            baseline: baseline.as_ref(),
            begin,
            compile: target.compile_time,
            clock: &clock,
            compared,
        };
        let conclude = |findings: &Findings, aims: Option<&Aims>, is_written: &dyn Fn(u8)| {
            output.take_over()?;
            Ok(conclusion.draw((findings, aims), &output, &|| {}, is_written)?.code)
        };
        let watched = Watched {
            board: &board,
            stop: &stop,
            max_memory: self.max_memory,
            program: &target.program,
            in_scope: &in_scope,
            conclude: &conclude,
        };
        tell_time_before(&conclusion.times());
        interrupt::searches(&stop);
        thread::scope(|scope| {
            let _watch = watched.watch(scope)?;
            // What is asked of the places that are to be reached is part of the search.
            if aims.is_some() {
                clock.start();
            }
            let (time, memory) = self.for_report(&target, &in_scope);
            let most = interrupt::Most { memory: most.memory - memory, ..most };
            watch::end_after(&stop, &clock, self.time - time, most);
            let is_own = |frame: &TraceFrame| target.is_own(frame);
            let place = |offset: u32| match target.program.frames(offset).first() {
                Some(frame) => frame.to_string(),
                None => format!("offset {offset:#x}"),
            };
            let run = |input: &Input| plain.run_with_coverage(input, &limits).ok();
            let (is_for_all, is_behind_only) =
                (aims.is_none(), aims.as_ref().is_some_and(Aims::are_behind_only));
            let mut pursuit = aims.as_mut().map(|aims| {
                let symbols = self.input.symbols_of_search();
                let workshop = Workshop::default();
                let trying = Trying { like: &base, run: &run, workshop, symbols, limits: &limits };
                // What is done must not depend on the clock if that is not what is to end the search.
                let time = self.max_runs.is_none().then_some(self.time);
                Pursuit::new(&target.program, aims, trying, &place, (&stop, time), &board)
            });
            inputs.extend(pursuit.iter_mut().flat_map(Pursuit::first_inputs));
            if !is_behind_only {
                inputs.extend(base.with_negative_lengths());
            }
            let toward = pursuit.as_ref().and_then(|pursuit| pursuit.toward());
            let subject = Subject {
                program: &target.program,
                approach: Arc::clone(&approach),
                engine,
                plain: Arc::clone(&plain),
                symbols: self.input.symbols_of_search(),
                limits: limits.clone(),
                in_scope: in_scope.clone(),
                targets,
                toward,
                is_own: &is_own,
            };
            inputs.append(&mut seeds);
            let options = Options {
                // What was found by looking backwards is run, and nothing else, if that is all that is wanted.
                max_runs: if is_behind_only { Some(inputs.len() as u64) } else { self.max_runs },
                mutate: !self.no_mutate && !is_behind_only,
                // Of what is to be reached there are better ones.
                proofs: is_for_all,
                ..self.options()
            };
            let mut teller = Teller::new(
                &target.program,
                &output,
                sync,
                &refuses,
                pursuit.as_mut(),
                (&clock, &board, &stop),
            );
            let may_become = options.auto_unknown && options.imprecision == Imprecision::HigherOrder;
            let known = samples::read(&output, &target.program, &functions, may_become)?;
            let identity = identity(&subject, &functions, &inputs, &options)?;
            let begin_anew = || begin_anew(&output);
            let mut journal = JournalFile::open(
                output.directory(),
                &identity,
                options.epoch,
                (clock.clone(), stop.clone()),
                begin_anew,
            )?;
            if journal.batches() > 0 {
                // What an earlier search did takes no time of this one's.
                clock.pause();
                note(format_args!("going on with the search of {}", directory.display()));
            }
            // What was found after the last point from which it can go on exactly is not lost. (With `--max-runs` it will be found again.)
            if journal.is_begun() && self.max_runs.is_none() {
                teller.begin_with(seeds::tests_in(output.tests()?, &base, &refuses));
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
            if !board.take() {
                interrupt::wait_for_end();
            }
            conclusion.draw((&findings, aims.as_ref()), &output, &interrupt::writes, &|_| {})
        })
    }

    /// The directory of `--out`, if it is there: nobody else writes to it from now on. Where a link leads that nobody named is not coax's business.
    fn claim(&self, directory: &Path) -> Result<Option<Claim>> {
        if self.out.is_none() && directory.is_symlink() {
            bail!(
                "{} is a link, which may lead anywhere; name the directory that you mean with `--out`",
                directory.display()
            );
        }
        Claim::existing(directory)
    }

    /// What the search may do, as far as the command line says it.
    fn options(&self) -> Options {
        let workers =
            self.workers.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
        Options {
            seed: self.seed,
            workers,
            max_terms: (self.max_memory / PER_TERM_OF_SLOT) as usize,
            max_nodes: (self.max_memory / PER_NODE) as usize,
            imprecision: self.unknown.imprecision(),
            auto_unknown: self.unknown.auto_unknown(),
            direct_calls: self.unknown.direct_calls(),
            ..Options::default()
        }
    }

    /// Why an input from elsewhere cannot be one of this search, as a sentence.
    fn refusal(
        &self,
        program: &Program,
        module: &SymbolicModule<'_>,
        entry: &Entry,
        input: &Input,
        limits: &Limits,
    ) -> Option<String> {
        let symbols = self.input.symbols_of_search();
        match Entry::find(program, input.entry.as_deref()) {
            Ok(found) if found.func != entry.func => Some(format!("it is for `{}`", found.name())),
            _ if seeds::longest_text(input) > symbols.longest => {
                Some(format!("it is a string of more than {} bytes (`--max-len`)", symbols.longest))
            }
            _ => {
                let error = module.accepts(input, symbols, limits).err()?;
                error.to_string().lines().next().map(|line| line.trim_end_matches('.').to_owned())
            }
        }
    }

    /// How much of the time and the memory is kept for the report.
    fn for_report(&self, target: &LoadedProgram, in_scope: &[bool]) -> (Duration, u64) {
        let counts = Coverage::new(&target.program).counts(&target.program, |func| in_scope[func.0 as usize]);
        let branches = u32::try_from(counts.branches.total).unwrap_or(u32::MAX);
        let functions = u32::try_from(counts.functions.total).unwrap_or(u32::MAX);
        let time = REPORT_PER_BRANCH.saturating_mul(branches) + REPORT_PER_FUNCTION.saturating_mul(functions);
        let bytes = REPORT_BYTES_PER_BRANCH.saturating_mul(counts.branches.total);
        (time.min(self.time / REPORT_PART), bytes.min(self.max_memory / u64::from(REPORT_PART)))
    }
}

/// Says how long it took until the search begins, if that was long.
fn tell_time_before(Times { compile, prepare, .. }: &Times) {
    if *compile + *prepare >= WORTH_TELLING {
        let [compile, prepare] = [compile, prepare].map(Duration::as_secs_f64);
        note(format_args!(
            "before the search: {compile:.1} s for compilers, {prepare:.1} s to prepare the module"
        ));
    }
}

/// Removes what a search has left that was another one.
fn begin_anew(output: &Output) -> Result<()> {
    let removed = output.remove_tests(&BTreeSet::new())?;
    if removed > 0 {
        let (tests, are) = if removed == 1 { ("test", "is") } else { ("tests", "are") };
        note(format_args!("{removed} {tests} of an earlier search, which was another one, {are} removed"));
    }
    Ok(())
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
    let build = concat!(env!("CARGO_PKG_VERSION"), "+", env!("COAX_SOURCES"));
    Ok(format!("coax {build} {}", hasher.finalize().to_hex()))
}
