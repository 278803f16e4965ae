//! How long a quick look at an input takes (`PlainModule::trials`), beside a run that counts: what the mutation stage lives on.

use super::clock::in_turns;
use anyhow::Result;
use coax_execute::{Limits, PlainModule};
use coax_judge::harnesses::Harnesses;

/// How often each is made to be timed.
const TIMES: u32 = 2_000;
const REPETITIONS: usize = 5;

/// Measures the harnesses of these names, each on its own input.
pub fn run(harnesses: &Harnesses, names: &[&str]) -> Result<()> {
    println!("| program | run, µs | trial, µs | trials a second | ratio |");
    println!("|-|-:|-:|-:|-:|");
    let mut ratios = Vec::new();
    for name in names {
        let (program, input) = harnesses.program(name)?;
        let limits = Limits::default();
        let plain = PlainModule::new(&program, &limits)?;
        let pair = coax_judge::on_large_stacks(|| {
            let mut trials = plain.trials(&input)?;
            in_turns(
                REPETITIONS,
                || {
                    (0..TIMES)
                        .try_for_each(|_| plain.run_unchecked(&input, &limits).map(|_| ()))
                        .map_err(Into::into)
                },
                || (0..TIMES).try_for_each(|_| trials.run(&input, &limits).map(|_| ())).map_err(Into::into),
            )
        })?;
        let micros = |time: std::time::Duration| time.as_secs_f64() * 1e6 / f64::from(TIMES);
        let trial = micros(pair.ours);
        println!(
            "| {name} | {:.1} | {trial:.1} | {:.0} | {:.2} |",
            micros(pair.plain),
            1e6 / trial,
            pair.ratio()
        );
        ratios.push(pair.ratio());
    }
    println!(
        "\n{}",
        serde_json::json!({ "bench": "trials", "programs": ratios.len(), "ratio": super::geomean(&ratios) })
    );
    Ok(())
}
