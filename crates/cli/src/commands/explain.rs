//! `coax explain`: why a line is covered or not, and what is dead, as the report of a search says.

mod dead;
mod list;

use super::stored_report;
use crate::input::read_text;
use anyhow::{Context, Result, bail};
use clap::Args;
use coax_report::summary::{LineSummary, LinesSummary, Obstacle, Summary, Text, Uncalled, Uncovered};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Say why a line is covered, or why it is not
#[derive(Args)]
pub struct ExplainArgs {
    /// The directory that `coax cover` wrote
    directory: PathBuf,
    /// The line: FILE:LINE. Without one, all that is not covered is listed
    #[arg(value_name = "FILE:LINE")]
    place: Option<String>,
    /// List the code that nothing gets to, whatever the input is, as far as that is proved
    #[arg(long, conflicts_with = "place")]
    dead: bool,
    /// Name calls that libraries make, too
    #[arg(long)]
    all: bool,
}

impl ExplainArgs {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let place = self.place.as_deref().map(place_of).transpose()?;
        let report = stored_report::read(&self.directory)?;
        let Some((file, line)) = place else {
            let mut out = std::io::stdout().lock();
            match self.dead {
                true => dead::print(&mut out, &report.dead)?,
                false => list::print(&mut out, &report.uncovered, &self.directory)?,
            }
            return Ok(ExitCode::SUCCESS);
        };
        let lines = stored_report::read_lines(&self.directory)?;
        let mut out = std::io::stdout().lock();
        let here: Vec<&Uncovered> =
            report.uncovered.iter().filter(|branch| is_at(branch, file, line)).collect();
        let (seen, all, assumes) = (BTreeSet::new(), self.all, Vec::new());
        let mut chain = Chain { out: &mut out, report: &report, seen, all, assumes };
        chain.tell_line(&lines, file, line, here.is_empty())?;
        for branch in here {
            chain.tell(branch, 0)?;
        }
        let assumes = std::mem::take(&mut chain.assumes);
        print_assumed(&mut out, &assumes)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The file and line that somebody asks about.
fn place_of(text: &str) -> Result<(&str, u32)> {
    let parts = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    parts.with_context(|| format!("`{text}` is not FILE:LINE; write for instance parser.c:412"))
}

/// Adds what is not there yet.
fn add_assumed(all: &mut Vec<Text>, more: &[Text]) {
    for text in more {
        if !all.contains(text) {
            all.push(text.clone());
        }
    }
}

/// Says under which conditions proofs hold.
fn print_assumed(out: &mut impl Write, assumes: &[Text]) -> Result<()> {
    match assumes.is_empty() {
        true => Ok(()),
        false => Ok(writeln!(out, "What is proved assumes: {}.", assumes.join("; "))?),
    }
}

/// The file and line of a place as reports have it: `FILE:LINE:COLUMN`.
fn file_and_line(place: &str) -> Option<(&str, u32)> {
    let (file, rest) = place.split_once(':')?;
    let line: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((file, line.parse().ok()?))
}

/// Whether a path ends with another, part by part.
fn is_file(path: &str, wanted: &str) -> bool {
    Path::new(path).ends_with(Path::new(wanted))
}

fn is_at(branch: &Uncovered, file: &str, line: u32) -> bool {
    file_and_line(&branch.location).is_some_and(|(path, at)| is_file(path, file) && at == line)
}

/// Tells what stands in the way of a branch, and of that in turn.
struct Chain<'a, W> {
    out: &'a mut W,
    report: &'a Summary,
    /// The branches that were told of.
    seen: BTreeSet<u32>,
    /// Whether calls of libraries are named.
    all: bool,
    /// What the proofs that were told of take for granted.
    assumes: Vec<Text>,
}

impl<W: Write> Chain<'_, W> {
    /// By which tests a line is executed; and, if it has no branch that is not covered, what stands in the way or what is wrong with it otherwise.
    fn tell_line(&mut self, files: &LinesSummary, file: &str, line: u32, is_all: bool) -> Result<()> {
        let known = files.iter().find(|(path, _)| is_file(path, file));
        let of_line = known.and_then(|(path, lines)| Some((path, lines.get(&line)?)));
        if let Some((path, Some(LineSummary::Covered(tests)))) = of_line {
            writeln!(self.out, "{path}:{line} is covered, for instance by {}", tests.join(", "))?;
            return self.tell_strategy(tests);
        }
        if !is_all {
            return Ok(());
        }
        let Some((path, lines)) = known else {
            bail!("there is no code of {file} in the report; name a file of the program, as the report does");
        };
        match lines.get(&line) {
            Some(known) => {
                writeln!(self.out, "{path}:{line} is not covered")?;
                match known {
                    Some(LineSummary::Behind(obstacle)) => self.tell_obstacle(obstacle, None, 0),
                    _ => Ok(()),
                }
            }
            None => {
                let nearest = lines.keys().min_by_key(|at| at.abs_diff(line)).copied().unwrap_or_default();
                bail!("{path}:{line} has no code; the nearest line that has is {nearest}")
            }
        }
    }

    /// How one of these tests was found, if that took values of unknown functions.
    fn tell_strategy(&mut self, tests: &[Text]) -> Result<()> {
        let Some(found) = self.report.strategies.iter().find(|it| tests.contains(&it.test)) else {
            return Ok(());
        };
        writeln!(self.out, "{} was found by a strategy:", found.test)?;
        for step in &found.steps {
            writeln!(self.out, "  {step}")?;
        }
        Ok(())
    }

    fn tell(&mut self, branch: &Uncovered, depth: usize) -> Result<()> {
        let Uncovered { location, why, site, .. } = branch;
        let indent = "  ".repeat(depth);
        if branch.is_proved() {
            add_assumed(&mut self.assumes, &branch.assumes);
        }
        let way = branch.branch.as_deref().unwrap_or_default();
        writeln!(self.out, "{indent}{location} {way} is not covered: {why}")?;
        if let Some(source) = source_line(location) {
            writeln!(self.out, "{indent}    {source}")?;
        }
        match &branch.obstacle {
            Some(obstacle) if self.seen.insert(*site) => self.tell_obstacle(obstacle, Some(*site), depth),
            _ => Ok(()),
        }
    }

    fn tell_obstacle(&mut self, obstacle: &Obstacle, site: Option<u32>, depth: usize) -> Result<()> {
        let indent = "  ".repeat(depth);
        match obstacle {
            Obstacle::Direction { site: before, .. } if Some(*before) == site => Ok(()),
            Obstacle::Direction { site: before, direction, location } => {
                writeln!(self.out, "{indent}no run came there, because")?;
                let is_it = |it: &&Uncovered| it.site == *before && it.direction == *direction;
                match self.report.uncovered.iter().find(is_it) {
                    Some(found) => self.tell(found, depth + 1),
                    None => Ok(writeln!(self.out, "{indent}  {location} never went there")?),
                }
            }
            Obstacle::NotCalled { uncalled } => match self.report.uncalled.get(uncalled) {
                Some(function) => self.tell_calls(function, &indent),
                None => Ok(()),
            },
        }
    }

    /// Where a function is called that no run called.
    fn tell_calls(&mut self, function: &Uncalled, indent: &str) -> Result<()> {
        let Uncalled { calls, own_calls, more_calls, .. } = function;
        if calls.is_empty() {
            return Ok(writeln!(self.out, "{indent}nothing in the program calls its function")?);
        }
        let named = if self.all { calls } else { own_calls };
        if named.is_empty() {
            return Ok(writeln!(
                self.out,
                "{indent}its function is called only by libraries, and not in any run; `--all` says where"
            )?);
        }
        writeln!(self.out, "{indent}its function is called only here, where no run came:")?;
        for call in named {
            writeln!(self.out, "{indent}  {call}")?;
        }
        if let Some(more) = more_calls {
            writeln!(self.out, "{indent}  and at {more} more")?;
        } else if calls.len() > named.len() {
            writeln!(self.out, "{indent}  and by libraries: `--all` says where")?;
        }
        Ok(())
    }
}

/// The source of a place, if its file is here.
fn source_line(place: &str) -> Option<String> {
    let (file, line) = file_and_line(place)?;
    let text = read_text(Path::new(file)).ok()?;
    Some(text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)?.trim().to_owned())
}
