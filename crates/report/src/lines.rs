//! Which source lines tests execute, and what branches stand on them.
//!
//! Coverage knows functions and branches; the lines follow from control flow ([`coax_search::executed`]).

use crate::Report;
use coax_execute::Count;
use coax_program::debug_info::Frame;
use coax_program::ir::Body;
use coax_program::{Func, Site};
use coax_search::{Kept, end_operator};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the lines of a program.
#[derive(Debug, Default)]
pub struct Lines {
    /// The files in scope, by name.
    pub files: BTreeMap<String, SourceFile>,
    /// The lines of the whole module.
    pub module: Count,
}

/// A source file.
#[derive(Debug, Default)]
pub struct SourceFile {
    /// The lines that have code, by number.
    pub lines: BTreeMap<u32, Line>,
    /// The functions, in the order of their lines.
    pub functions: Vec<FunctionLine>,
}

/// A line that has code.
#[derive(Debug, Default)]
pub struct Line {
    /// The tests that execute it, by number.
    pub tests: Vec<usize>,
    /// The branches that stand on it.
    pub branches: Vec<Branch>,
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

/// A branch or switch.
#[derive(Debug)]
pub struct Branch {
    /// Which one.
    pub site: Site,
    /// Its directions.
    pub directions: Vec<Direction>,
}

/// A direction of a branch.
#[derive(Debug)]
pub struct Direction {
    /// Where it leads.
    pub name: String,
    /// The tests that take it.
    pub tests: Vec<usize>,
    /// Why none does.
    pub why: Option<String>,
}

impl Line {
    /// Whether every direction of every branch on it was taken.
    pub fn is_complete(&self) -> bool {
        self.branches
            .iter()
            .flat_map(|branch| &branch.directions)
            .all(|direction| !direction.tests.is_empty())
    }
}

impl Lines {
    /// Finds out what the tests of a report execute.
    pub(crate) fn of(report: &Report<'_>) -> Lines {
        let program = report.program;
        let mut lines = Lines::default();
        let mut module: BTreeMap<(String, u32), bool> = BTreeMap::new();
        let ends = coax_search::Ends::of(program);
        for (func, function) in program.functions.iter() {
            let Some(defined) = function.defined() else { continue };
            let in_scope = (report.in_scope)(func);
            let places = Places::of(report, &defined.body, in_scope);
            let mut executed: BTreeMap<(String, u32), Vec<usize>> = BTreeMap::new();
            let mut entered_by = Vec::new();
            for (number, test) in report.findings.tests.iter().enumerate() {
                if !test.coverage.entered(func) {
                    continue;
                }
                entered_by.push(number);
                let offsets = coax_search::executed(program, func, &test.outcome, &test.coverage, &ends);
                let here: BTreeSet<_> = offsets.iter().filter_map(|offset| places.at.get(offset)).collect();
                here.into_iter().for_each(|place| executed.entry(place.clone()).or_default().push(number));
            }
            for place in places.at.values() {
                *module.entry(place.clone()).or_default() |= executed.contains_key(place);
            }
            if in_scope {
                lines.add_function(report, func, &places, executed, entered_by);
            }
        }
        lines.module = Count {
            covered: module.values().filter(|&&covered| covered).count() as u64,
            total: module.len() as u64,
        };
        lines.add_branches(report);
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
        places: &Places,
        executed: BTreeMap<(String, u32), Vec<usize>>,
        entered_by: Vec<usize>,
    ) {
        for (&offset, (file, line)) in &places.at {
            let line = self.files.entry(file.clone()).or_default().lines.entry(*line).or_default();
            line.first.get_or_insert((func, offset));
        }
        for ((file, line), tests) in executed {
            let known = &mut self.files.entry(file).or_default().lines.entry(line).or_default().tests;
            known.extend(tests);
            known.sort_unstable();
            known.dedup();
        }
        if let Some(Frame { file: Some(file), line: Some(line), .. }) = report.program.declared_at(func) {
            let name = report.program.functions[func].name.clone();
            let functions = &mut self.files.entry(file).or_default().functions;
            functions.push(FunctionLine { line, name, tests: entered_by });
            functions.sort_by_key(|function| function.line);
        }
    }

    fn add_branches(&mut self, report: &Report<'_>) {
        let findings = report.findings;
        let whys: BTreeMap<(Site, u32), String> = findings
            .uncovered
            .iter()
            .map(|uncovered| ((uncovered.site, uncovered.direction), uncovered.why.to_string()))
            .collect();
        for (site, data) in report.program.sites.iter() {
            if !data.kind.is_branch() || !(report.in_scope)(data.func) {
                continue;
            }
            let place = (report.place_in_scope)(data.offset);
            let Some(Frame { file: Some(file), line: Some(line), .. }) = place else { continue };
            let taken_by = |direction: usize| {
                let takes = |test: &Kept| test.coverage.directions(site)[direction];
                let tests = findings.tests.iter().enumerate();
                tests.filter(|(_, test)| takes(test)).map(|(number, _)| number).collect()
            };
            let names = report.program.direction_names(site).into_iter().enumerate();
            let directions = names.map(|(number, name)| Direction {
                name,
                tests: taken_by(number),
                why: whys.get(&(site, number as u32)).cloned(),
            });
            let branch = Branch { site, directions: directions.collect() };
            let lines = &mut self.files.entry(file).or_default().lines;
            lines.entry(line).or_default().branches.push(branch);
        }
    }
}

/// The lines of a function's operators.
struct Places {
    at: BTreeMap<u32, (String, u32)>,
}

impl Places {
    fn of(report: &Report<'_>, body: &Body, in_scope: bool) -> Places {
        // Whose file it is takes looking at the file system: once for each way that code is inlined.
        let mut own: BTreeMap<Vec<(Option<String>, bool)>, Option<usize>> = BTreeMap::new();
        let mut at = BTreeMap::new();
        let insts = body.insts.values().map(|inst| inst.offset);
        let ends = body.blocks.values().filter_map(|block| end_operator(report.program, block));
        for offset in insts.chain(ends).filter(|&offset| offset > 0) {
            let mut frames = report.program.frames(offset);
            let index = if in_scope {
                let key =
                    frames.iter().map(|frame| (frame.file.clone(), frame.trap_reason().is_some())).collect();
                *own.entry(key).or_insert_with(|| {
                    let place = (report.place_in_scope)(offset)?;
                    frames.iter().position(|frame| *frame == place)
                })
            } else {
                Some(0)
            };
            let Some(index) = index.filter(|&index| index < frames.len()) else { continue };
            if let Frame { file: Some(file), line: Some(line), .. } = frames.swap_remove(index) {
                at.insert(offset, (file, line));
            }
        }
        Places { at }
    }
}
