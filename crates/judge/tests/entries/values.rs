//! Functions of Rust: slices, strings and vectors, borrowed and given away. Only one is exported, so that the others are there.

pub struct Point {
    pub name: u8,
    pub x: u32,
    pub y: i64,
}

pub fn slice(bytes: &[u8]) -> usize {
    println!("{}", bytes.len());
    if bytes.len() > 3 && bytes[3] == b'!' { 1 } else { 0 }
}

pub fn text(text: &str) -> bool {
    println!("{text}");
    text.starts_with("hi")
}

pub fn string(mut text: String) -> usize {
    text.push('+');
    println!("{text}");
    if text.as_bytes()[0] == b'R' { 1 } else { 0 }
}

pub fn vector(bytes: Vec<u8>) -> bool {
    println!("{bytes:?}");
    bytes.last() == Some(&7)
}

pub fn numbers(numbers: Vec<u32>, more: &mut [u16]) -> bool {
    more[0] += 1;
    println!("{numbers:?} {more:?}");
    numbers[0] == 70_000
}

pub fn structure(point: &Point) -> bool {
    println!("{} {} {}", point.name, point.x, point.y);
    point.x == 5 && point.y == -6
}

pub fn pair(pair: (u8, u32), flag: bool) -> u32 {
    println!("{} {} {flag}", pair.0, pair.1);
    if flag && pair.1 == 9 { 1 } else { 0 }
}

pub extern "C" fn c_slice(bytes: &[u8], n: i16) -> u32 {
    println!("{bytes:?} {n}");
    if bytes.len() == 2 && bytes[1] == 5 && n == -3 { 1 } else { 0 }
}

mod inner {
    #[allow(dead_code)]
    fn private(x: u8) -> bool {
        x == 200
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn keep() -> bool {
    let point = Point { name: 1, x: 2, y: 3 };
    let sizes = slice(&[]) + string(String::new()) + pair((1, 2), true) as usize + c_slice(&[], 1) as usize;
    text("") && vector(Vec::new()) && numbers(vec![1], &mut [2]) && structure(&point) && sizes > 3
}
