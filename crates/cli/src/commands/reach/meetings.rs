//! Both directions meet: runs of the forward search that came near a place are looked at where ways lead from them to it.
//!
//! Each test meets each place once, the nearest first; what ways back demand is found once for each place.

use super::aim::Aim;
use super::prove::Trying;
use coax_execute::{Coverage, Input};
use coax_program::Program;
use coax_search::{BackwardOptions, Demands, Graph, Meeting, Seen, Toward};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What solvers may spend on one meeting.
const EFFORT: u64 = 200_000;
/// Goals of one place: those of a line that was inlined everywhere are more than anybody could look at.
const MOST_GOALS: usize = 8;
/// Inputs that satisfied what was demanded and did not get there go to the forward search: no more than so many of one meeting.
const MOST_LEADS: usize = 4;

/// What has met, and what may.
#[derive(Default)]
pub struct Meetings {
    /// The tests of the forward search, with what they cover.
    tests: Vec<(Input, Coverage)>,
    of_aims: BTreeMap<usize, OfAim>,
}

/// What is known of one place.
struct OfAim {
    demands: Demands,
    toward: Option<Toward>,
    /// The tests that it has not met, the nearest last, with how near they are; and how many were looked at for that.
    left: Vec<(Reverse<u32>, Reverse<usize>)>,
    looked_at: usize,
    /// How many it has met.
    met: usize,
}

impl Meetings {
    /// The forward search has found a test.
    pub fn note(&mut self, input: &Input, coverage: &Coverage) {
        self.tests.push((input.clone(), coverage.clone()));
    }

    /// Has the next test meet one of these places; inputs that came of it, or none if nothing is left to meet.
    pub fn next(
        &mut self,
        aims: &[Aim],
        (program, graph): (&Arc<Program>, &Graph<'_>),
        trying: &Trying<'_>,
        stop: &Arc<AtomicBool>,
    ) -> Option<Vec<Input>> {
        let is_left = |(_, aim): &(usize, &Aim)| !aim.is_settled() && !aim.target.goals.is_empty();
        let mut waiting: Vec<(usize, &Aim)> = aims.iter().enumerate().filter(is_left).collect();
        // What has met least comes first.
        waiting.sort_by_key(|(number, _)| self.of_aims.get(number).map_or(0, |it| it.met));
        for (number, aim) in waiting {
            let of_aim = self.of_aims.entry(number).or_insert_with(|| OfAim::new(aim, graph, stop));
            let Some(test) = of_aim.nearest(&self.tests) else { continue };
            let mut leads = Vec::new();
            let mut gets_there = |input: Input| {
                let Some(run) = (trying.run)(&input) else { return false };
                let is_there = Seen::of(&run).is_some_and(|seen| aim.target.is_reached_by(program, seen));
                if is_there || leads.len() < MOST_LEADS {
                    leads.push(Input { values: run.asked.requests, ..input });
                }
                is_there
            };
            let mut meeting =
                Meeting { program, symbols: trying.symbols, limits: trying.limits, effort: EFFORT, stop };
            meeting.meet(&of_aim.demands, &self.tests[test].0, &mut gets_there);
            return Some(leads);
        }
        None
    }
}

impl OfAim {
    fn new(aim: &Aim, graph: &Graph<'_>, stop: &Arc<AtomicBool>) -> OfAim {
        let goals = &aim.target.goals;
        let options = BackwardOptions { total_effort: EFFORT, ..BackwardOptions::default() };
        let demands = Demands::of(graph, &goals[..goals.len().min(MOST_GOALS)], &options, stop);
        OfAim { demands, toward: Toward::new(graph, goals), left: Vec::new(), looked_at: 0, met: 0 }
    }

    /// The nearest test that it has not met; it has now.
    fn nearest(&mut self, tests: &[(Input, Coverage)]) -> Option<usize> {
        let toward = self.toward.as_ref().filter(|_| !self.demands.is_empty())?;
        let new = (self.looked_at..).zip(&tests[self.looked_at..]);
        let far = |(number, (_, coverage)): (usize, &(Input, Coverage))| {
            Some((Reverse(toward.nearest(coverage)?), Reverse(number)))
        };
        self.left.extend(new.filter_map(far));
        self.looked_at = tests.len();
        self.left.sort_unstable();
        let (_, Reverse(nearest)) = self.left.pop()?;
        self.met += 1;
        Some(nearest)
    }
}
