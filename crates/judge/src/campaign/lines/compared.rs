//! What several say of lines, side by side.

use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A line: its file and number.
pub type Line = (String, u64);

/// So many lines that are wrong or missing are named for each program.
const NAMED: usize = 10;

/// Why coax and its judges may say different things of a line: a name, and what it means.
pub struct Reason(pub &'static str, pub &'static str);

/// The only reasons; each is seen by a machine, in this order.
pub const REASONS: [Reason; 6] = [
    Reason(
        "brace",
        "the line is only a brace: nothing of the source is executed there, and compilers differ in what they put there, such as the return",
    ),
    Reason(
        "no_code",
        "the module has no operator that the compiler attributes to the line: it is a brace, a declaration, or its code is elsewhere",
    ),
    Reason("judges_differ", "the other judge knows the line and says that it is not covered, as coax does"),
    Reason(
        "region_only",
        "only llvm-cov, which counts regions of the source rather than code, knows the line",
    ),
    Reason(
        "beside",
        "at the columns at which the module has code, llvm-cov says that nothing is executed: the rest of the line, the other arm of a `?:`, has none",
    ),
    Reason(
        "other_copies",
        "the module has code of the line only in other copies of its inlined function than those that are executed",
    ),
];

/// Which of them say why a line is missing that both judges call covered.
pub const BESIDE: usize = 4;
pub const OTHER_COPIES: usize = 5;

/// What somebody says of lines.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// All that have code, with whether they are executed; nothing if that is not to be compared.
    pub lines: BTreeMap<Line, Option<bool>>,
}

impl Said {
    /// What is in a `lines.json`, as far as it is said of these tests.
    pub fn by_coax(lines: &Value, tests: &BTreeSet<String>) -> Result<Said> {
        let mut said = Said::default();
        for (file, of_file) in lines.as_object().context("lines.json has no files")? {
            for (number, by) in of_file.as_object().context("a file of lines.json has no lines")? {
                let is_covered = match by {
                    // Those that natively end otherwise say nothing of a line that they alone execute.
                    Value::Array(names) => {
                        let is_replayed =
                            |name: &Value| name.as_str().is_some_and(|name| tests.contains(name));
                        names.iter().any(is_replayed).then_some(true)
                    }
                    _ => Some(false),
                };
                said.lines.insert((file.clone(), number.parse()?), is_covered);
            }
        }
        Ok(said)
    }

    /// Adds a line; what several pieces of code have of a line is executed if one is.
    pub fn add(&mut self, line: Line, is_executed: bool) {
        let known = self.lines.entry(line).or_insert(Some(false));
        *known = Some(known.unwrap_or(false) || is_executed);
    }

    fn of(&self, line: &Line) -> Option<bool> {
        self.lines.get(line).copied().flatten()
    }
}

/// How they agree.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Inputs that were replayed.
    pub inputs: u64,
    /// Those that natively end otherwise.
    pub otherwise: u64,
    /// Lines that coax knows, and those of them that it says are covered.
    pub lines: u64,
    pub covered: u64,
    /// Covered, and not.
    pub wrong: u64,
    /// Not covered, and they are.
    pub missing: u64,
    /// Of those that coax says are covered, so many are by one judge only.
    pub disputed: u64,
    /// What is missing for a reason.
    pub reasons: [u64; REASONS.len()],
    /// Lines that are wrong or missing.
    pub examples: Vec<String>,
}

impl Compared {
    /// Compares coax with two judges; some lines are only braces, and of some that both call covered the module has only code that is not executed, for one of
    /// the last two reasons.
    pub fn of(
        coax: &Said,
        gcov: &Said,
        llvm: &Said,
        is_brace: &dyn Fn(&Line) -> bool,
        why_missing: &dyn Fn(&Line) -> Option<usize>,
    ) -> Compared {
        let mut compared = Compared { lines: coax.lines.len() as u64, ..Compared::default() };
        for (line, _) in coax.lines.iter().filter(|(_, is_covered)| **is_covered == Some(true)) {
            compared.covered += 1;
            let is_denied = gcov.of(line) == Some(false) || llvm.of(line) == Some(false);
            if is_denied && is_brace(line) {
                compared.reasons[0] += 1;
                continue;
            }
            match (gcov.of(line), llvm.of(line)) {
                (Some(false), None | Some(false)) | (None, Some(false)) => {
                    compared.wrong += 1;
                    compared.name("covered, but is not", line);
                }
                (Some(true), Some(false)) | (Some(false), Some(true)) => {
                    compared.disputed += 1;
                    compared.name("covered, but one judge says it is not", line);
                }
                _ => {}
            }
        }
        // Files that coax has nothing of are not in scope.
        let files: BTreeSet<&String> = coax.lines.keys().map(|(file, _)| file).collect();
        let all: BTreeSet<&Line> = gcov.lines.keys().chain(llvm.lines.keys()).collect();
        for line in all.into_iter().filter(|(file, _)| files.contains(file)) {
            let judges = (gcov.of(line), llvm.of(line));
            if judges.0 != Some(true) && judges.1 != Some(true) {
                continue;
            }
            let reason = match (coax.lines.get(line), judges) {
                (Some(None | Some(true)), _) => continue,
                (None, _) => 1,
                _ if is_brace(line) => 0,
                (Some(Some(false)), (Some(false), _) | (_, Some(false))) => 2,
                (Some(Some(false)), (None, _)) => 3,
                (Some(Some(false)), (Some(true), _)) => match why_missing(line) {
                    Some(reason) => reason,
                    None => {
                        compared.missing += 1;
                        compared.name("covered natively, but not by coax", line);
                        continue;
                    }
                },
            };
            compared.reasons[reason] += 1;
            if reason > 1 {
                compared.name(REASONS[reason].1, line);
            }
        }
        compared
    }

    /// Both together.
    pub fn add(&mut self, other: &Compared) {
        self.inputs += other.inputs;
        self.otherwise += other.otherwise;
        self.lines += other.lines;
        self.covered += other.covered;
        self.wrong += other.wrong;
        self.missing += other.missing;
        self.disputed += other.disputed;
        self.reasons.iter_mut().zip(other.reasons).for_each(|(all, more)| *all += more);
    }

    /// A row of the table.
    pub fn row(&self, name: &str) -> String {
        let Compared { inputs, otherwise, lines, covered, wrong, missing, disputed, reasons, .. } = self;
        let reasons: Vec<String> =
            REASONS.iter().zip(reasons).map(|(reason, count)| format!("{} {count}", reason.0)).collect();
        let reasons = reasons.join(", ");
        format!(
            "| {name} | {inputs} (+{otherwise}) | {lines} | {covered} | {wrong} | {missing} | {disputed} | {reasons} |"
        )
    }

    fn name(&mut self, what: &str, (file, number): &Line) {
        if self.examples.iter().filter(|example| example.ends_with(what)).count() < NAMED {
            self.examples.push(format!("{file}:{number}: {what}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(lines: &[(u64, Option<bool>)]) -> Said {
        Said { lines: lines.iter().map(|(number, said)| (("f.c".to_owned(), *number), *said)).collect() }
    }

    #[test]
    fn a_line_is_wrong_if_nobody_else_calls_it_covered() {
        let (yes, no) = (Some(true), Some(false));
        let also_missing = [(10, no), (11, no)];
        let coax = [(1, yes), (2, yes), (3, yes), (4, no), (5, no), (6, no), (7, None), (9, yes)];
        let coax = said(&[&coax[..], &also_missing].concat());
        let also_executed = [(10, yes), (11, yes)];
        let gcov = [(1, yes), (2, no), (3, no), (4, yes), (5, yes), (7, yes), (8, yes), (9, no)];
        let gcov = said(&[&gcov[..], &also_executed].concat());
        let llvm = said(&[(1, yes), (2, no), (3, yes), (4, yes), (5, no), (6, yes), (8, yes), (10, yes)]);
        let why = |(_, line): &Line| {
            [(10, BESIDE), (11, OTHER_COPIES)].into_iter().find(|(it, _)| it == line).map(|(_, why)| why)
        };
        let compared = Compared::of(&coax, &gcov, &llvm, &|(_, line)| *line == 9, &why);
        let Compared { covered, wrong, missing, disputed, reasons, .. } = compared;
        assert_eq!((covered, wrong, missing, disputed, reasons), (4, 1, 1, 1, [1; 6]));
    }

    #[test]
    fn what_only_tests_execute_that_end_otherwise_is_not_compared() -> Result<()> {
        let lines = serde_json::json!({"f.c": {"1": ["a", "b"], "2": ["b"], "3": null}});
        let coax = Said::by_coax(&lines, &BTreeSet::from(["a".to_owned()]))?;
        assert_eq!(coax.lines.values().copied().collect::<Vec<_>>(), [Some(true), None, Some(false)]);
        Ok(())
    }
}
