//! Problems made at random around a random solution: formulas of floats with functions, of floats without, and of integers.

use super::builder::{Builder, Int, Real};

/// A small generator of random numbers (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A float of moderate size, sometimes with few digits.
    fn float(&mut self) -> f64 {
        let size = [0.1, 1.0, 10.0, 100.0][self.below(4) as usize];
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0;
        if self.below(2) == 0 { (unit * size * 4.0).round() / 4.0 } else { unit * size }
    }

    /// An integer, mostly small.
    fn integer(&mut self) -> i64 {
        (self.next() as i64) >> [32, 40, 48, 56][self.below(4) as usize]
    }
}

/// Writes a problem; its kind.
pub(super) fn write(p: &Builder, seed: u64) -> &'static str {
    let mut random = Random(seed);
    let count = 1 + random.below(4) as usize;
    let conditions = 1 + random.below(4);
    match seed % 3 {
        2 => {
            let variables: Vec<Int<'_>> =
                (0..count).map(|i| p.int(&format!("n{i}"), 32, random.integer())).collect();
            for _ in 0..conditions {
                let depth = 1 + random.below(3);
                let sum = integer(&mut random, &variables, depth);
                p.require(match random.below(3) {
                    0 => sum.is_as_known(),
                    _ => (sum - sum.known()).below(2 + random.below(20) as i64),
                });
            }
            "random/integers"
        }
        kind => {
            let variables: Vec<Real<'_>> =
                (0..count).map(|i| p.f64(&format!("x{i}"), random.float())).collect();
            for _ in 0..conditions {
                let depth = 1 + random.below(3);
                let value = real(&mut random, &variables, depth, kind == 0);
                let window = [1e-9, 1e-6, 1e-3, 1.0][random.below(4) as usize];
                let known = value.known();
                p.require(match random.below(4) {
                    0 => value.is_as_known(),
                    1 => value.ge(known) & value.le(known + window),
                    2 => value.le(known),
                    _ => value.ge(known) | value.lt(known - 1e6),
                });
            }
            if kind == 0 { "random/functions" } else { "random/floats" }
        }
    }
}

fn real<'a>(random: &mut Random, variables: &[Real<'a>], depth: u64, functions: bool) -> Real<'a> {
    let variable = variables[random.below(variables.len() as u64) as usize];
    if depth == 0 {
        return variable;
    }
    let a = real(random, variables, depth - 1, functions);
    let less = random.below(depth);
    let b = real(random, variables, less, functions);
    match random.below(if functions { 12 } else { 7 }) {
        0 => a + b,
        1 => a - b,
        2 | 3 => a * b,
        4 => a * random.float() + b,
        5 => a / (b * b + 1.0),
        6 => (a * a + b * b).sqrt(),
        7 => a.sin() + b,
        8 => (a + b).cos() * b,
        9 => (a / (b * b + 1.0)).atan(),
        10 => (a * a + 1.0).log() - b,
        _ => a.atan2(b),
    }
}

fn integer<'a>(random: &mut Random, variables: &[Int<'a>], depth: u64) -> Int<'a> {
    let variable = variables[random.below(variables.len() as u64) as usize];
    if depth == 0 {
        return variable;
    }
    let a = integer(random, variables, depth - 1);
    let less = random.below(depth);
    let b = integer(random, variables, less);
    match random.below(9) {
        0 => a + b,
        1 => a - b,
        2 | 3 => a * b,
        4 => a ^ b,
        5 => (a << 3) + b,
        6 => a * 31 + (b >> 7),
        7 => a & (b | 0xff),
        _ => a.unsigned_rem(1000 + random.below(1000) as i64) + b,
    }
}
