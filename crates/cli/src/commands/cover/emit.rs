//! What was found, in the formats of other tools.

use super::output::Output;
use crate::args::{ProgramArgs, note};
use crate::interrupt;
use anyhow::Result;
use coax_load::{NativeTests, Tools};
use coax_report::Report;
use coax_report::formats::{Emission, Emitted, FORMATS, Format, Native, NativeRun};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// How many tests that a format cannot express are told of one by one.
const SHOWN: usize = 3;

/// The format of this name.
pub fn format(name: &str) -> Result<&'static Format, String> {
    Format::named(name).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        format!("there is no format `{name}`; there are {}", names.join(", "))
    })
}

/// Writes each format into its folder.
pub fn emit(
    formats: &[&'static Format],
    report: &Report<'_>,
    program: &ProgramArgs,
    output: &Output,
) -> Result<()> {
    let files: Vec<String> = program.paths().iter().map(|path| path.display().to_string()).collect();
    let native = Machine { flags: program.compiler_flags()? };
    let emission = Emission { report, files: &files, native: &native, now: now() };
    for format in formats {
        let emitted = (format.write)(&emission);
        interrupt::undisturbed(|| output.emit(format.name, &emitted.files))?;
        tell(format, &emitted);
    }
    Ok(())
}

fn tell(format: &Format, emitted: &Emitted) {
    for text in &emitted.notes {
        note(format_args!("{}: {text}", format.name));
    }
    for left_out in emitted.left_out.iter().take(SHOWN) {
        note(format_args!("{}: without {}: {}", format.name, left_out.test, left_out.why));
    }
    if let Some(more) = emitted.left_out.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        note(format_args!("{}: without {more} more tests", format.name));
    }
}

/// The machine that coax runs on.
struct Machine {
    flags: Vec<String>,
}

impl Native for Machine {
    fn run_c(&self, text: &str, sources: &[String]) -> Result<NativeRun, String> {
        let sources: Vec<PathBuf> = sources.iter().map(PathBuf::from).collect();
        said(coax_load::run_c_tests(&Tools::default(), text, &sources, &self.flags))
    }

    fn run_rust(&self, text: &str) -> Result<NativeRun, String> {
        said(coax_load::run_rust_tests(&Tools::default(), text))
    }
}

fn said(run: Result<NativeTests, coax_load::Error>) -> Result<NativeRun, String> {
    let NativeTests { stdout, success } = run.map_err(|error| {
        // Where the compiler saw it is a file that is gone by now.
        let first = error.messages().lines().find_map(|line| Some(line.split_once("error: ")?.1.to_owned()));
        first.map_or_else(|| error.to_string(), |first| format!("the compiler says: {first}"))
    })?;
    Ok(NativeRun { stdout, success })
}

/// The date and time, as XML has it.
fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a day since 1970.
fn date(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    for (month, length) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
        if days < length {
            return (year, month, days + 1);
        }
        days -= length;
    }
    unreachable!("the months of a year have all its days")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_772), (2026, 11, 15));
    }
}
