//! `coax dump`: look at what coax knows of a program.

mod path;

use crate::args::{ProgramArgs, Target, note};
use crate::input::{InputArgs, stored_test};
use crate::limits::LimitArgs;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use coax_execute::Test;
use coax_program::calls::CallGraph;
use coax_program::cfg::{Cfg, Dominators, Loops};
use coax_program::hash::Hasher;
use coax_program::ir::Body;
use coax_program::text::location;
use coax_program::{Func, Program, dot};
use path::SymbolicPath;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// Show what coax knows of a program: its code in SSA, control flow, calls, or what one run decides
#[derive(Args)]
pub struct DumpArgs {
    /// What to show
    what: What,
    #[command(flatten)]
    program: ProgramArgs,
    /// Only this function (by name); may be repeated
    #[arg(long, value_name = "NAME")]
    function: Vec<String>,
    /// Every function of the module, the C library included, instead of the user's code only
    #[arg(long)]
    all: bool,
    /// As text, as a Graphviz graph, drawn by Graphviz, or (`path` only) as data: in place of a program, `dump path` and
    /// `dump smt` also take a file with that
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Print one JSON object (`path` only)
    #[arg(long)]
    json: bool,
    /// The input of a stored test (`path` and `smt` only)
    #[arg(long, value_name = "TEST", conflicts_with_all = InputArgs::ids())]
    test: Option<PathBuf>,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum What {
    /// The functions: where each comes from, how large it is, its content hash
    Functions,
    /// The functions in SSA form, each site with its source line
    Ir,
    /// The blocks of each function, their dominators and loops
    Cfg,
    /// Which function calls which, and where
    Calls,
    /// What one run decides because of its parameters and standard input, and the condition of each decision
    Path,
    /// The conditions of such a run as an SMT-LIB script, whose models are the inputs that go the same way
    Smt,
    /// The input of such a run, as a test to be edited and given to `coax replay --test`
    Test,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Text,
    Dot,
    Svg,
    Data,
}

impl DumpArgs {
    /// Runs the command.
    pub fn run(mut self) -> Result<ExitCode> {
        if let What::Path | What::Smt = self.what {
            return self.run_path();
        }
        if let What::Test = self.what {
            return self.run_test();
        }
        if self.json || self.test.is_some() || !self.input.is_empty() {
            bail!("only `path`, `smt` and `test` have an input; leave `--json` and the program's input out");
        }
        let target = self.program.load()?;
        let functions = self.functions(&target)?;
        let mut out = io::stdout().lock();
        match self.format {
            Format::Text => self.text(&mut out, &target.program, &functions)?,
            Format::Dot => out.write_all(self.dot(&target.program, &functions)?.as_bytes())?,
            Format::Svg => out.write_all(&draw(&self.dot(&target.program, &functions)?)?)?,
            Format::Data => bail!("only `path` can be written as data; leave `--format` out"),
        }
        if matches!(self.what, What::Functions) && !target.has_relocations {
            note(
                "the hashes change whenever addresses do: the module has no relocations; link with `--emit-relocs`",
            );
        }
        target.note_damage();
        Ok(ExitCode::SUCCESS)
    }

    fn run_test(&self) -> Result<ExitCode> {
        if self.test.is_some() {
            bail!("what was stored is a test already; leave `--test` out");
        }
        if self.format != Format::Text || self.json || self.all || !self.function.is_empty() {
            bail!(
                "a test has one form and no functions to choose; leave out all but `--entry` and the input"
            );
        }
        let target = self.program.load()?;
        let input = self.input.only_input(&target, target.entry.as_deref())?;
        write!(io::stdout().lock(), "{}", Test::new(input, None).to_json())?;
        target.note_damage();
        Ok(ExitCode::SUCCESS)
    }

    fn run_path(&mut self) -> Result<ExitCode> {
        if matches!(self.format, Format::Dot | Format::Svg) || self.all || !self.function.is_empty() {
            bail!(
                "a run has no functions to choose and no graph; leave `--function` and `--all` out, or `--format dot|svg`"
            );
        }
        if let Some(text) = self.program.written_path()? {
            if !self.input.is_empty() || self.test.is_some() || self.program.entry.is_some() {
                bail!(
                    "the path was recorded already; leave `--entry` and the program's input out, or name the \
                     program"
                );
            }
            let path = SymbolicPath::read(&text).with_context(|| self.program.name())?;
            return self.print_path(&path, None);
        }
        let stored = self.test.as_ref().map(|file| stored_test(file, &self.program)).transpose()?;
        if let (None, Some(Test { input, .. })) = (&self.program.entry, &stored) {
            self.program.entry.clone_from(&input.entry);
        }
        let target = self.program.load()?;
        let test = match stored {
            Some(test) => test,
            None => Test::new(self.input.only_input(&target, target.entry.as_deref())?, None),
        };
        let limits = self.limits.of_test(&self.limits.limits()?, &test);
        let input = test.input;
        let path = SymbolicPath::of(&target, &input, self.input.symbols(), &limits, &self.program)?;
        let code = self.print_path(&path, Some(&target.program))?;
        target.note_damage();
        Ok(code)
    }

    fn print_path(&self, path: &SymbolicPath, program: Option<&Program>) -> Result<ExitCode> {
        let mut out = io::stdout().lock();
        match (self.what, self.json, self.format) {
            (What::Smt, true, _) => bail!("an SMT-LIB script is no JSON; leave `--json` out"),
            (What::Smt, _, Format::Data) => bail!("an SMT-LIB script has one form; leave `--format` out"),
            (_, true, Format::Data) => bail!("data is no JSON; leave out `--json` or `--format`"),
            (What::Smt, ..) => path.print_smt(&mut out)?,
            (_, true, _) => path.print_json(&mut out, &self.program.name(), program)?,
            (_, _, Format::Data) => path.print_data(&mut out)?,
            _ => path.print(&mut out, program)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn functions(&self, target: &Target) -> Result<Vec<Func>> {
        if self.function.is_empty() {
            let program = &target.program;
            return Ok(program.functions.ids().filter(|&func| self.all || target.in_scope(func)).collect());
        }
        let found: Result<Vec<Vec<Func>>> = self.function.iter().map(|name| target.functions(name)).collect();
        Ok(found?.concat())
    }

    fn text(&self, out: &mut impl Write, program: &Program, functions: &[Func]) -> Result<()> {
        let calls = program.calls();
        let hasher = Hasher::new(program);
        for &func in functions {
            match self.what {
                What::Functions => function_line(out, program, &hasher, func)?,
                What::Ir => write!(out, "{}", program.function_text(func))?,
                What::Cfg => {
                    if let Some(defined) = program.functions[func].defined() {
                        cfg_text(out, program, func, &defined.body)?;
                    }
                }
                What::Calls => calls_text(out, program, calls, func)?,
                What::Path | What::Smt | What::Test => {}
            }
        }
        Ok(())
    }

    fn dot(&self, program: &Program, functions: &[Func]) -> Result<String> {
        match self.what {
            What::Functions | What::Ir | What::Path | What::Smt | What::Test => {
                bail!("only `cfg` and `calls` can be drawn; leave `--format` out for the text form")
            }
            What::Calls => Ok(dot::calls(program, program.calls(), functions)),
            What::Cfg => Ok(dot::cfg(program, functions)),
        }
    }
}

fn function_line(out: &mut impl Write, program: &Program, hasher: &Hasher<'_>, func: Func) -> Result<()> {
    write!(out, "{}", program.label(func))?;
    if let Some(defined) = program.functions[func].defined() {
        let sites = defined.sites.end.0 - defined.sites.start.0;
        write!(out, "  {} blocks, {sites} sites", defined.body.blocks.len())?;
        if let Some(hash) = hasher.hash(func) {
            write!(out, ", hash {hash}")?;
        }
        if let Some(place) = program.declared_at(func) {
            write!(out, "  ; {place}")?;
        }
    } else {
        write!(out, "  import")?;
    }
    Ok(writeln!(out)?)
}

fn cfg_text(out: &mut impl Write, program: &Program, func: Func, body: &Body) -> Result<()> {
    let cfg = Cfg::of(body);
    let dominators = Dominators::of(&cfg);
    let loops = Loops::of(&cfg, &dominators);
    writeln!(out, "{}", program.label(func))?;
    for (block, data) in body.blocks.iter() {
        write!(out, "  {block}")?;
        if let Some(dominator) = dominators.immediate(block) {
            write!(out, " under {dominator}")?;
        }
        if let Some(around) = loops.innermost(block) {
            write!(out, " in loop {}", around.header)?;
        }
        match cfg.successors(block) {
            [] => write!(out, " -> leaves")?,
            successors => {
                let names: Vec<String> = successors.iter().map(ToString::to_string).collect();
                write!(out, " -> {}", names.join(", "))?;
            }
        }
        if let Some(site) = program.end_site(data) {
            write!(out, "  ; {site} {}", location(&program.frames(data.end_offset)))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn calls_text(out: &mut impl Write, program: &Program, calls: &CallGraph, func: Func) -> Result<()> {
    writeln!(out, "{}", program.label(func))?;
    for call in &calls.calls[func] {
        let verb = match (call.indirect, call.tail) {
            (false, false) => "calls",
            (true, false) => "calls indirectly",
            (false, true) => "ends in a call of",
            (true, true) => "ends in an indirect call of",
        };
        let mut names: Vec<String> =
            call.callees.iter().map(|&callee| program.label(callee).to_string()).collect();
        if call.open {
            names.push("what the outside puts into the table".into());
        }
        if names.is_empty() {
            names.push("nothing: no function of that type is in the table".into());
        }
        let place = program.sites[call.site].offset;
        writeln!(out, "  {verb} {}  ; {} {}", names.join(", "), call.site, location(&program.frames(place)))?;
    }
    Ok(())
}

/// Has Graphviz draw a graph.
fn draw(graph: &str) -> Result<Vec<u8>> {
    let mut dot =
        Command::new("dot").arg("-Tsvg").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context(
            "cannot start Graphviz's `dot`; install it (apt-get install graphviz) or use `--format dot`",
        )?;
    let mut input = dot.stdin.take().context("dot has no standard input")?;
    let graph = graph.to_string();
    let writer = std::thread::spawn(move || input.write_all(graph.as_bytes()));
    let output = dot.wait_with_output()?;
    let written = writer.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
    if !output.status.success() || written.is_err() {
        bail!("Graphviz could not draw the graph; use `--format dot` and look at it");
    }
    Ok(output.stdout)
}
