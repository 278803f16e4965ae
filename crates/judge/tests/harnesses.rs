//! Programs in the styles of other tools that are part of this repository: a short `campaign harnesses`.

#[path = "../../../tests/skipped.rs"]
mod skipped;

use coax_judge::harnesses::Harnesses;
use coax_load::{Tools, doctor};
use rayon::prelude::*;
use std::path::Path;

/// Other inputs of each program.
const MUTANTS: usize = 100;

fn harnesses() -> Harnesses {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Nothing that was fetched: there is no such place.
    Harnesses::read(&repository, &repository.join("nowhere")).expect("the table can be read")
}

#[test]
fn programs_of_every_style_run_as_they_are() {
    let found = doctor(&Tools::default());
    let has = |name: &str| found.iter().any(|check| check.name == name && check.found.is_some());
    if !["clang", "wasm-ld", "wasi-libc", "compiler-rt"].into_iter().all(has) {
        skipped::skip("clang for wasm is not on this machine");
        return;
    }
    let harnesses = harnesses();
    let names = harnesses.names(&[]).expect("there are programs");
    let ours: Vec<&str> = names.into_iter().filter(|name| harnesses.is_ours(name)).collect();
    assert!(ours.len() >= 20, "only {ours:?}");
    let failed: Vec<String> = ours
        .par_iter()
        .filter_map(|name| Some(format!("{name}: {:#}", harnesses.judge(name, MUTANTS).err()?)))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_table_has_enough_of_every_style() {
    let harnesses = harnesses();
    let names = harnesses.names(&[]).expect("there are programs");
    let wanted = [
        ("klee", 10),
        ("testcomp", 10),
        ("cbmc", 6),
        ("libfuzzer", 8),
        ("kani", 4),
        ("tool", 6),
        ("assemblyscript", 1),
    ];
    for (style, least) in wanted {
        let count = names.iter().filter(|name| harnesses.style(name) == style).count();
        assert!(count >= least, "{count} of {style}");
    }
    let unseen = names.iter().filter(|name| harnesses.is_unseen(name)).count();
    assert!(names.len() >= 50 && unseen * 5 >= names.len() * 2, "{unseen} of {}", names.len());
}
