//! Programs written for other tools, as they are.

use coax_judge::harnesses::{Harnessed, Harnesses};
use serde_json::json;

/// Prints what came of each program: whose harness it has, which inputs were found, how it ended, and that a stored test ends
/// alike.
pub fn harnesses(harnesses: &Harnesses, wanted: &[String], mutants: usize) -> anyhow::Result<bool> {
    println!(
        "| program | style | inputs | runs | events | the same by the reference | outcome | stored test |\n|-|-|-|-:|-:|-:|-|-|"
    );
    let (mut judged, mut runs_of_all, mut failed, mut unseen, mut unseen_failed) = (0, 0, 0, 0, 0);
    let mut skipped = Vec::new();
    for name in harnesses.names(wanted)? {
        if !harnesses.is_there(name) {
            skipped.push(name);
            continue;
        }
        judged += 1;
        let is_unseen = usize::from(harnesses.is_unseen(name));
        unseen += is_unseen;
        let style = harnesses.style(name);
        match harnesses.judge(name, mutants) {
            Ok(Harnessed { inputs, runs, events, compared, outcome }) => {
                runs_of_all += runs;
                let inputs = shown(inputs.iter().map(String::as_str).collect());
                println!(
                    "| {name} | {style} | {inputs} | {runs} | {events} | {compared} | {outcome} | the same |"
                );
            }
            Err(error) => {
                println!("| {name} | {style} | | | | | | FAILED |");
                eprintln!("{name}: {error:#}");
                failed += 1;
                unseen_failed += is_unseen;
            }
        }
    }
    if !skipped.is_empty() {
        eprintln!("skipped, not fetched (scripts/thirdparty gets them): {}", skipped.join(", "));
    }
    println!(
        "{}",
        json!({
            "campaign": "harnesses",
            "programs": judged,
            "runs": runs_of_all,
            "failed": failed,
            "unseen": unseen,
            "unseen_failed": unseen_failed,
            "skipped": skipped.len(),
        })
    );
    Ok(failed == 0)
}

/// The first few names.
fn shown(names: Vec<&str>) -> String {
    const MOST: usize = 6;
    match names.get(..MOST) {
        Some(first) if names.len() > MOST => format!("{} … ({})", first.join(" "), names.len()),
        _ => names.join(" "),
    }
}
