//! `bench threads`: which part of a search's processor time its leading thread takes, and how much more work two workers do than one.
//!
//! Times are the kernel's, by the names of threads; they are read until the search has ended, so what is done after the last reading is missing.

use anyhow::{Context, Result, ensure};
use coax_judge::harnesses::Harnesses;
use coax_judge::thirdparty::Table;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// How often threads are looked at.
const EVERY: Duration = Duration::from_millis(100);

/// Harnesses, and a third-party program that reads standard input.
const HARNESSES: [&str; 2] = ["fuzz-jansson", "fuzz-md4c"];
const OTHER: &str = "lua";

/// What threads of a search are called that lead it, and that do what they are told.
const LEADER: &str = "lead";
const WORKER: &str = "worker";

/// A program, and what coax is told of it.
struct Subject {
    name: &'static str,
    arguments: Vec<OsString>,
}

/// What one search did.
struct Search {
    /// Processor time by the names of threads, in ticks of the kernel.
    ticks: BTreeMap<String, u64>,
    report: Value,
}

/// Prints the table.
pub fn run(harnesses: &Harnesses, table: &Table, coax: &Path, seconds: u32) -> Result<()> {
    println!(
        "| program | leader, % | runs/s: 1 worker | 2 | trials/s: 1 worker | 2 | ratio |\n|-|-:|-:|-:|-:|-:|-:|"
    );
    let mut rows = serde_json::Map::new();
    for subject in subjects(harnesses, table)? {
        let [one, two] = [1, 2].map(|workers| search(coax, &subject, workers, seconds));
        let (one, two) = (one?, two?);
        let ratio = two.work() / one.work().max(1.0);
        println!(
            "| {} | {:.1} | {:.0} | {:.0} | {:.0} | {:.0} | {ratio:.2} |",
            subject.name,
            two.leader(),
            one.rate("runs"),
            two.rate("runs"),
            one.rate("mutations"),
            two.rate("mutations"),
        );
        rows.insert(subject.name.to_owned(), json!({ "leader": two.leader(), "ratio": ratio }));
    }
    println!("\n{}", json!({ "bench": "threads", "seconds": seconds, "programs": rows }));
    Ok(())
}

fn subjects(harnesses: &Harnesses, table: &Table) -> Result<Vec<Subject>> {
    let mut all = Vec::new();
    for name in HARNESSES {
        ensure!(harnesses.is_there(name), "the source of `{name}` is not here; run scripts/thirdparty");
        let told = harnesses.told(name)?;
        let given = told.args.into_iter().map(Into::into);
        let arguments = told.options.into_iter().chain(["--".into()]).chain(given).collect();
        all.push(Subject { name, arguments });
    }
    let (sources, flags) = table.sources(OTHER)?;
    let mut arguments: Vec<OsString> = sources.into_iter().map(Into::into).collect();
    arguments.push(format!("--cflags={}", flags.join(" ")).into());
    arguments.push("--sym-stdin=64".into());
    all.push(Subject { name: OTHER, arguments });
    Ok(all)
}

fn search(coax: &Path, subject: &Subject, workers: u32, seconds: u32) -> Result<Search> {
    let place = tempfile::tempdir()?;
    let out = place.path().join("out");
    let mut command = Command::new(coax);
    command.arg("cover").arg("--out").arg(&out).arg(format!("--workers={workers}"));
    command.arg(format!("--time={seconds}s")).args(&subject.arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().context("coax cannot be started")?;
    let ticks = ticks(&mut child)?;
    let report =
        fs::read(out.join("report.json")).with_context(|| format!("{} has no report", subject.name))?;
    Ok(Search { ticks, report: serde_json::from_slice(&report)? })
}

/// What the threads of a process have taken, as far as it was seen.
fn ticks(child: &mut Child) -> Result<BTreeMap<String, u64>> {
    let tasks = format!("/proc/{}/task", child.id());
    let mut all: BTreeMap<OsString, (String, u64)> = BTreeMap::new();
    while child.try_wait()?.is_none() {
        for task in fs::read_dir(&tasks).into_iter().flatten().flatten() {
            // It may have ended by now.
            let Ok(stat) = fs::read_to_string(task.path().join("stat")) else { continue };
            all.extend(name_and_ticks(&stat).map(|of| (task.file_name(), of)));
        }
        thread::sleep(EVERY);
    }
    let mut by_name = BTreeMap::new();
    for (name, ticks) in all.into_values() {
        *by_name.entry(name).or_default() += ticks;
    }
    Ok(by_name)
}

/// Of a line of /proc: `12 (name) S …`; user and system time are the 14th and 15th word.
fn name_and_ticks(stat: &str) -> Option<(String, u64)> {
    let (before, after) = stat.rsplit_once(')')?;
    let name = before.split_once('(')?.1;
    let words: Vec<&str> = after.split_whitespace().collect();
    let time = |at: usize| words.get(at)?.parse::<u64>().ok();
    Some((name.to_owned(), time(11)? + time(12)?))
}

impl Search {
    /// The leader's part of what leader and workers took, in hundredths.
    fn leader(&self) -> f64 {
        let of = |name: &str| {
            let its = self.ticks.iter().filter(|(it, _)| it.starts_with(name));
            its.map(|(_, ticks)| *ticks).sum::<u64>() as f64
        };
        100.0 * of(LEADER) / (of(LEADER) + of(WORKER)).max(1.0)
    }

    /// How often it did something in a second.
    fn rate(&self, what: &str) -> f64 {
        let number = |key: &str| self.report[key].as_f64().unwrap_or_default();
        number(what) * 1e3 / number("time_ms").max(1.0)
    }

    /// Units of work in a second.
    fn work(&self) -> f64 {
        self.rate("work")
    }
}

#[cfg(test)]
mod tests {
    use super::name_and_ticks;

    #[test]
    fn names_may_have_brackets_and_blanks() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 103 0 0 0 30 12 0 0 20 0 9 0 5 100 200";
        assert_eq!(name_and_ticks(stat), Some(("a) b (c)".to_owned(), 42)));
        assert_eq!(name_and_ticks("7"), None);
    }
}
