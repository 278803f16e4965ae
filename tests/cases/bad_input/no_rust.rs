// Without rustc: what is missing, and the command that gets it (left out here).
// CACHE: untouched
// RUN: PATH=$(dirname $(command -v coax)) coax dump ir % 2> %t/message
// EXIT: 2
// RUN: sed 's/\(Get it with: \)..*/\1…/' %t/message

fn main() {}

// OUTPUT
// $ PATH=$(dirname $(command -v coax)) coax dump ir % 2> %t/message
// $ sed 's/\(Get it with: \)..*/\1…/' %t/message
// | error: rustc is needed for compiling Rust and was not found. Get it with: …
