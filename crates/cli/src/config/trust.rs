//! What a file of options may say that nobody has to trust.
//!
//! `coax.toml` is read because it is in the current directory, so it may be somebody else's: it came with a checkout. What could run code on this
//! machine, or reach files outside of the current directory, counts only if the user says so: on the command line, or for the whole file with
//! `--trust-config`. What is harmless is listed here; an option that is not listed needs trust.

use crate::args::note;
use clap::Arg;
use coax_load::harmless_flags;
#[cfg(test)]
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The flag by which the user trusts the file; it makes no sense in the file itself.
pub const FLAG: &str = "trust-config";

/// What is harmless about an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harmless {
    /// Whatever it says.
    Always,
    /// A path in the current directory; `-` is coax's own standard input.
    Path,
    /// `NAME=PATH` with such a path.
    NamedPath,
    /// `NAME=ANSWER`, with such a path if the answer is a module.
    Stub,
    /// Flags of the compiler that are known to be harmless.
    Compiler,
    /// Formats that nothing has to be compiled and run for, by commas.
    Formats,
    /// What of the machine tells nothing about anybody.
    Sights,
    /// Never: it runs programs, or says so of others.
    Never,
}

use Harmless::{Always, Compiler, Formats, NamedPath, Never, Sights, Stub};

/// The options, whatever command they are of.
const OPTIONS: &[(&str, Harmless)] = &[
    ("O", Always),
    ("all", Always),
    ("allocator", Always),
    ("allow", Sights),
    ("baseline", Harmless::Path),
    ("cflags", Compiler),
    ("compare", Always),
    ("coverage", Always),
    ("dead", Always),
    ("emit", Formats),
    ("entry", Always),
    ("env", Always),
    ("fault", Always),
    ("file", NamedPath),
    ("format", Always),
    ("fuel", Always),
    ("function", Always),
    ("imprecision", Always),
    ("io-faults", Always),
    ("json", Always),
    ("leaks", Always),
    ("max-len", Always),
    ("max-memory", Always),
    ("max-runs", Always),
    ("max-stack", Always),
    ("no-auto-unknown", Always),
    ("no-cache", Always),
    ("no-child", Always),
    ("no-direct-calls", Always),
    ("no-memory-checks", Always),
    ("no-mutate", Always),
    ("out", Harmless::Path),
    ("param", Always),
    ("save", Never),
    ("scope", Always),
    ("seed", Always),
    ("seeds", Harmless::Path),
    ("solver", Never),
    ("statistics", Always),
    ("stdin", Harmless::Path),
    ("strategy", Always),
    ("stub", Stub),
    ("stub-missing", Always),
    ("sym-arg", Always),
    ("sym-file", Always),
    ("sym-stdin", Always),
    ("sync-dir", Harmless::Path),
    ("target", Always),
    ("test", Harmless::Path),
    ("time", Always),
    ("total-time", Always),
    ("trace", Always),
    ("ubsan", Always),
    ("uncovered", Harmless::Path),
    ("unknown", Always),
    ("value", Always),
    ("workers", Always),
];

/// Formats whose tests are compiled and run on this machine, outside the sandbox.
const FORMATS_THAT_RUN: &[&str] = &["c", "rust"];

/// What of the machine a program may see.
const HARMLESS_SIGHTS: &[&str] = &["clock", "random"];

/// The arguments of an option that are harmless; the user is told of the others.
pub fn only_harmless(arg: &Arg, arguments: Vec<OsString>, place: &str) -> Vec<OsString> {
    let name = super::flag_of(arg);
    let mut ignored = Vec::new();
    let mut harmless = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy().into_owned();
        let value = value_of(arg, &text);
        match kept(&name, value, &mut ignored) {
            Some(kept) if kept == value => harmless.push(argument),
            Some(kept) => harmless.push(format!("{}{kept}", &text[..text.len() - value.len()]).into()),
            None => {}
        }
    }
    if !ignored.is_empty() {
        note(format_args!(
            "{place}: `{name}`: ignored is `{}`, for it could run code or reach what is not in this directory; \
             write it on the command line, or trust the file with `--{FLAG}`",
            ignored.join("`, `")
        ));
    }
    harmless
}

/// The value in an argument as `value::arguments` writes it: `--out=DIR`, `-O1`.
fn value_of<'t>(arg: &Arg, text: &'t str) -> &'t str {
    match arg.get_long() {
        Some(_) => text.split_once('=').map_or("", |(_, value)| value),
        None => text.get(2..).unwrap_or_default(),
    }
}

/// What of a value is harmless, if anything is; the rest is added to what is ignored.
fn kept(name: &str, value: &str, ignored: &mut Vec<String>) -> Option<String> {
    let harmless =
        OPTIONS.iter().find(|(option, _)| *option == name).map_or(Never, |(_, harmless)| *harmless);
    let is_harmless = match harmless {
        Always => true,
        Never => false,
        Harmless::Path => value == "-" || is_inside(Path::new(value)),
        NamedPath => value.split_once('=').is_none_or(|(_, path)| is_inside(Path::new(path))),
        Stub => value.split_once('=').is_none_or(|(_, answer)| is_number_or_inside(answer)),
        Sights => HARMLESS_SIGHTS.contains(&value),
        Formats => return parts(value.split(','), |format| !FORMATS_THAT_RUN.contains(&format), ignored),
        Compiler => return compiler_flags(value, ignored),
    };
    if !is_harmless {
        ignored.push(value.to_owned());
    }
    is_harmless.then(|| value.to_owned())
}

fn parts<'t>(
    all: impl Iterator<Item = &'t str>,
    is_harmless: impl Fn(&str) -> bool,
    ignored: &mut Vec<String>,
) -> Option<String> {
    let (kept, others): (Vec<&str>, Vec<&str>) = all.partition(|part| is_harmless(part));
    ignored.extend(others.into_iter().map(str::to_owned));
    (!kept.is_empty()).then(|| kept.join(","))
}

fn compiler_flags(value: &str, ignored: &mut Vec<String>) -> Option<String> {
    // An open quote is told of where flags are read.
    let Some(flags) = shlex::split(value) else { return Some(value.to_owned()) };
    let told = harmless_flags(&flags, &is_inside);
    if told.others.is_empty() {
        return Some(value.to_owned());
    }
    ignored.extend(told.others);
    shlex::try_join(told.harmless.iter().map(String::as_str)).ok().filter(|flags| !flags.is_empty())
}

/// An answer is a number, a word, or a file of a module.
fn is_number_or_inside(answer: &str) -> bool {
    let is_word = answer.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.:,_".contains(&byte));
    let is_path = answer.contains(['/', '\\']) || answer.contains(".wa");
    is_word && !is_path || is_inside(Path::new(answer))
}

/// Whether a path leads to something in the current directory, links and all; of what is not there yet, the place that it would be in.
pub fn is_inside(path: &Path) -> bool {
    let Ok(here) = std::env::current_dir().and_then(|here| here.canonicalize()) else { return false };
    let whole: PathBuf = here.join(path);
    let there = whole.ancestors().find_map(|part| Some((part, part.canonicalize().ok()?)));
    let Some((part, found)) = there else { return false };
    let rest = whole.strip_prefix(part).unwrap_or(Path::new(""));
    // A link to nowhere is no file that is not there yet.
    let first = rest.components().next().map(|first| part.join(first));
    let is_link = first.is_some_and(|first| first.is_symlink());
    found.starts_with(&here) && !is_link && rest.components().all(|it| matches!(it, Component::Normal(_)))
}

/// The options that are listed.
#[cfg(test)]
pub fn listed() -> BTreeSet<&'static str> {
    OPTIONS.iter().map(|(name, _)| *name).collect()
}
