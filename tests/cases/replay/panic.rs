// A Rust panic: its message and the user's frames.
// REQUIRES: rust-wasm
// RUN: coax replay % -- 1 2
// RUN: coax replay % -- 1 > %t/out
// EXIT: 1
// RUN: grep 'stderr | called\|  at panic.rs' %t/out

fn second(arguments: &[String]) -> &str {
    arguments.get(2).unwrap()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    println!("{}", second(&arguments));
}

// OUTPUT
// $ coax replay % -- 1 2
// | ok    run: returned
// |       stdout | 2
// $ coax replay % -- 1 > %t/out
// $ grep 'stderr | called\|  at panic.rs' %t/out
// |       stderr | called `Option::unwrap()` on a `None` value
// |         at panic.rs:9:22 in panic::second
// |         at panic.rs:14:20 in panic::main
