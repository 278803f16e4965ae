//! What symbols are called, and that no two parts of an input are called alike.

use crate::Input;
use crate::world::{FAULT_SOURCE, STDIN_SOURCE, argument_source, file_source, length_name};
use std::collections::BTreeSet;

/// The name of a parameter of the entry function.
pub(crate) fn param_name(index: usize) -> String {
    format!("param{index}")
}

/// The name of a byte of a source.
pub(crate) fn byte_name(source: &str, index: u64) -> String {
    format!("{source}[{index}]")
}

/// The names that are in use. A name stands for one symbol or for a row of them, so `a` and `a[3]` exclude each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolNames(BTreeSet<String>);

impl SymbolNames {
    /// The names of what a program of this input finds around it.
    pub(crate) fn of_surroundings(input: &Input) -> Self {
        let arguments = (1..=input.args.len()).map(argument_source);
        let files = input.files.keys().map(|path| file_source(path));
        let streams = [STDIN_SOURCE, FAULT_SOURCE].map(str::to_owned);
        let sources = arguments.chain(files).chain(streams);
        SymbolNames(sources.flat_map(|source| [length_name(&source), source]).collect())
    }

    /// The name, or one like it that is free: nobody who calls a parameter `stdin` thinks of standard input.
    pub(crate) fn free(&self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}#{number}"));
        std::iter::once(name.to_owned())
            .chain(numbered)
            .find(|name| self.is_free(name))
            .unwrap_or_else(|| name.to_owned())
    }

    /// Takes a name, if it is free.
    pub(crate) fn claim(&mut self, name: &str) -> bool {
        let is_free = self.is_free(name);
        if is_free {
            self.0.insert(name.to_owned());
        }
        is_free
    }

    fn is_free(&self, name: &str) -> bool {
        // `\` follows `[`: these are the names that begin with the name and `[`.
        let mut members = self.0.range(format!("{name}[")..format!("{name}\\"));
        let in_row = row_of(name).is_some_and(|row| self.0.contains(row));
        !self.0.contains(name) && !in_row && !members.any(|member| row_of(member) == Some(name))
    }
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
}
