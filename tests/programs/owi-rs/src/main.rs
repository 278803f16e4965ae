//! Two ranges of symbolic ends.

use owi::Symbolic;

fn overlap(a: (i32, i32), b: (i32, i32)) -> bool {
    a.0 <= b.1 && b.0 <= a.1
}

fn main() {
    let a = <(i32, i32)>::symbol_so_that(|range| range.0 < range.1);
    let b = <(i32, i32)>::symbol();
    owi::assume(b.0 < b.1);
    let common = a.0.max(b.0) <= a.1.min(b.1);
    owi::assert(overlap(a, b) == common);
}
