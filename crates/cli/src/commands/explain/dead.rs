//! Dead code, as the report of a search has it: what nothing gets to, and the conditions that contradict each other.

use super::{add_assumed, assumes, print_assumed};
use anyhow::Result;
use serde_json::Value;
use std::io::Write;

/// Lists it.
pub fn print(out: &mut impl Write, report: &Value) -> Result<()> {
    let dead = report["dead"].as_array().map_or(&[][..], Vec::as_slice);
    for piece in dead {
        let function = text(&piece["function"]);
        let places: Vec<String> = piece["lines"].as_object().into_iter().flatten().map(place).collect();
        let because: Vec<&str> = piece["because"].as_array().into_iter().flatten().map(text).collect();
        let why = match (piece["location"].as_str(), because.is_empty()) {
            (None, _) => format!("nothing calls `{function}` from this entry"),
            (Some(location), true) => format!("no input goes from {location} {}", text(&piece["branch"])),
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
    dead.iter().for_each(|piece| add_assumed(&mut all, assumes(report, piece)));
    print_assumed(out, &all)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A file with its lines, those that follow each other together.
fn place((file, lines): (&String, &Value)) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for line in lines.as_array().into_iter().flatten().filter_map(Value::as_u64) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let range = |(first, last): (u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    format!("{file}:{}", ranges.into_iter().map(range).collect::<Vec<_>>().join(","))
}
