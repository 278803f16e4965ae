//! Failures as SARIF 2.1.0, which code scanning shows at their lines.

use super::{Emission, Emitted, File};
use crate::{Description, Report};
use coax_program::debug_info::Frame;
use coax_search::{Failure, Kept};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn write(emission: &Emission<'_>) -> Emitted {
    let log = log(emission.report);
    Emitted { files: vec![File::new("coax.sarif", format!("{log:#}\n"))], ..Emitted::default() }
}

fn log(report: &Report<'_>) -> Value {
    let mut rules: BTreeMap<&str, String> = BTreeMap::new();
    for failure in &report.findings.failures {
        let test = &report.findings.tests[failure.test];
        let Description { kind, title, .. } = report.failure(test);
        rules.entry(kind).or_insert(title);
    }
    let ids: Vec<&str> = rules.keys().copied().collect();
    let described = rules.iter().map(|(id, text)| {
        json!({ "id": id, "shortDescription": { "text": text }, "defaultConfiguration": { "level": "error" } })
    });
    let results = report.findings.failures.iter().map(|failure| result(report, failure, &ids));
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "coax",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": described.collect::<Vec<_>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn result(report: &Report<'_>, failure: &Failure, rules: &[&str]) -> Value {
    let test = &report.findings.tests[failure.test];
    let rule = report.failure_kind(test);
    let name = report.test_name(test);
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": rules.iter().position(|id| *id == rule),
        "level": "error",
        "message": { "text": format!("{}; shown by the test {name}", report.failure_text(test)) },
        "occurrenceCount": failure.hits.max(1),
        "properties": { "test": name },
    });
    if let Some(location) = blamed(report, test) {
        result["locations"] = json!([location]);
    }
    if let Some(print) = fingerprint(report, test) {
        result["partialFingerprints"] = json!({ "coax/v1": print });
    }
    let frames: Vec<Value> = test
        .outcome
        .backtrace()
        .iter()
        .flat_map(|frame| frame.offset.map(|offset| report.program.frames(offset)).unwrap_or_default())
        .filter(|frame| frame.trap_reason().is_none())
        .map(|frame| json!({ "location": place(&frame) }))
        .collect();
    if !frames.is_empty() {
        result["stacks"] = json!([{ "message": { "text": "the calls that led here" }, "frames": frames }]);
    }
    result
}

/// The place that a user should look at first.
fn blamed(report: &Report<'_>, test: &Kept) -> Option<Value> {
    let offset = report.blamed(test)?.offset?;
    let frame =
        (report.place_in_scope)(offset).or_else(|| report.program.frames(offset).into_iter().next())?;
    Some(place(&frame))
}

/// What stays the same when lines move: what happened, and in which function.
fn fingerprint(report: &Report<'_>, test: &Kept) -> Option<String> {
    let function = &report.program.functions[report.blamed(test)?.func].name;
    let hash = blake3::hash(format!("{}\0{function}", report.failure_kind(test)).as_bytes());
    Some(hash.to_hex()[..32].to_owned())
}

fn place(frame: &Frame) -> Value {
    let mut location = json!({});
    if let Some(file) = &frame.file {
        location["physicalLocation"] = json!({ "artifactLocation": { "uri": uri(file) } });
        if let Some(line) = frame.line {
            let mut region = json!({ "startLine": line });
            if let Some(column) = frame.column.filter(|&column| column > 0) {
                region["startColumn"] = json!(column);
            }
            location["physicalLocation"]["region"] = region;
        }
    }
    if let Some(function) = &frame.function {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": function, "kind": "function" }]);
    }
    location
}

/// A path as a URI: relative stays relative.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/x/ü.c"), "file:///x/%C3%BC.c");
    }
}
