//! Dead code, as the report of a search has it: what nothing gets to, and the conditions that contradict each other.

use super::{add_assumed, print_assumed};
use anyhow::Result;
use coax_report::summary::Dead;
use std::collections::BTreeSet;
use std::io::Write;

/// Lists it.
pub fn print(out: &mut impl Write, dead: &[Dead]) -> Result<()> {
    for Dead { function, location, branch, because, lines, .. } in dead {
        let places: Vec<String> = lines.iter().map(place).collect();
        let why = match (location, because.is_empty()) {
            (None, _) => format!("nothing calls `{function}` from this entry"),
            (Some(location), true) => {
                format!("no input goes from {location} {}", branch.as_deref().unwrap_or_default())
            }
            (Some(_), false) => {
                format!("what must hold on every way there contradicts itself: {}", because.join(", "))
            }
        };
        writeln!(out, "dead  {}: {why}", places.join(", "))?;
    }
    if dead.is_empty() {
        writeln!(out, "nothing is proved to be dead")?;
    }
    let mut all = Vec::new();
    dead.iter().for_each(|piece| add_assumed(&mut all, &piece.assumes));
    print_assumed(out, &all)
}

/// A file with its lines, those that follow each other together.
fn place((file, lines): (&String, &BTreeSet<u32>)) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let range = |(first, last): (u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    format!("{file}:{}", ranges.into_iter().map(range).collect::<Vec<_>>().join(","))
}
