//! Which source lines tests execute.
//!
//! Coverage knows functions and branches; the lines follow from control flow ([`coax_search::executed`]) and from which operators they consist of
//! ([`LineCode`]).

use crate::Report;
use coax_execute::Count;
use coax_program::debug_info::Frame;
use coax_program::line_code::Line;
use coax_program::{Func, LineCode};
use coax_search::Operators;
use std::collections::BTreeMap;

/// What is known of the lines of a program.
#[derive(Debug, Default)]
pub struct Lines {
    /// The files in scope, by name.
    pub files: BTreeMap<String, SourceFile>,
    /// The lines of the whole module.
    pub module: Count,
    /// What they consist of.
    pub(crate) code: LineCode,
}

/// A source file.
#[derive(Debug, Default)]
pub struct SourceFile {
    /// The lines that have code, by number.
    pub lines: BTreeMap<u32, SourceLine>,
    /// The functions, in the order of their lines.
    pub functions: Vec<FunctionLine>,
}

/// A line that has code.
#[derive(Debug, Default)]
pub struct SourceLine {
    /// The tests that execute it, by number.
    pub tests: Vec<usize>,
    /// Its first operator, and the function that it is in.
    pub first: Option<(Func, u32)>,
}

/// A function in scope.
#[derive(Debug)]
pub struct FunctionLine {
    /// Where it is declared.
    pub line: u32,
    /// Its name.
    pub name: String,
    /// The tests that enter it.
    pub tests: Vec<usize>,
}

impl Lines {
    /// Finds out what the tests of a report execute.
    pub(crate) fn of(report: &Report<'_>) -> Lines {
        let program = report.program;
        let places = |func, offset| match (report.in_scope)(func) {
            true => (report.frames_in_scope)(offset),
            false => program.frames(offset).into_iter().take(1).collect(),
        };
        let code = LineCode::of(program, places, report.source);
        let mut lines = Lines::default();
        let mut module: BTreeMap<Line, bool> = BTreeMap::new();
        for func in code.functions() {
            let Some(operators) = Operators::of(program, func) else { continue };
            let parts: Vec<(Line, Option<usize>)> =
                code.parts(func).map(|part| (part.line, operators.at(part.offset))).collect();
            let mut executed: BTreeMap<Line, Vec<usize>> = BTreeMap::new();
            let mut entered_by = Vec::new();
            for (number, test) in report.findings.tests.iter().enumerate() {
                if !test.coverage.entered(func) {
                    continue;
                }
                entered_by.push(number);
                if parts.is_empty() {
                    continue;
                }
                let is_executed = operators.executed(&test.outcome, &test.coverage);
                let here = parts.iter().filter(|(_, at)| at.is_some_and(|at| is_executed[at]));
                for (line, _) in here {
                    let tests = executed.entry(*line).or_default();
                    if tests.last() != Some(&number) {
                        tests.push(number);
                    }
                }
            }
            for (line, _) in &parts {
                *module.entry(*line).or_default() |= executed.contains_key(line);
            }
            if (report.in_scope)(func) {
                lines.add_function(report, func, &code, executed, entered_by);
            }
        }
        lines.module = Count {
            covered: module.values().filter(|&&covered| covered).count() as u64,
            total: module.len() as u64,
        };
        for file in lines.files.values_mut() {
            file.functions.sort_by_key(|function| function.line);
        }
        lines.code = code;
        lines
    }

    /// How many lines in scope there are, and how many of them are executed.
    pub fn count(&self) -> Count {
        let all = || self.files.values().flat_map(|file| file.lines.values());
        let covered = all().filter(|line| !line.tests.is_empty()).count();
        Count { covered: covered as u64, total: all().count() as u64 }
    }

    fn add_function(
        &mut self,
        report: &Report<'_>,
        func: Func,
        code: &LineCode,
        executed: BTreeMap<Line, Vec<usize>>,
        entered_by: Vec<usize>,
    ) {
        for part in code.parts(func) {
            let file = self.files.entry(code.file(part.line).to_owned()).or_default();
            file.lines.entry(part.line.1).or_default().first.get_or_insert((func, part.offset));
        }
        for (line, tests) in executed {
            let file = self.files.entry(code.file(line).to_owned()).or_default();
            let known = &mut file.lines.entry(line.1).or_default().tests;
            known.extend(tests);
            known.sort_unstable();
            known.dedup();
        }
        if let Some(Frame { file: Some(file), line: Some(line), .. }) = report.program.declared_at(func) {
            let name = report.program.functions[func].name.clone();
            let functions = &mut self.files.entry(file).or_default().functions;
            functions.push(FunctionLine { line, name, tests: entered_by });
        }
    }
}
