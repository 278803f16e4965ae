//! Non-linear and float problems with known solutions, in the style of the programs that the concolic walk was published
//! with (Dinges and Agha, 2014, table 5.1): what the walk, and the whole stack, are measured by.
//!
//! The set was written before the walk was, and is not changed to suit it. A formula says how a program would compute: floats are
//! compared as IEEE numbers, exactly; `sin` and its like are functions that a solver knows only by their values.

mod builder;
mod coral;
pub mod endurance;
mod integers;
pub mod judge;
pub mod late;
mod library;
mod numeric;
pub mod opaque;
mod opti;
pub mod queries;
mod random;
pub mod validity;

use builder::{Builder, Parts};
use coax_term::{Model, Term, Terms};
pub use library::Library;

/// A name, `program/problem`, and what writes the problem.
type Recipe = (&'static str, fn(&Builder));

/// A question that has an answer.
#[derive(Debug)]
pub struct Problem {
    /// `program/problem`: which program of the table it is like, and what it is about.
    pub name: &'static str,
    /// The arena of its terms.
    pub terms: Terms,
    /// All of these are to hold.
    pub conditions: Vec<Term>,
    /// Values with which they do. Only for those who check the problem.
    pub solution: Model,
    /// The values of the run that the question comes from.
    pub hint: Model,
}

/// All problems, each with an arena of its own.
pub fn all() -> Vec<Problem> {
    let recipes = [opti::PROBLEMS, coral::PROBLEMS, integers::PROBLEMS, numeric::PROBLEMS];
    recipes.into_iter().flatten().map(|&(name, write)| make(name, write)).collect()
}

/// A problem made at random: nobody chose it. Its name is its kind.
pub fn random(seed: u64) -> Problem {
    let builder = Builder::default();
    let name = random::write(&builder, seed);
    finish(name, builder)
}

fn make(name: &'static str, write: fn(&Builder)) -> Problem {
    let builder = Builder::default();
    write(&builder);
    finish(name, builder)
}

fn finish(name: &'static str, builder: Builder) -> Problem {
    let Parts { terms, conditions, solution, hint } = builder.finish();
    Problem { name, terms, conditions, solution, hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::Evaluator;

    fn holds(problem: &Problem, model: &Model) -> Vec<bool> {
        let mut library = Library::new(&problem.terms);
        let mut evaluator = Evaluator::new();
        let mut value = |&c: &Term| evaluator.eval_with(&problem.terms, model, &mut library, c);
        problem.conditions.iter().map(|condition| value(condition) == Some(1)).collect()
    }

    #[test]
    fn every_problem_has_the_solution_that_it_says() {
        let problems = all();
        let wrong = problems.iter().filter_map(|problem| {
            let holds = holds(problem, &problem.solution);
            (!holds.iter().all(|&holds| holds)).then(|| format!("{}: {holds:?}", problem.name))
        });
        assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
    }

    #[test]
    fn random_problems_have_solutions() {
        for seed in 0..200 {
            let problem = random(seed);
            assert!(holds(&problem, &problem.solution).iter().all(|&holds| holds), "{seed}");
        }
    }

    #[test]
    fn no_problem_is_solved_by_its_hint() {
        let problems = all();
        let easy = problems.iter().filter(|problem| holds(problem, &problem.hint).iter().all(|&holds| holds));
        assert_eq!(easy.map(|problem| problem.name).collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn there_are_ninety_problems_with_different_names() {
        let mut names: Vec<_> = all().iter().map(|problem| problem.name).collect();
        names.sort_unstable();
        names.dedup();
        assert!(names.len() >= 90 && names.len() == all().len(), "{}", names.len());
    }
}
