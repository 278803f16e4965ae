//! `coax-judge`: runs the long campaigns that `scripts/campaign` offers.
//!
//! Progress goes to standard error; a Markdown table and, as the last line, one line of JSON to
//! standard output. The exit code is 1 if anything differs.

mod campaign;

use clap::{Parser, Subcommand, ValueEnum};
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Judges coax against independent oracles", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run one campaign.
    Campaign {
        /// Which one.
        #[arg(value_enum)]
        name: Name,
        /// How many runs of random modules to compare.
        #[arg(long, default_value_t = 100_000)]
        runs: u64,
        /// The number that all random choices come from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// The spec testsuite on the plain modules.
    Spec,
    /// SSA lowered back to wasm, on the spec testsuite and on random modules.
    Ssa,
    /// Coverage of plain runs against the directions that the SSA takes.
    Coverage,
}

fn main() -> ExitCode {
    let Command::Campaign { name, runs, seed } = Cli::parse().command;
    let result = match name {
        Name::Spec => campaign::spec(),
        Name::Ssa => campaign::ssa(runs, seed),
        Name::Coverage => campaign::coverage(runs, seed),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
