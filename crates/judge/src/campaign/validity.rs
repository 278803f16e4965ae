//! Random questions with unknown functions over few values: what is said of them, beside trying all functions and all inputs.

use anyhow::Result;
use coax_solve::problems::opaque::Kind;
use coax_solve::problems::validity::{Judge, Table};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// So many questions are asked by one judge.
const QUESTIONS: u64 = 500;

/// Asks so many questions of each kind; an answer may cost so much.
pub fn validity(questions: u64, effort: u64, seed: u64) -> Result<bool> {
    let (mut all, mut counts) = (Table::default(), BTreeMap::new());
    println!(
        "| functions | questions | strategies, that sample | carried out | unsound | defeats | unconfirmed | solved by the run | missed | valid | found | not valid | found | contradictions |\n\
         |-|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|"
    );
    for kind in Kind::ALL {
        let judge = |part: u64| {
            let mut judge = Judge::new(effort);
            let mut wrong = Vec::new();
            let numbers = part * QUESTIONS..questions.min((part + 1) * QUESTIONS);
            let tables = numbers.map(|number| {
                judge.question(kind, seed.wrapping_mul(1_000_003).wrapping_add(number), &mut wrong)
            });
            let table = tables.fold(Table::default(), |all, table| all.and(&table));
            wrong.iter().for_each(|wrong| eprintln!("WRONG {wrong}"));
            table
        };
        let judged = (0..questions.div_ceil(QUESTIONS)).into_par_iter().map(judge);
        let table = judged.reduce(Table::default, |one, other| one.and(&other));
        let Table { asked, strategies, sampling, carried_out, unsound, defeats, unconfirmed, .. } = table;
        let Table { fixed, missed, valid, valid_found, not_valid, not_valid_found, contradictions, .. } =
            table;
        println!(
            "| {kind:?} | {asked} | {strategies}, {sampling} | {carried_out} | {unsound} | {defeats} | {unconfirmed} | {fixed} | {missed} | {valid} | {valid_found} | {not_valid} | {not_valid_found} | {contradictions} |"
        );
        counts.insert(format!("{kind:?}"), of(&table));
        all = all.and(&table);
    }
    println!(
        "\n{}",
        json!({"campaign": "validity", "seed": seed, "all": of(&all), "kinds": counts, "wrong": all.wrong()})
    );
    Ok(all.wrong() == 0)
}

fn of(table: &Table) -> Value {
    json!({
        "questions": table.asked,
        "strategies": table.strategies,
        "strategies_that_sample": table.sampling,
        "carried_out": table.carried_out,
        "unsound": table.unsound,
        "defeats": table.defeats,
        "unconfirmed": table.unconfirmed,
        "solved_by_the_run": table.fixed,
        "missed": table.missed,
        "valid": table.valid,
        "valid_found": table.valid_found,
        "not_valid": table.not_valid,
        "not_valid_found": table.not_valid_found,
        "contradictions": table.contradictions,
    })
}
