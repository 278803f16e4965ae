//! Tests and failures as JUnit's XML, which continuous integration shows.

use super::xml::escape;
use super::{Emission, Emitted, File};
use coax_search::Kept;
use std::fmt::Write;

/// How much of what a failing test wrote is shown.
const SHOWN: usize = 4096;

pub(super) fn write(emission: &Emission<'_>) -> Emitted {
    let mut text = String::new();
    let _ = document(&mut text, emission);
    Emitted { files: vec![File::new("junit.xml", text)], ..Emitted::default() }
}

fn document(text: &mut String, emission: &Emission<'_>) -> std::fmt::Result {
    let report = emission.report;
    let tests = &report.findings.tests;
    let failures = tests.iter().filter(|test| test.outcome.verdict().is_failure()).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\" time=\"{:.3}\"",
        tests.len(),
        report.times.search.as_secs_f64()
    );
    writeln!(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>")?;
    let name = escape(&report.name);
    writeln!(
        text,
        "  <testsuite name=\"{name}\" timestamp=\"{}\" {counts}>",
        emission.now.trim_end_matches('Z')
    )?;
    for test in tests {
        case(text, emission, test)?;
    }
    writeln!(text, "  </testsuite>\n</testsuites>")
}

fn case(text: &mut String, emission: &Emission<'_>, test: &Kept) -> std::fmt::Result {
    let report = emission.report;
    let (name, entry) = (escape(&report.test_name(test)), escape(&report.entry));
    // Runs are too short to be timed one by one.
    write!(text, "    <testcase classname=\"{entry}\" name=\"{name}\" time=\"0\"")?;
    let verdict = test.outcome.verdict();
    if !verdict.is_failure() {
        return writeln!(text, "/>");
    }
    let message = escape(&report.failure_text(test));
    writeln!(
        text,
        ">\n      <failure type=\"{}\" message=\"{message}\">",
        escape(report.failure_kind(test))
    )?;
    for frame in test.outcome.backtrace() {
        let place = frame.offset.map(|offset| crate::location(report.program, offset)).unwrap_or_default();
        let function = &report.program.functions[frame.func].name;
        writeln!(text, "at {} in {}", escape(&place), escape(function))?;
    }
    writeln!(text, "</failure>")?;
    if !test.stderr.is_empty() {
        let said = String::from_utf8_lossy(&test.stderr[..test.stderr.len().min(SHOWN)]);
        writeln!(text, "      <system-err>{}</system-err>", escape(&said))?;
    }
    writeln!(text, "    </testcase>")
}
