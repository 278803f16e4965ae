//! Places that a backward search calls unreachable, in random programs of which all inputs are tried.

use anyhow::Result;
use coax_judge::unreachable::{Judged, KINDS, Tally, Wrong, judge};
use rayon::prelude::*;
use serde_json::{Value, json};

/// So many wrong verdicts are shown with their programs, the shortest first.
const SHOWN: usize = 3;

/// Judges so many programs, from this one on.
pub fn unreachable(programs: u64, seed: u64) -> Result<bool> {
    let one = |number: u64| judge(seed.wrapping_add(number));
    let both = |one: Judged, other: Judged| Ok(one.and(other));
    let judged: Result<Judged> = coax_judge::on_large_stacks(|| {
        (0..programs).into_par_iter().map(one).try_reduce(Judged::default, both)
    });
    let Judged { tallies, programs, pasts, mut wrong } = judged?;
    println!("| places | targets | infeasible | proved | wrong | given up |\n|-|-:|-:|-:|-:|-:|");
    let mut all = Tally::default();
    for (kind, tally) in KINDS.iter().zip(tallies) {
        let Tally { targets, infeasible, proved, wrong, bounds, .. } = tally;
        println!("| {kind} | {targets} | {infeasible} | {proved} | {wrong} | {bounds} |");
        all += tally;
    }
    println!();
    wrong.sort_by_key(|wrong| wrong.text.len());
    for Wrong { seed, text, target, input } in wrong.iter().take(SHOWN) {
        println!(
            "WRONG: {target} is called unreachable, f{input:?} gets there \
             (`scripts/campaign unreachable --seed {seed} --programs 1`)\n{text}"
        );
    }
    let kinds: Vec<Value> = tallies.iter().map(of).collect();
    println!(
        "{}",
        json!({"campaign": "unreachable", "seed": seed, "programs": programs, "pasts": pasts, "all": of(&all), "directions": kinds[0],
               "functions": kinds[1], "traps": kinds[2], "wrong": all.wrong})
    );
    Ok(all.wrong == 0)
}

fn of(tally: &Tally) -> Value {
    json!({
        "targets": tally.targets,
        "infeasible": tally.infeasible,
        "proved": tally.proved,
        "wrong": tally.wrong,
        "given_up": tally.bounds,
        "segments": tally.segments,
    })
}
