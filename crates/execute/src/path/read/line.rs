//! A line of a written path: some words, then terms.

use super::super::form::{NO, YES};
use coax_term::ParseError;
use std::str::FromStr;

/// A line, and how much of it was read.
pub(super) struct Line<'l> {
    text: &'l str,
    rest: &'l str,
}

impl<'l> Line<'l> {
    pub(super) fn new(text: &'l str) -> Self {
        Line { text, rest: text }
    }

    /// The next word, empty if there is none.
    pub(super) fn word(&mut self) -> &'l str {
        let rest = self.rest.trim_start();
        let (word, rest) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        self.rest = rest;
        word
    }

    /// The next word, which must be a number.
    pub(super) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, String> {
        let word = self.word();
        word.parse().map_err(|_| format!("`{word}` is not {what}. Write a number."))
    }

    /// The next word, which must be yes or no.
    pub(super) fn truth(&mut self, what: &str) -> Result<bool, String> {
        match self.word() {
            YES => Ok(true),
            NO => Ok(false),
            _ => Err(format!("It is not said {what}. Write `{YES}` or `{NO}`.")),
        }
    }

    /// The next word, which must be an offset in the module.
    pub(super) fn place(&mut self) -> Result<u32, String> {
        let word = self.word();
        let offset = word.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
        offset.ok_or_else(|| format!("`{word}` is not the place of an operator. Write e.g. `0x40`."))
    }

    /// What the rest of the line says, as a parser of terms reads it; it knows nothing of what is before.
    pub(super) fn terms<T>(self, parse: impl FnOnce(&str) -> Result<T, ParseError>) -> Result<T, String> {
        let before = self.text[..self.text.len() - self.rest.len()].chars().count();
        parse(self.rest).map_err(|error| format!("column {}: {}", before + error.column, error.message))
    }
}
