// A function of a library may have the same name as the entry: the user's own is meant.
// REQUIRES: rust-wasm
// RUN: coax cover % --entry read --out %t/out | tail -n 3 | head -n 1
// RUN: coax replay % --entry read --param 9
fn read(code: u8) -> u8 {
    if code == 9 { 1 } else { 0 }
}

fn main() {
    println!("{}", read(std::env::args().count() as u8));
}

// OUTPUT
// $ coax cover % --entry read --out %t/out | tail -n 3 | head -n 1
// | 2 tests, 0 failures; branches 2/2 (100 %), lines 2/5 (40 %), functions 1/2 (50 %)
// $ coax replay % --entry read --param 9
// | ok    run: returned i32 1
