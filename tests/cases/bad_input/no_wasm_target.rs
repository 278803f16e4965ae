// With a rustc that has no WebAssembly target: the command that adds it. The compiler here is a stand-in that
// knows its own machine only.
// CACHE: untouched
// REQUIRES: rustc
// RUN: mkdir -p %t/sysroot/lib/rustlib; printf '#!/bin/sh\nexec %s --sysroot %t/sysroot "$@"\n' "$(rustc --print sysroot)/bin/rustc" > %t/rustc; chmod +x %t/rustc; PATH=%t:$PATH coax dump ir %
// EXIT: 2

fn main() {}

// OUTPUT
// $ mkdir -p %t/sysroot/lib/rustlib; printf '#!/bin/sh\nexec %s --sysroot %t/sysroot "$@"\n' "$(rustc --print sysroot)/bin/rustc" > %t/rustc; chmod +x %t/rustc; PATH=%t:$PATH coax dump ir %
// ! error: Rust's target wasm32-wasip1 is needed for compiling Rust and was not found. Get it with: rustup target add wasm32-wasip1
