//! What a search found, for people.

use anyhow::Result;
use coax_execute::Count;
use coax_program::debug_info::Type;
use coax_program::{Func, Program};
use coax_report::Report;
use coax_report::summary::Bug;
use coax_search::{Earlier, Findings, StopReason, Uncovered, UnknownFunction, Why, WhyUnknown};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// How many lines there are about what is not covered; the report has all.
const SHOWN: usize = 20;

/// Prints what was found; `bugs` says which failures are known.
pub fn print(out: &mut impl Write, report: &Report<'_>, bugs: &[Bug], directory: &Path) -> Result<()> {
    let findings = report.findings;
    let progress = &findings.progress;
    print_failures(out, report, bugs)?;
    print_uncovered(out, report)?;
    let counts = findings.coverage.counts(report.program, report.in_scope);
    writeln!(
        out,
        "{}, {}; branches {}, lines {}, functions {}",
        counted(findings.tests.len() as u64, "test"),
        counted(findings.failures.len() as u64, "failure"),
        fraction(counts.branches),
        fraction(report.lines().count()),
        fraction(counts.functions),
    )?;
    writeln!(
        out,
        "{} on {}, {} to the solvers, {}, {:.1} s; {}",
        counted(progress.runs, "run"),
        counted(progress.paths, "path"),
        counted(progress.solver.queries, "question"),
        counted(progress.mutations, "mutation"),
        report.times.search.as_secs_f64(),
        ended(findings),
    )?;
    let assumes = report.assumes();
    if !assumes.is_empty() {
        writeln!(out, "What is proved assumes: {}.", assumes.join("; "))?;
    }
    for unknown in &findings.unknown {
        print_unknown(out, report, unknown)?;
    }
    for (bound, hits) in &findings.bounds {
        writeln!(out, "{} met the limit of {bound}", counted(*hits, "run"))?;
    }
    Ok(writeln!(out, "Tests are in {}.", directory.join("tests").display())?)
}

/// Prints the failures; `bugs` says which of them are known.
pub fn print_failures(out: &mut impl Write, report: &Report<'_>, bugs: &[Bug]) -> Result<()> {
    for (number, failure) in report.failures() {
        let test = &report.findings.tests[failure.test];
        let word = if bugs[number].is_known() { "known" } else { "FAILS" };
        writeln!(out, "{word}  {}  {}.json", report.failure_line(test), report.test_name(test))?;
        let supposes = report.supposes(test);
        if !supposes.is_empty() {
            writeln!(out, "       if {}", supposes.join("; "))?;
        }
    }
    Ok(())
}

/// Why a search ended.
pub fn ended(findings: &Findings) -> &'static str {
    match findings.stop {
        StopReason::Complete if findings.is_complete => "all paths are explored",
        StopReason::Complete => "there is nothing left to try",
        StopReason::Time => "the time is over (`--time`)",
        StopReason::Runs => "as many runs as allowed (`--max-runs`)",
        StopReason::Memory => "the memory is used up (`--max-memory`)",
        StopReason::Interrupted => "interrupted",
    }
}

/// What is known of a function whose calls were not followed.
fn print_unknown(out: &mut impl Write, report: &Report<'_>, unknown: &UnknownFunction) -> Result<()> {
    let UnknownFunction { func, samples, earlier, direct_calls, refused, is_none, is_followed, .. } = unknown;
    let name = &report.program.functions[*func].name;
    match unknown.why {
        _ if unknown.is_named && !unknown.is_unknown() => write!(out, "`{name}` was to be unknown: ")?,
        WhyUnknown::Named => write!(out, "`{name}` is unknown: ")?,
        WhyUnknown::TooHard(at) | WhyUnknown::Within(at) | WhyUnknown::Vectors(at) if unknown.is_named => {
            let place = report.place(at);
            write!(
                out,
                "`{name}` is unknown; its calls were followed for a while, but that is too hard at {place}: "
            )?;
        }
        WhyUnknown::TooHard(at) => {
            let place = report.place(at);
            write!(out, "`{name}` became unknown, for what it gives is too hard to follow at {place}: ")?;
        }
        WhyUnknown::Within(at) => {
            let place = report.place(at);
            write!(out, "`{name}` became unknown, for what it does at {place} is too hard to follow: ")?;
        }
        WhyUnknown::Vectors(at) => {
            let place = report.place(at);
            write!(out, "`{name}` became unknown, for it computes with vectors (SIMD) at {place}: ")?;
        }
        WhyUnknown::Earlier => write!(out, "`{name}` became unknown, as in an earlier search: ")?,
    }
    match *samples + *direct_calls + *refused {
        0 => write!(out, "no call of it was seen")?,
        _ => write!(out, "{} seen, {}", counted(*samples, "value"), counted(*direct_calls, "direct call"))?,
    }
    if *refused > 0 {
        write!(out, ", {} that showed nothing", counted(*refused, "call"))?;
    }
    if let (Some(why), None) = (&unknown.why_refused, is_none) {
        write!(out, " ({why})")?;
    }
    if *earlier == Earlier::Contradicted {
        write!(out, "; what an earlier search saw it give is not true any more, so that is not used")?;
    }
    match is_none {
        Some(why) => {
            let address = if gives_address(report.program, *func) { "; it gives an address" } else { "" };
            Ok(writeln!(
                out,
                "; it is no function of what it is given ({why}{address}), so its calls were followed"
            )?)
        }
        None if *is_followed => {
            Ok(writeln!(out, "; when nothing was found any more, its calls were followed")?)
        }
        // Whoever sees that nothing is left to try would think that they were.
        None if report.findings.stop == StopReason::Complete => {
            Ok(writeln!(out, "; failures in it were not searched for")?)
        }
        None => Ok(writeln!(out)?),
    }
}

/// Whether the source says that a function gives an address: where things are may differ where what they are does not.
fn gives_address(program: &Program, func: Func) -> bool {
    let types = program.debug.types();
    let declared = types.function(&program.functions[func]);
    let result = declared.and_then(|declared| declared.result);
    result.is_some_and(|result| matches!(types.get(result), Type::Pointer { .. }))
}

/// Lists what is not covered: first what more time, other inputs or a repair may change, then what is proved, in the end the functions that nobody called,
/// one line each.
fn print_uncovered(out: &mut impl Write, report: &Report<'_>) -> Result<()> {
    let program = report.program;
    let (mut branches, mut uncalled) = (Vec::new(), BTreeMap::new());
    for it in &report.findings.uncovered {
        match it.why {
            Why::NotCalled | Why::ProvedNotCalled => {
                uncalled.entry(program.sites[it.site].func).or_insert_with(Vec::new).push(it)
            }
            _ => branches.push(it),
        }
    }
    branches.sort_by_key(|it| it.why == Why::Proved);
    let mut lines: Vec<(usize, String)> = Vec::new();
    for Uncovered { site, direction, why, .. } in branches {
        let mut place = report.location(*site);
        let way = program.direction_name(*site, *direction).unwrap_or_default();
        // It may lead to where it is itself.
        if !way.strip_prefix("to ").is_some_and(|to| place.ends_with(&format!(":{to}"))) {
            place.push_str(&format!(" {way}"));
        }
        lines.push((1, format!("{place}: {why}")));
    }
    for (func, all) in uncalled {
        let place = program.declared_at(func).map_or_else(String::new, |frame| format!("{frame} "));
        let name = &program.functions[func].name;
        let count = if all.len() == 1 { "1 branch".into() } else { format!("{} branches", all.len()) };
        let why = match all[0].why {
            Why::ProvedNotCalled => "proved: it is never called from this entry",
            _ => "it was never called",
        };
        lines.push((all.len(), format!("{place}{name}, {count}: {why}")));
    }
    for (_, line) in lines.iter().take(SHOWN) {
        writeln!(out, "not covered  {line}")?;
    }
    let more: usize = lines.iter().skip(SHOWN).map(|(branches, _)| branches).sum();
    if more > 0 {
        let are = if more == 1 { "is" } else { "are" };
        writeln!(out, "and {more} more that {are} not covered: see report.json")?;
    }
    Ok(())
}

pub fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn fraction(count: Count) -> String {
    match count.total {
        0 => "0/0".into(),
        total => format!("{}/{total} ({:.0} %)", count.covered, 100.0 * count.covered as f64 / total as f64),
    }
}
