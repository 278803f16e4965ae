//! A search of `coax reach` for one place.

use super::clock::time_of;
use anyhow::{Context, Result, ensure};
use coax_execute::{Input, Test};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// What came of it.
pub(crate) struct Searched {
    /// As coax says it: `reached`, `unreachable` or `unknown`.
    pub(crate) verdict: String,
    /// Why, unless it was reached.
    pub(crate) reason: String,
    /// Straight-line pieces of code that it looked at backwards.
    pub(crate) segments: u64,
    pub(crate) milliseconds: u64,
    /// The inputs of all tests that it wrote.
    pub(crate) inputs: Vec<Input>,
}

/// Has coax search for a place of a program with these arguments, on one core, for so many seconds; what it writes is left in a folder.
pub(crate) fn search(
    mut command: Command,
    place: &str,
    args: &[String],
    seconds: u32,
    out: &Path,
) -> Result<Searched> {
    command.args(["--target", place, "--json", "--workers", "1"]);
    command.arg("--time").arg(format!("{seconds}s")).arg("--out").arg(out);
    command.arg("--").args(args).stdin(Stdio::null());
    let (time, output) = time_of(|| command.output());
    let output = output.context("coax cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(matches!(output.status.code(), Some(0 | 3 | 4)), "coax failed on {place}: {said}");
    let report: Value = serde_json::from_slice(&output.stdout).context("what coax prints is no JSON")?;
    let target = &report["targets"][0];
    let verdict = target["verdict"].as_str().context("coax gives no verdict")?.to_owned();
    let reason = target["reason"].as_str().unwrap_or_default().to_owned();
    let segments = target["segments"].as_u64().context("coax does not count segments")?;
    let inputs = inputs(&out.join("tests"))?;
    Ok(Searched { verdict, reason, segments, milliseconds: time.as_millis() as u64, inputs })
}

/// The inputs of the tests in a folder.
pub(crate) fn inputs(folder: &Path) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        inputs.push(Test::from_json(&path.to_string_lossy(), &text)?.input);
    }
    Ok(inputs)
}
