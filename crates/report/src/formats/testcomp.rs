//! A test suite as Test-Comp has it: `metadata.xml`, and for each test the values of its `__VERIFIER_nondet_…` calls in order.

use super::numbers::decimal;
use super::xml::escape;
use super::{Emission, Emitted, File};
use coax_execute::{Answer, Input, TrapKind, Verdict};
use coax_search::Kept;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// What the tests are for, in the words of Test-Comp's property file.
const SPECIFICATION: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";
const HEADER: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>"#;
/// What the programs of Test-Comp fail by.
const ERROR_FUNCTION: &str = "reach_error";

pub(super) fn write(emission: &Emission<'_>) -> Emitted {
    let mut emitted = Emitted::default();
    for (_, test) in emission.tests() {
        match values(&test.input) {
            Ok(values) => {
                let number = emitted.files.len() + 1;
                let text = testcase(&values, covers_error(emission, test));
                emitted.files.push(File::new(format!("testcase-{number}.xml"), text));
            }
            Err(why) => emitted.leave_out(emission, test, why),
        }
    }
    if !emitted.files.is_empty() {
        emitted.files.insert(0, File::new("metadata.xml", metadata(emission)));
    }
    emitted
}

/// The values in the order in which the program asks for them.
fn values(input: &Input) -> Result<Vec<String>, &'static str> {
    if !input.params.is_empty() {
        return Err("the entry has parameters, and Test-Comp's programs begin with main");
    }
    if !input.stdin.is_empty() || !input.args.is_empty() || !input.files.is_empty() {
        return Err("it has standard input, arguments or files, and Test-Comp's tests have only values");
    }
    let value = |answer: &Answer| match answer {
        Answer::Number(number) => Ok(decimal(*number)),
        Answer::Written(text) => Ok(text.clone()),
        Answer::Bytes(_) => Err("the program asks for bytes, and Test-Comp's tests have only numbers"),
    };
    input.values.iter().map(|request| value(&request.value)).collect()
}

fn covers_error(emission: &Emission<'_>, test: &Kept) -> bool {
    let verdict = test.outcome.verdict();
    let functions = &emission.report.program.functions;
    let passes = || test.outcome.backtrace().iter().any(|frame| functions[frame.func].name == ERROR_FUNCTION);
    verdict == Verdict::Trapped(TrapKind::Assertion) || (verdict.is_failure() && passes())
}

fn testcase(values: &[String], covers_error: bool) -> String {
    let mut text = format!(
        "{HEADER}\n<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n"
    );
    text.push_str(if covers_error { "<testcase coversError=\"true\">\n" } else { "<testcase>\n" });
    for value in values {
        let _ = writeln!(text, "  <input>{}</input>", escape(value));
    }
    text.push_str("</testcase>\n");
    text
}

fn metadata(emission: &Emission<'_>) -> String {
    let file = emission.files.first().map_or("", String::as_str);
    let content = (emission.report.source)(file).unwrap_or_default();
    let hash: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut text = format!(
        "{HEADER}\n<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n"
    );
    let producer = format!("coax {}", env!("CARGO_PKG_VERSION"));
    // The order is that of the document type.
    for (tag, value) in [
        ("sourcecodelang", "C"),
        ("producer", &*producer),
        ("specification", SPECIFICATION),
        ("programfile", file),
        ("programhash", &*hash),
        ("entryfunction", "main"),
        ("architecture", "32bit"),
        ("creationtime", &*emission.now),
    ] {
        let _ = writeln!(text, "  <{tag}>{}</{tag}>", escape(value));
    }
    text.push_str("</test-metadata>\n");
    text
}
