//! What a program finds around it, as the command line says it: files, environment, answers to what it asks for.

use crate::allow::allow;
use crate::args::pair;
use crate::units;
use anyhow::{Context, Result, bail};
use clap::Args;
use coax_execute::{Answer, Data, Input, Request, Symbols};
use coax_load::{MOST_BYTES, read_plain};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The default of `--max-len`: no run could make use of much more.
const MAX_LEN: u64 = 1 << 20;
/// The same for a search: libFuzzer's default too.
const MAX_LEN_OF_SEARCH: u64 = 4096;

/// The surroundings of one run.
#[derive(Args, Clone)]
pub struct SurroundingsArgs {
    /// A file that the program finds, with the contents of one of yours: `NAME=PATH`; may be repeated
    #[arg(long, value_name = "NAME=PATH")]
    file: Vec<String>,
    /// An environment variable of the program's: `NAME=VALUE`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// What the program gets when it asks for a value by its test harness (`klee_int`, `nondet_int` …), in order: a number, `true`,
    /// `false`; for bytes text, or a number if they are 1, 2, 4, 8 or 16; or JSON as in a test: `{"bytes": "12"}`, `{"i32": 5}`; may be
    /// repeated
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
    /// How many bytes standard input, a file, an argument or a buffer can have at most if it is symbols [default: 1048576; `coax cover` and `coax reach`: 4096]
    #[arg(long, value_name = "BYTES", value_parser = units::size)]
    max_len: Option<u64>,
    /// Standard input of at most so many bytes is symbols: first all zero. What is not named by this, `--sym-arg` or `--sym-file` is none
    /// then; without them, standard input and all arguments are
    #[arg(long, value_name = "BYTES", value_parser = units::size, conflicts_with = "stdin")]
    sym_stdin: Option<u64>,
    /// One more argument, with room for so many bytes, is symbols: the last, or that with this number of all: `1:2`; may be repeated
    #[arg(long, value_name = "[NUMBER:]BYTES")]
    sym_arg: Vec<String>,
    /// A file of at most so many bytes is symbols: first all zero, or a file of `--file`, whose bytes are those of yours (then `:BYTES` may be
    /// left out); may be repeated
    #[arg(long, value_name = "NAME[:BYTES]")]
    sym_file: Vec<String>,
}

impl SurroundingsArgs {
    /// Whether the files of whole directories are part of the input.
    pub fn copies_directories(&self) -> bool {
        self.allow.iter().any(|what| what.starts_with("dir="))
    }

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
        for (flag, form, given) in [("--file", "NAME=PATH", &self.file), ("--env", "NAME=VALUE", &self.env)] {
            only_once(flag, given.iter().map(|text| pair(text, '=', flag, form).map(|(name, _)| name)))?;
        }
        only_once("--sym-file", self.sym_file.iter().map(|text| Ok(sym_file(text)?.0)))?;
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
            let bytes = read_plain(Path::new(path), MOST_BYTES)
                .with_context(|| format!("--file: cannot read {path}; name a file"))?;
            input.files.insert(name.into(), Data(bytes));
        }
        for text in &self.env {
            let (name, value) = pair(text, '=', "--env", "NAME=VALUE")?;
            input.env.insert(name.into(), value.into());
        }
        input.values = self.value.iter().map(|text| value(text)).collect::<Result<_>>()?;
        self.add_symbols(input)
    }

    /// Makes what is to be symbols. Files are only if they are named: what a tool reads beside its input would hide everything else.
    fn add_symbols(&self, input: &mut Input) -> Result<()> {
        if self.sym_stdin.is_none() && self.sym_arg.is_empty() && self.sym_file.is_empty() {
            if !input.files.is_empty() {
                let args = (1..=input.args.len()).map(|number| format!("arg{number}"));
                input.symbols = Some(args.chain(["stdin".into()]).map(|name| (name, None)).collect());
            }
            return Ok(());
        }
        let mut symbols = BTreeMap::new();
        if let Some(size) = self.sym_stdin {
            input.stdin = zeros(size, "--sym-stdin", self.longest())?;
            symbols.insert("stdin".into(), Some(size));
        }
        for number in add_arguments(&self.sym_arg, &mut input.args, self.longest())? {
            symbols.insert(format!("arg{number}"), None);
        }
        for text in &self.sym_file {
            let (name, size) = sym_file(text)?;
            let own = input.files.get(name).map(|data| data.0.len() as u64);
            match (own, size) {
                (None, Some(size)) => {
                    drop(input.files.insert(name.into(), zeros(size, "--sym-file", self.longest())?))
                }
                (None, None) => bail!(
                    "--sym-file: `{text}` is not NAME:BYTES; write both, with `:` between them, or give the file with `--file`"
                ),
                (Some(own), Some(size)) if own > size => bail!(
                    "--sym-file: {name} has {own} bytes already, more than {size}; allow more, or leave `:{size}` out"
                ),
                (Some(_), _) => {}
            }
            symbols.insert(format!("files/{name}"), size);
        }
        input.symbols = Some(symbols);
        Ok(())
    }

    /// Which kinds of input are symbols.
    pub fn symbols(&self) -> Symbols {
        Symbols { faults: self.io_faults, longest: self.longest(), ..Symbols::default() }
    }

    /// How long a symbolic input may be.
    pub fn longest(&self) -> u64 {
        self.max_len.unwrap_or(MAX_LEN)
    }

    /// The same for a search, whose inputs grow by themselves.
    pub fn symbols_of_search(&self) -> Symbols {
        Symbols { longest: self.max_len.unwrap_or(MAX_LEN_OF_SEARCH), ..self.symbols() }
    }
}

/// A file that is symbols, and how many bytes it can have if that is said. (A name may have colons.)
fn sym_file(text: &str) -> Result<(&str, Option<u64>)> {
    let Some((name, size)) = text.rsplit_once(':') else { return Ok((text, None)) };
    match size.parse() {
        Ok(size) if !name.is_empty() => Ok((name, Some(size))),
        _ => bail!("--sym-file: `{size}` is not a number of bytes; write it as `{name}:16`"),
    }
}

/// Adds arguments of so many zeros: those with a number in its place, the others at the end. Returns the numbers of all.
fn add_arguments(wanted: &[String], args: &mut Vec<Data>, longest: u64) -> Result<Vec<usize>> {
    let mut placed = BTreeMap::new();
    let mut last = Vec::new();
    for text in wanted {
        let no_size = || {
            format!(
                "--sym-arg: `{text}` is not a number of bytes; write it as `8`, or `1:8` for the first argument"
            )
        };
        let data = |size: &str| zeros(size.parse().ok().with_context(no_size)?, "--sym-arg", longest);
        match text.split_once(':') {
            None => last.push(data(text)?),
            Some((number, size)) => {
                let number =
                    number.parse().ok().filter(|&number: &usize| number > 0).with_context(no_size)?;
                if placed.insert(number, data(size)?).is_some() {
                    bail!(
                        "--sym-arg: there are two arguments with number {number}; give one of them another"
                    );
                }
            }
        }
    }
    let mut numbers = Vec::new();
    for (number, data) in placed {
        if number > args.len() + 1 {
            bail!(
                "--sym-arg: an argument with number {number} needs {} before it; there are {}",
                number - 1,
                args.len()
            );
        }
        args.insert(number - 1, data);
        numbers.push(number);
    }
    for data in last {
        args.push(data);
        numbers.push(args.len());
    }
    Ok(numbers)
}

/// No name may be given twice: one of the two would have no effect.
fn only_once<'t>(flag: &str, names: impl Iterator<Item = Result<&'t str>>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for name in names {
        let name = name?;
        if !seen.insert(name) {
            bail!("{flag}: `{name}` is given twice; leave one of them out");
        }
    }
    Ok(())
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
    Ok(Request { name: String::new(), value: Answer::Written(text.into()) })
}
