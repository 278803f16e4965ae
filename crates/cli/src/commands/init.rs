//! `coax init`: writes the harness that does what coax does by itself for a function, so that a person can change it.

mod c;
mod rust;
mod rust_values;

use crate::args::{ProgramArgs, note};
use anyhow::{Context, Result, bail};
use clap::Args;
use coax_execute::{Entry, Shapes};
use coax_program::Program;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write the harness that coax would use for a function, to be edited
#[derive(Args)]
#[command(after_long_help = HEADER_HELP)]
pub struct InitArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// The file to write [default: harness_FUNCTION.c or .rs here]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const HEADER_HELP: &str = r#"What a harness in C or C++ can ask for, after `#include <coax.h>` (which coax brings along; names are strings):

  coax_bytes(place, count, name)                     bytes
  coax_i8(name) … coax_i64, coax_u8 … coax_u64       a number; also coax_f32, coax_f64, coax_bool, coax_size
  coax_range(begin, end, name)                       a number from the first up to, not including, the second
  coax_assume(condition)                             only runs in which it holds count
  coax_assert(condition)                             fails the run; also coax_assert(condition, "what is wrong otherwise")
  coax_cover(label)                                  a place that tests should reach
  coax_unknown((void (*)(void))function)             a function that is not to be looked into

In Rust, the crate `coax`: #[coax::test], coax::any::<T>(), any_named(name), any_vec(most), any_string(most), assume, cover."#;

/// What a harness is about.
struct Subject<'a> {
    program: &'a Program,
    entry: &'a Entry,
    shapes: &'a Shapes,
    /// What the harness is called: `harness_parse`.
    name: &'a str,
    /// What the user calls the program.
    given: &'a str,
    /// The files or directory that the user named.
    paths: &'a [PathBuf],
}

impl InitArgs {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        if self.program.entry.is_none() {
            bail!("a harness is for one function; name it with `--entry`");
        }
        let target = self.program.load()?;
        let program = &target.program;
        let entry = Entry::find(program, target.entry.as_deref())?;
        if entry.export == "_start" {
            bail!("a whole program needs no harness; `coax cover` takes its input as it is");
        }
        let shapes = Shapes::of(program, &entry, Shapes::DEPTH);
        let name = format!("harness_{}", identifier(short_name(&program.functions[entry.func].name)));
        let given = self.program.name();
        let subject = Subject {
            program,
            entry: &entry,
            shapes: &shapes,
            name: &name,
            given: &given,
            paths: self.program.paths(),
        };
        let is_rust = is_rust(&subject);
        // A harness in Rust makes values by their types, not by their shapes in memory.
        if !is_rust {
            shapes.notes.iter().chain(&shapes.refusal).for_each(note);
        }
        let extension = if is_rust { "rs" } else { "c" };
        let out = self.out.unwrap_or_else(|| PathBuf::from(format!("{name}.{extension}")));
        let text = if is_rust { rust::harness(&subject, &out)? } else { c::harness(&subject, &out)? };
        write_new(&out, &text)?;
        println!("wrote {}", out.display());
        target.note_damage();
        Ok(ExitCode::SUCCESS)
    }
}

fn is_rust(subject: &Subject<'_>) -> bool {
    let function = &subject.program.functions[subject.entry.func];
    let unit = function.defined().and_then(|defined| defined.unit);
    unit.is_some_and(|unit| subject.program.debug.units[unit].language == "Rust")
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, text: &str) -> Result<()> {
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{} is there already; move it away, or name another file with `--out`", path.display())
        }
        opened => opened.with_context(|| format!("cannot write {}", path.display()))?,
    };
    file.write_all(text.as_bytes()).with_context(|| {
        // Half a harness would be in the way of a whole one.
        let _ = std::fs::remove_file(path);
        format!("cannot write {}", path.display())
    })
}

/// A function's name without namespaces and parameters.
fn short_name(name: &str) -> &str {
    let name = name.split('(').find(|part| !part.is_empty()).unwrap_or_default();
    name.rsplit("::").next().unwrap_or(name)
}

/// A name that C and Rust take: other characters become underscores.
fn identifier(name: &str) -> String {
    let mut identifier = String::new();
    for character in name.chars() {
        match character {
            character if character.is_ascii_alphanumeric() => identifier.push(character),
            _ if identifier.ends_with('_') => {}
            _ => identifier.push('_'),
        }
    }
    let identifier = identifier.trim_end_matches('_');
    if identifier.is_empty() || identifier.starts_with(|first: char| first.is_ascii_digit()) {
        return format!("value_{identifier}");
    }
    identifier.to_owned()
}
