//! What is said and written while the search goes on.

use super::human::counted;
use super::last_resort::Board;
use super::output::Output;
use super::seeds::Refuses;
use super::sync::SyncDirectory;
use super::watch::Clock;
use crate::commands::reach::Pursuit;
use anyhow::Result;
use coax_execute::Input;
use coax_program::Program;
use coax_search::{Kept, Observer, Standing, Stop, StopReason};
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the numbers are told: on a terminal, and elsewhere.
const ON_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(10);
/// How often the directory of a running fuzzer is looked at.
const SYNC: Duration = Duration::from_secs(1);

/// Tells a person how far the search is, and writes tests as they are found.
pub struct Teller<'a> {
    program: &'a Program,
    output: &'a Output,
    sync: Option<SyncDirectory>,
    refuses: &'a Refuses<'a>,
    /// What the search is for, if not for everything.
    pursuit: Option<&'a mut Pursuit<'a>>,
    /// Inputs that an earlier search has left.
    first: Vec<Input>,
    clock: &'a Clock,
    /// Where what was found is posted, in case that the search does not come to its end.
    board: &'a Board,
    /// When the fuzzer's directory was looked at.
    synced: Option<Instant>,
    told: Instant,
    is_terminal: bool,
    /// Ends the search if something cannot be written.
    stop: Stop,
    /// The first thing that could not be written.
    failed: Option<anyhow::Error>,
}

impl<'a> Teller<'a> {
    #[expect(clippy::disallowed_methods, reason = "a person wants to know how fast it goes")]
    pub fn new(
        program: &'a Program,
        output: &'a Output,
        sync: Option<SyncDirectory>,
        refuses: &'a Refuses<'a>,
        pursuit: Option<&'a mut Pursuit<'a>>,
        (clock, board, stop): (&'a Clock, &'a Board, &Stop),
    ) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Teller {
            program,
            output,
            sync,
            refuses,
            pursuit,
            first: Vec::new(),
            clock,
            board,
            synced: None,
            told: Instant::now(),
            is_terminal,
            stop: stop.clone(),
            failed: None,
        }
    }

    /// The search goes on with these inputs, before all others.
    pub fn begin_with(&mut self, inputs: Vec<Input>) {
        self.first = inputs;
    }

    /// What is not written down would be lost: the search ends.
    fn fail(&mut self, error: anyhow::Error) {
        self.failed.get_or_insert(error);
        self.stop.now(StopReason::Interrupted);
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
    fn found(&mut self, test: &Arc<Kept>) {
        self.board.found(test);
        let exported = self.sync.as_mut().map_or(Ok(()), |sync| sync.export(&test.input));
        if let Err(error) = self.output.test(self.program, test).and(exported) {
            self.fail(error);
        }
        if let Some(pursuit) = &mut self.pursuit {
            pursuit.found(test);
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the fuzzer's directory is not looked at all the time")]
    fn imported(&mut self) -> Vec<Input> {
        let mut inputs = std::mem::take(&mut self.first);
        inputs.extend(self.pursuit.iter_mut().flat_map(|pursuit| pursuit.more_inputs()));
        let Some(sync) = &mut self.sync else { return inputs };
        let now = Instant::now();
        if self.synced.is_some_and(|synced| now - synced < SYNC) {
            return inputs;
        }
        self.synced = Some(now);
        // What cannot be used is the fuzzer's own business.
        inputs.extend(sync.imported().into_iter().filter(|input| (self.refuses)(input).is_none()));
        inputs
    }

    fn last_imported(&mut self) -> Vec<Input> {
        self.pursuit.iter_mut().flat_map(|pursuit| pursuit.last_inputs()).collect()
    }

    fn dropped(&mut self, test: &Arc<Kept>) {
        self.board.dropped(test);
        if let Err(error) = self.output.remove(self.program, test) {
            self.fail(error);
        }
    }

    #[expect(clippy::disallowed_methods, reason = "a person wants to know how fast it goes")]
    fn progress(&mut self, standing: &Standing<'_>) {
        self.board.standing(standing);
        let (progress, now) = (standing.progress, Instant::now());
        let pause = if self.is_terminal { ON_TERMINAL } else { ELSEWHERE };
        if now - self.told < pause {
            return;
        }
        self.told = now;
        let seconds = self.clock.elapsed().as_secs_f64();
        let line = format!(
            "{seconds:.0} s: {}/{} branches, {}, {}; {}, {} ({:.0}/s), {}, {} open",
            progress.covered,
            progress.total,
            counted(progress.tests, "test"),
            counted(progress.failures, "failure"),
            counted(progress.runs, "run"),
            counted(progress.mutations, "mutation"),
            (progress.runs + progress.mutations) as f64 / seconds,
            counted(progress.solver.queries, "question"),
            progress.open,
        );
        match self.is_terminal {
            true => eprint!("\r\x1b[K{line}"),
            false => eprintln!("{line}"),
        }
    }
}
