//! `bench engine`: what a run with terms costs, against the plain one on an engine with the same settings.
//!
//! Each section is a file: it prints its table and returns its part of the JSON line. Times are CPU times of the whole process,
//! so run it on a machine that does nothing else, with nothing else in this process.

mod kernels;
mod module;
mod programs;
mod report;
mod start;
mod symbolic;

use anyhow::Result;
use coax_judge::thirdparty::Table;
use report::Report;

/// Runs all sections.
pub fn run(table: &Table) -> Result<()> {
    // Symbolic runs use the stack of the thread that starts them.
    coax_judge::on_large_stacks(|| run_sections(table))
}

fn run_sections(table: &Table) -> Result<()> {
    let mut report = Report::new("engine");
    symbolic::memory(table.repository(), &mut report)?;
    kernels::run(table.repository(), &mut report)?;
    programs::run(table, &mut report)?;
    start::run(table.repository(), &mut report)?;
    symbolic::run(table.repository(), &mut report)?;
    report.print_json();
    Ok(())
}
