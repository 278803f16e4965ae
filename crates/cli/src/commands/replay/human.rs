//! What `coax replay` says to people: one line a test, then whatever helps to understand it.

use super::Replayed;
use crate::args::Target;
use coax_execute::{Counts, Coverage, Outcome, TraceFrame};
use coax_program::text::location;
use coax_program::{Program, Site};
use std::borrow::Cow;
use std::io::{Result, Write};

/// How many calls of a long backtrace are shown at its inner and at its outer end.
const INNER_FRAMES: usize = 12;
const OUTER_FRAMES: usize = 4;

/// Prints the results of all tests.
pub(super) fn print(
    out: &mut impl Write,
    target: &Target,
    replayed: &[Replayed],
    coverage: Option<&Coverage>,
) -> Result<()> {
    for replayed in replayed {
        print_test(out, &target.program, replayed)?;
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

fn print_test(out: &mut impl Write, program: &Program, replayed: &Replayed) -> Result<()> {
    let Replayed { name, test, run } = replayed;
    let status = if replayed.failed() { "FAIL" } else { "ok" };
    write!(out, "{status:<4}  {name}: {}", replayed.verdict())?;
    if let Outcome::Trapped(trap) = &run.outcome
        && let Some(reason) = &trap.reason
    {
        write!(out, " ({})", printable(reason))?;
    }
    if let Some(frame) = run.outcome.backtrace().first() {
        write!(out, " at {}", place(program, frame).remove(0))?;
    }
    writeln!(out)?;
    match &test.expect {
        Some(expected) if !replayed.as_expected() => writeln!(out, "      expected: {expected}")?,
        Some(_) if replayed.failed() => writeln!(out, "      as expected")?,
        _ => {}
    }
    print_stream(out, "stdout", &run.stdout)?;
    print_stream(out, "stderr", &run.stderr)?;
    print_backtrace(out, program, run.outcome.backtrace())?;
    for (bound, hits) in run.bounds.iter() {
        let times = if hits == 1 { String::new() } else { format!(" ({hits} times)") };
        writeln!(out, "      limit met: {bound}{times}")?;
    }
    Ok(())
}

/// Prints what the program wrote, without letting it play with the terminal.
fn print_stream(out: &mut impl Write, name: &str, bytes: &[u8]) -> Result<()> {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        writeln!(out, "      {name} | {}", printable(line))?;
    }
    Ok(())
}

fn printable(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| !c.is_control() || c == '\t';
    if text.chars().all(harmless) {
        return text.into();
    }
    text.chars().map(|c| if harmless(c) { c.to_string() } else { c.escape_default().to_string() }).collect()
}

fn print_backtrace(out: &mut impl Write, program: &Program, frames: &[TraceFrame]) -> Result<()> {
    // One call is already on the first line.
    if frames.len() == 1 && frames[0].sources.len() <= 1 {
        return Ok(());
    }
    let hidden = frames.len().saturating_sub(INNER_FRAMES + OUTER_FRAMES);
    for (index, frame) in frames.iter().enumerate() {
        if hidden > 0 && index == INNER_FRAMES {
            writeln!(out, "        … {hidden} more calls …")?;
        }
        if hidden > 0 && (INNER_FRAMES..INNER_FRAMES + hidden).contains(&index) {
            continue;
        }
        for place in place(program, frame) {
            writeln!(out, "        at {place}")?;
        }
    }
    Ok(())
}

/// The places of a call, innermost first: the last is the function itself, those before were inlined into it.
fn place(program: &Program, frame: &TraceFrame) -> Vec<String> {
    let function = &program.functions[frame.func].name;
    match (&frame.sources[..], frame.offset) {
        ([], Some(offset)) => vec![format!("offset {offset:#x} in {function}")],
        ([], None) => vec![function.clone()],
        (sources, _) => {
            let mut places: Vec<String> = sources
                .iter()
                .map(|source| format!("{source} in {}", source.function.as_ref().unwrap_or(function)))
                .collect();
            let inlined = places.len() - 1;
            places[..inlined].iter_mut().for_each(|place| place.push_str(" (inlined)"));
            places
        }
    }
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
            writeln!(out, "  {place} in {function}{select}: {}", taken(directions))?;
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

/// Which directions were taken and which were not, by number: 0 is a condition of zero.
fn taken(directions: &[bool]) -> String {
    let list = |wanted: bool| -> String {
        let chosen = directions.iter().enumerate().filter(|&(_, &taken)| taken == wanted);
        chosen.map(|(direction, _)| format!(" {direction}")).collect()
    };
    match (list(true).as_str(), list(false).as_str()) {
        (taken, "") => format!("taken{taken}"),
        ("", missed) => format!("missed{missed}"),
        (taken, missed) => format!("taken{taken}, missed{missed}"),
    }
}
