//! What a search has found, written down and printed.

use super::baseline::{self, Baseline};
use super::compare::Compared;
use super::output::Output;
use super::watch::Clock;
use super::{CoverArgs, Searched, emit, human, samples};
use crate::args::{Target, note};
use crate::commands::reach::Aims;
use crate::interrupt;
use anyhow::Result;
use coax_execute::{Entry, TraceFrame};
use coax_program::Func;
use coax_report::summary::{self, Command, Summary};
use coax_report::{Report, Times};
use coax_search::{Findings, Kept, StopReason};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// All that is needed for that, beside the findings.
pub struct Conclusion<'a> {
    pub args: &'a CoverArgs,
    pub target: &'a Target,
    pub entry: &'a Entry,
    pub in_scope: &'a [bool],
    pub directory: &'a Path,
    pub baseline: Option<&'a Baseline<'a>>,
    /// When all began, and what compilers took of it.
    pub begin: Instant,
    pub compile: Duration,
    pub clock: &'a Clock,
    /// Where a search is told that is compared with others.
    pub compared: Option<&'a Compared>,
}

impl Conclusion<'_> {
    /// Says what was found. Who calls is told before something is written, and with which code coax will end as soon as what must be there is there.
    pub fn draw(
        &self,
        (findings, aims): (&Findings, Option<&Aims>),
        output: &Output,
        begins_to_write: &dyn Fn(),
        is_written: &dyn Fn(u8),
    ) -> Result<Searched> {
        let target = self.target;
        let is_own = |frame: &TraceFrame| target.is_own(frame);
        let report = Report {
            program: &target.program,
            command: if aims.is_some() { Command::Reach } else { Command::Cover },
            name: self.args.program.name(),
            entry: self.entry.name(),
            seed: self.args.seed,
            times: self.times(),
            findings,
            in_scope: &|func: Func| self.in_scope.get(func.0 as usize).copied().unwrap_or(false),
            place_in_scope: &|offset| target.place_in_scope(offset),
            frames_in_scope: &|offset| target.frames_in_scope(offset),
            is_own: &is_own,
            source: &|file| target.source(file),
            lines: Default::default(),
            names: Default::default(),
        };
        let mut summary = summary::summary(&report);
        if let Some(aims) = aims {
            let name = |test: &Kept| report.test_name(test);
            summary.targets = aims.summary(&target.program, findings, &name, human::ended(findings));
        }
        if let Some(baseline) = self.baseline {
            baseline.mark(&mut summary.bugs);
        }
        let makes_baseline = self.args.baseline.is_some() && self.baseline.is_none();
        let code = summary.exit_code(makes_baseline);
        let lines = summary::lines(&report);
        begins_to_write();
        // One that was not needed may have had the name of one that stays.
        for test in &findings.tests {
            if !output.has_written(&report.test_name(test)) {
                output.test(&target.program, test)?;
            }
        }
        // A search that was interrupted may have left tests that came out otherwise when it went on.
        output.remove_tests(&findings.tests.iter().map(|test| report.test_name(test)).collect())?;
        samples::write(output, &target.program, findings)?;
        output.report(&summary, &lines)?;
        let code = self.compared.map_or(code, |compared| compared.learn(&summary));
        is_written(code);
        self.print(&report, &summary, aims)?;
        if let (Some(file), None) = (&self.args.baseline, self.baseline) {
            baseline::write(file, &summary.bugs)?;
        }
        // This may take long, as tests are run on this machine: it is the last that is done.
        if !findings.is_cut_off && !self.args.emit.is_empty() {
            interrupt::emits(code);
            emit::emit(&self.args.emit, &report, &self.args.program, output)?;
            interrupt::writes();
        }
        Ok(Searched { summary, code })
    }

    /// How long it took so far.
    pub fn times(&self) -> Times {
        let search = self.clock.elapsed();
        let prepare = self.begin.elapsed().saturating_sub(search).saturating_sub(self.compile);
        Times { compile: self.compile, prepare, search }
    }

    fn print(&self, report: &Report<'_>, summary: &Summary, aims: Option<&Aims>) -> Result<()> {
        let (findings, mut out) = (report.findings, std::io::stdout().lock());
        match (self.args.json, aims) {
            _ if self.compared.is_some() => {}
            (true, _) => {
                serde_json::to_writer_pretty(&mut out, summary)?;
                writeln!(out)?;
            }
            (false, Some(aims)) => {
                human::print_failures(&mut out, report, &summary.bugs)?;
                aims.print(&mut out, &self.target.program, &summary.targets)?;
            }
            (false, None) => human::print(&mut out, report, &summary.bugs, self.directory)?,
        }
        if findings.is_cut_off {
            let why = match findings.stop {
                StopReason::Memory => "used up its memory",
                _ => "did not end in time",
            };
            note(format_args!(
                "the search {why} and was cut off: what its last batch found is missing, and reasons for what is not covered"
            ));
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
        self.target.note_damage();
        Ok(())
    }
}
