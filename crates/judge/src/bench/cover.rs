//! `coax cover` against libFuzzer on the same harnesses, for the same time: which share of the branches do their inputs cover?

use super::contest::{Contest, Covered, Tools};
use anyhow::{Context, Result};
use coax_judge::harnesses::Harnesses;

/// What to run.
pub struct Options {
    /// How long, in seconds.
    pub seconds: u32,
    /// How many random seeds.
    pub seeds: u32,
}

/// Compares the two on each harness of libFuzzer's.
pub fn run(harnesses: &Harnesses, names: &[&str], tools: &Tools, options: &Options) -> Result<()> {
    println!(
        "| program | branches | libFuzzer, % | (least to most) | coax, % | (least to most) | difference |"
    );
    println!("|-|-:|-:|-|-:|-|-:|");
    let mut differences = Vec::new();
    for name in names {
        let target = harnesses.fuzz_target(name)?;
        let place = tempfile::tempdir()?;
        let contest = Contest::prepare(&target, place.path(), tools).with_context(|| (*name).to_owned())?;
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for seed in 1..=options.seeds {
            let (they, we) = contest.both(&[], options.seconds, seed)?;
            theirs.push(contest.measure(&they, &|file| target.counts(file))?);
            ours.push(contest.measure(&we, &|file| target.counts(file))?);
        }
        theirs.sort();
        ours.sort();
        let median = |all: &[Covered]| all[all.len() / 2].percent();
        let range =
            |all: &[Covered]| format!("{:.1} to {:.1}", all[0].percent(), all[all.len() - 1].percent());
        let difference = median(&ours) - median(&theirs);
        println!(
            "| {name}{} | {} | {:.1} | {} | {:.1} | {} | {difference:+.1} |",
            if harnesses.is_unseen(name) { " (unseen)" } else { "" },
            ours[0].total,
            median(&theirs),
            range(&theirs),
            median(&ours),
            range(&ours),
        );
        differences.push(difference);
    }
    let ahead = differences.iter().filter(|&&difference| difference > 0.0).count();
    let worst = differences.iter().copied().fold(f64::INFINITY, f64::min);
    let json = serde_json::json!({
        "bench": "cover", "programs": differences.len(), "ahead": ahead, "worst": worst, "seconds": options.seconds, "seeds": options.seeds,
    });
    println!("\n{json}");
    Ok(())
}
