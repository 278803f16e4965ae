// A structure with strings and vectors, and a slice of strings, are made by coax and accepted by itself.
// REQUIRES: rust-wasm
// RUN: coax dump path % --entry strukt 2>&1 | grep -v note:
// RUN: coax dump path % --entry names 2>&1 | grep -v note:
pub struct P {
    pub x: i32,
    pub name: String,
    pub tags: Vec<u16>,
}

pub fn strukt(p: &P) -> bool {
    p.name.len() == 3 && p.tags.len() == 2 && p.x == 7
}

pub fn names(all: &[&str]) -> bool {
    all.len() == 2 && all[1].len() == 3
}

fn main() {
    println!("{}", strukt(&P { x: 1, name: String::new(), tags: Vec::new() }) || names(&[]));
}

// OUTPUT
// $ coax dump path % --entry strukt 2>&1 | grep -v note:
// | site43 rust_strings_in_structures.rs:12:5  branch to 12:5  (not (eq p.name.length 3:32))
// | returned i32 0
// $ coax dump path % --entry names 2>&1 | grep -v note:
// | site49 rust_strings_in_structures.rs:16:5  branch to 16:23  (eq all.length 2:32)
// | site50 rust_strings_in_structures.rs:16:23  branch zero  (ule 2:32 all.length)
// | returned i32 0
