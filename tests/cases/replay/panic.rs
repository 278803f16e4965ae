// A Rust panic: its message, the user's line rather than that of the inlined unwrap, the user's frames.
// REQUIRES: rust-wasm
// RUN: coax replay % -- 1 2
// RUN: coax replay % -- 1 > %t/out
// EXIT: 1
// RUN: grep 'FAIL\|stderr | called\|  at panic.rs' %t/out
// RUN: coax replay % --json -- 1 > %t/out
// EXIT: 1
// RUN: grep -A 2 '"kind": "trapped' %t/out

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
// $ grep 'FAIL\|stderr | called\|  at panic.rs' %t/out
// | FAIL  run: trapped: unreachable (panicked: called `Option::unwrap()` on a `None` value) at panic.rs:12:22 in panic::second
// |       stderr | called `Option::unwrap()` on a `None` value
// |         at panic.rs:12:22 in panic::second
// |         at panic.rs:17:20 in panic::main
// $ coax replay % --json -- 1 > %t/out
// $ grep -A 2 '"kind": "trapped' %t/out
// |       "kind": "trapped: unreachable",
// |       "location": "panic.rs:12",
// |       "function": "panic::second",
