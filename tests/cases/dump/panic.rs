// Rust: the user's functions with their names and lines, the standard library left out.
// REQUIRES: rust-wasm
// RUN: coax dump calls % | sed 's/fn[0-9]* //; s/site[0-9]* //' | grep 'panic::main\|panic::checked\|process::exit'

fn checked(x: u32) -> u32 {
    if x > 9 {
        panic!("too large");
    }
    x + 1
}

fn main() {
    let arguments = std::env::args().count() as u32;
    std::process::exit(checked(arguments) as i32);
}

// OUTPUT
// $ coax dump calls % | sed 's/fn[0-9]* //; s/site[0-9]* //' | grep 'panic::main\|panic::checked\|process::exit'
// | panic::main
// |   calls panic::checked  ; panic.rs:14:24
// |   calls std::process::exit  ; panic.rs:14:5
// | panic::checked
