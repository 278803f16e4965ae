//! Questions about the decisions of a trace, and about what lies beside its path.

use super::aim::aimed;
use super::{Slot, Trace, solve};
use crate::approach::Imprecision;
use crate::arbiter;
use crate::probe::{PROBE_EFFORT, Probe};
use crate::task::{Done, Excluded, How, TraceId};
use crate::{Stop, Subject};
use coax_execute::Input;
use coax_solve::{Answer, Budget, Query};
use coax_term::{Algebra, Model, Symbol, Term, Terms, mask};

/// Values that are not larger than another by more are preferred.
const NEAR: u64 = 64;

impl Slot<'_> {
    /// Asks for an input that comes to a decision and goes none of the ways that were seen there.
    pub(super) fn ask(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        place: usize,
        excluded: &Excluded,
        budget: &mut Budget,
    ) -> Done {
        let Some(trace) = self.traces.get(&id) else { return Done::Postponed };
        if let Excluded::Shapes { tried } = *excluded {
            return self.ask_for_shape(subject, id, place, tried, budget);
        }
        let hint = trace.hint(&self.terms);
        let aim = match excluded {
            Excluded::Conditions(_, Some(aim)) => aimed(&mut self.terms, trace.conditions[place], aim),
            _ => None,
        };
        let Some(goals) = goals(&mut self.terms, trace, place, excluded, aim) else {
            return Done::Postponed;
        };
        let proved = if aim.is_some() { Done::Missed } else { Done::Proved };
        if !trace.calls_before(place).is_empty() {
            return match self.ask_about_unknown(subject, id, place, &goals, budget) {
                Done::Proved => proved,
                done => done,
            };
        }
        let mut assumptions = trace.assumptions(&mut self.terms, place, subject.symbols.longest);
        let mut answer = Answer::Unsat(Vec::new());
        for goal in goals {
            let query = Query { assumptions: &assumptions, goal, hint: &hint };
            answer = solve(&mut self.stack, &mut self.terms, &query, budget, &mut self.earlier.time);
            if let Answer::Sat(_) = answer {
                assumptions.push(goal);
                break;
            }
        }
        match answer {
            Answer::Sat(model) => {
                let trace = &self.traces[&id];
                let lengths = trace.lengths.symbols(&self.terms);
                let model = self.modesty.cut(&self.terms, &lengths, &assumptions, &hint, model);
                let is_kept =
                    |(symbol, value): (Symbol, u64)| value == hint.get(symbol) || lengths.contains(&symbol);
                let how = How { only_in_length: model.iter().all(is_kept), ..How::default() };
                Done::Found(Box::new(trace.with_values(&self.terms, &model)), how)
            }
            Answer::Unsat(_) => proved,
            Answer::Unknown(reason) => Done::GaveUp(reason.into()),
        }
    }

    /// Inputs that come the same way, but end before the last byte that was used, as far as solvers find some.
    pub(super) fn probe_lengths(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        left: &mut u64,
        stop: &Stop,
    ) -> Vec<Input> {
        let mut found = Vec::new();
        let Some(trace) = self.traces.get(&id) else { return found };
        let last = trace.conditions.len();
        for (place, goal) in trace.lengths.too_short(&mut self.terms) {
            if *left == 0 || stop.reason().is_some() || !self.probed.is_worth(goal) {
                continue;
            }
            if let Some(model) = self.beside(subject, id, place.min(last), goal, left, stop) {
                found.push(self.traces[&id].with_values(&self.terms, &model));
            }
        }
        found
    }

    /// Inputs that make accesses leave what they may access, as far as solvers find some.
    pub(super) fn probe(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        probes: Vec<Probe>,
        left: &mut u64,
        stop: &Stop,
    ) -> Vec<Input> {
        let mut found = Vec::new();
        for probe in probes {
            let mut best = None;
            for (is_sure, goal) in probe.goals(&mut self.terms) {
                if *left == 0 || stop.reason().is_some() {
                    return found;
                }
                match self.beside(subject, id, probe.place, goal, left, stop) {
                    Some(model) => best = Some((is_sure, model)),
                    // If nothing at all is possible, nothing in particular is.
                    None if best.is_none() => break,
                    None => continue,
                }
                if is_sure {
                    break;
                }
            }
            let Some((is_sure, model)) = best else { continue };
            found.push(self.traces[&id].with_values(&self.terms, &model));
            if is_sure {
                self.probed.found(probe.at);
            }
        }
        found
    }

    /// Values with which an input comes to a decision, and something holds that decides nothing. Unknown functions count as what they gave: a
    /// wrong answer does no harm.
    fn beside(
        &mut self,
        subject: &Subject<'_>,
        id: TraceId,
        place: usize,
        goal: Term,
        left: &mut u64,
        stop: &Stop,
    ) -> Option<Model> {
        // Where a table is, no index leaves it that fits.
        if self.terms.as_constant(goal) == Some(0) {
            return None;
        }
        let trace = self.traces.get(&id)?;
        let hint = trace.hint(&self.terms);
        let mut conditions = trace.lengths.conditions(&mut self.terms, place, subject.symbols.longest);
        conditions.extend_from_slice(&trace.conditions[..place]);
        conditions.push(goal);
        if !trace.calls.is_empty() {
            conditions = self.with_values_of_calls(id, conditions, Imprecision::Unsound, place);
        }
        let (&goal, assumptions) = conditions.split_last()?;
        let mut budget = Budget::effort(PROBE_EFFORT).until(stop.flag());
        let query = Query { assumptions, goal, hint: &hint };
        let answer = solve(&mut self.stack, &mut self.terms, &query, &mut budget, &mut self.earlier.time);
        *left = left.saturating_sub(PROBE_EFFORT - budget.left());
        self.cost += arbiter::question(PROBE_EFFORT - budget.left());
        match answer {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }
}

/// What is wanted at a decision: the first of these that is possible. None if the trace does not know enough.
fn goals(
    terms: &mut Terms,
    trace: &Trace,
    place: usize,
    excluded: &Excluded,
    aim: Option<[Term; 2]>,
) -> Option<Vec<Term>> {
    let mut goal = terms.not(trace.conditions[place]);
    let mut goals = Vec::new();
    match excluded {
        Excluded::Conditions(conditions, _) => {
            for condition in conditions.within(terms) {
                let not = terms.not(condition);
                goal = terms.and(goal, not);
            }
        }
        Excluded::Values { seen, wishes } => {
            let &(term, _) = trace.concretised.get(&place)?;
            for &value in seen {
                let equal = terms.has_value(term, value);
                let differs = terms.not(equal);
                goal = terms.and(goal, differs);
            }
            let width = terms.width_of(term);
            let wish = wishes.iter().find(|&&wish| wish <= mask(width));
            goals.extend(wish.map(|&wish| terms.has_value(term, wish)));
            if wish.is_none() && !seen.len().is_multiple_of(2) {
                let near = near(terms, trace.concretised.get(&place)?);
                goals.push(terms.and(goal, near));
            }
        }
        &Excluded::Tied { number } => {
            goal = terms.not(*trace.tied.get(number)?);
            // What other branches before it made of this value and of others stays: otherwise it would not come here.
            goal = trace.tied[..number].iter().fold(goal, |goal, &before| terms.and(goal, before));
            let near = near(terms, trace.concretised.get(&place)?);
            goals.push(terms.and(goal, near));
        }
        Excluded::Shapes { .. } => return None,
    }
    match aim {
        Some(aim) => goals.extend(aim.map(|aim| terms.and(goal, aim))),
        None => goals.push(goal),
    }
    Some(goals)
}

/// The condition that what was replaced by its value is not much larger than it was. It is a length or an index, mostly: what is much larger takes much
/// longer, and tells no more.
fn near(terms: &mut Terms, &(term, now): &(Term, u64)) -> Term {
    terms.is_below(term, now.saturating_add(NEAR))
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_execute::Lengths;
    use coax_solve::Random;
    use std::cell::OnceCell;
    use std::collections::BTreeMap;

    /// A trace that replaced `x` by a value, and one condition that depends on it behind that.
    fn trace(terms: &mut Terms, width: u8, now: u64) -> Trace {
        let x = terms.symbol("x", width);
        let [is_now, is_tied] = [terms.has_value(x, now), terms.is_at_most(x, now)];
        Trace {
            input: Input::default(),
            requests: Vec::new(),
            io_calls: 0,
            conditions: vec![is_now],
            concretised: BTreeMap::from([(0, (x, now))]),
            tied: vec![is_tied],
            calls: Vec::new(),
            symbols: OnceCell::new(),
            lengths: Lengths::default(),
        }
    }

    /// The values that the first of the goals allows, of a width that can be gone through.
    fn allowed(terms: &Terms, goal: Term, width: u8) -> Vec<u64> {
        let symbol = terms.find_symbol("x").expect("a symbol");
        let fits = |&value: &u64| {
            let mut model = Model::new();
            model.set(symbol, value);
            terms.eval(goal, &model) == 1
        };
        (0..1 << width).filter(fits).collect()
    }

    #[test]
    fn what_is_near_the_largest_value_has_no_bound() {
        for now in [0, 191, 192, 225, 255] {
            let mut terms = Terms::new();
            let trace = trace(&mut terms, 8, now);
            let excluded = Excluded::Values { seen: vec![now], wishes: Vec::new() };
            let goals = goals(&mut terms, &trace, 0, &excluded, None).expect("it was replaced");
            let near: Vec<u64> = (0..=255).filter(|&value| value != now && value < now + NEAR).collect();
            assert_eq!(allowed(&terms, goals[0], 8), near, "near {now}");
        }
    }

    #[test]
    fn goals_are_made_for_every_width() {
        let mut random = Random::new(7);
        for _ in 0..500 {
            let width = 1 + random.below(10) as u8;
            let now = random.below(1 << width) as u64;
            // What is wished for first need not fit.
            let [far, wish] = [3 << width, 1 << width].map(|most| random.below(most) as u64);
            let wished = if far < 1 << width { far } else { wish };
            let mut terms = Terms::new();
            let trace = trace(&mut terms, width, now);
            let excluded = Excluded::Values { seen: vec![now], wishes: vec![far, wish] };
            let first = goals(&mut terms, &trace, 0, &excluded, None).expect("it was replaced")[0];
            assert_eq!(allowed(&terms, first, width), [wished], "{far} or {wish} in {width} bits");
            let tied =
                goals(&mut terms, &trace, 0, &Excluded::Tied { number: 0 }, None).expect("it is tied")[0];
            let above: Vec<u64> = (now + 1..(now + NEAR).min(1 << width)).collect();
            assert_eq!(allowed(&terms, tied, width), above, "more than {now} in {width} bits");
        }
    }
}
