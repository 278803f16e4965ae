//! What `coax replay` says to people: one line a test, then whatever helps to understand it.

use super::Replayed;
use super::trace::Trace;
use crate::args::Target;
use crate::commands::blame::places;
use crate::commands::show::{self, printable};
use coax_execute::{Bound, Counts, Coverage, TraceFrame};
use coax_program::text::location;
use coax_program::{Program, Site};
use std::io::{Result, Write};

/// How many lines of a long backtrace are shown at each end of calls within the user's code.
const OWN_LINES: usize = 10;
/// The same for calls within libraries.
const LIBRARY_LINES: usize = 1;

/// Prints the results of all tests.
pub(super) fn print(
    out: &mut impl Write,
    target: &Target,
    replayed: &[Replayed],
    coverage: Option<&Coverage>,
) -> Result<()> {
    for replayed in replayed {
        print_test(out, target, replayed)?;
    }
    if replayed.len() > 1 {
        let failed = replayed.iter().filter(|replayed| replayed.failed()).count();
        writeln!(out, "{} tests, {failed} failed", replayed.len())?;
    }
    if let Some(coverage) = coverage {
        print_coverage(out, target, coverage)?;
    }
    Ok(())
}

fn print_test(out: &mut impl Write, target: &Target, replayed: &Replayed) -> Result<()> {
    let program = &target.program;
    let Replayed { name, test, run, trace, .. } = replayed;
    let status = if replayed.failed() { "FAIL" } else { "ok" };
    write!(out, "{status:<4}  {name}: {}", replayed.verdict())?;
    if let Some(reason) = replayed.reason() {
        write!(out, " ({})", printable(&reason))?;
    }
    if let Some(blamed) = replayed.blamed(target) {
        write!(out, " at {}", blamed.place(program))?;
    }
    writeln!(out)?;
    match &test.expect {
        Some(expected) if !replayed.as_expected() => writeln!(out, "      expected: {expected}")?,
        Some(_) if replayed.failed() => writeln!(out, "      as expected")?,
        _ => {}
    }
    for request in &run.asked.requests {
        writeln!(out, "      input  | {}", show::request(request))?;
    }
    for label in &run.asked.labels {
        writeln!(out, "      label  | {}", printable(label))?;
    }
    print_stream(out, "stdout", &run.stdout)?;
    print_stream(out, "stderr", &run.stderr)?;
    if let Some(trace) = trace {
        print_trace(out, program, trace)?;
    }
    print_backtrace(out, target, run.outcome.backtrace())?;
    for (bound, hits) in run.bounds.iter() {
        let times = if hits == 1 { String::new() } else { format!(" ({hits} times)") };
        writeln!(out, "      limit met: {bound}{times}{}", remedy(bound))?;
    }
    Ok(())
}

fn remedy(bound: Bound) -> &'static str {
    match bound {
        Bound::Fuel => "; `--fuel` raises it",
        Bound::Time => "; `--time` raises it",
        Bound::Stack => "; `--max-stack` raises it",
        Bound::Memory => "; `--max-memory` raises it",
        Bound::Captured => "; the rest of the output was dropped",
        Bound::Written => "; what was too much was refused for lack of space",
        Bound::Table | Bound::Terms => "",
    }
}

/// Prints what the program wrote, without letting it play with the terminal.
fn print_stream(out: &mut impl Write, name: &str, bytes: &[u8]) -> Result<()> {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        writeln!(out, "      {name} | {}", printable(line))?;
    }
    Ok(())
}

/// Prints what was executed.
fn print_trace(out: &mut impl Write, program: &Program, trace: &Trace) -> Result<()> {
    if trace.earlier > 0 {
        writeln!(out, "      trace | … {} earlier; `--trace=LINES` shows more", trace.earlier)?;
    }
    for line in &trace.steps {
        write!(out, "      trace | {}", line.place(program))?;
        write!(out, "  {}", line.instruction(program))?;
        let results: Vec<String> = line.results.iter().map(ToString::to_string).collect();
        match &results[..] {
            [] => writeln!(out)?,
            results => writeln!(out, " -> {}", results.join(", "))?,
        }
    }
    match trace.elsewhere {
        0 => Ok(()),
        elsewhere => writeln!(out, "      trace | and {elsewhere} instructions in libraries"),
    }
}

/// One line of a backtrace.
struct Line {
    text: String,
    /// How many calls in a row it stands for: recursion.
    times: usize,
    /// Whether it is the user's own code.
    own: bool,
}

fn print_backtrace(out: &mut impl Write, target: &Target, frames: &[TraceFrame]) -> Result<()> {
    let mut lines: Vec<Line> = Vec::new();
    for frame in frames {
        for text in places(&target.program, frame) {
            match lines.last_mut() {
                Some(last) if last.text == text => last.times += 1,
                _ => lines.push(Line { text, times: 1, own: target.in_scope(frame.func) }),
            }
        }
    }
    // A single call is already on the first line.
    if let [Line { times: 1, .. }] = lines[..] {
        return Ok(());
    }
    let some_own = lines.iter().any(|line| line.own);
    for run in lines.chunk_by(|a, b| a.own == b.own) {
        let ends = if run[0].own || !some_own { OWN_LINES } else { LIBRARY_LINES };
        print_ends(out, run, ends)?;
    }
    Ok(())
}

/// Prints lines; if there are many, only so many at the beginning and at the end.
fn print_ends(out: &mut impl Write, lines: &[Line], ends: usize) -> Result<()> {
    let hidden = lines.len().saturating_sub(2 * ends);
    // In place of a single line there is room for the line itself.
    let hidden = if hidden == 1 { 0 } else { hidden };
    for (index, Line { text, times, .. }) in lines.iter().enumerate() {
        if hidden > 0 && index == ends {
            writeln!(out, "        … {hidden} more …")?;
        }
        if hidden == 0 || index < ends || index >= ends + hidden {
            let times = if *times == 1 { String::new() } else { format!(" ({times} times)") };
            writeln!(out, "        at {text}{times}")?;
        }
    }
    Ok(())
}

fn print_coverage(out: &mut impl Write, target: &Target, coverage: &Coverage) -> Result<()> {
    let program = &target.program;
    writeln!(out, "coverage")?;
    for (site, data) in program.sites.iter() {
        let directions = coverage.directions(site);
        if !directions.is_empty() && target.in_scope(data.func) {
            let function = &program.functions[data.func].name;
            let place = site_place(program, site);
            let select = if data.kind.is_branch() { "" } else { " (select)" };
            writeln!(
                out,
                "  {place} in {function}{select}: {}",
                taken(directions, &program.direction_names(site))
            )?;
        }
    }
    let counts = coverage.counts(program, |func| target.in_scope(func));
    let module = coverage.counts(program, |_| true);
    print_counts(out, "  in scope    ", &counts)?;
    print_counts(out, "  whole module", &module)
}

fn print_counts(out: &mut impl Write, name: &str, counts: &Counts) -> Result<()> {
    let Counts { branches, selects, functions } = counts;
    write!(out, "{name}  branches {}/{}", branches.covered, branches.total)?;
    write!(out, ", selects {}/{}", selects.covered, selects.total)?;
    writeln!(out, ", functions {}/{}", functions.covered, functions.total)
}

fn site_place(program: &Program, site: Site) -> String {
    let offset = program.sites[site].offset;
    match &program.frames(offset)[..] {
        [] => format!("{site} (offset {offset:#x})"),
        frames => format!("{site} {}", location(frames)),
    }
}

/// Which directions were taken and which were not, by name.
fn taken(directions: &[bool], names: &[String]) -> String {
    let list = |wanted: bool| -> String {
        let chosen = directions.iter().zip(names).filter(|&(&taken, _)| taken == wanted);
        chosen.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" and ")
    };
    match (list(true).as_str(), list(false).as_str()) {
        (taken, "") => format!("taken {taken}"),
        ("", missed) => format!("missed {missed}"),
        (taken, missed) => format!("taken {taken}; missed {missed}"),
    }
}
