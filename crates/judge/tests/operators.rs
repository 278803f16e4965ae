//! Every operator against wasmtime; `campaign operators` does the same with more operands.

use coax_judge::operators;

#[test]
fn operators_mean_what_wasmtime_computes() {
    let tally = operators::judge(200, 1).expect("wasmtime works here");
    assert!(tally.differences.is_empty(), "{:#?}", tally.differences);
    // A catalogue that is empty by mistake would pass as well.
    assert!(tally.operators > 400 && tally.tuples > 100_000 && tally.traps > 1_000, "{tally:?}");
}
