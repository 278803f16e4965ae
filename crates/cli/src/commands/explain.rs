//! `coax explain`: why a line is covered or not, and what is dead, as the report of a search says.

mod dead;
mod list;

use super::stored_report;
use crate::input::read_text;
use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;
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
        let Some(uncovered) = report["uncovered"].as_array() else {
            bail!("the report in {} has no results; let `coax cover` finish", self.directory.display());
        };
        let Some((file, line)) = place else {
            let mut out = std::io::stdout().lock();
            match self.dead {
                true => dead::print(&mut out, &report)?,
                false => list::print(&mut out, uncovered, &self.directory)?,
            }
            return Ok(ExitCode::SUCCESS);
        };
        let lines = stored_report::read_lines(&self.directory)?;
        let mut out = std::io::stdout().lock();
        let here: Vec<&Value> = uncovered.iter().filter(|branch| is_at(branch, file, line)).collect();
        let strategies = report["strategies"].as_array().map_or(&[][..], Vec::as_slice);
        let (seen, all, is_assuming) = (BTreeSet::new(), self.all, false);
        let mut chain =
            Chain { out: &mut out, report: &report, uncovered, strategies, seen, all, is_assuming };
        chain.tell_line(&lines, file, line, here.is_empty())?;
        for branch in here {
            chain.tell(branch, 0)?;
        }
        if chain.is_assuming {
            print_assumed(&mut out, &report)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The file and line that somebody asks about.
fn place_of(text: &str) -> Result<(&str, u64)> {
    let parts = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    parts.with_context(|| format!("`{text}` is not FILE:LINE; write for instance parser.c:412"))
}

/// Whether something that a report says is proved only for inputs that are as assumed. Reports of earlier versions do not tell of each.
fn is_assuming(report: &Value, proved: &Value) -> bool {
    proved["assuming"].as_bool().unwrap_or(report["explored"] == true)
}

/// Says under which conditions proofs hold.
fn print_assumed(out: &mut impl Write, report: &Value) -> Result<()> {
    let assumed = report["assumed"].as_array().into_iter().flatten();
    let assumed: Vec<&str> = assumed.filter_map(Value::as_str).collect();
    match assumed.is_empty() {
        true => Ok(()),
        false => Ok(writeln!(out, "What is proved assumes of the input: {}.", assumed.join("; "))?),
    }
}

/// The file and line of a place as reports have it: `FILE:LINE:COLUMN`.
fn file_and_line(place: &str) -> Option<(&str, u64)> {
    let (file, rest) = place.split_once(':')?;
    let line: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((file, line.parse().ok()?))
}

/// Whether a path ends with another, part by part.
fn is_file(path: &str, wanted: &str) -> bool {
    Path::new(path).ends_with(Path::new(wanted))
}

fn is_at(branch: &Value, file: &str, line: u64) -> bool {
    let place = branch["location"].as_str().and_then(file_and_line);
    place.is_some_and(|(path, at)| is_file(path, file) && at == line)
}

/// Tells what stands in the way of a branch, and of that in turn.
struct Chain<'a, W> {
    out: &'a mut W,
    report: &'a Value,
    uncovered: &'a [Value],
    /// How tests were found for which something had to be known of unknown functions.
    strategies: &'a [Value],
    seen: BTreeSet<u64>,
    /// Whether calls of libraries are named.
    all: bool,
    /// Whether a proof was told of that holds only for inputs that are as assumed.
    is_assuming: bool,
}

impl<W: Write> Chain<'_, W> {
    /// By which tests a line is executed; and, if it has no branch that is not covered, what stands in the way or what is wrong with it otherwise.
    fn tell_line(&mut self, files: &Value, file: &str, line: u64, is_all: bool) -> Result<()> {
        let known = files.as_object().and_then(|files| files.iter().find(|(path, _)| is_file(path, file)));
        let of_line = known.and_then(|(path, lines)| Some((path, lines.get(line.to_string())?)));
        if let Some((path, Value::Array(tests))) = of_line {
            let names: Vec<&str> = tests.iter().filter_map(Value::as_str).collect();
            writeln!(self.out, "{path}:{line} is covered, for instance by {}", names.join(", "))?;
            return self.tell_strategy(&names);
        }
        if !is_all {
            return Ok(());
        }
        let Some((path, lines)) = known else {
            bail!("there is no code of {file} in the report; name a file of the program, as the report does");
        };
        match lines.get(line.to_string()) {
            Some(obstacle) => {
                writeln!(self.out, "{path}:{line} is not covered")?;
                self.tell_obstacle(obstacle, None, 0)
            }
            None => {
                let numbers = lines.as_object().into_iter().flat_map(|lines| lines.keys());
                let numbers = numbers.filter_map(|number| number.parse::<u64>().ok());
                let nearest = numbers.min_by_key(|at| at.abs_diff(line)).unwrap_or_default();
                bail!("{path}:{line} has no code; the nearest line that has is {nearest}")
            }
        }
    }

    /// How one of these tests was found, if that took values of unknown functions.
    fn tell_strategy(&mut self, tests: &[&str]) -> Result<()> {
        let is_of = |it: &&Value| tests.iter().any(|test| it["test"] == *test);
        let Some(found) = self.strategies.iter().find(is_of) else { return Ok(()) };
        writeln!(self.out, "{} was found by a strategy:", found["test"].as_str().unwrap_or_default())?;
        for step in found["steps"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            writeln!(self.out, "  {step}")?;
        }
        Ok(())
    }

    fn tell(&mut self, branch: &Value, depth: usize) -> Result<()> {
        let text = |key: &str| branch[key].as_str().unwrap_or_default();
        let indent = "  ".repeat(depth);
        self.is_assuming |= text("why").starts_with("proved") && is_assuming(self.report, branch);
        writeln!(
            self.out,
            "{indent}{} {} is not covered: {}",
            text("location"),
            text("branch"),
            text("why")
        )?;
        if let Some(source) = source_line(text("location")) {
            writeln!(self.out, "{indent}    {source}")?;
        }
        match branch["site"].as_u64() {
            Some(site) if self.seen.insert(site) => {
                self.tell_obstacle(&branch["obstacle"], Some(site), depth)
            }
            _ => Ok(()),
        }
    }

    fn tell_obstacle(&mut self, obstacle: &Value, site: Option<u64>, depth: usize) -> Result<()> {
        let indent = "  ".repeat(depth);
        let before = obstacle["site"].as_u64().filter(|&before| Some(before) != site);
        if let Some(before) = before {
            writeln!(self.out, "{indent}no run came there, because")?;
            let is_it =
                |it: &&Value| it["site"].as_u64() == Some(before) && it["direction"] == obstacle["direction"];
            if let Some(found) = self.uncovered.iter().find(is_it) {
                return self.tell(found, depth + 1);
            }
            writeln!(
                self.out,
                "{indent}  {} never went there",
                obstacle["location"].as_str().unwrap_or_default()
            )?;
        }
        // Reports of earlier versions name the calls of a function in each of its branches.
        let obstacle = match obstacle["uncalled"].as_u64() {
            Some(func) => &self.report["uncalled"][func.to_string()],
            None => obstacle,
        };
        let Some(calls) = obstacle["calls"].as_array() else { return Ok(()) };
        if calls.is_empty() {
            return Ok(writeln!(self.out, "{indent}nothing in the program calls its function")?);
        }
        // Reports of earlier versions do not say whose calls they are.
        let own = obstacle["own_calls"].as_array().filter(|_| !self.all).unwrap_or(calls);
        let others = calls.len().saturating_sub(own.len());
        if own.is_empty() {
            return Ok(writeln!(
                self.out,
                "{indent}its function is called only by libraries, and not in any run; `--all` says where"
            )?);
        }
        writeln!(self.out, "{indent}its function is called only here, where no run came:")?;
        for call in own.iter().filter_map(Value::as_str) {
            writeln!(self.out, "{indent}  {call}")?;
        }
        if let Some(more) = obstacle["more_calls"].as_u64() {
            writeln!(self.out, "{indent}  and at {more} more")?;
        } else if others > 0 {
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
