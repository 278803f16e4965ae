//! Searches that are killed at random moments and go on, against one that nobody disturbs: the suites must be the same.

use anyhow::{Context, Result, ensure};
use coax_judge::harnesses::{FuzzTarget, Harnesses};
use coax_solve::Random;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What searches may run: enough for several epochs.
const RUNS: &str = "600";

/// Kills `coax cover` so many times, on each of these harnesses in turn.
#[expect(clippy::disallowed_methods, reason = "a campaign looks at the clock")]
pub fn kills(harnesses: &Harnesses, names: &[&str], coax: &Path, kills: u32, seed: u64) -> Result<bool> {
    ensure!(!names.is_empty(), "no harness is there; run ./scripts/thirdparty first");
    let mut random = Random::new(seed);
    let (mut killed, mut finished, mut different) = (0, 0, 0);
    println!("| program | undisturbed, s | tests | kills | searches | different |");
    println!("|-|-:|-:|-:|-:|-:|");
    for name in names {
        let search = Search { target: harnesses.fuzz_target(name)?, coax };
        let place = tempfile::tempdir()?;
        // What is compiled is cached by the first.
        search.start(&place.path().join("warm"), 1)?.wait()?;
        let begin = Instant::now();
        let alone = place.path().join("alone");
        search.start(&alone, 1)?.wait()?;
        let time = begin.elapsed();
        let expected = suite(&alone)?;
        let (mut own_kills, mut own_searches, mut own_different) = (0, 0, 0);
        let wanted = kills.div_ceil(names.len() as u32);
        while own_kills < wanted {
            let directory: PathBuf = place.path().join(format!("killed-{own_searches}"));
            loop {
                let mut child = search.start(&directory, 1 + random.below(2))?;
                let moment = time.mul_f64(random.below(1000) as f64 / 1000.0);
                // On a machine that has become slower, none would ever end.
                if own_kills < wanted && !is_over_within(&mut child, moment)? {
                    child.kill()?;
                    child.wait()?;
                    own_kills += 1;
                    continue;
                }
                child.wait()?;
                break;
            }
            own_searches += 1;
            let got = suite(&directory)?;
            if got != expected {
                own_different += 1;
                let names = |suite: &BTreeMap<String, Vec<u8>>| suite.keys().cloned().collect::<Vec<_>>();
                eprintln!("DIFFERENCE {name}: {:?}, undisturbed {:?}", names(&got), names(&expected));
            }
        }
        println!(
            "| {name} | {:.1} | {} | {own_kills} | {own_searches} | {own_different} |",
            time.as_secs_f64(),
            expected.len()
        );
        killed += own_kills;
        finished += own_searches;
        different += own_different;
    }
    let json = json!({"campaign": "kills", "kills": killed, "searches": finished, "different": different, "seed": seed});
    println!("\n{json}");
    Ok(different == 0)
}

/// A search of a harness.
struct Search<'a> {
    target: FuzzTarget,
    coax: &'a Path,
}

impl Search<'_> {
    fn start(&self, out: &Path, workers: usize) -> Result<Child> {
        let mut command = Command::new(self.coax);
        command.arg("cover").args(self.target.arguments()).args(["--time", "10m", "--max-runs", RUNS]);
        command.arg(format!("--workers={workers}")).arg("--out").arg(out);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().context("coax cannot be started")
    }
}

/// Waits for a process at most so long; whether it ended by itself.
#[expect(clippy::disallowed_methods, reason = "a campaign looks at the clock")]
fn is_over_within(child: &mut Child, time: Duration) -> Result<bool> {
    const STEP: Duration = Duration::from_millis(1);
    let end = Instant::now() + time;
    while Instant::now() < end {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        std::thread::sleep(STEP);
    }
    Ok(child.try_wait()?.is_some())
}

/// The tests in a directory of coax's: their names and what is in them.
fn suite(directory: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let tests = directory.join("tests");
    let mut suite = BTreeMap::new();
    for entry in std::fs::read_dir(&tests).with_context(|| tests.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        suite.insert(name, std::fs::read(&path)?);
    }
    ensure!(!suite.is_empty(), "a search found no test");
    Ok(suite)
}
