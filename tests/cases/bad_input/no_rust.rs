// Without rustc: what is missing, and the command that gets it.
// CACHE: untouched
// RUN: PATH=$(dirname $(command -v coax)) coax dump ir %
// EXIT: 2

fn main() {}

// OUTPUT
// $ PATH=$(dirname $(command -v coax)) coax dump ir %
// ! error: rustc is needed for compiling Rust and was not found. Get it with: curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh
