//! `coax cover`: find inputs that cover a program, and write them down as tests.

mod emit;
mod human;
mod output;
mod progress;

use crate::args::{ProgramArgs, note};
use crate::input::InputArgs;
use crate::memory::MemoryArgs;
use crate::units;
use anyhow::{Context, Result};
use clap::Args;
use coax_execute::{Entry, Limits, PlainModule, Variant};
use coax_report::Report;
use coax_report::formats::Format;
use coax_search::{Options, Stop, StopReason, Subject, search};
use output::Output;
use progress::Teller;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

/// What one run may remember: a path that is longer is cut short there, which is told.
const MAX_TERMS: u64 = 4_000_000;

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Find inputs that cover a program, and write them down as tests
#[derive(Args)]
pub struct CoverArgs {
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    input: InputArgs,
    /// Where tests and reports are written
    #[arg(long, value_name = "DIR", default_value = "coax-out")]
    out: PathBuf,
    /// How long to search
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s")]
    time: Duration,
    /// Executions of the instrumented program
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    max_runs: Option<u64>,
    /// What random choices are made from
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Threads; they change how long it takes, nothing else [default: as many as the machine has cores]
    #[arg(long, value_name = "COUNT")]
    workers: Option<usize>,
    /// Instructions that a run may execute before it counts as one that never ends, about
    #[arg(long, value_name = "COUNT", value_parser = units::count, default_value = "100M")]
    fuel: u64,
    #[command(flatten)]
    memory: MemoryArgs,
    /// Formats of other tools to write as well, a folder for each: ktest, testcomp, corpus, c, rust, lcov, sarif, junit, html. Tests in
    /// C and Rust are run on this machine before they are written, outside the sandbox
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = emit::format)]
    emit: Vec<&'static Format>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl CoverArgs {
    /// Runs the command.
    #[expect(clippy::disallowed_methods, reason = "the search may take so long and no longer")]
    pub fn run(self) -> Result<ExitCode> {
        let begin = Instant::now();
        let target = self.program.load()?;
        let entry_name = self.program.entry.as_deref();
        let seeds: Vec<_> =
            self.input.inputs(&target, entry_name)?.into_iter().map(|(_, input)| input).collect();
        let entry = Entry::find(&target.program, entry_name)?;
        let limits = Limits { fuel: self.fuel, terms: MAX_TERMS, ..Limits::default() };
        let output = Output::new(&self.out)?;
        let subject = Subject {
            program: &target.program,
            symbolic: self.program.symbolic_engine(&limits)?.module(&target.program, Variant::Light)?,
            plain: self.memory.check(PlainModule::new(&target.program, &limits)?)?,
            symbols: self.input.symbols_of_search(),
            limits,
            in_scope: target.program.functions.ids().map(|func| target.in_scope(func)).collect(),
        };
        let workers =
            self.workers.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
        let options = Options { max_runs: self.max_runs, seed: self.seed, workers, ..Options::default() };
        let stop = Stop::default();
        end_after(&stop, self.time.saturating_sub(begin.elapsed()));
        end_on_interrupt(&stop)?;
        let mut teller = Teller::new(&target.program, &output, begin);
        let findings = search(&subject, seeds, &options, &stop, &mut teller)?;
        teller.finish()?;
        let report = Report {
            program: &target.program,
            command: "cover",
            name: self.program.name(),
            entry: entry.name(),
            seed: self.seed,
            time: begin.elapsed(),
            findings: &findings,
            in_scope: &|func| target.in_scope(func),
            place_in_scope: &|offset| target.place_in_scope(offset),
            lines: Default::default(),
        };
        let summary = coax_report::summary(&report);
        output.report(&summary)?;
        emit::emit(&self.emit, &report, &self.program, &output)?;
        let mut out = std::io::stdout().lock();
        match self.json {
            true => {
                serde_json::to_writer_pretty(&mut out, &summary)?;
                writeln!(out)?;
            }
            false => human::print(&mut out, &report, &self.out)?,
        }
        if findings.progress.divergences > 0 {
            note(format_args!(
                "{} runs did not go where they should have gone: nothing is called proved",
                findings.progress.divergences
            ));
        }
        target.note_damage();
        Ok(ExitCode::from(u8::from(!findings.failures.is_empty())))
    }
}

/// Ends the search when the user wants to; a second time, coax itself.
fn end_on_interrupt(stop: &Stop) -> Result<()> {
    let stop = stop.clone();
    let handler = move || match stop.reason() {
        Some(StopReason::Interrupted) => std::process::exit(INTERRUPTED),
        _ => stop.now(StopReason::Interrupted),
    };
    ctrlc::set_handler(handler).context("cannot wait for Ctrl-C")
}

/// Ends the search after a while.
fn end_after(stop: &Stop, time: Duration) {
    let stop = stop.clone();
    thread::spawn(move || {
        thread::sleep(time);
        stop.now(StopReason::Time);
    });
}
