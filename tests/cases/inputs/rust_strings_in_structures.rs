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
// | offset 0x482 rust_strings_in_structures.rs:13  assumption holds  (let ($1 (or (ule 240:8 p.name[4]) (or (ule 192:8 p.name[6]) (ule 224:8 p.name[5])))) ($2 (or (ule 240:8 p.name[3]) (or (ule 224:8 p.name[4]) (ule 192:8 p.name[5])))) ($3 (ule 128:8 p.name[6])) ($4 (ult p.name[6] 192:8)) ($5 (or (ule 240:8 p.name[2]) (or (ule 192:8 p.name[4]) (ule 224:8 p.name[3]))) … and 4065 characters more: see `--json`
// | site47 rust_strings_in_structures.rs:13:5  branch to 13:5  (not (eq p.name.length 3:32))
// | returned i32 0
// $ coax dump path % --entry names 2>&1 | grep -v note:
// | offset 0x4e2 rust_strings_in_structures.rs:21  assumption holds  (let ($1 (or (or (ule 192:8 all[0][6]) (ule 224:8 all[0][5])) (ule 240:8 all[0][4]))) ($2 (or (ule 240:8 all[0][3]) (or (ule 192:8 all[0][5]) (ule 224:8 all[0][4])))) ($3 (ule 128:8 all[0][6])) ($4 (ult all[0][6] 192:8)) ($5 (or (ule 240:8 all[0][1]) (or (ule 224:8 all[0][2]) (ule 192:8 all[0][3]))) … and 4065 characters more: see `--json`
// | offset 0x4e2 rust_strings_in_structures.rs:21  assumption holds  (let ($1 (or (ule 240:8 all[1][3]) (or (ule 224:8 all[1][4]) (ule 192:8 all[1][5])))) ($2 (ule 128:8 all[1][6])) ($3 (ult all[1][6] 192:8)) ($4 (or (ule 240:8 all[1][2]) (or (ule 192:8 all[1][4]) (ule 224:8 all[1][3])))) ($5 (ule 128:8 all[1][5])) ($6 (ult all[1][5] 192:8)) ($7 (or (ule 240:8 all[1] … and 4066 characters more: see `--json`
// | site53 rust_strings_in_structures.rs:21:5  branch to 21:23  (eq all.length 2:32)
// | site54 rust_strings_in_structures.rs:21:23  branch zero  (ule 2:32 all.length)
// | returned i32 0
// $ coax replay % --entry owned --param abc --param xyz
// | ok    run: returned i32 1
