//! A value of the file as arguments of the command line.

use super::place::Source;
use anyhow::{Result, anyhow};
use clap::{Arg, ArgAction, Command};
use std::ffi::OsString;
use toml::Spanned;
use toml::de::DeValue;

/// The arguments that a value becomes; each is tried on its own, so that what is wrong is said with its place.
pub fn arguments(
    command: &Command,
    arg: &Arg,
    value: &Spanned<DeValue<'_>>,
    source: &Source<'_>,
) -> Result<Vec<OsString>> {
    let wrong = |value: &Spanned<DeValue<'_>>, wanted: &str| {
        let (place, name) = (source.place(value.span().start), super::flag_of(arg));
        anyhow!("{place}: `{name}` is {}; write {wanted}", with_article(value.get_ref().type_str()))
    };
    let takes_value = arg.get_action().takes_values();
    let may_be_alone = !takes_value || arg.get_num_args().is_some_and(|range| range.min_values() == 0);
    match value.get_ref() {
        DeValue::Boolean(is_on) if may_be_alone => {
            return Ok(is_on.then(|| flag(arg)).into_iter().collect());
        }
        _ if !takes_value => return Err(wrong(value, "`true` or `false`")),
        _ => {}
    }
    let is_list = matches!(arg.get_action(), ArgAction::Append);
    let values = match value.get_ref() {
        DeValue::Array(values) if is_list => values.iter().collect(),
        _ => vec![value],
    };
    let mut arguments = Vec::new();
    for value in values {
        let wanted = if is_list { "a string or a list of strings" } else { "a number or a string" };
        let mut argument = flag(arg);
        if arg.get_long().is_some() {
            argument.push("=");
        }
        argument.push(scalar(value.get_ref()).ok_or_else(|| wrong(value, wanted))?);
        try_alone(command, &argument)
            .map_err(|said| anyhow!("{}: {said}", source.place(value.span().start)))?;
        arguments.push(argument);
    }
    Ok(arguments)
}

fn flag(arg: &Arg) -> OsString {
    let hyphens = if arg.get_long().is_some() { "--" } else { "-" };
    format!("{hyphens}{}", super::flag_of(arg)).into()
}

fn with_article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// A value as it would be written on the command line.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Some(number.to_string()),
            Err(_) => Some(number.as_str().to_owned()),
        },
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// What clap says of an argument, if it does not like it.
fn try_alone(command: &Command, argument: &OsString) -> Result<(), String> {
    let alone = command.clone().mut_args(|arg| arg.required(false));
    let Err(error) = alone.try_get_matches_from([OsString::from("coax"), argument.clone()]) else {
        return Ok(());
    };
    let said = error.to_string();
    let sentence = said.lines().take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>();
    Err(sentence.join(" ").trim_start_matches("error: ").to_owned())
}
