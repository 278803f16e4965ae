//! Options from a file, `coax.toml`: a table for each command, and above them what is for all commands that have such a flag.
//!
//! The file becomes arguments beside the user's own, and clap reads both: a flag is described once, where it is defined. What the user has
//! written wins: a flag on the command line replaces that of the file, and so does one that excludes it.

mod place;
pub mod trust;
mod value;

use crate::input::read_text;
use crate::names::edit_distance;
use anyhow::{Context, Result, anyhow};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use place::Source;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The file that is read if it is in the current directory.
const FILE: &str = "coax.toml";
/// The flag that names another one; it makes no sense in the file itself.
pub const FLAG: &str = "config";

/// The user's arguments, with those of the file.
pub fn with_file(command: &Command, arguments: Vec<OsString>, given: &ArgMatches) -> Result<Vec<OsString>> {
    let Some((name, given)) = given.subcommand() else { return Ok(arguments) };
    let named = given.try_get_one::<PathBuf>(FLAG).ok().flatten();
    let is_trusted = given.try_get_one::<bool>("trust_config").ok().flatten() == Some(&true);
    let path = named.map_or(Path::new(FILE), |path| path.as_path());
    if named.is_none() && !path.exists() {
        return Ok(arguments);
    }
    let text = read_text(path)
        .with_context(|| format!("cannot read the options in {}; name a file of TOML", path.display()))?;
    let source = Source { path, text: &text };
    let table = DeTable::parse(&text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let what = error.message().lines().collect::<Vec<_>>().join(", ");
        anyhow!("{}: this is not TOML: {what}; write `flag = value`", source.place(at))
    })?;
    let file = File { command, source };
    let options = file.options(table.get_ref(), name)?;
    let current = subcommand(command, name)?;
    let mut added = Vec::new();
    for (flag, value) in options {
        let arg = file.arg(current, &flag)?;
        if !is_overruled(current, arg, given) {
            let arguments = value::arguments(current, arg, value, &file.source)?;
            added.extend(match is_trusted {
                true => arguments,
                false => trust::only_harmless(arg, arguments, &file.source.place(flag.span().start)),
            });
        }
    }
    let mut all = arguments;
    // What follows is for the program under test.
    let end = all.iter().position(|argument| argument == "--").unwrap_or(all.len());
    all.splice(end..end, added);
    Ok(all)
}

/// A key, and where it is.
type Key<'t> = Spanned<Cow<'t, str>>;

struct File<'a> {
    command: &'a Command,
    source: Source<'a>,
}

impl File<'_> {
    /// The options for a command by their flags; every key of the file is looked at, whatever it is for.
    fn options<'t>(
        &self,
        table: &'t DeTable<'t>,
        name: &str,
    ) -> Result<BTreeMap<Key<'t>, &'t Spanned<DeValue<'t>>>> {
        let mut own = BTreeMap::new();
        let mut options: BTreeMap<Key<'t>, _> = BTreeMap::new();
        for (key, value) in table {
            match value.get_ref() {
                DeValue::Table(table) => {
                    let command = self.subcommand(key)?;
                    for (flag, value) in table {
                        self.arg(command, flag)?;
                        if command.get_name() == name {
                            own.insert(flag.clone(), value);
                        }
                    }
                }
                _ => {
                    self.of_any_command(key)?;
                    if find(subcommand(self.command, name)?, key.get_ref()).is_some() {
                        options.insert(key.clone(), value);
                    }
                }
            }
        }
        // What is said for one command wins.
        options.retain(|key, _| !own.keys().any(|flag: &Key<'_>| flag.get_ref() == key.get_ref()));
        options.extend(own);
        Ok(options)
    }

    fn subcommand(&self, key: &Key<'_>) -> Result<&Command> {
        let names = self.command.get_subcommands().map(|command| command.get_name().to_owned());
        subcommand(self.command, key.get_ref()).map_err(|_| {
            self.unknown(key, &format!("there is no command `{}`", key.get_ref()), names.collect())
        })
    }

    fn arg<'c>(&self, command: &'c Command, key: &Key<'_>) -> Result<&'c Arg> {
        find(command, key.get_ref()).ok_or_else(|| {
            let what = format!("`coax {}` has no option `{}`", command.get_name(), key.get_ref());
            self.unknown(key, &what, flags(command).map(flag_of).collect())
        })
    }

    /// Fails if no command has such a flag.
    fn of_any_command(&self, key: &Key<'_>) -> Result<()> {
        let all = || self.command.get_subcommands();
        if all().any(|command| find(command, key.get_ref()).is_some()) {
            return Ok(());
        }
        let what = format!("there is no option `{}`", key.get_ref());
        Err(self.unknown(key, &what, all().flat_map(flags).map(flag_of).collect()))
    }

    fn unknown(&self, key: &Key<'_>, what: &str, mut known: Vec<String>) -> anyhow::Error {
        let (place, name) = (self.source.place(key.span().start), key.get_ref());
        if [FLAG, trust::FLAG].contains(&&**name) {
            return anyhow!("{place}: `{name}` counts only on the command line; remove it here");
        }
        known.sort_by_key(|known| (edit_distance(known, name), known.len()));
        match known.first().filter(|known| 2 * edit_distance(known, name) <= name.len().max(2)) {
            Some(nearest) => anyhow!("{place}: {what}; did you mean `{nearest}`?"),
            None => anyhow!("{place}: {what}; `coax COMMAND --help` lists them"),
        }
    }
}

fn subcommand<'c>(command: &'c Command, name: &str) -> Result<&'c Command> {
    command.find_subcommand(name).ok_or_else(|| anyhow!("there is no command `{name}`"))
}

/// The flags that can be in the file.
fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_for_file =
        |arg: &&Arg| ![FLAG, "trust_config", "help", "version"].contains(&arg.get_id().as_str());
    command.get_arguments().filter(|arg| !arg.is_positional()).filter(is_for_file)
}

/// The flags of all commands.
#[cfg(test)]
pub fn flags_of_all(command: &Command) -> std::collections::BTreeSet<String> {
    command.get_subcommands().flat_map(flags).map(flag_of).collect()
}

fn find<'c>(command: &'c Command, flag: &str) -> Option<&'c Arg> {
    flags(command).find(|arg| flag_of(arg) == flag)
}

/// What a flag is called in the file: without its hyphens.
fn flag_of(arg: &Arg) -> String {
    let short = || arg.get_short().map(String::from).unwrap_or_default();
    arg.get_long().map_or_else(short, str::to_owned)
}

/// Whether the command line has this flag, or one that excludes it.
fn is_overruled(command: &Command, arg: &Arg, given: &ArgMatches) -> bool {
    let is_given = |arg: &Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|found| found.get_id() == other.get_id())
    };
    let mut others = command.get_arguments().filter(|other| is_given(other));
    is_given(arg) || others.any(|other| excludes(other, arg) || excludes(arg, other))
}
