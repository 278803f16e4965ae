// The compiler's messages are shown as they are.
// CACHE: untouched
// REQUIRES: rust-wasm
// RUN: coax dump ir %
// EXIT: 2

fn main() {
    let number: u32 = "seven";
}

// OUTPUT
// $ coax dump ir %
// ! error[E0308]: mismatched types
// !  --> does_not_compile.rs:8:23
// !   |
// ! 8 |     let number: u32 = "seven";
// !   |                 ---   ^^^^^^^ expected `u32`, found `&str`
// !   |                 |
// !   |                 expected due to this
// !
// ! error: aborting due to 1 previous error
// !
// ! For more information about this error, try `rustc --explain E0308`.
// ! error: does_not_compile.rs did not compile. Correct the errors above, or pass the flags it needs (--cflags; CFLAGS for coax-cc).
