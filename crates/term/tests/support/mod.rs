//! Random expressions, and a second opinion on what they mean: written with wide integers and long-hand definitions, without
//! any code of the crate.

#![allow(dead_code, reason = "each test uses a part of this")]

use coax_term::{Algebra, Binary, Term, Terms, Unary};

/// A small generator of random numbers: the same numbers for the same seed, everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// A number that is often at an edge.
    pub fn number(&mut self, width: u8) -> u64 {
        let mask = u64::MAX >> (64 - width);
        let bit = 1u64 << self.below(u64::from(width));
        let number = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => mask,
            3 => mask >> 1,
            4 => bit,
            5 => bit - 1,
            6 => !(bit - 1),
            _ => self.next(),
        };
        number & mask
    }
}

/// An expression as it was written: nothing is simplified.
#[derive(Clone, Debug)]
pub enum Expr {
    Const(u8, u64),
    Symbol(u8, usize),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    Extract(Box<Expr>, u8, u8),
    Zero(Box<Expr>, u8),
    Sign(Box<Expr>, u8),
    Concat(Box<Expr>, Box<Expr>),
    Lookup(Box<Expr>, Vec<(u64, Expr)>),
}

const COUNTS: [Unary; 5] = [Unary::Not, Unary::Not, Unary::Clz, Unary::Ctz, Unary::Popcnt];

/// The symbols' widths, and how wide a term may be on the way.
pub struct Shape<'a> {
    pub symbols: &'a [u8],
    pub widest: u8,
}

impl Expr {
    pub fn random(random: &mut Random, shape: &Shape<'_>, width: u8, depth: u32) -> Expr {
        let again = |random: &mut Random, width: u8| Box::new(Expr::random(random, shape, width, depth - 1));
        if depth == 0 || random.below(12) == 0 {
            return Expr::leaf(random, shape, width);
        }
        match random.below(12) {
            0 => Expr::Unary(random.pick(&COUNTS), again(random, width)),
            1..=4 if width == 1 && random.below(3) > 0 => {
                let operand = 1 + random.below(u64::from(shape.widest)) as u8;
                Expr::Binary(
                    random.pick(&Binary::INTEGER_COMPARISONS),
                    again(random, operand),
                    again(random, operand),
                )
            }
            1..=4 => {
                let a = again(random, width);
                // The same operand twice, or a constant: what rules look for.
                let b = match random.below(5) {
                    0 => a.clone(),
                    1 | 2 => Box::new(Expr::Const(width, random.number(width))),
                    _ => again(random, width),
                };
                Expr::Binary(random.pick(&Binary::INTEGER), a, b)
            }
            5 => Expr::Ite(again(random, 1), again(random, width), again(random, width)),
            6 | 7 if width < shape.widest => {
                let from = width + random.below(u64::from(shape.widest - width) + 1) as u8;
                let low = random.below(u64::from(from - width) + 1) as u8;
                Expr::Extract(again(random, from), low, width)
            }
            kind @ (8 | 9) => {
                let from = 1 + random.below(u64::from(width)) as u8;
                let inner = again(random, from);
                if kind == 8 { Expr::Zero(inner, width) } else { Expr::Sign(inner, width) }
            }
            10 if depth > 1 && random.below(3) == 0 => {
                let index = 1 + random.below(u64::from(shape.widest)) as u8;
                let mut keys: Vec<u64> = (0..1 + random.below(4)).map(|_| random.number(index)).collect();
                keys.sort_unstable();
                keys.dedup();
                let entries = keys.into_iter().map(|key| (key, *again(random, width))).collect();
                Expr::Lookup(again(random, index), entries)
            }
            _ if width > 1 => {
                let low = 1 + random.below(u64::from(width) - 1) as u8;
                Expr::Concat(again(random, width - low), again(random, low))
            }
            _ => Expr::leaf(random, shape, width),
        }
    }

    fn leaf(random: &mut Random, shape: &Shape<'_>, width: u8) -> Expr {
        if random.below(4) == 0 {
            return Expr::Const(width, random.number(width));
        }
        let symbol = random.below(shape.symbols.len() as u64) as usize;
        let from = shape.symbols[symbol];
        let leaf = Box::new(Expr::Symbol(from, symbol));
        if from < width {
            if random.below(2) == 0 { Expr::Zero(leaf, width) } else { Expr::Sign(leaf, width) }
        } else {
            Expr::Extract(leaf, random.below(u64::from(from - width) + 1) as u8, width)
        }
    }

    pub fn width(&self) -> u8 {
        match self {
            Expr::Const(width, _) | Expr::Symbol(width, _) | Expr::Extract(_, _, width) => *width,
            Expr::Zero(_, width) | Expr::Sign(_, width) => *width,
            Expr::Unary(op, a) => op.result_width(a.width()),
            Expr::Binary(op, a, _) => op.result_width(a.width()),
            Expr::Ite(_, a, _) => a.width(),
            Expr::Concat(a, b) => a.width() + b.width(),
            Expr::Lookup(_, entries) => entries[0].1.width(),
        }
    }

    /// Through the constructors of the crate.
    pub fn build(&self, terms: &mut Terms) -> Term {
        match self {
            Expr::Const(width, bits) => terms.constant(*width, *bits),
            Expr::Symbol(width, number) => terms.symbol(&format!("s{number}"), *width),
            Expr::Unary(op, a) => {
                let a = a.build(terms);
                terms.unary(*op, a)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                terms.binary(*op, a, b)
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (c.build(terms), a.build(terms), b.build(terms));
                terms.ite(c, a, b)
            }
            Expr::Extract(a, low, width) => {
                let a = a.build(terms);
                terms.extract(a, *low, *width)
            }
            Expr::Zero(a, width) => {
                let a = a.build(terms);
                terms.zero_extend(a, *width)
            }
            Expr::Sign(a, width) => {
                let a = a.build(terms);
                terms.sign_extend(a, *width)
            }
            Expr::Concat(a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                terms.concat(a, b)
            }
            Expr::Lookup(index, entries) => {
                let index = index.build(terms);
                let entries = entries.iter().map(|(key, value)| (*key, value.build(terms))).collect();
                let table = terms.table(entries);
                terms.lookup(index, table)
            }
        }
    }

    /// By the definitions, on the tree as it stands.
    pub fn value(&self, symbols: &[u64]) -> u64 {
        let mask = (1u128 << self.width()) - 1;
        match self {
            Expr::Const(_, bits) => *bits,
            Expr::Symbol(_, number) => symbols[*number],
            Expr::Unary(op, a) => count(*op, a.width(), a.value(symbols)),
            Expr::Binary(op, a, b) => meaning(*op, a.width(), a.value(symbols), b.value(symbols)),
            Expr::Ite(c, a, b) => if c.value(symbols) == 1 { a } else { b }.value(symbols),
            Expr::Extract(a, low, _) => ((u128::from(a.value(symbols)) >> low) & mask) as u64,
            Expr::Zero(a, _) => a.value(symbols),
            Expr::Sign(a, _) => (signed(a.width(), a.value(symbols)) as u128 & mask) as u64,
            Expr::Concat(a, b) => (u128::from(a.value(symbols)) << b.width()) as u64 | b.value(symbols),
            Expr::Lookup(index, entries) => {
                let key = index.value(symbols);
                entries.iter().find(|entry| entry.0 == key).map_or(0, |entry| entry.1.value(symbols))
            }
        }
    }
}

fn signed(width: u8, value: u64) -> i128 {
    let value = i128::from(value);
    if value >= 1 << (width - 1) { value - (1 << width) } else { value }
}

fn count(op: Unary, width: u8, a: u64) -> u64 {
    let bit = |i: u8| a >> i & 1 == 1;
    match op {
        Unary::Not => (0..width).map(|i| u64::from(!bit(i)) << i).sum(),
        Unary::Clz => (0..width).rev().take_while(|&i| !bit(i)).count() as u64,
        Unary::Ctz => (0..width).take_while(|&i| !bit(i)).count() as u64,
        Unary::Popcnt => (0..width).filter(|&i| bit(i)).count() as u64,
        _ => unreachable!(),
    }
}

fn meaning(op: Binary, width: u8, a: u64, b: u64) -> u64 {
    let modulus = 1i128 << width;
    let (x, y) = (i128::from(a), i128::from(b));
    let (sx, sy) = (signed(width, a), signed(width, b));
    let bits = i128::from(width);
    let power = |count: i128| 1i128 << count.min(64);
    let result = match op {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => return (u128::from(a) * u128::from(b) % (1u128 << width)) as u64,
        Binary::UDiv if y == 0 => -1,
        Binary::UDiv => x / y,
        Binary::URem if y == 0 => x,
        Binary::URem => x - x / y * y,
        Binary::SDiv if y == 0 => {
            if sx < 0 {
                1
            } else {
                -1
            }
        }
        Binary::SDiv => sx / sy,
        Binary::SRem if y == 0 => sx,
        Binary::SRem => sx - sx / sy * sy,
        Binary::And => (0..width).map(|i| (a >> i & 1 & (b >> i & 1)) << i).sum::<u64>().into(),
        Binary::Or => x + y - i128::from(meaning(Binary::And, width, a, b)),
        Binary::Xor => x + y - 2 * i128::from(meaning(Binary::And, width, a, b)),
        Binary::Shl if y >= bits => 0,
        Binary::Shl => return ((u128::from(a) << b) % (1u128 << width)) as u64,
        Binary::LShr => x / power(y),
        Binary::AShr => sx.div_euclid(power(y)),
        Binary::Rotl => (0..b % u64::from(width)).fold(x, |x, _| x * 2 % modulus + x / (modulus / 2)),
        Binary::Rotr => (0..b % u64::from(width)).fold(x, |x, _| x / 2 + x % 2 * (modulus / 2)),
        Binary::Eq => (x == y).into(),
        Binary::Ult => (x < y).into(),
        Binary::Ule => (x <= y).into(),
        Binary::Slt => (sx < sy).into(),
        Binary::Sle => (sx <= sy).into(),
        _ => unreachable!(),
    };
    result.rem_euclid(modulus) as u64
}
