//! Solvers judge each other on random questions: nobody may contradict a model that evaluation confirms, and what is said to be
//! contradictory must be so by itself.
//!
//! Values are checked by evaluation, which is exact and quick. A child process, which is slow, is asked where that cannot be done: when
//! someone says that there are no values and nobody has any. Where both a circuit and the evaluation of all values say so, which have no code in
//! common, it gets one in [`AGREED_SAMPLE`]; of the other questions one in [`SAMPLE`].

use super::queries::{RandomPath, Theory};
use crate::layers::{cache::Cache, domain::Domain, guess::Guess, known::Known};
use crate::layers::{shared::SharedLayer, slice::Slice};
use crate::portfolio::Portfolio;
use crate::{Answer, Blast, Budget, Child, ChildOptions, Layer, Nothing, Query, Reason, Stack, StackOptions};
use crate::{Tally, Walk, WalkOptions};
use coax_term::{Algebra, Model, NoFunctions, Term, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many questions are asked along a path, at most.
const QUESTIONS_OF_A_PATH: usize = 8;
/// A child may spend so many times as much as others: z3 answered 44 % of 1,600 random questions with an effort of 2,000.
const CHILD_TIMES: u64 = 10;
/// Of one in so many contradictions the core alone is asked for again.
const CORES: u64 = 4;
/// Of the questions that a child need not be asked it is asked one in so many.
pub const SAMPLE: u64 = 32;
/// Of the contradictions that were proved in two ways it is asked one in so many.
pub const AGREED_SAMPLE: u64 = 4;
/// CaDiCaL, which begins anew each time, is asked one question in so many.
pub const CADICAL_SAMPLE: u64 = 8;
/// After so many contradictions in a row the path itself is one, and asked no further.
const CONTRADICTIONS_OF_A_PATH: usize = 2;

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

/// What came of some questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// How many questions there were.
    pub asked: u64,
    /// By solver, what it said.
    pub said: BTreeMap<&'static str, Said>,
    /// How many questions someone called contradictory, without anybody having values.
    pub contradictions: u64,
    /// How many of these the child was asked about.
    pub checked: u64,
    /// How many of these it called so, too.
    pub confirmed: u64,
}

impl Table {
    /// Adds the counts of another table.
    #[must_use]
    pub fn and(mut self, other: &Table) -> Table {
        for (name, said) in &other.said {
            let sum = self.said.entry(name).or_default();
            sum.sat += said.sat;
            sum.unsat += said.unsat;
            sum.unknown += said.unknown;
            sum.failed += said.failed;
            sum.wrong += said.wrong;
        }
        self.asked += other.asked;
        self.contradictions += other.contradictions;
        self.checked += other.checked;
        self.confirmed += other.confirmed;
        self
    }

    fn of(&mut self, name: &'static str) -> &mut Said {
        self.said.entry(name).or_default()
    }
}

/// Those who are asked.
pub struct Judge {
    solvers: Vec<Solver>,
    child: Option<Solver>,
    /// What each may spend on a question.
    effort: u64,
    /// How many questions there were.
    asked: u64,
    /// How many cores there were.
    cores: u64,
}

struct Solver {
    name: &'static str,
    layer: Box<dyn Layer>,
    /// Where its parts count wrong models, which others then make good.
    tallies: Vec<Arc<Tally>>,
}

/// What someone said, as far as it goes without others.
enum Verdict {
    /// With these values all conditions hold.
    Values,
    /// There are none; the core.
    None(Vec<Term>),
    /// Nothing that others could contradict.
    Open,
}

impl Solver {
    fn new(name: &'static str, layer: impl Layer + 'static) -> Solver {
        Solver { name, layer: Box::new(layer), tallies: Vec::new() }
    }

    fn stack(name: &'static str, stack: Stack) -> Solver {
        Solver { tallies: stack.tallies().to_vec(), ..Solver::new(name, stack) }
    }

    /// How many wrong models were made good so far.
    fn made_good(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.counts().wrong).sum()
    }

    /// Asks, and counts what is said.
    fn ask(&mut self, asked: &mut Asked<'_>, effort: u64) -> Verdict {
        let before = self.made_good();
        let answer = self.layer.solve(asked.terms, asked.query, &mut Budget::effort(effort));
        let said = asked.table.of(self.name);
        if self.made_good() > before {
            (asked.different)(format!("{} found a layer to be wrong", self.name));
            said.wrong += 1;
        }
        match answer {
            Answer::Sat(model) if holds(asked.terms, asked.query, &model) => {
                said.sat += 1;
                Verdict::Values
            }
            Answer::Sat(_) => {
                (asked.different)(format!("{} gives values that are wrong", self.name));
                said.wrong += 1;
                Verdict::Open
            }
            Answer::Unsat(core) => {
                said.unsat += 1;
                Verdict::None(core)
            }
            Answer::Unknown(Reason::Failed(what)) => {
                (asked.different)(format!("{} failed: {what}", self.name));
                said.failed += 1;
                Verdict::Open
            }
            Answer::Unknown(_) => {
                said.unknown += 1;
                Verdict::Open
            }
        }
    }
}

/// A question, and where to write what comes of it.
struct Asked<'a> {
    terms: &'a mut Terms,
    query: &'a Query<'a>,
    table: &'a mut Table,
    different: &'a mut dyn FnMut(String),
}

impl Judge {
    /// Each layer and solver alone, the whole stack, and a child process; each may spend so much effort on a question.
    pub fn new(child: ChildOptions, effort: u64) -> Judge {
        let nothing = || Box::new(Nothing) as Box<dyn Layer>;
        // A question that several layers make of the same terms is encoded once.
        let one_blast = SharedLayer::new(Box::new(Blast::new()));
        let blast = || Box::new(one_blast.clone()) as Box<dyn Layer>;
        let no_child = StackOptions { child: None, ..StackOptions::default() };
        let solvers = vec![
            Solver::new(CIRCUIT, one_blast.clone()),
            Solver::new("known, blast", Known::new(blast())),
            Solver::new("slice, blast", Slice::new(blast())),
            Solver::new("cache, blast", Cache::new(blast())),
            Solver::new("ring, blast", Portfolio::new(blast(), nothing(), None, &mut Vec::new())),
            Solver::new(DOMAIN, Domain::new(nothing())),
            Solver::new("guess", Guess::new(nothing())),
            Solver::stack("cheap layers", Stack::above(nothing())),
            Solver::new(CADICAL, Blast::with_small_conflicts(0)),
            Solver::new("walk", Walk::new(WalkOptions::default(), Box::new(NoFunctions))),
            Solver::stack("stack", Stack::new(no_child)),
        ];
        let child = Some(Solver::new("child", Child::new(child)));
        Judge { solvers, child, effort, asked: 0, cores: 0 }
    }

    /// All questions of a random path, to all. Says what is wrong in sentences.
    pub fn path(&mut self, theory: Theory, seed: u64, differences: &mut Vec<String>) -> Table {
        let mut path = RandomPath::new(theory, seed, widths(seed));
        let mut table = Table::default();
        let mut contradictions = 0;
        for place in 0..QUESTIONS_OF_A_PATH {
            let goal = path.goal(if seed.is_multiple_of(3) { 3 } else { 2 });
            let hint = path.hint.clone();
            let query = Query { assumptions: &path.assumptions, goal, hint: &hint };
            let mut different = |what: String| {
                differences.push(format!("{theory:?}, seed {seed}, question {place}: {what}"));
            };
            let terms = &mut path.terms;
            let asked = Asked { terms, query: &query, table: &mut table, different: &mut different };
            if !self.question(asked) {
                contradictions = 0;
                path.go_on(goal);
                continue;
            }
            contradictions += 1;
            if contradictions == CONTRADICTIONS_OF_A_PATH {
                break;
            }
            let opposite = path.terms.not(goal);
            path.assumptions.push(opposite);
        }
        table
    }

    /// Whether it is contradictory, as far as anybody knows.
    fn question(&mut self, mut asked: Asked<'_>) -> bool {
        self.asked += 1;
        asked.table.asked += 1;
        let mut has_model = false;
        let mut cores: Vec<(&'static str, Vec<Term>)> = Vec::new();
        for solver in &mut self.solvers {
            if solver.name == CADICAL && !self.asked.is_multiple_of(CADICAL_SAMPLE) {
                continue;
            }
            match solver.ask(&mut asked, self.effort) {
                Verdict::Values => has_model = true,
                Verdict::None(core) => cores.push((solver.name, core)),
                Verdict::Open => {}
            }
        }
        let is_contradiction = !has_model && !cores.is_empty();
        asked.table.contradictions += u64::from(is_contradiction);
        let is_said_by = |who: &str| cores.iter().any(|(name, _)| *name == who);
        let one_in = match is_contradiction {
            true if is_said_by(DOMAIN) && is_said_by(CIRCUIT) => AGREED_SAMPLE,
            true => 1,
            false => SAMPLE,
        };
        if let Some(child) = &mut self.child
            && self.asked.is_multiple_of(one_in)
        {
            asked.table.checked += u64::from(is_contradiction);
            match child.ask(&mut asked, CHILD_TIMES * self.effort) {
                Verdict::Values => has_model = true,
                Verdict::None(core) => {
                    asked.table.confirmed += u64::from(is_contradiction);
                    cores.push((child.name, core));
                }
                Verdict::Open => {}
            }
        }
        for (name, core) in cores {
            self.cores += 1;
            let strange = core.iter().any(|term| !asked.query.assumptions.contains(term));
            let what = if has_model {
                "says that there are no values, but there are"
            } else if strange {
                "gives a core that is not of the question"
            } else if self.cores.is_multiple_of(CORES) && self.is_satisfiable(&mut asked, &core) {
                "gives a core that is no contradiction"
            } else {
                continue;
            };
            (asked.different)(format!("{name} {what}"));
            asked.table.of(name).wrong += 1;
        }
        is_contradiction && !has_model
    }

    /// Whether someone finds values for the goal with only these assumptions.
    fn is_satisfiable(&mut self, asked: &mut Asked<'_>, core: &[Term]) -> bool {
        if core.len() == asked.query.assumptions.len() {
            return false;
        }
        let part = Query { assumptions: core, ..*asked.query };
        let mut judges = self.solvers.iter_mut().filter(|solver| CORE_JUDGES.contains(&solver.name));
        judges.any(|solver| match solver.layer.solve(asked.terms, &part, &mut Budget::effort(self.effort)) {
            Answer::Sat(model) => holds(asked.terms, &part, &model),
            _ => false,
        })
    }
}

const DOMAIN: &str = "domain";
const CIRCUIT: &str = "blast";
const CADICAL: &str = "blast, CaDiCaL only";
/// Who is asked about cores.
const CORE_JUDGES: [&str; 2] = [CIRCUIT, "walk"];

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

    /// Solvers that need nothing but this crate.
    fn without_child(effort: u64) -> Judge {
        Judge { child: None, ..Judge::new(ChildOptions::default(), effort) }
    }

    #[test]
    fn a_solver_that_lies_is_found_out() {
        let mut judge = without_child(50_000);
        judge.solvers.retain(|solver| solver.name == CADICAL);
        judge.solvers.push(Solver::new("says yes", Liar(true)));
        judge.solvers.push(Solver::new("says no", Liar(false)));
        let mut differences = Vec::new();
        let tables = (0..20).map(|seed| judge.path(Theory::BitVectors, seed, &mut differences));
        let said = tables.fold(Table::default(), |all, table| all.and(&table)).said;
        assert!(said["says yes"].wrong > 0 && said["says no"].wrong > 0, "{said:?}");
        assert_eq!(said[CADICAL].wrong, 0);
    }

    #[test]
    fn the_child_is_asked_about_every_contradiction() {
        let mut judge = without_child(50_000);
        judge.solvers.retain(|solver| solver.name == DOMAIN);
        judge.solvers.push(Solver::new("says no", Liar(false)));
        // In the place of a child, one who knows.
        judge.child = Some(Solver::new("child", Blast::new()));
        let mut differences = Vec::new();
        let tables = (0..20).map(|seed| judge.path(Theory::BitVectors, seed, &mut differences));
        let table = tables.fold(Table::default(), |all, table| all.and(&table));
        let Said { sat, unsat, unknown, .. } = table.said["child"];
        assert!(sat > 0 && table.said["says no"].wrong >= sat, "{table:?}");
        assert!(table.contradictions > table.confirmed && table.confirmed == unsat, "{table:?}");
        assert!(
            sat + unsat + unknown >= table.contradictions && table.checked == table.contradictions,
            "{table:?}"
        );
    }

    #[test]
    fn solvers_agree_on_random_questions() {
        let mut judge = without_child(1_000);
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
