//! What is needed of a SAT solver, and CaDiCaL as one.

use crate::Budget;
use cadical::{Callbacks, Solver};

/// A literal as in DIMACS: a variable from 1 on, or its negation.
pub(super) type Literal = i32;

/// CaDiCaL (Biere and others), incremental: clauses stay, assumptions are for one question.
pub(super) struct Sat {
    solver: Solver<Watch>,
    variables: i32,
    clauses: usize,
}

/// Counts conflicts, and ends the search when the budget is over.
struct Watch {
    budget: Budget,
    calls: u32,
    conflicts: u64,
}

/// How many calls of the solver it takes to look at the clock.
const CALLS_PER_LOOK: u32 = 32;

impl Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.calls = self.calls.wrapping_add(1);
        self.calls.is_multiple_of(CALLS_PER_LOOK) && self.budget.is_over()
    }

    fn max_length(&self) -> i32 {
        i32::MAX
    }

    fn learn(&mut self, _clause: &[i32]) {
        self.conflicts += 1;
    }
}

/// What the search found, and how many conflicts it took.
pub(super) struct Found {
    /// None: the limits were reached.
    pub(super) satisfiable: Option<bool>,
    pub(super) conflicts: u64,
}

impl Default for Sat {
    fn default() -> Sat {
        Sat { solver: Solver::new(), variables: 0, clauses: 0 }
    }
}

impl Sat {
    pub(super) fn variable(&mut self) -> Literal {
        self.variables += 1;
        self.variables
    }

    /// How many clauses there are.
    pub(super) fn clauses(&self) -> usize {
        self.clauses
    }

    pub(super) fn clause(&mut self, literals: &[Literal]) {
        self.clauses += 1;
        self.solver.add_clause(literals.iter().copied());
    }

    pub(super) fn solve(&mut self, assumptions: &[Literal], conflicts: u64, budget: &Budget) -> Found {
        self.solver.set_callbacks(Some(Watch { budget: budget.clone(), calls: 0, conflicts: 0 }));
        let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
        let limited = self.solver.set_limit("conflicts", limit);
        debug_assert!(limited.is_ok(), "CaDiCaL knows the limit");
        let satisfiable = self.solver.solve_with(assumptions.iter().copied());
        let conflicts = self.solver.get_callbacks().map_or(0, |watch| watch.conflicts);
        Found { satisfiable, conflicts }
    }

    /// The value of a literal in the solution.
    pub(super) fn value(&self, literal: Literal) -> bool {
        self.solver.value(literal).unwrap_or(false)
    }

    /// Whether an assumption was needed for the contradiction.
    pub(super) fn failed(&self, assumption: Literal) -> bool {
        self.solver.failed(assumption)
    }
}
