//! What a program is given, as the command line says it.

use crate::args::Target;
use anyhow::{Context, Result, bail};
use clap::Args;
use coax_execute::{Data, Entry, Input, Value};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The input of one run.
#[derive(Args)]
pub struct InputArgs {
    /// A parameter of the entry function: `-5`, `0xff`, `1.5`, `inf`, `nan:0x7fc00001`; once for each
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    param: Vec<String>,
    /// The program's standard input: a file, or `-` for coax's own
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// The program's arguments
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
}

impl InputArgs {
    /// The ids of these arguments, for others that exclude them.
    pub const IDS: [&str; 3] = ["param", "stdin", "args"];

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.param.is_empty() && self.stdin.is_none() && self.args.is_empty()
    }

    /// The input for a run that begins with this function.
    pub fn input(&self, target: &Target, entry: Option<&str>) -> Result<Input> {
        Ok(Input {
            entry: entry.map(str::to_owned),
            params: self.params(target, entry)?,
            args: self.args.iter().map(|arg| arg.as_str().into()).collect(),
            stdin: self.read_stdin()?,
            ..Input::default()
        })
    }

    fn params(&self, target: &Target, entry: Option<&str>) -> Result<Vec<Value>> {
        let entry = Entry::find(&target.program, entry)?;
        let types = &target.program.signature(entry.func).params;
        if self.param.len() != types.len() {
            let types: Vec<String> = types.iter().map(ToString::to_string).collect();
            let takes = match &types[..] {
                [] => "no parameters".to_string(),
                [only] => format!("1 parameter ({only})"),
                several => format!("{} parameters ({})", several.len(), several.join(", ")),
            };
            let advice =
                if types.is_empty() { "leave `--param` out" } else { "write `--param VALUE` once for each" };
            bail!("`{}` takes {takes}, not {}; {advice}", entry.export, self.param.len());
        }
        let parse = |(text, &ty): (&String, _)| {
            Value::parse(text, ty).with_context(|| format!("--param: {}", Value::why_not(text, ty)))
        };
        self.param.iter().zip(types).map(parse).collect()
    }

    fn read_stdin(&self) -> Result<Data> {
        let Some(path) = &self.stdin else { return Ok(Data::default()) };
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
            return Ok(Data(bytes));
        }
        std::fs::read(path).map(Data).with_context(|| format!("cannot read {}", path.display()))
    }
}
