//! Solvers judge each other on random questions: nobody may contradict a model that evaluation confirms, and what is said to be
//! contradictory must be so by itself.

use super::queries::{RandomPath, Theory};
use crate::layers::{cache::Cache, domain::Domain, guess::Guess, slice::Slice};
use crate::{Answer, Blast, Budget, Child, ChildOptions, Layer, Nothing, Query, Reason, Stack, StackOptions};
use crate::{Walk, WalkOptions};
use coax_term::{Function, Functions, Model, Term, Terms};
use std::collections::BTreeMap;

/// So many questions are asked along a path.
pub const QUESTIONS_OF_A_PATH: u64 = 8;
/// A child may spend so many times as much as others: z3 answered 44 % of 1,600 random questions with an effort of 2,000.
const CHILD_TIMES: u64 = 10;
/// Of one in so many contradictions the core alone is asked for again.
const CORES: u64 = 4;

/// What a solver said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// There are values, and they are right.
    pub sat: u64,
    /// There are none.
    pub unsat: u64,
    /// It was not found out within the budget, or the solver is not for such questions.
    pub unknown: u64,
    /// A solver below failed: it gave a wrong model, crashed or said nonsense.
    pub failed: u64,
    /// Wrong values, or none where there are some.
    pub wrong: u64,
}

/// By solver, what it said.
pub type Table = BTreeMap<&'static str, Said>;

/// Adds the counts of another table.
pub fn add(table: &mut Table, other: &Table) {
    for (name, said) in other {
        let sum = table.entry(name).or_default();
        sum.sat += said.sat;
        sum.unsat += said.unsat;
        sum.unknown += said.unknown;
        sum.failed += said.failed;
        sum.wrong += said.wrong;
    }
}

/// Knows no function.
struct NoFunctions;

impl Functions for NoFunctions {
    fn apply(&mut self, _: Function, _: &[u64]) -> Option<u64> {
        None
    }
}

/// Those who are asked.
pub struct Judge {
    solvers: Vec<(&'static str, Box<dyn Layer>)>,
    /// What each may spend on a question.
    effort: u64,
    number: u64,
}

impl Judge {
    /// Each layer and solver alone, the whole stack, and a child process; each may spend so much effort on a question.
    pub fn new(child: ChildOptions, effort: u64) -> Judge {
        let nothing = || Box::new(Nothing) as Box<dyn Layer>;
        let no_child = StackOptions { child: None, ..StackOptions::default() };
        let solvers: Vec<(&'static str, Box<dyn Layer>)> = vec![
            ("child", Box::new(Child::new(child))),
            ("slice, blast", Box::new(Slice::new(Box::new(Blast::new())))),
            ("cache, blast", Box::new(Cache::new(Box::new(Blast::new())))),
            ("domain", Box::new(Domain::new(nothing()))),
            ("guess", Box::new(Guess::new(nothing()))),
            ("cheap layers", Box::new(Stack::above(nothing()))),
            ("blast, small only", Box::new(Blast::with_small_conflicts(u64::MAX))),
            ("blast, CaDiCaL only", Box::new(Blast::with_small_conflicts(0))),
            ("walk", Box::new(Walk::new(WalkOptions::default(), Box::new(NoFunctions)))),
            ("stack", Box::new(Stack::new(no_child))),
        ];
        Judge { solvers, effort, number: 0 }
    }

    /// All questions of a random path, to all. Says what is wrong in sentences.
    pub fn path(&mut self, theory: Theory, seed: u64, differences: &mut Vec<String>) -> Table {
        let mut path = RandomPath::new(theory, seed, widths(seed));
        let mut table = Table::new();
        for place in 0..QUESTIONS_OF_A_PATH {
            let goal = path.goal(if seed.is_multiple_of(3) { 3 } else { 2 });
            let hint = path.hint.clone();
            let query = Query { assumptions: &path.assumptions, goal, hint: &hint };
            let mut different = |what: String| {
                differences.push(format!("{theory:?}, seed {seed}, question {place}: {what}"));
            };
            self.question(&mut path.terms, &query, &mut table, &mut different);
            path.go_on(goal);
        }
        table
    }

    fn question(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        table: &mut Table,
        different: &mut dyn FnMut(String),
    ) {
        let mut has_model = false;
        let mut cores: Vec<(&'static str, Vec<Term>)> = Vec::new();
        for (name, solver) in &mut self.solvers {
            let said = table.entry(name).or_default();
            let effort = if *name == "child" { CHILD_TIMES * self.effort } else { self.effort };
            match solver.solve(terms, query, &mut Budget::effort(effort)) {
                Answer::Sat(model) if holds(terms, query, &model) => {
                    said.sat += 1;
                    has_model = true;
                }
                Answer::Sat(_) => {
                    different(format!("{name} gives values that are wrong"));
                    said.wrong += 1;
                }
                Answer::Unsat(core) => {
                    said.unsat += 1;
                    cores.push((name, core));
                }
                Answer::Unknown(Reason::Failed(what)) => {
                    different(format!("{name} failed: {what}"));
                    said.failed += 1;
                }
                Answer::Unknown(_) => said.unknown += 1,
            }
        }
        for (name, core) in cores {
            self.number += 1;
            let strange = core.iter().any(|term| !query.assumptions.contains(term));
            if has_model {
                different(format!("{name} says that there are no values, but there are"));
            } else if strange {
                different(format!("{name} gives a core that is not of the question"));
            } else if self.number.is_multiple_of(CORES) && self.is_satisfiable(terms, query, &core) {
                different(format!("{name} gives a core that is no contradiction"));
            } else {
                continue;
            }
            table.entry(name).or_default().wrong += 1;
        }
    }

    /// Whether someone finds values for the goal with only these assumptions.
    fn is_satisfiable(&mut self, terms: &mut Terms, query: &Query<'_>, core: &[Term]) -> bool {
        if core.len() == query.assumptions.len() {
            return false;
        }
        let part = Query { assumptions: core, ..*query };
        let asked = ["blast, CaDiCaL only", "walk"];
        self.solvers.iter_mut().filter(|(name, _)| asked.contains(name)).any(|(_, solver)| {
            match solver.solve(terms, &part, &mut Budget::effort(self.effort)) {
                Answer::Sat(model) => holds(terms, &part, &model),
                _ => false,
            }
        })
    }
}

/// The widths of a path's symbols.
fn widths(seed: u64) -> &'static [u8] {
    match seed % 4 {
        0 => &[8, 8, 8, 8],
        1 => &[32, 64],
        2 => &[16, 8, 1],
        _ => &[8, 8, 8, 32, 64, 5],
    }
}

/// Whether all conditions hold with these values, and the hint's for the rest.
fn holds(terms: &Terms, query: &Query<'_>, found: &Model) -> bool {
    let mut model = query.hint.clone();
    model.overlay(found);
    query.conditions().all(|condition| terms.eval(condition, &model) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says that there are values, or that there are none, without looking.
    struct Liar(bool);

    impl Layer for Liar {
        fn solve(&mut self, _: &mut Terms, _: &Query<'_>, _: &mut Budget) -> Answer {
            if self.0 { Answer::Sat(Model::new()) } else { Answer::Unsat(Vec::new()) }
        }
    }

    #[test]
    fn a_solver_that_lies_is_found_out() {
        let mut judge =
            Judge::new(ChildOptions { command: vec!["false".into()], ..Default::default() }, 50_000);
        judge.solvers.retain(|(name, _)| *name == "blast, CaDiCaL only");
        judge.solvers.push(("says yes", Box::new(Liar(true))));
        judge.solvers.push(("says no", Box::new(Liar(false))));
        let (mut table, mut differences) = (Table::new(), Vec::new());
        for seed in 0..20 {
            add(&mut table, &judge.path(Theory::BitVectors, seed, &mut differences));
        }
        assert!(table["says yes"].wrong > 0 && table["says no"].wrong > 0, "{table:?}");
        assert_eq!(table["blast, CaDiCaL only"].wrong, 0);
    }

    #[test]
    fn solvers_agree_on_random_questions() {
        let mut judge =
            Judge::new(ChildOptions { command: vec!["false".into()], ..Default::default() }, 1_000);
        judge.solvers.retain(|(name, _)| *name != "child");
        let mut differences = Vec::new();
        for theory in Theory::ALL {
            // The last two: answers to several questions that had to be put together.
            for seed in (0..6).chain([7_000_291, 7_000_311]) {
                judge.path(theory, seed, &mut differences);
            }
        }
        assert_eq!(differences, Vec::<String>::new());
    }
}
