// A structure with strings and vectors, and a slice of strings, are made by coax and accepted by itself.
// REQUIRES: rust-wasm
// RUN: coax dump path % --entry strukt 2>&1 | grep -v note:
// RUN: coax dump path % --entry names 2>&1 | grep -v note:
// RUN: coax replay % --entry owned --param abc --param xyz
pub struct P {
    pub x: i32,
    pub name: String,
    pub tags: Vec<u16>,
}

pub fn strukt(p: &P) -> bool {
    p.name.len() == 3 && p.tags.len() == 2 && p.x == 7
}

pub fn owned(text: String, bytes: Vec<u8>) -> bool {
    text == "abc" && bytes == b"xyz"
}

pub fn names(all: &[&str]) -> bool {
    all.len() == 2 && all[1].len() == 3
}

fn main() {
    println!("{}", strukt(&P { x: 1, name: String::new(), tags: Vec::new() }) || names(&[]) || owned(String::new(), Vec::new()));
}

// OUTPUT
// $ coax dump path % --entry strukt 2>&1 | grep -v note:
// | site47 rust_strings_in_structures.rs:13:5  branch to 13:5  (not (eq p.name.length 3:32))
// | returned i32 0
// $ coax dump path % --entry names 2>&1 | grep -v note:
// | site53 rust_strings_in_structures.rs:21:5  branch to 21:23  (eq all.length 2:32)
// | site54 rust_strings_in_structures.rs:21:23  branch zero  (ule 2:32 all.length)
// | returned i32 0
// $ coax replay % --entry owned --param abc --param xyz
// | ok    run: returned i32 1
