//! `coax doctor`: what is on this machine, what is missing, and the command that gets it.

use anyhow::Result;
use clap::Args;
use coax_load::{Check, Tools};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Say which compilers and tools are on this machine, what is missing, and the command that gets it
#[derive(Args)]
pub struct DoctorArgs {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

impl DoctorArgs {
    /// Looks, and says what it saw. Missing tools are no failure: coax works with what is there.
    pub fn run(self) -> Result<ExitCode> {
        let checks = coax_load::doctor(&Tools::default());
        let said = if self.json { serde_json::to_string_pretty(&checks)? + "\n" } else { text(&checks)? };
        io::stdout().write_all(said.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// One line for each thing, then what can be done about the missing ones.
fn text(checks: &[Check]) -> Result<String, std::fmt::Error> {
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Check { name, purpose, optional, found, .. } in checks {
        let status = match found {
            Some(found) if found.version.is_empty() => found.path.display().to_string(),
            Some(found) => format!("{} ({})", found.version, found.path.display()),
            None if *optional => format!("missing, optional; for {purpose}"),
            None => format!("missing; needed for {purpose}"),
        };
        let mark = if found.is_some() { "ok" } else { "--" };
        writeln!(text, "{mark}  {name:width$}  {status}")?;
    }
    let missing: Vec<&Check> = checks.iter().filter(|check| check.found.is_none()).collect();
    if missing.is_empty() {
        writeln!(text, "\nNothing is missing.")?;
    } else {
        writeln!(text, "\nTo get what is missing (each only if you need what it is for):")?;
        for Check { purpose, install, .. } in missing {
            writeln!(text, "  {install}    # {purpose}")?;
        }
    }
    Ok(text)
}
