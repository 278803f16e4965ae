//! `coax-judge`: runs the long campaigns and the benchmarks that `scripts/campaign` and `scripts/bench` offer.
//!
//! Progress goes to standard error; a Markdown table and, as the last line, one line of JSON to
//! standard output. The exit code is 1 if anything differs.

mod bench;
mod campaign;

use anyhow::Context;
use clap::{Parser, Subcommand, ValueEnum};
use coax_judge::thirdparty::Table;
use std::path::PathBuf;
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
    /// Run one benchmark.
    Bench {
        /// Which one.
        #[arg(value_enum)]
        name: Bench,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Bench {
    /// Loading and lifting third-party programs, against wasmtime's compile time.
    Load,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// The spec testsuite on the plain modules.
    Spec,
    /// SSA lowered back to wasm, on the spec testsuite and on random modules.
    Ssa,
    /// Coverage of plain runs against the directions that the SSA takes.
    Coverage,
    /// Third-party programs: load, lift, verify, run, compare versions.
    Thirdparty,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Campaign { name, runs, seed } => match name {
            Name::Spec => campaign::spec(),
            Name::Ssa => campaign::ssa(runs, seed),
            Name::Coverage => campaign::coverage(runs, seed),
            Name::Thirdparty => table().and_then(|table| campaign::thirdparty(&table)),
        },
        Command::Bench { name: Bench::Load } => table().and_then(|table| bench::load(&table)).map(|()| true),
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

/// The third-party programs, as `scripts/thirdparty` leaves them; it and we run at the repository's root.
fn table() -> anyhow::Result<Table> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let cache = || variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    let store = variable("COAX_THIRDPARTY").or_else(|| Some(cache()?.join("coax/thirdparty")));
    let store = store.context("neither COAX_THIRDPARTY nor HOME is set; set one")?;
    Table::read(&std::env::current_dir()?, &store)
}
