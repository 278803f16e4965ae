//! The questions of the hard set.

use coax_term::{Algebra, Binary, Term, Terms};

/// Conditions that must hold together, and whether they can.
pub struct Problem {
    pub name: &'static str,
    pub conditions: Vec<Term>,
    pub has_solution: bool,
}

/// The questions, with other constants for each variant.
pub fn problems(terms: &mut Terms, variant: u64) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |name, conditions, has_solution| problems.push(Problem { name, conditions, has_solution });
    let mut seed = variant;
    let mut random = || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (seed ^ seed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    let sum = count(terms, "s", 100, b'a' + variant as u8);
    add("sum of 100 ite == 3", vec![equals(terms, sum, 3 + variant)], true);
    add("sum of 100 ite == 97", vec![equals(terms, sum, 97 - variant)], true);
    let (conditions, contradiction) = characters(terms, variant);
    add("16 characters counted", conditions, true);
    add("16 characters, impossible", contradiction, false);
    for (name, width) in [("x^3 == C, 32 bits", 32), ("x^3 == C, 64 bits", 64)] {
        add(name, vec![cube(terms, width, random())], true);
    }
    add("x^2 == 8k + 3, 32 bits", vec![square(terms, 32, (random() & 0xffff_fff8) + 3)], false);
    let x = terms.symbol("mixed", 32);
    let mixed = murmur(terms, x);
    add("invert a 32-bit mix", vec![equals(terms, mixed, random() >> 32)], true);
    let twice = murmur(terms, mixed);
    add("invert it twice", vec![equals(terms, twice, random() >> 32)], true);
    add("table chain", tables(terms, random()), true);
    add("crc32 of 4 bytes", vec![crc(terms, random() >> 32)], true);
    for (name, width) in [("x % 1000003 == C, x*x, 32", 32), ("x % 1000003 == C, x*x, 64", 64)] {
        add(name, modular(terms, width, random()), true);
    }
    add("x*x % 1000003 == C, 32", vec![remainder_of_square(terms, random() >> 32)], true);
    let [one, other] = [random(), random()].map(|number| prime_from(0x8000 | number >> 49));
    add("factors of a 32-bit product", factors(terms, one, other), true);
    add("decimal digits to number", decimal(terms, random() % 100_000_000), true);
    add("distributive law, 5-7 bits", vec![distributive(terms, 5 + variant as u8 % 3)], false);
    add("x / y == 7, x % y == 5", quotient(terms, 7 + variant), true);
    problems
}

pub fn equals(terms: &mut Terms, term: Term, value: u64) -> Term {
    let value = terms.constant(terms.width_of(term), value);
    terms.eq(term, value)
}

pub fn exceeds(terms: &mut Terms, term: Term, value: u64) -> Term {
    let value = terms.constant(terms.width_of(term), value);
    terms.binary(Binary::Ult, value, term)
}

/// How many of the bytes are the character, 32 bits.
fn count(terms: &mut Terms, prefix: &str, bytes: usize, character: u8) -> Term {
    let (zero, one) = (terms.constant(32, 0), terms.constant(32, 1));
    (0..bytes).fold(zero, |sum, at| {
        let byte = terms.symbol(&format!("{prefix}{at}"), 8);
        let is = equals(terms, byte, u64::from(character));
        let counted = terms.ite(is, one, zero);
        terms.binary(Binary::Add, sum, counted)
    })
}

/// Of 16 bytes: 3 a, 4 b, twice as many c as d, of these together 9; and that with 10, which is too much.
fn characters(terms: &mut Terms, variant: u64) -> (Vec<Term>, Vec<Term>) {
    let [a, b, c, d] =
        [b'a', b'b', b'c', b'd'].map(|character| count(terms, "c", 16, character + 4 * variant as u8));
    let two = terms.constant(32, 2);
    let double = terms.binary(Binary::Mul, d, two);
    let both = terms.binary(Binary::Add, c, d);
    let mut conditions = vec![equals(terms, a, 3), equals(terms, b, 4), terms.eq(c, double)];
    let mut impossible = conditions.clone();
    conditions.push(equals(terms, both, 9));
    impossible.push(exceeds(terms, both, 9));
    (conditions, impossible)
}

fn cube(terms: &mut Terms, width: u8, root: u64) -> Term {
    let x = terms.symbol(&format!("root{width}"), width);
    let square = terms.binary(Binary::Mul, x, x);
    let cube = terms.binary(Binary::Mul, square, x);
    let root = root | 1;
    equals(terms, cube, root.wrapping_mul(root).wrapping_mul(root) & coax_term::mask(width))
}

fn square(terms: &mut Terms, width: u8, value: u64) -> Term {
    let x = terms.symbol(&format!("root{width}"), width);
    let square = terms.binary(Binary::Mul, x, x);
    equals(terms, square, value)
}

/// The finaliser of MurmurHash3 (Appleby).
fn murmur(terms: &mut Terms, mut x: Term) -> Term {
    for (shift, factor) in [(16, Some(0x85eb_ca6b)), (13, Some(0xc2b2_ae35)), (16, None)] {
        let count = terms.constant(32, shift);
        let shifted = terms.binary(Binary::LShr, x, count);
        x = terms.binary(Binary::Xor, x, shifted);
        if let Some(factor) = factor {
            let factor = terms.constant(32, factor);
            x = terms.binary(Binary::Mul, x, factor);
        }
    }
    x
}

/// A table of bytes looked up three times, from one byte, xored with another; the result is that of some bytes.
fn tables(terms: &mut Terms, random: u64) -> Vec<Term> {
    let entries =
        (0..256u64).map(|key| (key, terms.constant(8, ((key * 167 + 91) ^ (key >> 3)) & 255))).collect();
    let table = terms.table(entries);
    let (first, key) = (terms.symbol("byte", 8), terms.symbol("key", 8));
    let chain = |terms: &mut Terms, first: Term, key: Term| {
        (0..3).fold(first, |x, _| {
            let found = terms.lookup(x, table);
            terms.binary(Binary::Xor, found, key)
        })
    };
    let x = chain(terms, first, key);
    let [one, other] = [random & 255, random >> 8 & 255].map(|value| terms.constant(8, value));
    let wanted = chain(terms, one, other);
    let low = terms.extract(key, 0, 4);
    vec![equals(terms, low, random >> 8 & 15), terms.eq(x, wanted)]
}

/// The usual CRC, by its table.
fn crc(terms: &mut Terms, wanted: u64) -> Term {
    let entry =
        |byte: u64| (0..8).fold(byte, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 });
    let entries = (0..256).map(|key| (key, terms.constant(32, entry(key)))).collect();
    let table = terms.table(entries);
    let mut crc = terms.constant(32, 0xffff_ffff);
    for at in 0..4 {
        let byte = terms.symbol(&format!("crc{at}"), 8);
        let low = terms.extract(crc, 0, 8);
        let index = terms.binary(Binary::Xor, low, byte);
        let found = terms.lookup(index, table);
        let high = terms.extract(crc, 8, 24);
        let high = terms.zero_extend(high, 32);
        crc = terms.binary(Binary::Xor, found, high);
    }
    equals(terms, crc, wanted)
}

/// x modulo a prime and the middle of x * x are those of some number.
fn modular(terms: &mut Terms, width: u8, random: u64) -> Vec<Term> {
    let x = terms.symbol(&format!("modular{width}"), width);
    let prime = terms.constant(width, 1_000_003);
    let rest = terms.binary(Binary::URem, x, prime);
    let square = terms.binary(Binary::Mul, x, x);
    let middle = terms.extract(square, width / 4, width / 2);
    let one = random & coax_term::mask(width);
    let wanted = coax_term::fold::extract(one.wrapping_mul(one), width / 4, width / 2);
    vec![equals(terms, rest, one % 1_000_003), equals(terms, middle, wanted)]
}

fn remainder_of_square(terms: &mut Terms, one: u64) -> Term {
    let x = terms.symbol("squared", 32);
    let prime = terms.constant(32, 1_000_003);
    let square = terms.binary(Binary::Mul, x, x);
    let rest = terms.binary(Binary::URem, square, prime);
    equals(terms, rest, (one.wrapping_mul(one) & coax_term::mask(32)) % 1_000_003)
}

/// The first prime from a number on.
fn prime_from(number: u64) -> u64 {
    (number..).find(|&number| (2..256).all(|divisor| number % divisor != 0)).unwrap_or(2)
}

fn factors(terms: &mut Terms, one: u64, other: u64) -> Vec<Term> {
    let [x, y] = ["factor1", "factor2"].map(|name| terms.symbol(name, 16));
    let [wide_x, wide_y] = [x, y].map(|factor| terms.zero_extend(factor, 32));
    let product = terms.binary(Binary::Mul, wide_x, wide_y);
    vec![terms.binary(Binary::Ule, y, x), equals(terms, product, one * other)]
}

/// The value of eight decimal digits, as a parser computes it.
fn decimal(terms: &mut Terms, wanted: u64) -> Vec<Term> {
    let mut conditions = Vec::new();
    let mut value = terms.constant(32, 0);
    for at in 0..8 {
        let byte = terms.symbol(&format!("digit{at}"), 8);
        let [low, high] = [b'0', b'9'].map(|edge| terms.constant(8, u64::from(edge)));
        conditions.push(terms.binary(Binary::Ule, low, byte));
        conditions.push(terms.binary(Binary::Ule, byte, high));
        let digit = terms.binary(Binary::Sub, byte, low);
        let digit = terms.zero_extend(digit, 32);
        let ten = terms.constant(32, 10);
        let shifted = terms.binary(Binary::Mul, value, ten);
        value = terms.binary(Binary::Add, shifted, digit);
    }
    conditions.push(equals(terms, value, wanted));
    conditions
}

fn quotient(terms: &mut Terms, wanted: u64) -> Vec<Term> {
    let (x, y) = (terms.symbol("dividend", 32), terms.symbol("divisor", 32));
    let (quotient, rest) = (terms.binary(Binary::UDiv, x, y), terms.binary(Binary::URem, x, y));
    vec![equals(terms, quotient, wanted), equals(terms, rest, 5), exceeds(terms, y, 100_000)]
}

/// That x * (y + z) differs from x * y + x * z, which it never does.
fn distributive(terms: &mut Terms, width: u8) -> Term {
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(&format!("{name}{width}"), width));
    let sum = terms.binary(Binary::Add, y, z);
    let one = terms.binary(Binary::Mul, x, sum);
    let [first, second] = [y, z].map(|factor| terms.binary(Binary::Mul, x, factor));
    let other = terms.binary(Binary::Add, first, second);
    let equal = terms.eq(one, other);
    terms.not(equal)
}
