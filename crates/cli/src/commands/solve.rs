//! `coax solve`: the solver stack on its own, on scripts of SMT-LIB.

use crate::args::note;
use crate::input::read_text;
use crate::units;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use coax_load::{MOST_BYTES, read_all};
use coax_solve::smtlib::{RunError, Solvers, Verdict, run_script};
use coax_solve::{Budget, Child, ChildOptions, Stack, StackOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Answer the questions of an SMT-LIB script
///
/// Bit-vectors of up to 64 bits, arrays and functions of them, and floats of 32 and 64 bits are answered by coax's own solvers; what is left,
/// and quantifiers, by z3 or another solver that is installed.
#[derive(Args)]
pub struct SolveArgs {
    /// The script; `-` is standard input
    file: PathBuf,
    /// Time that an answer may take
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s")]
    time: Duration,
    /// The solver that answers what ours leave, with its arguments [default: z3, bitwuzla, cvc5, yices-smt2 or boolector]
    #[arg(long, value_name = "COMMAND", conflicts_with = "no_child")]
    solver: Option<String>,
    /// Only coax's own solvers
    #[arg(long)]
    no_child: bool,
    /// Say which layer answered how many questions
    #[arg(long)]
    statistics: bool,
}

impl SolveArgs {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let name = self.file.display().to_string();
        let text = read(&self.file).with_context(|| format!("cannot read {name}"))?;
        let child = (!self.no_child).then(|| self.child()).transpose()?;
        let mut stack = Stack::new(StackOptions { child: child.clone(), ..StackOptions::default() });
        let mut whole = child.map(Child::new);
        let time = self.time;
        let solvers = Solvers {
            layer: &mut stack,
            child: whole.as_mut(),
            budget: &mut || Budget::unlimited().within(time),
        };
        let mut out = std::io::stdout().lock();
        let outcome = run_script(&text, solvers, &mut out).map_err(|error| match error {
            RunError::Script(error) => anyhow!("{name}:{error}"),
            RunError::Output(error) => error.into(),
        })?;
        out.flush()?;
        for verdict in &outcome.verdicts {
            if let Verdict::Unknown(reason) = verdict {
                note(reason);
            }
        }
        if self.statistics {
            for (layer, counts) in stack.counts() {
                let coax_solve::Counts { asked, sat, unsat, unknown, wrong } = counts;
                note(format_args!(
                    "{layer}: {asked} asked, {sat} sat, {unsat} unsat, {unknown} unknown, {wrong} wrong"
                ));
            }
        }
        match outcome.contradictions.first() {
            Some(at) => Err(anyhow!(
                "{name}:{}:{}: the answer is not what `(set-info :status …)` says; one of them is wrong",
                at.line,
                at.column
            )),
            None => Ok(ExitCode::SUCCESS),
        }
    }

    fn child(&self) -> Result<ChildOptions> {
        let command = match &self.solver {
            Some(command) => shlex::split(command)
                .filter(|words| !words.is_empty())
                .with_context(|| format!("--solver: `{command}` is no command; write e.g. `z3`"))?,
            None => Vec::new(),
        };
        Ok(ChildOptions { command, ..ChildOptions::default() })
    }
}

fn read(file: &Path) -> std::io::Result<String> {
    if file != Path::new("-") {
        return read_text(file);
    }
    let bytes = read_all(std::io::stdin().lock(), MOST_BYTES)?;
    String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not text (UTF-8)"))
}
