//! The spec testsuite, on the plain modules and through SSA and back.

use coax_judge::spec::{self, Kind, Totals};
use coax_judge::transform::{self, Transform};

fn totals(transform: Transform) -> Totals {
    let reports = spec::run(&spec::files(), transform).expect("wasmtime works here");
    let failures: Vec<&String> = reports.iter().flat_map(|report| &report.failures).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    let mut totals = Totals::default();
    reports.iter().for_each(|report| totals.add(&report.totals));
    totals
}

#[test]
fn plain_modules_do_as_the_testsuite_says() {
    let totals = totals(transform::plain);
    // A runner that skips by mistake would pass as well.
    assert!(totals.of(Kind::Module).passed > 3_500, "{totals:?}");
    assert!(totals.of(Kind::Return).passed > 65_000, "{totals:?}");
    assert!(totals.sum().skipped < 1_000, "{totals:?}");
}

#[test]
fn ssa_does_as_the_testsuite_says() {
    let totals = totals(transform::lowered);
    assert!(totals.of(Kind::Return).passed > 65_000, "{totals:?}");
}
