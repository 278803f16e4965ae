//! What symbols are called, and that no two parts of an input are called alike.

use crate::Input;
use crate::world::{FAULT_SOURCE, STDIN_SOURCE, argument_source, file_source, length_name};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a parameter of the entry function.
pub(crate) fn param_name(index: usize) -> String {
    format!("param{index}")
}

/// The name of a byte of a source.
pub(crate) fn byte_name(source: &str, index: u64) -> String {
    format!("{source}[{index}]")
}

/// The names that are in use. A name stands for one symbol or for a row of them, so `a` and `a[3]` exclude each other.
///
/// Who asks for a value in each round of a loop has thousands of names that differ in their numbers: of these only the last number is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolNames {
    names: BTreeSet<String>,
    /// From where and how far names with a number at their end are in use: `a#2`, `a#3` and so on.
    numbered: BTreeMap<String, (u64, u64)>,
}

impl SymbolNames {
    /// The names of what a program of this input finds around it.
    pub(crate) fn of_surroundings(input: &Input) -> Self {
        let arguments = (1..=input.args.len()).map(argument_source);
        let files = input.files.keys().map(|path| file_source(path));
        let streams = [STDIN_SOURCE, FAULT_SOURCE].map(str::to_owned);
        let sources = arguments.chain(files).chain(streams);
        let names = sources.flat_map(|source| [length_name(&source), source]).collect();
        SymbolNames { names, numbered: BTreeMap::new() }
    }

    /// The name, or one like it that is free: nobody who calls a parameter `stdin` thinks of standard input.
    pub(crate) fn free(&self, name: &str) -> String {
        let numbered = (2..).map(|number| numbered(name, number));
        std::iter::once(name.to_owned())
            .chain(numbered)
            .find(|name| self.is_free(name))
            .unwrap_or_else(|| name.to_owned())
    }

    /// Takes a name, if it is free.
    pub(crate) fn claim(&mut self, name: &str) -> bool {
        let is_free = self.is_free(name);
        if is_free {
            self.names.insert(name.to_owned());
        }
        is_free
    }

    /// Takes the name with the next number that makes it free; the first is this one.
    pub(crate) fn claim_numbered(&mut self, name: &str, first: u64) -> String {
        let next = self.numbered.get(name).map_or(first, |(_, last)| last + 1);
        let mut numbers = (next..).map(|number| (number, numbered(name, number)));
        let free = numbers.find(|(_, numbered)| self.is_free(numbered));
        let (number, free) = free.unwrap_or_else(|| (next, name.to_owned()));
        match self.numbered.get_mut(name) {
            Some((_, last)) => *last = number,
            None => drop(self.numbered.insert(name.to_owned(), (first, number))),
        }
        free
    }

    fn is_free(&self, name: &str) -> bool {
        // `\` follows `[`: these are the names that begin with the name and `[`.
        let mut members = self.names.range(format!("{name}[")..format!("{name}\\"));
        let is_in_use = |name: &str| self.names.contains(name) || self.is_numbered(name);
        let in_row = row_of(name).is_some_and(is_in_use);
        !is_in_use(name) && !in_row && !members.any(|member| row_of(member) == Some(name))
    }

    /// Whether a name is one of those with a number.
    fn is_numbered(&self, name: &str) -> bool {
        let of_number = name.rsplit_once('#').and_then(|(before, number)| {
            let number: u64 = number.parse().ok().filter(|it: &u64| it.to_string() == number)?;
            Some((self.numbered.get(before)?, number))
        });
        of_number.is_some_and(|(&(first, last), number)| (first..=last).contains(&number))
    }
}

fn numbered(name: &str, number: u64) -> String {
    format!("{name}#{number}")
}

/// The row that a name is a member of, if it is one: `a` of `a[3]`.
fn row_of(name: &str) -> Option<&str> {
    let (row, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    index.bytes().all(|digit| digit.is_ascii_digit()).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_thing() {
        let mut names = SymbolNames::of_surroundings(&Input { args: vec!["x".into()], ..Input::default() });
        for taken in ["stdin", "stdin[4]", "stdin.length", "arg1", "arg1[0]", "io-fault[7]"] {
            assert!(!names.claim(taken), "{taken}");
        }
        assert_eq!(names.free("stdin"), "stdin#2");
        for free in ["arg2", "stdin2", "a", "a[0]#2", "b[1]", "b[2]", "c[0][1]", "c"] {
            assert!(names.claim(free), "{free}");
        }
        for taken in ["a", "a[0]", "b", "b[1]", "c[0]"] {
            assert!(!names.claim(taken), "{taken}");
        }
    }

    #[test]
    fn names_with_numbers_are_in_use_up_to_the_last() {
        let mut names = SymbolNames::default();
        assert!(names.claim("a#3") && names.claim("a#5[1]"));
        let numbered: Vec<String> = (0..3).map(|_| names.claim_numbered("a", 2)).collect();
        assert_eq!(numbered, ["a#2", "a#4", "a#6"]);
        for taken in ["a#2", "a#4", "a#6", "a#6[0]", "a#3", "a#5"] {
            assert!(!names.claim(taken), "{taken}");
        }
        assert!(names.claim("a#7") && names.claim("a#02") && names.claim("a#1"));
        assert_eq!(names.claim_numbered("a", 2), "a#8");
    }
}
