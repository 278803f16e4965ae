//! A small SAT solver for small questions: conflict-driven clause learning (Marques-Silva and Sakallah, 1999; Moskewicz and
//! others, 2001; Eén and Sörensson, 2003), with what no packaged one offers:
//!
//! * A question is about some variables only, those *in question*. No other is decided or propagated, so a question costs what it is made of
//!   and not what all questions before it were made of. That is right as clauses of gates only define them: whatever the variables in
//!   question are, the others can be chosen to fit.
//! * Each variable is first tried with the value that it has under the question's hint.
//! * A limit on conflicts ends at the same place everywhere.
//!
//! Invariant: between questions only what holds always is assigned, save that a solution stays until it was read, and what a search that
//! was given up had assigned until the next one.

mod analyze;
mod heap;
mod propagate;
mod reduce;

use super::sat::{Found, Literal, Solver};
use crate::Budget;
use heap::Heap;
use propagate::Watch;

/// A literal as an index: twice the variable, one more for its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lit(u32);

impl Lit {
    fn of(literal: Literal) -> Lit {
        Lit((literal.unsigned_abs() - 1) << 1 | u32::from(literal < 0))
    }

    fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn index(self) -> usize {
        self.0 as usize
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Where a clause is: its length, its number of levels (0: it was not learnt), its literals.
type Place = u32;

/// No clause: a decision, or what was never implied.
const NOWHERE: Place = u32::MAX >> 1;

/// Where the literals of a clause begin.
const HEADER: usize = 2;

/// Conflicts until the first restart; Luby's sequence says how many times that for the next ones.
const RESTART: u64 = 64;

/// After how many literals that were propagated to look at the clock: a conflict may take one of them, or all of a large formula.
const LITERALS_PER_LOOK: u64 = 1 << 15;

/// The solver.
#[derive(Default)]
pub(super) struct Search {
    clauses: Vec<u32>,
    count: usize,
    learnt: Vec<Place>,
    /// By literal: clauses to look at when it becomes false.
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 true, -1 false, 0 neither.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<Place>,
    phases: Vec<bool>,
    in_question: Vec<bool>,
    questioned: Vec<u32>,
    seen: Vec<bool>,
    order: Heap,
    trail: Vec<Lit>,
    /// Where each level begins in the trail.
    levels_from: Vec<usize>,
    propagated: usize,
    is_contradictory: bool,
    failed: Vec<Lit>,
    until_reduction: u64,
    reductions: u64,
    /// How many literals were propagated, and at which number to look at the clock.
    literals: u64,
    next_look: u64,
}

impl Solver for Search {
    const EFFORT_PER_CONFLICT: u64 = 20;

    fn variable(&mut self) -> Literal {
        self.values.extend([0, 0]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.levels.push(0);
        self.reasons.push(NOWHERE);
        self.phases.push(false);
        self.in_question.push(false);
        self.seen.push(false);
        self.order.add();
        self.levels.len() as Literal
    }

    fn variables(&self) -> usize {
        self.levels.len()
    }

    fn clause(&mut self, literals: &[Literal]) {
        self.backtrack(0);
        let mut clause: Vec<Lit> = literals.iter().map(|&literal| Lit::of(literal)).collect();
        clause.sort_unstable();
        clause.dedup();
        let is_true = clause.iter().any(|lit| self.values[lit.index()] > 0);
        if is_true || clause.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        clause.retain(|lit| self.values[lit.index()] == 0);
        match clause[..] {
            [] => self.is_contradictory = true,
            [unit] => self.assign(unit, NOWHERE),
            _ => {
                self.attach(&clause, 0);
            }
        }
    }

    fn begin_question(&mut self) {
        self.backtrack(0);
        for variable in self.questioned.drain(..) {
            self.in_question[variable as usize] = false;
        }
        self.order.clear();
    }

    fn question(&mut self, variable: Literal, phase: bool) {
        let variable = variable as usize - 1;
        self.phases[variable] = phase;
        if !self.in_question[variable] {
            self.in_question[variable] = true;
            self.questioned.push(variable as u32);
            self.order.insert(variable as u32);
        }
    }

    fn solve(&mut self, assumptions: &[Literal], conflicts: u64, budget: &Budget) -> Found {
        self.backtrack(0);
        self.failed.clear();
        let assumptions: Vec<Lit> = assumptions.iter().map(|&literal| Lit::of(literal)).collect();
        let mut spent = 0;
        let mut restarts = 0;
        let satisfiable = loop {
            if self.is_contradictory {
                break Some(false);
            }
            restarts += 1;
            let limit = (RESTART * luby(restarts)).min(conflicts.saturating_sub(spent));
            let (result, used) = self.run(&assumptions, limit, budget);
            spent += used;
            if result.is_some() {
                break result;
            }
            // What is assigned then stays, as a solution does: undoing it takes time that there is not.
            if spent >= conflicts || budget.is_over() {
                break None;
            }
            self.backtrack(0);
        };
        Found { satisfiable, conflicts: spent }
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        match self.values[Lit::of(literal).index()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    fn failed(&self, assumption: Literal) -> bool {
        self.failed.binary_search(&Lit::of(assumption)).is_ok()
    }
}

impl Search {
    /// Searches until so many conflicts; says how many there were.
    fn run(&mut self, assumptions: &[Lit], limit: u64, budget: &Budget) -> (Option<bool>, u64) {
        let mut conflicts = 0;
        loop {
            if let Some(conflict) = self.propagate() {
                conflicts += 1;
                if self.levels_from.is_empty() {
                    self.is_contradictory = true;
                    return (Some(false), conflicts);
                }
                self.learn_from(conflict);
                if self.is_late(budget) {
                    return (None, conflicts);
                }
                continue;
            }
            if conflicts >= limit || self.is_late(budget) {
                return (None, conflicts);
            }
            self.reduce_if_due();
            // The next assumption, or a decision.
            let decision = match assumptions.get(self.levels_from.len()) {
                Some(&assumed) if self.values[assumed.index()] < 0 => {
                    self.explain_failure(assumed);
                    return (Some(false), conflicts);
                }
                Some(&assumed) => Some(assumed),
                None => self.decide(),
            };
            let Some(decision) = decision else { return (Some(true), conflicts) };
            self.levels_from.push(self.trail.len());
            if self.values[decision.index()] == 0 {
                self.assign(decision, NOWHERE);
            }
        }
    }

    /// Whether the time is over, if it is time to look. (How much effort there is says how many conflicts there may be.)
    fn is_late(&mut self, budget: &Budget) -> bool {
        let is_due = self.literals >= self.next_look;
        if is_due {
            self.next_look = self.literals + LITERALS_PER_LOOK;
        }
        is_due && budget.is_late()
    }

    fn decide(&mut self) -> Option<Lit> {
        while let Some(variable) = self.order.pop() {
            let lit = Lit(variable << 1 | u32::from(!self.phases[variable as usize]));
            if self.values[lit.index()] == 0 {
                return Some(lit);
            }
        }
        None
    }

    fn assign(&mut self, lit: Lit, reason: Place) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.levels[lit.variable()] = self.levels_from.len() as u32;
        self.reasons[lit.variable()] = reason;
        self.trail.push(lit);
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&from) = self.levels_from.get(level) else { return };
        for lit in self.trail.drain(from..).rev() {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases[lit.variable()] = !lit.is_negated();
            if self.in_question[lit.variable()] {
                self.order.insert(lit.variable() as u32);
            }
        }
        self.levels_from.truncate(level);
        self.propagated = from;
    }
}

/// 1, 1, 2, 1, 1, 2, 4, … (Luby, Sinclair and Zuckerman, 1993), from 1 on.
fn luby(index: u64) -> u64 {
    let mut index = index;
    loop {
        if (index + 1).is_power_of_two() {
            return index.div_ceil(2);
        }
        index -= (1 << index.ilog2()) - 1;
    }
}

#[cfg(test)]
mod tests;
