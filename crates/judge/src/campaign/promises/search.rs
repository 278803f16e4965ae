//! One call of `coax cover`, watched from outside.

use super::programs::Program;
use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often a search is looked at.
const EVERY: Duration = Duration::from_millis(2);
/// One that has not ended by then is killed.
const HOPELESS: Duration = Duration::from_secs(600);

/// What a search did.
pub struct Searched {
    pub status: ExitStatus,
    /// How long the process lived, in all and after the signal if there was one.
    pub time: Duration,
    pub after_signal: Option<Duration>,
    pub first_test: Option<Duration>,
    /// The most memory that it had, in bytes.
    pub peak: u64,
    /// The report, if there is one that can be read.
    pub report: Option<Value>,
    /// What should not have been left: files that are not whole, and temporary ones.
    pub left: Vec<String>,
}

/// When it is to be ended, and how.
#[derive(Clone, Copy)]
pub struct Interruption {
    pub after: Duration,
    pub signal: Signal,
}

/// Where a search writes: its output, and the temporary files.
pub struct Place {
    pub out: PathBuf,
    pub temporary: PathBuf,
}

impl Place {
    /// A new one within a directory.
    pub fn new(directory: &Path) -> Result<Place> {
        let place = Place { out: directory.join("out"), temporary: directory.join("temporary") };
        std::fs::create_dir_all(&place.temporary)?;
        Ok(place)
    }
}

/// Searches, and watches the process to its end.
#[expect(clippy::disallowed_methods, reason = "a campaign looks at the clock")]
pub fn search(
    coax: &Path,
    program: &Program,
    more: &[&str],
    place: &Place,
    interruption: Option<Interruption>,
) -> Result<Searched> {
    let mut command = Command::new(coax);
    command.arg("cover").args(&program.arguments).args(more).arg("--out").arg(&place.out);
    if !program.given.is_empty() {
        command.arg("--").args(&program.given);
    }
    command.env("TMPDIR", &place.temporary);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begin = Instant::now();
    let mut child = command.spawn().context("coax cannot be started")?;
    let tests = place.out.join("tests");
    let (mut first_test, mut peak, mut signalled) = (None, 0, None);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if first_test.is_none() && has_file(&tests) {
            first_test = Some(begin.elapsed());
        }
        peak = peak_of(child.id()).unwrap_or(peak);
        if let Some(Interruption { after, signal }) = interruption.filter(|_| signalled.is_none())
            && begin.elapsed() >= after
        {
            let _ = kill_process(Pid::from_child(&child), signal);
            signalled = Some(Instant::now());
        }
        if begin.elapsed() > HOPELESS {
            break killed(&mut child)?;
        }
        std::thread::sleep(EVERY);
    };
    let time = begin.elapsed();
    let report = std::fs::read(place.out.join("report.json")).ok();
    Ok(Searched {
        status,
        time,
        after_signal: signalled.map(|signalled| signalled.elapsed()),
        first_test: first_test.or_else(|| has_file(&tests).then_some(time)),
        peak,
        report: report.and_then(|report| serde_json::from_slice(&report).ok()),
        left: left(place),
    })
}

fn killed(child: &mut Child) -> Result<ExitStatus> {
    child.kill()?;
    Ok(child.wait()?)
}

/// The files that should not be there.
fn left(place: &Place) -> Vec<String> {
    let mut left = files(&place.temporary);
    // Folders of other formats are those of `--emit`: a file in one of them is whole or not there.
    let results = files(&place.out).into_iter().filter(|file| !Path::new(file).is_dir());
    for file in results.into_iter().chain(files(&place.out.join("tests"))) {
        let is_json = file.ends_with(".json");
        let text = std::fs::read(&file).unwrap_or_default();
        let is_whole = serde_json::from_slice::<Value>(&text).is_ok();
        let is_journal = file.ends_with("/journal") || file.ends_with("/coax.lock");
        if is_json && !is_whole || !is_json && !is_journal {
            left.push(file);
        }
    }
    left
}

/// What is in a directory, but for the directories that results have.
fn files(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.path().display().to_string());
    names.filter(|name| !name.ends_with("/tests")).collect()
}

/// Whether there is a whole file in a directory.
fn has_file(directory: &Path) -> bool {
    files(directory).iter().any(|file| file.ends_with(".json"))
}

/// The most memory that a process has had so far, in bytes.
fn peak_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
