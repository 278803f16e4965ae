//! The command line: `coax COMMAND …`.
//!
//! The only place with flags, printing and exit codes. Each command is a file in `commands/`: a struct
//! of its arguments, whose doc comments are the help, and a function that runs it.

mod allow;
mod args;
mod cache_directory;
mod callbacks;
mod commands;
mod config;
mod input;
mod limits;
mod memory;
mod names;
mod surroundings;
mod units;
mod unknown;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Automatic test generation for programs compiled to WebAssembly: C, C++, Rust, any .wasm.
#[derive(Parser)]
#[command(name = "coax", version, max_term_width = 110)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    /// Options from this file; the command line wins [default: coax.toml in the current directory, if it is there]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    Cover(commands::cover::CoverArgs),
    Reach(commands::reach::ReachArgs),
    Explain(commands::explain::ExplainArgs),
    Replay(commands::replay::ReplayArgs),
    Dump(commands::dump::DumpArgs),
    Init(commands::init::InitArgs),
    Solve(commands::solve::SolveArgs),
    Doctor(commands::doctor::DoctorArgs),
}

/// Bad usage, bad input or a failure of the tool itself.
const TOOL_ERROR: u8 = 2;

fn main() -> ExitCode {
    let result = command_line().and_then(|command| match command {
        Command::Cover(args) => args.run(),
        Command::Reach(args) => args.run(),
        Command::Explain(args) => args.run(),
        Command::Replay(args) => args.run(),
        Command::Dump(args) => args.run(),
        Command::Init(args) => args.run(),
        Command::Solve(args) => args.run(),
        Command::Doctor(args) => args.run(),
    });
    result.unwrap_or_else(|error| {
        // A reader that went away, as in `coax dump … | head`, is not worth a message.
        let written = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let json = error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        if written.or(json) == Some(std::io::ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        eprintln!("error: {error:#}");
        ExitCode::from(TOOL_ERROR)
    })
}

/// What the user wants, by the command line and by `coax.toml`.
fn command_line() -> Result<Command> {
    let arguments: Vec<_> = std::env::args_os().collect();
    let mut command = CommandLine::command();
    // A mistake on the command line is told before one in the file.
    let given = command.get_matches_mut();
    let all = config::with_file(&command, arguments, &given)?;
    let matches = CommandLine::command().get_matches_from(all);
    Ok(CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command)
}
