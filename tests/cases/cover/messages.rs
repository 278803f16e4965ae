// Panics are told apart from other ends, with their message on one line and the user's own line.
// REQUIRES: rust-wasm
// RUN: coax cover % --entry digit --max-runs 200 --no-mutate --out %t/out --emit sarif,junit | grep FAILS
// RUN: grep '"message": "\|"kind"' %t/out/report.json
// RUN: grep -h '"text".*shown by' %t/out/sarif/coax.sarif; grep '<failure ' %t/out/junit/junit.xml

fn digit(letter: u8, list: &[u8]) -> u32 {
    match letter {
        b'0'..=b'9' => u32::from(letter - b'0'),
        b'!' => panic!("no digit"),
        b'?' => {
            assert_eq!(letter, b'!', "letters\nof all");
            1
        }
        b'u' => list.iter().position(|byte| *byte == 9).unwrap() as u32,
        b'i' => u32::from(list[200]),
        b'a' => std::process::abort(),
        _ => 99,
    }
}

fn main() {
    println!("{}", digit(b'7', b"abc"));
}

// OUTPUT
// $ coax cover % --entry digit --max-runs 200 --no-mutate --out %t/out --emit sarif,junit | grep FAILS
// | FAILS  panic (no digit) at messages.rs:10:17  fails-Panic-line-10-aa7d30.json
// | FAILS  panic (assertion `left == right` failed: letters, of all, left: 63, right: 33) at messages.rs:12:13  fails-Panic-line-12-5ac611.json
// | FAILS  abort at messages.rs:17:17  fails-Abort-line-17-999431.json
// | FAILS  panic (index out of bounds: the len is 0 but the index is 200) at messages.rs:16:27  fails-Panic-line-16-535f52.json
// | FAILS  panic (called `Option::unwrap()` on a `None` value) at messages.rs:15:57  fails-Panic-line-15-a92498.json
// $ grep '"message": "\|"kind"' %t/out/report.json
// |       "kind": "panic",
// |       "message": "panicked at messages.rs:10:17: no digit",
// |       "kind": "panic",
// |       "message": "panicked at messages.rs:12:13: assertion `left == right` failed: letters, of all, left: 63, right: 33",
// |       "kind": "abort",
// |       "kind": "panic",
// |       "message": "panicked at messages.rs:16:27: index out of bounds: the len is 0 but the index is 200",
// |       "kind": "panic",
// |       "message": "panicked at messages.rs:15:57: called `Option::unwrap()` on a `None` value",
// $ grep -h '"text".*shown by' %t/out/sarif/coax.sarif; grep '<failure ' %t/out/junit/junit.xml
// |             "text": "panic (no digit) at messages.rs:10:17; shown by the test fails-Panic-line-10-aa7d30"
// |             "text": "panic (assertion `left == right` failed: letters, of all, left: 63, right: 33) at messages.rs:12:13; shown by the test fails-Panic-line-12-5ac611"
// |             "text": "abort at messages.rs:17:17; shown by the test fails-Abort-line-17-999431"
// |             "text": "panic (index out of bounds: the len is 0 but the index is 200) at messages.rs:16:27; shown by the test fails-Panic-line-16-535f52"
// |             "text": "panic (called `Option::unwrap()` on a `None` value) at messages.rs:15:57; shown by the test fails-Panic-line-15-a92498"
// |       <failure type="panic" message="panic (no digit) at messages.rs:10:17">
// |       <failure type="panic" message="panic (assertion `left == right` failed: letters, of all, left: 63, right: 33) at messages.rs:12:13">
// |       <failure type="abort" message="abort at messages.rs:17:17">
// |       <failure type="panic" message="panic (index out of bounds: the len is 0 but the index is 200) at messages.rs:16:27">
// |       <failure type="panic" message="panic (called `Option::unwrap()` on a `None` value) at messages.rs:15:57">
