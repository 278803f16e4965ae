//! Names of tests: they tell what the test is there for, and stay the same as long as its input does.

use crate::Description;
use coax_execute::{Input, Test};
use coax_program::{Func, Program};
use coax_search::{Kept, Place};

/// How much of the input's hash is in a name.
const DIGITS: usize = 6;

/// The name of a test.
pub fn test_name(program: &Program, test: &Kept) -> String {
    format!("{}-{}", plain(&what(program, test)), digits(&test.input))
}

/// Whether a test with this input was given such a name.
pub fn is_name_of(name: &str, test: &Test) -> bool {
    name.rsplit_once('-').is_some_and(|(_, end)| end == digits(&test.input))
}

fn digits(input: &Input) -> String {
    let json = Test::new(input.clone(), None).to_json();
    blake3::hash(json.as_bytes()).to_hex()[..DIGITS].to_owned()
}

fn what(program: &Program, test: &Kept) -> String {
    let verdict = test.outcome.verdict();
    if verdict.is_failure() {
        let kind = Description::of(program, &test.outcome, &test.stderr).name;
        return match test.blamed.and_then(|offset| line_of_function(program, offset)) {
            Some(line) => format!("fails {kind} line {line}"),
            None => format!("fails {kind}"),
        };
    }
    let Some(&(site, direction)) = test.news.first() else {
        let name = |func: Func| program.functions[func].name.clone();
        let behind = |place: &Place| match line_of_function(program, place.at) {
            Some(line) => format!("{} behind line {line}", name(place.func)),
            None => format!("{} behind {:#x}", name(place.func), place.at),
        };
        let entered = test.enters.first().map(|&func| name(func));
        return entered.or_else(|| test.passes.first().map(behind)).unwrap_or_else(|| "first".into());
    };
    let function = &program.functions[program.sites[site].func].name;
    let way = program.direction_name(site, direction).unwrap_or_default();
    match line_of_function(program, program.sites[site].offset) {
        Some(line) => format!("{function} line {line} {way}"),
        None => format!("{function} site {} {way}", site.0),
    }
}

/// The innermost line of an operator in the file of its function: code of others may be inlined there.
fn line_of_function(program: &Program, offset: u32) -> Option<u32> {
    let frames = program.frames(offset);
    let file = &frames.last()?.file;
    frames.iter().find(|frame| frame.file == *file)?.line
}

/// A name that every file system takes.
fn plain(text: &str) -> String {
    let mut name = String::new();
    for part in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|part| !part.is_empty()) {
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(part);
    }
    name.truncate(80);
    name
}
