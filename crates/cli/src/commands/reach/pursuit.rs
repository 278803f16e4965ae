//! What `coax reach` does beside the forward search: it notes what is reached, and looks backwards at the rest, harder and harder.
//!
//! First a little effort for everything: much is proved by that, and the forward search begins with what was found out. What was too much then
//! comes between batches of the forward search, when half of the time is over, so that this one is not kept waiting: most places are reached soon. Or when
//! there is nothing left to try forwards. Each place has its part of the effort and of the time, so that none waits in vain for one that is hard. What was proved to be open
//! both directions look for: runs meet ways back (`meetings.rs`).

use super::Aims;
use super::meetings::Meetings;
use super::prove::{Effort, Trying};
use super::shares::Shares;
use crate::commands::cover::last_resort::Board;
use crate::commands::cover::watch::Alarm;
use coax_execute::Input;
use coax_program::Program;
use coax_search::{Graph, Kept, Past, Stop, StopReason, Toward};
use std::cell::OnceCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Which part of the time is spent on looking backwards while the forward search goes on: one in so many.
const PART: u32 = 16;
/// That begins when this part of the time is over; and so much may be spent if there is nothing left to try forwards.
const LATE_PART: u32 = 2;
/// The part of the time that may be spent before the forward search, and then on one place if it is the only one: several share it.
const FIRST_PART: u32 = 32;
const EACH_PART: u32 = 16;
/// Batches of the forward search before that: most of what is reached easily is reached by then.
const BATCHES_BEFORE: u64 = 8;
/// Meetings begin when this part of the time is over, and take one in so many, each no more than this part; and so many come when nothing is left to try forwards.
const FIRST_MEETING: u32 = 4;
const MEETING_PART: u32 = 16;
const MEETING_TIME: u32 = 32;
const LAST_MEETINGS: usize = 16;

/// What is pursued.
pub struct Pursuit<'a> {
    program: &'a Arc<Program>,
    pub aims: &'a mut Aims,
    trying: Trying<'a>,
    place: &'a (dyn Fn(u32) -> String + Sync),
    stop: &'a Stop,
    /// How long all may take, if the clock decides how much is done; otherwise there is a little after every batch.
    time: Option<Duration>,
    /// The program, seen from behind: made when it is needed.
    graph: OnceCell<Graph<'a>>,
    meetings: Meetings,
    progress: Progress,
    /// Where it is posted how far it is.
    board: &'a Board,
}

/// How far it is.
#[derive(Default)]
struct Progress {
    batches: u64,
    /// When it began, and what looking backwards has taken since.
    begin: Option<Instant>,
    backwards: Duration,
    /// What meetings have taken.
    meeting: Duration,
    /// Whether there was nothing left to try forwards.
    is_last: bool,
}

impl<'a> Pursuit<'a> {
    /// Begins.
    pub fn new(
        program: &'a Arc<Program>,
        aims: &'a mut Aims,
        trying: Trying<'a>,
        place: &'a (dyn Fn(u32) -> String + Sync),
        (stop, time): (&'a Stop, Option<Duration>),
        board: &'a Board,
    ) -> Pursuit<'a> {
        board.aims(aims);
        let graph = OnceCell::new();
        let (meetings, progress) = Default::default();
        Pursuit { program, aims, trying, place, stop, time, graph, meetings, progress, board }
    }

    /// A little effort for everything, or all of it if there is nothing else to come; inputs that may get there.
    pub fn first_inputs(&mut self) -> Vec<Input> {
        if !self.aims.are_behind_only() {
            return self.search_backwards(Effort::FIRST, usize::MAX, FIRST_PART);
        }
        let mut inputs = self.search_backwards(Effort::MORE, usize::MAX, 1);
        // There will be no other run to meet.
        let first = (self.trying.run)(self.trying.like).and_then(|run| run.coverage);
        first.iter().for_each(|coverage| self.meetings.note(self.trying.like, coverage));
        inputs.extend(self.meet(usize::MAX, EACH_PART));
        inputs
    }

    /// How far it is to the place that is left, for a forward search that is led there. To several places it is not led: who has come to one would stay there.
    pub fn toward(&self) -> Option<Toward> {
        let goals = self.aims.only_goals()?;
        Toward::new(
            seen_from_behind(&self.graph, self.program, (self.aims, &self.trying), (self.stop, self.time)),
            &goals,
        )
    }

    /// A test was found.
    pub fn found(&mut self, test: &Kept) {
        self.aims.note(self.program, test);
        self.end_if_done();
        if self.aims.are_led_to() && !self.aims.are_done() {
            self.meetings.note(&test.input, &test.coverage);
        }
    }

    /// Before each batch: inputs that may get there.
    #[expect(clippy::disallowed_methods, reason = "the forward search wants its part of the time")]
    pub fn more_inputs(&mut self) -> Vec<Input> {
        let now = Instant::now();
        let Progress { batches, begin, backwards, .. } = &mut self.progress;
        let begin = *begin.get_or_insert(now);
        *batches += 1;
        if *batches <= BATCHES_BEFORE || !self.aims.are_led_to() {
            return Vec::new();
        }
        let since = now - begin;
        let is_late = self.time.is_none_or(|time| since >= time / LATE_PART && *backwards * PART <= since);
        let mut inputs = Vec::new();
        if is_late {
            inputs = self.search_backwards(Effort::MORE, 1, EACH_PART);
            self.progress.backwards += now.elapsed();
        }
        let may_meet = |time| since >= time / FIRST_MEETING && self.progress.meeting * MEETING_PART <= since;
        if self.time.is_none_or(may_meet) {
            let now = Instant::now();
            inputs.extend(self.meet(1, MEETING_TIME));
            self.progress.meeting += now.elapsed();
        }
        inputs
    }

    /// Has so many runs of the forward search meet the ways back from places, within a part of the time; inputs that came of it.
    fn meet(&mut self, most: usize, part: u32) -> Vec<Input> {
        let alarm = Alarm::after(self.stop, self.time.map(|time| time / part));
        let mut inputs = Vec::new();
        for _ in 0..most {
            if self.aims.are_done() || alarm.is_set() {
                break;
            }
            let graph = seen_from_behind(
                &self.graph,
                self.program,
                (self.aims, &self.trying),
                (self.stop, self.time),
            );
            let met = self.meetings.next(&self.aims.aims, (self.program, graph), &self.trying, &alarm.flag);
            let Some(leads) = met else { break };
            inputs.extend(leads);
        }
        inputs
    }

    /// When there is nothing left to try forwards: inputs that may get there.
    pub fn last_inputs(&mut self) -> Vec<Input> {
        match std::mem::replace(&mut self.progress.is_last, true) {
            true => Vec::new(),
            false => {
                let mut inputs = self.search_backwards(Effort::MORE, usize::MAX, LATE_PART);
                inputs.extend(self.meet(LAST_MEETINGS, LATE_PART));
                inputs
            }
        }
    }

    fn search_backwards(&mut self, effort: Effort, most: usize, part: u32) -> Vec<Input> {
        if !self.aims.are_worth_it() {
            self.end_if_done();
            return Vec::new();
        }
        let graph =
            seen_from_behind(&self.graph, self.program, (self.aims, &self.trying), (self.stop, self.time));
        let time = self.time.map(|time| time / part);
        let shares = Shares::new(effort, time, self.aims.waiting().min(most), self.stop);
        let program = (&**self.program, graph);
        let inputs = self.aims.search_backwards(program, &self.trying, self.place, shares, most);
        self.end_if_done();
        inputs
    }

    fn end_if_done(&self) {
        self.board.aims(self.aims);
        if self.aims.are_done() {
            self.stop.now(StopReason::Complete);
        }
    }
}

/// The program, seen from behind: made when it is first needed.
fn seen_from_behind<'g, 'a>(
    graph: &'g OnceCell<Graph<'a>>,
    program: &'a Arc<Program>,
    (aims, trying): (&Aims, &Trying<'_>),
    (stop, time): (&Stop, Option<Duration>),
) -> &'g Graph<'a> {
    graph.get_or_init(|| {
        let alarm = Alarm::after(stop, time.map(|time| time / FIRST_PART));
        let past = Past::of(program, trying.like, trying.symbols, trying.limits, &alarm.flag);
        Graph::new(program, &aims.roots).with_past(past)
    })
}
