//! Climbs: from an input that was found on, past one early end of the program after the other, within one task.
//!
//! A program that assumes a hundred things of its input ends at the first that does not hold. Whoever asks for an input that passes it finds one that
//! ends at the next, and each time waits for a batch. Here the input that was found is run at once, and where it ends early, the solvers, which know the
//! path so far, are asked for one that does not: and so on, as long as it goes on. Where no input passes, the last decision before it that has to
//! do with that, by the core of the contradiction, is gone the other way.
//!
//! What comes of it is one input. It comes to the decision that was asked about and goes another way there, as the first answer did; what it does
//! behind that is seen when it is run.

use super::trace::{Trace, Walked};
use super::{Slot, solve};
use crate::arbiter;
use crate::choice::{Choice, Way};
use crate::task::{Climb, How};
use crate::{Stop, Subject};
use coax_execute::{Bound, Error, Input, Lengths, kept_lengths};
use coax_solve::{Answer, Budget, Query};
use coax_term::{Algebra, Term};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What the questions of a climb may cost together, and each of them.
const EFFORT: u64 = 200_000;
const EACH: u64 = 30_000;

/// Where a climb is.
struct Ascent {
    /// The decision that was asked about: the way to there stays.
    origin: usize,
    /// The decisions of the path that were gone both ways.
    tried: Vec<bool>,
    /// The input that came furthest, and the place where it ended.
    best: (usize, Input),
    budget: Budget,
}

impl Slot<'_> {
    /// The input from which others were found that come further, to the end if possible.
    pub(super) fn climb(
        &mut self,
        subject: &Subject<'_>,
        origin: usize,
        found: Input,
        how: &mut How,
        climb: &Climb,
        stop: &Stop,
    ) -> Input {
        let budget = Budget::effort(EFFORT).until(stop.flag());
        let mut ascent = Ascent { origin, tried: Vec::new(), best: (origin, found.clone()), budget };
        let mut next = Some(found);
        let mut met = BTreeSet::new();
        while let Some(input) = next.take() {
            if how.runs == climb.most || stop.reason().is_some() {
                how.is_cut = how.runs == climb.most && climb.is_limited;
                break;
            }
            how.runs += 1;
            let (trace, choices) = match self.follow(subject, input.clone(), stop) {
                Ok(Some(followed)) => followed,
                Ok(None) => break,
                Err(_) => {
                    // What goes wrong here goes wrong again when the input is run, and is told then.
                    if input != ascent.best.1 {
                        how.passed.push(input);
                    }
                    break;
                }
            };
            if trace.calls.is_empty() && choices.len() > origin {
                let Some(end) = self.tools.guards.ended_at(&choices) else {
                    ascent.best = (choices.len(), input);
                    break;
                };
                let Choice { at, way, .. } = choices[end];
                if end <= origin {
                    break;
                }
                if let Way::Branch(direction) = way
                    && self.wanted.contains(&(at, direction))
                    && met.insert((at, direction))
                {
                    how.passed.push(input.clone());
                }
                if end > ascent.best.0 {
                    ascent.best = (end, input);
                }
                next = self.past(subject, &trace, &choices, end, &mut ascent);
            }
        }
        self.cost += arbiter::question(EFFORT - ascent.budget.left());
        how.only_in_length &= how.runs <= 1;
        ascent.best.1
    }

    /// An input that does not end where one did; if there is none, one that goes another way before.
    fn past(
        &mut self,
        subject: &Subject<'_>,
        trace: &Trace,
        choices: &[Choice],
        end: usize,
        ascent: &mut Ascent,
    ) -> Option<Input> {
        ascent.tried.resize(end, false);
        let mut at = end;
        loop {
            match self.another_way(subject, trace, at, &mut ascent.budget)? {
                Ok(input) => {
                    ascent.tried.truncate(at);
                    ascent.tried.push(at != end);
                    return Some(input);
                }
                Err(core) => {
                    let core: BTreeSet<Term> = core.into_iter().collect();
                    let may_turn = |&place: &usize| {
                        let Choice { at, way, .. } = choices[place];
                        let Way::Branch(direction) = way else { return false };
                        let is_two = direction < 2 && !self.tools.guards.ends(at, 1 - direction);
                        is_two && !ascent.tried[place] && core.contains(&trace.conditions[place])
                    };
                    at = (ascent.origin + 1..at).rev().find(may_turn)?;
                }
            }
        }
    }

    /// An input that comes to a decision and goes another way, or what contradicts that; nothing if that is not known.
    fn another_way(
        &mut self,
        subject: &Subject<'_>,
        trace: &Trace,
        place: usize,
        budget: &mut Budget,
    ) -> Option<Result<Input, Vec<Term>>> {
        let assumptions = trace.assumptions(&mut self.terms, place, subject.symbols.longest);
        let goal = self.terms.not(trace.conditions[place]);
        let hint = trace.hint(&self.terms);
        let query = Query { assumptions: &assumptions, goal, hint: &hint };
        let given = EACH.min(budget.left());
        let mut part = budget.part(given);
        let answer = solve(&mut self.stack, &mut self.terms, &query, &mut part, &mut self.earlier.time);
        budget.settle(given, &part);
        match answer {
            Answer::Sat(model) => Some(Ok(trace.with_values(&self.terms, &model))),
            Answer::Unsat(core) => Some(Err(core)),
            Answer::Unknown(_) => None,
        }
    }

    /// Runs an input with terms, for its path only; nothing if time was over.
    fn follow(
        &mut self,
        subject: &Subject<'_>,
        input: Input,
        stop: &Stop,
    ) -> Result<Option<(Trace, Vec<Choice>)>, Error> {
        let until = Some(stop.flag());
        let (mut run, input, observed) = subject.run(&self.approach, input, &self.known.images, until)?;
        if run.bounds.hits(Bound::Time) > 0 {
            self.approach.symbolic.recycle(run);
            return Ok(None);
        }
        let lengths = kept_lengths(&mut run, &input);
        let path = Walked::new(subject, self, &run, &input, &observed, &lengths);
        let Walked { choices, conditions, concretised, calls, uses, .. } = path;
        let lengths = Lengths::new(run.terms(), &input, uses);
        let (requests, io_calls) = (run.asked.requests.clone(), run.asked.io_calls);
        self.cost += arbiter::run(run.terms().len());
        self.approach.symbolic.recycle(run);
        let (tied, symbols) = (Vec::new(), OnceCell::new());
        let trace =
            Trace { input, requests, io_calls, conditions, concretised, tied, calls, symbols, lengths };
        Ok(Some((trace, choices)))
    }
}
