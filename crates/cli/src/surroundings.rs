//! What a program finds around it, as the command line says it: files, environment, answers to what it asks for.

use crate::args::{note, pair};
use anyhow::{Context, Result, bail};
use clap::Args;
use coax_execute::{Answer, Asked, Data, Input, Request, Symbols};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The default of `--max-len`: no run could make use of much more.
const MAX_LEN: u64 = 1 << 20;

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
    /// bytes (`"12"` in quotes if it could be a number), or JSON as in a test; may be repeated
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    value: Vec<String>,
    /// A read or write that goes wrong: `NUMBER=short|io|no-space`, the first of the run is 1; may be repeated
    #[arg(long, value_name = "NUMBER=HOW")]
    fault: Vec<String>,
    /// Whether each read and write goes wrong is a symbol
    #[arg(long)]
    io_faults: bool,
    /// What of this machine the program may see: `dir=PATH` (copies of the files in it, below the program's `/`), `clock` (when it starts), `random`, `env`; all
    /// of it is stored with a test
    #[arg(long, value_name = "WHAT")]
    allow: Vec<String>,
    /// How many bytes standard input, a file, an argument or a buffer can have at most if it is symbols
    #[arg(long, value_name = "BYTES", default_value_t = MAX_LEN)]
    max_len: u64,
    /// Standard input of so many bytes, all zero
    #[arg(long, value_name = "BYTES", conflicts_with = "stdin")]
    sym_stdin: Option<u64>,
    /// One more argument, with room for so many bytes; may be repeated. The arguments after `--` are then no symbols
    #[arg(long, value_name = "BYTES")]
    sym_arg: Vec<u64>,
    /// A file of so many bytes, all zero: `NAME:BYTES`; may be repeated
    #[arg(long, value_name = "NAME:BYTES")]
    sym_file: Vec<String>,
}

impl SurroundingsArgs {
    /// The ids of these arguments, for others that exclude them.
    pub const IDS: [&str; 9] =
        ["fault", "io_faults", "allow", "file", "env", "value", "sym_stdin", "sym_arg", "sym_file"];

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        let SurroundingsArgs { file, env, value, fault, allow, io_faults, .. } = self;
        let SurroundingsArgs { sym_stdin, sym_arg, sym_file, .. } = self;
        [file, env, value, fault, allow, sym_file].into_iter().all(Vec::is_empty)
            && sym_stdin.is_none()
            && sym_arg.is_empty()
            && !io_faults
    }

    /// Puts all this into an input.
    pub fn add_to(&self, input: &mut Input) -> Result<()> {
        for text in &self.allow {
            allow(text, input)?;
        }
        for text in &self.fault {
            let (number, how) = pair(text, '=', "--fault", "NUMBER=HOW")?;
            let number = number.parse().ok().filter(|&number: &u64| number > 0);
            let how = serde_json::from_value(how.into()).ok();
            let (Some(number), Some(how)) = (number, how) else {
                bail!(
                    "--fault: `{text}` is not a read or write and how it goes wrong; write e.g. `1=short`, `2=io` or `3=no-space`"
                );
            };
            input.faults.insert(number, how);
        }
        for text in &self.file {
            let (name, path) = pair(text, '=', "--file", "NAME=PATH")?;
            let bytes = std::fs::read(PathBuf::from(path)).with_context(|| format!("cannot read {path}"))?;
            add_file(input, "--file", name, Data(bytes))?;
        }
        for text in &self.sym_file {
            let (name, size) = pair(text, ':', "--sym-file", "NAME:BYTES")?;
            let size = size.parse().ok().with_context(|| {
                format!("--sym-file: `{size}` is not a number of bytes; write it as `{name}:16`")
            })?;
            add_file(input, "--sym-file", name, zeros(size, "--sym-file", self.max_len)?)?;
        }
        for text in &self.env {
            let (name, value) = pair(text, '=', "--env", "NAME=VALUE")?;
            if input.env.insert(name.into(), value.into()).is_some() && self.allow.is_empty() {
                bail!("--env: there are two variables `{name}`; give one");
            }
        }
        input.values = self.value.iter().map(|text| value(text)).collect::<Result<_>>()?;
        if let Some(size) = self.sym_stdin {
            input.stdin = zeros(size, "--sym-stdin", self.max_len)?;
        }
        for &size in &self.sym_arg {
            input.args.push(zeros(size, "--sym-arg", self.max_len)?);
        }
        Ok(())
    }

    /// Which parts of an input with so many arguments of the user's own are symbols.
    pub fn symbols(&self, args: usize) -> Symbols {
        let args_after = if self.sym_arg.is_empty() { 0 } else { args };
        Symbols { args_after, faults: self.io_faults, longest: self.max_len, ..Symbols::default() }
    }
}

/// What of an input did not become what was meant: an error if it was `typed` just now, else it is said.
pub fn check_used(asked: &Asked, typed: bool) -> Result<()> {
    match asked.misfits.first() {
        Some(misfit) if typed => {
            bail!("--value: {misfit}; give a value for each that the program asks for, in order")
        }
        _ => asked.misfits.iter().for_each(note),
    }
    match asked.unused {
        0 => {}
        1 => note("the program did not ask for the last value"),
        count => note(format_args!("the program did not ask for the last {count} values")),
    }
    for number in &asked.unused_faults {
        note(format_args!("there was no read or write number {number}, so it could not go wrong"));
    }
    Ok(())
}

/// Lets the program see something of this machine, as it is now.
fn allow(what: &str, input: &mut Input) -> Result<()> {
    match what {
        "clock" => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            input.time = Some(u64::try_from(now.as_nanos()).unwrap_or(u64::MAX));
        }
        "random" => input.seed = RandomState::new().build_hasher().finish(),
        "env" => {
            let own = std::env::vars_os();
            let own =
                own.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
            input.env.extend(own);
        }
        _ => match what.strip_prefix("dir=") {
            Some(directory) => copy_files(Path::new(directory), "", &mut input.files)?,
            None => {
                bail!("--allow: `{what}` is nothing to allow; write `dir=PATH`, `clock`, `random` or `env`")
            }
        },
    }
    Ok(())
}

/// Copies the files of a directory, and of those in it. What is neither, like a link or a device, is left out.
fn copy_files(directory: &Path, below: &str, files: &mut BTreeMap<String, Data>) -> Result<()> {
    let failed = || format!("cannot read {}", directory.display());
    let mut entries = std::fs::read_dir(directory)
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .with_context(failed)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let Ok(name) = entry.file_name().into_string() else {
            note(format_args!("--allow: {} is left out, for its name is no text", entry.path().display()));
            continue;
        };
        let kind = entry.file_type().with_context(failed)?;
        if kind.is_dir() {
            copy_files(&entry.path(), &format!("{below}{name}/"), files)?;
        } else if kind.is_file() {
            let bytes = std::fs::read(entry.path())
                .with_context(|| format!("cannot read {}", entry.path().display()))?;
            files.insert(format!("{below}{name}"), Data(bytes));
        } else {
            note(format_args!("--allow: {} is left out, for it is no file", entry.path().display()));
        }
    }
    Ok(())
}

/// Adds a file, which must be the only one of its name.
fn add_file(input: &mut Input, flag: &str, name: &str, data: Data) -> Result<()> {
    match input.files.insert(name.to_owned(), data) {
        Some(_) => bail!("{flag}: there are two files `{name}`; give one, or call one otherwise"),
        None => Ok(()),
    }
}

/// So many bytes of which each is a symbol.
fn zeros(size: u64, flag: &str, longest: u64) -> Result<Data> {
    match usize::try_from(size) {
        Ok(count) if size <= longest => Ok(Data(vec![0; count])),
        _ => bail!(
            "{flag}: {size} bytes are more than the {longest} that a symbolic input may have; ask for fewer, or raise `--max-len`"
        ),
    }
}

/// An answer to a request, as a person writes it.
fn value(text: &str) -> Result<Request> {
    if text.starts_with('{') {
        return serde_json::from_str(text)
            .with_context(|| format!("--value: `{text}` is no value; write e.g. {{\"i32\": 5}}"));
    }
    let quoted = text.starts_with('"').then(|| serde_json::from_str::<String>(text).ok()).flatten();
    let value = match quoted {
        Some(text) => Answer::Bytes(text.as_str().into()),
        None => Answer::Written(text.to_owned()),
    };
    Ok(Request { name: String::new(), value })
}
