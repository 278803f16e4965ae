//! Programs whose searches have all kinds of tasks.

use coax_execute::{Argument, Content, Data, Input, Room, Value};

/// What is searched, and what slots are to have to do then.
pub struct Example {
    pub name: &'static str,
    pub text: String,
    /// Functions that are unknown.
    pub unknown: Vec<u32>,
    pub inputs: Vec<Input>,
    pub kinds: Vec<&'static str>,
}

/// What every search has to do.
const USUAL: [&str; 7] = [
    "run and look for suspects",
    "run with known suspects",
    "ask for another way",
    "known",
    "try",
    "try again",
    "test",
];

pub fn examples() -> Vec<Example> {
    vec![
        of_numbers("conditions within each other", include_str!("../programs/nested.wat"), &["prove"]),
        of_numbers("a table in memory", include_str!("../programs/table.wat"), &USUAL),
        of_numbers("traps", include_str!("../programs/traps.wat"), &USUAL),
        of_numbers("floats", include_str!("../programs/floats.wat"), &USUAL),
        of_numbers("memory and globals", include_str!("../programs/memory.wat"), &USUAL),
        of_numbers("a switch with many ways", &switch(), &["ask for a wanted way"]),
        of_numbers("one early end after the other", &early_ends(), &["ask and climb"]),
        of_numbers(
            "a value that decides later",
            UNTIED,
            &["ask for another value", "ask for a value that unties"],
        ),
        with_bad_input(),
        of_text("words", WORDS, Vec::new(), &USUAL),
        of_text("a checksum of a text", CHECKSUM, vec![0], &["ask for another shape"]),
        of_numbers("a checksum that is too hard", HARD, &["watch"]),
    ]
}

fn of_numbers(name: &'static str, text: &str, kinds: &[&'static str]) -> Example {
    let params = Argument::list(&[Value::I32(0), Value::I32(0)]);
    let input = Input { entry: Some("f".into()), params, ..Input::default() };
    Example { name, text: text.to_owned(), unknown: Vec::new(), inputs: vec![input], kinds: kinds.to_vec() }
}

/// The second input lacks a parameter.
fn with_bad_input() -> Example {
    let mut example =
        of_numbers("an input that cannot be run", include_str!("../programs/nested.wat"), &["run"]);
    let params = Argument::list(&[Value::I32(0)]);
    example.inputs.push(Input { params, ..example.inputs[0].clone() });
    example
}

fn of_text(name: &'static str, text: &str, unknown: Vec<u32>, kinds: &[&'static str]) -> Example {
    let params = vec![Argument::new(Content::Text(Room::Pages, Data::from("abc")))];
    let input = Input { entry: Some("f".into()), params, ..Input::default() };
    Example { name, text: text.to_owned(), unknown, inputs: vec![input], kinds: kinds.to_vec() }
}

/// A switch with sixty ways.
fn switch() -> String {
    let ways = 60;
    let labels: String = (0..ways).map(|way| format!("$way{way} ")).collect();
    let blocks: String = (0..ways).rev().map(|way| format!("(block $way{way} ")).collect();
    let ends: String = (0..ways).map(|way| format!(") (return (i32.const {way}))\n")).collect();
    format!(
        "(module (func (export \"f\") (param i32 i32) (result i32)
           (block $none {blocks} (br_table {labels} $none (i32.add (local.get 0) (i32.const 7))) {ends})
           (i32.const -1)))"
    )
}

/// Conditions of which each has to hold.
fn early_ends() -> String {
    let ends = (0..20).map(|number| {
        format!("(if (i32.eqz (i32.and (i32.shr_u (local.get 0) (i32.const {number})) (i32.const 1))) (then unreachable))\n")
    });
    let ends: String = ends.collect();
    format!(
        "(module (func (export \"f\") (param i32 i32) (result i32) {ends}
           (if (result i32) (i32.eq (local.get 1) (i32.const 77)) (then (i32.const 1)) (else (i32.const 2)))))"
    )
}

/// A number is part of an address, so it becomes a value; then it is compared.
const UNTIED: &str = r#"(module
  (memory 1)
  (func (export "f") (param $a i32) (param $b i32) (result i32)
    (local.set $a (i32.and (local.get $a) (i32.const 4095)))
    (memory.fill (i32.const 64) (i32.const 1) (local.get $a))
    (if (i32.eq (local.get $a) (i32.const 50)) (then (return (i32.const 1))))
    (if (i32.gt_u (local.get $a) (i32.const 300)) (then (return (i32.const 2))))
    (i32.const 0)))"#;

/// Looks for words, one letter after the other.
const WORDS: &str = r#"(module
  (memory 1)
  (func (export "f") (param $p i32) (result i32)
    (local $i i32) (local $sum i32)
    (block $end (loop $next
      (br_if $end (i32.eqz (i32.load8_u (i32.add (local.get $p) (local.get $i)))))
      (local.set $sum (i32.mul (i32.xor (local.get $sum) (i32.load8_u (i32.add (local.get $p) (local.get $i)))) (i32.const 31)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (i32.const 8)))))
    (if (i32.eq (i32.and (local.get $sum) (i32.const 255)) (i32.const 17)) (then (return (i32.const 1))))
    (if (i32.eq (i32.and (local.get $sum) (i32.const 4095)) (i32.const 21)) (then (return (i32.const 2))))
    (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 0x6b)) (then unreachable))
    (i32.const 0)))"#;

/// Compares a checksum of a text.
const CHECKSUM: &str = r#"(module
  (memory 1)
  (func $sum (param $p i32) (result i32)
    (local $sum i32)
    (local.set $sum (i32.const 5381))
    (block $end (loop $next
      (br_if $end (i32.eqz (i32.load8_u (local.get $p))))
      (local.set $sum (i32.mul (i32.xor (i32.rotl (local.get $sum) (i32.const 5)) (i32.load8_u (local.get $p))) (i32.const 0x9e3779b1)))
      (local.set $sum (i32.mul (i32.xor (local.get $sum) (i32.shr_u (local.get $sum) (i32.const 15))) (local.get $sum)))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (br $next)))
    (local.get $sum))
  (func (export "f") (param $p i32) (result i32)
    (local $sum i32)
    (local.set $sum (call $sum (local.get $p)))
    (if (i32.eq (local.get $sum) (i32.const 0x5ca1ab1e)) (then (return (i32.const 1))))
    (if (i32.eq (local.get $sum) (i32.const 123456)) (then (return (i32.const 2))))
    (i32.const 0)))"#;

/// Compares a checksum of a number that solvers do not find.
const HARD: &str = r#"(module
  (func $mix (param $x i32) (result i32)
    (local.set $x (i32.mul (i32.add (local.get $x) (i32.const 77)) (i32.const 0x9e3779b1)))
    (local.set $x (i32.xor (local.get $x) (i32.shr_u (local.get $x) (i32.const 15))))
    (local.set $x (i32.mul (local.get $x) (i32.or (i32.rotl (local.get $x) (i32.const 9)) (i32.const 1))))
    (local.set $x (i32.xor (local.get $x) (i32.shr_u (local.get $x) (i32.const 13))))
    (i32.mul (local.get $x) (i32.rotl (local.get $x) (i32.const 21))))
  (func (export "f") (param $a i32) (param $b i32) (result i32)
    (if (i32.eq (call $mix (local.get $a)) (i32.const 0x5ca1ab1e)) (then (return (i32.const 1))))
    (if (i32.eq (call $mix (local.get $b)) (call $mix (i32.const 4711))) (then (return (i32.const 2))))
    (i32.const 0)))"#;
