// Tests as a module of the Rust file that they are for; private functions too, and panics.
// REQUIRES: rust-wasm
// RUN: coax cover % --entry digit --max-runs 60 --out %t/out --emit rust > %t/said
// EXIT: 1
// RUN: grep -c '#\[test\]' %t/out/rust/coax_tests.rs; grep -c should_panic %t/out/rust/coax_tests.rs; grep -m 1 -o 'assert_eq!(digit(.*' %t/out/rust/coax_tests.rs
fn digit(letter: u8, upper: bool) -> u32 {
    match letter {
        b'0'..=b'9' => u32::from(letter - b'0'),
        b'A'..=b'F' if upper => u32::from(letter - b'A') + 10,
        b'!' => panic!("no digit"),
        _ => 99,
    }
}

fn main() {
    println!("{}", digit(b'7', false));
}

// OUTPUT
// $ coax cover % --entry digit --max-runs 60 --out %t/out --emit rust > %t/said
// $ grep -c '#\[test\]' %t/out/rust/coax_tests.rs; grep -c should_panic %t/out/rust/coax_tests.rs; grep -m 1 -o 'assert_eq!(digit(.*' %t/out/rust/coax_tests.rs
// | 5
// | 1
// | assert_eq!(digit(48, false), 0);
