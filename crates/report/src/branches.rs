//! The branches that stand on source lines, with the tests that take them.

use crate::Report;
use coax_program::Site;
use coax_program::debug_info::Frame;
use coax_search::Kept;
use std::collections::BTreeMap;

/// The branches of each line that has code, by file and line.
#[derive(Debug, Default)]
pub struct Branches(BTreeMap<String, BTreeMap<u32, Vec<Branch>>>);

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

impl Branches {
    /// Finds them.
    pub(crate) fn of(report: &Report<'_>) -> Branches {
        let findings = report.findings;
        let whys: BTreeMap<(Site, u32), String> = findings
            .uncovered
            .iter()
            .map(|uncovered| ((uncovered.site, uncovered.direction), uncovered.why.to_string()))
            .collect();
        let files = &report.lines().files;
        let mut branches = Branches::default();
        for (site, data) in report.program.sites.iter() {
            if !data.kind.is_branch() || !(report.in_scope)(data.func) {
                continue;
            }
            let place = (report.place_in_scope)(data.offset);
            let Some(Frame { file: Some(file), line: Some(line), .. }) = place else { continue };
            // One that the compiler gave to no line is shown at a line nearby, if that has code.
            if !files.get(&file).is_some_and(|file| file.lines.contains_key(&line)) {
                continue;
            }
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
            branches.0.entry(file).or_default().entry(line).or_default().push(branch);
        }
        branches
    }

    /// Those that stand on a line.
    pub fn on(&self, file: &str, line: u32) -> &[Branch] {
        self.0.get(file).and_then(|lines| lines.get(&line)).map_or(&[], Vec::as_slice)
    }
}

impl Branch {
    /// Whether every direction was taken.
    pub fn is_complete(&self) -> bool {
        self.directions.iter().all(|direction| !direction.tests.is_empty())
    }
}
