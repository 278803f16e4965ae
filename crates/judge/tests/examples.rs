//! The example programs: both engines record the same of each, and all of them are in the table.

#[path = "../../../tests/skipped.rs"]
mod skipped;

use coax_judge::examples::{Compared, EXAMPLES};
use coax_load::Tools;
use std::path::Path;

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Whether this machine has what compiling the file needs.
fn can_compile(file: &str) -> bool {
    let needed: &[&str] = match file.rsplit_once('.') {
        Some((_, "wat")) => &[],
        Some((_, "rs")) => &["rustc", "wasm32-wasip1"],
        _ => &["clang", "wasm-ld", "wasi-libc"],
    };
    let checks = coax_load::doctor(&Tools::default());
    needed.iter().all(|name| checks.iter().any(|check| check.name == *name && check.found.is_some()))
}

#[test]
fn both_engines_record_the_same_events() {
    for example in EXAMPLES {
        if !can_compile(example.file) {
            skipped::skip(&format!("this machine cannot compile {}", example.file));
            continue;
        }
        let program = example.load(repository()).expect(example.file);
        let compared = coax_judge::on_large_stacks(|| example.compare(&program, 5, 1));
        let Compared { runs, events } = compared.expect(example.file);
        assert!(runs >= 5 && events > 5, "{}: {runs} runs, {events} events", example.file);
    }
}

#[test]
fn every_file_is_in_the_table() {
    let mut known: Vec<String> = EXAMPLES.iter().map(|example| example.file.to_owned()).collect();
    known.sort_unstable();
    let entries = std::fs::read_dir(repository().join("examples")).expect("there are examples");
    let files = entries.map(|entry| entry.expect("a file")).filter(|entry| entry.path().is_file());
    let mut files: Vec<String> =
        files.map(|entry| entry.file_name().into_string().expect("a name")).collect();
    files.sort_unstable();
    assert_eq!(files, known);
}
