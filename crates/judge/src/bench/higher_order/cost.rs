//! What higher-order tests cost where no unknown function is called: the same search with and without, as many runs. And what samples take.

use super::searched::Searched;
use super::{Options, Tools};
use crate::bench::clock::{fastest, time_of};
use crate::bench::memory::resident_bytes;
use anyhow::{Context, Result};
use coax_solve::validity::Samples;
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
    let samples = of_samples()?;
    Ok(json!({ "ratio": ratio, "runs": runs, "samples": samples }))
}

/// How many samples there are, how many bytes each has as arguments, and how many of them are looked up.
const SAMPLES: u64 = 100_000;
const ARGUMENTS: u64 = 24;
const LOOK_UPS: u64 = 1_000_000;

/// The memory of many samples, and how long one is looked for.
fn of_samples() -> Result<Value> {
    // Nearby keys differ in few bytes, as texts do.
    let arguments = |key: u64| -> Vec<u64> {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (0..ARGUMENTS)
            .map(|place| if place < 16 { 97 + place } else { mixed >> (8 * (place - 16)) & 0xff })
            .collect()
    };
    let before = resident_bytes()?;
    let mut samples = Samples::new();
    for key in 0..SAMPLES {
        samples.add("hash/p0[0]+24", &arguments(key), key * 7);
    }
    let megabytes = resident_bytes()?.saturating_sub(before) as f64 / 1e6;
    let keys: Vec<Vec<u64>> = (0..SAMPLES).map(arguments).collect();
    let look_up = || {
        let known = (0..LOOK_UPS).filter(|number| {
            let key = number.wrapping_mul(48_271) % SAMPLES;
            samples.get("hash/p0[0]+24", &keys[key as usize]) == Some(key * 7)
        });
        assert_eq!(known.count() as u64, LOOK_UPS, "each sample is found");
    };
    let nanoseconds = fastest(look_up).as_nanos() as f64 / LOOK_UPS as f64;
    println!();
    println!("| {SAMPLES} samples of {ARGUMENTS} bytes | MB | ns to find one |");
    println!("|-|-:|-:|");
    println!("| | {megabytes:.0} | {nanoseconds:.0} |");
    Ok(json!({ "megabytes": megabytes, "nanoseconds": nanoseconds }))
}
