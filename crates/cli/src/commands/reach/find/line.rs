//! Finds FILE:LINE and FILE:LINE:COLUMN: the operators that the debug information says come from there.
//!
//! A line is all of its code ([`LineCode`], as in reports), a column only the code at exactly that column: two parts of one line may be as far apart as two lines, and one of them
//! may be dead.

use super::{NAMED, in_common};
use crate::args::Target as LoadedProgram;
use anyhow::{Result, bail};
use coax_program::line_code::Part;
use coax_program::{Func, LineCode, Program};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A line of a file, or a column of it, as the user names it.
pub struct Named<'a> {
    file: &'a str,
    line: u32,
    column: Option<u32>,
}

/// Operators, by the function that they are in.
type Operators = BTreeMap<Func, BTreeSet<u32>>;

/// What there is in one file that may be meant.
#[derive(Default)]
struct InFile {
    /// The lines that have code.
    lines: BTreeSet<u32>,
    /// The columns of the line that have code.
    columns: BTreeSet<u32>,
    found: Operators,
    /// Constants and jumps of a column, which are often made where they suit compilers. They count if the column has nothing else.
    unsure: Operators,
}

impl InFile {
    /// Adds an operator that is from somewhere in the file.
    fn add(&mut self, named: &Named<'_>, func: Func, part: &Part) {
        let line = part.line.1;
        self.lines.insert(line);
        if line != named.line {
            return;
        }
        self.columns.extend(part.column);
        if named.column.is_none() || part.column == named.column {
            let which =
                if part.is_sure || named.column.is_none() { &mut self.found } else { &mut self.unsure };
            which.entry(func).or_default().insert(part.offset);
        }
    }
}

impl<'a> Named<'a> {
    /// The parts of FILE:LINE, or of FILE:LINE:COLUMN as reports have it.
    pub fn parse(text: &'a str) -> Option<Named<'a>> {
        let (before, last) = text.rsplit_once(':')?;
        let last = last.parse().ok()?;
        match before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
            Some((file, line)) => Some(Named { file, line, column: Some(last) }),
            None => Some(Named { file: before, line: last, column: None }),
        }
    }

    /// The operators that are there.
    pub fn operators(&self, target: &LoadedProgram) -> Result<Operators> {
        let program = &*target.program;
        let code = LineCode::of(program, |_, offset| program.frames(offset), &|file| target.source(file));
        let is_of: Vec<bool> = code.files().iter().map(|path| is_of(path, self.file)).collect();
        let mut files: BTreeMap<String, InFile> = BTreeMap::new();
        for func in code.functions() {
            // A column is what the compiler says of it; a line is what counts as its code.
            let parts: Box<dyn Iterator<Item = &Part>> = match self.column {
                Some(_) => Box::new(code.all_parts(func)),
                None => Box::new(code.parts(func)),
            };
            for part in parts.filter(|part| is_of[part.line.0 as usize]) {
                files.entry(code.file(part.line).to_owned()).or_default().add(self, func, part);
            }
        }
        let InFile { lines, columns, found, unsure } = self.only(target, files)?;
        let found = if found.is_empty() { unsure } else { found };
        if found.is_empty() {
            bail!(self.is_empty(&lines, &columns, target.merges_lines));
        }
        Ok(found)
    }

    /// The only file that may be meant: of several the one that has just this name, for a library may have files of the same name as the user's own.
    fn only(&self, target: &LoadedProgram, mut files: BTreeMap<String, InFile>) -> Result<InFile> {
        if let Some(exactly) = files.remove(self.file.trim_start_matches("./")) {
            return Ok(exactly);
        }
        let paths: Vec<&str> = files.keys().map(String::as_str).collect();
        match paths.as_slice() {
            [] => bail!(no_such_file(target, self.file)),
            [_] => Ok(files.into_values().next().expect("there is one file")),
            several => bail!("`{}` may be {}; name more of its path", self.file, several.join(" or ")),
        }
    }

    /// Why there is nothing, in a file that has code on these lines, and on this line in these columns. The nearest line is not the same question; that of
    /// `return 1;` can be asked if compilers are told to merge nothing.
    fn is_empty(&self, lines: &BTreeSet<u32>, columns: &BTreeSet<u32>, merges_lines: bool) -> String {
        let Named { file, line, column } = *self;
        let either = |numbers: Vec<u32>| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" or ");
        match column {
            Some(column) if lines.contains(&line) => match columns.is_empty() {
                true => format!(
                    "the code on line {line} of `{file}` has no columns; name only the line, {file}:{line}"
                ),
                false => {
                    let near = either(nearest(columns, column));
                    format!(
                        "there is no code at column {column} of line {line} of `{file}`; name the nearest with code, {near}"
                    )
                }
            },
            _ => {
                let (before, after) = (lines.range(..line).next_back(), lines.range(line..).next());
                let is_between = before.is_some() && after.is_some();
                let near = either(before.into_iter().chain(after).copied().collect());
                let or = match merges_lines && is_between {
                    true => {
                        format!(", or compile with `-O0`, which gives it some if line {line} does something")
                    }
                    false => String::new(),
                };
                format!("there is no code on line {line} of `{file}`; name the nearest with code, {near}{or}")
            }
        }
    }
}

/// The numbers that are nearest to one, in order.
fn nearest(numbers: &BTreeSet<u32>, to: u32) -> Vec<u32> {
    let mut near: Vec<u32> = numbers.iter().copied().collect();
    near.sort_by_key(|number| number.abs_diff(to));
    near.truncate(NAMED);
    near.sort_unstable();
    near
}

/// Why nothing is from a file, and which files there are that may be meant: the user's own, if there are any.
fn no_such_file(target: &LoadedProgram, file: &str) -> String {
    let mut files: BTreeMap<String, bool> = BTreeMap::new();
    for (offset, path) in places(&target.program) {
        let own = target.place_in_scope(offset).and_then(|frame| frame.file);
        let is_own = own.as_ref() == Some(&path);
        *files.entry(path).or_default() |= is_own;
    }
    if files.is_empty() {
        return "the program has no debug information; compile it with -g, or name FUNCTION+OFFSET"
            .to_owned();
    }
    let has_own = files.values().any(|is_own| *is_own);
    files.retain(|_, is_own| *is_own == has_own);
    let mut names: Vec<&str> = files.keys().map(String::as_str).collect();
    names.sort_by_key(|name| (Reverse(in_common(name, file)), *name));
    names.truncate(NAMED);
    format!("no code of the program is from `{file}`; name a file like {}", names.join(" or "))
}

/// What is wrong with the name of a file in place of a line.
pub fn is_only_file(program: &Program, text: &str) -> Option<String> {
    let is_file = places(program).any(|(_, path)| is_of(&path, text));
    is_file.then(|| format!("`{text}` is a file; name a line of it, for instance {text}:412"))
}

/// The operators of a program, with the files that they are from.
fn places(program: &Program) -> impl Iterator<Item = (u32, String)> {
    let defined = program.functions.values().filter_map(|function| function.defined());
    let offsets = defined.flat_map(|defined| program.operators(&defined.body));
    offsets.flat_map(|offset| {
        program.frames(offset).into_iter().filter_map(move |frame| Some((offset, frame.file?)))
    })
}

/// Whether a file of the debug information is the one that the user means: either may say more of the path than the other.
fn is_of(path: &str, file: &str) -> bool {
    let [path, file] = [path, file].map(|name| Path::new(name.trim_start_matches("./")));
    path.ends_with(file) || file.ends_with(path)
}
