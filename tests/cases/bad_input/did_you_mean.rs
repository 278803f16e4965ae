// A path of Rust is proposed whatever part of it was written.
// REQUIRES: rust-wasm
// RUN: coax replay % --entry parser::parse_nubmer
// EXIT: 2
pub mod parser {
    #[inline(never)]
    pub fn parse_number(text: &str) -> u32 {
        text.bytes().take(3).fold(0, |number, byte| number * 10 + u32::from(byte))
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn check(x: u32) -> u32 {
    parser::parse_number(if x > 5 { "17" } else { "4" })
}

// OUTPUT
// $ coax replay % --entry parser::parse_nubmer
// ! error: there is no function `parser::parse_nubmer` in the program; did you mean `did_you_mean::parser::parse_number`?
