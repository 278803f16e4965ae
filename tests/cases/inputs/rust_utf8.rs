// The bytes of a Rust string are UTF-8, as an assumption of the run: other input does not count, and a solver is told so.
// REQUIRES: rust-wasm
// RUN: coax replay % --entry begins_with_umlaut --param ä
// RUN: coax replay % --entry begins_with_umlaut --param '{"bytes":{"hex":"c3"}}'
// RUN: coax replay % --entry owned --param '{"pointer":{"size":12,"fields":[{"name":"","at":4,"bytes":{"hex":"ff"},"utf8":true},{"name":"length","at":8,"u32":1}]}}'
// RUN: coax dump path % --entry begins_with_umlaut --param a | grep assumption
// RUN: coax dump test % --entry begins_with_umlaut 2>/dev/null | grep utf8
pub fn begins_with_umlaut(text: &str) -> bool {
    text.chars().next() == Some('ä')
}

pub fn owned(s: String) -> usize {
    s.len()
}

fn main() {
    println!("{} {}", begins_with_umlaut("a"), owned(String::new()));
}

// OUTPUT
// $ coax replay % --entry begins_with_umlaut --param ä
// | ok    run: returned i32 1
// $ coax replay % --entry begins_with_umlaut --param '{"bytes":{"hex":"c3"}}'
// | ok    run: does not count (`text` is not UTF-8)
// $ coax replay % --entry owned --param '{"pointer":{"size":12,"fields":[{"name":"","at":4,"bytes":{"hex":"ff"},"utf8":true},{"name":"length","at":8,"u32":1}]}}'
// | ok    run: does not count (`s` is not UTF-8)
// $ coax dump path % --entry begins_with_umlaut --param a | grep assumption
// | offset 0xa32 rust_utf8.rs:8  assumption holds  (and (or (not (eq text.length 1:32)) (ult text[0] 192:8)) (or (or (and (ult text[0] 245:8) (ule 194:8 text[0])) (ult text[0] 128:8)) (eq text.length 0:32)))
// $ coax dump test % --entry begins_with_umlaut 2>/dev/null | grep utf8
// |         "utf8": true
