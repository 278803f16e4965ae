//! Random questions: every operator at every width, one after the other along a path, as a search would ask them.

use crate::random::Random;
use coax_term::{Algebra, Binary, Function, Model, Symbol, Term, Terms, Unary, mask};
use std::cmp::Ordering;

/// What terms consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theory {
    /// Bit-vectors and tables of them.
    BitVectors,
    /// These and unknown functions.
    Functions,
    /// Bit-vectors and floats.
    Floats,
    /// Bit-vectors and many tables, whose entries are terms: reads of memory.
    Tables,
}

impl Theory {
    /// All of them.
    pub const ALL: [Theory; 4] = [Theory::BitVectors, Theory::Functions, Theory::Floats, Theory::Tables];
}

/// A path that grows by one condition after each question.
#[derive(Debug)]
pub struct RandomPath {
    random: Random,
    theory: Theory,
    /// The arena.
    pub terms: Terms,
    /// The conditions so far.
    pub assumptions: Vec<Term>,
    /// The values of the run that it is the path of: mostly they make the assumptions hold.
    pub hint: Model,
    leaves: Vec<Term>,
    functions: Vec<Function>,
}

impl RandomPath {
    /// A path over symbols of these widths.
    pub fn new(theory: Theory, seed: u64, widths: &[u8]) -> RandomPath {
        RandomPath::in_arena(Terms::new(), theory, seed, widths)
    }

    /// A path whose terms join those of other random paths.
    pub fn in_arena(mut terms: Terms, theory: Theory, seed: u64, widths: &[u8]) -> RandomPath {
        let mut random = Random::new(seed);
        let name = |(place, &width): (usize, &u8)| (format!("s{place}_{width}"), width);
        let names = widths.iter().enumerate().map(name);
        let leaves = names.map(|(name, width)| terms.symbol(&name, width)).collect();
        let hint = terms.symbols().map(|symbol| (symbol, random.next())).collect();
        let functions = [8, 32].map(|width| terms.function(&format!("f{width}"), width)).to_vec();
        RandomPath { random, theory, terms, assumptions: Vec::new(), hint, leaves, functions }
    }

    /// The symbols.
    pub fn symbols(&self) -> Vec<Symbol> {
        self.terms.symbols().collect()
    }

    /// The next question: mostly the hint does not make it hold.
    pub fn goal(&mut self, depth: usize) -> Term {
        let goal = self.condition(depth);
        match self.terms.eval(goal, &self.hint) == 1 && self.random.below(8) > 0 {
            true => self.terms.not(goal),
            false => goal,
        }
    }

    /// The path goes on after a question: mostly as the hint does.
    pub fn go_on(&mut self, goal: Term) {
        let next = if self.random.below(10) == 0 { goal } else { self.terms.not(goal) };
        self.assumptions.push(next);
    }

    fn value(&mut self, width: u8, depth: usize) -> Term {
        if depth == 0 || self.random.below(6) == 0 {
            if self.random.below(3) == 0 {
                let bits = self.constant(width);
                return self.terms.constant(width, bits);
            }
            let leaf = self.random.one_of(&self.leaves);
            return self.fit(leaf, width);
        }
        match self.random.below(12) {
            0 => {
                let a = self.value(width, depth - 1);
                let op = self.random.one_of(&[Unary::Not, Unary::Clz, Unary::Ctz, Unary::Popcnt]);
                self.terms.unary(op, a)
            }
            1 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.value(width, depth - 1), self.value(width, depth - 1));
                self.terms.ite(condition, a, b)
            }
            2 => {
                let other = self.width();
                let a = self.value(other, depth - 1);
                self.fit(a, width)
            }
            3 => self.lookup(width, depth),
            4..=7 if self.theory == Theory::Tables => self.lookup(width, depth),
            4 if self.theory == Theory::Functions => {
                let function = self.random.one_of(&self.functions);
                let arguments = [self.value(8, depth - 1), self.value(16, depth / 2)];
                let count = self.random.below(2) + 1;
                let result = self.terms.apply(function, &arguments[..count]);
                self.fit(result, width)
            }
            4..=7 if self.theory == Theory::Floats => {
                let own = self.random.one_of(&[32, 64]);
                let float = self.float(own, depth - 1);
                self.fit(float, width)
            }
            _ => {
                let (a, b) = (self.value(width, depth - 1), self.value(width, depth - 1));
                self.terms.binary(self.random.one_of(&Binary::INTEGER), a, b)
            }
        }
    }

    /// A float, or an integer made of one.
    fn float(&mut self, width: u8, depth: usize) -> Term {
        if depth == 0 {
            return self.value(width, 0);
        }
        match self.random.below(5) {
            0 => {
                let op = self.random.one_of(&UNARY_FLOAT);
                let operand = match op {
                    Unary::FPromote => 32,
                    Unary::FDemote => 64,
                    _ => width,
                };
                let a = self.float(operand, depth - 1);
                let result = self.terms.unary(op, a);
                self.fit(result, width)
            }
            1 => self.value(width, depth - 1),
            _ => {
                let (a, b) = (self.float(width, depth - 1), self.float(width, depth - 1));
                self.terms.binary(self.random.one_of(&FLOAT), a, b)
            }
        }
    }

    fn lookup(&mut self, width: u8, depth: usize) -> Term {
        let index = self.value(4, depth - 1);
        let mut entries = Vec::new();
        for key in 0..16 {
            if self.random.below(3) > 0 {
                let is_deep = self.theory == Theory::Tables && self.random.one_in(8);
                entries.push((key, self.value(width, if is_deep { depth - 1 } else { 0 })));
            }
        }
        if entries.is_empty() {
            return self.value(width, 0);
        }
        let table = self.terms.table(entries);
        self.terms.lookup(index, table)
    }

    /// A term as one of another width.
    fn fit(&mut self, term: Term, width: u8) -> Term {
        let own = self.terms.width_of(term);
        match own.cmp(&width) {
            Ordering::Equal => term,
            Ordering::Greater => {
                let low = self.random.below(usize::from(own - width) + 1) as u8;
                self.terms.extract(term, low, width)
            }
            Ordering::Less => match self.random.below(3) {
                0 => self.terms.sign_extend(term, width),
                1 => {
                    let bits = self.random.next() & mask(width - own);
                    let rest = self.terms.constant(width - own, bits);
                    self.terms.concat(rest, term)
                }
                _ => self.terms.zero_extend(term, width),
            },
        }
    }

    fn condition(&mut self, depth: usize) -> Term {
        if depth > 0 && self.random.below(5) == 0 {
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            return match self.random.below(3) {
                0 => self.terms.and(a, b),
                1 => self.terms.or(a, b),
                _ => self.terms.not(a),
            };
        }
        if self.theory == Theory::Floats && self.random.below(2) == 0 {
            let width = self.random.one_of(&[32, 64]);
            let (a, b) = (self.float(width, depth), self.float(width, depth / 2));
            return self.terms.binary(self.random.one_of(&[Binary::FEq, Binary::FLt, Binary::FLe]), a, b);
        }
        let width = self.width();
        let (a, b) = (self.value(width, depth), self.value(width, depth / 2));
        self.terms.binary(self.random.one_of(&Binary::INTEGER_COMPARISONS), a, b)
    }

    /// Often one that programs have.
    fn width(&mut self) -> u8 {
        match self.random.below(3) {
            0 => self.random.below(64) as u8 + 1,
            _ => self.random.one_of(&[1, 8, 8, 16, 32, 32, 64]),
        }
    }

    /// Often one that is special.
    fn constant(&mut self, width: u8) -> u64 {
        let floats =
            [1.0_f64.to_bits(), (-0.5_f64).to_bits(), f64::INFINITY.to_bits(), u64::from(2.5_f32.to_bits())];
        let bits = match self.random.below(4) {
            0 => self.random.one_of(&[0, 1, 2, 7, 10, 255, u64::MAX, u64::MAX / 2, 1 << 31]),
            1 if self.theory == Theory::Floats => self.random.one_of(&floats),
            _ => self.random.next(),
        };
        bits & mask(width)
    }
}

const FLOAT: [Binary; 6] =
    [Binary::FAdd, Binary::FSub, Binary::FMul, Binary::FDiv, Binary::FMin, Binary::FMax];
const UNARY_FLOAT: [Unary; 15] = [
    Unary::FSqrt,
    Unary::FCeil,
    Unary::FFloor,
    Unary::FTrunc,
    Unary::FNearest,
    Unary::FPromote,
    Unary::FDemote,
    Unary::SignedToF32,
    Unary::SignedToF64,
    Unary::UnsignedToF32,
    Unary::UnsignedToF64,
    Unary::FToSigned32,
    Unary::FToSigned64,
    Unary::FToUnsigned32,
    Unary::FToUnsigned64,
];
