//! What can be explained: all that is not covered, as the report of a search has it, one line for what has the same reason in one function.

use super::file_and_line;
use anyhow::Result;
use coax_report::summary::Uncovered;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// Branches of one function that are not covered for the same reason: how many, and their lines in each file.
#[derive(Default)]
struct Group<'a> {
    branches: u64,
    lines: BTreeMap<&'a str, Vec<u32>>,
}

/// Lists it; what is proved comes last.
pub fn print(out: &mut impl Write, uncovered: &[Uncovered], directory: &Path) -> Result<()> {
    let mut order: Vec<(&str, &str)> = Vec::new();
    let mut groups: BTreeMap<(&str, &str), Group<'_>> = BTreeMap::new();
    for branch in uncovered {
        let key = (&*branch.why, &*branch.function);
        if !groups.contains_key(&key) {
            order.push(key);
        }
        let group = groups.entry(key).or_default();
        group.branches += 1;
        if let Some((file, line)) = file_and_line(&branch.location) {
            let lines = group.lines.entry(file).or_default();
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    order.sort_by_key(|(why, _)| why.starts_with("proved"));
    for key in &order {
        let (Group { branches, lines }, (why, function)) = (&groups[key], key);
        let place = |(file, lines): (&&str, &Vec<u32>)| {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{file}:{} ", lines.join(","))
        };
        let places: String = lines.iter().map(place).collect();
        let count = if *branches == 1 { "1 branch".to_owned() } else { format!("{branches} branches") };
        writeln!(out, "not covered  {places}{function}, {count}: {why}")?;
    }
    match order.is_empty() {
        true => writeln!(out, "all branches are covered")?,
        false => writeln!(
            out,
            "`coax explain {} FILE:LINE` says what stands in the way of a line",
            directory.display()
        )?,
    }
    Ok(())
}
