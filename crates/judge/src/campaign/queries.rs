//! Random questions to each layer and solver alone and to the whole stack, beside z3: nobody may contradict a model that evaluation
//! confirms.

use anyhow::Result;
use coax_solve::ChildOptions;
use coax_solve::problems::judge::{AGREED_SAMPLE, CADICAL_SAMPLE, Judge, SAMPLE, Said, Table};
use coax_solve::problems::queries::Theory;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What one solver may spend on a question: questions are small, and many answers are worth more than hard ones.
const EFFORT: u64 = 250;
/// So many paths are asked by one judge, whose child process takes a while to start.
const PATHS: u64 = 100;

/// The theory of this name.
pub fn theory(name: &str) -> Result<Theory, String> {
    let named = |theory: &Theory| format!("{theory:?}").eq_ignore_ascii_case(name);
    Theory::ALL.into_iter().find(named).ok_or_else(|| format!("there is none; there are {:?}", Theory::ALL))
}

/// Asks so many questions of each theory, or of one.
pub fn queries(questions: u64, only: Option<Theory>, seed: u64) -> Result<bool> {
    let mut bad = 0;
    let mut counts: BTreeMap<String, Value> = BTreeMap::new();
    for theory in Theory::ALL.into_iter().filter(|&theory| only.is_none_or(|only| only == theory)) {
        let judge = |part: u64| {
            let mut judge = Judge::new(ChildOptions::default(), EFFORT);
            let mut differences = Vec::new();
            let paths = (part * PATHS..(part + 1) * PATHS).map(|number| {
                let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
                judge.path(theory, seed, &mut differences)
            });
            let table = paths.fold(Table::default(), |all, path| all.and(&path));
            differences.iter().for_each(|difference| eprintln!("DIFFERENCE {difference}"));
            table
        };
        // Paths are of different lengths.
        let (mut table, mut parts) = (Table::default(), 0);
        while table.asked < questions {
            let more = 1 + (questions - table.asked) / (8 * PATHS);
            let judged = (parts..parts + more).into_par_iter().map(judge);
            table = judged.reduce(Table::default, |one, other| one.and(&other)).and(&table);
            parts += more;
        }
        let Table { asked, said, contradictions, checked, confirmed } = table;
        println!("| {theory:?} | sat | unsat | unknown | failed | wrong |\n|-|-:|-:|-:|-:|-:|");
        for (name, Said { sat, unsat, unknown, failed, wrong }) in &said {
            println!("| {name} | {sat} | {unsat} | {unknown} | {failed} | {wrong} |");
        }
        println!(
            "\n{asked} questions. Of {contradictions} contradictions the child was asked about {checked} and proved {confirmed}; of those that were proved in two\n\
             ways it got one in {AGREED_SAMPLE}, of all other questions one in {SAMPLE}. CaDiCaL alone got one question in {CADICAL_SAMPLE}.\n"
        );
        bad += said.values().map(|said| said.wrong + said.failed).sum::<u64>();
        let counts_of_theory = json!({
            "asked": asked,
            "contradictions": contradictions,
            "checked": checked,
            "confirmed": confirmed,
        });
        counts.insert(format!("{theory:?}"), counts_of_theory);
    }
    println!("{}", json!({"campaign": "queries", "questions": counts, "wrong": bad, "seed": seed}));
    Ok(bad == 0)
}
