//! Inputs from elsewhere: directories of files. Those of a fuzzer that is running are in `sync.rs`.

use crate::args::note;
use anyhow::{Context, Result};
use coax_execute::{Content, Data, Input, Test};
use coax_load::{MOST_BYTES, read_plain};
use std::path::{Path, PathBuf};

/// How many files that are refused are told of one by one.
const SHOWN: usize = 3;

/// Why an input cannot be used, as a sentence; none if it can.
pub type Refuses<'a> = dyn Fn(&Input) -> Option<String> + Send + Sync + 'a;

/// The inputs in a directory: tests of coax's, and files with the bytes that an input like `base` is made of. Says how many there are, and
/// which cannot be used.
pub fn of_directory(directory: &Path, base: &Input, refuses: &Refuses<'_>) -> Result<Vec<Input>> {
    let failed = || format!("cannot read the seeds in {}; name a directory with files", directory.display());
    let (mut inputs, mut refused) = (Vec::new(), Vec::new());
    for file in files(directory).with_context(failed)? {
        match of_file(&file, base).map(|input| (refuses(&input), input)) {
            Ok((None, input)) => inputs.push(input),
            Ok((Some(why), _)) => refused.push((file, why)),
            Err(error) => refused.push((file, format!("{error:#}"))),
        }
    }
    let count = inputs.len();
    let read = if count == 1 { "input is" } else { "inputs are" };
    note(format_args!("{count} {read} read from {}, {} refused", directory.display(), refused.len()));
    for (file, why) in refused.iter().take(SHOWN) {
        note(format_args!("{} is refused: {why}", file.display()));
    }
    if let Some(more) = refused.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        note(format_args!("and {more} more are refused"));
    }
    Ok(inputs)
}

/// The inputs of tests, by name and content, as far as they can be used.
pub fn tests_in(tests: Vec<(String, Vec<u8>)>, base: &Input, refuses: &Refuses<'_>) -> Vec<Input> {
    let inputs = tests.iter().filter_map(|(name, content)| of_test(name, content, base));
    inputs.filter(|input| refuses(input).is_none()).collect()
}

/// The input in a file.
pub(super) fn of_file(file: &Path, base: &Input) -> Result<Input> {
    let bytes = read_plain(file, MOST_BYTES)?;
    let is_test = file.extension().is_some_and(|extension| extension == "json");
    let test = if is_test { of_test(&file.display().to_string(), &bytes, base) } else { None };
    Ok(test.unwrap_or_else(|| with_bytes(base, bytes)))
}

/// The input of a stored test, if it is one.
fn of_test(name: &str, content: &[u8], base: &Input) -> Option<Input> {
    let test = Test::from_json(name, std::str::from_utf8(content).ok()?).ok()?;
    Some(Input { entry: test.input.entry.or_else(|| base.entry.clone()), ..test.input })
}

/// The files of a directory, in order, with what only looks like one.
pub(super) fn files(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        files.extend(Some(entry?.path()).filter(|path| !path.is_dir()));
    }
    files.sort();
    Ok(files)
}

/// An input with other bytes: of its first parameter that is a buffer or a string, else of standard input.
fn with_bytes(base: &Input, bytes: Vec<u8>) -> Input {
    let mut input = base.clone();
    match bytes_of(&mut input) {
        Some(data) => data.0 = bytes,
        None => input.stdin = Data(bytes),
    }
    input.settle();
    input
}

/// The bytes that an input is made of, if they are a parameter.
pub(super) fn bytes_of(input: &mut Input) -> Option<&mut Data> {
    let free = input.params.iter_mut().filter(|param| !param.fixed);
    free.filter_map(|param| match &mut param.content {
        Content::Bytes(_, data) | Content::Text(_, data) => Some(data),
        _ => None,
    })
    .next()
}

/// How many bytes the longest string that is a parameter has, without its end; the length of one is no symbol that others would look at.
pub fn longest_text(input: &Input) -> u64 {
    let texts = input.params.iter().filter_map(|param| match &param.content {
        Content::Text(_, data) if !param.fixed => Some(&data.0),
        _ => None,
    });
    let length = |text: &Vec<u8>| text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    texts.map(length).max().unwrap_or(0) as u64
}
