//! What `coax replay --json` says to programs: one object. Fields are added, never renamed.

use super::Replayed;
use crate::args::Target;
use coax_execute::{Counts, Coverage, Data, Outcome, TraceFrame};
use coax_program::debug_info::Frame;
use coax_program::{Program, SiteKind};
use serde_json::{Value, json};
use std::io::{Result, Write};

/// Prints the results of all tests.
pub(super) fn print(
    out: &mut impl Write,
    name: &str,
    target: &Target,
    replayed: &[Replayed],
    coverage: Option<&Coverage>,
) -> Result<()> {
    let program = &target.program;
    let failed = |replayed: &&Replayed| replayed.failed();
    let mut report = json!({
        "tool": "coax",
        "version": env!("CARGO_PKG_VERSION"),
        "command": "replay",
        "program": name,
        "tests": replayed.len(),
        "failures": replayed.iter().filter(failed).count(),
        "results": replayed.iter().map(|replayed| result(program, replayed)).collect::<Vec<_>>(),
        "bugs": replayed.iter().filter(failed).map(|replayed| bug(program, replayed)).collect::<Vec<_>>(),
    });
    if let Some(coverage) = coverage {
        report["coverage"] = json_counts(coverage.counts(program, |func| target.in_scope(func)));
        report["coverage"]["module"] = json_counts(coverage.counts(program, |_| true));
        report["directions"] = directions(target, coverage);
    }
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

fn result(program: &Program, replayed: &Replayed) -> Value {
    let Replayed { name, test, run } = replayed;
    let mut result = json!({
        "test": name,
        "entry": test.input.entry,
        "failed": replayed.failed(),
        "outcome": replayed.verdict(),
        "expected": test.expect,
        "as_expected": replayed.as_expected(),
        "stdout": Data(run.stdout.clone()),
        "stderr": Data(run.stderr.clone()),
        "fuel": run.fuel_used,
        "bounds": run.bounds.iter().map(|(bound, hits)| json!({"bound": bound, "hits": hits})).collect::<Vec<_>>(),
    });
    match &run.outcome {
        Outcome::Trapped(trap) => {
            result["reason"] = json!(trap.reason);
            result["site"] = json!(trap.site.map(|site| site.0));
        }
        Outcome::UncaughtException(exception) => result["payload"] = json!(exception.payload),
        _ => {}
    }
    if !run.outcome.backtrace().is_empty() {
        let frames = run.outcome.backtrace().iter().map(|frame| trace_frame(program, frame));
        result["backtrace"] = frames.collect();
    }
    result
}

fn bug(program: &Program, replayed: &Replayed) -> Value {
    let frame = replayed.run.outcome.backtrace().first();
    let source = frame.and_then(|frame| frame.sources.first());
    json!({
        "kind": replayed.verdict().to_string(),
        "location": source.map(line),
        "function": frame.map(|frame| &program.functions[frame.func].name),
        "test": replayed.name,
    })
}

fn trace_frame(program: &Program, frame: &TraceFrame) -> Value {
    let place = |source: &Frame| json!({"function": source.function, "location": line(source), "column": source.column});
    json!({
        "function": program.functions[frame.func].name,
        "offset": frame.offset,
        "sources": frame.sources.iter().map(place).collect::<Vec<_>>(),
    })
}

/// A place as `file:line`.
fn line(frame: &Frame) -> String {
    Frame { column: None, ..frame.clone() }.to_string()
}

fn json_counts(counts: Counts) -> Value {
    json!({"branches": counts.branches, "selects": counts.selects, "functions": counts.functions})
}

/// Every branch and select in scope with the directions it took.
fn directions(target: &Target, coverage: &Coverage) -> Value {
    let program = &target.program;
    let sites = program.sites.iter().filter(|(_, data)| data.kind.directions() > 0 && target.in_scope(data.func));
    sites
        .map(|(site, data)| {
            let kind = match data.kind {
                SiteKind::Switch(_) => "switch",
                SiteKind::Select => "select",
                _ => "branch",
            };
            json!({
                "site": site.0,
                "kind": kind,
                "function": program.functions[data.func].name,
                "offset": data.offset,
                "location": program.frames(data.offset).first().map(line),
                "taken": coverage.directions(site),
            })
        })
        .collect()
}
