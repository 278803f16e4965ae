//! The sandbox's WASI against wasmtime's own; `campaign wasi` does the same with more random scenarios.

use coax_judge::wasi;

#[test]
fn the_sandbox_answers_as_wasmtime_does() {
    let tally = wasi::judge(7, 100, 1).expect("wasmtime works here");
    let shown = tally.differences.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(tally.differences.is_empty(), "{} differences, for example:\n{shown}", tally.differences.len());
    // A table that is empty by mistake would pass as well.
    assert!(tally.scenarios > 1_000 && tally.errnos.len() > 14 && tally.traps > 10, "{tally:?}");
}
