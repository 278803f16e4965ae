//! What higher-order tests cost where no unknown function is called: the same search with and without, as many runs.

use super::searched::Searched;
use super::{Options, Tools};
use crate::bench::clock::time_of;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::time::Duration;

const PROGRAM: &str = "bench/programs/no_unknown_call.c";
const RUNS: &str = "3000";
/// How often each is measured, in turns; the shortest counts.
const TURNS: usize = 7;

/// Measures both.
pub(super) fn run(tools: &Tools, options: &Options) -> Result<Value> {
    let program = options.path(PROGRAM);
    let program = program.to_str().context("its path is no text")?;
    let search = |treatment: &str| {
        let treated = ["--unknown", "hash", "--no-auto-unknown", "--imprecision", treatment];
        let bounded = [program, "--no-mutate", "--max-runs", RUNS, "--time", "10m"];
        Searched::run(&tools.coax, &[&bounded[..], &treated[..]].concat())
    };
    let treatments = ["unsound", "higher-order"];
    // The first compiles.
    let runs = search(treatments[0])?.number("runs")?;
    let mut least = [Duration::MAX; 2];
    for _ in 0..TURNS {
        for (treatment, least) in treatments.into_iter().zip(&mut least) {
            let (time, searched) = time_of(|| search(treatment));
            searched?;
            *least = time.min(*least);
        }
    }
    let ratio = least[1].as_secs_f64() / least[0].as_secs_f64();
    println!("| {runs} runs of {PROGRAM} | s | times as long |");
    println!("|-|-:|-:|");
    println!("| unsound | {:.2} | |", least[0].as_secs_f64());
    println!("| higher-order | {:.2} | {ratio:.2} |", least[1].as_secs_f64());
    Ok(json!({ "ratio": ratio, "runs": runs }))
}
