//! What is said and written while the search goes on.

use super::output::Output;
use anyhow::Result;
use coax_program::Program;
use coax_search::{Kept, Observer, Progress};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often the numbers are told: on a terminal, and elsewhere.
const ON_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// Tells a person how far the search is, and writes tests as they are found.
pub struct Teller<'a> {
    program: &'a Program,
    output: &'a Output,
    begin: Instant,
    told: Instant,
    is_terminal: bool,
    /// The first thing that could not be written.
    failed: Option<anyhow::Error>,
}

impl<'a> Teller<'a> {
    pub fn new(program: &'a Program, output: &'a Output, begin: Instant) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Teller { program, output, begin, told: begin, is_terminal, failed: None }
    }

    /// The search is over; fails if something could not be written.
    pub fn finish(self) -> Result<()> {
        if self.is_terminal {
            eprint!("\r\x1b[K");
        }
        self.failed.map_or(Ok(()), Err)
    }
}

impl Observer for Teller<'_> {
    fn found(&mut self, test: &Kept) {
        if let Err(error) = self.output.test(self.program, test) {
            self.failed.get_or_insert(error);
        }
    }

    fn dropped(&mut self, test: &Kept) {
        if let Err(error) = self.output.remove(self.program, test) {
            self.failed.get_or_insert(error);
        }
    }

    #[expect(clippy::disallowed_methods, reason = "a person wants to know how fast it goes")]
    fn progress(&mut self, progress: &Progress) {
        let now = Instant::now();
        let pause = if self.is_terminal { ON_TERMINAL } else { ELSEWHERE };
        if now - self.told < pause {
            return;
        }
        self.told = now;
        let seconds = (now - self.begin).as_secs_f64();
        let line = format!(
            "{seconds:.0} s: {}/{} branches, {} tests, {} failures; {} runs, {} mutations ({:.0}/s), {} questions, {} open",
            progress.covered,
            progress.total,
            progress.tests,
            progress.failures,
            progress.runs,
            progress.mutations,
            (progress.runs + progress.mutations) as f64 / seconds,
            progress.solver.queries,
            progress.open,
        );
        match self.is_terminal {
            true => eprint!("\r\x1b[K{line}"),
            false => eprintln!("{line}"),
        }
    }
}
