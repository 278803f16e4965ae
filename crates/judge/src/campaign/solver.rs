//! How long and how well the solver stack lives: a million questions in one process, and solvers that are told to end.

use anyhow::Result;
use coax_solve::problems::endurance::Endurance;
use coax_solve::problems::late::{End, QUESTIONS, SOLVERS, least_late};
use serde_json::json;
use std::time::Duration;

/// More megabytes than this, the arena and what all layers remember included, are too many.
const MOST_MEGABYTES: u64 = 1024;
/// How many questions are asked between two looks at the memory.
const LOOK: u64 = 20_000;
/// A solver may compute for one in so many parts of its time after its end.
const LATE: u32 = 10;

/// Asks so many questions, then those that are not answered in time.
pub fn solver(questions: u64, seed: u64) -> Result<bool> {
    let mut endurance = Endurance::default();
    let mut most = 0;
    let mut paths = 0;
    println!("| questions | answered | MB |\n|-:|-:|-:|");
    while endurance.asked < questions {
        let looked = endurance.asked / LOOK;
        endurance.path(seed.wrapping_mul(1_000_003).wrapping_add(paths));
        paths += 1;
        if endurance.asked / LOOK > looked || endurance.asked >= questions {
            let now = Endurance::megabytes().unwrap_or(0);
            most = most.max(now);
            if (endurance.asked / LOOK).is_multiple_of(5) || endurance.asked >= questions {
                println!("| {} | {} | {now} |", endurance.asked, endurance.answered);
            }
        }
    }
    println!("\n| question | solver | limit ms | end | late ms |\n|-|-|-:|-|-:|");
    let (mut ended, mut late) = (0, 0);
    for (question, make) in QUESTIONS {
        for (name, solver) in SOLVERS {
            for (milliseconds, end) in [(200, End::Clock), (200, End::Flag), (1000, End::Clock)] {
                let limit = Duration::from_millis(milliseconds);
                let allowed = limit / LATE;
                let Some(after) = least_late(make, solver, limit, end, allowed) else { continue };
                ended += 1;
                let is_late = after > allowed;
                late += u64::from(is_late);
                let mark = if is_late { " LATE" } else { "" };
                let after = after.as_secs_f64() * 1e3;
                println!("| {question} | {name} | {milliseconds} | {end:?} | {after:.1}{mark} |");
            }
        }
    }
    println!(
        "\n{}",
        json!({
            "campaign": "solver",
            "seed": seed,
            "questions": endurance.asked,
            "answered": endurance.answered,
            "arenas": endurance.emptied + 1,
            "megabytes": most,
            "most_megabytes": MOST_MEGABYTES,
            "ended": ended,
            "late": late,
        })
    );
    Ok(most <= MOST_MEGABYTES && late == 0)
}
