//! A page that stands for itself: each source file with what is covered, by which test, and why the rest is not. Nothing is loaded from
//! anywhere; without scripts it is complete, only less convenient. `html/page.css` is how it looks, `html/page.js` what it does.

use super::xml::escape;
use super::{Emission, Emitted, File};
use crate::branches::{Branch, Branches};
use crate::lines::{SourceFile, SourceLine};
use coax_execute::Count;
use std::fmt::{Result, Write};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");
/// How many tests are named at a line; the page has the number of all.
const NAMED: usize = 12;

pub(super) fn write(emission: &Emission<'_>) -> Emitted {
    let mut text = String::new();
    let _ = page(&mut text, emission);
    Emitted { files: vec![File::new("index.html", text)], ..Emitted::default() }
}

fn page(text: &mut String, emission: &Emission<'_>) -> Result {
    let report = emission.report;
    let lines = report.lines();
    let title = format!("coax: {}", escape(&report.name));
    writeln!(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(text, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(text, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>")?;
    writeln!(text, "<header>\n<h1>{}</h1>", escape(&report.name))?;
    let findings = report.findings;
    let counts = findings.coverage.counts(report.program, report.in_scope);
    writeln!(text, "<dl>")?;
    for (name, count) in
        [("branches", counts.branches), ("lines", lines.count()), ("functions", counts.functions)]
    {
        writeln!(text, "<div><dt>{name}</dt><dd>{}</dd></div>", fraction(count))?;
    }
    writeln!(text, "<div><dt>tests</dt><dd>{}</dd></div>", findings.tests.len())?;
    writeln!(text, "<div><dt>failures</dt><dd>{}</dd></div>\n</dl>", findings.failures.len())?;
    writeln!(
        text,
        "<p class=\"legend\"><span class=\"covered\">covered</span> <span class=\"partly\">some branches not taken</span> \
                    <span class=\"uncovered\">not covered</span> — a click on a line shows its tests and reasons.</p>\n</header>"
    )?;
    failures(text, emission)?;
    tests(text, emission)?;
    let branches = Branches::of(report);
    for (name, file) in &lines.files {
        source_file(text, emission, &branches, (name, file))?;
    }
    if lines.files.is_empty() {
        uncovered_list(text, emission)?;
    }
    writeln!(text, "<script>\n{SCRIPT}</script>\n</body>\n</html>")
}

fn failures(text: &mut String, emission: &Emission<'_>) -> Result {
    let report = emission.report;
    if report.findings.failures.is_empty() {
        return Ok(());
    }
    writeln!(text, "<section>\n<h2>Failures</h2>\n<ul class=\"failures\">")?;
    for failure in &report.findings.failures {
        let test = &report.findings.tests[failure.test];
        let what = escape(&report.failure_text(test));
        writeln!(
            text,
            "<li>{what} <a href=\"#test-{}\">{}</a></li>",
            failure.test,
            escape(&report.test_name(test))
        )?;
    }
    writeln!(text, "</ul>\n</section>")
}

fn tests(text: &mut String, emission: &Emission<'_>) -> Result {
    let report = emission.report;
    writeln!(
        text,
        "<details>\n<summary>{} tests</summary>\n<table class=\"tests\">",
        report.findings.tests.len()
    )?;
    for (number, test) in emission.tests() {
        let verdict = test.outcome.verdict();
        let (class, outcome) = match verdict.is_failure() {
            true => (" class=\"fails\"", report.failure_text(test)),
            false => ("", verdict.to_string()),
        };
        let input = coax_execute::Test::new(test.input.clone(), None).to_json();
        writeln!(
            text,
            "<tr id=\"test-{number}\"{class}><td>{}</td><td>{}</td><td><details><summary>input</summary><pre>{}</pre></details></td></tr>",
            escape(&report.test_name(test)),
            escape(&outcome),
            escape(&input)
        )?;
    }
    writeln!(text, "</table>\n</details>")
}

fn source_file(
    text: &mut String,
    emission: &Emission<'_>,
    branches: &Branches,
    (name, file): (&str, &SourceFile),
) -> Result {
    let covered = file.lines.values().filter(|line| !line.tests.is_empty()).count() as u64;
    let count = Count { covered, total: file.lines.len() as u64 };
    writeln!(text, "<section>\n<h2>{} <small>lines {}</small></h2>", escape(name), fraction(count))?;
    writeln!(text, "<div class=\"code\">")?;
    match (emission.report.source)(name) {
        Some(content) => {
            let content = String::from_utf8_lossy(&content).into_owned();
            for (number, words) in (1..).zip(content.lines()) {
                let on_line = (number, branches.on(name, number));
                source_line(text, emission, on_line, words, file.lines.get(&number))?;
            }
        }
        None => {
            writeln!(text, "<p>The file cannot be read; these are the lines that have code.</p>")?;
            for (&number, line) in &file.lines {
                source_line(text, emission, (number, branches.on(name, number)), "", Some(line))?;
            }
        }
    }
    writeln!(text, "</div>\n</section>")
}

fn source_line(
    text: &mut String,
    emission: &Emission<'_>,
    (number, branches): (u32, &[Branch]),
    words: &str,
    line: Option<&SourceLine>,
) -> Result {
    let class = match line {
        None => "none",
        Some(line) if line.tests.is_empty() => "uncovered",
        Some(_) if branches.iter().all(Branch::is_complete) => "covered",
        Some(_) => "partly",
    };
    let words = escape(words);
    let Some(line) = line else {
        return writeln!(text, "<div class=\"line none\"><i>{number}</i><b></b><code>{words}</code></div>");
    };
    let count = line.tests.len();
    let shown = if count == 0 { String::new() } else { count.to_string() };
    writeln!(
        text,
        "<details class=\"line {class}\"><summary><i>{number}</i><b title=\"{count} tests\">{shown}</b><code>{words}</code></summary>"
    )?;
    writeln!(text, "<div class=\"about\">")?;
    match count {
        0 => writeln!(text, "<p>No test executes this line.</p>")?,
        _ => writeln!(text, "<p>Executed by {}</p>", names(emission, &line.tests))?,
    }
    for branch in branches {
        about_branch(text, emission, branch)?;
    }
    writeln!(text, "</div></details>")
}

fn about_branch(text: &mut String, emission: &Emission<'_>, branch: &Branch) -> Result {
    let kind = emission.report.location(branch.site);
    writeln!(text, "<p>{} decides:</p>\n<ul>", escape(&kind))?;
    for direction in &branch.directions {
        let name = escape(&direction.name);
        if direction.tests.is_empty() {
            let why = direction.why.as_deref().unwrap_or("no test takes it");
            writeln!(text, "<li class=\"uncovered\">{name}: not covered: {}</li>", escape(why))?;
        } else {
            writeln!(text, "<li class=\"covered\">{name}: {}</li>", names(emission, &direction.tests))?;
        }
    }
    writeln!(text, "</ul>")
}

/// Links to tests.
fn names(emission: &Emission<'_>, tests: &[usize]) -> String {
    let findings = emission.report.findings;
    let link = |&number: &usize| {
        let name = emission.report.test_name(&findings.tests[number]);
        format!("<a href=\"#test-{number}\">{}</a>", escape(&name))
    };
    let mut text = tests.iter().take(NAMED).map(link).collect::<Vec<_>>().join(", ");
    if let Some(more) = tests.len().checked_sub(NAMED).filter(|&more| more > 0) {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

/// Without debug information there are no lines, but there are branches and reasons.
fn uncovered_list(text: &mut String, emission: &Emission<'_>) -> Result {
    let report = emission.report;
    writeln!(text, "<section>\n<h2>Branches that are not covered</h2>\n<ul>")?;
    for uncovered in &report.findings.uncovered {
        let way = report.program.direction_name(uncovered.site, uncovered.direction).unwrap_or_default();
        let function = &report.program.functions[report.program.sites[uncovered.site].func].name;
        writeln!(
            text,
            "<li>{} in {} {}: {}</li>",
            escape(&report.location(uncovered.site)),
            escape(function),
            escape(&way),
            escape(&uncovered.why.to_string())
        )?;
    }
    writeln!(text, "</ul>\n</section>")
}

fn fraction(count: Count) -> String {
    match count.total {
        0 => "0 of 0".into(),
        total => format!("{} of {total} ({} %)", count.covered, 100 * count.covered / total),
    }
}
