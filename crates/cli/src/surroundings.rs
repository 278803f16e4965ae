//! What a program finds around it, as the command line says it: files, environment, answers to what it asks for.

use anyhow::{Context, Result, bail};
use clap::Args;
use coax_execute::{Answer, Data, Input, NumberKind, Request, Symbols};
use std::path::PathBuf;

/// The surroundings of one run.
#[derive(Args)]
pub struct SurroundingsArgs {
    /// A file that the program finds, with the contents of one of yours: `NAME=PATH`; may be repeated
    #[arg(long, value_name = "NAME=PATH")]
    file: Vec<String>,
    /// An environment variable of the program's: `NAME=VALUE`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// What the program gets when it asks for a value by its test harness (`klee_int`, `nondet_int` …), in order: a number, text for
    /// bytes, or JSON as in a test; may be repeated
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    value: Vec<String>,
    /// What an import that nobody has answers: `NAME=NUMBER`, or `NAME=unknown` for a value that the program asks for; may be
    /// repeated
    #[arg(long, value_name = "NAME=VALUE")]
    stub: Vec<String>,
    /// Standard input of so many bytes, all zero
    #[arg(long, value_name = "BYTES", conflicts_with = "stdin")]
    sym_stdin: Option<usize>,
    /// One more argument, with room for so many bytes; may be repeated. The arguments after `--` are then no symbols
    #[arg(long, value_name = "BYTES")]
    sym_arg: Vec<usize>,
    /// A file of so many bytes, all zero: `NAME:BYTES`; may be repeated
    #[arg(long, value_name = "NAME:BYTES")]
    sym_file: Vec<String>,
}

impl SurroundingsArgs {
    /// The ids of these arguments, for others that exclude them.
    pub const IDS: [&str; 7] = ["file", "env", "value", "stub", "sym_stdin", "sym_arg", "sym_file"];

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        let SurroundingsArgs { file, env, value, stub, sym_stdin, sym_arg, sym_file } = self;
        [file, env, value, stub, sym_file].into_iter().all(Vec::is_empty)
            && sym_stdin.is_none()
            && sym_arg.is_empty()
    }

    /// Puts all this into an input.
    pub fn add_to(&self, input: &mut Input) -> Result<()> {
        for text in &self.file {
            let (name, path) = pair(text, '=', "--file", "NAME=PATH")?;
            let bytes = std::fs::read(PathBuf::from(path)).with_context(|| format!("cannot read {path}"))?;
            input.files.insert(name.into(), Data(bytes));
        }
        for text in &self.sym_file {
            let (name, size) = pair(text, ':', "--sym-file", "NAME:BYTES")?;
            let size = size.parse().ok().with_context(|| {
                format!("--sym-file: `{size}` is not a number of bytes; write it as `{name}:16`")
            })?;
            input.files.insert(name.into(), Data(vec![0; size]));
        }
        for text in &self.env {
            let (name, value) = pair(text, '=', "--env", "NAME=VALUE")?;
            input.env.insert(name.into(), value.into());
        }
        for text in &self.stub {
            let (name, value) = pair(text, '=', "--stub", "NAME=VALUE")?;
            input.stubs.insert(name.into(), value.into());
        }
        input.values = self.value.iter().map(|text| value(text)).collect::<Result<_>>()?;
        if let Some(size) = self.sym_stdin {
            input.stdin = Data(vec![0; size]);
        }
        input.args.extend(self.sym_arg.iter().map(|&size| Data(vec![0; size])));
        Ok(())
    }

    /// Which parts of an input with so many arguments of the user's own are symbols.
    pub fn symbols(&self, args: usize) -> Symbols {
        match self.sym_arg.is_empty() {
            true => Symbols::default(),
            false => Symbols { args_after: args, ..Symbols::default() },
        }
    }
}

fn pair<'t>(text: &'t str, between: char, flag: &str, form: &str) -> Result<(&'t str, &'t str)> {
    match text.split_once(between) {
        Some((name, value)) if !name.is_empty() => Ok((name, value)),
        _ => bail!("{flag}: `{text}` is not {form}; write both, with `{between}` between them"),
    }
}

/// An answer to a request, as a person writes it.
fn value(text: &str) -> Result<Request> {
    if text.starts_with('{') {
        return serde_json::from_str(text)
            .with_context(|| format!("--value: `{text}` is no value; write e.g. {{\"i32\": 5}}"));
    }
    let number = [NumberKind::I64, NumberKind::F64].into_iter().find_map(|kind| kind.parse(text));
    let value = number.map_or_else(|| Answer::Bytes(text.into()), Answer::Number);
    Ok(Request { name: String::new(), value })
}
