//! Coverage as a tracefile of lcov's. A count is the number of tests: how often a line ran within one is not known.

use super::{Emission, Emitted, File};
use crate::branches::Branches;
use crate::lines::SourceFile;
use std::fmt::Write;

pub(super) fn write(emission: &Emission<'_>) -> Emitted {
    let lines = emission.report.lines();
    let mut text = String::new();
    let branches = Branches::of(emission.report);
    for (name, file) in &lines.files {
        let _ = record(&mut text, &branches, name, file);
    }
    if text.is_empty() {
        let note = "the program has no debug information in scope, so there are no lines to tell about";
        return Emitted { notes: vec![note.into()], ..Emitted::default() };
    }
    Emitted { files: vec![File::new("coverage.info", text)], ..Emitted::default() }
}

fn record(text: &mut String, branches: &Branches, name: &str, file: &SourceFile) -> std::fmt::Result {
    writeln!(text, "TN:coax\nSF:{name}")?;
    for function in &file.functions {
        writeln!(text, "FN:{},{}", function.line, function.name)?;
    }
    for function in &file.functions {
        writeln!(text, "FNDA:{},{}", function.tests.len(), function.name)?;
    }
    let hit = file.functions.iter().filter(|function| !function.tests.is_empty()).count();
    writeln!(text, "FNF:{}\nFNH:{hit}", file.functions.len())?;
    let (mut found, mut hit) = (0, 0);
    for &number in file.lines.keys() {
        for (block, branch) in branches.on(name, number).iter().enumerate() {
            let is_reached = branch.directions.iter().any(|direction| !direction.tests.is_empty());
            for (index, direction) in branch.directions.iter().enumerate() {
                let taken = direction.tests.len();
                found += 1;
                hit += u64::from(taken > 0);
                // A dash says that the branch was never come to.
                let taken = if is_reached { taken.to_string() } else { "-".into() };
                writeln!(text, "BRDA:{number},{block},{index},{taken}")?;
            }
        }
    }
    writeln!(text, "BRF:{found}\nBRH:{hit}")?;
    for (number, line) in &file.lines {
        writeln!(text, "DA:{number},{}", line.tests.len())?;
    }
    let hit = file.lines.values().filter(|line| !line.tests.is_empty()).count();
    writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", file.lines.len())
}
