//! Random questions to each solver alone and to the whole stack, beside z3: nobody may contradict a model that evaluation confirms.

use anyhow::Result;
use coax_solve::problems::queries::{RandomPath, Theory};
use coax_solve::{Answer, Blast, Budget, Child, ChildOptions, Layer, Nothing, Query, Stack, StackOptions};
use coax_solve::{Walk, WalkOptions};
use coax_term::{Function, Functions, Model, Terms};
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

/// So many questions are asked along a path.
const QUESTIONS_OF_A_PATH: u64 = 8;
/// What one solver may spend on a question.
const EFFORT: u64 = 300_000;
const TIME: Duration = Duration::from_millis(500);

/// What a solver said.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    sat: u64,
    unsat: u64,
    unknown: u64,
    wrong: u64,
}

type Table = BTreeMap<&'static str, Said>;

/// Asks so many questions of each theory.
pub fn queries(questions: u64, seed: u64) -> Result<bool> {
    let mut wrong = 0;
    let mut counts = BTreeMap::new();
    for theory in [Theory::BitVectors, Theory::Functions, Theory::Floats] {
        let paths = questions.div_ceil(QUESTIONS_OF_A_PATH);
        let judged = (0..paths).into_par_iter().map_init(solvers, |solvers, number| {
            judge(solvers, theory, seed.wrapping_mul(1_000_003).wrapping_add(number))
        });
        let table = judged.reduce(Table::new, added);
        println!("| {theory:?} | sat | unsat | unknown | wrong |\n|-|-:|-:|-:|-:|");
        for (name, Said { sat, unsat, unknown, wrong }) in &table {
            println!("| {name} | {sat} | {unsat} | {unknown} | {wrong} |");
        }
        println!();
        wrong += table.values().map(|said| said.wrong).sum::<u64>();
        counts.insert(format!("{theory:?}"), paths * QUESTIONS_OF_A_PATH);
    }
    println!("{}", json!({"campaign": "queries", "questions": counts, "wrong": wrong, "seed": seed}));
    Ok(wrong == 0)
}

fn added(mut one: Table, other: Table) -> Table {
    for (name, said) in other {
        let sum = one.entry(name).or_default();
        sum.sat += said.sat;
        sum.unsat += said.unsat;
        sum.unknown += said.unknown;
        sum.wrong += said.wrong;
    }
    one
}

/// Knows no function.
struct NoFunctions;

impl Functions for NoFunctions {
    fn apply(&mut self, _: Function, _: &[u64]) -> Option<u64> {
        None
    }
}

fn solvers() -> Vec<(&'static str, Box<dyn Layer>)> {
    let stack = StackOptions { child: None, ..StackOptions::default() };
    vec![
        ("z3", Box::new(Child::new(ChildOptions::default()))),
        ("cheap layers", Box::new(Stack::above(Box::new(Nothing)))),
        ("blast", Box::new(Blast::new())),
        ("walk", Box::new(Walk::new(WalkOptions::default(), Box::new(NoFunctions)))),
        ("stack", Box::new(Stack::new(stack))),
    ]
}

/// All questions of a path, to all.
fn judge(solvers: &mut [(&'static str, Box<dyn Layer>)], theory: Theory, seed: u64) -> Table {
    let widths: &[u8] = match seed % 4 {
        0 => &[8, 8, 8, 8],
        1 => &[32, 64],
        2 => &[16, 8, 1],
        _ => &[8, 8, 8, 32, 64, 5],
    };
    let mut path = RandomPath::new(theory, seed, widths);
    let mut table = Table::new();
    for _ in 0..QUESTIONS_OF_A_PATH {
        let goal = path.goal(3);
        let query = Query { assumptions: &path.assumptions, goal, hint: &path.hint };
        let mut has_model = false;
        let mut said_no = Vec::new();
        for (name, solver) in solvers.iter_mut() {
            let said = table.entry(name).or_default();
            let mut budget = Budget::effort(EFFORT).within(TIME);
            match solver.solve(&mut path.terms, &query, &mut budget) {
                Answer::Sat(model) if holds(&path.terms, &query, &model) => {
                    said.sat += 1;
                    has_model = true;
                }
                Answer::Sat(_) => {
                    eprintln!("DIFFERENCE {theory:?}, seed {seed}: {name} gives values that are wrong");
                    said.wrong += 1;
                }
                Answer::Unsat(_) => {
                    said.unsat += 1;
                    said_no.push(*name);
                }
                Answer::Unknown(_) => said.unknown += 1,
            }
        }
        for name in said_no.into_iter().filter(|_| has_model) {
            eprintln!(
                "DIFFERENCE {theory:?}, seed {seed}: {name} says that there are no values, but there are"
            );
            table.entry(name).or_default().wrong += 1;
        }
        path.go_on(goal);
    }
    table
}

/// Whether all conditions hold with these values, and the hint's for the rest.
fn holds(terms: &Terms, query: &Query<'_>, found: &Model) -> bool {
    let mut model = query.hint.clone();
    model.overlay(found);
    query.conditions().all(|condition| terms.eval(condition, &model) == 1)
}
