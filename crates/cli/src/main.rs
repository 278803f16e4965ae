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
mod interrupt;
mod limits;
mod memory;
mod names;
mod output_directory;
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
    /// Let that file do what could run code on this machine or reach what is not in the current directory (plug-ins of compilers, `allow`,
    /// `emit = "c"`, paths elsewhere); otherwise this is ignored
    #[arg(long, global = true)]
    trust_config: bool,
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
    ReportSchema(commands::report_schema::ReportSchemaArgs),
    Doctor(commands::doctor::DoctorArgs),
}

/// Bad usage, bad input or a failure of the tool itself.
const TOOL_ERROR: u8 = 2;

fn main() -> ExitCode {
    let result = interrupt::listen().and_then(|()| command_line()).and_then(|command| match command {
        Command::Cover(args) => args.run(),
        Command::Reach(args) => args.run(),
        Command::Explain(args) => args.run(),
        Command::Replay(args) => args.run(),
        Command::Dump(args) => args.run(),
        Command::Init(args) => args.run(),
        Command::Solve(args) => args.run(),
        Command::ReportSchema(args) => args.run(),
        Command::Doctor(args) => args.run(),
    });
    // Somebody else may be about to end it: what is wrong then is wrong because of that.
    if !interrupt::takes_last_word() {
        interrupt::wait_for_end();
    }
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

#[cfg(test)]
mod tests {
    use super::CommandLine;
    use crate::config;
    use clap::CommandFactory;

    #[test]
    fn each_option_is_known_to_be_harmless_or_not() {
        let mut command = CommandLine::command();
        command.build();
        let named = config::flags_of_all(&command);
        let listed = config::trust::listed();
        let unlisted: Vec<&String> = named.iter().filter(|name| !listed.contains(name.as_str())).collect();
        assert!(unlisted.is_empty(), "say in config/trust.rs whether these are harmless: {unlisted:?}");
        let gone: Vec<&&str> = listed.iter().filter(|name| !named.contains(**name)).collect();
        assert!(gone.is_empty(), "these options are gone: {gone:?}");
    }
}
