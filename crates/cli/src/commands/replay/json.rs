//! What `coax replay --json` says to programs: one object. Fields are added, never renamed.

use super::Replayed;
use super::trace::{Line, Trace};
use crate::args::Target;
use crate::commands::blame::{Blamed, function_name};
use coax_execute::{
    Bound, Count, Counts, Coverage, Data, Entry, Outcome, Request, TraceFrame, Value, Verdict,
};
use coax_program::debug_info::Frame;
use coax_program::{Program, SiteKind};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{Result, Write};

#[derive(Serialize)]
struct Report<'a> {
    tool: &'static str,
    version: &'static str,
    command: &'static str,
    program: &'a str,
    tests: usize,
    failures: usize,
    results: Vec<TestResult<'a>>,
    bugs: Vec<Bug<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CoverageReport<'a>>,
}

#[derive(Serialize)]
struct TestResult<'a> {
    test: &'a str,
    entry: Option<String>,
    failed: bool,
    outcome: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_expected: Option<bool>,
    /// Of a trap: what is known beyond its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'a, str>>,
    /// Of a trap.
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<u32>,
    /// Of an exception.
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<&'a [Value]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    backtrace: Vec<Call<'a>>,
    /// What the program asked for by its test harness.
    #[serde(skip_serializing_if = "<[Request]>::is_empty")]
    inputs: &'a [Request],
    /// The labels that it reached.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    labels: &'a [String],
    stdout: Data,
    stderr: Data,
    fuel: u64,
    bounds: Vec<BoundReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceReport<'a>>,
}

/// The last instructions that were executed in the user's own code.
#[derive(Serialize)]
struct TraceReport<'a> {
    earlier: u64,
    elsewhere: u64,
    steps: Vec<StepReport<'a>>,
}

#[derive(Serialize)]
struct StepReport<'a> {
    function: &'a str,
    location: String,
    instruction: String,
    results: &'a [Value],
}

#[derive(Serialize)]
struct Call<'a> {
    function: &'a str,
    offset: Option<u32>,
    sources: Vec<Source>,
}

#[derive(Serialize)]
struct Source {
    function: Option<String>,
    location: String,
    column: Option<u32>,
}

#[derive(Serialize)]
struct BoundReport {
    bound: Bound,
    hits: u64,
}

#[derive(Serialize)]
struct Bug<'a> {
    kind: String,
    location: Option<String>,
    function: Option<String>,
    test: &'a str,
}

#[derive(Serialize)]
struct CoverageReport<'a> {
    branches: Count,
    selects: Count,
    functions: Count,
    module: Counts,
    directions: Vec<Directions<'a>>,
}

/// Which directions of a site were taken, in the order of their names; the first is a condition of zero.
#[derive(Serialize)]
struct Directions<'a> {
    site: u32,
    kind: &'static str,
    function: &'a str,
    offset: u32,
    location: Option<String>,
    names: Vec<String>,
    taken: &'a [bool],
}

/// Prints the results of all tests.
pub(super) fn print(
    out: &mut impl Write,
    program: &str,
    target: &Target,
    replayed: &[Replayed],
    coverage: Option<&Coverage>,
) -> Result<()> {
    let bugs: Vec<Bug<'_>> =
        replayed.iter().filter(|replayed| replayed.failed()).map(|replayed| bug(target, replayed)).collect();
    let report = Report {
        tool: "coax",
        version: env!("CARGO_PKG_VERSION"),
        command: "replay",
        program,
        tests: replayed.len(),
        failures: bugs.len(),
        results: replayed.iter().map(|replayed| result(&target.program, replayed)).collect(),
        bugs,
        coverage: coverage.map(|coverage| coverage_report(target, coverage)),
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

fn result<'a>(program: &'a Program, replayed: &'a Replayed) -> TestResult<'a> {
    let Replayed { name, test, run, trace, .. } = replayed;
    let trap = match &run.outcome {
        Outcome::Trapped(trap) => Some(trap),
        _ => None,
    };
    let payload = match &run.outcome {
        Outcome::UncaughtException(exception) => Some(exception.payload.as_slice()),
        _ => None,
    };
    TestResult {
        test: name,
        entry: Entry::find(program, test.input.entry.as_deref()).ok().map(|entry| entry.export),
        failed: replayed.failed(),
        outcome: replayed.verdict(),
        expected: test.expect.as_ref(),
        as_expected: test.expect.as_ref().map(|_| replayed.as_expected()),
        reason: replayed.reason(),
        site: trap.and_then(|trap| trap.site).map(|site| site.0),
        payload,
        backtrace: run.outcome.backtrace().iter().map(|frame| call(program, frame)).collect(),
        inputs: &run.asked.requests,
        labels: &run.asked.labels,
        stdout: Data(run.stdout.clone()),
        stderr: Data(run.stderr.clone()),
        fuel: run.fuel_used,
        bounds: run.bounds.iter().map(|(bound, hits)| BoundReport { bound, hits }).collect(),
        trace: trace.as_ref().map(|trace| trace_report(program, trace)),
    }
}

fn trace_report<'a>(program: &'a Program, trace: &'a Trace) -> TraceReport<'a> {
    let step = |line: &'a Line| StepReport {
        function: &program.functions[line.func].name,
        location: line.place(program),
        instruction: line.instruction(program),
        results: &line.results,
    };
    let steps = trace.steps.iter().map(step).collect();
    TraceReport { earlier: trace.earlier, elsewhere: trace.elsewhere, steps }
}

fn call<'a>(program: &'a Program, frame: &TraceFrame) -> Call<'a> {
    let source = |source: &Frame| Source {
        function: source.function.clone(),
        location: line(source),
        column: source.column,
    };
    Call {
        function: &program.functions[frame.func].name,
        offset: frame.offset,
        sources: frame.sources.iter().map(source).collect(),
    }
}

fn bug<'a>(target: &Target, replayed: &'a Replayed) -> Bug<'a> {
    let program = &target.program;
    let blamed = replayed.blamed(target);
    let function = blamed.as_ref().map(|Blamed { frame, source }| match source {
        Some(source) => function_name(program, frame, source).to_owned(),
        None => program.functions[frame.func].name.clone(),
    });
    let kind = match replayed.verdict() {
        verdict if verdict.is_failure() => verdict.to_string(),
        verdict => format!("{verdict}, which was not expected"),
    };
    Bug {
        kind,
        location: blamed.and_then(|blamed| blamed.source).as_ref().map(line),
        function,
        test: &replayed.name,
    }
}

fn coverage_report<'a>(target: &'a Target, coverage: &'a Coverage) -> CoverageReport<'a> {
    let program = &target.program;
    let Counts { branches, selects, functions } = coverage.counts(program, |func| target.in_scope(func));
    let sites =
        program.sites.iter().filter(|(_, data)| data.kind.directions() > 0 && target.in_scope(data.func));
    let directions = sites.map(|(site, data)| Directions {
        site: site.0,
        kind: match data.kind {
            SiteKind::Switch(_) => "switch",
            SiteKind::Select => "select",
            _ => "branch",
        },
        function: &program.functions[data.func].name,
        offset: data.offset,
        location: program.frames(data.offset).first().map(line),
        names: program.direction_names(site),
        taken: coverage.directions(site),
    });
    let directions = directions.collect();
    CoverageReport { branches, selects, functions, module: coverage.counts(program, |_| true), directions }
}

/// A place as `file:line`.
fn line(frame: &Frame) -> String {
    Frame { column: None, ..frame.clone() }.to_string()
}
