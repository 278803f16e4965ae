// A slice is a pointer and a length: what the unknown function reads of it are its arguments, wherever that is. (As numbers, both were arguments, and a direct call with another
// length read what happened to lie behind.)
// REQUIRES: rust-wasm
// RUN: coax cover % --entry open --unknown sum --no-auto-unknown --no-mutate --max-runs 100 --out %t/out | grep 'is unknown\|tests,'
// RUN: grep -o '"divergences": [0-9]*' %t/out/report.json

pub fn sum(data: &[u8]) -> u32 {
    let (mut a, mut b) = (1u32, 0u32);
    for &c in data {
        a = (a + c as u32) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

pub fn open(data: &[u8], wanted: u32) -> i32 {
    if data.len() < 2 || sum(&data[1..]) != wanted {
        return -1;
    }
    if data[0] == b'k' && data.len() == 9 { 2 } else { 1 }
}

fn main() {
    println!("{}", open(&[1, 2], 0));
}

// OUTPUT
// $ coax cover % --entry open --unknown sum --no-auto-unknown --no-mutate --max-runs 100 --out %t/out | grep 'is unknown\|tests,'
// | not covered  slices.rs:11:13: it is in a function that is unknown: its decisions were not followed
// | 5 tests, 0 failures; branches 13/16 (81 %), lines 10/13 (77 %), functions 2/3 (67 %)
// | `slices::sum` is unknown: [n] values seen, [n] direct calls
// $ grep -o '"divergences": [0-9]*' %t/out/report.json
// | "divergences": 0
