//! The solver stack on the questions of third-party programs, against z3 alone: a child process that is told each path's prefix once.

use super::geomean;
use anyhow::{Context, Result};
use coax_judge::thirdparty::Table;
use coax_solve::questions::Questions;
use coax_solve::{Answer, Child, ChildOptions, Layer, Stack, StackOptions};
use std::path::Path;
use std::time::{Duration, Instant};

/// What one question may take, whoever is asked.
const LIMIT: Duration = Duration::from_secs(1);

/// What came of asking all questions.
#[derive(Default)]
struct Asked {
    time: Duration,
    sat: usize,
    unsat: usize,
    unknown: usize,
}

/// Records the questions of each program, and asks them.
pub fn run(table: &Table, questions: usize, save: Option<&Path>) -> Result<()> {
    println!(
        "| program | questions | sat | unsat | unknown | before SAT | stack, ms | z3, ms | z3 unknown | z3 / stack |"
    );
    println!("|-|-:|-:|-:|-:|-:|-:|-:|-:|-:|");
    let (mut ratios, mut cheap, mut all) = (Vec::new(), 0, 0);
    for name in table.entries.keys().filter(|name| table.is_there(name)) {
        let recorded = table.questions(name, questions, &mut Stack::new(StackOptions::default()))?;
        if let Some(directory) = save {
            let file = directory.join(format!("{name}.questions"));
            std::fs::write(&file, recorded.write()).with_context(|| file.display().to_string())?;
            continue;
        }
        let mut stack = Stack::new(StackOptions::default());
        let ours = ask(&recorded, &mut stack);
        let theirs = ask(&recorded, &mut Child::new(ChildOptions::default()));
        let counts = stack.counts();
        let asked_solvers = counts.iter().find(|(layer, _)| *layer == "solvers").map_or(0, |it| it.1.asked);
        let before = recorded.len() - (asked_solvers as usize).min(recorded.len());
        let ratio = theirs.time.as_secs_f64() / ours.time.as_secs_f64();
        println!(
            "| {name} | {} | {} | {} | {} | {:.0} % | {:.0} | {:.0} | {} | {ratio:.1} |",
            recorded.len(),
            ours.sat,
            ours.unsat,
            ours.unknown,
            100.0 * before as f64 / recorded.len().max(1) as f64,
            ours.time.as_secs_f64() * 1e3,
            theirs.time.as_secs_f64() * 1e3,
            theirs.unknown,
        );
        ratios.push(ratio);
        cheap += before;
        all += recorded.len();
    }
    if save.is_none() {
        let geomean = geomean(&ratios);
        let before_sat = cheap as f64 / all.max(1) as f64;
        println!(
            "\n{}",
            serde_json::json!({"bench": "solver", "geomean": geomean, "before_sat": before_sat, "questions": all, "programs": ratios.len()})
        );
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn ask(questions: &Questions, layer: &mut dyn Layer) -> Asked {
    let mut asked = Asked::default();
    let mut questions = questions.clone();
    let begin = Instant::now();
    questions.ask(layer, LIMIT, |_, answer| match answer {
        Answer::Sat(_) => asked.sat += 1,
        Answer::Unsat(_) => asked.unsat += 1,
        Answer::Unknown(_) => asked.unknown += 1,
    });
    asked.time = begin.elapsed();
    asked
}
