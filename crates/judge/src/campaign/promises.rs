//! What `coax cover` promises its users: it ends when its time is over, every branch is covered or has a reason, the first test is there
//! soon, and memory stays below its cap.

use anyhow::{Context, Result, bail, ensure};
use coax_judge::examples;
use coax_judge::harnesses::Harnesses;
use coax_judge::thirdparty::Table;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a search is given, and when the process must have ended.
const TIME: &str = "10s";
const LATEST_END: Duration = Duration::from_secs(11);
/// When the first test of a small program must be there.
const LATEST_TEST: Duration = Duration::from_secs(1);
/// Large programs that read standard input: their times are only stated.
const LARGE: [&str; 2] = ["lua", "sqlite"];
/// The memory that a search may have, in bytes and as it is told, and a tenth more.
const MEMORY: (u64, &str) = (300 << 20, "300M");
const MOST_MEMORY: u64 = MEMORY.0 + MEMORY.0 / 10;
/// The row of a program whose search grows without bound.
const GREEDY: &str = "memory";
const GREEDY_PROGRAM: &str = include_str!("promises/greedy.c");
/// How often a search is looked at.
const EVERY: Duration = Duration::from_millis(1);

/// One search, and what is promised of it beside its counts.
struct Promise {
    name: String,
    arguments: Vec<OsString>,
    latest_end: Option<Duration>,
    latest_test: Option<Duration>,
}

/// What a search did.
struct Searched {
    time: Duration,
    first_test: Option<Duration>,
    peak: u64,
    report: Value,
}

/// Holds the command to its promises, on these programs only if any are named; whether it keeps them.
pub fn promises(
    harnesses: &Harnesses,
    targets: &[&str],
    table: &Table,
    coax: &Path,
    wanted: &[String],
) -> Result<bool> {
    let mut all = searches(harnesses, targets, table)?;
    let is_known = |name: &String| name == GREEDY || all.iter().any(|it| it.name == *name);
    if let Some(name) = wanted.iter().find(|name| !is_known(name)) {
        bail!(
            "there is no `{name}`, or its source is not here; name a harness, an example, {LARGE:?} or `{GREEDY}`"
        );
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|it| it == name);
    all.retain(|it| is_wanted(&it.name));
    let place = tempfile::tempdir()?;
    let (mut missed, mut slowest, mut latest) = (0, Duration::ZERO, Duration::ZERO);
    println!(
        "| program | process, s | first test, ms | covered | uncovered, each with its reason | all branches | broken |"
    );
    println!("|-|-:|-:|-:|-:|-:|-|");
    for (number, promise) in all.iter().enumerate() {
        let out = place.path().join(number.to_string());
        // What is compiled is cached by the first: how long compilers take is not promised.
        Search::start(coax, &promise.arguments, &["--max-runs=1"], &out.join("warm"))?.end()?;
        let searched = Search::start(coax, &promise.arguments, &["--time", TIME], &out.join("timed"))?.end();
        let searched = searched.with_context(|| promise.name.clone())?;
        let broken = promise.broken(&searched);
        missed += broken.len();
        slowest = slowest.max(searched.time);
        if promise.latest_test.is_some() {
            latest = latest.max(searched.first_test.unwrap_or(Duration::MAX));
        }
        let counts = Counts::of(&searched.report);
        println!(
            "| {} | {:.2} | {} | {} | {} | {} | {} |",
            promise.name,
            searched.time.as_secs_f64(),
            searched.first_test.map_or("none".to_owned(), |time| time.as_millis().to_string()),
            counts.covered,
            counts.explained,
            counts.total,
            broken.join("; ")
        );
    }
    let mut memory = Value::Null;
    if is_wanted(GREEDY) {
        let (kept, said) = capped(coax, place.path())?;
        missed += usize::from(!kept);
        memory = said;
    }
    let json = json!({
        "campaign": "promises",
        "programs": all.len(),
        "missed": missed,
        "slowest_s": slowest.as_secs_f64(),
        "latest_first_test_of_small_programs_ms": latest.as_millis() as u64,
        "memory": memory,
    });
    println!("\n{json}");
    Ok(missed == 0)
}

/// All searches: harnesses, small programs, large ones.
fn searches(harnesses: &Harnesses, targets: &[&str], table: &Table) -> Result<Vec<Promise>> {
    let mut all = Vec::new();
    for name in targets {
        let arguments = harnesses.fuzz_target(name)?.arguments();
        all.push(Promise {
            name: (*name).to_owned(),
            arguments,
            latest_end: Some(LATEST_END),
            latest_test: None,
        });
    }
    for (file, arguments) in examples::searches(table.repository())? {
        let arguments = arguments.into_iter().map(Into::into).collect();
        all.push(Promise {
            name: file,
            arguments,
            latest_end: Some(LATEST_END),
            latest_test: Some(LATEST_TEST),
        });
    }
    for name in LARGE.into_iter().filter(|name| table.is_there(name)) {
        let (sources, flags) = table.sources(name)?;
        let mut arguments: Vec<OsString> = sources.into_iter().map(Into::into).collect();
        arguments.push(format!("--cflags={}", flags.join(" ")).into());
        arguments.push("--sym-stdin=16".into());
        all.push(Promise { name: name.to_owned(), arguments, latest_end: None, latest_test: None });
    }
    Ok(all)
}

impl Promise {
    /// What a search did not keep, in words.
    fn broken(&self, searched: &Searched) -> Vec<&'static str> {
        let counts = Counts::of(&searched.report);
        let is_late = |latest| searched.first_test.is_none_or(|time| time > latest);
        [
            (self.latest_end.is_some_and(|latest| searched.time > latest), "it ended late"),
            (counts.covered + counts.explained != counts.total, "branches are missing"),
            (counts.explained != counts.uncovered, "a reason is missing"),
            (self.latest_test.is_some_and(is_late), "the first test came late"),
        ]
        .into_iter()
        .filter_map(|(is_broken, what)| is_broken.then_some(what))
        .collect()
    }
}

/// The branches of a report.
struct Counts {
    covered: u64,
    total: u64,
    uncovered: u64,
    /// Those of the uncovered that have a reason.
    explained: u64,
}

impl Counts {
    fn of(report: &Value) -> Counts {
        let branches = |what: &str| report["coverage"]["branches"][what].as_u64().unwrap_or_default();
        let uncovered = report["uncovered"].as_array().map_or(&[][..], |all| all);
        let has_reason = |it: &&Value| it["why"].as_str().is_some_and(|why| !why.is_empty());
        Counts {
            covered: branches("covered"),
            total: branches("total"),
            uncovered: uncovered.len() as u64,
            explained: uncovered.iter().filter(has_reason).count() as u64,
        }
    }
}

/// A program whose search grows without bound must be ended by the cap, which is hardly passed; whether it is, and the numbers.
fn capped(coax: &Path, place: &Path) -> Result<(bool, Value)> {
    let file = place.join("greedy.c");
    std::fs::write(&file, GREEDY_PROGRAM)?;
    let arguments = [file.into(), "--entry=walk".into()];
    let more = ["--time", "60s", "--max-memory", MEMORY.1];
    let searched = Search::start(coax, &arguments, &more, &place.join("greedy"))?.end()?;
    let stop = searched.report["stop"].as_str().unwrap_or_default();
    let is_kept = stop == "memory" && searched.peak <= MOST_MEMORY;
    println!("\n| memory cap, MiB | peak, MiB | stopped by | after, s |\n|-:|-:|-|-:|");
    let (cap, peak) = (MEMORY.0 >> 20, searched.peak >> 20);
    println!("| {cap} | {peak} | {stop} | {:.1} |", searched.time.as_secs_f64());
    Ok((is_kept, json!({"cap": MEMORY.0, "peak": searched.peak, "stop": stop})))
}

/// A search that is going on.
struct Search<'a> {
    child: Child,
    begin: Instant,
    out: &'a Path,
}

impl Search<'_> {
    #[expect(clippy::disallowed_methods, reason = "a campaign looks at the clock")]
    fn start<'a>(coax: &Path, arguments: &[OsString], more: &[&str], out: &'a Path) -> Result<Search<'a>> {
        std::fs::create_dir_all(out)?;
        let mut command = Command::new(coax);
        command.arg("cover").args(arguments).args(more).arg("--out").arg(out);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let begin = Instant::now();
        let child = command.spawn().context("coax cannot be started")?;
        Ok(Search { child, begin, out })
    }

    /// Watches it to its end.
    fn end(mut self) -> Result<Searched> {
        let tests = self.out.join("tests");
        let (mut first_test, mut peak) = (None, 0);
        let status: ExitStatus = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if first_test.is_none() && has_file(&tests) {
                first_test = Some(self.begin.elapsed());
            }
            peak = peak_of(self.child.id()).unwrap_or(peak);
            std::thread::sleep(EVERY);
        };
        let time = self.begin.elapsed();
        // A failure of the program's is no failure of coax's.
        ensure!(matches!(status.code(), Some(0 | 1)), "coax ended with {status}");
        let report = std::fs::read(self.out.join("report.json"))?;
        let first_test = first_test.or_else(|| has_file(&tests).then_some(time));
        Ok(Searched { time, first_test, peak, report: serde_json::from_slice(&report)? })
    }
}

/// Whether there is a file in a directory.
fn has_file(directory: &Path) -> bool {
    std::fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some())
}

/// The most memory that a process has had so far, in bytes.
fn peak_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
