//! The kind of a triangle with symbolic sides.

use klee_rs::{klee_assume, klee_make_symbolic};

fn kind(a: u16, b: u16, c: u16) -> &'static str {
    let (a, b, c) = (u32::from(a), u32::from(b), u32::from(c));
    if a + b <= c || a + c <= b || b + c <= a {
        return "none";
    }
    match (a == b, b == c, a == c) {
        (true, true, _) => "equilateral",
        (false, false, false) => "scalene",
        _ => "isosceles",
    }
}

fn main() {
    let mut sides = [0u16; 3];
    klee_make_symbolic(&mut sides, "sides\0");
    klee_assume(sides[0] > 0);
    println!("{}", kind(sides[0], sides[1], sides[2]));
}
