//! Random questions to each layer and solver alone and to the whole stack, beside z3: nobody may contradict a model that evaluation
//! confirms.

use anyhow::Result;
use coax_solve::ChildOptions;
use coax_solve::problems::judge::{Judge, QUESTIONS_OF_A_PATH, Said, Table, add};
use coax_solve::problems::queries::Theory;
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

/// What one solver may spend on a question: questions are small, and many answers are worth more than hard ones.
const EFFORT: u64 = 4_000;

/// Asks so many questions of each theory.
pub fn queries(questions: u64, seed: u64) -> Result<bool> {
    let mut bad = 0;
    let mut counts = BTreeMap::new();
    for theory in Theory::ALL {
        let paths = questions.div_ceil(QUESTIONS_OF_A_PATH);
        let judge = || Judge::new(ChildOptions::default(), EFFORT);
        let judged = (0..paths).into_par_iter().map_init(judge, |judge, number| {
            let mut differences = Vec::new();
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
            let table = judge.path(theory, seed, &mut differences);
            differences.iter().for_each(|difference| eprintln!("DIFFERENCE {difference}"));
            table
        });
        let table = judged.reduce(Table::new, |mut one, other| {
            add(&mut one, &other);
            one
        });
        println!("| {theory:?} | sat | unsat | unknown | failed | wrong |\n|-|-:|-:|-:|-:|-:|");
        for (name, Said { sat, unsat, unknown, failed, wrong }) in &table {
            println!("| {name} | {sat} | {unsat} | {unknown} | {failed} | {wrong} |");
        }
        println!();
        bad += table.values().map(|said| said.wrong + said.failed).sum::<u64>();
        counts.insert(format!("{theory:?}"), paths * QUESTIONS_OF_A_PATH);
    }
    println!("{}", json!({"campaign": "queries", "questions": counts, "wrong": bad, "seed": seed}));
    Ok(bad == 0)
}
