//! What a command ends with, by its report.

use super::{Command, Summary, Verdict};

/// Of `coax cover`: a failure counts.
const FAILURE: u8 = 1;
/// Of `coax reach`: all is decided, something is unreachable; something is not decided, or is not there.
const UNREACHABLE: u8 = 3;
const UNDECIDED: u8 = 4;

impl Summary {
    /// The exit code. The failures that a baseline is made of do not count, nor do those that one knows.
    pub fn exit_code(&self, makes_baseline: bool) -> u8 {
        match self.command {
            Command::Cover if makes_baseline => 0,
            Command::Cover if self.bugs.iter().any(|bug| !bug.is_known()) => FAILURE,
            Command::Cover => 0,
            Command::Reach => self.targets.iter().map(|target| code_of(target.verdict)).max().unwrap_or(0),
        }
    }
}

/// What one place makes the command end with, if no other place has a higher code.
fn code_of(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Reached => 0,
        Verdict::Unreachable => UNREACHABLE,
        Verdict::Unknown => UNDECIDED,
    }
}

#[cfg(test)]
mod tests;
