// Parts of an array begin anywhere, and a harness with stubs does not pretend to run without them.
// REQUIRES: rust-wasm
// RUN: coax replay % --entry part --value 2 --value 1 2>&1 | grep 'run:\|input'
// RUN: coax replay % --entry stubbed 2>&1 | grep 'run:\|stub('
#[cfg(kani)]
#[kani::proof]
fn part() {
    let mut all = [1u8, 2, 3];
    let part = kani::slice::any_slice_of_array_mut(&mut all);
    assert!(part != [2]);
}

#[cfg(kani)]
#[kani::proof]
#[kani::stub(real, mock)]
fn stubbed() {
    assert_eq!(real(), 2);
}

pub fn real() -> u8 {
    1
}

pub fn mock() -> u8 {
    2
}

fn main() {}

// OUTPUT
// $ coax replay % --entry part --value 2 --value 1 2>&1 | grep 'run:\|input'
// | FAIL  run: trapped: unreachable (panicked: assertion failed: part != [2]) at kani_parts.rs:10:5 in kani_parts::part
// |       input  | {"name":"slice.end","i32":2}
// |       input  | {"name":"slice.begin","i32":1}
// $ coax replay % --entry stubbed 2>&1 | grep 'run:\|stub('
// | ok    run: does not count (an assumption does not hold; if it does for no input, the assumptions contradict each other) at kani_parts.rs:15:1 in kani_parts::stubbed
// |       stderr | `#[kani::stub(real, mock)]` is not supported: the run does not count. Remove it, or call the other function.
