// The same for functions of Rust.
// REQUIRES: rust-wasm
// RUN: coax init % --entry structure --out %t/harness.rs >/dev/null && sed 's,"/.*/,",; s,cover .*/,cover ,' %t/harness.rs && coax dump path %t/harness.rs --entry harness_structure | grep values.rs
// RUN: for f in slice text string vector numbers pair inner::nested inner::moved generic colour shape list maybe; do coax init % --entry $f --out %t/h.rs >/dev/null && coax dump path %t/h.rs --entry harness_${f##*:} >/dev/null 2>&1 && echo $f compiles and runs; rm %t/h.rs; done

pub struct Point {
    pub x: u32,
    pub y: i64,
}

pub fn structure(point: &Point) -> bool {
    if point.x == 5 && point.y == -6 {
        return true;
    }
    false
}

pub fn slice(bytes: &[u8]) -> bool {
    bytes.len() > 3 && bytes[3] == b'!'
}

pub fn text(text: &str) -> bool {
    text.starts_with("hi")
}

pub fn string(text: String) -> bool {
    text == "Rust"
}

pub fn vector(bytes: Vec<u8>) -> bool {
    bytes.last() == Some(&7)
}

pub fn numbers(numbers: Vec<u32>, more: &mut [u16]) -> bool {
    numbers.len() == more.len()
}

pub fn pair(pair: (u8, u32), flag: bool) -> bool {
    flag && pair.1 == 9
}

pub mod inner {
    pub fn nested(x: usize, name: char) -> bool {
        x == 3 && name == 'x'
    }

    pub struct Place {
        pub at: u8,
    }

    pub fn moved(place: Place) -> bool {
        place.at == 1
    }
}

pub struct Wrapped<T> {
    pub inner: T,
}

pub fn generic(wrapped: &Wrapped<u32>) -> bool {
    wrapped.inner == 7
}

pub enum Colour {
    Red = 3,
    Green = 7,
}

pub fn colour(colour: Colour) -> bool {
    matches!(colour, Colour::Green)
}

pub enum Shape {
    Circle(u32),
    Square { side: u16, colour: Colour },
    Empty,
}

pub fn shape(shape: &Shape) -> bool {
    match shape {
        Shape::Circle(radius) => *radius == 3,
        Shape::Square { side, colour } => *side == 4 && matches!(colour, Colour::Red),
        Shape::Empty => false,
    }
}

pub struct Node {
    pub value: u8,
    pub next: Option<Box<Node>>,
}

pub fn list(node: &Node) -> bool {
    node.value == 1 && node.next.as_ref().is_some_and(|next| next.value == 2)
}

pub fn maybe(number: Option<i16>) -> bool {
    number == Some(-3)
}

// OUTPUT
// $ coax init % --entry structure --out %t/harness.rs >/dev/null && sed 's,"/.*/,",; s,cover .*/,cover ,' %t/harness.rs && coax dump path %t/harness.rs --entry harness_structure | grep values.rs
// | // What coax does by itself for `values::structure`: change it as you like, then run
// | //     coax cover harness.rs --entry harness_structure
// |
// | include!("values.rs");
// |
// | #[coax::test]
// | fn harness_structure() {
// |     let _ = structure(
// |         &Point { x: coax::any_named("point.x"), y: coax::any_named("point.y") },
// |     );
// | }
// | site8 values.rs:12:8  branch to line 16  (not (eq point.x 5:32))
// $ for f in slice text string vector numbers pair inner::nested inner::moved generic colour shape list maybe; do coax init % --entry $f --out %t/h.rs >/dev/null && coax dump path %t/h.rs --entry harness_${f##*:} >/dev/null 2>&1 && echo $f compiles and runs; rm %t/h.rs; done
// | slice compiles and runs
// | text compiles and runs
// | string compiles and runs
// | vector compiles and runs
// | numbers compiles and runs
// | pair compiles and runs
// | inner::nested compiles and runs
// | inner::moved compiles and runs
// | generic compiles and runs
// | colour compiles and runs
// | shape compiles and runs
// | list compiles and runs
// | maybe compiles and runs
