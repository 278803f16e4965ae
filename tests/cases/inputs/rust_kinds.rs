// What Rust passes: tuples, arrays, characters, truths, enums with and without contents, options, lists. Only values that a caller can make
// count; what coax does not make is refused.
// REQUIRES: rust-wasm
// RUN: coax dump path % --entry tuple 2>/dev/null
// RUN: coax dump path % --entry array 2>/dev/null
// RUN: coax dump path % --entry letter 2>/dev/null
// RUN: coax replay % --entry letter --param 0xd800
// RUN: coax dump path % --entry truth 2>/dev/null
// RUN: coax dump path % --entry colour 2>/dev/null
// RUN: coax replay % --entry colour --param 4
// RUN: coax dump path % --entry area 2>/dev/null
// RUN: coax dump path % --entry by_value 2>/dev/null
// RUN: coax dump path % --entry maybe_borrowed --param null 2>/dev/null
// RUN: coax dump path % --entry maybe_number 2>/dev/null
// RUN: coax dump path % --entry maybe_truth 2>/dev/null
// RUN: coax dump path % --entry sevens 2>/dev/null
// RUN: coax dump path % --entry mixed 2>&1
// EXIT: 2
pub enum Colour {
    Red = 3,
    Green = 7,
}

pub enum Shape {
    Circle(u32),
    Square { side: u16, tilt: i8 },
    Empty,
}

pub struct Node {
    pub value: u8,
    pub next: Option<Box<Node>>,
}

pub enum Mixed {
    Text(String),
    Number(u32),
}

pub fn tuple(pair: (u8, i16)) -> bool {
    pair.0 == 3 && pair.1 == -2
}

pub fn array(five: [u8; 5]) -> bool {
    if five[4] == 7 { true } else { five[0] == 1 }
}

pub fn letter(c: char) -> u32 {
    if c == 'z' { 1 } else { c as u32 }
}

pub fn truth(b: bool) -> i32 {
    if b { 3 } else { 4 }
}

pub fn colour(c: Colour) -> i32 {
    match c {
        Colour::Red => 1,
        Colour::Green => 2,
    }
}

pub fn area(shape: &Shape) -> i32 {
    match shape {
        Shape::Circle(radius) => *radius as i32,
        Shape::Square { side, tilt } => *side as i32 + *tilt as i32,
        Shape::Empty => -1,
    }
}

pub fn by_value(shape: Shape) -> i32 {
    area(&shape)
}

pub fn maybe_borrowed(number: Option<&u32>) -> u32 {
    match number {
        Some(number) => *number,
        None => 9,
    }
}

pub fn maybe_number(number: Option<u32>) -> u32 {
    match number {
        Some(5) => 1,
        Some(_) => 2,
        None => 3,
    }
}

pub fn maybe_truth(truth: Option<bool>) -> u32 {
    match truth {
        Some(true) => 1,
        Some(false) => 2,
        None => 3,
    }
}

pub fn sevens(list: &Node) -> u32 {
    let mut count = 0;
    let mut node = Some(list);
    while let Some(inner) = node {
        if inner.value == 7 {
            count += 1;
        }
        node = inner.next.as_deref();
    }
    count
}

pub fn mixed(it: &Mixed) -> usize {
    match it {
        Mixed::Text(text) => text.len(),
        Mixed::Number(number) => *number as usize,
    }
}

fn main() {
    let all = (
        tuple((1, 2)) || array([0; 5]) || letter('c') == 3 || truth(true) == 3,
        colour(Colour::Red) + colour(Colour::Green) + area(&Shape::Empty) + by_value(Shape::Circle(3)),
        by_value(Shape::Square { side: 1, tilt: 2 }),
        maybe_borrowed(Some(&3)) + maybe_number(Some(2)) + maybe_truth(None),
        sevens(&Node { value: 1, next: None }),
        mixed(&Mixed::Text(String::new())) + mixed(&Mixed::Number(1)),
    );
    println!("{all:?}");
}

// OUTPUT
// $ coax dump path % --entry tuple 2>/dev/null
// | site89 rust_kinds.rs:41:5  branch to 41:5  (not (eq pair.__0 3:8))
// | returned i32 0
// $ coax dump path % --entry array 2>/dev/null
// | site91 rust_kinds.rs:45:8  branch to 45:37  (not (eq five[4] 7:8))
// | returned i32 0
// $ coax dump path % --entry letter 2>/dev/null
// | offset 0x7c7 rust_kinds.rs:49  assumption holds  (or (ult c 55296:32) (and (ule 57344:32 c) (ult c 0x110000:32)))
// | site93 rust_kinds.rs:49:8  branch to line 50  (not (eq c 122:32))
// | returned i32 0
// $ coax replay % --entry letter --param 0xd800
// | ok    run: does not count (`c` cannot be 55296: its type has no such value)
// $ coax dump path % --entry truth 2>/dev/null
// | site94 rust_kinds.rs:53:8  branch zero  (not b)
// | returned i32 4
// $ coax dump path % --entry colour 2>/dev/null
// | offset 0x806 rust_kinds.rs:57  assumption holds  (or (eq c 3:8) (eq c 7:8))
// | site95 rust_kinds.rs:57:5  branch to line 58  (eq c 3:8)
// | returned i32 1
// $ coax replay % --entry colour --param 4
// | ok    run: does not count (`c` cannot be 4: its type has no such value)
// $ coax dump path % --entry area 2>/dev/null
// | offset 0x3e1 rust_kinds.rs:64  assumption holds  (ult shape.tag 3:8)
// | site20 rust_kinds.rs:64:5  switch 0,else  (ule 2:32 (add (zext 32 shape.tag) 0xffffffff:32))
// | returned i32 0
// $ coax dump path % --entry by_value 2>/dev/null
// | offset 0x82d rust_kinds.rs:72  assumption holds  (ult shape.tag 3:8)
// | site20 rust_kinds.rs:64:5  switch 0,else  (ule 2:32 (add (zext 32 shape.tag) 0xffffffff:32))
// | returned i32 0
// $ coax dump path % --entry maybe_borrowed --param null 2>/dev/null
// | returned i32 9
// $ coax dump path % --entry maybe_number 2>/dev/null
// | offset 0x37c rust_kinds.rs:83  assumption holds  (ult number.tag 2:32)
// | site14 rust_kinds.rs:83:5  branch to line 86  (not (extract 0 1 number.tag))
// | returned i32 3
// $ coax dump path % --entry maybe_truth 2>/dev/null
// | offset 0x32c rust_kinds.rs:91  assumption holds  (ult truth.__0 3:8)
// | site11 rust_kinds.rs:91:11  select zero  (not (eq truth.__0 2:8))
// | site12 rust_kinds.rs:91:5  branch to line 91  (not (eq truth.__0 2:8))
// | site13 rust_kinds.rs:91:5  branch to line 93  (not (extract 0 1 truth.__0))
// | returned i32 2
// $ coax dump path % --entry sevens 2>/dev/null
// | site100 rust_kinds.rs:102:12  branch to line 105  (not (eq list.value 7:8))
// | site100 rust_kinds.rs:102:12  branch to line 105  (not (eq list.next.__0.value 7:8))
// | site100 rust_kinds.rs:102:12  branch to line 105  (not (eq list.next.__0.next.__0.value 7:8))
// | returned i32 0
// $ coax dump path % --entry mixed 2>&1
// | error: `it` is or leads to `Mixed`, an enum whose variants hold more than numbers: coax does not make it by itself; write a harness that does: `coax init --entry mixed` begins one
