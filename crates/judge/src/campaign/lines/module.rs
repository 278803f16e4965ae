//! What the module does in replays, and where exactly its code of a line is: so the judges are asked about that code only, and not about what else stands
//! on the line.

use super::compared::Line;
use anyhow::{Context, Result};
use coax_execute::{Input, Limits, PlainModule};
use coax_program::debug_info::Frame;
use coax_program::{Func, LineCode, Program};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The module of a program, with what its replays executed.
pub struct Module<'p> {
    program: &'p Program,
    plain: PlainModule<'p>,
    executed: BTreeSet<(Func, u32)>,
}

/// What a run did.
pub struct Ran {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    executed: BTreeSet<(Func, u32)>,
}

/// A copy of a function in the code: where it is, what it is called, and by which calls it was inlined.
type Copy = (Func, Option<String>, Vec<Frame>);

/// What is known of the code of lines.
#[derive(Default)]
pub struct Code {
    /// Where a line has code: the copy, and the column if there is one.
    places: BTreeMap<Line, Vec<(Copy, Option<u32>)>>,
    /// The copies of which something is executed.
    executed: BTreeSet<Copy>,
}

impl<'p> Module<'p> {
    pub fn new(program: &'p Program) -> Result<Module<'p>> {
        let plain = PlainModule::new(program, &Limits::default())?;
        Ok(Module { program, plain, executed: BTreeSet::new() })
    }

    /// Runs an input.
    pub fn run(&self, input: &Input) -> Result<Ran> {
        let run = self.plain.run_with_coverage(input, &Limits::default())?;
        let coverage = run.coverage.context("a run has no coverage")?;
        let mut executed = BTreeSet::new();
        for func in self.program.functions.ids().filter(|&func| coverage.entered(func)) {
            let offsets = coax_search::executed(self.program, func, &run.outcome, &coverage);
            executed.extend(offsets.into_iter().map(|offset| (func, offset)));
        }
        Ok(Ran { stdout: run.stdout, stderr: run.stderr, executed })
    }

    /// Notes a run that counts.
    pub fn add(&mut self, ran: Ran) {
        self.executed.extend(ran.executed);
    }

    /// Where its code of lines is.
    pub fn code(&self) -> Code {
        let read = |file: &str| std::fs::read(file).ok();
        let lines = LineCode::of(self.program, |_, offset| self.program.frames(offset), &read);
        let mut code = Code::default();
        for func in lines.functions() {
            for part in lines.parts(func) {
                let mut frames = self.program.frames(part.offset).into_iter();
                let is_it = |frame: &Frame| {
                    frame.line == Some(part.line.1) && frame.column.filter(|&it| it > 0) == part.column
                };
                let Some(frame) = frames.find(is_it) else { continue };
                let copy = (func, frame.function, frames.collect());
                let line = (lines.file(part.line).to_owned(), u64::from(part.line.1));
                code.places.entry(line).or_default().push((copy, part.column));
            }
        }
        for &(func, offset) in &self.executed {
            let mut frames = self.program.frames(offset).into_iter();
            while let Some(frame) = frames.next() {
                code.executed.insert((func, frame.function, frames.clone().collect()));
            }
        }
        code
    }
}

impl Code {
    /// Whether the code of a line is not executed according to who knows columns: what is executed there is something else that has no code.
    pub fn is_beside(&self, line: &Line, columns: &Columns) -> bool {
        let is_executed = |column: &Option<u32>| {
            column.is_none_or(|column| columns.count(line, u64::from(column)).is_none_or(|count| count > 0))
        };
        self.places.get(line).is_some_and(|places| !places.iter().any(|(_, column)| is_executed(column)))
    }

    /// Whether only such copies of its function have code of a line as are not executed: in others the compiler has left it out.
    pub fn is_in_other_copies(&self, line: &Line) -> bool {
        self.places
            .get(line)
            .is_some_and(|places| !places.iter().any(|(copy, _)| self.executed.contains(copy)))
    }
}

/// What llvm-cov knows of columns.
#[derive(Default)]
pub struct Columns {
    /// By file: how often what begins at a line and column is executed, if that was counted.
    segments: BTreeMap<String, BTreeMap<(u64, u64), Option<u64>>>,
}

impl Columns {
    /// From what it exports as JSON.
    pub fn read(json: &Value) -> Result<Columns> {
        let mut columns = Columns::default();
        let files = json["data"][0]["files"].as_array().context("llvm-cov names no files")?;
        for file in files {
            let name = file["filename"].as_str().context("a file has no name")?;
            let of_file = columns.segments.entry(name.to_owned()).or_default();
            for segment in file["segments"].as_array().context("a file has no segments")? {
                let number = |index: usize| segment[index].as_u64().context("a segment is odd");
                let count = (segment[3] == true).then(|| number(2)).transpose()?;
                of_file.insert((number(0)?, number(1)?), count);
            }
        }
        Ok(columns)
    }

    /// How often what stands at a column is executed, in the file whose name ends like this.
    pub fn count_in(&self, end: &str, line: u64, column: u64) -> Option<u64> {
        let file = self.segments.keys().find(|file| file.ends_with(end))?;
        self.count(&(file.clone(), line), column)
    }

    /// How often what stands at a column is executed.
    fn count(&self, (file, line): &Line, column: u64) -> Option<u64> {
        let before = self.segments.get(file)?.range(..=(*line, column)).next_back();
        before.and_then(|(_, count)| *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_column_is_of_the_segment_before_it() -> Result<()> {
        let segments = json!([
            [3, 5, 7, true, true, false],
            [3, 9, 0, true, true, false],
            [4, 1, 0, false, false, false]
        ]);
        let columns =
            Columns::read(&json!({"data": [{"files": [{"filename": "f.c", "segments": segments}]}]}))?;
        let at = |line, column| columns.count(&("f.c".to_owned(), line), column);
        assert_eq!(
            [at(3, 4), at(3, 8), at(3, 9), at(3, 99), at(4, 2)],
            [None, Some(7), Some(0), Some(0), None]
        );
        Ok(())
    }
}
