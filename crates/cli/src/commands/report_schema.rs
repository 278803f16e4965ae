//! `coax report-schema`: what `report.json` consists of, for programs that read it.

use anyhow::Result;
use clap::Args;
use std::io::Write;
use std::process::ExitCode;

/// Print the JSON schema of `report.json`
#[derive(Args)]
pub struct ReportSchemaArgs {}

impl ReportSchemaArgs {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        std::io::stdout().lock().write_all(coax_report::summary::schema_text().as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}
