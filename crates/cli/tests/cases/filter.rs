//! Replaces what differs between machines, versions and runs by placeholders.

use std::path::Path;

/// The replacements for one run of a case.
pub struct Filter {
    /// A path of this machine and its placeholder, longer paths first.
    paths: Vec<(String, &'static str)>,
}

impl Filter {
    /// Replaces each of these paths by its placeholder.
    pub fn new(paths: &[(&Path, &'static str)]) -> Filter {
        let mut paths: Vec<(String, &str)> =
            paths.iter().map(|(path, name)| (path.display().to_string(), *name)).collect();
        paths.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Filter { paths }
    }

    /// The text as any machine would have it.
    pub fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (path, name) in &self.paths {
            text = text.replace(path.as_str(), name);
        }
        let version = env!("CARGO_PKG_VERSION");
        for before in ["coax ", "\"version\":\"", "\"version\": \""] {
            text = text.replace(&format!("{before}{version}"), &format!("{before}[version]"));
        }
        without_work(&without_progress(&without_times(&text)))
    }
}

/// Leaves out what a search says every ten seconds, and what it says of the time before it if that was long: how many it says depends on the machine.
fn without_progress(text: &str) -> String {
    let is_progress = |line: &str| {
        line.starts_with("[time]: ") && line.contains(" branches, ")
            || line.starts_with("note: before the search: ")
    };
    text.split_inclusive('\n').filter(|line| !is_progress(line)).collect()
}

/// Leaves out how much a search did: another strategy does more or less for the same, and no case is about that.
fn without_work(text: &str) -> String {
    text.split_inclusive('\n').map(|line| without_uses(&without_runs(line))).collect()
}

/// Replaces `12 runs on 3 paths, 4 questions to the solvers, 5 mutations` by `[work]`.
fn without_runs(line: &str) -> String {
    let is_summary = line.contains(" to the solvers, ") && line.contains(" on ");
    let end =
        [" mutations, ", " mutation, "].into_iter().find_map(|end| line.find(end).map(|at| at + end.len()));
    match end.filter(|_| is_summary && line.starts_with(|first: char| first.is_ascii_digit())) {
        Some(end) => format!("[work], {}", &line[end..]),
        None => line.to_owned(),
    }
}

/// Replaces how often unknown functions were seen and called.
fn without_uses(line: &str) -> String {
    let mut line = line.to_owned();
    for what in [" values seen", " value seen", " direct calls", " direct call"] {
        if let Some(end) = line.find(what) {
            let begin =
                line[..end].rfind(|character: char| !character.is_ascii_digit()).map_or(0, |at| at + 1);
            // One that was replaced already has no digits left.
            if begin < end {
                line.replace_range(begin..end, "[n]");
            }
        }
    }
    line
}

/// Replaces durations (`12 ms`, `0.3s`, `"time_ms":12`) by `[time]`.
fn without_times(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let end =
            number.find(|character: char| !matches!(character, '0'..='9' | '.')).unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        result.push_str(before);
        let part_of_a_word =
            result.ends_with(|character: char| character.is_alphanumeric() || character == '_');
        if result.ends_with("_ms\":") || result.ends_with("_ms\": ") {
            result.push_str("[time]");
            rest = after;
        } else if let (false, Some(after)) = (part_of_a_word, strip_unit(after)) {
            result.push_str("[time]");
            rest = after;
        } else {
            result.push_str(number);
            rest = after;
        }
    }
    result + rest
}

/// Strips a unit of time that ends there.
fn strip_unit(text: &str) -> Option<&str> {
    let text = text.strip_prefix(' ').unwrap_or(text);
    ["ns", "µs", "us", "ms", "s"].into_iter().find_map(|unit| {
        let after = text.strip_prefix(unit)?;
        (!after.starts_with(|character: char| character.is_alphanumeric() || character == '_'))
            .then_some(after)
    })
}
