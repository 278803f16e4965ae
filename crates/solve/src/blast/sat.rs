//! What is needed of a SAT solver, and CaDiCaL as one, for hard questions; `search.rs` is that for small ones.

use crate::Budget;
use cadical::Callbacks;

/// A literal as in DIMACS: a variable from 1 on, or its negation.
pub(super) type Literal = i32;

/// What a search found, and how many conflicts it took.
pub(super) struct Found {
    /// None: the limits were reached.
    pub(super) satisfiable: Option<bool>,
    pub(super) conflicts: u64,
}

/// An incremental SAT solver: clauses stay, assumptions are for one question.
pub(super) trait Solver: Default {
    /// What a conflict costs, in units of effort: measured on the hard set (`examples/hard`).
    const EFFORT_PER_CONFLICT: u64;

    /// A new variable.
    fn variable(&mut self) -> Literal;

    /// How many variables there are.
    fn variables(&self) -> usize;

    /// Adds a clause that always holds.
    fn clause(&mut self, literals: &[Literal]);

    /// Begins a question, which is about no variable yet.
    fn begin_question(&mut self) {}

    /// The question is about this variable; what to try first for it.
    fn question(&mut self, _variable: Literal, _phase: bool) {}

    /// Are there values for the variables in question such that all assumptions hold?
    fn solve(&mut self, assumptions: &[Literal], conflicts: u64, budget: &Budget) -> Found;

    /// The value of a literal in the solution; none if it does not matter.
    fn value(&self, literal: Literal) -> Option<bool>;

    /// Whether an assumption was needed for the contradiction.
    fn failed(&self, assumption: Literal) -> bool;
}

/// CaDiCaL (Biere and others).
pub(super) struct Cadical {
    solver: cadical::Solver<Watch>,
    variables: i32,
}

/// Counts conflicts, and ends the search when the budget is over.
struct Watch {
    budget: Budget,
    calls: u32,
    conflicts: u64,
}

/// How many calls of the solver it takes to look at the clock.
const CALLS_PER_LOOK: u32 = 4;

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

impl Default for Cadical {
    fn default() -> Cadical {
        Cadical { solver: cadical::Solver::new(), variables: 0 }
    }
}

impl Solver for Cadical {
    const EFFORT_PER_CONFLICT: u64 = 40;

    fn variable(&mut self) -> Literal {
        self.variables += 1;
        self.variables
    }

    fn variables(&self) -> usize {
        self.variables as usize
    }

    fn clause(&mut self, literals: &[Literal]) {
        self.solver.add_clause(literals.iter().copied());
    }

    fn solve(&mut self, assumptions: &[Literal], conflicts: u64, budget: &Budget) -> Found {
        self.solver.set_callbacks(Some(Watch { budget: budget.clone(), calls: 0, conflicts: 0 }));
        let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
        let limited = self.solver.set_limit("conflicts", limit);
        debug_assert!(limited.is_ok(), "CaDiCaL knows the limit");
        let satisfiable = self.solver.solve_with(assumptions.iter().copied());
        let conflicts = self.solver.get_callbacks().map_or(0, |watch| watch.conflicts);
        Found { satisfiable, conflicts }
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        self.solver.value(literal)
    }

    fn failed(&self, assumption: Literal) -> bool {
        self.solver.failed(assumption)
    }
}
